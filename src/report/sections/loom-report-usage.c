/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the sections of the report about devices: utilization, classes of usage (such as idle or busy), bottlenecks,
 * and the balance between devices.
 */
#include <math.h>

#include "loom-gpu-balance.h"
#include "loom-gpu-usage-classes.h"
#include "loom-page.h"
#include "loom-report-private.h"
#include "loom-utilization-over-time.h"
#include "loom-utilization.h"

const char *
loom_report_no_device (const LoomReport *report, LoomDevice device)
{
  const LoomSampleSeries *series = report->frame->series;
  for (guint i = 0; i < report->frame->n_series; i++)
    if (series[i].n > 0 && loom_data_frame_series_is (&series[i], device, LOOM_SELECT_DIMENSION))
      return NULL;
  if (report->frame->n_series == 0)
    return "There are no system metrics";
  return device == LOOM_DEVICE_GPU ? "There are no GPU metrics" : "There are no CPU metrics";
}

gboolean
loom_report_has_samples (const LoomReport *report)
{
  return loom_data_frame_get_n_samples (report->frame) > 0;
}

const char *
loom_report_no_loop (const LoomReport *report)
{
  if (report->phases.has_loop)
    return NULL;
  if (report->phases.is_loose)
    return "The clock of the training steps is not known well enough to lay them over the system metrics: align them first";
  return "There are no training steps";
}

const char *
loom_report_no_hosts (const LoomReport *report)
{
  return loom_run_has_index (loom_timeline_get_run (report->frame->timeline))
           ? "Index files contain only sums of what the host did: open the trace files themselves to compare functions"
           : NULL;
}

void
loom_report_add_missing (JsonBuilder *builder, const char *why)
{
  if (why != NULL)
    loom_json_util_add_text (builder, "missing", why);
}

void
loom_report_add_advice (JsonBuilder *builder, const char *advice)
{
  if (advice != NULL)
    loom_json_util_add_text (builder, "advice", advice);
}

void
loom_report_write_missing (GString *out, const char *missing, const char *advice)
{
  g_string_append_printf (out, "  %s\n", missing);
  if (advice != NULL)
    g_string_append_printf (out, "  %s\n", advice);
}

void
loom_report_add_histogram (JsonBuilder *builder, const char *name, const LoomHistogram *histogram)
{
  if (histogram->n == 0) {
    loom_json_util_add_text (builder, name, NULL);
    return;
  }
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  loom_json_util_add_double (builder, "min", histogram->min);
  loom_json_util_add_double (builder, "max", histogram->max);
  loom_json_util_add_counts (builder, "counts", histogram->counts, histogram->n_bins);
}

/* --- utilization -------------------------------------------------------------------------------------------------- */

static void
add_part (JsonBuilder *builder, const LoomUtilizationPart *part)
{
  if (part->name != NULL) {
    loom_json_util_add_text (builder, "node", part->host);
    loom_json_util_add_text (builder, "name", part->name);
  }
  loom_json_util_add_int (builder, "samples", (gint64) part->n_samples);
  loom_json_util_add_int (builder, "at_0", (gint64) part->n_zero);
  loom_json_util_add_int (builder, "below_50", (gint64) part->n_below_50);
  loom_report_add_histogram (builder, "histogram", &part->histogram);
  loom_json_util_add_int (builder, "samples_in_loop", (gint64) part->n_in_loop);
  loom_report_add_histogram (builder, "histogram_in_loop", &part->histogram_in_loop);
}

static void
add_device (const LoomReport *report, JsonBuilder *builder, const char *name, LoomDevice device)
{
  LoomUtilization utilization;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  loom_report_add_missing (builder, loom_report_no_device (report, device));
  loom_utilization_init (&utilization, report->frame, &report->phases, device, LOOM_SELECT_DIMENSION, FALSE);
  add_part (builder, &utilization.all);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "devices");
  for (guint i = 0; i < utilization.n_devices; i++) {
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    add_part (builder, &utilization.devices[i]);
  }
  loom_utilization_clear (&utilization);
}

/* Adds the values of the heat map on the page "Utilization". One row contains the mean of all cores; its node and its
 * name are null. */
static void
add_over_time (const LoomReport *report, JsonBuilder *builder)
{
  LoomPageInput input;
  loom_report_get_input (report, &input);
  g_autoptr (LoomUtilizationOverTime) usage = loom_utilization_over_time_new (report->frame, input.range);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "over_time");
  loom_json_util_add_int_if (builder, "start_ns", usage->rows->len > 0, usage->range.begin_ns);
  loom_json_util_add_int_if (builder, "end_ns", usage->rows->len > 0, usage->range.end_ns);
  loom_json_util_add_int (builder, "buckets", usage->rows->len > 0 ? usage->n_buckets : 0);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "rows");
  for (guint i = 0; i < usage->rows->len; i++) {
    const LoomUtilizationRow *row = usage->rows->pdata[i];
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "device", row->device == LOOM_DEVICE_GPU ? "gpu" : "cpu");
    loom_json_util_add_text (
      builder, "node", row->series != NULL ? loom_data_frame_get_host (report->frame, row->series->host_id) : NULL);
    loom_json_util_add_text (builder, "name", row->series != NULL ? row->series->name : NULL);
    loom_json_util_add_doubles (builder, "mean", row->mean, usage->n_buckets);
    loom_json_util_add_doubles (builder, "highest", row->highest, usage->n_buckets);
  }
}

