/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the rows and columns of the tables of statistics.
 */
#include "loom-page-statistics.h"

#include "loom-device-usage.h"
#include "loom-phase-intervals.h"
#include "loom-step-of-row.h"
#include "loom-step-statistics.h"
#include "loom-utilization-statistics.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define NO_ROW G_MAXUINT32

/* Adds the columns of a statistical summary: the number of values, and then statistics such as mean and median. Returns
 * the index of the first of these columns. */
static guint
add_summary_columns (LoomResultTable *table, const char *counted, const char *unit)
{
  guint first = loom_result_table_add_column (table, counted, "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Mean"), unit, NULL);
  loom_result_table_add_column (table, C_ ("column", "Min"), unit, NULL);
  loom_result_table_add_column (table, C_ ("column", "Median"), unit, NULL);
  loom_result_table_add_column (table, C_ ("column", "p95"), unit, NULL);
  loom_result_table_add_column (table, C_ ("column", "p99"), unit, NULL);
  loom_result_table_add_column (table, C_ ("column", "Max"), unit, NULL);
  return first;
}

/* Writes `count` into the column `first`. If there are at least two values, also writes the statistics of the values
 * into the columns after `first`. */
static void
set_summary (LoomResultTable *table, guint first, guint64 count, const LoomStatistics *summary)
{
  const double figures[] = { summary->mean, summary->min, summary->p50, summary->p95, summary->p99, summary->max };
  loom_result_table_set_number (table, first, (double) count);
  if (summary->n > 1)
    loom_result_table_set_numbers (table, first + 1, figures, G_N_ELEMENTS (figures));
}

/* Adds a column for the number of steps, and then either one column with the duration or, if at least one item has
 * several steps, columns with statistics of the durations. Returns the index of the first new column. */
