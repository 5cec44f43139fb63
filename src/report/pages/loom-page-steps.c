/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Steps". It shows the durations of the steps, the outliers among them, which work ran in them, and how
 * busy devices were. It also shows statistics by training phase, metric, process and rank.
 */
#include "loom-page-private.h"

#include "loom-alike-rows.h"
#include "loom-frame-collectives.h"
#include "loom-long-steps.h"
#include "loom-page-causes.h"
#include "loom-page-statistics.h"
#include "loom-sentence.h"
#include "loom-step-parts.h"
#include "loom-step-usage.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* maximum number of ranks whose steps are drawn as columns; for more ranks, the page has a heat map */
#define MAX_COLUMN_RANKS 4
#define MAX_HEAT_ROWS 1024
/* With at least this many ranks, ranks whose steps take about equally long share one row of the heat map. */
#define LEAST_MERGED_RANKS 128
#define MAX_HEAT_COLUMNS 500
/* ranks share a row of the heat map if the durations of their steps differ by less than this fraction of the median
 * duration */
#define LEAST_SPREAD 0.05
/* the colour scale extends on both sides of the median by at least this share of the median, so that smaller
 * differences between steps are hardly visible */
#define LEAST_SCALE 0.25
/* The steps count as equally long if the longest step is longer than the shortest one by less than this share. A
 * histogram would then show only noise. */
#define LEAST_DIFFERENCE 0.02

typedef struct {
  const LoomPageInput *input;
  const LoomDataFrameRows *rows;
  /* guint32: indices of those rows of input->frame that are training steps, sorted by worker, then by step number, then
   * by time */
  GArray *steps;
  LoomStepDurations durations;
  GHashTable *is_outlier; /* set of the steps that are outliers; an element is the index of the row + 1 */
  double median_ns;       /* median of the durations of all steps, in ns */
  /* difference between the longest and the shortest step of all ranks, as a fraction of the shortest; NAN if a step has
   * no duration */
  double difference;
} Steps;

static gint
compare_steps (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomDataFrameRows *rows = user_data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  if (rows->worker[x] != rows->worker[y])
    return rows->worker[x] < rows->worker[y] ? -1 : 1;
  if (rows->step[x] != rows->step[y])
    return rows->step[x] < rows->step[y] ? -1 : 1;
  return (rows->start_ns[x] > rows->start_ns[y]) - (rows->start_ns[x] < rows->start_ns[y]);
}

static void
steps_init (Steps *steps, const LoomPageInput *input)
{
  steps->input = input;
  steps->rows = &input->frame->rows;
  steps->steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  steps->is_outlier = g_hash_table_new (g_direct_hash, g_direct_equal);
  for (guint32 i = 0; i < steps->rows->n; i++)
    if (steps->rows->flags[i] & LOOM_ROW_TRAIN)
      g_array_append_val (steps->steps, i);
  g_array_sort_with_data (steps->steps, compare_steps, (gpointer) steps->rows);
  loom_step_durations_init (&steps->durations, input->frame, input->thresholds.outlier_factor, FALSE);
  for (guint32 i = 0; i < steps->durations.n_outliers; i++)
    g_hash_table_add (steps->is_outlier, GUINT_TO_POINTER (steps->durations.outliers[i] + 1));
}

static void
steps_clear (Steps *steps)
{
  loom_step_durations_clear (&steps->durations);
  g_hash_table_unref (steps->is_outlier);
  g_array_unref (steps->steps);
}

static guint32
step_at (const Steps *steps, guint i)
{
  return g_array_index (steps->steps, guint32, i);
}

static double
duration_of (const Steps *steps, guint32 row)
{
  return (double) (steps->rows->end_ns[row] - steps->rows->start_ns[row]);
}

static gboolean
is_outlier (const Steps *steps, guint32 row)
{
  return g_hash_table_contains (steps->is_outlier, GUINT_TO_POINTER (row + 1));
}

/* Adds two lines to the chart: the median, and the limit above which steps are outliers. With several ranks, both lines
 * are computed from the steps of all ranks. Each step is compared with the median of its own rank, though, so a step
 * that is marked as an outlier may be below the limit line. */
static void
set_marks (LoomChart *chart, const Steps *steps)
{
  gboolean one = steps->durations.n_groups == 1;
  double factor = steps->input->thresholds.outlier_factor;
  g_autofree char *times = g_strdup_printf (_ ("%.3g × the median"), factor);
  loom_chart_set_median (chart, steps->median_ns, one ? C_ ("chart", "median") : _ ("median of all ranks"));
  /* draw the limit only if a step exceeds it; otherwise, the axis would have to be extended up to the limit */
  if (steps->durations.n_outliers > 0)
    loom_chart_set_limit (chart, steps->median_ns * factor, one ? _ ("outliers above this value") : times);
}

