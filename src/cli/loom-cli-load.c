/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads a run for all commands of traceloom-cli: reads session files, downloads remote files, loads the paths, aligns
 * the clocks, and prints problems of the input.
 */
#include <stdio.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-error.h"
#include "loom-import-losses.h"
#include "loom-load.h"
#include "loom-output-file.h"
#include "loom-parse-time.h"
#include "loom-remote-location.h"
#include "loom-remote-paths.h"
#include "loom-run-info.h"
#include "loom-run-warnings.h"

/* Maximum number of problems of the input that are printed; if there are more, only their number is printed. */
#define MAX_MESSAGES 20

/* --- problems ----------------------------------------------------------------------------------------------------- */

static void
tell (guint *n_told, const char *path, const char *message, const char *code, guint64 offset, gboolean packed)
{
  if (++*n_told <= MAX_MESSAGES)
    loom_cli_message_of_file (path, message, code, offset, packed);
}

static void
tell_more (guint n_told)
{
  if (n_told > MAX_MESSAGES)
    loom_cli_message ("… and %u more; “traceloom-cli info” lists all", n_told - MAX_MESSAGES);
}

static void
tell_problems (const LoomSource *source, guint *n_told)
{
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
    if (problem->severity == LOOM_SEVERITY_ERROR || problem->severity == LOOM_SEVERITY_WARNING)
      tell (n_told, source->path, problem->message, problem->code, problem->offset, source->packed);
  }
}

/* Prints the problems of the input. `all_ignored`: TRUE to also print each file that is not a trace, with the
 * reason. */
static void
tell_run (LoomRun *run, gboolean all_ignored)
{
  guint n_told = 0;
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    guint unlimited = 0;
    if (all_ignored || ignored->failed)
      tell (all_ignored ? &unlimited : &n_told, ignored->path, ignored->reason,
            ignored->failed ? "unreadable" : "no-trace", LOOM_OFFSET_NONE, FALSE);
  }
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    tell_problems (loom_run_get_source (run, i), &n_told);
  tell_more (n_told);
}

void
loom_cli_job_tell_profiles (LoomCliJob *job)
{
  LoomRun *run = loom_timeline_get_run (job->timeline);
  guint n_told = 0;
  for (guint i = 0; !job->options.quiet && i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    g_autofree char *words = loom_run_info_describe_profile (source);
    if (words != NULL)
      tell (&n_told, source->path, words, NULL, LOOM_OFFSET_NONE, FALSE);
  }
  tell_more (n_told);
}

/* Returns TRUE for a profile that could not be read. It still counts as a source, so that the window can show the
 * position of the error in the file. */
static gboolean
is_unread (const LoomSource *source)
{
  gboolean unreadable = FALSE;
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++)
    unreadable |= strcmp (loom_import_log_get_problem (source->log, i)->code, "unreadable") == 0;
  return unreadable && source->incomplete && source->n_events == 0 && source->profile == NULL;
}

/* Returns TRUE if no source could be read, or if there are no sources. */
static gboolean
is_nothing_read (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (!is_unread (loom_run_get_source (run, i)))
      return FALSE;
  return TRUE;
}

static gboolean
is_incomplete (LoomRun *run)
{
  g_autoptr (GArray) losses = loom_import_losses_new (run);
  return losses->len > 0;
}

/* --- sessions ----------------------------------------------------------------------------------------------------- */

static void
take_rows (LoomCliJob *job, const char *text)
{
  GVariant *rows = text != NULL ? g_variant_parse (G_VARIANT_TYPE ("a{sa{sv}}"), text, NULL, NULL, NULL) : NULL;
  if (rows == NULL)
    return;
  g_clear_pointer (&job->rows, g_variant_unref);
  job->rows = rows;
}

static gboolean
is_given (const LoomCliOptions *options, const char *location)
{
  for (guint i = 0; options->paths[i] != NULL; i++)
    if (loom_remote_location_is_remote (options->paths[i]) &&
        loom_remote_location_is_same (options->paths[i], location))
      return TRUE;
  return options->allow_remote;
}

