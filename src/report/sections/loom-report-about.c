/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the section "about" of the report: when the results were computed (which matters for running jobs, whose files
 * still grow), the time range that they cover, and how much data each node has.
 */
#include "loom-archive-path.h"
#include "loom-int64-hash.h"
#include "loom-locale.h"
#include "loom-page.h"
#include "loom-report-private.h"
#include "loom-step-index.h"
#include "loom-track-label.h"
#include "loom-track-rank.h"

/* The amount of data that the run has from one node: the numbers of samples, rows (spans), steps and ranks. */
typedef struct {
  guint64 n_samples, n_rows, n_steps;
  guint n_ranks; /* number of ranks of the node that have steps */
} NodeData;

/* For each node, counts its steps, and its ranks that have steps. If several ranks of a node have the same step, the
 * step counts once. */
static void
count_steps (const LoomReport *report, NodeData *nodes)
{
  LoomStepIndex index;
  loom_step_index_init (&index, report->frame, LOOM_ROW_STEP);
  /* set of steps that were counted; a key is (index of the node << 32 | number of the step) + 1 */
  g_autoptr (GHashTable) seen = g_hash_table_new (loom_int64_hash_packed, NULL);
  for (guint32 i = 0; i < index.n; i++) {
    const LoomRankStep *item = &index.items[i];
    guint32 host = report->frame->workers[item->worker].host_id;
    nodes[host].n_ranks += i == index.first[item->worker];
    nodes[host].n_steps += g_hash_table_add (seen, (gpointer) (gsize) (((guint64) host << 32 | item->step) + 1));
  }
  loom_step_index_clear (&index);
}

static NodeData *
dup_nodes (const LoomReport *report, guint n)
{
  const LoomDataFrameRows *rows = &report->frame->rows;
  const LoomSampleSeries *series = report->frame->series;
  NodeData *nodes = g_new0 (NodeData, n + 1);
  for (guint i = 0; i < report->frame->n_series; i++)
    nodes[series[i].host_id].n_samples += series[i].n;
  for (guint32 i = 0; i < rows->n; i++) {
    NodeData *node = &nodes[report->frame->workers[rows->worker[i]].host_id];
    node->n_rows++;
  }
  count_steps (report, nodes);
  return nodes;
}

static const char *
missing_of (const NodeData *node)
{
  if (node->n_rows == 0)
    return "There is no framework data of this node";
  return node->n_samples == 0 ? "There are no system metrics of this node" : NULL;
}

const char *
loom_report_plural (guint64 n)
{
  return n == 1 ? "" : "s";
}

gboolean
loom_report_is_process (const LoomRun *run, gint rank, guint source)
{
  return loom_track_rank_is_process_of (loom_run_get_trace (run, loom_run_get_trace_of_source (run, source)), rank);
}

char *
loom_report_dup_who (const LoomRun *run, gint rank, gboolean is_process, guint source)
{
  if (rank >= 0)
    return g_strdup_printf (is_process ? "process %d" : "rank %d", rank);
  g_autofree char *base = g_path_get_basename (loom_run_get_source (run, source)->path);
  return loom_archive_path_dup_printable (base);
}

void
loom_report_add_rank (JsonBuilder *builder, gint rank, gboolean is_process)
{
  loom_json_util_add_int_if (builder, "rank", rank >= 0 && !is_process, rank);
  if (is_process)
    loom_json_util_add_int (builder, "process_id", rank);
}

char *
loom_report_dup_worker (const LoomReport *report, guint worker)
{
  locale_t own = loom_locale_begin_english ();
  char *name = loom_track_label_dup_worker_words (report->frame, worker);
  loom_locale_end_english (own);
  return name;
}

/* Returns a date, for example "2025-06-17T10:00:00.123456789Z". Owned by the caller. */
static char *
dup_date (gint64 time_ns)
{
  gint64 second = time_ns / LOOM_NS_PER_S, rest_ns = time_ns % LOOM_NS_PER_S;
  if (rest_ns < 0) { /* division rounds towards zero, so the rest is negative for times before 1970 */
    second--;
    rest_ns += LOOM_NS_PER_S;
  }
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (second);
  g_autofree char *text = date != NULL ? g_date_time_format (date, "%Y-%m-%dT%H:%M:%S") : g_strdup ("");
  return g_strdup_printf ("%s.%09dZ", text, (int) rest_ns);
}

