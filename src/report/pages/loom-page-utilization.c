/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Utilization", which shows how busy devices were over time, with histograms. In runs without system
 * metrics, GPU utilization is computed from kernels, and a note on the page states this.
 *
 * The page has two measures of busy time, which can be very different. The first is computed from the trace: the time
 * in which any work is on a device, including a collective that only waits for other ranks. The second is the device's
 * own counter, with which the driver measures how often kernels were running.
 */
#include "loom-page-private.h"

#include "loom-alike-rows.h"
#include "loom-device-label.h"
#include "loom-device-parts.h"
#include "loom-gpu-utilization.h"
#include "loom-page-samples.h"
#include "loom-page-statistics.h"
#include "loom-sentence.h"
#include "loom-statistics.h"
#include "loom-utilization-over-time.h"
#include "loom-utilization.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MAX_BUCKETS LOOM_USAGE_MAX_BUCKETS
/* If a heat map would have more than MAX_HEAT_ROWS rows, GPUs with similar values share a row (loom-alike-rows.h): with
 * thousands of rows, a report would be large, and differences hard to find. SIMILAR: least distance of values that are
 * not similar, in percentage points. */
#define MAX_HEAT_ROWS 128
#define SIMILAR 5
#define N_PARTS 8 /* see choose_rows() */
/* The sentence at the top of the page mentions time with only communication, or with only copies, if this time is at
 * least this percentage of the recorded time. */
#define LEAST_COMMUNICATION 5
#define LEAST_COPIES 5

/* --- busy time ---------------------------------------------------------------------------------------------------- */

double
loom_page_get_counted_usage (const LoomPageInput *input)
{
  const LoomSampleSeries *series = input->frame->series;
  double sum = 0;
  gsize n = 0;
  for (guint i = 0; i < input->frame->n_series; i++) {
    if (!loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION))
      continue;
    for (gsize k = 0; k < series[i].n; k++)
      sum += series[i].value[k];
    n += series[i].n;
  }
  return n > 0 ? sum / (double) n : NAN;
}

/* Adds a note that explains why utilization differs between the trace and the GPUs’ own counters. */
static void
add_difference (LoomPageContent *sheet, const LoomRankBreakdown *breakdown)
{
  double recorded_ns = loom_device_parts_sum_recorded (breakdown),
         busy_ns = recorded_ns - loom_device_parts_sum (breakdown, LOOM_STEP_BREAKDOWN_IDLE);
  g_autofree char *busy = loom_chart_format (loom_statistics_percent (busy_ns, recorded_ns), "%");
  g_autofree char *text = g_strdup_printf (
    _ (
      "According to the trace, GPUs are %s busy: for this share of the recorded time, a kernel or a copy ran on them, even if it only waited for other ranks. The GPUs’ own counters can differ, because they sample the whole job."),
    busy);
  loom_page_content_add_note (sheet, text);
}

/* Adds a chart and a table of how the devices of each rank spend their time; adds nothing if devices did no work. */
static void
add_busy_time (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  if (breakdown->n_ranks == 0)
    return;
  if (isfinite (loom_page_get_counted_usage (input)))
    add_difference (sheet, breakdown);
  loom_device_parts_add_bars (sheet, input, breakdown, FALSE, TRUE);
  loom_device_parts_add_table (sheet, input, breakdown);
}

/* --- utilization over time ---------------------------------------------------------------------------------------- */

static void
set_device (LoomPageContent *sheet, guint element, const LoomPageInput *input, const LoomSampleSeries *series)
{
  loom_page_content_set_device (sheet, element, loom_data_frame_get_host (input->frame, series->host_id), series->name);
}

/* The columns of a chart over time: the range of the page is divided into `n` parts of equal length, one for each
 * column. */
typedef struct {
  LoomRange range;
  guint n;
} Columns;

static gint64
column_begin (const Columns *columns, guint i)
{
  return columns->range.begin_ns +
         (gint64) ((double) loom_time_sub (columns->range.end_ns, columns->range.begin_ns) * i / columns->n);
}

static void
set_column_places (LoomPageContent *sheet, const Columns *columns, guint n_rows)
{
  for (guint i = 0; i < n_rows * columns->n; i++) {
    guint column = i % columns->n;
    loom_page_content_set_place (
      sheet, i, (LoomRange) { column_begin (columns, column), column_begin (columns, column + 1) }, NULL, 0);
  }
}