static void
add_columns (LoomPageContent *sheet, const Steps *steps)
{
  LoomChart *chart = loom_chart_new_columns (_ ("Duration of each step"), C_ ("chart", "step"), "ns");
  guint32 worker = G_MAXUINT32;
  guint n_lines = 0;
  double last_x = -G_MAXDOUBLE;
  for (guint i = 0; i < steps->steps->len; i++) {
    guint32 row = step_at (steps, i);
    double x = steps->rows->step[row] >= 0 ? (double) steps->rows->step[row] : (double) i;
    if (steps->rows->worker[row] != worker) {
      g_autofree char *name = loom_page_worker_name (steps->input, steps->rows->worker[row]);
      loom_chart_add_line (chart, name, n_lines++);
      worker = steps->rows->worker[row];
      last_x = -G_MAXDOUBLE;
    }
    x = last_x = MAX (x, last_x);
    loom_chart_add_point (chart, x, duration_of (steps, row), is_outlier (steps, row));
  }
  set_marks (chart, steps);
  loom_chart_set_flagged_label (chart, C_ ("chart", "outlier"));
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < steps->steps->len; i++)
    loom_page_content_set_place (sheet, i, loom_page_row_range (steps->input, step_at (steps, i)),
                                 &steps->rows->span[step_at (steps, i)], 1);
}

/* A grid with a row for each rank and a column for each step number. The element rows[rank · n_columns + step number −
 * first] is the index of the step's row in input->frame; G_MAXUINT32 if the rank has no such step. */
typedef struct {
  guint n_ranks, n_columns;
  gint64 first; /* step number of the first column */
  guint32 *rows;
} Grid;

/* Fills the grid. Returns FALSE if a heat map is not possible: the steps have no numbers, or there are too few or too
 * many steps or ranks. */
static gboolean
grid_init (Grid *grid, const Steps *steps)
{
  gint64 last = G_MININT64;
  *grid = (Grid) { .n_ranks = steps->durations.n_groups, .first = G_MAXINT64 };
  for (guint i = 0; i < steps->steps->len; i++) {
    gint64 number = steps->rows->step[step_at (steps, i)];
    grid->first = MIN (grid->first, number);
    last = MAX (last, number);
  }
  if (grid->first < 0 || last - grid->first + 1 < 2 || last - grid->first >= MAX_HEAT_COLUMNS)
    return FALSE;
  grid->n_columns = (guint) (last - grid->first) + 1;
  grid->rows = g_new (guint32, (gsize) grid->n_ranks * grid->n_columns);
  memset (grid->rows, 0xff, sizeof *grid->rows * grid->n_ranks * grid->n_columns);
  for (guint i = 0, rank = 0; i < steps->steps->len; i++) {
    guint32 row = step_at (steps, i);
    if (i > 0 && steps->rows->worker[row] != steps->rows->worker[step_at (steps, i - 1)])
      rank++;
    if (rank < grid->n_ranks)
      grid->rows[(gsize) rank * grid->n_columns + (gsize) (steps->rows->step[row] - grid->first)] = row;
  }
  return TRUE;
}

static char *
dup_heat_name (const Steps *steps, const LoomAlikeRow *row)
{
  char *name = loom_page_worker_name (steps->input, steps->durations.groups[row->row].worker);
  if (row->n_alike == 0)
    return name;
  g_autofree char *alone = name;
  return g_strdup_printf (ngettext ("%s (+%u similar)", "%s (+%u similar)", row->n_alike), alone, row->n_alike);
}

/* Sets the colour scale of the heat map. The median is in the middle of the scale, so that short steps and long steps
 * have different colours. The scale ends at the 99th percentile of the steps. If it ended at the longest step, a few
 * outliers could give all other cells nearly the same colour. */
static void
set_scale (LoomChart *chart, const Steps *steps)
{
  g_autofree double *sorted = g_new (double, steps->steps->len);
  for (guint i = 0; i < steps->steps->len; i++)
    sorted[i] = duration_of (steps, step_at (steps, i));
  LoomStatistics summary = loom_statistics_summarise (sorted, steps->steps->len);
  double spread = MAX (summary.p99 - summary.p50, summary.p50 * LEAST_SCALE);
  loom_chart_set_scale (chart, MAX (summary.p50 - spread, 0), summary.p50 + spread);
}

