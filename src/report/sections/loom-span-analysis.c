/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls the analyses, and prints those results that are not printed by another file.
 */
#include "loom-span-analysis.h"

#include <math.h>

#include "loom-archive-path.h"
#include "loom-device-parts.h"
#include "loom-efficiency-section.h"
#include "loom-frame-collectives.h"
#include "loom-hang-section.h"
#include "loom-health-section.h"
#include "loom-idle-section.h"
#include "loom-idle-start.h"
#include "loom-json-util.h"
#include "loom-memory-section.h"
#include "loom-operator-section.h"
#include "loom-parallel-section.h"
#include "loom-parallel.h"
#include "loom-path-section.h"
#include "loom-report-private.h"
#include "loom-slowdown-section.h"
#include "loom-straggler-section.h"
#include "loom-transfer-section.h"

#define WHOLE_RUN ((LoomRange) { G_MININT64, G_MAXINT64 })
/* Maximum number of kernels in the report as text; the JSON document lists all kernels. */
#define N_KERNELS 10
#define NAME_WIDTH 60

static void
set_range (LoomSpanAnalysis *computed, const LoomRange *range)
{
  if (range != NULL)
    computed->range = *range;
  else if (loom_timeline_get_extent (computed->timeline, &computed->range))
    /* plus 1 ns, because the end of the range is not included, but the last event must be */
    computed->range.end_ns = loom_time_add (computed->range.end_ns, 1);
}

/* The arguments of run_task(), which sets members of `computed`. */
typedef struct {
  LoomSpanAnalysis *computed;
  const LoomPeakSettings *peaks;
  gboolean is_whole; /* TRUE if the range is the whole run */
  GCancellable *cancellable;
} Work;

static void
add_parts_of_ranks (LoomSpanAnalysis *computed, const LoomPeakSettings *peaks, GCancellable *cancellable)
{
  LoomTimeline *timeline = computed->timeline;
  computed->ranks = loom_rank_breakdown_new (timeline, computed->range, cancellable);
  computed->busy = loom_gpu_utilization_new (timeline, computed->range, LOOM_SPAN_ANALYSIS_BUCKETS, cancellable);
  computed->times = loom_time_by_work_kind_new (timeline, NULL, computed->range, NULL, 0, cancellable);
  if (computed->times != NULL)
    computed->operators =
      loom_operators_new (timeline, computed->times->tables[0]->joined, computed->range, cancellable);
  if (computed->steps != NULL)
    computed->waits = loom_data_waits_new (timeline, computed->steps, computed->range, cancellable);
  if (computed->steps != NULL)
    computed->memory = loom_memory_use_new (timeline, computed->steps, computed->range, cancellable);
  if (computed->steps != NULL)
    computed->efficiency = loom_efficiency_new (timeline, computed->steps, computed->range, peaks, cancellable);
}

/* Computes members that require collectives: how long ranks wait for each other, and what follows from these waits. */
static void
add_parts_between_ranks (LoomSpanAnalysis *computed, LoomCollectives *collectives, GCancellable *cancellable)
{
  computed->stragglers = loom_stragglers_new (collectives, cancellable);
  computed->transfers = loom_transfers_get (collectives, cancellable);
  computed->idle = loom_idle_time_get (collectives, cancellable);
  computed->counted = loom_idle_start_get (collectives, cancellable);
  computed->axes = loom_parallel_axes_get (collectives, cancellable);
  computed->bubbles = computed->axes != NULL ? loom_pipeline_bubbles_get (collectives, cancellable) : NULL;
  computed->experts = computed->axes != NULL ? loom_expert_load_new (collectives, computed->axes, cancellable) : NULL;
}

/* Computes the members that are about the recording itself: where it hangs, and whether it can be trusted. */
static void
add_checks (const Work *work)
{
  LoomSpanAnalysis *computed = work->computed;
  const LoomCriticalPath *of_whole = work->is_whole ? computed->critical : NULL;
  computed->hang = loom_hang_new (loom_timeline_get_run (computed->timeline), work->cancellable);
  computed->health =
    loom_trace_health_get_shared (computed->timeline, of_whole != NULL ? of_whole->late_ends : NULL, work->cancellable);
}