static LoomChart *
new_heat (const LoomPageInput *input, const Columns *columns, const char *title)
{
  gint64 origin = loom_page_get_zero (input);
  return loom_chart_new_heat (title, "%", _ ("time since start"), "ns", columns->n,
                              (double) (columns->range.begin_ns - origin), (double) (columns->range.end_ns - origin));
}

/* Returns the mean of the values `from` … `end` − 1; NAN if none is a number. */
static double
get_mean (const double *values, guint from, guint end)
{
  double sum = 0;
  guint n = 0;
  for (guint i = from; i < end; i++)
    if (!isnan (values[i])) {
      sum += values[i];
      n++;
    }
  return n > 0 ? sum / n : NAN;
}

/* Groups the rows by the means of their cells in `n_parts` equal parts of the time. Owned by the caller. */
static GArray *
group_rows (const double *cells, guint n_rows, guint n_columns, guint n_parts)
{
  g_autofree double *means = g_new (double, (gsize) n_rows *n_parts + 1);
  for (gsize i = 0; i < (gsize) n_rows * n_parts; i++) {
    guint part = (guint) (i % n_parts);
    means[i] = get_mean (cells + i / n_parts * n_columns, part * n_columns / n_parts, (part + 1) * n_columns / n_parts);
  }
  return loom_alike_rows_new (means, n_rows, n_parts, SIMILAR, G_MAXUINT);
}

/* Returns the rows of a heat map to show (LoomAlikeRow): all or, if there are many, one for each group of similar rows.
 * Rows are compared column by column; if there are too many groups, in a few parts of the time, and then only by their
 * means over the whole time, so that a row that differs on average is always shown. Owned by the caller. */
static GArray *
choose_rows (const double *cells, guint n_rows, guint n_columns)
{
  const guint n_parts[] = { n_columns, MIN (N_PARTS, n_columns), 1 };
  if (n_rows <= MAX_HEAT_ROWS)
    return loom_alike_rows_new (cells, n_rows, n_columns, 0, MAX_HEAT_ROWS);
  for (guint i = 0;; i++) {
    GArray *rows = group_rows (cells, n_rows, n_columns, n_parts[i]);
    if (rows->len <= MAX_HEAT_ROWS || i + 1 == G_N_ELEMENTS (n_parts))
      return rows;
    g_array_unref (rows);
  }
}

static char *
dup_similar (const char *name, guint n_alike)
{
  if (n_alike == 0)
    return g_strdup (name);
  return g_strdup_printf (ngettext ("%s (+%u similar)", "%s (+%u similar)", n_alike), name, n_alike);
}

/* Explains the names of rows that represent several GPUs, if there are any. `n_rows`: number of all rows. */
static void
add_similar_note (LoomPageContent *sheet, const GArray *shown, guint n_rows)
{
  if (shown->len < n_rows)
    loom_page_content_add_note (
      sheet, _ ("If a name ends with “(+5 similar)”, the row also stands for five other GPUs with similar values."));
}

static char *
dup_row_name (const LoomPageInput *input, const LoomUtilizationRow *row)
{
  if (row->series == NULL)
    return g_strdup (_ ("all cores"));
  return loom_page_device_name (input, loom_data_frame_get_host (input->frame, row->series->host_id),
                                row->series->name);
}

/* The name and the mean utilization of the device with the lowest or with the highest mean utilization. */
typedef struct {
  char *name;
  double mean;
} Extreme;

static void
take_extreme (Extreme *extreme, const char *name, double mean, gboolean better)
{
  if (extreme->name != NULL && !better)
    return;
  g_free (extreme->name);
  *extreme = (Extreme) { g_strdup (name), mean };
}

/* Returns the sentence at the top of the page for utilization that the GPUs' own counters recorded: the mean of all
 * GPUs together (`all`), and the lowest and the highest mean of a single GPU. Owned by the caller. */
static char *
dup_counted_answer (const char *all, const Extreme *least, const Extreme *most)
{
  g_autofree char *low = loom_chart_format (least->mean, "%"), *high = loom_chart_format (most->mean, "%");
  if (g_strcmp0 (least->name, most->name) == 0)
    return g_strdup_printf (_ ("According to their own counters, GPUs are %s busy on average."), all);
  if (loom_statistics_are_alike (least->mean, most->mean))
    return g_strdup_printf (_ ("According to their own counters, all GPUs are about equally busy: %s on average."),
                            all);
  return g_strdup_printf (_ ("According to their own counters, GPUs are %s busy on average, from %s (%s) to %s (%s)."),
                          all, low, least->name, high, most->name);
}