static void
set_heat_places (LoomPageContent *sheet, const Steps *steps, const Grid *grid, const GArray *shown)
{
  for (guint i = 0; i < shown->len * grid->n_columns; i++) {
    guint rank = g_array_index (shown, LoomAlikeRow, i / grid->n_columns).row;
    guint32 row = grid->rows[(gsize) rank * grid->n_columns + i % grid->n_columns];
    if (row != G_MAXUINT32)
      loom_page_content_set_place (sheet, i, loom_page_row_range (steps->input, row), &steps->rows->span[row], 1);
  }
}

/* Adds a heat map with a cell for each rank and step. It is used for runs with too many ranks to distinguish columns.
 * If there are very many ranks, ranks whose steps take about equally long share a row. */
static void
add_heat (LoomPageContent *sheet, const Steps *steps, const Grid *grid)
{
  LoomChart *chart =
    loom_chart_new_heat (_ ("Duration of each step, by rank"), "ns", C_ ("chart", "step"), "", grid->n_columns,
                         (double) grid->first, (double) grid->first + grid->n_columns);
  gsize n = (gsize) grid->n_ranks * grid->n_columns;
  g_autofree double *values = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    values[i] = grid->rows[i] != G_MAXUINT32 ? duration_of (steps, grid->rows[i]) : NAN;
  double spread = grid->n_ranks >= LEAST_MERGED_RANKS ? MAX (steps->median_ns * LEAST_SPREAD, 1) : 0;
  g_autoptr (GArray) shown = loom_alike_rows_new (values, grid->n_ranks, grid->n_columns, spread, MAX_HEAT_ROWS);
  for (guint i = 0; i < shown->len; i++) {
    const LoomAlikeRow *row = &g_array_index (shown, LoomAlikeRow, i);
    g_autofree char *name = dup_heat_name (steps, row);
    loom_chart_add_heat_row (chart, name, values + (gsize) row->row * grid->n_columns);
  }
  set_scale (chart, steps);
  loom_page_content_take_chart (sheet, chart, TRUE);
  set_heat_places (sheet, steps, grid, shown);
}

static gboolean
are_alike (const Steps *steps)
{
  return steps->steps->len > 1 && steps->difference < LEAST_DIFFERENCE;
}

static void
add_chart (LoomPageContent *sheet, const Steps *steps)
{
  Grid grid;
  gboolean many = steps->durations.n_groups > MAX_COLUMN_RANKS;
  /* no chart of a single step, and no heat map whose cells would all have the same colour */
  if (steps->steps->len < 2 || (many && are_alike (steps)))
    return;
  if (many && grid_init (&grid, steps)) {
    add_heat (sheet, steps, &grid);
    g_free (grid.rows);
  } else
    add_columns (sheet, steps);
}

static void
add_histogram (LoomPageContent *sheet, const Steps *steps)
{
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (LoomPageStretch));
  for (guint i = 0; i < steps->steps->len; i++) {
    guint32 row = step_at (steps, i);
    LoomPageStretch stretch = { { steps->rows->start_ns[row], steps->rows->end_ns[row] }, steps->rows->span[row] };
    g_array_append_val (stretches, stretch);
  }
  LoomChart *chart = loom_page_add_durations (sheet, _ ("Steps by duration"), C_ ("chart", "steps"), 0, stretches);
  if (chart != NULL)
    set_marks (chart, steps);
}

/* Returns the longest step, as a row of input->frame, if it is a long step: it exceeds the robust limit of all steps
 * (loom-statistics.h), and is longer than their median by at least LOOM_LONG_STEPS_LEAST. Otherwise returns
 * G_MAXUINT32. */
static guint32
find_long_step (const Steps *steps)
{
  guint32 longest = step_at (steps, 0);
  double median_ns;
  g_autofree double *durations = g_new (double, steps->steps->len);
  for (guint i = 0; i < steps->steps->len; i++) {
    guint32 row = step_at (steps, i);
    durations[i] = duration_of (steps, row);
    if (durations[i] > duration_of (steps, longest))
      longest = row;
  }
  double limit_ns = loom_statistics_get_robust_limit (durations, steps->steps->len, &median_ns);
  return duration_of (steps, longest) > MAX (limit_ns, median_ns * (1 + LOOM_LONG_STEPS_LEAST)) ? longest : G_MAXUINT32;
}

/* Returns the sentence at the top of the page for a run in which no step is an outlier. The limit for outliers is so
 * high that the duration of a stalled step can be below it. The sentence therefore names a single long step if there is
 * one. Owned by the caller. */