void
loom_report_build_utilization (const LoomReport *report, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  add_device (report, builder, "gpu", LOOM_DEVICE_GPU);
  add_device (report, builder, "cpu", LOOM_DEVICE_CPU);
  add_over_time (report, builder);
}

static void
write_device (const LoomReport *report, GString *out, const char *label, LoomDevice device)
{
  LoomUtilization utilization;
  const char *why = loom_report_no_device (report, device);
  if (why != NULL) {
    g_string_append_printf (out, "  %s\n", why);
    return;
  }
  loom_utilization_init (&utilization, report->frame, &report->phases, device, LOOM_SELECT_DIMENSION, FALSE);
  const LoomUtilizationPart *all = &utilization.all;
  g_string_append_printf (
    out,
    "  %-4s %" G_GUINT64_FORMAT " sample%s of %u device%s, %.1f %% at 0, %.1f %% below 50 %%, %.1f %% to %.1f %%\n",
    label, all->n_samples, loom_report_plural (all->n_samples), utilization.n_devices,
    loom_report_plural (utilization.n_devices), loom_statistics_percent ((double) all->n_zero, (double) all->n_samples),
    loom_statistics_percent ((double) all->n_below_50, (double) all->n_samples), all->histogram.min,
    all->histogram.max);
  loom_utilization_clear (&utilization);
}

void
loom_report_write_utilization (const LoomReport *report, GString *out)
{
  g_string_append (out, "\nUtilization\n");
  if (!loom_report_has_samples (report)) {
    g_string_append_printf (out, "  %s\n", loom_report_no_device (report, LOOM_DEVICE_GPU));
    return;
  }
  write_device (report, out, "GPU", LOOM_DEVICE_GPU);
  write_device (report, out, "CPU", LOOM_DEVICE_CPU);
}

/* --- classes ------------------------------------------------------------------------------------------------------ */

/* Returns a sentence with the reason why classes of GPU usage are missing; NULL if none is missing. All classes require
 * samples of GPUs, and some require a known training loop. */
static const char *
no_classes (const LoomReport *report)
{
  const char *why = loom_report_no_device (report, LOOM_DEVICE_GPU);
  return why != NULL ? why : loom_report_no_loop (report);
}

static gboolean
is_known (const LoomReport *report, LoomGpuUsage usage)
{
  gboolean needs_loop = usage == LOOM_GPU_USAGE_INITIALIZATION || usage == LOOM_GPU_USAGE_FINALIZATION ||
                        report->options.numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  return loom_report_no_device (report, LOOM_DEVICE_GPU) == NULL && (!needs_loop || report->phases.has_loop);
}

void
loom_report_build_usage (const LoomReport *report, JsonBuilder *builder)
{
  LoomGpuUsageClasses classes =
    loom_gpu_usage_classes_compute (report->frame, &report->phases, &report->bottlenecks, LOOM_SELECT_DIMENSION);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, no_classes (report));
  loom_json_util_add_int (builder, "samples", (gint64) classes.n_samples);
  for (guint i = 0; i < LOOM_N_GPU_USAGES; i++) {
    if (!is_known (report, i))
      continue;
    g_auto (LoomJsonScope) inner = loom_json_util_open_object (builder, loom_gpu_usage_classes_to_string (i));
    loom_json_util_add_int (builder, "samples", (gint64) classes.count[i]);
    loom_json_util_add_double (builder, "percent",
                               loom_statistics_percent ((double) classes.count[i], (double) classes.n_samples));
    loom_json_util_add_int (builder, "estimated_ns", (gint64) classes.count[i] * classes.interval_ns);
  }
}

void
loom_report_write_usage (const LoomReport *report, GString *out)
{
  const char *why = no_classes (report);
  if (!loom_report_has_samples (report))
    return;
  g_string_append (out, "\nGPU usage\n");
  LoomGpuUsageClasses classes =
    loom_gpu_usage_classes_compute (report->frame, &report->phases, &report->bottlenecks, LOOM_SELECT_DIMENSION);
  for (guint i = 0; i < LOOM_N_GPU_USAGES; i++)
    if (is_known (report, i))
      g_string_append_printf (out, "  %-22s %8" G_GUINT64_FORMAT " %-7s %6.1f %%\n",
                              loom_gpu_usage_classes_to_string (i), classes.count[i],
                              classes.count[i] == 1 ? "sample" : "samples",
                              loom_statistics_percent ((double) classes.count[i], (double) classes.n_samples));
  if (why != NULL)
    g_string_append_printf (out, "  %s\n", why);
}

/* --- bottlenecks -------------------------------------------------------------------------------------------------- */