/* Returns the sentence at the top of the page for utilization that is computed from the spans of the trace: the mean of
 * all devices together (`all`), and the lowest and the highest mean of a single device. `word`: the word for the
 * devices, such as "GPUs". Owned by the caller. */
static char *
dup_traced_answer (const char *word, const char *all, const Extreme *least, const Extreme *most)
{
  g_autofree char *low = loom_chart_format (least->mean, "%"), *high = loom_chart_format (most->mean, "%");
  if (g_strcmp0 (least->name, most->name) == 0)
    return g_strdup_printf (/* Translators: “GPUs” or “TPUs”, and a percentage */
                            _ ("According to the trace, %s are %s busy on average."), word, all);
  if (loom_statistics_are_alike (least->mean, most->mean))
    return g_strdup_printf (/* Translators: “GPUs” or “TPUs”, and a percentage */
                            _ ("According to the trace, all %s are about equally busy: %s on average."), word, all);
  return g_strdup_printf (/* Translators: “GPUs” or “TPUs”, percentages and names of devices */
                          _ ("According to the trace, %s are %s busy on average, from %s (%s) to %s (%s)."), word, all,
                          low, least->name, high, most->name);
}

/* Adds the sentence at the top of the page with the utilization from the GPUs' own counters; adds nothing if no such
 * counters were recorded. The mean of all GPUs is the mean of all their samples, so it depends more on GPUs with more
 * samples. */
static void
add_answer (LoomPageContent *sheet, const LoomPageInput *input)
{
  const LoomSampleSeries *series = input->frame->series;
  Extreme least = { NULL, 0 }, most = { NULL, 0 };
  for (guint i = 0; i < input->frame->n_series; i++) {
    double sum = 0;
    if (series[i].n == 0 || !loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION))
      continue;
    for (gsize k = 0; k < series[i].n; k++)
      sum += series[i].value[k];
    g_autofree char *name =
      loom_page_device_name (input, loom_data_frame_get_host (input->frame, series[i].host_id), series[i].name);
    double mean = sum / (double) series[i].n;
    take_extreme (&least, name, mean, mean < least.mean);
    take_extreme (&most, name, mean, mean > most.mean);
  }
  double counted = loom_page_get_counted_usage (input);
  g_autofree char *mean = loom_chart_format (counted, "%");
  g_autofree char *text = isnan (counted) ? NULL : dup_counted_answer (mean, &least, &most);
  if (text != NULL)
    loom_page_content_add_answer (sheet, text);
  g_free (least.name);
  g_free (most.name);
}

/* Returns the rows of the heat map to show (LoomAlikeRow): GPUs first, then all rows of CPU cores, which are few. Owned
 * by the caller. */
static GArray *
choose_usage_rows (const LoomUtilizationOverTime *usage)
{
  guint n_gpus = 0;
  g_autofree double *cells = g_new (double, (gsize) usage->rows->len * usage->n_buckets + 1);
  for (; n_gpus < usage->rows->len; n_gpus++) {
    const LoomUtilizationRow *row = usage->rows->pdata[n_gpus];
    if (row->device != LOOM_DEVICE_GPU)
      break;
    memcpy (cells + (gsize) n_gpus * usage->n_buckets, row->mean, usage->n_buckets * sizeof *cells);
  }
  GArray *shown = choose_rows (cells, n_gpus, usage->n_buckets);
  for (guint i = n_gpus; i < usage->rows->len; i++) {
    const LoomAlikeRow row = { i, 0 };
    g_array_append_val (shown, row);
  }
  return shown;
}