static char *
dup_answer_without_outliers (const Steps *steps, const char *median)
{
  guint32 row = find_long_step (steps);
  if (are_alike (steps)) {
    return g_strdup_printf (_ ("The median step takes %s, and all steps are equally long within %.1f %%."), median,
                            MAX (100 * steps->difference, 0.1));
  }
  if (row == G_MAXUINT32 || steps->rows->step[row] < 0)
    return g_strdup_printf (
      _ ("The median step takes %s, and no step takes more than %.3g times the median of its rank."), median,
      steps->input->thresholds.outlier_factor);
  g_autofree char *longest = loom_chart_format (duration_of (steps, row), "ns");
  return g_strdup_printf (_ ("The median step takes %s. Step %" PRId64 " takes %s, %.3g times as long."), median,
                          (gint64) steps->rows->step[row], longest, duration_of (steps, row) / steps->median_ns);
}

/* Returns the sentence at the top of the page for a range with only one step, of several ranks. Owned by the caller. */
static char *
dup_answer_of_one_step (const Steps *steps, const char *median)
{
  double least_ns = duration_of (steps, step_at (steps, 0)), most_ns = least_ns;
  if (are_alike (steps))
    return g_strdup_printf (_ ("There is one training step, which takes %s on all ranks."), median);
  for (guint i = 1; i < steps->steps->len; i++) {
    least_ns = MIN (least_ns, duration_of (steps, step_at (steps, i)));
    most_ns = MAX (most_ns, duration_of (steps, step_at (steps, i)));
  }
  g_autofree char *least = loom_chart_format (least_ns, "ns"), *most = loom_chart_format (most_ns, "ns");
  return g_strdup_printf (_ ("There is one training step, which takes between %s and %s, depending on the rank."),
                          least, most);
}

/* Returns the sentence at the top of the page: how long steps take, and which steps are outliers. Owned by the
 * caller. */
static char *
dup_answer (const Steps *steps, const char *median)
{
  const LoomStepDurations *durations = &steps->durations;
  guint n = steps->steps->len;
  if (n == 1)
    return g_strdup_printf (_ ("There is one training step, which takes %s."), median);
  if (durations->n_steps == 1)
    return dup_answer_of_one_step (steps, median);
  if (durations->n_outliers == 0)
    return dup_answer_without_outliers (steps, median);
  double longest_ns = 0;
  for (guint32 i = 0; i < durations->n_outliers; i++)
    longest_ns = MAX (longest_ns, duration_of (steps, durations->outliers[i]));
  g_autofree char *longest = loom_chart_format (longest_ns, "ns");
  gint64 number = steps->rows->step[durations->outliers[0]];
  if (durations->n_outlier_steps == 1 && number >= 0)
    return g_strdup_printf (_ ("Step %" PRId64 " takes up to %s; the median step takes %s."), number, longest, median);
  return g_strdup_printf (
    ngettext ("The median step takes %s. %u of %u steps is an outlier and takes up to %s on a rank.",
              "The median step takes %s. %u of %u steps are outliers and take up to %s on a rank.",
              durations->n_outlier_steps),
    median, durations->n_outlier_steps, durations->n_steps, longest);
}

/* Kinds of causes that make steps longer. */
typedef enum {
  CAUSE_UNKNOWN,
  CAUSE_LINK,
  CAUSE_RANKS, /* stragglers make all steps longer */
  /* a straggler makes one step longer; the sentence about this cause also states how long steps take */
  CAUSE_RANK_IN_STEP,
} Cause;

/* Adds the sentences at the top of the page. If `cause` is NULL, they state the durations of the steps. Otherwise,
 * `cause` is at the top, and a note with the durations follows, unless `cause` already contains them
 * (CAUSE_RANK_IN_STEP). If it is known which part of an outlier step takes longer, this is stated, too, and TRUE is
 * returned; otherwise FALSE. */
static gboolean
add_answer (LoomPageContent *sheet, const Steps *steps, const LoomStepBreakdown *breakdown, const char *cause,
            Cause kind)
{
  g_autofree char *median = loom_chart_format (steps->median_ns, "ns"), *first = dup_answer (steps, median);
  g_autofree char *parts = loom_step_parts_dup_outlier (steps->input, breakdown),
                  *answer = loom_sentence_join (first, parts);
  loom_page_content_add_answer (sheet, cause != NULL ? cause : answer);
  if (cause != NULL && kind != CAUSE_RANK_IN_STEP)
    loom_page_content_add_note (sheet, answer);
  else if (cause != NULL && parts != NULL)
    loom_page_content_add_note (sheet, parts);
  return parts != NULL;
}

