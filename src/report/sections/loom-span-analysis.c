/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts as JSON; the text is in loom-span-analysis-text.c.
 */
#include "loom-span-analysis.h"

#include <math.h>

#include "loom-json-util.h"
#include "loom-report-private.h"
#include "loom-straggler-section.h"

LoomSpanAnalysis *
loom_span_analysis_new (LoomTimeline *timeline, const LoomRange *range, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomSpanAnalysis) computed = g_new0 (LoomSpanAnalysis, 1);
  computed->timeline = loom_timeline_ref (timeline);
  if (range != NULL)
    computed->range = *range;
  else if (loom_timeline_get_extent (timeline, &computed->range))
    computed->range.end_ns = loom_time_add (computed->range.end_ns, 1); /* what is at the end belongs to it */
  computed->ranks = loom_rank_breakdown_new (timeline, computed->range, cancellable);
  computed->busy = loom_gpu_utilization_new (timeline, computed->range, LOOM_SPAN_ANALYSIS_BUCKETS, cancellable);
  computed->times = loom_time_by_work_kind_new (timeline, NULL, computed->range, NULL, 0, cancellable);
  computed->steps = loom_steps_new (timeline, cancellable);
  if (computed->steps != NULL)
    computed->waits = loom_data_waits_new (timeline, computed->steps, computed->range, cancellable);
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, range, cancellable);
  computed->stragglers = collectives != NULL ? loom_stragglers_new (collectives, cancellable) : NULL;
  gboolean all = computed->ranks != NULL && computed->busy != NULL && computed->times != NULL &&
                 computed->waits != NULL && computed->stragglers != NULL;
  return all ? g_steal_pointer (&computed) : NULL;
}

void
loom_span_analysis_free (LoomSpanAnalysis *computed)
{
  if (computed == NULL)
    return;
  g_clear_pointer (&computed->ranks, loom_rank_breakdown_free);
  g_clear_pointer (&computed->busy, loom_gpu_utilization_free);
  g_clear_pointer (&computed->times, loom_time_by_work_kind_free);
  g_clear_pointer (&computed->waits, loom_data_waits_free);
  g_clear_pointer (&computed->stragglers, loom_stragglers_free);
  g_clear_pointer (&computed->steps, loom_steps_unref);
  loom_timeline_unref (computed->timeline);
  g_free (computed);
}

/* --- members ------------------------------------------------------------------------------------------------------ */

/* Whose figures these are. */
static void
add_place (JsonBuilder *builder, const char *node, gint rank, gboolean is_process, const guint *sources,
           guint n_sources)
{
  loom_json_util_add_text (builder, "node", node);
  loom_report_add_rank (builder, rank, is_process);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "sources");
  for (guint i = 0; i < n_sources; i++)
    json_builder_add_int_value (builder, sources[i]);
}

/* null where there is no whole. */
static void
add_percent (JsonBuilder *builder, const char *name, gint64 part_ns, gint64 whole_ns)
{
  loom_json_util_add_double (builder, name, whole_ns > 0 ? 100 * (double) part_ns / (double) whole_ns : NAN);
}

/* --- ranks and devices --------------------------------------------------------------------------------------------- */

static void
build_rank (JsonBuilder *builder, const LoomRankTime *rank)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  add_place (builder, rank->node, rank->rank, FALSE, rank->sources, rank->n_sources);
  loom_json_util_add_int (builder, "spans", (gint64) rank->n_spans);
  loom_json_util_add_int (builder, "start_ns", rank->begin_ns);
  loom_json_util_add_int (builder, "end_ns", rank->end_ns);
  loom_json_util_add_int (builder, "recorded_ns", rank->recorded_ns);
  loom_json_util_add_int (builder, "busy_ns", rank->busy_ns);
  loom_json_util_add_int (builder, "idle_ns", rank->idle_ns);
  loom_json_util_add_int (builder, "compute_ns", rank->compute_ns);
  loom_json_util_add_int (builder, "non_compute_ns", rank->non_compute_ns);
  loom_json_util_add_int (builder, "communication_ns", rank->communication_ns);
  loom_json_util_add_int (builder, "overlap_ns", rank->overlap_ns);
  loom_json_util_add_int (builder, "exposed_communication_ns", rank->exposed_communication_ns);
  loom_json_util_add_int (builder, "copy_ns", rank->copy_ns);
  loom_json_util_add_int (builder, "exposed_copy_ns", rank->exposed_copy_ns);
  add_percent (builder, "idle_percent", rank->idle_ns, rank->recorded_ns);
  add_percent (builder, "compute_percent", rank->compute_ns, rank->recorded_ns);
  add_percent (builder, "non_compute_percent", rank->non_compute_ns, rank->recorded_ns);
  add_percent (builder, "overlap_percent", rank->overlap_ns, rank->communication_ns);
}