/* Writes the zero of the report's times, and the start and the end of the report's range. */
static void
write_times (const LoomReport *report, GString *out)
{
  LoomPageInput input;
  if (!loom_report_get_input (report, &input))
    return;
  g_autofree char *begin = loom_report_dup_instant (report, input.range.begin_ns),
                  *end = loom_report_dup_instant (report, input.range.end_ns);
  g_autofree char *zero = dup_date (loom_timeline_get_origin (report->timeline));
  g_string_append (out, "Times\n");
  g_string_append_printf (
    out, "  %-20s %s%s%s\n", "count from", loom_timeline_is_anchored (report->timeline) ? zero : "",
    loom_timeline_is_anchored (report->timeline) ? ", " : "", loom_timeline_get_origin_words (report->timeline));
  g_string_append_printf (out, "  %-20s %s\n  %-20s %s\n\n", "begin", begin, "end", end);
}

char *
loom_report_dup_instant (const LoomReport *report, gint64 time_ns)
{
  g_autofree char *offset =
    loom_time_format_offset (loom_time_sub (time_ns, loom_timeline_get_origin (report->timeline)), LOOM_NS_PER_US);
  if (!loom_timeline_is_anchored (report->timeline))
    return g_steal_pointer (&offset);
  g_autofree char *date = dup_date (time_ns);
  return g_strdup_printf ("%s (%s)", offset, date);
}

void
loom_report_build_about (const LoomReport *report, JsonBuilder *builder)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *computed = g_date_time_format_iso8601 (now);
  guint n = report->frame->n_hosts;
  g_autofree NodeData *nodes = dup_nodes (report, n);
  const LoomReportOptions *options = &report->options;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "numbers", "intended");
  loom_json_util_add_text (builder, "computed", computed);
  loom_json_util_add_int_if (builder, "start_ns", options->has_range, options->range.begin_ns);
  loom_json_util_add_int_if (builder, "end_ns", options->has_range, options->range.end_ns);
  if (options->has_range)
    loom_json_util_add_text (builder, "range_rule", loom_page_range_rule);
  loom_json_util_add_int (builder, "origin_ns", report->frame->origin_ns);
  loom_json_util_add_text (builder, "origin", loom_timeline_get_origin_words (report->timeline));
  if (loom_timeline_is_anchored (report->timeline)) {
    g_autofree char *date = dup_date (report->frame->origin_ns);
    loom_json_util_add_text (builder, "origin_date", date);
  }
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "nodes");
  for (guint i = 0; i < n; i++) {
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "node", loom_data_frame_get_host (report->frame, i));
    loom_json_util_add_int (builder, "samples", (gint64) nodes[i].n_samples);
    loom_json_util_add_int (builder, "rows", (gint64) nodes[i].n_rows);
    loom_json_util_add_int (builder, "steps", (gint64) nodes[i].n_steps);
    loom_json_util_add_int (builder, "ranks_with_steps", nodes[i].n_ranks);
    loom_report_add_missing (builder, missing_of (&nodes[i]));
  }
}

void
loom_report_write_about (const LoomReport *report, GString *out)
{
  guint n = report->frame->n_hosts;
  g_autofree NodeData *nodes = dup_nodes (report, n);
  if (report->options.has_range)
    g_string_append_printf (out, "%s\n\n", loom_page_range_rule);
  write_times (report, out);
  g_string_append (out, "Nodes\n");
  for (guint i = 0; i < n; i++) {
    const char *host = loom_data_frame_get_host (report->frame, i),
               *why = nodes[i].n_rows == 0 || loom_report_has_samples (report) ? missing_of (&nodes[i]) : NULL;
    g_autofree char *ranks = nodes[i].n_ranks > 1 ? g_strdup_printf (" of %u ranks", nodes[i].n_ranks) : g_strdup ("");
    g_string_append_printf (
      out, "  %-20s %" G_GUINT64_FORMAT " row%s, %" G_GUINT64_FORMAT " step%s%s, %" G_GUINT64_FORMAT " sample%s%s%s\n",
      host[0] != '\0' ? host : "unknown", nodes[i].n_rows, loom_report_plural (nodes[i].n_rows), nodes[i].n_steps,
      loom_report_plural (nodes[i].n_steps), ranks, nodes[i].n_samples, loom_report_plural (nodes[i].n_samples),
      why != NULL ? "; " : "", why != NULL ? why : "");
  }
}