/* The tasks of run_task_after_path(). They run at the same time, and beside TASK_OTHERS, because all tasks have parts
 * that use only one thread. The slowdown is computed after the critical path, not at the same time, because each
 * of the two needs much memory while it is computed. */
enum { TASK_CHECKS, TASK_SLOWDOWN, N_TASKS_AFTER_PATH };

static void
run_task_after_path (guint item, guint worker, gpointer user_data)
{
  const Work *work = user_data;
  if (item == TASK_CHECKS)
    add_checks (work);
  if (item == TASK_SLOWDOWN && work->computed->collectives != NULL)
    work->computed->slowdown = loom_slowdown_get (work->computed->collectives, work->cancellable);
}

enum { TASK_PATH, TASK_OTHERS, N_TASKS };

static void
run_task (guint item, guint worker, gpointer user_data)
{
  Work *work = user_data;
  LoomSpanAnalysis *computed = work->computed;
  LoomCollectives *collectives = computed->collectives;
  if (item == TASK_OTHERS)
    add_parts_of_ranks (computed, work->peaks, work->cancellable);
  if (item == TASK_OTHERS && collectives != NULL)
    add_parts_between_ranks (computed, collectives, work->cancellable);
  if (item != TASK_PATH)
    return;
  if (collectives != NULL)
    computed->critical =
      loom_critical_path_new (computed->timeline, computed->range, collectives, computed->steps, work->cancellable);
  loom_parallel_for (N_TASKS_AFTER_PATH, N_TASKS_AFTER_PATH, run_task_after_path, work, NULL);
}

static gboolean
has_all (const LoomSpanAnalysis *computed)
{
  return computed->ranks != NULL && computed->busy != NULL && computed->counted != NULL &&
         computed->operators != NULL && computed->efficiency != NULL && computed->waits != NULL &&
         computed->memory != NULL && computed->stragglers != NULL && computed->transfers != NULL &&
         computed->bubbles != NULL && computed->experts != NULL && computed->critical != NULL &&
         computed->slowdown != NULL && computed->hang != NULL && computed->health != NULL;
}

LoomSpanAnalysis *
loom_span_analysis_new (LoomDataFrame *frame, const LoomRange *range, const LoomPeakSettings *peaks,
                        GCancellable *cancellable)
{
  g_return_val_if_fail (frame != NULL, NULL);
  LoomTimeline *timeline = frame->timeline;
  g_autoptr (LoomSpanAnalysis) computed = g_new0 (LoomSpanAnalysis, 1);
  computed->timeline = loom_timeline_ref (timeline);
  set_range (computed, range);
  computed->steps = loom_steps_new (timeline, cancellable);
  computed->collectives = loom_frame_collectives_get (frame, range != NULL ? *range : WHOLE_RUN, cancellable);
  Work work = { computed, peaks, range == NULL, cancellable };
  loom_parallel_for (N_TASKS, N_TASKS, run_task, &work, NULL);
  return has_all (computed) ? g_steal_pointer (&computed) : NULL;
}

void
loom_span_analysis_free (LoomSpanAnalysis *computed)
{
  if (computed == NULL)
    return;
  g_clear_pointer (&computed->ranks, loom_rank_breakdown_free);
  g_clear_pointer (&computed->busy, loom_gpu_utilization_free);
  g_clear_pointer (&computed->times, loom_time_by_work_kind_free);
  g_clear_pointer (&computed->operators, loom_operators_free);
  g_clear_pointer (&computed->efficiency, loom_efficiency_free);
  g_clear_pointer (&computed->waits, loom_data_waits_free);
  g_clear_pointer (&computed->memory, loom_memory_use_free);
  g_clear_pointer (&computed->stragglers, loom_stragglers_free);
  g_clear_pointer (&computed->experts, loom_expert_load_free);
  g_clear_pointer (&computed->critical, loom_critical_path_free);
  g_clear_pointer (&computed->collectives, loom_collectives_unref);
  g_clear_pointer (&computed->hang, loom_hang_free);
  g_clear_pointer (&computed->steps, loom_steps_unref);
  loom_timeline_unref (computed->timeline);
  g_free (computed);
}

