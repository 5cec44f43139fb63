/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-load-error.h: chooses the message from the sources and the ignored files of the run.
 */
#include "loom-load-error.h"

#include "loom-archive-path.h"
#include "loom-list-separator.h"
#include "loom-sentence.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define MOST_NAMED 3 /* Maximum number of file names in a message. The other names are replaced by “…”. */

guint
loom_load_error_count_source (const LoomSource *source)
{
  return source->log != NULL ? loom_import_log_count_at_least (source->log, LOOM_SEVERITY_WARNING) : 0;
}

static guint
count_failed (const LoomRun *run, const LoomRunSkippedFile **first)
{
  guint n = 0;
  for (guint i = 0; run != NULL && i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    if (!ignored->failed)
      continue;
    if (n++ == 0 && first != NULL)
      *first = ignored;
  }
  return n;
}

guint
loom_load_error_count (const LoomRun *run)
{
  guint n = count_failed (run, NULL);
  for (guint i = 0; run != NULL && i < loom_run_get_n_sources (run); i++)
    n += loom_load_error_count_source (loom_run_get_source (run, i));
  return n;
}

static char *
display_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  return loom_archive_path_dup_printable (base);
}

/* Returns the number of incomplete sources. Sets `first` to the first of them, and `why` to its most severe problem. */
static guint
count_incomplete (const LoomRun *run, const LoomSource **first, const LoomProblem **why)
{
  guint n = 0;
  for (guint i = 0; run != NULL && i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    if (!source->incomplete)
      continue;
    if (n++ > 0)
      continue;
    *first = source;
    for (guint k = 0; source->log != NULL && k < loom_import_log_get_n_problems (source->log); k++)
      if (*why == NULL || loom_import_log_get_problem (source->log, k)->severity > (*why)->severity)
        *why = loom_import_log_get_problem (source->log, k);
  }
  return n;
}

static gboolean
names_path (const char *sentence, const char *path)
{
  g_autofree char *name = display_name (path);
  return strstr (sentence, name) != NULL;
}

/* Returns "name: reason." If the reason already contains the name, returns only the reason. Owned by the caller. */
static char *
with_name (const char *path, const char *reason)
{
  g_autofree char *name = display_name (path);
  g_autofree char *sentence = loom_sentence_dup (reason);
  return names_path (reason, path) ? g_steal_pointer (&sentence)
                                   : g_strdup_printf (C_ ("file", "%s: %s"), name, sentence);
}

/* Returns TRUE if `path` is the only path that was opened. */
static gboolean
is_all_that_was_opened (LoomDocument *document, const char *path)
{
  const char *const *paths = loom_document_get_paths (document);
  if (paths[0] == NULL || paths[1] != NULL)
    return FALSE;
  g_autofree char *given = g_canonicalize_filename (paths[0], NULL);
  g_autofree char *failed = g_canonicalize_filename (path, NULL);
  return g_str_equal (given, failed);
}

/* Sets the title and the body of the message for a load whose files have known formats but contain no events. */
static void
find_empty (const LoomRun *run, const char *name, LoomLoadError *trouble)
{
  const LoomSource *incomplete = NULL;
  const LoomProblem *why = NULL;
  guint n = loom_run_get_n_sources (run);
  gboolean is_lost = count_incomplete (run, &incomplete, &why) > 0;
  gboolean is_unreadable = is_lost && why != NULL && strcmp (why->code, "unreadable") == 0;
  trouble->title = g_strdup_printf (!is_unreadable ? _ ("“%s” Is Empty")
                                    : n == 1       ? _ ("“%s” Cannot Be Read")
                                                   : _ ("Nothing in “%s” Could Be Read"),
                                    name);
  trouble->has_details = loom_load_error_count (run) > 0 || loom_run_get_n_ignored (run) > 0;
  if (is_lost)
    trouble->body = with_name (incomplete->path, why != NULL ? why->message : C_ ("file", "incomplete"));
  else {
    g_autofree char *what =
      n == 1 ? g_strdup_printf (_ ("The file was read as %s, but contains no spans, counters or instants."),
                                loom_run_get_source (run, 0)->format)
             : g_strdup_printf (ngettext ("%u file was read, but contains no spans, counters or instants.",
                                          "%u files were read, but contain no spans, counters or instants.", n),
                                n);
    trouble->body = loom_sentence_join (what, _ ("Record again with the profiler enabled, or open other files."));
  }
}

/* Returns TRUE if there is no file at the path. Returns FALSE if the file cannot be examined, or if the path is in
 * an archive. */