/* Returns a sentence about the step that is longer because the ranks wait for a straggler. Owned by the caller. */
static char *
dup_cause_of_step (const Steps *steps, gint64 number, const char *names)
{
  double longest_ns = 0;
  for (guint i = 0; i < steps->steps->len; i++)
    if (steps->rows->step[step_at (steps, i)] == number)
      longest_ns = fmax (longest_ns, duration_of (steps, step_at (steps, i)));
  g_autofree char *longest = loom_chart_format (longest_ns, "ns"), *median = loom_chart_format (steps->median_ns, "ns");
  return g_strdup_printf (
    /* Translators: the number of a step, its duration, a number, a duration, and the name of a rank */
    _ ("Step %" PRId64
       " takes %s, %.3g times as long as the median step of %s, because the ranks wait for %s: see “Stragglers”."),
    number, longest, longest_ns / steps->median_ns, median, names);
}

/* Returns a sentence that states how much longer the steps are because of stragglers. The numbers are those on the page
 * of stragglers. `main_step`: the result of loom_slowdown_find_main_step(). Owned by the caller. */
static char *
dup_cause (const Steps *steps, const LoomSlowdown *slowdown, guint main_step)
{
  g_autofree char *names = loom_page_dup_straggler_names (steps->input, slowdown);
  if (main_step == G_MAXUINT) {
    g_autofree char *saved = loom_time_format_duration (slowdown->saved_ns);
    return g_strdup_printf (_ ("On average, a step is %s longer because the ranks wait for %s: see “Stragglers”."),
                            saved, names);
  }
  return dup_cause_of_step (steps, g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number, names);
}

/* Used for a range with a single step, which is not enough to find stragglers. Returns a sentence about the stragglers
 * of the whole run that make this step longer; NULL if there are none. Owned by the caller. */
static char *
dup_cause_of_run (const Steps *steps, GCancellable *cancellable)
{
  static const LoomRange whole = { G_MININT64, G_MAXINT64 };
  if (steps->durations.n_steps != 1)
    return NULL;
  g_autoptr (LoomCollectives) all = loom_frame_collectives_get (steps->input->frame, whole, cancellable);
  const LoomSlowdown *slowdown = all != NULL ? loom_slowdown_get (all, cancellable) : NULL;
  if (slowdown == NULL || !loom_slowdown_fits (slowdown) || slowdown->stragglers->len == 0)
    return NULL;
  gint64 saving_ns = loom_slowdown_get_saving_in (slowdown, steps->input->range);
  g_autofree char *names = loom_page_dup_straggler_names (steps->input, slowdown),
                  *saved = loom_time_format_duration (saving_ns);
  if (saving_ns <= 0)
    return NULL;
  return g_strdup_printf (/* Translators: a duration, and names of ranks */
                          _ ("This step is %s longer because the ranks wait for %s: see “Stragglers”."), saved, names);
}

/* Sets `cause` to a sentence about the ranks that make the steps of all ranks longer, with the numbers on the page of
 * stragglers. If there are no such ranks, sets it to a sentence about a slow link; if there is no slow link, to NULL.
 * Sets `kind` to the kind of the cause. Returns FALSE when cancelled. */
static gboolean
find_cause (const Steps *steps, char **cause, Cause *kind, GCancellable *cancellable)
{
  *kind = CAUSE_UNKNOWN;
  *cause = NULL;
  if (steps->durations.n_groups < 2)
    return TRUE;
  g_autoptr (LoomCollectives) collectives =
    loom_frame_collectives_get (steps->input->frame, steps->input->range, cancellable);
  const LoomSlowdown *slowdown = collectives != NULL ? loom_slowdown_get (collectives, cancellable) : NULL;
  if (slowdown == NULL)
    return FALSE;
  if (!loom_slowdown_fits (slowdown)) {
    *cause = dup_cause_of_run (steps, cancellable);
    *kind = *cause != NULL ? CAUSE_RANKS : CAUSE_UNKNOWN;
    return !g_cancellable_is_cancelled (cancellable);
  }
  if (slowdown->stragglers->len == 0) {
    *cause = loom_page_dup_unequal_transfers (slowdown, collectives);
    *kind = *cause != NULL ? CAUSE_LINK : CAUSE_UNKNOWN;
    return TRUE;
  }
  guint main_step = loom_slowdown_find_main_step (slowdown);
  *cause = dup_cause (steps, slowdown, main_step);
  *kind = main_step != G_MAXUINT ? CAUSE_RANK_IN_STEP : CAUSE_RANKS;
  return TRUE;
}

