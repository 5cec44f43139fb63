/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the section of the report about data loading: iterators, workers, calls for the next batch, and the time
 * between batches.
 */
#include <math.h>

#include "loom-data-loading.h"
#include "loom-loader-processes.h"
#include "loom-report-private.h"

static void
add_times (JsonBuilder *builder, const LoomLoaderTimes *times)
{
  loom_json_util_add_int (builder, "count", (gint64) times->n);
  loom_json_util_add_double (builder, "median_ns", times->n > 0 ? times->median_ns : NAN);
  loom_json_util_add_int_if (builder, "max_ns", times->n > 0, times->max_ns);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "outliers");
  for (guint i = 0; i < times->n_outliers; i++) {
    const LoomLoaderEvent *event = &times->outliers[i];
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "begin_ns", event->begin_ns);
    loom_json_util_add_int (builder, "end_ns", event->end_ns);
    loom_json_util_add_int (builder, "duration_ns", event->dur_ns);
    loom_json_util_add_int_if (builder, "worker_id", event->worker_id >= 0, event->worker_id);
  }
}

static void
add_iterator (JsonBuilder *builder, const LoomLoaderIterator *iterator)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", iterator->name);
  loom_json_util_begin_array (builder, "pin_memory");
  for (guint i = 0; i < iterator->pin_memory->len; i++)
    json_builder_add_string_value (builder, g_ptr_array_index (iterator->pin_memory, i));
  json_builder_end_array (builder);
  loom_json_util_begin_array (builder, "number_of_workers");
  for (guint i = 0; i < iterator->n_workers->len; i++)
    json_builder_add_int_value (builder, g_array_index (iterator->n_workers, gint64, i));
  json_builder_end_array (builder);
  add_times (builder, &iterator->times);
}

/* The reason that is written if the section has no data. It does not mention waits for data, because these are in the
 * section "computed". */
static const char no_loader[] =
  "There are no spans of data loader workers, nor of their initialization, nor of SageMaker's GetNext calls";

/* Returns TRUE if the section "computed" contains waits of training loops for data. */
static gboolean
has_waits (const LoomReport *report)
{
  return report->computed != NULL && report->computed->waits->n_ranks > 0;
}

static gboolean
is_empty (const LoomDataLoading *loading)
{
  return loading->n_initializations == 0 && loading->workers.n == 0 && loading->get_next.n == 0;
}

static void
add_member (JsonBuilder *builder, const char *name, const LoomLoaderTimes *times)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  add_times (builder, times);
}

static void
add_processes (const LoomReport *report, const LoomDataLoading *loading, JsonBuilder *builder)
{
  g_autoptr (GPtrArray) hosts = loom_loader_processes_list_hosts (report->frame);
  gboolean has_index = loom_run_has_index (loom_timeline_get_run (report->frame->timeline));
  loom_json_util_add_int_if (builder, "worker_processes", hosts->len > 0 || loading->get_next.n == 0 || !has_index,
                             loom_loader_processes_sum_hosts (hosts).n_workers);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "processes_at_a_time");
  for (guint i = 0; i < hosts->len; i++) {
    const LoomLoaderHost *host = g_ptr_array_index (hosts, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "node", loom_data_frame_get_host (report->frame, host->host_id));
    loom_json_util_add_int (builder, "processes", (gint64) host->at_a_time);
    loom_json_util_add_int (builder, "seconds", host->n_seconds);
  }
}

void
loom_report_build_data_loading (const LoomReport *report, JsonBuilder *builder)
{
  LoomDataLoading loading;
  loom_data_loading_init (&loading, report->frame);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, is_empty (&loading) ? no_loader : NULL);
  loom_json_util_begin_array (builder, "iterators");
  for (guint i = 0; i < G_N_ELEMENTS (loading.iterators); i++)
    add_iterator (builder, &loading.iterators[i]);
  json_builder_end_array (builder);
  add_member (builder, "workers", &loading.workers);
  add_processes (report, &loading, builder);
  add_member (builder, "get_next", &loading.get_next);
  add_member (builder, "batches", &loading.batches);
  loom_data_loading_clear (&loading);
}

static void
write_times (GString *out, const char *label, const LoomLoaderTimes *times)
{
  if (times->n == 0)
    return;
  g_autofree char *median = loom_time_format_duration ((gint64) times->median_ns),
                  *max = loom_time_format_duration (times->max_ns);
  g_string_append_printf (out,
                          "  %-14s %6" G_GUINT64_FORMAT ", median %s, longest %s, %u longer than twice the median\n",
                          label, times->n, median, max, times->n_outliers);
}

static void
write_processes (const LoomReport *report, GString *out)
{
  g_autoptr (GPtrArray) hosts = loom_loader_processes_list_hosts (report->frame);
  LoomLoaderTotals totals = loom_loader_processes_sum_hosts (hosts);
  g_autofree char *at_a_time = loom_loader_processes_describe_totals (&totals);
  if (hosts->len > 0)
    g_string_append_printf (out, "  %-14s %6u worker%s on all nodes; loading at a time on one node: %s\n", "processes",
                            totals.n_workers, loom_report_plural (totals.n_workers), at_a_time);
}

void
loom_report_write_data_loading (const LoomReport *report, GString *out)
{
  LoomDataLoading loading;
  loom_data_loading_init (&loading, report->frame);
  g_string_append (out, "\nData loading\n");
  if (is_empty (&loading))
    g_string_append_printf (out, "  %s%s\n", no_loader,
                            has_waits (report) ? "; the waits for data are listed below" : "");
  for (guint i = 0; i < G_N_ELEMENTS (loading.iterators); i++)
    write_times (out, i == 0 ? "multi-process" : "single-process", &loading.iterators[i].times);
  write_times (out, "workers", &loading.workers);
  write_processes (report, out);
  write_times (out, "next batch", &loading.get_next);
  write_times (out, "batch time", &loading.batches);
  loom_data_loading_clear (&loading);
}