static void
build_ranks (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  guint n;
  const LoomRankTime *ranks = loom_rank_breakdown_get (computed->ranks, &n);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "ranks");
  loom_report_add_missing (builder, loom_rank_breakdown_get_missing (computed->ranks));
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < n; i++)
    build_rank (builder, &ranks[i]);
}

static void
build_buckets (JsonBuilder *builder, const char *name, const double *percent, guint n)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < n; i++)
    loom_json_util_put_double (builder, percent[i]);
}

static void
build_devices (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  guint n, n_buckets = loom_gpu_utilization_get_n_buckets (computed->busy);
  const LoomGpuUtilizationDevice *devices = loom_gpu_utilization_get (computed->busy, &n);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "devices");
  loom_report_add_missing (builder, loom_gpu_utilization_get_missing (computed->busy));
  loom_json_util_add_text (builder, "computed_from", "kernels and copies");
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "devices");
  for (guint i = 0; i < n; i++) {
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    add_place (builder, devices[i].node, devices[i].rank, FALSE, devices[i].sources, devices[i].n_sources);
    loom_json_util_add_text (builder, "device", devices[i].device);
    loom_json_util_add_int (builder, "spans", (gint64) devices[i].n_spans);
    loom_json_util_add_int (builder, "recorded_ns", devices[i].recorded_ns);
    loom_json_util_add_int (builder, "kernel_ns", devices[i].kernel_ns);
    loom_json_util_add_int (builder, "busy_ns", devices[i].busy_ns);
    add_percent (builder, "utilization_percent", devices[i].kernel_ns, devices[i].recorded_ns);
    build_buckets (builder, "utilization", devices[i].utilization, n_buckets);
    build_buckets (builder, "utilization_highest", devices[i].highest, n_buckets);
    build_buckets (builder, "busy", devices[i].busy, n_buckets);
  }
}

/* --- work and kernels ---------------------------------------------------------------------------------------------- */

static void
build_work (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  guint n, n_sources;
  const LoomKindTime *times = loom_time_by_work_kind_get (computed->times, &n);
  const guint *sources = loom_time_by_work_kind_get_sources (computed->times, &n_sources);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "work");
  loom_report_add_missing (builder, loom_time_by_work_kind_get_missing (computed->times));
  loom_json_util_begin_array (builder, "sources");
  for (guint i = 0; i < n_sources; i++)
    json_builder_add_int_value (builder, sources[i]);
  json_builder_end_array (builder);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "kinds");
  for (guint i = 0; i < n; i++) {
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "kind", loom_work_kind_to_string (times[i].work));
    loom_json_util_add_text (builder, "side", times[i].work < LOOM_N_DEVICE_WORK ? "device" : "host");
    loom_json_util_add_int (builder, "spans", (gint64) times[i].count);
    loom_json_util_add_int (builder, "names", times[i].n_names);
    loom_json_util_add_int (builder, "in_range_ns", times[i].in_range_ns);
    loom_json_util_add_int (builder, "self_ns", times[i].self_ns);
    loom_json_util_add_double (builder, "percent_of_side", 100 * times[i].share);
  }
}