/* --- members ------------------------------------------------------------------------------------------------------ */

static gboolean
is_process (const LoomSpanAnalysis *computed, gint rank, const guint *sources)
{
  return loom_report_is_process (loom_timeline_get_run (computed->timeline), rank, sources[0]);
}

/* Adds the members that identify a rank: its node, its number, and its sources. */
static void
add_place (JsonBuilder *builder, const char *node, gint rank, gboolean is_process, const guint *sources,
           guint n_sources)
{
  loom_json_util_add_text (builder, "node", node);
  loom_report_add_rank (builder, rank, is_process);
  loom_json_util_add_numbers (builder, "sources", sources, n_sources);
}

/* Adds the member `name`: `part_ns` in percent of `whole_ns`; null if `whole_ns` is 0. */
static void
add_percent (JsonBuilder *builder, const char *name, gint64 part_ns, gint64 whole_ns)
{
  loom_json_util_add_double (builder, name, whole_ns > 0 ? 100 * (double) part_ns / (double) whole_ns : NAN);
}

/* --- members about ranks and devices ------------------------------------------------------------------------------ */

static void
build_rank (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  const LoomSpanAnalysis *computed = user_data;
  const LoomRankTime *rank = &computed->ranks->ranks[element];
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  add_place (builder, rank->node, rank->rank, is_process (computed, rank->rank, rank->sources), rank->sources,
             rank->n_sources);
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
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "ranks");
  loom_report_add_missing (builder, loom_rank_breakdown_get_missing (computed->ranks));
  loom_json_util_add_list (builder, "ranks", computed->ranks->n_ranks, build_rank, (gpointer) computed, NULL);
}

static void
build_device (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  const LoomSpanAnalysis *computed = user_data;
  const LoomGpuUtilizationDevice *device = &computed->busy->devices[element];
  guint n_buckets = computed->busy->n_buckets;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  add_place (builder, device->node, device->rank, is_process (computed, device->rank, device->sources), device->sources,
             device->n_sources);
  loom_json_util_add_text (builder, "device", device->device);
  loom_json_util_add_int (builder, "spans", (gint64) device->n_spans);
  loom_json_util_add_int (builder, "recorded_ns", device->recorded_ns);
  loom_json_util_add_int (builder, "kernel_ns", device->kernel_ns);
  loom_json_util_add_int (builder, "busy_ns", device->busy_ns);
  add_percent (builder, "utilization_percent", device->kernel_ns, device->recorded_ns);
  loom_json_util_add_doubles (builder, "utilization", device->utilization, n_buckets);
  loom_json_util_add_doubles (builder, "utilization_highest", device->highest, n_buckets);
  loom_json_util_add_doubles (builder, "busy", device->busy, n_buckets);
}

static void
build_devices (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "devices");
  loom_report_add_missing (builder, loom_gpu_utilization_get_missing (computed->busy));
  loom_json_util_add_text (builder, "computed_from", "kernels and copies");
  loom_json_util_add_list (builder, "devices", computed->busy->n_devices, build_device, (gpointer) computed, NULL);
}

/* --- members about work and kernels ------------------------------------------------------------------------------- */

static void
build_work (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  const LoomKindTime *times = computed->times->times;
  const guint *sources = computed->times->sources;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "work");
  loom_report_add_missing (builder, loom_time_by_work_kind_get_missing (computed->times));
  loom_json_util_add_numbers (builder, "sources", sources, computed->times->n_sources);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "kinds");
  for (guint i = 0; i < computed->times->n_times; i++) {
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
  loom_json_util_add_int (builder, "self_ns", kernel->stats.self_in_range_ns);
  loom_json_util_add_int (builder, "mean_ns", kernel->stats.mean_ns);
  loom_json_util_add_double (builder, "deviation_ns", kernel->stats.deviation_ns);
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
  const LoomKernel *kernels = computed->times->kernels;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "kernels");
  loom_report_add_missing (builder, loom_time_by_work_kind_get_missing_kernels (computed->times));
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "kernels");
  for (guint i = 0; i < computed->times->n_kernels; i++)
    build_kernel (builder, &kernels[i]);
}