static void
add_heat (LoomPageContent *sheet, const LoomPageInput *input)
{
  g_autoptr (LoomUtilizationOverTime) usage = loom_utilization_over_time_new (input->frame, input->range);
  const Columns columns = { usage->range, usage->n_buckets };
  if (usage->rows->len == 0)
    return;
  g_autoptr (GArray) shown = choose_usage_rows (usage);
  LoomChart *chart = new_heat (input, &columns, _ ("Utilization over time"));
  for (guint i = 0; i < shown->len; i++) {
    const LoomUtilizationRow *row = usage->rows->pdata[g_array_index (shown, LoomAlikeRow, i).row];
    g_autofree char *alone = dup_row_name (input, row),
                    *name = dup_similar (alone, g_array_index (shown, LoomAlikeRow, i).n_alike);
    loom_chart_add_heat_row (chart, name, row->mean);
    if (usage->has_bursts)
      loom_chart_add_heat_peaks (chart, row->highest);
  }
  add_similar_note (sheet, shown, usage->rows->len);
  loom_page_content_take_chart (sheet, chart, TRUE);
  set_column_places (sheet, &columns, shown->len);
  for (guint i = 0; i < shown->len * columns.n; i++) {
    const LoomUtilizationRow *row = usage->rows->pdata[g_array_index (shown, LoomAlikeRow, i / columns.n).row];
    if (row->series != NULL)
      set_device (sheet, i, input, row->series);
  }
}

/* --- histograms of utilization ------------------------------------------------------------------------------------ */

/* Adds a histogram to the page, with the time ranges of the samples as the targets of its bins. Takes ownership of
 * `chart`. */
static void
take_histogram (LoomPageContent *sheet, const LoomPageInput *input, LoomDevice device, LoomChart *chart,
                const LoomHistogram *histogram, LoomRange within)
{
  if (chart == NULL)
    return;
  loom_page_content_take_chart (sheet, chart, FALSE);
  loom_page_samples_set_bin_places (sheet, input, device, NULL, NULL, within, histogram);
}

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Utilization by device"));
  loom_result_table_add_column (table, C_ ("column", "Device"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Samples"), "", NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Mean"), NULL);
  loom_result_table_add_column (table, C_ ("column", "Min"), "%", NULL);
  loom_result_table_add_column (table, C_ ("column", "Median"), "%", NULL);
  loom_result_table_add_column (table, C_ ("column", "p95"), "%", NULL);
  loom_result_table_add_column (table, C_ ("column", "Max"), "%", NULL);
  loom_result_table_add_column (table, C_ ("column", "At 0 %"), "%", _ ("Share of samples at exactly 0"));
  loom_result_table_add_column (table, C_ ("column", "Below 50 %"), "%", _ ("Share of samples below 50 %"));
  return table;
}

static void
add_table_row (LoomResultTable *table, const char *name, double *values, gsize n)
{
  guint64 n_zero = 0, n_low = 0;
  for (gsize i = 0; i < n; i++) {
    n_zero += values[i] == 0;
    n_low += values[i] < 50;
  }
  LoomStatistics summary = loom_statistics_summarise (values, n);
  const double figures[] = { summary.mean,
                             summary.min,
                             summary.p50,
                             summary.p95,
                             summary.max,
                             loom_statistics_percent ((double) n_zero, (double) n),
                             loom_statistics_percent ((double) n_low, (double) n) };
  loom_result_table_add_row (table, name);
  loom_result_table_set_number (table, 1, (double) n);
  if (n > 1)
    loom_result_table_set_numbers (table, 2, figures, G_N_ELEMENTS (figures));
}

static void
add_table (LoomPageContent *sheet, const LoomPageInput *input)
{
  const LoomSampleSeries *series = input->frame->series;
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  LoomResultTable *table = new_table ();
  for (guint i = 0; i < input->frame->n_series; i++) {
    if (series[i].n == 0 || (!loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION) &&
                             !loom_data_frame_series_is (&series[i], LOOM_DEVICE_CPU, LOOM_SELECT_DIMENSION)))
      continue;
    g_autofree char *name =
      loom_page_device_name (input, loom_data_frame_get_host (input->frame, series[i].host_id), series[i].name);
    g_autofree double *values = g_memdup2 (series[i].value, series[i].n * sizeof (double));
    add_table_row (table, name, values, series[i].n);
    g_ptr_array_add (rows, (gpointer) &series[i]);
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < rows->len; i++)
    set_device (sheet, i, input, rows->pdata[i]);
}