/* Checks the remote locations in a session. Refuses a location that the user has neither given on the command line
 * nor allowed with an option, because another person may have written the session. */
static gboolean
check_locations (const LoomCliOptions *options, const char *path, const LoomSession *session, GError **error)
{
  g_autofree const char **locations = loom_session_file_find_locations (session);
  for (guint i = 0; locations[i] != NULL; i++)
    if (!is_given (options, locations[i])) {
      g_set_error (
        error, LOOM_ERROR, LOOM_ERROR_READ,
        "The session “%s” names the location “%s”; give --allow-remote, or the location itself, to download from there",
        path, locations[i]);
      return FALSE;
    }
  return TRUE;
}

/* Applies the changes in a session to clocks, sources and rows. If several sessions contain changes of sources, only
 * those of the last session count; likewise for rows. */
static void
take_session (LoomCliJob *job, const LoomSession *session, LoomClockOverrides *clocks)
{
  loom_clock_overrides_add (clocks, session->clocks);
  if (!loom_source_overrides_is_empty (session->sources)) {
    g_clear_pointer (&job->edits, loom_source_overrides_free);
    job->edits = loom_source_overrides_copy (session->sources);
  }
  take_rows (job, session->rows);
  job->has_path |= session->path;
  /* traceloom-cli ignores the rule files of a session, but protects them from being overwritten, because the window
   * reads them */
  for (guint i = 0; i < session->rule_files->len; i++)
    loom_cli_job_hold (job, session->rule_files->pdata[i]);
}

/* Adds the paths in a session, and applies its changes. On failure, returns FALSE and sets `error`. */
static gboolean
expand_session (LoomCliJob *job, const char *path, GPtrArray *paths, LoomClockOverrides *clocks, GError **error)
{
  g_autoptr (LoomSession) session = loom_session_file_read (path, error);
  if (session == NULL || !check_locations (&job->options, path, session, error)) {
    loom_cli_set_failed_file (path);
    return FALSE;
  }
  for (guint i = 0; i < session->paths->len; i++)
    g_ptr_array_add (paths, g_strdup (session->paths->pdata[i]));
  take_session (job, session, clocks);
  return TRUE;
}

/* Returns the given paths, in which each session is replaced by the paths in the session. Applies the changes of the
 * sessions. On failure, returns NULL and sets `error`. */
static GPtrArray *
expand_paths (LoomCliJob *job, LoomClockOverrides *clocks, GError **error)
{
  char *const *given = job->options.paths;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; given[i] != NULL; i++)
    if (!loom_session_file_is_session (given[i]))
      g_ptr_array_add (paths, g_strdup (given[i]));
    else if (!expand_session (job, given[i], paths, clocks, error))
      return NULL;
  if (paths->len == 0) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY, "The session contains no files");
    return NULL;
  }
  g_ptr_array_add (paths, NULL);
  return g_steal_pointer (&paths);
}

/* --- offsets ------------------------------------------------------------------------------------------------------ */

static gboolean
is_source (LoomRun *run, guint number, const char *text, gsize length)
{
  g_autofree char *wanted = g_strndup (text, length);
  const char *path = loom_run_get_source (run, number)->path;
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *wanted_full = g_canonicalize_filename (wanted, NULL);
  g_autofree char *shown = loom_archive_path_dup_shown (path);
  return strcmp (path, wanted) == 0 || strcmp (full, wanted_full) == 0 || strcmp (shown, wanted) == 0;
}

/* Finds the source whose path ends with the components of `text`; so `text` may be a path relative to the folder of
 * the run. Returns the number of the source; G_MAXUINT if no source or several sources have such a path. */