/* --- data --------------------------------------------------------------------------------------------------------- */

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
  const LoomDataRank *ranks = computed->waits->ranks;
  const char *why = loom_data_waits_get_missing (computed->waits);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "data_loading");
  loom_report_add_missing (builder, why);
  if (why == NULL && loom_data_waits_get_missing_steps (computed->waits) != NULL)
    loom_json_util_add_text (builder, "missing_steps", loom_data_waits_get_missing_steps (computed->waits));
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < computed->waits->n_ranks; i++) {
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

static void
build_range (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "range");
  loom_json_util_add_int (builder, "start_ns", computed->range.begin_ns);
  loom_json_util_add_int (builder, "end_ns", computed->range.end_ns);
}

static void
build_rank_parts (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  build_range (computed, builder);
  build_ranks (computed, builder);
}

static void
build_idle_parts (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  loom_idle_section_build (computed->idle, computed->counted, builder);
}

static void
build_work_parts (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  build_work (computed, builder);
  build_kernels (computed, builder);
  loom_operator_section_build (computed->operators, builder);
  loom_efficiency_section_build (computed->efficiency, builder);
}

static void
build_wait_parts (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  build_waits (computed, builder);
  loom_memory_section_build (computed->memory, builder);
}

static void
build_straggler_parts (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  loom_straggler_section_build (computed->stragglers, builder);
}

static void
build_other_parts (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  loom_transfer_section_build (computed->transfers, builder);
  loom_parallel_section_build (computed->axes, computed->bubbles, computed->experts, builder);
  loom_path_section_build (computed->critical, builder);
  loom_slowdown_section_build (computed->slowdown, builder);
  loom_hang_section_build (computed->hang, builder);
  loom_health_section_build (computed->health, computed->timeline, builder);
}

typedef void (*BuildPart) (const LoomSpanAnalysis *computed, JsonBuilder *builder);

static const BuildPart parts[] = {
  build_rank_parts, build_devices,         build_idle_parts,  build_work_parts,
  build_wait_parts, build_straggler_parts, build_other_parts,
};

void
loom_span_analysis_build (const LoomSpanAnalysis *computed, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    parts[i](computed, builder);
}

void
loom_span_analysis_print (const LoomSpanAnalysis *computed, guint depth, GString *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autoptr (JsonBuilder) builder = loom_json_util_new_printed ();
    LoomJsonScope object = loom_json_util_open_object (builder, NULL);
    parts[i](computed, builder);
    loom_json_util_close (&object);
    loom_json_util_print_members (builder, depth, i > 0, out);
  }
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void
write_place (const LoomSpanAnalysis *computed, GString *out, const char *node, gint rank, gboolean is_process,
             const guint *sources)
{
  g_autofree char *who = loom_report_dup_who (loom_timeline_get_run (computed->timeline), rank, is_process, sources[0]);
  g_autofree char *host = node != NULL ? loom_archive_path_dup_printable (node) : NULL;
  g_autofree char *place = host != NULL ? g_strdup_printf ("%s, %s", host, who) : g_strdup (who);
  g_string_append_printf (out, "  %-20s ", place);
}

char *
loom_span_analysis_dup_name (const char *name)
{
  g_autofree char *printable = loom_archive_path_dup_printable (name);
  if (g_utf8_strlen (printable, -1) <= NAME_WIDTH)
    return g_steal_pointer (&printable);
  g_autofree char *head = g_utf8_substring (printable, 0, NAME_WIDTH - 1);
  return g_strconcat (head, "…", NULL);
}

static double
percent (gint64 part_ns, gint64 whole_ns)
{
  return whole_ns > 0 ? 100 * (double) part_ns / (double) whole_ns : 0;
}

/* Returns how long the devices of a rank wait until the first of them works, in ns. Like on the pages, this is idle
 * time. */
static gint64
get_first_wait (const LoomSpanAnalysis *computed, const LoomRankTime *rank)
{
  gint64 least_ns = G_MAXINT64;
  for (guint i = 0; i < computed->counted->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (computed->counted->devices, LoomIdleRow, i);
    if (loom_device_parts_has_row (rank, row))
      least_ns =
        MIN (least_ns, loom_idle_start_get_before (&g_array_index (computed->idle->devices, LoomIdleRow, i), row));
  }
  return least_ns < G_MAXINT64 ? least_ns : 0;
}