static void
build_kernel (JsonBuilder *builder, const LoomKernel *kernel)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", kernel->stats.name);
  loom_json_util_add_text (builder, "category", kernel->stats.category);
  loom_json_util_add_text (builder, "kind", loom_work_kind_to_string (kernel->work));
  loom_json_util_add_int (builder, "count", (gint64) kernel->stats.count);
  loom_json_util_add_int (builder, "total_ns", kernel->stats.total_ns);
  loom_json_util_add_int (builder, "in_range_ns", kernel->stats.in_range_ns);
  loom_json_util_add_int (builder, "mean_ns", kernel->stats.mean_ns);
  loom_json_util_add_int (builder, "min_ns", kernel->stats.min_ns);
  loom_json_util_add_int (builder, "max_ns", kernel->stats.max_ns);
  loom_json_util_add_int (builder, "p50_ns", kernel->stats.p50_ns);
  loom_json_util_add_int (builder, "p95_ns", kernel->stats.p95_ns);
  loom_json_util_add_int (builder, "p99_ns", kernel->stats.p99_ns);
  loom_json_util_add_double (builder, "percent", 100 * kernel->stats.share);
}

static void
build_kernels (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  guint n;
  const LoomKernel *kernels = loom_time_by_work_kind_get_kernels (computed->times, &n);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "kernels");
  loom_report_add_missing (builder, loom_time_by_work_kind_get_missing_kernels (computed->times));
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "kernels");
  for (guint i = 0; i < n; i++)
    build_kernel (builder, &kernels[i]);
}

/* --- data ------------------------------------------------------------------------------------------------------------ */

static void
build_steps (JsonBuilder *builder, const LoomDataRank *rank)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "steps");
  for (guint i = 0; i < rank->n_steps; i++) {
    const LoomDataStep *step = &rank->steps[i];
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int_if (builder, "step", step->step.number >= 0, step->step.number);
    loom_json_util_add_int (builder, "start_ns", step->step.begin_ns);
    loom_json_util_add_int (builder, "duration_ns", loom_time_sub (step->step.end_ns, step->step.begin_ns));
    loom_json_util_add_int (builder, "waits", step->n_waits);
    loom_json_util_add_int (builder, "wait_ns", step->wait_ns);
  }
}

static void
build_outliers (JsonBuilder *builder, const LoomDataRank *rank)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "outliers");
  for (guint i = 0; i < rank->n_waits; i++) {
    const LoomDataWait *wait = &rank->waits[i];
    if (!wait->outlier)
      continue;
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int_if (builder, "step", wait->step_number >= 0, wait->step_number);
    loom_json_util_add_int (builder, "start_ns", wait->begin_ns);
    loom_json_util_add_int (builder, "duration_ns", loom_time_sub (wait->end_ns, wait->begin_ns));
  }
}

static void
build_waits (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  guint n;
  const LoomDataRank *ranks = loom_data_waits_get (computed->waits, &n);
  const char *why = loom_data_waits_get_missing (computed->waits);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "data_loading");
  loom_report_add_missing (builder, why);
  if (why == NULL && loom_data_waits_get_missing_steps (computed->waits) != NULL)
    loom_json_util_add_text (builder, "missing_steps", loom_data_waits_get_missing_steps (computed->waits));
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < n; i++) {
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    add_place (builder, ranks[i].node, ranks[i].rank, ranks[i].is_process, ranks[i].sources, ranks[i].n_sources);
    loom_json_util_add_int (builder, "waits", ranks[i].n_waits);
    loom_json_util_add_int (builder, "total_ns", ranks[i].total_ns);
    loom_json_util_add_int (builder, "in_range_ns", ranks[i].in_range_ns);
    loom_json_util_add_double (builder, "median_ns", ranks[i].median_ns);
    loom_json_util_add_int (builder, "max_ns", ranks[i].max_ns);
    loom_json_util_add_int (builder, "steps_ns", ranks[i].steps_ns);
    loom_json_util_add_int (builder, "in_steps_ns", ranks[i].in_steps_ns);
    add_percent (builder, "percent_of_steps", ranks[i].in_steps_ns, ranks[i].steps_ns);
    build_steps (builder, &ranks[i]);
    build_outliers (builder, &ranks[i]);
  }
}

void
loom_span_analysis_build (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_begin_object (builder, "range");
  loom_json_util_add_int (builder, "start_ns", computed->range.begin_ns);
  loom_json_util_add_int (builder, "end_ns", computed->range.end_ns);
  json_builder_end_object (builder);
  build_ranks (computed, builder);
  build_devices (computed, builder);
  build_work (computed, builder);
  build_kernels (computed, builder);
  build_waits (computed, builder);
  loom_straggler_section_build (computed->stragglers, builder);
}
