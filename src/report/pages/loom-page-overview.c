/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Summary", which shows when the job initialized, trained and finished, how busy its GPUs were, how
 * ranks spent their time, and the findings that cost most time.
 */
#include "loom-page-private.h"

#include "loom-device-parts.h"
#include "loom-gpu-balance.h"
#include "loom-gpu-usage-classes.h"
#include "loom-list-separator.h"
#include "loom-page-statistics.h"
#include "loom-step-durations.h"
#include "loom-summary-figures.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MAX_FINDINGS 3
/* Minimum loss of a finding that is shown, in percent. If the loss is a part of the time of all steps, this is a
 * percentage of the time of all steps; otherwise, it is a percentage of the time of the job. */
#define MIN_SHARE 1.0
#define FINALIZATION_COLOR 4

/* --- findings ----------------------------------------------------------------------------------------------------- */

typedef struct {
  /* mean time lost per rank or device, in ns. Findings are sorted by this time, because their percentages cannot be
   * compared: some are percentages of the time of steps, others of the time of the job. */
  double lost_ns;
  char *text;
  LoomRange range;
  /* span that is selected when the user activates the finding; LOOM_SPAN_ID_NONE: the finding has only a range */
  LoomSpanId span;
} Finding;

static void
finding_clear (gpointer data)
{
  g_free (((Finding *) data)->text);
}

static gint
compare_findings (gconstpointer a, gconstpointer b)
{
  double x = ((const Finding *) a)->lost_ns, y = ((const Finding *) b)->lost_ns;
  return x > y ? -1 : x < y;
}

/* Adds a finding about a loss of `share` percent of the time `of_ns`, unless the share is below MIN_SHARE. Takes
 * ownership of the text. */
static void
take_finding (GArray *findings, double share, double of_ns, char *text, LoomRange range, LoomSpanId span)
{
  Finding finding = { share / 100 * of_ns, text, range, span };
  if (share >= MIN_SHARE)
    g_array_append_val (findings, finding);
  else
    g_free (text);
}

static double
job_ns (const LoomPageInput *input)
{
  LoomRange job = loom_page_job_range (input);
  return (double) loom_time_sub (job.end_ns, job.begin_ns);
}

/* --- phases ------------------------------------------------------------------------------------------------------- */

static void
add_phases (LoomPageContent *sheet, const LoomPageInput *input)
{
  const LoomJobPhases *phases = &input->phases;
  if (!phases->has_loop || !phases->has_samples)
    return;
  LoomChart *chart = loom_chart_new_pie (_ ("Phases of the job"), "ns", NULL);
  loom_chart_add_slice (chart, C_ ("chart", "initialization"), (double) phases->initialization_ns, LOOM_CHART_GREY);
  loom_chart_add_slice (chart, _ ("training loop"), (double) phases->training_loop_ns, 0);
  loom_chart_add_slice (chart, C_ ("chart", "finalization"), (double) phases->finalization_ns, FINALIZATION_COLOR);
  LoomRange before = { phases->job_begin_ns, phases->loop_begin_ns },
            loop = { phases->loop_begin_ns, phases->loop_end_ns };
  LoomRange after = { phases->loop_end_ns, phases->job_end_ns };
  loom_page_content_take_chart (sheet, chart, FALSE);
  loom_page_content_set_place (sheet, 0, before, NULL, 0);
  loom_page_content_set_place (sheet, 1, loop, NULL, 0);
  loom_page_content_set_place (sheet, 2, after, NULL, 0);
}

/* --- usage -------------------------------------------------------------------------------------------------------- */

static const LoomGpuUsage usage_order[] = {
  LOOM_GPU_USAGE_HIGH,           LOOM_GPU_USAGE_SUBOPTIMAL,     LOOM_GPU_USAGE_LOW,
  LOOM_GPU_USAGE_CPU_BOTTLENECK, LOOM_GPU_USAGE_INITIALIZATION, LOOM_GPU_USAGE_FINALIZATION
};

/* Returns the number of classes of GPU usage that the page shows. For a job without a training loop, the classes before
 * and after the loop are omitted. */