static void
add_device (LoomPageContent *sheet, const LoomPageInput *input, LoomDevice device, const char *all_title,
            const char *loop_title)
{
  LoomUtilization utilization;
  if (loom_page_no_device (input, device) != NULL) {
    loom_page_content_add_missing (sheet, loom_page_no_device (input, device));
    return;
  }
  loom_utilization_init (&utilization, input->frame, &input->phases, device, LOOM_SELECT_DIMENSION, TRUE);
  const LoomRange all = { G_MININT64, G_MAXINT64 }, loop = { input->phases.loop_begin_ns, input->phases.loop_end_ns };
  const LoomHistogram *histograms[] = { &utilization.all.histogram, &utilization.all.histogram_in_loop };
  LoomChart *charts[] = {
    loom_histogram_chart_new (all_title, C_ ("chart", "utilization"), "%", C_ ("chart", "samples"), histograms[0]),
    loom_histogram_chart_new (loop_title, C_ ("chart", "utilization"), "%", C_ ("chart", "samples"), histograms[1]),
  };
  loom_chart_share_axes (charts, G_N_ELEMENTS (charts));
  take_histogram (sheet, input, device, charts[0], histograms[0], all);
  take_histogram (sheet, input, device, charts[1], histograms[1], loop);
  loom_utilization_clear (&utilization);
}

/* --- utilization computed from kernels ---------------------------------------------------------------------------- */

static char *
busy_name (const LoomPageInput *input, const LoomGpuUtilizationDevice *device)
{
  gboolean one = loom_run_get_n_sources (loom_timeline_get_run (input->frame->timeline)) == 1;
  g_autofree char *rank = loom_page_rank_name (input, device->node, device->rank, device->sources),
                  *name = device->device != NULL ? loom_device_label_dup (device->device) : NULL;
  if (one && device->rank < 0 && device->device != NULL)
    return g_steal_pointer (&name);
  return name != NULL ? g_strdup_printf ("%s · %s", rank, name) : g_steal_pointer (&rank);
}

/* Returns the share of the recorded time of all ranks in which devices do `part` (for example, compute), in percent. */
static double
get_percent (const LoomRankBreakdown *breakdown, LoomStepBreakdownPart part)
{
  return loom_statistics_percent (loom_device_parts_sum (breakdown, part), loom_device_parts_sum_recorded (breakdown));
}

/* Returns a sentence with the shares of the recorded time in which devices compute, and in which they compute nothing,
 * but transfer or wait for other ranks. NULL if the second share is less than LEAST_COMMUNICATION. Owned by the
 * caller. */
static char *
dup_communication (const LoomRankBreakdown *breakdown)
{
  const char *word = loom_device_parts_get_word (breakdown);
  double transfers = get_percent (breakdown, LOOM_STEP_BREAKDOWN_TRANSFER),
         waits = get_percent (breakdown, LOOM_STEP_BREAKDOWN_RANK_WAIT);
  g_autofree char *transferring = loom_chart_format (transfers, "%"), *waiting = loom_chart_format (waits, "%"),
                  *computing = loom_chart_format (get_percent (breakdown, LOOM_STEP_BREAKDOWN_COMPUTE), "%");
  if (!(transfers + waits >= LEAST_COMMUNICATION))
    return NULL;
  if (!(waits > 0)) /* waits for other ranks are known only if collectives of several ranks were matched */
    return g_strdup_printf (
      /* Translators: “GPUs” or “TPUs”, and two percentages */
      _ ("%s compute for %s of the time, and only communicate, which includes waiting for other ranks, for %s."), word,
      computing, transferring);
  return g_strdup_printf (
    /* Translators: “GPUs” or “TPUs”, and three percentages */
    _ ("%s compute for %s of the time, only transfer data for %s, and only wait for other ranks for %s."), word,
    computing, transferring, waiting);
}

/* Returns a sentence with two shares of the recorded time: the share in which devices compute, and the share in which
 * they only copy memory. NULL if the second share is less than LEAST_COPIES. Owned by the caller. */
static char *
dup_copies (const LoomRankBreakdown *breakdown)
{
  double percent = get_percent (breakdown, LOOM_STEP_BREAKDOWN_COPY);
  if (!(percent >= LEAST_COPIES))
    return NULL;
  g_autofree char *computing = loom_chart_format (get_percent (breakdown, LOOM_STEP_BREAKDOWN_COMPUTE), "%"),
                  *copying = loom_chart_format (percent, "%");
  return g_strdup_printf (/* Translators: “GPUs” or “TPUs”, and two percentages */
                          _ ("%s compute for %s of the time, and do nothing but copy memory for %s."),
                          loom_device_parts_get_word (breakdown), computing, copying);
}