static void
write_rank (const LoomSpanAnalysis *computed, const LoomRankTime *rank, GString *out)
{
  gint64 wait_ns = get_first_wait (computed, rank), recorded_ns = loom_time_add (rank->recorded_ns, wait_ns);
  g_autofree char *recorded = loom_time_format_duration (recorded_ns);
  write_place (computed, out, rank->node, rank->rank, is_process (computed, rank->rank, rank->sources), rank->sources);
  g_string_append_printf (
    out, "%s: computing %.1f %%, communicating alone %.1f %%, copying alone %.1f %%, idle %.1f %%", recorded,
    percent (rank->compute_ns, recorded_ns), percent (rank->exposed_communication_ns, recorded_ns),
    percent (rank->exposed_copy_ns, recorded_ns), percent (loom_time_add (rank->idle_ns, wait_ns), recorded_ns));
  if (rank->communication_ns > 0)
    g_string_append_printf (out, "; %.1f %% of communication under computation",
                            percent (rank->overlap_ns, rank->communication_ns));
  g_string_append_c (out, '\n');
}

static void
write_ranks (const LoomSpanAnalysis *computed, GString *out)
{
  const LoomRankBreakdown *breakdown = computed->ranks;
  g_string_append (out,
                   "Devices by rank, computed from kernels and copies; of several devices, while any of them works\n");
  if (breakdown->n_ranks == 0)
    g_string_append_printf (out, "  %s\n", loom_rank_breakdown_get_missing (breakdown));
  for (guint i = 0; i < breakdown->n_ranks; i++)
    write_rank (computed, &breakdown->ranks[i], out);
}

static void
write_work (const LoomSpanAnalysis *computed, GString *out)
{
  const LoomKindTime *times = computed->times->times;
  g_string_append (out, "\nTime by kind of work\n");
  const char *missing = loom_time_by_work_kind_get_missing (computed->times);
  if (missing != NULL)
    g_string_append_printf (out, "  %s\n", missing);
  for (guint i = 0; i < computed->times->n_times; i++) {
    g_autofree char *self = loom_time_format_duration (times[i].self_ns);
    gboolean device = times[i].work < LOOM_N_DEVICE_WORK;
    g_string_append_printf (out, "  %-20s %s in %" G_GUINT64_FORMAT " span%s, %.1f %% of the %s\n",
                            loom_work_kind_to_string (times[i].work), self, times[i].count,
                            loom_report_plural (times[i].count), 100 * times[i].share,
                            device ? "devices' time" : "hosts' time");
  }
}

static void
write_kernels (const LoomSpanAnalysis *computed, GString *out)
{
  const LoomKernel *kernels = computed->times->kernels;
  g_string_append (out, "\nKernels and copies, longest in total first\n");
  if (computed->times->n_kernels == 0)
    g_string_append_printf (out, "  %s\n", loom_time_by_work_kind_get_missing_kernels (computed->times));
  for (guint i = 0; i < MIN (computed->times->n_kernels, N_KERNELS); i++) {
    g_autofree char *name = loom_span_analysis_dup_name (kernels[i].stats.name);
    g_autofree char *total = loom_time_format_duration (kernels[i].stats.self_in_range_ns);
    g_autofree char *median = loom_time_format_duration (kernels[i].stats.p50_ns);
    g_string_append_printf (out, "  %5.1f %%  %s in %" G_GUINT64_FORMAT ", median %s: %s\n",
                            100 * kernels[i].stats.share, total, kernels[i].stats.count, median, name);
  }
  if (computed->times->n_kernels > N_KERNELS)
    g_string_append_printf (out, "  and %u more name%s\n", computed->times->n_kernels - N_KERNELS,
                            loom_report_plural (computed->times->n_kernels - N_KERNELS));
}

/* Returns TRUE if several profilers recorded waits of the same rank. Two entries with the same rank number belong to
 * different ranks only if the nodes of both are known and differ. */