static guint
add_time_columns (LoomResultTable *table, const LoomStepStatistics *statistics)
{
  gboolean several = FALSE;
  for (guint i = 0; i < statistics->n; i++)
    several |= statistics->items[i].ns.n > 1;
  if (several)
    return add_summary_columns (table, C_ ("column", "Steps"), "ns");
  guint first = loom_result_table_add_column (table, C_ ("column", "Steps"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Duration"), "ns", NULL);
  return first;
}

static void
set_times (LoomResultTable *table, guint first, const LoomStepStatistic *item)
{
  if (table->columns->len > first + 2) {
    set_summary (table, first, item->n_steps, &item->ns);
    return;
  }
  loom_result_table_set_number (table, first, item->n_steps);
  loom_result_table_set_number (table, first + 1, item->ns.n > 0 ? item->ns.mean : NAN);
}

/* Returns TRUE if names on pages include the node, which is the case only if the run has several nodes. */
static gboolean
has_nodes (const LoomPageInput *input)
{
  return input->frame->n_hosts > 1;
}

static const char *
host_words (const char *host)
{
  return host != NULL && host[0] != '\0' ? host : C_ ("node", "unknown");
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* Returns an array, indexed by the id of the name of a metric or process. Each element is the index of the longest row
 * (span) of the data frame with this name; NO_ROW if there is none. Owned by the caller. */
static guint32 *
dup_longest (const LoomPageInput *input, LoomStepKey by)
{
  const LoomDataFrameRows *rows = &input->frame->rows;
  const guint32 *ids = by == LOOM_BY_PROCESS ? rows->process : rows->metric;
  guint32 n = loom_data_frame_get_n_texts (input->frame), *longest = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    longest[i] = NO_ROW;
  for (guint32 i = 0; i < rows->n; i++) {
    guint32 *row = &longest[ids[i]];
    if (*row == NO_ROW || rows->end_ns[i] - rows->start_ns[i] > rows->end_ns[*row] - rows->start_ns[*row])
      *row = i;
  }
  return longest;
}

static void
set_row_place (LoomPageContent *sheet, const LoomPageInput *input, guint element, guint32 row)
{
  if (row != NO_ROW)
    loom_page_content_set_place (sheet, element, loom_page_row_range (input, row), &input->frame->rows.span[row], 1);
}

static gboolean
is_step (const LoomPageInput *input, guint32 row)
{
  return row != NO_ROW && (input->frame->rows.flags[row] & LOOM_ROW_STEP) != 0;
}

/* Adds a table of steps, with a row for each training phase, metric or process. If there is only one training phase,
 * adds nothing, because its row would repeat the numbers of all steps. */
static void
add_steps_by (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepOfRow *steps, LoomStepKey by,
              const char *title, const char *key)
{
  LoomStepStatistics statistics;
  loom_step_statistics_init (&statistics, input->frame, steps, by, FALSE);
  if (statistics.n == 0 || (by == LOOM_BY_TRAINING_PHASE && statistics.n == 1)) {
    loom_step_statistics_clear (&statistics);
    return;
  }
  g_autofree guint32 *longest = dup_longest (input, by);
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (guint32));
  LoomResultTable *table = loom_result_table_new (title);
  loom_result_table_add_column (table, key, NULL, NULL);
  guint ranks = loom_result_table_add_column (table, C_ ("column", "Ranks"), "",
                                              _ ("The times are those of the individual steps of each rank"));
  guint running = G_MAXUINT;
  if (by == LOOM_BY_METRIC)
    running = loom_result_table_add_column (table, C_ ("column", "Time per Step"), "ns",
                                            _ ("Mean time of a step in which at least one span of the metric runs"));
  guint first = add_time_columns (table, &statistics);
  if (by == LOOM_BY_METRIC) {
    loom_result_table_set_bars (table, running, LOOM_RESULT_BARS_OF_SHARES);
    /* Hides the columns with statistics of durations. Here, a duration is the time from the first start to the last end
     * of the metric's spans in a step, which is long even if there are only short spans at the start and at the end of
     * the step. */
    for (guint i = first + 1; i < table->columns->len; i++)
      loom_result_table_set_detail (table, i);
  }
  loom_result_table_set_order (table, by == LOOM_BY_METRIC ? running : first + 1, TRUE);
  for (guint i = 0; i < statistics.n; i++) {
    if (by == LOOM_BY_METRIC && is_step (input, longest[statistics.items[i].key]))
      /* skip the spans that mark steps, because their durations are those of all steps, which the page already shows */
      continue;
    loom_result_table_add_row (table, loom_data_frame_get_text (input->frame, statistics.items[i].key));
    g_array_append_val (shown, longest[statistics.items[i].key]);
    loom_result_table_set_number (table, ranks, statistics.items[i].n_ranks);
    if (by == LOOM_BY_METRIC)
      loom_result_table_set_number (table, running, statistics.items[i].running_ns);
    set_times (table, first, &statistics.items[i]);
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < shown->len; i++)
    set_row_place (sheet, input, i, g_array_index (shown, guint32, i));
  loom_step_statistics_clear (&statistics);
}

/* Returns the row of the longest span of a metric on one worker (a rank or process). */
static guint32
longest_of (const LoomPageInput *input, guint worker, guint32 metric)
{
  const LoomDataFrameRows *rows = &input->frame->rows;
  guint32 longest = NO_ROW;
  for (guint32 i = 0; i < rows->n; i++)
    if (rows->worker[i] == worker && rows->metric[i] == metric &&
        (longest == NO_ROW || rows->end_ns[i] - rows->start_ns[i] > rows->end_ns[longest] - rows->start_ns[longest]))
      longest = i;
  return longest;
}

static gboolean
has_several_keys (const LoomStepStatistics *statistics)
{
  for (guint i = 1; i < statistics->n; i++)
    if (statistics->items[i].key != statistics->items[0].key)
      return TRUE;
  return FALSE;
}

/* Adds a table with a row for each training phase on each rank. Adds nothing if there is only one training phase,
 * because the table “Steps by rank” then has the same rows, or only one rank, because the table “Steps by training
 * phase” then has the same rows. */
static void
add_steps_by_phase_and_rank (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepOfRow *steps)
{
  LoomStepStatistics statistics;
  loom_step_statistics_init (&statistics, input->frame, steps, LOOM_BY_TRAINING_PHASE, TRUE);
  LoomResultTable *table = loom_result_table_new (_ ("Steps by training phase and rank"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  guint name = loom_result_table_add_column (table, C_ ("column", "Training Phase"), NULL, NULL);
  guint first = add_time_columns (table, &statistics);
  for (guint i = 0; i < statistics.n; i++) {
    g_autofree char *worker = loom_page_worker_name (input, statistics.items[i].worker);
    loom_result_table_add_row (table, worker);
    loom_result_table_set_text (table, name, loom_data_frame_get_text (input->frame, statistics.items[i].key));
    set_times (table, first, &statistics.items[i]);
  }
  if (has_several_keys (&statistics) && statistics.items[0].worker != statistics.items[statistics.n - 1].worker) {
    loom_page_content_take_table (sheet, table);
    for (guint i = 0; i < statistics.n; i++)
      set_row_place (sheet, input, i, longest_of (input, statistics.items[i].worker, statistics.items[i].key));
  } else
    loom_result_table_unref (table);
  loom_step_statistics_clear (&statistics);
}

void
loom_page_statistics_add_step_statistics (LoomPageContent *sheet, const LoomPageInput *input, GCancellable *cancellable)
{
  const struct {
    LoomStepKey by;
    const char *title, *key;
  } tables[] = {
    { LOOM_BY_TRAINING_PHASE, _ ("Steps by training phase"), C_ ("column", "Training Phase") },
    { LOOM_BY_METRIC, _ ("Time of framework metrics in each step"), C_ ("column", "Metric") },
    { LOOM_BY_PROCESS, _ ("Extent in each step of each process, first start to last end"), C_ ("column", "Process") },
  };
  LoomStepOfRow steps;
  loom_step_of_row_init (&steps, input->frame);
  for (guint i = 0; i < G_N_ELEMENTS (tables) && !g_cancellable_is_cancelled (cancellable); i++) {
    add_steps_by (sheet, input, &steps, tables[i].by, tables[i].title, tables[i].key);
    if (tables[i].by == LOOM_BY_TRAINING_PHASE)
      add_steps_by_phase_and_rank (sheet, input, &steps);
  }
  guint n_without = steps.n_without;
  loom_step_of_row_clear (&steps);
  if (n_without == 0)
    return;
  g_autofree char *text =
    g_strdup_printf (ngettext ("%u span is outside all steps and is not counted here.",
                               "%u spans are outside all steps and are not counted here.", n_without),
                     n_without);
  loom_page_content_add_note (sheet, text);
}

/* --- resources ---------------------------------------------------------------------------------------------------- */

/* Returns a text that names a resource for the user. The first of these cases that applies determines the text. If
 * item->dimension is NULL, the text is the type alone: "cpu". If item->name is set, the text is the name and the
 * dimension: "Receive, Algorithm". If the dimension contains the type, the text is the dimension alone:
 * "GPUUtilization". In all other cases, the text is the type and the dimension: "memory Used". Owned by the caller. */
static char *
dup_resource_name (const LoomUtilizationStatistic *item)
{
  const char *dimension = item->dimension;
  if (dimension == NULL)
    return g_strdup (item->type);
  if (item->name != NULL)
    return loom_utilization_statistics_dup_label (item);
  g_autofree char *lower = g_ascii_strdown (dimension, -1);
  return strstr (lower, item->type) != NULL ? g_strdup (dimension) : g_strdup_printf ("%s %s", item->type, dimension);
}

static void
add_resource (LoomResultTable *table, const LoomUtilizationStatistic *item, gboolean node, gboolean phase)
{
  guint column = 1;
  g_autofree char *name = dup_resource_name (item);
  loom_result_table_add_row (table, name);
  if (node)
    loom_result_table_set_text (table, column++, host_words (item->host));
  if (phase)
    loom_result_table_set_text (table, column++, item->phase);
  loom_result_table_set_row_unit (table, item->dimension != NULL ? item->unit : "");
  set_summary (table, column, item->value.n, &item->value);
}

static void
add_resources (LoomPageContent *sheet, const LoomPageInput *input, const char *title, gboolean by_phase)
{
  LoomUtilizationStatistics statistics;
  loom_utilization_statistics_init (&statistics, input->frame, by_phase);
  LoomResultTable *table = loom_result_table_new (title);
  loom_result_table_add_column (table, C_ ("column", "Resource"), NULL, NULL);
  if (has_nodes (input))
    loom_result_table_add_column (table, C_ ("column", "Node"), NULL, NULL);
  if (by_phase)
    loom_result_table_add_column (table, C_ ("column", "Training Phase"), NULL, NULL);
  add_summary_columns (table, C_ ("column", "Samples"), "row");
  for (guint i = 0; i < statistics.n; i++)
    add_resource (table, &statistics.items[i], has_nodes (input), by_phase);
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < statistics.n; i++)
    loom_page_content_set_device (sheet, i, statistics.items[i].host, "");
  loom_utilization_statistics_clear (&statistics);
}

void
loom_page_statistics_add_resources (LoomPageContent *sheet, const LoomPageInput *input)
{
  add_resources (sheet, input, _ ("Resources by node"), FALSE);
  if (input->phases.has_loop)
    add_resources (sheet, input, _ ("Resources by training phase"), TRUE);
}

/* Returns the name of a device, with its type in upper case: files contain "cpu", but the name shown is "CPU". Owned by
 * the caller. */
static char *
dup_device_words (const LoomPageInput *input, const LoomDeviceUsageRow *row)
{
  g_autofree char *upper = g_ascii_strup (row->type, -1);
  return loom_page_device_name (input, row->host, upper);
}

void
loom_page_statistics_add_usage_ranges (LoomPageContent *sheet, const LoomPageInput *input)
{
  /* indices of the colours for the ranges of utilization; other charts use the same colours */
  static const guint colors[] = { 0, 1, 2 };
  LoomDeviceUsage usage;
  guint n_ranges = G_N_ELEMENTS (loom_device_usage_ranges);
  loom_device_usage_init (&usage, input->frame, loom_device_usage_ranges, n_ranges, TRUE);
  LoomChart *chart = loom_chart_new_bars (_ ("Samples by utilization of the devices"), "%", TRUE);
  for (guint i = 0; i < n_ranges; i++) {
    g_autofree char *label =
      g_strdup_printf (_ ("%.0f–%.0f %%"), loom_device_usage_ranges[i].low, loom_device_usage_ranges[i].high);
    loom_chart_add_bar_series (chart, label, colors[i]);
  }
  for (guint i = 0; i < usage.n; i++) {
    double shares[LOOM_MAX_USAGE_RANGES];
    g_autofree char *name = dup_device_words (input, &usage.rows[i]);
    for (guint k = 0; k < n_ranges; k++)
      shares[k] = loom_statistics_percent ((double) usage.rows[i].count[k], (double) usage.rows[i].n_samples);
    loom_chart_add_bar_group (chart, name, shares);
  }
  if (usage.n > 0)
    loom_page_content_take_chart (sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i < usage.n * n_ranges; i++)
    loom_page_content_set_device (sheet, i, usage.rows[i / n_ranges].host, "");
  loom_device_usage_clear (&usage);
}

/* --- phases ------------------------------------------------------------------------------------------------------- */

static void
add_intervals_of (LoomResultTable *table, GArray *places, const LoomPageInput *input, guint host, gboolean pooled)
{
  LoomPhaseIntervals intervals;
  loom_phase_intervals_init (&intervals, input->frame, host, NULL);
  for (guint i = 0; i < intervals.n; i++) {
    const LoomPhaseInterval *item = &intervals.items[i];
    LoomRange place = { item->begin_ns, MAX (item->end_ns, item->begin_ns + 1) };
    loom_result_table_add_row (table, item->name);
    loom_result_table_set_number (table, 1, (double) (item->begin_ns - loom_page_get_zero (input)));
    loom_result_table_set_number (table, 2, (double) (item->end_ns - loom_page_get_zero (input)));
    loom_result_table_set_number (table, 3, (double) (item->end_ns - item->begin_ns));
    if (has_nodes (input))
      loom_result_table_set_text (
        table, 4, pooled ? C_ ("nodes or devices", "all") : host_words (loom_data_frame_get_host (input->frame, host)));
    g_array_append_val (places, place);
  }
  loom_phase_intervals_clear (&intervals);
}

void
loom_page_statistics_add_intervals (LoomPageContent *sheet, const LoomPageInput *input)
{
  gboolean pooled = input->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  guint n_hosts = pooled ? 1 : input->frame->n_hosts;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  LoomResultTable *table = loom_result_table_new (_ ("Training phases in chronological order"));
  loom_result_table_add_column (table, C_ ("column", "Training Phase"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Start"), "time", _ ("Time since the start of the run"));
  loom_result_table_add_column (table, C_ ("column", "End"), "time", NULL);
  loom_result_table_add_column (table, C_ ("column", "Duration"), "ns", NULL);
  if (has_nodes (input))
    loom_result_table_add_column (table, C_ ("column", "Node"), NULL, NULL);
  for (guint i = 0; i < n_hosts; i++)
    add_intervals_of (table, places, input, i, pooled);
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < places->len; i++)
    loom_page_content_set_place (sheet, i, g_array_index (places, LoomRange, i), NULL, 0);
}