/* Returns TRUE if all ranks or GPUs compute for about the same share of their recorded time. */
static gboolean
compute_alike (const LoomRankBreakdown *breakdown)
{
  double least = G_MAXDOUBLE, most = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    least = MIN (least, loom_device_parts_get_share (&breakdown->ranks[i]));
    most = MAX (most, loom_device_parts_get_share (&breakdown->ranks[i]));
  }
  return loom_statistics_are_alike (least, most);
}

/* Returns a sentence with the share of the recorded time in which devices are busy. `devices`: the parts of each device;
 * `word`: the word for the devices, such as "GPUs"; `alike`: all compute for about the same share. Owned by the
 * caller. */
static char *
dup_busy (const LoomPageInput *input, const LoomRankBreakdown *devices, const char *word, gboolean alike)
{
  Extreme least = { NULL, 0 }, most = { NULL, 0 };
  for (guint i = 0; i < devices->n_ranks; i++) {
    double share = loom_device_parts_get_busy_share (&devices->ranks[i]);
    g_autofree char *name = loom_device_parts_dup_name (input, &devices->ranks[i]);
    take_extreme (&least, name, share, share < least.mean);
    take_extreme (&most, name, share, share > most.mean);
  }
  double recorded_ns = loom_device_parts_sum_recorded (devices),
         busy_ns = recorded_ns - loom_device_parts_sum (devices, LOOM_STEP_BREAKDOWN_IDLE);
  g_autofree char *all = loom_chart_format (loom_statistics_percent (busy_ns, recorded_ns), "%");
  char *text = !alike && loom_statistics_are_alike (least.mean, most.mean)
                 ? g_strdup_printf (/* Translators: “GPUs” or “TPUs”, and a percentage */
                                    _ ("According to the trace, %s are %s busy on average."), word, all)
                 : dup_traced_answer (word, all, &least, &most);
  g_free (least.name);
  g_free (most.name);
  return text;
}

/* Adds the sentences at the top of the page, the time of computation first, because busy time includes waiting: GPUs
 * that wait in collectives are busy, too. If some GPUs compute more than others, the first sentence names them. */
static void
add_computed_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *devices,
                     const LoomRankBreakdown *breakdown)
{
  gboolean alike = breakdown->n_ranks < 2 || compute_alike (breakdown);
  g_autofree char *difference = alike ? NULL : loom_device_parts_dup_answer (input, breakdown),
                  *busy = dup_busy (input, devices, loom_device_parts_get_word (breakdown), alike),
                  *copies = dup_copies (breakdown), *communication = dup_communication (breakdown);
  const char *const sentences[] = { difference, communication, busy, copies };
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (sentences[i] != NULL)
      loom_sentence_append (text, sentences[i]);
  loom_page_content_add_answer (sheet, text->str);
}

/* Returns TRUE if two devices of one rank are recorded in the same files. */
static gboolean
are_recorded_together (const LoomGpuUtilizationDevice *a, const LoomGpuUtilizationDevice *b)
{
  return a->rank == b->rank && g_strcmp0 (a->node, b->node) == 0 && a->n_sources == b->n_sources &&
         memcmp (a->sources, b->sources, a->n_sources * sizeof *a->sources) == 0;
}

/* Fills the cells of the devices from `first` to `end` − 1. They belong to one rank and are recorded in the same files.
 * So while one of them is recorded, the others are recorded, too: if they have no work, they are idle. */
static void
fill_cells (const LoomGpuUtilization *busy, guint first, guint end, double *cells)
{
  for (guint bucket = 0; bucket < busy->n_buckets; bucket++) {
    gboolean is_recorded = FALSE;
    for (guint i = first; i < end; i++)
      is_recorded |= !isnan (busy->devices[i].computing[bucket]);
    for (guint i = first; i < end; i++) {
      double value = busy->devices[i].computing[bucket];
      cells[(gsize) i * busy->n_buckets + bucket] = isnan (value) && is_recorded ? 0 : value;
    }
  }
}

/* Returns an array: [device · n_buckets + bucket] percentage of the time in which the device computes. While only other
 * devices of its rank in its files work, the percentage is 0. NAN: nothing is recorded. Owned by the caller. */
static double *
dup_cells (const LoomGpuUtilization *busy)
{
  double *cells = g_new (double, (gsize) busy->n_devices * busy->n_buckets);
  for (guint first = 0, end; first < busy->n_devices; first = end) {
    for (end = first + 1; end < busy->n_devices; end++)
      if (!are_recorded_together (&busy->devices[end], &busy->devices[first]))
        break;
    fill_cells (busy, first, end, cells);
  }
  return cells;
}