static gboolean
is_gone (const char *path)
{
  GStatBuf status;
  if (!g_path_is_absolute (path) || strstr (path, "//") != NULL /* a path with two slashes is in an archive */)
    return FALSE;
  return g_stat (path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* Returns TRUE if the file is empty. Examines the file on the disk. The recorded reason of the failure cannot be
 * used for this, because it is a translated text. */
static gboolean
is_empty_file (const char *path)
{
  GStatBuf status;
  return g_stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size == 0;
}

static guint
count_gone (const LoomRun *run)
{
  guint n = 0;
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++)
    n += loom_run_get_ignored (run, i)->failed && is_gone (loom_run_get_ignored (run, i)->path);
  return n;
}

/* Returns the names of missing files, for example "a.json, b.json, …". Owned by the caller. */
static char *
dup_gone_names (const LoomRun *run)
{
  GString *names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < loom_run_get_n_ignored (run) && n <= MOST_NAMED; i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    if (!ignored->failed || !is_gone (ignored->path))
      continue;
    g_autofree char *name = display_name (ignored->path);
    g_string_append_printf (names, "%s%s", n > 0 ? loom_list_separator () : "", n < MOST_NAMED ? name : "…");
    n++;
  }
  return g_string_free (names, FALSE);
}

/* Returns a sentence about missing files, for example "3 files are missing: a.json, b.json, c.json.". Owned by the
 * caller. */
static char *
dup_gone_words (const LoomRun *run, guint n)
{
  g_autofree char *names = dup_gone_names (run);
  return n == 1 ? g_strdup_printf (_ ("“%s” does not exist."), names)
                : g_strdup_printf (ngettext ("%u file is missing: %s.", "%u files are missing: %s.", n), n, names);
}

static void
find_gone (const LoomRun *run, const LoomRunSkippedFile *first, const char *name, LoomLoadError *trouble)
{
  guint n = count_gone (run);
  trouble->title = g_strdup_printf (_ ("Files of “%s” Are Missing"), name);
  if (n > 1) {
    g_autofree char *words = dup_gone_words (run, n);
    trouble->body = loom_sentence_join (words, _ ("Restore the files, or open them from their new location."));
    return;
  }
  g_autofree char *folder = g_path_get_dirname (first->path), *shown = loom_archive_path_dup_printable (folder),
                  *file = display_name (first->path);
  trouble->body = g_strdup_printf (
    _ ("“%s” is no longer in %s. Restore the files, or open them from their new location."), file, shown);
}

/* If only one path was opened and there is no file at it, fills `trouble` with the message that nothing was found at
 * this path, and returns TRUE. If not, returns FALSE. */
static gboolean
find_nowhere (LoomDocument *document, LoomLoadError *trouble)
{
  const char *const *paths = loom_document_get_paths (document);
  if (paths[0] == NULL || paths[1] != NULL || !is_gone (paths[0]))
    return FALSE;
  g_autofree char *folder = g_path_get_dirname (paths[0]), *shown = loom_archive_path_dup_printable (folder),
                  *file = display_name (paths[0]);
  trouble->title = g_strdup_printf (_ ("“%s” Not Found"), file);
  trouble->body =
    g_strdup_printf (_ ("The file or folder is not in %s. Restore it, or open it from its new location."), shown);
  return TRUE;
}

static void
find_failed (LoomDocument *document, const LoomRun *run, const LoomRunSkippedFile *first, const char *name,
             LoomLoadError *trouble)
{
  gboolean is_all = is_all_that_was_opened (document, first->path);
  if (!is_all && is_gone (first->path)) {
    find_gone (run, first, name, trouble);
    return;
  }
  if (is_all && is_empty_file (first->path)) {
    trouble->title = g_strdup_printf (_ ("“%s” Is Empty"), name);
    trouble->body = g_strdup (_ ("The file is empty. If it is still being written, open it again later."));
    return;
  }
  trouble->title = g_strdup_printf (is_all ? _ ("“%s” Cannot Be Read") : _ ("Nothing in “%s” Could Be Read"), name);
  trouble->body = with_name (first->path, first->reason);
}

static void
find_nothing (LoomDocument *document, const LoomRun *run, LoomLoadError *trouble)
{
  g_autofree char *name = loom_document_dup_name (document);
  const LoomRunSkippedFile *failed = NULL;
  guint n_failed = count_failed (run, &failed), n_ignored = loom_run_get_n_ignored (run);
  trouble->kind = LOOM_LOAD_ERROR_NOTHING;
  trouble->has_details = n_ignored > 0;
  if (n_failed == 0 && loom_run_get_n_sources (run) > 0)
    find_empty (run, name, trouble);
  else if (n_failed > 0)
    find_failed (document, run, failed, name, trouble);
  else if (n_ignored > 0) {
    trouble->title = g_strdup_printf (_ ("No Traces in “%s”"), name);
    trouble->body = g_strdup_printf (ngettext ("%u file was checked, but it is not a supported trace.",
                                               "%u files were checked; none is a supported trace.", n_ignored),
                                     n_ignored);
  } else {
    trouble->title = g_strdup_printf (_ ("“%s” Is Empty"), name);
    trouble->body = g_strdup (_ ("Open the folder the profiler writes to, or one of its parents."));
  }
}