static guint
n_usages (const LoomPageInput *input)
{
  return input->phases.has_loop ? G_N_ELEMENTS (usage_order) : G_N_ELEMENTS (usage_order) - 2;
}

static const char *
usage_words (LoomGpuUsage usage)
{
  switch (usage) {
  case LOOM_GPU_USAGE_INITIALIZATION: return C_ ("chart", "initialization");
  case LOOM_GPU_USAGE_FINALIZATION: return C_ ("chart", "finalization");
  case LOOM_GPU_USAGE_HIGH: return _ ("high usage");
  case LOOM_GPU_USAGE_SUBOPTIMAL: return _ ("suboptimal usage");
  case LOOM_GPU_USAGE_CPU_BOTTLENECK: return _ ("CPU bottleneck");
  default: return _ ("low usage");
  }
}

static LoomRange
usage_range (const LoomPageInput *input, const LoomBottlenecks *bottlenecks, LoomGpuUsage usage)
{
  const LoomJobPhases *phases = &input->phases;
  if (usage == LOOM_GPU_USAGE_INITIALIZATION)
    return (LoomRange) { phases->job_begin_ns, phases->loop_begin_ns };
  if (usage == LOOM_GPU_USAGE_FINALIZATION)
    return (LoomRange) { phases->loop_end_ns, phases->job_end_ns };
  if (usage == LOOM_GPU_USAGE_CPU_BOTTLENECK && bottlenecks->n > 0)
    return (LoomRange) { bottlenecks->items[0].time_ns, bottlenecks->items[bottlenecks->n - 1].time_ns + 1 };
  return phases->has_loop ? (LoomRange) { phases->loop_begin_ns, phases->loop_end_ns } : input->range;
}

/* Adds a table with a row for each class of GPU usage; a row shows the time that the samples of this class cover. */
static void
add_usage_table (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks,
                 const LoomGpuUsageClasses *classes)
{
  LoomResultTable *table = loom_result_table_new (_ ("GPU usage"));
  loom_result_table_add_column (table, C_ ("column", "Usage or Phase"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Samples"), "", NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Share"), NULL);
  loom_result_table_add_column (table, C_ ("column", "GPU Time"), "ns",
                                _ ("Estimated from the number of samples and the usual time between them"));
  for (guint i = 0; i < n_usages (input); i++) {
    double samples = (double) classes->count[usage_order[i]];
    loom_result_table_add_row (table, usage_words (usage_order[i]));
    loom_result_table_set_number (table, 1, samples);
    loom_result_table_set_number (table, 2, loom_statistics_percent (samples, (double) classes->n_samples));
    loom_result_table_set_number (table, 3, classes->interval_ns > 0 ? samples * (double) classes->interval_ns : NAN);
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < n_usages (input); i++)
    loom_page_content_set_place (sheet, i, usage_range (input, bottlenecks, usage_order[i]), NULL, 0);
}

static gboolean
has_usage (const LoomPageInput *input)
{
  gboolean as_written = input->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  return loom_page_no_device (input, LOOM_DEVICE_GPU) == NULL && (input->phases.has_loop || !as_written);
}

static void
add_usage (LoomPageContent *sheet, const LoomPageInput *input, const LoomBottlenecks *bottlenecks,
           const LoomGpuUsageClasses *classes)
{
  static const guint colors[] = { 0, 1, 2, LOOM_CHART_ALARM };
  /* the pie omits the last two classes, the time before and after the training loop, because the chart "Phases of the
   * job" shows them */
  guint n = G_N_ELEMENTS (usage_order) - 2;
  LoomChart *chart = loom_chart_new_pie (
    input->phases.has_loop ? _ ("GPU usage in the training loop") : _ ("GPU usage"), "", C_ ("chart", "samples"));
  for (guint i = 0; i < n; i++)
    loom_chart_add_slice (chart, usage_words (usage_order[i]), (double) classes->count[usage_order[i]], colors[i]);
  loom_page_content_take_chart (sheet, chart, FALSE);
  for (guint i = 0; i < n; i++)
    loom_page_content_set_place (sheet, i, usage_range (input, bottlenecks, usage_order[i]), NULL, 0);
}

/* --- ranks -------------------------------------------------------------------------------------------------------- */