static void
add_computed_chart (LoomPageContent *sheet, const LoomPageInput *input, const Columns *columns,
                    const LoomGpuUtilization *busy)
{
  const LoomGpuUtilizationDevice *devices = busy->devices;
  g_autofree double *cells = dup_cells (busy);
  g_autoptr (GArray) shown = choose_rows (cells, busy->n_devices, columns->n);
  LoomChart *chart = new_heat (input, columns, _ ("Time in which GPUs compute"));
  for (guint i = 0; i < shown->len; i++) {
    const LoomAlikeRow *row = &g_array_index (shown, LoomAlikeRow, i);
    g_autofree char *alone = busy_name (input, &devices[row->row]), *name = dup_similar (alone, row->n_alike);
    loom_chart_add_heat_row (chart, name, cells + (gsize) row->row * columns->n);
  }
  add_similar_note (sheet, shown, busy->n_devices);
  loom_page_content_take_chart (sheet, chart, TRUE);
  set_column_places (sheet, columns, shown->len);
  for (guint i = 0; i < shown->len * columns->n; i++) {
    const LoomGpuUtilizationDevice *device = &devices[g_array_index (shown, LoomAlikeRow, i / columns->n).row];
    loom_page_set_rank (sheet, input, i, device->rank, device->sources);
  }
}

static gboolean
add_computed (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown,
              GCancellable *cancellable)
{
  g_autoptr (LoomGpuUtilization) busy =
    loom_gpu_utilization_new (input->frame->timeline, input->range, MAX_BUCKETS, cancellable);
  const Columns columns = { .range = input->range, .n = MAX_BUCKETS };
  if (busy == NULL)
    return FALSE;
  if (busy->n_devices == 0)
    return TRUE;
  /* if each rank has one device, the parts of ranks are also those of devices */
  g_autoptr (LoomRankBreakdown) devices =
    busy->n_devices > breakdown->n_ranks ? loom_device_parts_new_of_devices (input, cancellable) : NULL;
  if (devices == NULL && busy->n_devices > breakdown->n_ranks)
    return FALSE;
  add_computed_answer (sheet, input, devices != NULL ? devices : breakdown, breakdown);
  loom_page_content_add_note (
    sheet,
    _ (
      "Computed from kernels: utilization is the share of the time in which a GPU computes. It is busy as long as any kernel or copy runs, also if it only transfers or waits."));
  add_computed_chart (sheet, input, &columns, busy);
  add_busy_time (sheet, input, breakdown);
  return TRUE;
}

LoomPageContent *
loom_page_utilization (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomRankBreakdown) breakdown = loom_device_parts_new (input, cancellable);
  if (breakdown == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  gboolean gpus = loom_page_no_device (input, LOOM_DEVICE_GPU) == NULL,
           cpus = loom_page_no_device (input, LOOM_DEVICE_CPU) == NULL;
  loom_page_content_set_sources (sheet, gpus || cpus
                                          ? _ ("computed from system metrics")
                                          : _ ("computed from kernels, because there are no system metrics"));
  if (gpus || cpus) {
    add_answer (sheet, input);
    add_heat (sheet, input);
    add_busy_time (sheet, input, breakdown);
    loom_page_count_part (input, cancellable);
    add_device (sheet, input, LOOM_DEVICE_GPU, _ ("GPU utilization"), _ ("GPU utilization in the training loop"));
    add_device (sheet, input, LOOM_DEVICE_CPU, _ ("CPU utilization"), _ ("CPU utilization in the training loop"));
    loom_page_count_part (input, cancellable);
    loom_page_statistics_add_usage_ranges (sheet, input);
    add_table (sheet, input);
    if (!g_cancellable_is_cancelled (cancellable))
      loom_page_statistics_add_resources (sheet, input);
    loom_page_add_missing_nodes (sheet, input, TRUE);
  }
  if (!gpus && !add_computed (sheet, input, breakdown, cancellable)) {
    loom_page_content_unref (sheet);
    return NULL;
  }
  loom_page_count_part (input, cancellable);
  if (sheet->blocks->len == 0)
    loom_page_content_add_missing (
      sheet, _ ("No system metrics were found, and no kernels from which utilization could be computed."));
  return loom_page_finish (sheet, cancellable);
}
