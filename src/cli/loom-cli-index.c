/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli index`: makes an index file of each trace, and writes it to a folder. An index file is
 * small and can be opened instead of the trace. Several threads work in parallel, each on one trace at a time. With
 * --join, the command joins index files into one file.
 */
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-error.h"
#include "loom-index-join.h"
#include "loom-index-map.h"
#include "loom-json-util.h"

/* maximum number of printed problems, and of printed outlier ranks for each kind of time; if there are more, only
 * their number is printed */
#define MOST_SHOWN 10

typedef struct {
  char **paths, **suffixes;
  char *folder, *rank_from, *host;
  gboolean joins, quiet;
  char *format;
  gboolean json;
} IndexOptions;

static void
clear_options (IndexOptions *own)
{
  g_strfreev (own->paths);
  g_strfreev (own->suffixes);
  g_free (own->folder);
  g_free (own->rank_from);
  g_free (own->format);
  g_free (own->host);
}

/* Prints the files that could not be read, for which no index files were made. Returns TRUE if there are any. */
static gboolean
tell_unread (const LoomRun *run)
{
  guint n_failed = 0;
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    g_autofree char *path = loom_archive_path_dup_printable (ignored->path);
    if (!ignored->failed)
      continue;
    if (n_failed++ < MOST_SHOWN)
      loom_cli_message ("%s: %s", path, ignored->reason);
  }
  if (n_failed > MOST_SHOWN)
    loom_cli_message ("%u more files were not read", n_failed - MOST_SHOWN);
  return n_failed > 0;
}

/* Prints a JSON object, of which it takes ownership. On failure, prints a message and returns FALSE. */
static gboolean
print_result (JsonBuilder *builder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonBuilder) own = builder;
  json_builder_end_object (own);
  g_autoptr (JsonNode) root = json_builder_get_root (own);
  g_autofree char *text = loom_json_util_print (root);
  if (loom_cli_print (text, &error))
    return TRUE;
  loom_cli_message_failure (error, error->message);
  return FALSE;
}

static JsonBuilder *
begin_result (const char *path, guint n_incomplete, GPtrArray *problems)
{
  JsonBuilder *builder = json_builder_new ();
  json_builder_begin_object (builder);
  loom_json_util_add_path (builder, "path", path);
  loom_json_util_add_int (builder, "n_incomplete", n_incomplete);
  loom_json_util_begin_array (builder, "problems");
  for (guint i = 0; i < problems->len; i++) {
    g_autofree char *valid = g_utf8_make_valid (problems->pdata[i], -1);
    json_builder_add_string_value (builder, valid);
  }
  json_builder_end_array (builder);
  return builder;
}

static gboolean
print_made (const IndexOptions *own, const LoomIndexMapResult *result)
{
  JsonBuilder *builder = begin_result (own->folder, result->n_incomplete, result->problems);
  loom_json_util_add_int (builder, "n_made", result->n_made);
  loom_json_util_add_int (builder, "n_current", result->n_current);
  loom_json_util_add_int (builder, "n_of_several", result->n_of_several);
  loom_json_util_add_int (builder, "n_left_out", (gint64) result->n_left_out);
  loom_json_util_add_int (builder, "index_bytes", (gint64) result->index_bytes);
  loom_json_util_add_int (builder, "trace_bytes", (gint64) result->raw_bytes);
  return print_result (builder);
}

static void
tell_made (const LoomIndexMapResult *result)
{
  g_autofree char *size = g_format_size (result->index_bytes), *raw = g_format_size (result->raw_bytes);
  double percent = result->raw_bytes > 0 ? 100 * (double) result->index_bytes / (double) result->raw_bytes : 0;
  loom_cli_message ("%u %s made (%s, %.2f %% of %s), %u up to date", result->n_made,
                    result->n_made == 1 ? "index" : "indexes", size, percent, raw, result->n_current);
  if (result->n_of_several > 0)
    loom_cli_message ("of several files each, such as rotated ones, from which no range can be read: %u of the indexes",
                      result->n_of_several);
}

static LoomExitStatus
fail (const IndexOptions *own, GError *error)
{
  gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (g_error_matches (error, LOOM_ERROR, LOOM_ERROR_WRITE))
    loom_cli_set_failed_file (own->folder);
  else if (own->paths[1] == NULL)
    loom_cli_set_failed_file (own->paths[0]);
  loom_cli_message_failure (error, !is_cancelled ? error->message
                                   : own->joins  ? "cancelled; nothing was written"
                                                 : "cancelled; the indexes made so far are complete");
  g_error_free (error);
  return LOOM_EXIT_STATUS_FAILED;
}

/* Prints which index files could not be written, how many traces are damaged, and how many events were skipped.
 * Returns TRUE if a trace could not be read completely. */
static gboolean
tell_losses (const LoomIndexMapResult *result)
{
  gboolean incomplete = tell_unread (result->run);
  for (guint i = 0; i < result->problems->len; i++)
    loom_cli_message ("%s", (const char *) result->problems->pdata[i]);
  if (result->n_incomplete > 0)
    loom_cli_message ("damaged or truncated, so that the index has only what could be read: %u of the traces",
                      result->n_incomplete);
  if (result->n_left_out > 0)
    loom_cli_message (
      "%" PRIu64
      " events skipped in the indexes, because their times are more than 73 years from 1970, or their durations longer",
      result->n_left_out);
  return incomplete || result->n_incomplete > 0;
}

static LoomExitStatus
make_indexes (const IndexOptions *own, LoomCliWatch *watch)
{
  LoomIndexMapResult result;
  GError *error = NULL;
  LoomLoadOptions options = { .suffixes = (const char *const *) own->suffixes, .rank_from = own->rank_from };
  LoomIndexMapTarget target = { .folder = own->folder, .host = own->host };
  LoomProgress *progress = loom_cli_watch_begin (watch, "Indexing");
  gboolean good = loom_index_map_run ((const char *const *) own->paths, &target, &options, progress, &result, &error);
  loom_cli_watch_clear (watch);
  if (!good) {
    loom_index_map_result_clear (&result);
    return fail (own, error);
  }
  gboolean incomplete = tell_losses (&result);
  gboolean printed = !own->json || print_made (own, &result);
  if (!own->quiet && !own->json)
    tell_made (&result);
  /* The command fails if the user can correct something, for example if an index file could not be written. If some
   * traces cannot be read, this alone is not a failure. */
  gboolean nothing = result.n_made + result.n_current == 0,
           failed = !printed || result.problems->len > 0 || (nothing && !incomplete);
  if (failed && printed && result.problems->len == 0)
    loom_cli_message ("no traces found");
  loom_index_map_result_clear (&result);
  return failed ? LOOM_EXIT_STATUS_FAILED : incomplete ? LOOM_EXIT_STATUS_INCOMPLETE : LOOM_EXIT_STATUS_DONE;
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const LoomRankMatrixRow *row;
  double difference_ns; /* the median time of the rank minus the median over all ranks, in ns */
} Outlier;

static int
compare_outliers (gconstpointer a, gconstpointer b)
{
  const Outlier *x = a, *y = b;
  double by = ABS (y->difference_ns) - ABS (x->difference_ns);
  return by != 0 ? (by < 0 ? -1 : 1) : x->row < y->row ? -1 : 1;
}

/* Returns the ranks that are outliers: their median time differs much from that of the other ranks. `value`: kind of
 * time, a column of the matrix. The result is an array of Outlier, the largest difference first. Owned by the
 * caller. */
static GArray *
list_outliers (const LoomRankMatrix *matrix, guint value)
{
  GArray *outliers = g_array_new (FALSE, FALSE, sizeof (Outlier));
  for (guint i = 0; i < matrix->n_rows; i++) {
    const Outlier outlier = { &matrix->rows[i], matrix->rows[i].median_ns[value] - matrix->median_ns[value] };
    if (outlier.row->is_outlier[value])
      g_array_append_val (outliers, outlier);
  }
  g_array_sort (outliers, compare_outliers);
  return outliers;
}

static void
tell_outliers (const LoomRankMatrix *matrix, guint value)
{
  static const char *const verbs[LOOM_RANK_MATRIX_N] = { "takes", "computes for", "communicates alone for",
                                                         "waits for other ranks for", "is idle for" };
  g_autoptr (GArray) outliers = list_outliers (matrix, value);
  for (guint i = 0; i < MIN (outliers->len, MOST_SHOWN); i++) {
    const Outlier *outlier = &g_array_index (outliers, Outlier, i);
    g_autofree char *own = loom_time_format_duration ((gint64) outlier->row->median_ns[value]),
                    *other = loom_time_format_duration ((gint64) ABS (outlier->difference_ns));
    loom_cli_message ("rank %d stands out: %s %s per step, %s %s than the median of the ranks", outlier->row->rank,
                      verbs[value], own, other, outlier->difference_ns > 0 ? "more" : "less");
  }
  if (outliers->len > MOST_SHOWN)
    loom_cli_message ("%u more ranks stand out by the same kind of time; --format json lists all",
                      outliers->len - MOST_SHOWN);
}

static void
tell_joined (const IndexOptions *own, const LoomIndexJoinResult *result)
{
  g_autofree char *shown = loom_archive_path_dup_printable (own->folder), *size = g_format_size (result->n_bytes);
  loom_cli_message ("%u %s joined into %s (%s): %u ranks, %u steps", result->n_indexes,
                    result->n_indexes == 1 ? "index" : "indexes", shown, size, result->matrix->n_rows,
                    result->matrix->n_steps);
  for (guint value = 0; value < LOOM_RANK_MATRIX_N; value++)
    tell_outliers (result->matrix, value);
}

static void
add_outliers (JsonBuilder *builder, const LoomRankMatrix *matrix, guint value)
{
  for (guint i = 0; i < matrix->n_rows; i++) {
    const LoomRankMatrixRow *row = &matrix->rows[i];
    if (!row->is_outlier[value])
      continue;
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "rank", row->rank);
    loom_json_util_add_text (builder, "of", loom_rank_matrix_value_to_string (value));
    loom_json_util_add_int (builder, "median_per_step_ns", (gint64) row->median_ns[value]);
    loom_json_util_add_int (builder, "median_of_ranks_ns", (gint64) matrix->median_ns[value]);
  }
}

static gboolean
print_joined (const IndexOptions *own, const LoomIndexJoinResult *result)
{
  JsonBuilder *builder = begin_result (own->folder, result->n_incomplete, result->problems);
  loom_json_util_add_int (builder, "n_indexes", result->n_indexes);
  loom_json_util_add_int (builder, "bytes", (gint64) result->n_bytes);
  loom_json_util_add_int (builder, "n_ranks", result->matrix->n_rows);
  loom_json_util_add_int (builder, "n_steps", result->matrix->n_steps);
  loom_json_util_begin_array (builder, "outliers");
  for (guint value = 0; value < LOOM_RANK_MATRIX_N; value++)
    add_outliers (builder, result->matrix, value);
  json_builder_end_array (builder);
  return print_result (builder);
}

/* Prints which files were not joined, and how many of the index files are incomplete. Returns TRUE if a file was not
 * joined or is incomplete. */
static gboolean
tell_unjoined (const LoomIndexJoinResult *result)
{
  for (guint i = 0; i < MIN (result->problems->len, MOST_SHOWN); i++)
    loom_cli_message ("%s", (const char *) result->problems->pdata[i]);
  if (result->problems->len > MOST_SHOWN)
    loom_cli_message ("%u more files are not joined", result->problems->len - MOST_SHOWN);
  if (result->n_incomplete > 0)
    loom_cli_message ("damaged or truncated, or made of such a trace: %u of the indexes", result->n_incomplete);
  return result->problems->len > 0 || result->n_incomplete > 0;
}

static LoomExitStatus
join_indexes (const IndexOptions *own, LoomCliWatch *watch)
{
  LoomIndexJoinResult result;
  GError *error = NULL;
  LoomLoadOptions options = { .suffixes = (const char *const *) own->suffixes, .rank_from = own->rank_from };
  LoomProgress *progress = loom_cli_watch_begin (watch, "Joining");
  gboolean good =
    loom_index_join_run ((const char *const *) own->paths, own->folder, &options, progress, &result, &error);
  loom_cli_watch_clear (watch);
  gboolean incomplete = tell_unjoined (&result);
  if (good)
    incomplete |= tell_unread (loom_timeline_get_run (result.timeline));
  gboolean printed = !good || !own->json || print_joined (own, &result);
  if (good && !own->quiet && !own->json)
    tell_joined (own, &result);
  loom_index_join_result_clear (&result);
  if (!good)
    return fail (own, error);
  if (!printed)
    return LOOM_EXIT_STATUS_FAILED;
  return incomplete ? LOOM_EXIT_STATUS_INCOMPLETE : LOOM_EXIT_STATUS_DONE;
}

static LoomExitStatus
run (IndexOptions *own)
{
  own->json &= own->format != NULL;
  if (own->folder == NULL || own->folder[0] == '\0') {
    loom_cli_usage_error ("index", "say where to with -o %s", own->joins ? "FILE" : "DIR");
    return LOOM_EXIT_STATUS_USAGE;
  }
  if (own->paths == NULL || own->paths[0] == NULL) {
    loom_cli_usage_error ("index", "give at least one PATH");
    return LOOM_EXIT_STATUS_USAGE;
  }
  LoomCliWatch *watch = loom_cli_watch_start (!own->quiet);
  LoomExitStatus status = own->joins ? join_indexes (own, watch) : make_indexes (own, watch);
  loom_cli_watch_stop (watch);
  return status;
}

LoomExitStatus
loom_cli_index (int argc, char **argv)
{
  IndexOptions own = { 0 };
  LoomExitStatus status = LOOM_EXIT_STATUS_USAGE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.folder,
      N_ ("The folder to write indexes into; with --join, the file to write"), "PATH" },
    { "join", 0, 0, G_OPTION_ARG_NONE, &own.joins,
      N_ ("Join indexes into one file: align all clocks, match collectives, compare ranks and steps"), NULL },
    { "suffix", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &own.suffixes, N_ ("Only files whose name ends in S (repeatable)"),
      "S" },
    { "rank-from", 0, 0, G_OPTION_ARG_STRING, &own.rank_from,
      N_ ("Take the rank of a file from its path: the text that the first group of REGEX matches"), "REGEX" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &own.format,
      N_ ("Output format: json prints what was written, and failures as JSON (default: print nothing)"), "WORD" },
    { "host", 0, 0, G_OPTION_ARG_STRING, &own.host,
      N_ (
        "Name of the machine that holds the traces on its own disk; '' if several machines share the disk (default: detected)"),
      "NAME" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &own.quiet,
      N_ ("Show no progress, and no messages except errors that end the program"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &own.paths, NULL, "PATH…" },
    { NULL }
  };
  if (loom_cli_options_parse_entries (
        "index", "-o DIR", N_ ("Makes a small index of each trace, or joins indexes into one file (--join)."), entries,
        NULL, argc, argv) &&
      loom_cli_options_parse_format ("index", own.format, &own.json))
    status = run (&own);
  clear_options (&own);
  return status;
}