/* Adds charts of how the devices of each rank spent their time, and sets `all` to the sums of all ranks. Returns the
 * number of ranks; −1 when cancelled. */
static int
add_ranks (LoomPageContent *sheet, const LoomPageInput *input, LoomSummarySums *all, GCancellable *cancellable)
{
  g_autoptr (LoomRankBreakdown) breakdown = loom_device_parts_new (input, cancellable);
  if (breakdown == NULL)
    return -1;
  *all = loom_summary_figures_sum (breakdown);
  if (breakdown->n_ranks == 0)
    return 0;
  if (!has_usage (input))
    loom_device_parts_add_pie (sheet, input, breakdown);
  loom_device_parts_add_bars (sheet, input, breakdown, TRUE, FALSE);
  return (int) breakdown->n_ranks;
}

/* --- steps and balance -------------------------------------------------------------------------------------------- */

static guint32
longest_of (const LoomDataFrameRows *rows, const guint32 *steps, guint32 n)
{
  guint32 longest = steps[0];
  for (guint32 i = 1; i < n; i++)
    if (rows->end_ns[steps[i]] - rows->start_ns[steps[i]] > rows->end_ns[longest] - rows->start_ns[longest])
      longest = steps[i];
  return longest;
}

static void
find_outliers (const LoomPageInput *input, const LoomStepDurations *steps, GArray *findings)
{
  const LoomDataFrameRows *rows = &input->frame->rows;
  double lost = 0, total = 0, median = 0;
  guint64 n = 0;
  for (guint i = 0; i < steps->n_groups; i++) {
    total += (double) steps->groups[i].total_ns;
    median += steps->groups[i].median_ns * (double) steps->groups[i].n;
    n += steps->groups[i].n;
  }
  for (guint32 i = 0; i < steps->n_outliers; i++)
    lost += MAX ((double) (rows->end_ns[steps->outliers[i]] - rows->start_ns[steps->outliers[i]]) -
                   median / (double) MAX (n, 1),
                 0);
  if (steps->n_outliers == 0)
    return;
  guint32 longest = longest_of (rows, steps->outliers, steps->n_outliers);
  double share = loom_statistics_percent (lost, total);
  take_finding (
    findings, share, total / steps->n_groups,
    g_strdup_printf (ngettext ("%u step takes more than %.3g times the median: it costs %.1f %% of all time in steps.",
                               "%u steps take more than %.3g times the median: they cost %.1f %% of all time in steps.",
                               steps->n_outlier_steps),
                     steps->n_outlier_steps, input->thresholds.outlier_factor, share),
    loom_page_row_range (input, longest), rows->span[longest]);
}

static void
find_imbalance (const LoomPageInput *input, GArray *findings)
{
  LoomGpuBalance balance;
  const LoomGpuBalancePair *worst = NULL;
  if (loom_page_no_device (input, LOOM_DEVICE_GPU) != NULL)
    return;
  loom_gpu_balance_init (&balance, input->frame, &input->phases, LOOM_SELECT_DIMENSION, FALSE, FALSE,
                         input->thresholds.balance_distance);
  for (guint i = 0; i < balance.n_pairs; i++)
    if (balance.pairs[i].differs && (worst == NULL || balance.pairs[i].distance > worst->distance))
      worst = &balance.pairs[i];
  if (worst != NULL) {
    g_autofree char *a = loom_page_device_name (input, balance.devices[worst->a].host, balance.devices[worst->a].name);
    g_autofree char *b = loom_page_device_name (input, balance.devices[worst->b].host, balance.devices[worst->b].name);
    take_finding (findings, 10 * worst->distance, job_ns (input),
                  g_strdup_printf (_ ("%s and %s have clearly different workloads (histogram distance %.2f)."), a, b,
                                   worst->distance),
                  input->range, LOOM_SPAN_ID_NONE);
  }
  loom_gpu_balance_clear (&balance);
}

/* --- facts, findings and sources ---------------------------------------------------------------------------------- */

/* Returns the clock from which the timeline takes its dates: the clock with the most reliable dates, according to the
 * state of its alignment (LoomClockState). NULL if no clock has dates. */