static void
add_exact (LoomPageContent *sheet, const char *name, double value_ns)
{
  g_autofree char *text = loom_chart_format_exact (value_ns, "ns");
  loom_page_content_add_fact (sheet, name, text);
}

static void
add_facts (LoomPageContent *sheet, const Steps *steps, double *durations)
{
  if (steps->steps->len < 2)
    return;
  LoomStatistics summary = loom_statistics_summarise (durations, steps->steps->len);
  loom_page_content_add_facts (sheet, _ ("All steps"));
  loom_page_add_number (sheet, _ ("Steps"), steps->durations.n_steps, "");
  loom_page_add_number (sheet, _ ("Ranks"), steps->durations.n_ranks, "");
  g_autofree char *outliers =
    /* Translators: a fact whose value is a number of steps: "Over 2 × the median" */
    g_strdup_printf (_ ("Over %.3g × the median"), steps->input->thresholds.outlier_factor);
  loom_page_add_number (sheet, outliers, steps->durations.n_outlier_steps, "");
  if (are_alike (steps)) {
    /* exact durations, because the rounded ones would all be equal */
    add_exact (sheet, _ ("Shortest"), summary.min);
    add_exact (sheet, _ ("Longest"), summary.max);
    return;
  }
  loom_page_add_number (sheet, _ ("Mean"), summary.mean, "ns");
  loom_page_add_number (sheet, _ ("Median"), summary.p50, "ns");
  loom_page_add_number (sheet, _ ("95th percentile"), summary.p95, "ns");
  loom_page_add_number (sheet, _ ("99th percentile"), summary.p99, "ns");
  loom_page_add_number (sheet, _ ("Shortest"), summary.min, "ns");
  loom_page_add_number (sheet, _ ("Longest"), summary.max, "ns");
}

static const LoomStepGroup *
group_of (const Steps *steps, guint32 row)
{
  for (guint i = 0; i < steps->durations.n_groups; i++)
    if (steps->durations.groups[i].worker == steps->rows->worker[row] || steps->durations.groups[i].worker == G_MAXUINT)
      return &steps->durations.groups[i];
  return NULL;
}

static void
add_outliers (LoomPageContent *sheet, const Steps *steps)
{
  LoomResultTable *table = loom_result_table_new (_ ("Outlier steps"));
  guint step = loom_result_table_add_column (table, C_ ("column", "Step"), "", NULL),
        worker = loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  guint begin =
    loom_result_table_add_column (table, C_ ("column", "Start"), "time", _ ("Time since the start of the run"));
  guint duration = loom_result_table_add_column (table, C_ ("column", "Duration"), "ns", NULL);
  guint ratio = loom_result_table_add_column (table, C_ ("column", "× Median"), "",
                                              _ ("Duration ÷ median duration of the rank; more than 2 is an outlier"));
  loom_result_table_set_order (table, duration, TRUE);
  for (guint32 i = 0; i < steps->durations.n_outliers; i++) {
    guint32 row = steps->durations.outliers[i];
    const LoomStepGroup *group = group_of (steps, row);
    g_autofree char *name = loom_page_worker_name (steps->input, steps->rows->worker[row]);
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, step, steps->rows->step[row] >= 0 ? steps->rows->step[row] : NAN);
    loom_result_table_set_text (table, worker, name);
    loom_result_table_set_number (table, begin,
                                  (double) (steps->rows->start_ns[row] - loom_page_get_zero (steps->input)));
    loom_result_table_set_number (table, duration, duration_of (steps, row));
    loom_result_table_set_number (
      table, ratio, group != NULL && group->median_ns > 0 ? duration_of (steps, row) / group->median_ns : NAN);
  }
  loom_page_content_take_table (sheet, table);
  for (guint32 i = 0; i < steps->durations.n_outliers; i++) {
    guint32 row = steps->durations.outliers[i];
    loom_page_content_set_place (sheet, i, loom_page_row_range (steps->input, row), &steps->rows->span[row], 1);
  }
}

/* Sets the target of a chart element or table row (the place on the timeline that it shows when activated) to the
 * longest step of the rank `worker`. */
static void
set_longest (LoomPageContent *sheet, const Steps *steps, guint element, guint worker)
{
  const LoomDataFrameRows *rows = steps->rows;
  guint32 longest = G_MAXUINT32;
  for (guint i = 0; i < steps->steps->len; i++) {
    guint32 row = step_at (steps, i);
    if (rows->worker[row] == worker && (longest == G_MAXUINT32 || rows->end_ns[row] - rows->start_ns[row] >
                                                                    rows->end_ns[longest] - rows->start_ns[longest]))
      longest = row;
  }
  if (longest != G_MAXUINT32)
    loom_page_content_set_place (sheet, element, loom_page_row_range (steps->input, longest), &rows->span[longest], 1);
}

