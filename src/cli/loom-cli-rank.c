/* SPDX-License-Identifier: Apache-2.0
 *
 * The option --rank: replaces the run by the events of one rank. If the input is an index file, reads the events of the
 * range from the trace from which the index file was made. (An index file is small, and is opened instead of a
 * trace.)
 */
#include <inttypes.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-error.h"
#include "loom-load.h"
#include "loom-parse-time.h"
#include "loom-rank-range.h"

/* The traces of the chosen rank. They will replace all traces of the run, but their clocks will stay aligned as they
 * are in the run. */
typedef struct {
  LoomCliJob *job;
  gint rank;
  LoomServeClient *client; /* owned; NULL if the files are on this machine */
  gboolean has_range;
  LoomRange range;
  GPtrArray *traces; /* LoomTrace: the chosen traces */
  GArray *clocks;    /* guint: for each clock of `traces`, its index in the run */
} Choice;

static gboolean
is_of_rank (const LoomTrace *trace, gint rank)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    if (loom_trace_get_source (trace, i)->rank == rank)
      return TRUE;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (loom_trace_get_track (trace, i)->rank == rank)
      return TRUE;
  return FALSE;
}

/* If the file of a trace also contains events of other ranks, prints that these events are not removed. */
static void
tell_others (const Choice *choice, const LoomTrace *trace)
{
  gboolean has_others = FALSE;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    gint rank = loom_trace_get_track (trace, i)->rank;
    has_others |= rank >= 0 && rank != choice->rank;
  }
  if (!has_others || choice->job->options.quiet)
    return;
  g_autofree char *path = loom_archive_path_dup_printable (loom_trace_get_source (trace, 0)->path);
  loom_cli_message ("%s has the events of other ranks, too; they are not left out", path);
}

/* Adds `trace` to the chosen traces. It replaces the trace of the run with the index `number`. Its clocks get the
 * indices of the clocks of the replaced trace, so that they keep the alignment of these clocks. */
static void
take (Choice *choice, LoomTrace *trace, guint number)
{
  guint first = loom_run_get_first_clock (loom_timeline_get_run (choice->job->timeline), number);
  g_ptr_array_add (choice->traces, loom_trace_ref (trace));
  for (guint i = 0; i < loom_trace_get_n_clocks (trace); i++) {
    guint clock = first + i;
    g_array_append_val (choice->clocks, clock);
  }
}

/* Reads the whole trace from which an index file was made, and adds it to the chosen traces. `index`: trace made
 * from the index file; `number`: its index in the run. */
static gboolean
take_whole (Choice *choice, const LoomTrace *index, guint number, GError **error)
{
  if (loom_trace_get_n_sources (index) != 1) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED, "The index of rank %d is of %u files; open these instead",
                 choice->rank, loom_trace_get_n_sources (index));
    return FALSE;
  }
  const LoomSource *source = loom_trace_get_source (index, 0);
  const char *paths[] = { source->indexed_path, NULL };
  g_autoptr (LoomSourceOverrides) edits = loom_source_overrides_new ();
  LoomSourceEdit *edit = loom_source_overrides_change (edits, source->indexed_path);
  edit->has_rank = source->rank >= 0; /* the rank is taken from the index file, because the trace may not state it */
  edit->rank = source->rank;
  edit->node = edit->has_rank ? g_strdup (source->node) : NULL;
  LoomLoadOptions options = { .rank_from = choice->job->options.rank_from,
                              .edits = edits,
                              .memory_budget = choice->job->options.memory_budget,
                              .no_arrows = choice->job->no_arrows };
  g_auto (LoomRawFile) file = { 0 };
  if (!source->is_indexed_here) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "“%s” is not on this machine", source->indexed_path);
    return FALSE;
  }
  if (!loom_raw_file_open_here (NULL, "", source->indexed_path, NULL, &file, error))
    return FALSE;
  LoomProgress *progress = loom_cli_watch_begin (choice->job->watch, "Loading");
  g_autoptr (LoomRun) run = loom_load_paths (paths, &options, progress, NULL, NULL, error);
  loom_cli_watch_clear (choice->job->watch);
  LoomTrace *trace = run != NULL && loom_run_get_n_traces (run) == 1 ? loom_run_get_trace (run, 0) : NULL;
  if (trace != NULL && loom_trace_get_n_clocks (trace) == loom_trace_get_n_clocks (index))
    take (choice, trace, number);
  else if (run != NULL)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ,
                 "“%s” is not the trace of its index any more; make the index again", source->indexed_path);
  return trace != NULL && *error == NULL;
}

static void
tell_read (const Choice *choice, const LoomSource *source, const LoomRawRangeCost *cost)
{
  g_autofree char *size = g_format_size (cost->n_read), *path = loom_archive_path_dup_printable (source->indexed_path);
  loom_cli_watch_clear (choice->job->watch);
  if (!choice->job->options.quiet)
    loom_cli_message ("rank %d: %s of %s read for the range", choice->rank, size, path);
}

