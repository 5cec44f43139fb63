/* SPDX-License-Identifier: Apache-2.0
 *
 * Utilization: how busy devices were, over time and by how often. Where there are no system metrics, GPU utilization is
 * computed from kernels, and the page says so.
 */
#include "loom-page-private.h"

#include "loom-gpu-busy.h"
#include "loom-page-samples.h"
#include "loom-page-statistics.h"
#include "loom-utilization.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MAX_BUCKETS 160
#define MIN_BUCKETS 8
#define HOLD 2.5 /* usual distances of samples: a value holds so long, as in the plots of the timeline */
#define MAX_CORES 32 /* rows of cores; of more the mean of all is one row */

/* --- over time ------------------------------------------------------------------------------------------------------- */

/* Stretches of a range, and what was seen in each. */
typedef struct {
  LoomRange range;
  guint n;
  double sum[MAX_BUCKETS];
  guint count[MAX_BUCKETS];
} Buckets;

static gint64
bucket_begin (const Buckets *buckets, guint i)
{
  return buckets->range.begin_ns + (gint64) ((double) loom_time_sub (buckets->range.end_ns, buckets->range.begin_ns) * i / buckets->n);
}

static guint
bucket_at (const Buckets *buckets, gint64 time_ns)
{
  double at = (double) loom_time_sub (time_ns, buckets->range.begin_ns) / (double) loom_time_sub (buckets->range.end_ns, buckets->range.begin_ns) * buckets->n;
  return MIN ((guint) MAX (at, 0), buckets->n - 1);
}

/* Adds a series to the buckets: each sample to the one it is in, and to those up to the next, unless that is far. */
static void
add_samples (Buckets *buckets, const LoomSampleSeries *series)
{
  double usual = series->n > 1 ? (double) (series->time_ns[series->n - 1] - series->time_ns[0]) / (series->n - 1) : 0;
  for (guint32 i = 0; i < series->n; i++) {
    if (series->time_ns[i] < buckets->range.begin_ns || series->time_ns[i] > buckets->range.end_ns)
      continue;
    guint first = bucket_at (buckets, series->time_ns[i]), last = first;
    if (i + 1 < series->n && (double) (series->time_ns[i + 1] - series->time_ns[i]) <= HOLD * usual)
      last = MAX (first, bucket_at (buckets, MIN (series->time_ns[i + 1], buckets->range.end_ns)));
    for (guint k = first; k <= last && (k == first || k < last); k++) {
      buckets->sum[k] += series->value[i];
      buckets->count[k]++;
    }
  }
}

/* The means as a row; the buckets are empty again. */
static void
take_heat_row (Buckets *buckets, LoomChart *chart, const char *name)
{
  double means[MAX_BUCKETS];
  for (guint i = 0; i < buckets->n; i++)
    means[i] = buckets->count[i] > 0 ? buckets->sum[i] / buckets->count[i] : NAN;
  loom_chart_add_heat_row (chart, name, means);
  memset (buckets->sum, 0, sizeof buckets->sum);
  memset (buckets->count, 0, sizeof buckets->count);
}

/* No more than there are samples: what lies between them nobody knows. */
static guint
count_buckets (const LoomSampleSeries *series, guint n)
{
  guint most = MIN_BUCKETS;
  for (guint i = 0; i < n; i++)
    most = MAX (most, series[i].n);
  return MIN (most, MAX_BUCKETS);
}

static guint
count_series (const LoomSampleSeries *series, guint n, LoomDevice device)
{
  guint found = 0;
  for (guint i = 0; i < n; i++)
    found += loom_series_is (&series[i], device, LOOM_SELECT_DIMENSION) && series[i].n > 0;
  return found;
}

/* Rows of one kind of device, and to `rows` their LoomSampleSeries, NULL for all together. */
static void
add_device_rows (const LoomPageInput *input, LoomChart *chart, Buckets *buckets, LoomDevice device, GPtrArray *rows)
{
  guint n;
  const LoomSampleSeries *series = loom_frame_get_series (input->frame, &n);
  gboolean pooled = device == LOOM_DEVICE_CPU && count_series (series, n, device) > MAX_CORES;
  for (guint i = 0; i < n; i++) {
    if (!loom_series_is (&series[i], device, LOOM_SELECT_DIMENSION) || series[i].n == 0)
      continue;
    add_samples (buckets, &series[i]);
    if (pooled)
      continue;
    g_autofree char *name = loom_page_device_name (input, loom_frame_get_host (input->frame, series[i].host_id), series[i].name);
    take_heat_row (buckets, chart, name);
    g_ptr_array_add (rows, (gpointer) &series[i]);
  }
  if (pooled) {
    take_heat_row (buckets, chart, _ ("all cores"));
    g_ptr_array_add (rows, NULL);
  }
}

static void
set_device (LoomSheet *sheet, guint element, const LoomPageInput *input, const LoomSampleSeries *series)
{
  loom_sheet_set_device (sheet, element, loom_frame_get_host (input->frame, series->host_id), series->name);
}

