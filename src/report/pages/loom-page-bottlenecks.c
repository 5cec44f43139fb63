/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page of bottlenecks: it shows the times at which GPUs wait while CPU cores are fully used, and compares the
 * work at these times with the work at other times.
 */
#include "loom-int64-hash.h"
#include "loom-page-private.h"

#include "loom-list-separator.h"
#include "loom-page-causes.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_NODES 4  /* maximum number of nodes that a sentence names */
#define MAX_CHARTS 2 /* maximum number of nodes with a chart */
/* minimum length of the time that the chart shows on each side of the bottlenecks */
#define LEAST_AROUND_NS (2 * LOOM_NS_PER_S)

/* Returns the names of the nodes with bottlenecks: "algo-1, algo-2". Returns NULL if they have no names, or if there
 * are more than MAX_NODES. Owned by the caller. */
static char *
dup_nodes (const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  g_autoptr (GPtrArray) hosts = g_ptr_array_new ();
  for (guint i = 0; i < bottlenecks->n; i++) {
    const char *host = loom_data_frame_get_host (input->frame, bottlenecks->items[i].host_id);
    if (host[0] == '\0')
      return NULL;
    if (!g_ptr_array_find_with_equal_func (hosts, host, g_str_equal, NULL))
      g_ptr_array_add (hosts, (gpointer) host);
  }
  if (hosts->len == 0 || hosts->len > MAX_NODES)
    return NULL;
  g_ptr_array_add (hosts, NULL);
  return g_strjoinv (loom_list_separator (), (char **) hosts->pdata);
}

/* Returns the sentence that answers the question of the page: how often GPUs waited while CPU cores were fully used, on
 * which nodes, and when. Owned by the caller. */
static char *
dup_answer (const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  guint n = bottlenecks->n;
  if (n == 0)
    return g_strdup (_ ("No GPU was starved while a core of its node was saturated."));
  gint64 zero_ns = loom_page_get_zero (input);
  g_autofree char *nodes = dup_nodes (input, bottlenecks),
                  *first = loom_time_format_duration (loom_time_sub (bottlenecks->items[0].time_ns, zero_ns)),
                  *last = loom_time_format_duration (loom_time_sub (bottlenecks->items[n - 1].time_ns, zero_ns));
  if (nodes == NULL)
    return g_strdup_printf (ngettext ("GPUs were starved at %u instant while a core of their node was saturated.",
                                      "GPUs were starved at %u instants while a core of their node was saturated.", n),
                            n);
  if (n == 1)
    return g_strdup_printf (/* Translators: a node, and a duration */
                            _ ("GPUs of %s were starved while a core of the node was saturated, %s after the start."),
                            nodes, first);
  return g_strdup_printf (
    /* Translators: nodes, the number of instants, and two durations */
    _ (
      "GPUs of %s were starved at %u instants while a core of their node was saturated, from %s to %s after the start."),
    nodes, n, first, last);
}

/* --- utilization around the bottlenecks --------------------------------------------------------------------------- */

/* One sample of the utilization of a CPU core or a GPU. */
typedef struct {
  gint64 time_ns;
  double value;
} Sample;

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Sample *) a)->time_ns, y = ((const Sample *) b)->time_ns;
  return x < y ? -1 : x > y;
}

/* Returns the samples of all cores or all GPUs of a node in the range, sorted by time. */
static GArray *
collect_samples (const LoomPageInput *input, guint32 host, LoomDevice type, LoomRange range)
{
  GArray *samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  for (guint i = 0; i < input->frame->n_series; i++) {
    const LoomSampleSeries *series = &input->frame->series[i];
    if (series->host_id != host || !loom_data_frame_series_is (series, type, LOOM_SELECT_DIMENSION))
      continue;
    for (guint32 k = 0; k < series->n; k++) {
      Sample sample = { series->time_ns[k], series->value[k] };
      if (sample.time_ns >= range.begin_ns && sample.time_ns < range.end_ns)
        g_array_append_val (samples, sample);
    }
  }
  g_array_sort (samples, compare_samples);
  return samples;
}