static LoomTrace *
read_range (Choice *choice, guint number, GError **error)
{
  LoomRawRangeCost cost;
  LoomCliJob *job = choice->job;
  const LoomTrace *index = loom_run_get_trace (loom_timeline_get_run (job->timeline), number);
  LoomRankRangeRequest request = { .timeline = job->timeline,
                                   .trace = number,
                                   .range = choice->range,
                                   .through = choice->client,
                                   .memory_budget = job->options.memory_budget,
                                   .progress = loom_cli_watch_begin (job->watch, "Reading the range") };
  guint64 n_before = choice->client != NULL ? loom_serve_client_count_received (choice->client) : 0;
  LoomTrace *trace = loom_rank_range_read (&request, &cost, error);
  guint64 n_received = choice->client != NULL ? loom_serve_client_count_received (choice->client) - n_before : 0;
  if (n_received > 0)
    /* report how many bytes were received from the server; for a .gz file, this is the compressed size */
    cost.n_read = n_received;
  if (trace != NULL)
    tell_read (choice, loom_trace_get_source (index, 0), &cost);
  return trace;
}

static gboolean
take_index (Choice *choice, const LoomTrace *index, guint number, GError **error)
{
  g_autoptr (GError) problem = NULL;
  if (!choice->has_range && choice->client == NULL)
    return take_whole (choice, index, number, error);
  g_autoptr (LoomTrace) trace = read_range (choice, number, &problem);
  if (trace != NULL) {
    choice->job->has_read_range = TRUE;
    take (choice, trace, number);
    return TRUE;
  }
  if (!g_error_matches (problem, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED) || choice->client != NULL) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  loom_cli_watch_clear (choice->job->watch);
  loom_cli_message ("rank %d: %s; the whole file is read", choice->rank, problem->message);
  return take_whole (choice, index, number, error);
}

static gboolean
choose (Choice *choice, GError **error)
{
  LoomRun *run = loom_timeline_get_run (choice->job->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    if (!is_of_rank (trace, choice->rank))
      continue;
    tell_others (choice, trace);
    if (!loom_trace_is_index (trace))
      take (choice, trace, i);
    else if (!take_index (choice, trace, i, error))
      return FALSE;
  }
  if (choice->traces->len == 0)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_EMPTY, "There is no trace of rank %d", choice->rank);
  return choice->traces->len > 0;
}

/* Replaces the run by the chosen traces. The clocks of these traces keep the alignment that was computed with all
 * traces of the run. */
static void
replace_timeline (Choice *choice)
{
  LoomCliJob *job = choice->job;
  g_autoptr (LoomRun) run = loom_run_new ((LoomTrace *const *) choice->traces->pdata, choice->traces->len);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new_part (
    loom_timeline_get_alignment (job->timeline), (const guint *) (gpointer) choice->clocks->data, choice->clocks->len);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  loom_timeline_unref (job->timeline);
  job->timeline = timeline;
}

/* Finds the range that --start and --end select. Step numbers are converted to times now, while the run still has
 * all traces, because the chosen traces may not have all steps. */
static gboolean
find_range (Choice *choice, GError **error)
{
  LoomCliOptions *options = &choice->job->options;
  if (!loom_cli_job_get_range (choice->job, FALSE, &choice->has_range, &choice->range, error))
    return FALSE;
  if (!options->in_steps)
    return TRUE;
  options->in_steps = FALSE;
  options->start_value = choice->range.begin_ns;
  options->end_value = choice->range.end_ns;
  return TRUE;
}

/* Finds the range. If a command that reads files on another machine is given, starts this command. If --start and --end
 * are not given, the range is all of time; a range is needed in any case, because the command sends only the events of
 * a range. */
static gboolean
prepare (Choice *choice, GError **error)
{
  const char *command = choice->job->through;
  choice->client = command != NULL ? loom_serve_client_new (command, error) : NULL;
  if ((command != NULL && choice->client == NULL) || !find_range (choice, error))
    return FALSE;
  if (!choice->has_range)
    choice->range = (LoomRange) { G_MININT64 / 2, G_MAXINT64 / 2 };
  return TRUE;
}

LoomExitStatus
loom_cli_rank_choose (LoomCliJob *job, const char *word)
{
  gint64 rank;
  GError *error = NULL;
  if (word == NULL && job->through != NULL) {
    loom_cli_message ("--through reads the events of one rank; name it with --rank");
    return LOOM_EXIT_STATUS_USAGE;
  }
  if (word == NULL)
    return LOOM_EXIT_STATUS_DONE;
  if (!loom_parse_time_parse_int (word, strlen (word), &rank) || rank < 0 || rank >= G_MAXINT) {
    loom_cli_message ("--rank is a number from 0 on, not “%s”", word);
    return LOOM_EXIT_STATUS_USAGE;
  }
  Choice choice = { .job = job,
                    .rank = (gint) rank,
                    .traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref),
                    .clocks = g_array_new (FALSE, FALSE, sizeof (guint)) };
  gboolean good = prepare (&choice, &error) && choose (&choice, &error);
  if (good)
    replace_timeline (&choice);
  g_ptr_array_unref (choice.traces);
  g_array_unref (choice.clocks);
  loom_serve_client_unref (choice.client);
  return good ? LOOM_EXIT_STATUS_DONE : loom_cli_job_fail (job, error);
}