static void
set_bucket_places (LoomSheet *sheet, const Buckets *buckets, guint n_rows)
{
  for (guint i = 0; i < n_rows * buckets->n; i++) {
    guint bucket = i % buckets->n;
    loom_sheet_set_place (sheet, i, (LoomRange) { bucket_begin (buckets, bucket), bucket_begin (buckets, bucket + 1) }, NULL, 0);
  }
}

static LoomChart *
new_heat (const LoomPageInput *input, const Buckets *buckets, const char *title)
{
  gint64 origin = loom_frame_get_origin (input->frame);
  return loom_chart_new_heat (title, "%", _ ("time since start"), "ns", buckets->n, (double) (buckets->range.begin_ns - origin),
                              (double) (buckets->range.end_ns - origin));
}

static LoomRange
sampled_range (const LoomPageInput *input)
{
  LoomRange range = input->range;
  gint64 first, last;
  if (loom_frame_get_sample_extent (input->frame, &first, &last)) {
    range.begin_ns = MAX (range.begin_ns, first);
    range.end_ns = MIN (range.end_ns, last + 1);
  }
  return range;
}

static void
add_heat (LoomSheet *sheet, const LoomPageInput *input)
{
  guint n;
  const LoomSampleSeries *series = loom_frame_get_series (input->frame, &n);
  Buckets buckets = { .range = sampled_range (input), .n = count_buckets (series, n) };
  if (buckets.range.end_ns <= buckets.range.begin_ns)
    return;
  LoomChart *chart = new_heat (input, &buckets, _ ("Utilization over time"));
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  add_device_rows (input, chart, &buckets, LOOM_DEVICE_GPU, rows);
  add_device_rows (input, chart, &buckets, LOOM_DEVICE_CPU, rows);
  loom_sheet_take_chart (sheet, chart, TRUE);
  set_bucket_places (sheet, &buckets, rows->len);
  for (guint i = 0; i < rows->len * buckets.n; i++)
    if (rows->pdata[i / buckets.n] != NULL)
      set_device (sheet, i, input, rows->pdata[i / buckets.n]);
}

/* --- by how often ---------------------------------------------------------------------------------------------------- */

static void
add_histogram (LoomSheet *sheet, const LoomPageInput *input, LoomDevice device, const char *title, const LoomHistogram *histogram, LoomRange within)
{
  LoomChart *chart = loom_page_new_histogram (title, C_ ("chart", "utilization"), "%", C_ ("chart", "samples"), histogram);
  if (chart == NULL)
    return;
  loom_sheet_take_chart (sheet, chart, FALSE);
  loom_page_set_bin_places (sheet, input, device, NULL, NULL, within, histogram);
}

static LoomTable *
new_table (void)
{
  LoomTable *table = loom_table_new (_ ("Utilization by device"));
  loom_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Samples"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Mean"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Min"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Median"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "p95"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "Max"), "%", NULL);
  loom_table_add_column (table, C_ ("column", "At 0"), "%", _ ("Share of samples at exactly 0"));
  loom_table_add_column (table, C_ ("column", "Below 50"), "%", _ ("Share of samples below 50 %"));
  return table;
}

static void
add_table_row (LoomTable *table, const char *name, double *values, gsize n)
{
  guint64 n_zero = 0, n_low = 0;
  for (gsize i = 0; i < n; i++) {
    n_zero += values[i] == 0;
    n_low += values[i] < 50;
  }
  LoomSummary summary = loom_stats_summarise (values, n);
  const double figures[] = { summary.mean, summary.min, summary.p50, summary.p95, summary.max, loom_stats_percent ((double) n_zero, (double) n),
                             loom_stats_percent ((double) n_low, (double) n) };
  loom_table_add_row (table);
  loom_table_set_text (table, 0, name);
  loom_table_set_number (table, 1, (double) n);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    loom_table_set_number (table, i + 2, n > 1 ? figures[i] : NAN);
}

static void
add_table (LoomSheet *sheet, const LoomPageInput *input)
{
  guint n;
  const LoomSampleSeries *series = loom_frame_get_series (input->frame, &n);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  LoomTable *table = new_table ();
  for (guint i = 0; i < n; i++) {
    if (series[i].n == 0 || (!loom_series_is (&series[i], LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION) && !loom_series_is (&series[i], LOOM_DEVICE_CPU, LOOM_SELECT_DIMENSION)))
      continue;
    g_autofree char *name = loom_page_device_name (input, loom_frame_get_host (input->frame, series[i].host_id), series[i].name);
    g_autofree double *values = g_memdup2 (series[i].value, series[i].n * sizeof (double));
    add_table_row (table, name, values, series[i].n);
    g_ptr_array_add (rows, (gpointer) &series[i]);
  }
  loom_sheet_take_table (sheet, table);
  for (guint i = 0; i < rows->len; i++)
    set_device (sheet, i, input, rows->pdata[i]);
}