static guint
find_path_end (LoomRun *run, const char *text, gsize length)
{
  g_autofree char *end = g_strdup_printf ("/%.*s", (int) length, text);
  guint found = G_MAXUINT;
  for (guint i = 0; length > 0 && i < loom_run_get_n_sources (run); i++) {
    if (!g_str_has_suffix (loom_run_get_source (run, i)->path, end))
      continue;
    if (found != G_MAXUINT)
      return G_MAXUINT;
    found = i;
  }
  return found;
}

/* Finds the source that `text` names. `text`: the number of the source, as the command `info` prints it, or the path of
 * the source. Returns the number of the source; G_MAXUINT if there is no such source. */
static guint
find_source (LoomRun *run, const char *text, gsize length)
{
  gint64 number;
  guint n = loom_run_get_n_sources (run);
  for (guint i = 0; i < n; i++)
    if (is_source (run, i, text, length))
      return i;
  if (length > 0 && g_ascii_isdigit (text[0]) && loom_parse_time_parse_int (text, length, &number) && number < n)
    return (guint) number;
  return find_path_end (run, text, length);
}

static LoomExitStatus
collect_offsets (LoomCliJob *job, LoomRun *run, GArray *offsets)
{
  for (guint i = 0; job->options.offsets != NULL && job->options.offsets[i] != NULL; i++) {
    const char *text = job->options.offsets[i], *sign = strrchr (text, '=');
    LoomUserOffset offset = { find_source (run, text, (gsize) (sign - text)), 0 };
    loom_parse_time_parse_int (sign + 1, strlen (sign + 1), &offset.offset_ns);
    if (offset.source == G_MAXUINT) {
      loom_cli_message ("--offset %s: no source, or several, with this number or path; “traceloom-cli info” lists both",
                        text);
      return LOOM_EXIT_STATUS_USAGE;
    }
    g_array_append_val (offsets, offset);
  }
  return LOOM_EXIT_STATUS_DONE;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

/* Returns the suffixes in quotation marks, joined with "or": “.pt.json” or “.json.gz”. Owned by the caller. */
static char *
quote_suffixes (char *const *suffixes)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; suffixes[i] != NULL; i++) {
    g_autofree char *shown = loom_archive_path_dup_printable (suffixes[i]);
    g_string_append_printf (text, "%s“%s”", i == 0 ? "" : " or ", shown);
  }
  return g_string_free (text, FALSE);
}

/* Returns the number of traces that were found, whether or not they could be read: the sources, and the ignored files
 * that are traces. */
static guint
count_unread (const LoomRun *run)
{
  guint n = loom_run_get_n_sources (run);
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++)
    n += loom_run_get_ignored (run, i)->is_trace;
  return n;
}

/* Returns TRUE if none of the input files exist, for example because the files of a session were moved. */
static gboolean
are_all_gone (const LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++)
    if (g_file_test (loom_run_get_ignored (run, i)->path, G_FILE_TEST_EXISTS) ||
        strstr (loom_run_get_ignored (run, i)->path, "//") != NULL)
      return FALSE;
  return TRUE;
}

/* Returns the reason why the input contains nothing to show, as a text to be appended to the name of the input.
 * Owned by the caller. */
static char *
dup_reason (const LoomCliJob *job, const LoomRun *run)
{
  guint n_unread = count_unread (run), n_ignored = loom_run_get_n_ignored (run);
  char *const *suffixes = job->options.suffixes;
  if (n_unread > 0)
    return g_strdup_printf ("nothing was read; %u %s there, see above", n_unread,
                            n_unread == 1 ? "trace is" : "traces are");
  if (n_ignored > 0 && are_all_gone (run))
    return g_strdup ("not there any more; put the files back, or name them where they are now");
  if (suffixes != NULL && suffixes[0] != NULL) {
    g_autofree char *quoted = quote_suffixes (suffixes);
    return g_strdup_printf ("no traces found among the files that --suffix lets through (names that end in %s)",
                            quoted);
  }
  if (n_ignored == 0)
    return g_strdup ("no traces found; give a trace file or a folder that holds some");
  return g_strdup_printf ("no traces found; %u %s looked at, %s", n_ignored, n_ignored == 1 ? "file was" : "files were",
                          job->lists_ignored ? "see above" : "“traceloom-cli info” says what they are");
}

