/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the numbers that the functions of smdebug's class PT_dataloader_analysis print, and the table that one of the
 * functions returns. Each function has a member with its numbers, in the order in which they are printed; the sentences
 * around the numbers are omitted.
 */
#include "loom-data-loading.h"
#include "loom-report-private.h"

static double
us (double ns)
{
  return ns / LOOM_NS_PER_US;
}

static void
add_time (JsonBuilder *builder, gint64 time_ns)
{
  g_autofree char *text = loom_report_dup_time (time_ns);
  json_builder_add_string_value (builder, text);
}

/* Adds the outliers as a table; null if there are none. `seconds`: TRUE for the columns of batches, with durations in
 * seconds; FALSE for durations in µs. */
static void
add_table (JsonBuilder *builder, const LoomLoaderTimes *times, gboolean seconds)
{
  static const char *const columns[2][4] = { { "start_time", "end_time", "duration_us", "worker_id" },
                                             { "previous_batch_start", "start_time", "BatchTime_in_seconds",
                                               "worker_id" } };
  if (times->n_outliers == 0) {
    loom_json_util_add_text (builder, "table", NULL);
    return;
  }
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "table");
  loom_json_util_begin_array (builder, "columns");
  for (guint i = 0; i < 4; i++)
    json_builder_add_string_value (builder, columns[seconds][i]);
  json_builder_end_array (builder);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "rows");
  for (guint i = 0; i < times->n_outliers; i++) {
    const LoomLoaderEvent *event = &times->outliers[i];
    g_auto (LoomJsonScope) element = loom_json_util_open_array (builder, NULL);
    add_time (builder, event->begin_ns);
    add_time (builder, event->end_ns);
    if (seconds)
      loom_json_util_put_double (builder, (double) event->dur_ns / LOOM_NS_PER_S);
    else
      json_builder_add_int_value (builder, event->dur_ns / LOOM_NS_PER_US);
    json_builder_add_int_value (builder, event->worker_id);
  }
}

static void
add_times (JsonBuilder *builder, const LoomLoaderTimes *times)
{
  loom_json_util_add_int (builder, "count", (gint64) times->n);
  if (times->n == 0)
    return;
  loom_json_util_add_double (builder, "median_duration_us", us (times->median_ns));
  loom_json_util_add_int (builder, "maximum_duration_us", times->max_ns / LOOM_NS_PER_US);
  loom_json_util_add_int (builder, "outliers", times->n_outliers);
}

static void
add_iterator (JsonBuilder *builder, const LoomLoaderIterator *iterator)
{
  gboolean used = iterator->times.n > 0;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, iterator->name);
  loom_json_util_add_bool (builder, "configured", used);
  /* an iterator may have several values of these two settings; as in smdebug, only the first one is written */
  if (used) {
    loom_json_util_add_text (builder, "pin_memory", g_ptr_array_index (iterator->pin_memory, 0));
    loom_json_util_add_int (builder, "number_of_workers", g_array_index (iterator->n_workers, gint64, 0));
  }
  add_times (builder, &iterator->times);
}

static void
add_analysis (JsonBuilder *builder, const char *name, const LoomLoaderTimes *times)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  add_times (builder, times);
  add_table (builder, times, FALSE);
}

void
loom_report_build_smdebug_dataloader (const LoomReport *report, JsonBuilder *builder)
{
  LoomDataLoading loading;
  loom_data_loading_init (&loading, report->frame);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_begin_object (builder, "analyze_dataloaderIter_initialization");
  for (guint i = 0; i < G_N_ELEMENTS (loading.iterators); i++)
    add_iterator (builder, &loading.iterators[i]);
  /* null, because smdebug computes this table but does not return it */
  loom_json_util_add_text (builder, "table", NULL);
  json_builder_end_object (builder);
  add_analysis (builder, "analyze_dataloaderWorkers", &loading.workers);
  add_analysis (builder, "analyze_dataloader_getnext", &loading.get_next);
  g_auto (LoomJsonScope) analyze_batchtime_object = loom_json_util_open_object (builder, "analyze_batchtime");
  if (loading.batches.n > 0)
    loom_json_util_add_double (builder, "median_batch_time_s", loading.batches.median_ns / LOOM_NS_PER_S);
  add_table (builder, &loading.batches, TRUE);
  loom_data_loading_clear (&loading);
}
