/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes indexes: one for each trace, beside others in a folder, one trace per thread at a time. With --join joins indexes into
 * one file.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-index-join.h"
#include "loom-index-map.h"

#define LEAST_SHOWN 10 /* problems that are printed; the others are counted */

typedef struct {
  char **paths, **suffixes;
  char *folder, *rank_from;
  gboolean joins, quiet;
} IndexOptions;

static void
clear_options (IndexOptions *own)
{
  g_strfreev (own->paths);
  g_strfreev (own->suffixes);
  g_free (own->folder);
  g_free (own->rank_from);
}

/* Prints what was not read. Returns TRUE if an index is missing because of it. */
static gboolean
tell_unread (const LoomRun *run)
{
  guint n_failed = 0;
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    g_autofree char *path = loom_archive_path_dup_printable (ignored->path);
    if (!ignored->failed)
      continue;
    if (n_failed++ < LEAST_SHOWN)
      loom_cli_message ("%s: %s", path, ignored->reason);
  }
  if (n_failed > LEAST_SHOWN)
    loom_cli_message ("%u more files were not read", n_failed - LEAST_SHOWN);
  return n_failed > 0;
}

static void
tell_made (const LoomIndexMapResult *result)
{
  g_autofree char *size = g_format_size (result->index_bytes), *raw = g_format_size (result->raw_bytes);
  double percent = result->raw_bytes > 0 ? 100 * (double) result->index_bytes / (double) result->raw_bytes : 0;
  loom_cli_message ("%u %s made (%s, %.2f %% of %s), %u up to date", result->n_made,
                    result->n_made == 1 ? "index" : "indexes", size, percent, raw, result->n_current);
}

static LoomExitStatus
fail (const IndexOptions *own, GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    loom_cli_message (own->joins ? "cancelled; nothing was written"
                                 : "cancelled; the indexes made so far are complete");
  else
    loom_cli_message ("%s", error->message);
  g_error_free (error);
  return LOOM_EXIT_STATUS_FAILED;
}

static LoomExitStatus
make_indexes (const IndexOptions *own, LoomCliWatch *watch)
{
  LoomIndexMapResult result;
  GError *error = NULL;
  LoomLoadOptions options = { .suffixes = (const char *const *) own->suffixes, .rank_from = own->rank_from };
  LoomProgress *progress = loom_cli_watch_begin (watch, "Indexing");
  gboolean good =
    loom_index_map_run ((const char *const *) own->paths, own->folder, &options, progress, &result, &error);
  loom_cli_watch_clear (watch);
  if (!good) {
    loom_index_map_result_clear (&result);
    return fail (own, error);
  }
  gboolean incomplete = tell_unread (result.run);
  for (guint i = 0; i < result.problems->len; i++)
    loom_cli_message ("%s", (const char *) result.problems->pdata[i]);
  if (result.n_incomplete > 0)
    loom_cli_message ("damaged or cut off, so that the index has only what could be read: %u of the traces",
                      result.n_incomplete);
  incomplete |= result.n_incomplete > 0;
  if (!own->quiet)
    tell_made (&result);
  /* Trying again may help where an index could not be written, but not where a trace cannot be read. */
  gboolean nothing = result.n_made + result.n_current == 0,
           failed = result.problems->len > 0 || (nothing && !incomplete);
  if (failed && result.problems->len == 0)
    loom_cli_message ("no traces found");
  loom_index_map_result_clear (&result);
  return failed ? LOOM_EXIT_STATUS_FAILED : incomplete ? LOOM_EXIT_STATUS_INCOMPLETE : LOOM_EXIT_STATUS_DONE;
}

/* --- joining ------------------------------------------------------------------------------------------------------- */

/* Prints the ranks that stand out by one kind of time, the furthest first. */
static void
tell_outliers (const LoomRankMatrix *matrix, guint value)
{
  for (guint i = 0; i < matrix->n_rows; i++) {
    const LoomRankMatrixRow *row = &matrix->rows[i];
    double difference_ns = row->median_ns[value] - matrix->median_ns[value];
    if (!row->is_outlier[value])
      continue;
    g_autofree char *own = loom_time_format_duration ((gint64) row->median_ns[value]),
                    *other = loom_time_format_duration ((gint64) ABS (difference_ns));
    loom_cli_message ("rank %d stands out: %s %s per step, %s %s than the ranks in the median", row->rank,
                      loom_rank_matrix_value_to_string (value), own, other, difference_ns > 0 ? "more" : "less");
  }
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
  for (guint i = 0; i < MIN (result.problems->len, LEAST_SHOWN); i++)
    loom_cli_message ("%s", (const char *) result.problems->pdata[i]);
  if (result.problems->len > LEAST_SHOWN)
    loom_cli_message ("%u more files are not joined", result.problems->len - LEAST_SHOWN);
  if (result.n_incomplete > 0)
    loom_cli_message ("damaged or cut off, or made of such a trace: %u of the indexes", result.n_incomplete);
  gboolean incomplete = result.problems->len > 0 || result.n_incomplete > 0;
  if (good)
    incomplete |= tell_unread (loom_timeline_get_run (result.timeline));
  if (good && !own->quiet)
    tell_joined (own, &result);
  loom_index_join_result_clear (&result);
  if (!good)
    return fail (own, error);
  return incomplete ? LOOM_EXIT_STATUS_INCOMPLETE : LOOM_EXIT_STATUS_DONE;
}

LoomExitStatus
loom_cli_index (int argc, char **argv)
{
  IndexOptions own = { 0 };
  LoomExitStatus status = LOOM_EXIT_STATUS_USAGE;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.folder,
      N_ ("The folder to write indexes into; with --join the file to write"), "PATH" },
    { "join", 0, 0, G_OPTION_ARG_NONE, &own.joins,
      N_ ("Join indexes into one file: fit all clocks, match collectives, compare ranks and steps"), NULL },
    { "suffix", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &own.suffixes, N_ ("Only files whose name ends in S (repeatable)"),
      "S" },
    { "rank-from", 0, 0, G_OPTION_ARG_STRING, &own.rank_from, N_ ("Rank of a file: first group of REGEX on its path"),
      "REGEX" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &own.quiet,
      N_ ("No progress and no messages but errors that end the program"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &own.paths, NULL, "PATH…" },
    { NULL }
  };
  if (loom_cli_options_parse_entries (
        "index", "-o DIR", N_ ("Makes a small index of each trace, or joins indexes into one file (--join)."), entries,
        NULL, argc, argv)) {
    if (own.folder == NULL || own.folder[0] == '\0')
      loom_cli_usage_error ("index", "say where to with -o %s", own.joins ? "FILE" : "DIR");
    else if (own.paths == NULL || own.paths[0] == NULL)
      loom_cli_usage_error ("index", "give at least one PATH");
    else {
      LoomCliWatch *watch = loom_cli_watch_start (!own.quiet);
      status = own.joins ? join_indexes (&own, watch) : make_indexes (&own, watch);
      loom_cli_watch_stop (watch);
    }
  }
  clear_options (&own);
  return status;
}