/* Downloads the remote locations among the paths. Returns all paths; the path of the local copy replaces each remote
 * location. */
static LoomRemotePaths *
fetch_places (LoomCliJob *job, GPtrArray *paths, GError **error)
{
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Downloading");
  LoomRemotePaths *places = loom_remote_paths_new ((const char *const *) paths->pdata,
                                                   (const char *const *) job->options.suffixes, progress, error);
  loom_cli_watch_clear (job->watch);
  return places;
}

/* Returns the path to name in a message about a failure: if the run has only one file, the path of this file; if it has
 * several files, the given path of the folder; NULL if several paths were given. `paths` is NULL-terminated. */
static const char *
find_failed (LoomRun *run, const GPtrArray *paths)
{
  if (loom_run_get_n_sources (run) + loom_run_get_n_ignored (run) != 1)
    return paths->len == 2 ? paths->pdata[0] : NULL;
  return loom_run_get_n_sources (run) == 1 ? loom_run_get_source (run, 0)->path : loom_run_get_ignored (run, 0)->path;
}

/* If the only given path does not exist, replaces the error by a message that explains it. If the path looks like
 * SQL, the message says where the path of the run is expected. */
static void
explain_missing (const char *path, GError **error)
{
  g_autofree char *shown = loom_archive_path_dup_shown (path);
  gboolean is_sql = g_ascii_strncasecmp (path, "SELECT ", 7) == 0 || g_ascii_strncasecmp (path, "WITH ", 5) == 0;
  if (!g_error_matches (*error, LOOM_ERROR, LOOM_ERROR_READ) || loom_remote_location_is_remote (path) ||
      g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return;
  g_clear_error (error);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "Cannot open “%s”: there is no such file or folder%s", shown,
               is_sql ? "; the run is given before the SQL" : "");
}

static LoomRun *
read_paths (LoomCliJob *job, GPtrArray *paths, GError **error)
{
  g_autoptr (LoomRemotePaths) places = fetch_places (job, paths, error);
  if (places == NULL)
    return NULL;
  LoomLoadOptions options = { .suffixes = (const char *const *) job->options.suffixes,
                              .rank_from = job->options.rank_from,
                              .memory_budget = job->options.memory_budget,
                              .no_arrows = job->no_arrows,
                              .edits = job->edits,
                              .places = (const LoomFetchedFolder *const *) places->places };
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Loading");
  LoomRun *run = loom_load_paths ((const char *const *) places->paths, &options, progress, NULL, NULL, error);
  loom_cli_watch_clear (job->watch);
  if (run == NULL && job->options.paths[1] == NULL) {
    loom_cli_set_failed_file (job->options.paths[0]);
    explain_missing (job->options.paths[0], error);
  }
  return run;
}

/* Sets the error for a run from which nothing could be read. */
static void
set_nothing_read (LoomCliJob *job, LoomRun *run, const GPtrArray *paths, GError **error)
{
  g_autofree char *shown = loom_archive_path_dup_printable (paths->pdata[0]), *reason = dup_reason (job, run);
  loom_cli_set_failed_file (find_failed (run, paths));
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "“%s”%s: %s", shown, paths->len > 2 ? " and the others" : "",
               reason);
}

static LoomRun *
load_run (LoomCliJob *job, GPtrArray *paths, GError **error)
{
  g_autoptr (LoomRun) run = read_paths (job, paths, error);
  if (run == NULL)
    return NULL;
  gboolean empty = is_nothing_read (run);
  /* if nothing could be read, print the problems even with --quiet, because the problems explain why the command
   * failed */
  if (empty || !job->options.quiet)
    tell_run (run, empty && job->lists_ignored);
  job->incomplete = is_incomplete (run);
  if (!empty)
    return g_steal_pointer (&run);
  set_nothing_read (job, run, paths, error);
  return NULL;
}