/* Returns the times of the bottlenecks of a node as a set. Its elements are gint64 values that are borrowed from
 * `bottlenecks`. Owned by the caller. */
static GHashTable *
collect_times (const LoomBottlenecks *bottlenecks, guint32 host)
{
  GHashTable *times = g_hash_table_new (loom_int64_hash, g_int64_equal);
  for (guint i = 0; i < bottlenecks->n; i++)
    if (bottlenecks->items[i].host_id == host)
      g_hash_table_add (times, (gpointer) &bottlenecks->items[i].time_ns);
  return times;
}

/* Returns the series of the CPU core that is used most from the first to the last bottleneck of a node; NULL if the
 * node has no series of cores. */
static const LoomSampleSeries *
find_busiest (const LoomPageInput *input, LoomRange bottlenecks, guint32 host)
{
  const LoomSampleSeries *busiest = NULL;
  double most = 0;
  for (guint i = 0; i < input->frame->n_series; i++) {
    const LoomSampleSeries *series = &input->frame->series[i];
    double sum = 0;
    guint n = 0;
    if (series->host_id != host || !loom_data_frame_series_is (series, LOOM_DEVICE_CPU, LOOM_SELECT_DIMENSION))
      continue;
    for (guint32 k = 0; k < series->n; k++)
      if (series->time_ns[k] >= bottlenecks.begin_ns && series->time_ns[k] <= bottlenecks.end_ns) {
        sum += series->value[k];
        n++;
      }
    if (n > 0 && sum / n > most) {
      busiest = series;
      most = sum / n;
    }
  }
  return busiest;
}

/* Returns the title of the chart line of CPU cores. It contains the name of the core that is used most at the
 * bottlenecks. Owned by the caller. */
static char *
dup_core_title (const LoomPageInput *input, LoomRange bottlenecks, guint32 host)
{
  const LoomSampleSeries *series = find_busiest (input, bottlenecks, host);
  return series != NULL ? g_strdup_printf (/* Translators: the name of a CPU core */
                                           _ ("busiest core (%s during bottlenecks)"), series->name)
                        : g_strdup (_ ("busiest core"));
}

/* Adds a line to the chart. Its value at each time is the highest utilization of all CPU cores or, if `type` is
 * LOOM_DEVICE_GPU, the mean utilization of the GPUs. Points of GPUs at the times in `bottlenecks` (from
 * collect_times()) are marked. Appends the time of each point to `times`. */
static void
add_utilization (LoomChart *chart, const LoomPageInput *input, GHashTable *bottlenecks, guint32 host, LoomDevice type,
                 LoomRange range, const char *title, GArray *times)
{
  g_autoptr (GArray) samples = collect_samples (input, host, type, range);
  gboolean are_gpus = type == LOOM_DEVICE_GPU;
  loom_chart_add_line (chart, title, are_gpus ? loom_chart_work_color (LOOM_WORK_KIND_COMPUTE) : 0);
  for (guint i = 0, end; i < samples->len; i = end) {
    gint64 time_ns = g_array_index (samples, Sample, i).time_ns;
    double sum = 0, most = 0;
    for (end = i; end < samples->len && g_array_index (samples, Sample, end).time_ns == time_ns; end++) {
      sum += g_array_index (samples, Sample, end).value;
      most = MAX (most, g_array_index (samples, Sample, end).value);
    }
    loom_chart_add_point (chart, (double) loom_time_sub (time_ns, loom_page_get_zero (input)),
                          are_gpus ? sum / (end - i) : most, are_gpus && g_hash_table_contains (bottlenecks, &time_ns));
    g_array_append_val (times, time_ns);
  }
}