static void
add_ranks (LoomPageContent *sheet, const Steps *steps)
{
  LoomResultTable *table = loom_result_table_new (_ ("Steps by rank"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Steps"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Median"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Mean"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Total"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Outliers"), "", NULL);
  for (guint i = 0; i < steps->durations.n_groups; i++) {
    const LoomStepGroup *group = &steps->durations.groups[i];
    g_autofree char *name = loom_page_worker_name (steps->input, group->worker);
    const double figures[] = { (double) group->n, group->n > 1 ? group->median_ns : NAN,
                               group->n > 1 ? (double) group->total_ns / (double) group->n : NAN,
                               (double) group->in_range_ns, (double) group->n_outliers };
    loom_result_table_add_row (table, name);
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < steps->durations.n_groups; i++) {
    guint worker = steps->durations.groups[i].worker;
    set_longest (sheet, steps, i, worker);
    if (steps->input->frame->workers[worker].rank >= 0)
      loom_page_content_set_rank (sheet, i, steps->input->frame->workers[worker].rank, G_MAXUINT32);
  }
}

static void
set_sources (LoomPageContent *sheet, const LoomPageInput *input)
{
  g_autofree char *steps = loom_page_dup_steps (input), *text = g_strdup_printf (_ ("computed from %s"), steps);
  loom_page_content_set_sources (sheet, text);
}

/* --- what differs between outlier steps and normal steps ---------------------------------------------------------- */

static char *
dup_only_then (const char *names)
{
  return g_strdup_printf (_ ("Functions that ran in outlier steps, but in no normal step: %s."), names);
}

static LoomCauseWords
get_words (void)
{
  return (LoomCauseWords) {
    .functions = _ ("Functions in outlier steps"),
    .phases = _ ("Training phases in outlier steps"),
    .bars = _ ("Mean duration in outlier and in normal steps"),
    .here = _ ("in outlier steps"),
    .there = _ ("in normal steps"),
    .table = _ ("What takes longer in outlier steps"),
    .of_steps = TRUE,
    .dup_only_then = dup_only_then,
  };
}

/* Adds sentences about work that takes much longer in outlier steps than in other steps, which may be the reason why
 * these steps are outliers. If the sentences at the top of the page do not explain the outliers, the new sentences
 * follow them; otherwise, they follow the charts of the steps. */
static void
add_suspects (LoomPageContent *sheet, const Steps *steps, const LoomCauseComparison *contrast)
{
  const LoomCauseWords words = get_words ();
  if (contrast->during.n_rows > 0)
    loom_page_causes_add_suspects (sheet, steps->input, contrast, &words);
  else
    loom_page_content_add_missing (
      sheet,
      _ (
        "No spans other than the steps themselves were recorded in outlier steps, so the causes of these steps are unknown."));
}

static void
add_contrast (LoomPageContent *sheet, const Steps *steps, const LoomCauseComparison *contrast, gboolean explained,
              GCancellable *cancellable)
{
  const LoomCauseWords words = get_words ();
  add_outliers (sheet, steps);
  if (explained)
    add_suspects (sheet, steps, contrast);
  if (contrast->during.n_rows > 0 && !g_cancellable_is_cancelled (cancellable))
    loom_page_causes_add_evidence (sheet, steps->input, contrast, &words);
  if (!g_cancellable_is_cancelled (cancellable))
    loom_step_usage_add (sheet, steps->input, &steps->durations);
}

/* Divides the time of the steps into parts, such as computing and waiting for data. Returns NULL only when
 * cancelled. */
static LoomStepBreakdown *
divide_steps (const Steps *steps, GCancellable *cancellable)
{
  static const LoomRange whole = { G_MININT64, G_MAXINT64 };
  LoomTimeline *timeline = steps->input->frame->timeline;
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (steps->input->frame, whole, cancellable);
  g_autoptr (LoomSteps) found = collectives != NULL ? loom_steps_new (timeline, cancellable) : NULL;
  return found != NULL ? loom_step_breakdown_new (timeline, found, collectives, steps->input->range, cancellable)
                       : NULL;
}

/* Adds the charts of the page. What devices do in each step: omitted if no work of devices was recorded. The durations
 * of the steps: omitted if there are outliers, because the page then already contains this chart; also omitted if the
 * columns of the first chart show the durations, because there is only one rank, or all steps are about equally long. A
 * histogram of the durations: omitted if all steps are about equally long. */
static void
add_charts (LoomPageContent *sheet, const Steps *steps, const LoomStepBreakdown *breakdown)
{
  gboolean any = steps->durations.n_outliers > 0, known = loom_step_parts_are_known (breakdown);
  if (known && !any)
    loom_step_parts_add_figures (sheet, breakdown);
  if (known) {
    loom_step_parts_add_steps (sheet, steps->input, breakdown, any);
    loom_step_parts_add_ranks (sheet, steps->input, breakdown);
  }
  if (!any && !(known && (steps->durations.n_groups == 1 || are_alike (steps))))
    add_chart (sheet, steps);
  if (!are_alike (steps))
    add_histogram (sheet, steps);
}

/* Computes the statistics (median, outliers) of the durations of all steps. Returns the durations in ns, owned by the
 * caller. */
static double *
measure (Steps *steps)
{
  guint n = steps->steps->len;
  double *durations = g_new (double, n), shortest = INFINITY, longest = 0;
  for (guint i = 0; i < n; i++) {
    durations[i] = duration_of (steps, step_at (steps, i));
    shortest = fmin (shortest, durations[i]);
    longest = fmax (longest, durations[i]);
  }
  steps->median_ns = loom_statistics_median (durations, n);
  steps->difference = shortest > 0 ? longest / shortest - 1 : NAN;
  return durations;
}

/* If the range contains only one step, and only a part of this step on some ranks, adds a note: the columns of the
 * chart are then lower than the durations of the step. */
static void
add_cut_note (LoomPageContent *sheet, const Steps *steps)
{
  gboolean is_cut = FALSE;
  for (guint i = 0; i < steps->steps->len; i++) {
    LoomRange step = loom_page_row_range (steps->input, step_at (steps, i));
    is_cut = is_cut || step.begin_ns < steps->input->range.begin_ns || step.end_ns > steps->input->range.end_ns;
  }
  if (steps->durations.n_steps == 1 && is_cut)
    loom_page_content_add_note (
      sheet, _ ("The columns count only the time inside this range, which cuts the step of some ranks."));
}

static void
add_all (LoomPageContent *sheet, Steps *steps, GCancellable *cancellable)
{
  const LoomPageInput *input = steps->input;
  gboolean any = steps->durations.n_outliers > 0;
  Cause kind;
  LoomCauseComparison contrast;
  g_autofree double *durations = measure (steps);
  set_sources (sheet, input);
  g_autoptr (LoomStepBreakdown) breakdown = divide_steps (steps, cancellable);
  if (breakdown == NULL)
    return;
  g_autofree char *cause = NULL;
  if (!find_cause (steps, &cause, &kind, cancellable))
    return;
  gboolean explained = add_answer (sheet, steps, breakdown, cause, kind);
  if (!any && kind < CAUSE_RANKS)
    loom_step_parts_add_loss (sheet, breakdown);
  add_cut_note (sheet, steps);
  if (any) {
    loom_cause_comparison_init_outliers (&contrast, input->frame, &steps->durations);
    if (!explained)
      add_suspects (sheet, steps, &contrast);
    add_chart (sheet, steps);
  }
  add_charts (sheet, steps, breakdown);
  add_facts (sheet, steps, durations);
  if (any) {
    add_contrast (sheet, steps, &contrast, explained, cancellable);
    loom_cause_comparison_clear (&contrast);
  }
  loom_page_count_part (input, cancellable);
  if (steps->durations.n_groups > 1 && !(are_alike (steps) && loom_step_parts_are_known (breakdown)))
    add_ranks (sheet, steps);
  loom_page_statistics_add_step_statistics (sheet, input, cancellable);
  loom_page_count_part (input, cancellable);
  loom_page_add_missing_nodes (sheet, input, FALSE);
}

/* --- making the whole page ---------------------------------------------------------------------------------------- */

LoomPageContent *
loom_page_steps (const LoomPageInput *input, GCancellable *cancellable)
{
  Steps steps;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  steps_init (&steps, input);
  loom_page_count_part (input, cancellable);
  if (steps.steps->len == 0) {
    loom_page_content_add_missing (sheet, _ ("No training steps were found."));
    loom_page_add_advice (sheet, input, LOOM_LACKS_STEPS);
  } else
    add_all (sheet, &steps, cancellable);
  steps_clear (&steps);
  return loom_page_finish (sheet, cancellable);
}