/* Prints the problems of clocks. Also prints which files do not belong together. Each message contains advice. */
static void
tell_clocks (LoomTimeline *timeline)
{
  const char *const *notices = loom_alignment_get_notices (loom_timeline_get_alignment (timeline));
  g_autofree char *words = loom_run_warnings_dup_words (timeline, "Give the files of one run alone.");
  for (guint i = 0; notices != NULL && notices[i] != NULL; i++)
    if (!loom_run_warnings_says (timeline, notices[i]))
      loom_cli_message ("%s", notices[i]);
  if (words != NULL)
    loom_cli_message ("%s", words);
}

static LoomExitStatus
align (LoomCliJob *job, LoomRun *run, const LoomClockOverrides *clocks)
{
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (LoomUserOffset));
  g_autoptr (GArray) picks = g_array_new (FALSE, FALSE, sizeof (LoomUserPick));
  loom_clock_overrides_resolve (clocks, run, offsets, picks);
  LoomExitStatus status = collect_offsets (job, run, offsets);
  if (status != LOOM_EXIT_STATUS_DONE)
    return status;
  LoomAlignOptions options = { .mode = clocks->mode,
                               .offsets = (const LoomUserOffset *) (gpointer) offsets->data,
                               .n_offsets = offsets->len,
                               .picks = (const LoomUserPick *) (gpointer) picks->data,
                               .n_picks = picks->len };
  g_autoptr (LoomAlignment) alignment = loom_alignment_new_full (run, &options, NULL);
  job->timeline = loom_timeline_new (run, alignment);
  if (!job->options.quiet)
    tell_clocks (job->timeline);
  return LOOM_EXIT_STATUS_DONE;
}

void
loom_cli_job_hold (LoomCliJob *job, const char *path)
{
  if (job->inputs == NULL)
    job->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_input_files_free);
  g_ptr_array_add (job->inputs, loom_input_files_new (path));
}

/* Protects the given files from being overwritten. This is needed because the run protects only its sources, and
 * session files and unreadable files are not sources. */
static gboolean
hold_given (LoomCliJob *job, GError **error)
{
  for (guint i = 0; job->options.paths[i] != NULL; i++)
    loom_cli_job_hold (job, job->options.paths[i]);
  return job->output == NULL || strcmp (job->output, "-") == 0 || loom_input_files_check_target (job->output, error);
}

/* Loads the given paths and aligns the clocks. Returns DONE; on failure, prints a message and returns another exit
 * status. */
static LoomExitStatus
load (LoomCliJob *job)
{
  g_autoptr (LoomClockOverrides) clocks = loom_clock_overrides_new ();
  GError *error = NULL;
  if (job->watch == NULL)
    job->watch = loom_cli_watch_start (!job->options.quiet);
  clocks->mode = job->clock;
  if (!hold_given (job, &error))
    return loom_cli_job_fail (job, error);
  g_autoptr (GPtrArray) paths = expand_paths (job, clocks, &error);
  if (paths == NULL)
    return loom_cli_job_fail (job, error);
  g_autoptr (LoomRun) run = load_run (job, paths, &error);
  if (run == NULL)
    return loom_cli_job_fail (job, error);
  if (job->options.has_clock)
    clocks->mode = job->options.clock;
  return align (job, run, clocks);
}

static void
clear_run (LoomCliJob *job)
{
  g_clear_pointer (&job->timeline, loom_timeline_unref);
  g_clear_pointer (&job->edits, loom_source_overrides_free);
  g_clear_pointer (&job->rows, g_variant_unref);
  g_clear_pointer (&job->inputs, g_ptr_array_unref);
}

static void
job_clear (LoomCliJob *job)
{
  g_clear_pointer (&job->watch, loom_cli_watch_stop);
  clear_run (job);
  g_clear_pointer (&job->rank, g_free);
  g_clear_pointer (&job->through, g_free);
  loom_cli_options_clear (&job->options);
}