/* Returns the time range from the first to the last bottleneck of the node. */
static LoomRange
get_range (const LoomBottlenecks *bottlenecks, guint32 host)
{
  LoomRange range = { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < bottlenecks->n; i++) {
    if (bottlenecks->items[i].host_id != host)
      continue;
    range.begin_ns = MIN (range.begin_ns, bottlenecks->items[i].time_ns);
    range.end_ns = MAX (range.end_ns, bottlenecks->items[i].time_ns);
  }
  return range;
}

/* Returns the time range of the chart: the range of the bottlenecks, extended at both ends by its own length, but at
 * least by LEAST_AROUND_NS. */
static LoomRange
extend (LoomRange range)
{
  gint64 around_ns = MAX (loom_time_sub (range.end_ns, range.begin_ns), LEAST_AROUND_NS);
  return (LoomRange) { loom_time_sub (range.begin_ns, around_ns), loom_time_add (range.end_ns, around_ns) };
}

/* Adds a chart of the utilization of a node over time, around its bottlenecks. */
static void
add_node_chart (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks, guint32 host)
{
  const char *node = loom_data_frame_get_host (input->frame, host);
  LoomRange marked = get_range (bottlenecks, host), range = extend (marked);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *title = node[0] != '\0' ? g_strdup_printf (/* Translators: the name of a node */
                                                              _ ("Utilization of %s, bottlenecks marked"), node)
                                           : g_strdup (_ ("Utilization, bottlenecks marked"));
  g_autoptr (GHashTable) bottleneck_times = collect_times (bottlenecks, host);
  LoomChart *chart = loom_chart_new_lines (title, _ ("time since start"), "ns", "%", FALSE);
  g_autofree char *core = dup_core_title (input, marked, host);
  add_utilization (chart, input, bottleneck_times, host, LOOM_DEVICE_CPU, range, core, times);
  add_utilization (chart, input, bottleneck_times, host, LOOM_DEVICE_GPU, range, _ ("GPUs, mean"), times);
  loom_chart_set_limit (chart, input->thresholds.bottleneck.high_cpu, C_ ("chart", "saturated above"));
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < times->len; i++)
    loom_page_set_instant (sheet, i, g_array_index (times, gint64, i));
}

static void
add_charts (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  guint n = 0;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < bottlenecks->n && n < MAX_CHARTS; i++)
    if (g_hash_table_add (seen, GUINT_TO_POINTER (bottlenecks->items[i].host_id))) {
      add_node_chart (sheet, input, bottlenecks, bottlenecks->items[i].host_id);
      n++;
    }
}

static void
add_facts (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks,
           LoomBottleneckLimits limits)
{
  g_autofree char *counted = g_strdup_printf (
    /* Translators: limits of CPU and GPU utilization */
    _ ("saturated: cores above %.3g %%; starved: GPUs at or below %.3g %%"), limits.high_cpu, limits.low_gpu);
  loom_page_content_add_facts (sheet, _ ("CPU bottlenecks"));
  loom_page_add_number (sheet, _ ("Instants with bottlenecks"), bottlenecks->n, "");
  loom_page_add_number (sheet, _ ("Samples of starved GPUs"), (double) bottlenecks->n_rows, "");
  loom_page_add_number (sheet, _ ("Samples of starved GPUs in the training loop"),
                        input->phases.has_loop ? (double) bottlenecks->n_rows_in_loop : NAN, "");
  loom_page_content_add_fact (sheet, _ ("Thresholds"), counted);
}