static const char *
no_bottlenecks (const LoomReport *report)
{
  const char *why = loom_report_no_device (report, LOOM_DEVICE_GPU);
  return why != NULL ? why : loom_report_no_device (report, LOOM_DEVICE_CPU);
}

void
loom_report_build_bottlenecks (const LoomReport *report, JsonBuilder *builder)
{
  const LoomBottlenecks *bottlenecks = &report->bottlenecks;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, no_bottlenecks (report));
  loom_json_util_add_int (builder, "rows", (gint64) bottlenecks->n_rows);
  loom_json_util_add_int_if (builder, "rows_in_loop", report->phases.has_loop, (gint64) bottlenecks->n_rows_in_loop);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "instants");
  for (guint i = 0; i < bottlenecks->n; i++) {
    const LoomBottleneck *item = &bottlenecks->items[i];
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "time_ns", item->time_ns);
    loom_json_util_add_text (builder, "node", loom_data_frame_get_host (report->frame, item->host_id));
    loom_json_util_add_int (builder, "high_cores", item->n_high_cores);
    loom_json_util_add_int (builder, "low_gpus", item->n_low_gpus);
    if (report->phases.has_loop)
      loom_json_util_add_bool (builder, "in_loop", item->in_loop);
    else
      loom_json_util_add_text (builder, "in_loop", NULL);
  }
}

static void
write_starving (const LoomReport *report, GString *out)
{
  const LoomBottlenecks *found = &report->bottlenecks;
  g_string_append_printf (out, "  %u instant%s, %" G_GUINT64_FORMAT " GPU sample%s starved", found->n,
                          loom_report_plural (found->n), found->n_rows, loom_report_plural (found->n_rows));
  if (report->phases.has_loop)
    g_string_append_printf (out, ", %" G_GUINT64_FORMAT " of them in the loop", found->n_rows_in_loop);
  g_string_append_c (out, '\n');
}

void
loom_report_write_bottlenecks (const LoomReport *report, GString *out)
{
  const char *why = no_bottlenecks (report);
  if (!loom_report_has_samples (report))
    return;
  g_string_append (out, "\nCPU bottlenecks\n");
  if (why != NULL)
    g_string_append_printf (out, "  %s\n", why);
  else
    write_starving (report, out);
}

/* --- balance ------------------------------------------------------------------------------------------------------ */

static void
add_pairs (JsonBuilder *builder, const LoomGpuBalance *balance)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "pairs");
  for (guint i = 0; i < balance->n_pairs; i++) {
    const LoomGpuBalancePair *pair = &balance->pairs[i];
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "node", balance->devices[pair->a].host);
    loom_json_util_add_text (builder, "a", balance->devices[pair->a].name);
    loom_json_util_add_text (builder, "b", balance->devices[pair->b].name);
    loom_json_util_add_double (builder, "distance", pair->distance);
    loom_json_util_add_bool (builder, "differs", pair->differs);
  }
}

void
loom_report_build_balance (const LoomReport *report, JsonBuilder *builder)
{
  LoomGpuBalance balance;
  loom_gpu_balance_init (&balance, report->frame, &report->phases, LOOM_SELECT_DIMENSION, FALSE, FALSE,
                         report->options.thresholds.balance_distance);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, loom_report_no_device (report, LOOM_DEVICE_GPU));
  loom_json_util_begin_array (builder, "devices");
  for (guint i = 0; i < balance.n_devices; i++) {
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "node", balance.devices[i].host);
    loom_json_util_add_text (builder, "name", balance.devices[i].name);
    loom_json_util_add_counts (builder, "counts", balance.devices[i].counts, balance.n_bins);
  }
  json_builder_end_array (builder);
  add_pairs (builder, &balance);
  loom_gpu_balance_clear (&balance);
}

void
loom_report_write_balance (const LoomReport *report, GString *out)
{
  LoomGpuBalance balance;
  const char *why = loom_report_no_device (report, LOOM_DEVICE_GPU);
  guint n_different = 0;
  if (!loom_report_has_samples (report))
    return;
  g_string_append (out, "\nBalance\n");
  if (why != NULL) {
    g_string_append_printf (out, "  %s\n", why);
    return;
  }
  loom_gpu_balance_init (&balance, report->frame, &report->phases, LOOM_SELECT_DIMENSION, FALSE, FALSE,
                         report->options.thresholds.balance_distance);
  for (guint i = 0; i < balance.n_pairs; i++) {
    const LoomGpuBalancePair *pair = &balance.pairs[i];
    n_different += pair->differs;
    if (pair->differs)
      g_string_append_printf (out, "  %s: %s and %s differ, distance %.3f\n", balance.devices[pair->a].host,
                              balance.devices[pair->a].name, balance.devices[pair->b].name, pair->distance);
  }
  if (n_different == 0 && balance.n_devices == 1)
    g_string_append (out, "  1 GPU, and none to compare it with\n");
  else if (n_different == 0)
    g_string_append_printf (out, "  %u GPUs, no two of a node differ by more than %.3g\n", balance.n_devices,
                            report->options.thresholds.balance_distance);
  loom_gpu_balance_clear (&balance);
}