LoomExitStatus
loom_cli_job_run_beside (LoomCliJob *job, char *path,
                         LoomExitStatus (*run) (LoomCliJob *job, LoomCliJob *second, gpointer own), gpointer own)
{
  char *paths[] = { path, NULL };
  LoomCliJob second = { .options = job->options, .watch = job->watch, .clock = job->clock, .output = job->output };
  second.options.paths = paths;
  LoomExitStatus status = load (&second);
  if (status == LOOM_EXIT_STATUS_DONE)
    status = run (job, &second, own);
  clear_run (&second);
  return status;
}

LoomExitStatus
loom_cli_job_run (LoomCliJob *job, const LoomCliVerb *verb, const GOptionEntry *entries, gpointer own, int argc,
                  char **argv)
{
  LoomExitStatus status = LOOM_EXIT_STATUS_USAGE;
  if (loom_cli_options_parse (&job->options, entries, verb->must, verb->summary, verb->has_format, argc, argv))
    status = verb->check != NULL ? verb->check (job, own) : LOOM_EXIT_STATUS_DONE;
  if (status == LOOM_EXIT_STATUS_DONE)
    status = load (job);
  if (status == LOOM_EXIT_STATUS_DONE)
    status = loom_cli_rank_choose (job, job->rank);
  if (status == LOOM_EXIT_STATUS_DONE)
    status = verb->run (job, own);
  job_clear (job);
  return status;
}

LoomExitStatus
loom_cli_job_fail (LoomCliJob *job, GError *error)
{
  if (job->watch != NULL)
    loom_cli_watch_clear (job->watch);
  gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (g_error_matches (error, LOOM_ERROR, LOOM_ERROR_WRITE))
    loom_cli_set_failed_file (job->output);
  /* say that no file was written only if an output file was to be written; otherwise, something may already have been
   * written to standard output */
  loom_cli_message_failure (error, !is_cancelled ? error->message
                                   : job->writes ? "Cancelled; no file was written"
                                                 : "Cancelled");
  g_error_free (error);
  return LOOM_EXIT_STATUS_FAILED;
}

void
loom_cli_job_tell_output (const LoomCliJob *job, const char *what, const char *output)
{
  g_autofree char *shown = loom_archive_path_dup_printable (output != NULL ? output : "-");
  if (!job->options.quiet && strcmp (shown, "-") != 0)
    loom_cli_message ("%s written to %s", what, shown);
}

LoomExitStatus
loom_cli_job_finish (LoomCliJob *job)
{
  guint n = loom_run_get_n_ignored (loom_timeline_get_run (job->timeline));
  if (n > 0 && !job->options.quiet && !job->lists_ignored) {
    loom_cli_watch_clear (job->watch);
    loom_cli_message ("%u %s not on the timeline; “traceloom-cli info” says why", n, n == 1 ? "file is" : "files are");
  }
  return job->incomplete ? LOOM_EXIT_STATUS_INCOMPLETE : LOOM_EXIT_STATUS_DONE;
}

gboolean
loom_cli_print (const char *text, GError **error)
{
  LoomOutputFile *output = loom_output_file_new ("-", error);
  if (output == NULL)
    return FALSE;
  loom_output_file_append (output, text, strlen (text));
  return loom_output_file_commit (output, error);
}

LoomExitStatus
loom_cli_job_print (LoomCliJob *job, char *text)
{
  g_autofree char *own = text;
  GError *error = NULL;
  return loom_cli_print (own, &error) ? loom_cli_job_finish (job) : loom_cli_job_fail (job, error);
}

LoomExitStatus
loom_cli_job_print_json (LoomCliJob *job, JsonBuilder *builder)
{
  g_autoptr (JsonBuilder) own = builder;
  g_autoptr (JsonNode) root = json_builder_get_root (own);
  return loom_cli_job_print (job, loom_run_info_print_json (root));
}