static void
add_instants (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  LoomResultTable *table = loom_result_table_new (_ ("Instants with bottlenecks"));
  guint time =
    loom_result_table_add_column (table, C_ ("column", "Time"), "time", _ ("Time since the start of the run"));
  guint node = loom_result_table_add_column (table, C_ ("column", "Node"), NULL, NULL),
        cores = loom_result_table_add_column (table, C_ ("column", "Saturated Cores"), "", NULL);
  guint gpus = loom_result_table_add_column (table, C_ ("column", "Starved GPUs"), "", NULL),
        loop = loom_result_table_add_column (table, C_ ("column", "In Training Loop"), NULL, NULL);
  for (guint i = 0; i < bottlenecks->n; i++) {
    const LoomBottleneck *item = &bottlenecks->items[i];
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, time, (double) (item->time_ns - loom_page_get_zero (input)));
    loom_result_table_set_text (table, node, loom_data_frame_get_host (input->frame, item->host_id));
    loom_result_table_set_number (table, cores, item->n_high_cores);
    loom_result_table_set_number (table, gpus, item->n_low_gpus);
    loom_result_table_set_text (table, loop,
                                !input->phases.has_loop ? "–"
                                : item->in_loop         ? C_ ("table", "yes")
                                                        : C_ ("table", "no"));
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < bottlenecks->n; i++)
    loom_page_set_instant (sheet, i, bottlenecks->items[i].time_ns);
}

static char *
dup_only_then (const char *names)
{
  return g_strdup_printf (_ ("Functions that ran only during bottlenecks: %s."), names);
}

/* Adds the sentence that answers the question of the page, and that also names the work that takes longer at
 * bottlenecks. Then adds the tables and charts from which the sentence follows. */
static void
add_causes (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks)
{
  const LoomCauseWords words = {
    .functions = _ ("Functions during bottlenecks"),
    .phases = _ ("Training phases during bottlenecks"),
    .bars = _ ("Mean duration during bottlenecks and at other times"),
    .here = _ ("during bottlenecks"),
    .there = C_ ("bars", "at other times"),
    .table = _ ("What takes longer during bottlenecks"),
    .dup_only_then = dup_only_then,
  };
  LoomCauseComparison contrast;
  loom_cause_comparison_init_bottlenecks (&contrast, input->frame, bottlenecks);
  g_autofree char *answer = dup_answer (input, bottlenecks),
                  *cause = loom_page_causes_dup_main (sheet, input, &contrast, &words),
                  *all = loom_sentence_join (answer, cause);
  loom_page_content_add_answer (sheet, all);
  add_charts (sheet, input, bottlenecks);
  if (contrast.during.n_rows == 0)
    loom_page_content_add_missing (
      sheet, _ ("No work of the framework was recorded at the bottlenecks, so their causes are unknown."));
  else {
    loom_page_causes_add_suspects (sheet, input, &contrast, &words);
    loom_page_causes_add_evidence (sheet, input, &contrast, &words);
  }
  loom_cause_comparison_clear (&contrast);
}

LoomPageContent *
loom_page_bottlenecks (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomPageContent *sheet = loom_page_content_new (input->range);
  const char *why = loom_page_no_device (input, LOOM_DEVICE_GPU);
  LoomBottlenecks bottlenecks;
  if (why == NULL)
    why = loom_page_no_device (input, LOOM_DEVICE_CPU);
  if (why != NULL) {
    loom_page_content_add_missing (sheet, why);
    loom_page_add_advice (sheet, input, LOOM_LACKS_METRICS);
    return sheet;
  }
  loom_bottlenecks_init (&bottlenecks, input->frame, &input->phases, LOOM_SELECT_DIMENSION,
                         input->thresholds.bottleneck);
  loom_page_count_part (input, cancellable);
  loom_page_content_set_sources (sheet, _ ("computed from system metrics and the framework’s spans"));
  if (input->phases.is_loose)
    loom_page_content_add_missing (sheet, loom_page_no_loop (input));
  if (bottlenecks.n > 0 && !g_cancellable_is_cancelled (cancellable)) {
    add_causes (sheet, input, &bottlenecks);
    add_facts (sheet, input, &bottlenecks, input->thresholds.bottleneck);
    add_instants (sheet, input, &bottlenecks);
  } else {
    g_autofree char *answer = dup_answer (input, &bottlenecks);
    loom_page_content_add_answer (sheet, answer);
    add_facts (sheet, input, &bottlenecks, input->thresholds.bottleneck);
  }
  loom_page_count_part (input, cancellable);
  loom_bottlenecks_clear (&bottlenecks);
  return loom_page_finish (sheet, cancellable);
}