static const LoomClockFit *
find_best_clock (LoomTimeline *timeline)
{
  LoomAlignment *alignment = loom_timeline_get_alignment (timeline);
  const LoomClockFit *best = NULL;
  for (guint i = 0; i < alignment->n_clocks; i++) {
    const LoomClockFit *fit = loom_alignment_get (alignment, i);
    if (fit->anchored && (best == NULL || fit->state > best->state))
      best = fit;
  }
  return best;
}

/* Removes the fraction of the second from the text of a date, if it has one. */
static void
cut_fraction (char *date)
{
  char *at = strrchr (date, ':');
  gsize n = at != NULL && strlen (at) > 4 ? strspn (at + 4, "0123456789") : 0;
  if (n > 0)
    memmove (at + 3, at + 4 + n, strlen (at + 4 + n) + 1);
}

/* Adds the date at which the job begins. If no file states the date, it is derived from other data, for example from
 * the time at which a file was written; the text then marks the date as approximate. */
static void
add_begin (LoomPageContent *sheet, LoomTimeline *timeline, gint64 begin_ns)
{
  const LoomClockFit *clock = find_best_clock (timeline);
  if (!loom_timeline_is_anchored (timeline) || clock == NULL)
    return;
  g_autofree char *date = loom_time_format_date (begin_ns);
  if (clock->state == LOOM_CLOCK_APPROXIMATE)
    cut_fraction (date);
  g_autofree char *about =
    g_strdup_printf (/* Translators: a date, and what it is computed from: "the file’s modification time" */
                     _ ("about %s, computed from: %s"), date, loom_declared_clock_describe_basis (clock->basis));
  loom_page_content_add_fact (sheet, _ ("Start"), clock->state == LOOM_CLOCK_APPROXIMATE ? about : date);
}

static void
add_job_facts (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepDurations *steps)
{
  const LoomJobPhases *phases = &input->phases;
  LoomRange job = loom_page_job_range (input);
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  guint n_nodes = 0;
  for (guint i = 0; i < input->frame->n_hosts; i++)
    /* a node with an empty name is not counted, because some files do not name their host */
    n_nodes += loom_data_frame_get_host (input->frame, i)[0] != '\0';
  loom_page_content_add_facts (sheet, _ ("The job"));
  add_begin (sheet, input->frame->timeline, job.begin_ns);
  loom_page_add_number (sheet, _ ("Duration"), (double) loom_time_sub (job.end_ns, job.begin_ns), "ns");
  if (phases->has_loop)
    loom_page_add_number (sheet, _ ("Training loop"), (double) phases->training_loop_ns, "ns");
  gboolean knows_steps = input->frame->rows.n > 0;
  loom_page_add_number (sheet, _ ("Training steps"), knows_steps ? (double) steps->n_steps : NAN, "");
  if (steps->n_ranks > 0)
    loom_page_add_number (sheet, _ ("Ranks with training steps"), steps->n_ranks, "");
  if (steps->n_groups == 1)
    loom_page_add_number (sheet, _ ("Median step"), steps->groups[0].n > 1 ? steps->groups[0].median_ns : NAN, "ns");
  if (n_nodes > 0)
    loom_page_add_number (sheet, _ ("Nodes"), n_nodes, "");
  loom_page_add_number (sheet, _ ("Ranks or processes"), input->frame->n_workers, "");
  loom_page_add_number (sheet, _ ("Files"), loom_run_get_n_sources (run), "");
  loom_page_add_number (sheet, _ ("Spans"), input->frame->rows.n, "");
  loom_page_add_number (sheet, _ ("Metric samples"), (double) loom_data_frame_get_n_samples (input->frame), "");
}

/* Adds the findings: sentences about lost time that is not visible in the numbers and charts of the page. */
static void
add_findings (LoomPageContent *sheet, const LoomPageInput *input, GArray *findings)
{
  guint n = MIN (findings->len, MAX_FINDINGS);
  if (n == 0 && input->frame->rows.n > 0)
    return;
  if (n == 0)
    loom_page_content_add_note (
      sheet, _ ("The run has only system metrics, so nothing is known about steps and about the work that ran."));
  LoomResultTable *table = loom_result_table_new (_ ("Other observations"));
  g_array_sort (findings, compare_findings);
  loom_result_table_add_column (table, C_ ("column", "Observation"), NULL, _ ("Double-click a row to go there"));
  for (guint i = 0; i < n; i++)
    loom_result_table_add_row (table, g_array_index (findings, Finding, i).text);
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < n; i++) {
    const Finding *finding = &g_array_index (findings, Finding, i);
    loom_page_content_set_place (sheet, i, finding->range, &finding->span,
                                 loom_timeline_span_id_is_none (finding->span) ? 0 : 1);
  }
  loom_page_content_move_last_first (sheet);
}