static void
add_device (LoomSheet *sheet, const LoomPageInput *input, LoomDevice device, const char *all_title, const char *loop_title)
{
  LoomUtilization utilization;
  if (loom_page_no_device (input, device) != NULL) {
    loom_sheet_add_missing (sheet, loom_page_no_device (input, device));
    return;
  }
  loom_utilization_init (&utilization, input->frame, &input->phases, device, LOOM_SELECT_DIMENSION);
  const LoomRange all = { G_MININT64, G_MAXINT64 }, loop = { input->phases.loop_begin_ns, input->phases.loop_end_ns };
  add_histogram (sheet, input, device, all_title, &utilization.all.histogram, all);
  add_histogram (sheet, input, device, loop_title, &utilization.all.histogram_in_loop, loop);
  loom_utilization_clear (&utilization);
}

/* --- computed from kernels ------------------------------------------------------------------------------------------- */

static char *
busy_name (const LoomPageInput *input, const LoomGpuBusyDevice *device)
{
  gboolean one = loom_run_get_n_sources (loom_timeline_get_run (loom_frame_get_timeline (input->frame))) == 1;
  g_autofree char *rank = loom_page_rank_name (input, device->node, device->rank, device->sources);
  if (one && device->rank < 0 && device->device != NULL)
    return g_strdup (device->device);
  return device->device != NULL ? g_strdup_printf ("%s %s", rank, device->device) : g_steal_pointer (&rank);
}

static gboolean
add_computed (LoomSheet *sheet, const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomGpuBusy) busy = loom_gpu_busy_new (loom_frame_get_timeline (input->frame), input->range, MAX_BUCKETS, cancellable);
  const Buckets buckets = { .range = input->range, .n = MAX_BUCKETS };
  guint n = 0;
  if (busy == NULL)
    return FALSE;
  const LoomGpuBusyDevice *devices = loom_gpu_busy_get (busy, &n);
  if (n == 0)
    return TRUE;
  loom_sheet_add_note (sheet, _ ("Computed from the spans of kernels on devices: the share of each stretch of time in which at least one of them ran."));
  LoomChart *chart = new_heat (input, &buckets, _ ("GPU utilization over time, computed"));
  LoomTable *table = loom_table_new (_ ("Devices, computed from kernels"));
  loom_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  loom_table_add_column (table, C_ ("column", "Kernels and copies"), "", NULL);
  loom_table_add_column (table, C_ ("column", "Recorded"), "ns", _ ("From the first to the last work of the device in each file"));
  loom_table_add_column (table, C_ ("column", "Kernels"), "ns", _ ("Time in which at least one kernel ran"));
  loom_table_add_column (table, C_ ("column", "Utilization"), "%", _ ("Time with kernels by time recorded"));
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = busy_name (input, &devices[i]);
    loom_chart_add_heat_row (chart, name, devices[i].utilization);
    loom_table_add_row (table);
    loom_table_set_text (table, 0, name);
    loom_table_set_number (table, 1, (double) devices[i].n_spans);
    loom_table_set_number (table, 2, (double) devices[i].recorded_ns);
    loom_table_set_number (table, 3, (double) devices[i].kernel_ns);
    loom_table_set_number (table, 4, loom_stats_percent ((double) devices[i].kernel_ns, (double) devices[i].recorded_ns));
  }
  loom_sheet_take_chart (sheet, chart, TRUE);
  set_bucket_places (sheet, &buckets, n);
  loom_sheet_take_table (sheet, table);
  for (guint i = 0; i < n; i++)
    loom_sheet_set_device (sheet, i, devices[i].node != NULL ? devices[i].node : "", devices[i].device != NULL ? devices[i].device : "");
  return TRUE;
}

LoomSheet *
loom_page_utilization (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomSheet *sheet = loom_sheet_new (input->range);
  gboolean gpus = loom_page_no_device (input, LOOM_DEVICE_GPU) == NULL, cpus = loom_page_no_device (input, LOOM_DEVICE_CPU) == NULL;
  loom_sheet_set_sources (sheet, gpus || cpus ? _ ("from system metrics") : _ ("from kernels, there are no system metrics"));
  if (gpus || cpus) {
    add_heat (sheet, input);
    loom_page_count_part (input, cancellable);
    add_device (sheet, input, LOOM_DEVICE_GPU, _ ("GPU utilization"), _ ("GPU utilization in the training loop"));
    add_device (sheet, input, LOOM_DEVICE_CPU, _ ("CPU utilization"), _ ("CPU utilization in the training loop"));
    loom_page_count_part (input, cancellable);
    loom_page_add_usage_ranges (sheet, input);
    add_table (sheet, input);
    if (!g_cancellable_is_cancelled (cancellable))
      loom_page_add_resources (sheet, input);
    loom_page_add_missing_nodes (sheet, input, TRUE);
  }
  if (!gpus && !add_computed (sheet, input, cancellable)) {
    loom_sheet_unref (sheet);
    return NULL;
  }
  loom_page_count_part (input, cancellable);
  if (loom_sheet_get_n_blocks (sheet) == 0)
    loom_sheet_add_missing (sheet, _ ("There are no system metrics here, and no kernels to compute utilization from."));
  return loom_page_finish (sheet, cancellable);
}
