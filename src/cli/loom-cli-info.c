/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli info`: lists the sources, clocks, tracks and problems of a run, and counts the events in a
 * range.
 */
#include "loom-cli.h"

#include "loom-kway-merge.h"
#include "loom-run-info.h"
#include <glib/gi18n.h>

/* Number of items counted between two checks of the cancellable. */
#define LOOK_EVERY 65536

static void
count_item (const LoomMergeItem *item, LoomRunInfoRange *within)
{
  switch (item->kind) {
  case LOOM_KWAY_MERGE_SPAN:
  case LOOM_KWAY_MERGE_ASYNC: within->n_spans++; break;
  case LOOM_KWAY_MERGE_INSTANT: within->n_instants++; break;
  case LOOM_KWAY_MERGE_COUNTER: within->n_counters++; break;
  case LOOM_KWAY_MERGE_FLOW: within->n_flows++; break;
  case LOOM_KWAY_MERGE_ASYNC_END:
  default: break;
  }
}

/* Counts the events in the range and stores the numbers in `within`. Returns FALSE when cancelled. */
static gboolean
count_range (LoomCliJob *job, LoomRunInfoRange *within, GError **error)
{
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Counting");
  LoomMergeOptions options = { .has_range = TRUE, .range = within->range };
  g_autoptr (LoomPidTidMap) places = loom_pid_tid_map_new (job->timeline);
  g_autoptr (LoomKwayMerge) sweep = loom_kway_merge_new (job->timeline, places, &options);
  LoomMergeItem item;
  loom_progress_add_total (progress, loom_kway_merge_count (job->timeline));
  for (guint64 n = 1; loom_kway_merge_next (sweep, &item); n++) {
    count_item (&item, within);
    if (n % LOOK_EVERY != 0)
      continue;
    loom_progress_add_done (progress, LOOK_EVERY);
    if (g_cancellable_set_error_if_cancelled (loom_progress_get_cancellable (progress), error))
      return FALSE;
  }
  loom_cli_watch_clear (job->watch);
  return TRUE;
}

/* Sets `within` to the range that --start and --end select, and counts the events in this range. If the range and the
 * run overlap, the range is limited to the run. Sets `has_range` to FALSE if no range was given. */
static gboolean
find_range (LoomCliJob *job, gboolean *has_range, LoomRunInfoRange *within, GError **error)
{
  LoomRange extent;
  *within = (LoomRunInfoRange) { 0 };
  if (!loom_cli_job_get_range (job, FALSE, has_range, &within->range, error))
    return FALSE;
  if (!*has_range)
    return TRUE;
  gboolean has_extent = loom_timeline_get_extent (job->timeline, &extent);
  gboolean missed = has_extent && (within->range.begin_ns > extent.end_ns || within->range.end_ns < extent.begin_ns);
  if (has_extent && !missed) {
    within->range.begin_ns = MAX (within->range.begin_ns, extent.begin_ns);
    within->range.end_ns = MIN (within->range.end_ns, extent.end_ns);
  }
  if (missed && !job->options.quiet)
    loom_cli_job_touches (job, &within->range);
  /* if the range is outside of the run, and only one of --start and --end was given, make the range empty: set the
   * missing bound to the given bound */
  if (missed && !job->options.has_start)
    within->range.begin_ns = within->range.end_ns;
  if (missed && !job->options.has_end)
    within->range.end_ns = within->range.begin_ns;
  return count_range (job, within, error);
}

static LoomExitStatus
print_info (LoomCliJob *job, gpointer own)
{
  GError *error = NULL;
  LoomRunInfoRange within;
  gboolean has_range;
  if (!find_range (job, &has_range, &within, &error))
    return loom_cli_job_fail (job, error);
  if (!job->options.json)
    return loom_cli_job_print (job, loom_run_info_to_text (job->timeline, job->edits, has_range ? &within : NULL));
  g_autoptr (JsonNode) root = loom_run_info_to_json (job->timeline, job->edits, has_range ? &within : NULL);
  return loom_cli_job_print (job, loom_run_info_print_json (root));
}

LoomExitStatus
loom_cli_info (int argc, char **argv)
{
  static const LoomCliVerb verb = { .summary = N_ ("Lists sources, clocks, tracks and problems."),
                                    .has_format = TRUE,
                                    .run = print_info };
  LoomCliJob job = { .lists_ignored = TRUE };
  return loom_cli_job_run (&job, &verb, NULL, NULL, argc, argv);
}