static void
add_missing (LoomPageContent *sheet, const LoomPageInput *input)
{
  const char *no_gpu = loom_page_no_device (input, LOOM_DEVICE_GPU), *no_loop = loom_page_no_loop (input);
  if (no_gpu != NULL)
    loom_page_content_add_missing (sheet, no_gpu);
  if (no_loop != NULL)
    loom_page_content_add_missing (sheet, no_loop);
  loom_page_add_missing_nodes (sheet, input, FALSE);
  loom_page_add_missing_nodes (sheet, input, TRUE);
}

static void
append_source (GString *text, const char *what)
{
  if (what != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? loom_list_separator () : "", what);
}

static void
set_sources (LoomPageContent *sheet, const LoomPageInput *input, guint n_computed)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *steps = loom_page_dup_steps (input);
  append_source (text, loom_data_frame_get_n_samples (input->frame) > 0 ? _ ("system metrics") : NULL);
  append_source (text, steps);
  append_source (text, n_computed > 0 ? _ ("kernels and copies (where stated)") : NULL);
  g_autofree char *phrase = g_strdup_printf (
    /* Translators: %s is a list of what was used: "system metrics, 40 training steps (2 profilers),
     * kernels and copies (where stated)" */
    _ ("computed from %s"), text->str);
  if (text->len > 0)
    loom_page_content_set_sources (sheet, phrase);
}

/* --- making the whole page ---------------------------------------------------------------------------------------- */

/* Makes the page. The findings are computed last, because they need results of all other parts, and are then moved to
 * the top of the page. */
LoomPageContent *
loom_page_overview (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomPageContent *sheet = loom_page_content_new (input->range);
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (Finding));
  LoomStepDurations steps;
  LoomBottlenecks bottlenecks;
  g_array_set_clear_func (findings, finding_clear);
  loom_step_durations_init (&steps, input->frame, input->thresholds.outlier_factor, FALSE);
  loom_bottlenecks_init (&bottlenecks, input->frame, &input->phases, LOOM_SELECT_DIMENSION,
                         input->thresholds.bottleneck);
  loom_page_count_part (input, cancellable);
  add_phases (sheet, input);
  LoomGpuUsageClasses classes =
    loom_gpu_usage_classes_compute (input->frame, &input->phases, &bottlenecks, LOOM_SELECT_DIMENSION);
  if (has_usage (input))
    add_usage (sheet, input, &bottlenecks, &classes);
  loom_page_count_part (input, cancellable);
  LoomSummarySums sums = { 0 };
  int n_computed = add_ranks (sheet, input, &sums, cancellable);
  loom_page_count_part (input, cancellable);
  g_autoptr (LoomSteps) found = n_computed >= 0 ? loom_steps_new (input->frame->timeline, cancellable) : NULL;
  gboolean done = found != NULL;
  loom_page_count_part (input, cancellable);
  add_job_facts (sheet, input, &steps);
  if (has_usage (input))
    add_usage_table (sheet, input, &bottlenecks, &classes);
  loom_page_statistics_add_intervals (sheet, input);
  find_outliers (input, &steps, findings);
  find_imbalance (input, findings);
  add_findings (sheet, input, findings);
  done = done && loom_summary_figures_add (sheet, input, found, &sums, cancellable);
  add_missing (sheet, input);
  loom_summary_figures_set_headline (sheet, &sums);
  set_sources (sheet, input, (guint) MAX (n_computed, 0));
  loom_step_durations_clear (&steps);
  loom_bottlenecks_clear (&bottlenecks);
  if (!done)
    g_clear_pointer (&sheet, loom_page_content_unref);
  return sheet;
}