/* Returns a sentence about the files that the message does not name. The sentence says whether these files are shown
 * completely or only in part. */
static const char *
words_of_rest (const LoomRun *run)
{
  gboolean whole = TRUE;
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    whole &= !source->incomplete && loom_load_error_count_source (source) == 0;
  }
  return whole ? _ ("Everything else is shown.") : _ ("The readable parts of the other files are shown.");
}

static void
find_partly (const LoomRun *run, LoomLoadError *trouble)
{
  const LoomRunSkippedFile *failed = NULL;
  const LoomSource *incomplete = NULL;
  const LoomProblem *why = NULL;
  guint n_failed = count_failed (run, &failed), n_incomplete = count_incomplete (run, &incomplete, &why);
  if (n_failed + n_incomplete == 0)
    return;
  trouble->kind = LOOM_LOAD_ERROR_PARTLY;
  trouble->has_details = TRUE;
  guint n_gone = n_failed > 0 ? count_gone (run) : 0;
  if (n_gone > 0 && n_gone == n_failed) {
    trouble->title = dup_gone_words (run, n_gone);
    trouble->body = loom_sentence_join (
      _ ("Restore the missing files and press F5, or open them from their new location."), words_of_rest (run));
    return;
  }
  if (n_failed > 0) {
    g_autofree char *reason = with_name (failed->path, failed->reason);
    trouble->title = n_failed == 1
                       ? g_strdup (reason)
                       : g_strdup_printf (
                           /* Translators: %u is the number of files; %s is the name of the first of these files and the
                         * reason why it could not be read: "a.json: truncated: …" */
                           _ ("%u files could not be read. %s"), n_failed, reason);
    trouble->body = g_strdup (words_of_rest (run));
    return;
  }
  g_autofree char *reason = with_name (incomplete->path, why != NULL ? why->message : C_ ("file", "incomplete"));
  trouble->title = n_incomplete == 1 ? g_strdup (reason)
                                     : g_strdup_printf (
                                         /* Translators: %u is the number of files; %s is the name of the first of
                                          * these files and its problem */
                                         _ ("%u files are incomplete. %s"), n_incomplete, reason);
  /* if the only incomplete file is unreadable, the title already says that nothing could be read */
  gboolean nothing = n_incomplete == 1 && why != NULL && strcmp (why->code, "unreadable") == 0;
  trouble->body = nothing ? NULL : g_strdup (_ ("The readable part is shown."));
}

void
loom_load_error_find (LoomDocument *document, LoomLoadError *trouble)
{
  *trouble = (LoomLoadError) { .kind = LOOM_LOAD_ERROR_NONE };
  const GError *error = loom_document_get_error (document);
  const LoomRun *run = loom_document_get_run (document);
  gboolean shows = loom_document_get_timeline (document) != NULL;
  if (error != NULL && !shows && find_nowhere (document, trouble))
    trouble->kind = LOOM_LOAD_ERROR_NOTHING;
  else if (error != NULL) {
    trouble->kind = shows ? LOOM_LOAD_ERROR_PARTLY : LOOM_LOAD_ERROR_NOTHING;
    trouble->title = shows ? g_strdup (error->message) : g_strdup (_ ("Cannot Open"));
    /* TRUE if the paths were read again and no files were found there */
    gboolean is_lost = shows && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
    trouble->body = is_lost
                      ? g_strdup (_ ("Restore the missing files and press F5, or open them from their new location."))
                    : shows ? NULL
                            : g_strdup (error->message);
  } else if (loom_document_was_cancelled (document) && shows) {
    trouble->kind = LOOM_LOAD_ERROR_PARTLY;
    trouble->title = g_strdup (_ ("Loading was stopped."));
    trouble->body = g_strdup (_ ("Only what had been loaded is shown. Open the run again to load the rest."));
  } else if (run != NULL && !shows)
    find_nothing (document, run, trouble);
  else if (run != NULL)
    find_partly (run, trouble);
}

void
loom_load_error_clear (LoomLoadError *trouble)
{
  g_clear_pointer (&trouble->title, g_free);
  g_clear_pointer (&trouble->body, g_free);
}