static gboolean
are_recorded_twice (const LoomDataWaits *waits)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL); /* rank → the first LoomDataRank with this rank */
  for (guint i = 0; i < waits->n_ranks; i++) {
    const LoomDataRank *rank = &waits->ranks[i], *other = g_hash_table_lookup (seen, GINT_TO_POINTER (rank->rank));
    if (other != NULL && rank->rank >= 0 && rank->is_process == other->is_process &&
        (rank->node == NULL || other->node == NULL || strcmp (rank->node, other->node) == 0))
      return TRUE;
    g_hash_table_insert (seen, GINT_TO_POINTER (rank->rank), (gpointer) rank);
  }
  return FALSE;
}

static void
write_waits (const LoomSpanAnalysis *computed, GString *out)
{
  const LoomDataRank *ranks = computed->waits->ranks;
  gboolean is_twice = are_recorded_twice (computed->waits);
  g_string_append (out, "\nWaits for data\n");
  if (is_twice)
    g_string_append (out, "  Several profilers recorded the same ranks, each its own waits; the totals overlap\n");
  if (computed->waits->n_ranks == 0)
    g_string_append_printf (out, "  %s\n", loom_data_waits_get_missing (computed->waits));
  for (guint i = 0; i < computed->waits->n_ranks; i++) {
    g_autofree char *total = loom_time_format_duration (ranks[i].in_range_ns);
    g_autofree char *median = loom_time_format_duration ((gint64) ranks[i].median_ns);
    g_autofree char *longest = loom_time_format_duration (ranks[i].max_ns);
    write_place (computed, out, ranks[i].node, ranks[i].rank, ranks[i].is_process, ranks[i].sources);
    g_string_append_printf (out, "%s in %u wait%s, median %s, longest %s, %u longer than twice the median", total,
                            ranks[i].n_waits, loom_report_plural (ranks[i].n_waits), median, longest,
                            ranks[i].n_outliers);
    if (ranks[i].in_steps_ns > 0)
      g_string_append_printf (out, "; %.1f %% of their steps", percent (ranks[i].in_steps_ns, ranks[i].steps_ns));
    else if (ranks[i].n_steps > 0)
      g_string_append (out, "; all between steps");
    if (is_twice)
      g_string_append_printf (out, "; recorded by %s", ranks[i].format);
    g_string_append_c (out, '\n');
  }
}

/* Writes the late ranks. If the slowdown of the range cannot be used (loom_slowdown_fits()), for example because the
 * range has too few steps, uses the slow ranks of the whole run instead (if there are any), as the page “Stragglers”
 * does. */
static void
write_stragglers (const LoomSpanAnalysis *computed, LoomDataFrame *frame, GString *out)
{
  g_autoptr (LoomCollectives) whole = NULL; /* kept because the slowdown of the whole run is borrowed from it */
  const LoomSlowdown *slowdown = computed->slowdown;
  if (!loom_slowdown_fits (slowdown)) {
    whole = loom_frame_collectives_get (frame, WHOLE_RUN, NULL);
    const LoomSlowdown *of_run = loom_slowdown_get (whole, NULL);
    slowdown = loom_slowdown_fits (of_run) && of_run->stragglers->len > 0 ? of_run : slowdown;
  }
  loom_straggler_section_write (computed->stragglers, slowdown, out);
}

void
loom_span_analysis_write (const LoomSpanAnalysis *computed, LoomDataFrame *frame, GString *out)
{
  write_ranks (computed, out);
  loom_idle_section_write (computed->counted, out);
  write_work (computed, out);
  write_kernels (computed, out);
  loom_operator_section_write (computed->operators, out);
  loom_efficiency_section_write (computed, out);
  write_waits (computed, out);
  loom_memory_section_write (computed->memory, out);
  write_stragglers (computed, frame, out);
  loom_transfer_section_write (computed->transfers, out);
  loom_parallel_section_write (computed->axes, computed->bubbles, computed->experts, out);
  loom_path_section_write (computed->critical, out);
  loom_slowdown_section_write (computed->slowdown, computed->stragglers, out);
  loom_hang_section_write (computed->hang, out);
  loom_health_section_write (computed->health, computed->timeline, out);
}
