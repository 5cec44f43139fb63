/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the times of the parts of a step over steps and over ranks, and makes charts, main results and sentences from
 * these sums.
 */
#include "loom-step-parts.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "loom-list-separator.h"
#include "loom-page-private.h"
#include "loom-rank-matrix.h"
#include "loom-sentence.h"

/* The page of steps mentions a loss (a wait or idle time) only if it is at least this percentage of the mean step. */
#define LEAST_LOSS 10
/* A sentence mentions a part of an outlier step only if this part is longer than usual by at least this percentage of
 * the median step. */
#define LEAST_EXTRA 10
#define MAX_NAMED 4   /* maximum number of ranks that a sentence names */
#define LEAST_SHARE 1 /* a part is shown only if its time is at least this percentage of the mean step */

/* the order of the parts in a column, from the bottom: first the work of the devices, then waiting, copying and idle
 * time */
static const LoomStepBreakdownPart order[LOOM_STEP_BREAKDOWN_N_PARTS] = {
  LOOM_STEP_BREAKDOWN_COMPUTE, LOOM_STEP_BREAKDOWN_TRANSFER,  LOOM_STEP_BREAKDOWN_RANK_WAIT,
  LOOM_STEP_BREAKDOWN_COPY,    LOOM_STEP_BREAKDOWN_DATA_WAIT, LOOM_STEP_BREAKDOWN_IDLE,
};

const char *
loom_step_parts_get_name (LoomStepBreakdownPart part)
{
  static const char *const names[LOOM_STEP_BREAKDOWN_N_PARTS] = {
    [LOOM_STEP_BREAKDOWN_COMPUTE] = N_ ("Computing"),
    [LOOM_STEP_BREAKDOWN_RANK_WAIT] = N_ ("Waiting for other ranks"),
    [LOOM_STEP_BREAKDOWN_TRANSFER] = N_ ("Transferring"),
    [LOOM_STEP_BREAKDOWN_COPY] = N_ ("Copying"),
    [LOOM_STEP_BREAKDOWN_DATA_WAIT] = N_ ("Waiting for data"),
    [LOOM_STEP_BREAKDOWN_IDLE] = N_ ("Other idle time"),
  };
  return _ (names[part]);
}

guint
loom_step_parts_get_color (LoomStepBreakdownPart part)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE: return loom_chart_work_color (LOOM_WORK_KIND_COMPUTE);
  case LOOM_STEP_BREAKDOWN_RANK_WAIT: return LOOM_CHART_WAIT;
  case LOOM_STEP_BREAKDOWN_TRANSFER: return loom_chart_work_color (LOOM_WORK_KIND_COMMUNICATION);
  case LOOM_STEP_BREAKDOWN_COPY: return loom_chart_work_color (LOOM_WORK_KIND_MEMCPY);
  case LOOM_STEP_BREAKDOWN_DATA_WAIT: return loom_chart_work_color (LOOM_WORK_KIND_DATA);
  default: return LOOM_CHART_GREY;
  }
}

gboolean
loom_step_parts_are_known (const LoomStepBreakdown *breakdown)
{
  for (guint i = 0; i < breakdown->n_ranks; i++)
    if (breakdown->ranks[i].has_device && breakdown->ranks[i].n_recorded > 0)
      return TRUE;
  return FALSE;
}

/* Returns the steps of a rank. Returns NULL in two cases: the rank has no steps; or the number of the rank is unknown,
 * and the node has several ranks without a number. */
static const LoomRankSteps *
find_rank (const LoomStepBreakdown *breakdown, const char *node, gint rank, gboolean is_process)
{
  const LoomRankSteps *found = NULL;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *other = &breakdown->ranks[i];
    if (other->rank != rank || other->is_process != is_process || g_strcmp0 (other->node, node) != 0)
      continue;
    if (found != NULL)
      return NULL;
    found = other;
  }
  return found;
}

void
loom_step_parts_sum_rank (const LoomStepBreakdown *breakdown, const char *node, gint rank, gboolean is_process,
                          gint64 *exposed_ns, gint64 *steps_ns)
{
  const LoomRankSteps *found = find_rank (breakdown, node, rank, is_process);
  *exposed_ns = *steps_ns = 0;
  for (guint i = 0; found != NULL && i < found->n_steps; i++) {
    const gint64 *parts_ns = found->steps[i].parts_ns;
    *exposed_ns = loom_time_add (*exposed_ns, parts_ns[LOOM_STEP_BREAKDOWN_DATA_WAIT]);
    for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      *steps_ns = loom_time_add (*steps_ns, parts_ns[part]);
  }
}

static double
sum_mean (const LoomStepBreakdown *breakdown)
{
  double sum_ns = 0;
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++)
    sum_ns += breakdown->mean_ns[i];
  return sum_ns;
}

/* Returns a sentence about a part that is a wait or idle time; NULL for other parts. Owned by the caller. */
static char *
dup_loss (LoomStepBreakdownPart part, const char *time, const char *share)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_DATA_WAIT:
    return g_strdup_printf (/* Translators: a duration, and a share in percent */
                            _ ("On average, the devices wait for data for %s of a step (%s)."), time, share);
  case LOOM_STEP_BREAKDOWN_RANK_WAIT:
    return g_strdup_printf (/* Translators: a duration, and a share in percent */
                            _ ("On average, the devices wait for other ranks for %s of a step (%s)."), time, share);
  case LOOM_STEP_BREAKDOWN_IDLE:
    return g_strdup_printf (
      /* Translators: a duration, and a share in percent */
      _ ("On average, the devices are idle for %s of a step (%s), not counting waits for data and for other ranks."),
      time, share);
  default: return NULL;
  }
}

void
loom_step_parts_add_loss (LoomPageContent *sheet, const LoomStepBreakdown *breakdown)
{
  static const LoomStepBreakdownPart losses[] = { LOOM_STEP_BREAKDOWN_DATA_WAIT, LOOM_STEP_BREAKDOWN_RANK_WAIT,
                                                  LOOM_STEP_BREAKDOWN_IDLE };
  LoomStepBreakdownPart longest = losses[0];
  for (guint i = 1; i < G_N_ELEMENTS (losses); i++)
    if (breakdown->mean_ns[losses[i]] > breakdown->mean_ns[longest])
      longest = losses[i];
  double share = loom_statistics_percent (breakdown->mean_ns[longest], sum_mean (breakdown));
  if (!loom_step_parts_are_known (breakdown) || !(share >= LEAST_LOSS))
    return;
  g_autofree char *time = loom_chart_format (breakdown->mean_ns[longest], "ns"),
                  *percent = loom_chart_format (share, "%"), *text = dup_loss (longest, time, percent);
  loom_page_content_add_note (sheet, text);
}

void
loom_step_parts_add_figures (LoomPageContent *sheet, const LoomStepBreakdown *breakdown)
{
  double sum_ns = sum_mean (breakdown);
  loom_page_content_add_figures (sheet, _ ("Mean step, not counting outliers"));
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++) {
    double part_ns = breakdown->mean_ns[order[i]], share = loom_statistics_percent (part_ns, sum_ns);
    /* all shares have the same number of decimals, so that they are easy to compare */
    g_autofree char *value = g_strdup_printf ("%.1f %%", share), *time = loom_chart_format (part_ns, "ns"),
                    *note = g_strdup_printf (_ ("%s per step"), time);
    if (share >= LEAST_SHARE)
      loom_page_content_add_figure (sheet, loom_step_parts_get_name (order[i]), value, note);
  }
}

/* --- by step ------------------------------------------------------------------------------------------------------ */

typedef struct {
  double parts_ns[LOOM_STEP_BREAKDOWN_N_PARTS]; /* array indexed by part: time in ns, summed over the `n` ranks that
                                                 * recorded the step */
  guint n;
  LoomRange range; /* time range from the first start to the last end of the step on any rank */
  LoomSpanId span; /* span of the step on the rank on which it took longest */
  gint64 longest_ns;
} Step;

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

static void
add_to_step (Step *step, const LoomStepTime *time)
{
  gint64 length_ns = loom_time_sub (time->end_ns, time->begin_ns);
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++)
    step->parts_ns[i] += (double) time->parts_ns[i];
  step->range.begin_ns = step->n > 0 ? MIN (step->range.begin_ns, time->begin_ns) : time->begin_ns;
  step->range.end_ns = step->n > 0 ? MAX (step->range.end_ns, time->end_ns) : time->end_ns;
  if (step->n == 0 || length_ns > step->longest_ns) {
    step->longest_ns = length_ns;
    step->span = time->span;
  }
  step->n++;
}

/* Returns a Step for each column of `matrix` (a step of the run) that at least one rank recorded. Appends the number of
 * each such step to `numbers`; if steps have no numbers, appends the position of the step instead. Owned by the
 * caller. */
static GArray *
sum_steps (const LoomStepBreakdown *breakdown, const LoomRankMatrix *matrix, GArray *numbers)
{
  GArray *sums = g_array_new (FALSE, TRUE, sizeof (Step)), *steps = g_array_new (FALSE, TRUE, sizeof (Step));
  g_array_set_size (sums, matrix->n_steps);
  for (guint i = 0; i < breakdown->n_ranks; i++)
    for (guint k = 0; k < breakdown->ranks[i].n_steps; k++) {
      const LoomStepTime *time = &breakdown->ranks[i].steps[k];
      gint64 key = matrix->is_numbered ? time->number : k;
      const gint64 *found = bsearch (&key, matrix->steps, matrix->n_steps, sizeof key, compare_numbers);
      if (found != NULL && time->is_recorded && breakdown->ranks[i].has_device)
        add_to_step (&g_array_index (sums, Step, found - matrix->steps), time);
    }
  for (guint i = 0; i < sums->len; i++) {
    if (g_array_index (sums, Step, i).n == 0)
      continue;
    g_array_append_val (steps, g_array_index (sums, Step, i));
    g_array_append_val (numbers, matrix->steps[i]);
  }
  g_array_unref (sums);
  return steps;
}

static LoomChart *
new_steps_chart (const GArray *steps, const GArray *numbers, gboolean several, gboolean some)
{
  const char *title =
    several ? (some ? _ ("How devices spend each step with recorded kernels, mean of ranks")
                    : _ ("How devices spend each step, mean of ranks"))
            : (some ? _ ("How devices spend each step with recorded kernels") : _ ("How devices spend each step"));
  LoomChart *chart = loom_chart_new_stacks (title, C_ ("chart", "step"), "", "ns");
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++) {
    loom_chart_add_line (chart, loom_step_parts_get_name (order[i]), loom_step_parts_get_color (order[i]));
    for (guint k = 0; k < steps->len; k++) {
      const Step *step = &g_array_index (steps, Step, k);
      double mean_ns = step->n > 0 ? step->parts_ns[order[i]] / step->n : NAN;
      loom_chart_add_point (chart, (double) g_array_index (numbers, gint64, k), mean_ns, FALSE);
    }
  }
  return chart;
}

#define MOST_MISSING 500 /* maximum number of columns of a chart to which steps without recorded devices are added */

/* The framework may have recorded steps in which the work of devices was not recorded. Adds those of them that are not
 * in `numbers`, as steps without ranks. Returns TRUE if it added any. */
static gboolean
add_missing_steps (GArray *steps, GArray *numbers, const LoomDataFrameRows *rows)
{
  gint64 first = G_MAXINT64, last = G_MININT64;
  guint at = 0, n_recorded = steps->len;
  for (guint32 i = 0; i < rows->n; i++)
    if (rows->flags[i] & LOOM_ROW_TRAIN) {
      first = MIN (first, rows->step[i]);
      last = MAX (last, rows->step[i]);
    }
  if (first < 0 || last - first >= MOST_MISSING)
    return FALSE;
  for (gint64 number = first; number <= last; number++) {
    while (at < numbers->len && g_array_index (numbers, gint64, at) < number)
      at++;
    if (at < numbers->len && g_array_index (numbers, gint64, at) == number)
      continue;
    Step none = { .n = 0 };
    g_array_insert_val (steps, at, none);
    g_array_insert_val (numbers, at, number);
  }
  return steps->len > n_recorded;
}

void
loom_step_parts_add_steps (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepBreakdown *breakdown,
                           gboolean all)
{
  g_autoptr (LoomRankMatrix) matrix = loom_rank_matrix_new (breakdown);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64)),
                     steps = sum_steps (breakdown, matrix, numbers);
  if (steps->len == 0)
    return;
  gboolean some = all && matrix->is_numbered && add_missing_steps (steps, numbers, &input->frame->rows);
  LoomChart *chart = new_steps_chart (steps, numbers, breakdown->n_ranks > 1, some);
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS * steps->len; i++) {
    const Step *step = &g_array_index (steps, Step, i % steps->len);
    if (step->n > 0)
      loom_page_content_set_place (sheet, i, step->range, &step->span, 1);
  }
}

/* --- by rank ------------------------------------------------------------------------------------------------------ */

static char *
dup_rank_name (const LoomPageInput *input, const LoomRankSteps *rank)
{
  guint source = loom_run_get_first_source (loom_timeline_get_run (input->frame->timeline), rank->steps[0].span.trace);
  return loom_page_rank_name (input, rank->node, rank->rank, &source);
}

/* Returns the longest recorded step of all ranks if it is an outlier and has a step number; otherwise NULL. */
static const LoomStepTime *
find_longest_outlier (const LoomStepBreakdown *breakdown)
{
  const LoomStepTime *longest = NULL;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    for (guint k = 0; k < breakdown->ranks[i].n_steps; k++) {
      const LoomStepTime *step = &breakdown->ranks[i].steps[k];
      if (step->is_outlier && step->is_recorded && step->number >= 0 &&
          (longest == NULL || step->end_ns - step->begin_ns > longest->end_ns - longest->begin_ns))
        longest = step;
    }
  return longest;
}

/* Returns the recorded step of a rank that has this step number; NULL: there is none. */
static const LoomStepTime *
find_step (const LoomRankSteps *rank, gint64 number)
{
  for (guint i = 0; i < rank->n_steps; i++)
    if (rank->steps[i].number == number && rank->steps[i].is_recorded)
      return &rank->steps[i];
  return NULL;
}

/* Compares each part of a step with the same part of the rank's mean step. Returns the part with the greatest excess,
 * and sets `extra_ns` to this excess. */
static LoomStepBreakdownPart
find_extra (const LoomRankSteps *rank, const LoomStepTime *step, double *extra_ns)
{
  LoomStepBreakdownPart most = LOOM_STEP_BREAKDOWN_COMPUTE;
  *extra_ns = -INFINITY;
  for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++) {
    double extra = (double) step->parts_ns[part] - rank->mean_ns[part];
    most = extra > *extra_ns ? part : most;
    *extra_ns = fmax (*extra_ns, extra);
  }
  return most;
}

/* Returns a sentence about ranks for which the same part of a step is longer than usual. Owned by the caller. */
static char *
dup_extra (LoomStepBreakdownPart part, gint64 number, const char *extra, const char *ranks)
{
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE:
    return g_strdup_printf (
      /* Translators: the number of a step, a duration, and a list of ranks; the same holds for the next messages */
      _ ("In step %" PRId64 ", these ranks compute up to %s longer than in their mean step: %s."), number, extra,
      ranks);
  case LOOM_STEP_BREAKDOWN_RANK_WAIT:
    return g_strdup_printf (
      _ ("In step %" PRId64 ", these ranks wait for other ranks up to %s longer than in their mean step: %s."), number,
      extra, ranks);
  case LOOM_STEP_BREAKDOWN_TRANSFER:
    return g_strdup_printf (
      _ ("In step %" PRId64 ", these ranks transfer data up to %s longer than in their mean step: %s."), number, extra,
      ranks);
  case LOOM_STEP_BREAKDOWN_COPY:
    return g_strdup_printf (
      _ ("In step %" PRId64 ", these ranks copy memory up to %s longer than in their mean step: %s."), number, extra,
      ranks);
  case LOOM_STEP_BREAKDOWN_DATA_WAIT:
    return g_strdup_printf (
      _ ("In step %" PRId64 ", these ranks wait for data up to %s longer than in their mean step: %s."), number, extra,
      ranks);
  default:
    return g_strdup_printf (
      _ ("In step %" PRId64 ", these ranks are idle up to %s longer than in their mean step: %s."), number, extra,
      ranks);
  }
}

/* Examines, on each rank, the step that has the step number of `like`. Returns a sentence that names the ranks on which
 * `part` exceeds its usual time by more than every other part does. NULL if there are no such ranks. Owned by the
 * caller. */
static char *
dup_extra_of_part (const LoomPageInput *input, const LoomStepBreakdown *breakdown, const LoomStepTime *like,
                   LoomStepBreakdownPart part)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  double most_ns = 0, extra_ns;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    const LoomStepTime *step = rank->has_device ? find_step (rank, like->number) : NULL;
    if (step == NULL || find_extra (rank, step, &extra_ns) != part ||
        extra_ns < breakdown->median_ns * LEAST_EXTRA / 100)
      continue;
    most_ns = fmax (most_ns, extra_ns);
    g_ptr_array_add (names, dup_rank_name (input, rank));
  }
  if (names->len == 0)
    return NULL;
  g_autofree char *ranks = loom_list_separator_join (names, MAX_NAMED), *extra = loom_chart_format (most_ns, "ns");
  return dup_extra (part, like->number, extra, ranks);
}

char *
loom_step_parts_dup_outlier (const LoomPageInput *input, const LoomStepBreakdown *breakdown)
{
  static const LoomStepBreakdownPart causes_first[LOOM_STEP_BREAKDOWN_N_PARTS] = {
    LOOM_STEP_BREAKDOWN_DATA_WAIT, LOOM_STEP_BREAKDOWN_COMPUTE,  LOOM_STEP_BREAKDOWN_COPY,
    LOOM_STEP_BREAKDOWN_IDLE,      LOOM_STEP_BREAKDOWN_TRANSFER, LOOM_STEP_BREAKDOWN_RANK_WAIT,
  };
  const LoomStepTime *like = find_longest_outlier (breakdown);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; like != NULL && i < LOOM_STEP_BREAKDOWN_N_PARTS; i++) {
    g_autofree char *sentence = dup_extra_of_part (input, breakdown, like, causes_first[i]);
    if (sentence != NULL)
      loom_sentence_append (text, sentence);
  }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* Adds a bar for a rank: the step of the rank that has the step number of `like`. If `like` is NULL, adds a bar for the
 * mean step of the rank. */
static void
add_rank (LoomChart *chart, const LoomPageInput *input, const LoomRankSteps *rank, const LoomStepTime *like)
{
  g_autofree char *name = dup_rank_name (input, rank);
  const LoomStepTime *step = like != NULL ? find_step (rank, like->number) : NULL;
  double values[LOOM_STEP_BREAKDOWN_N_PARTS];
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++)
    values[i] = like == NULL ? rank->mean_ns[order[i]] : step != NULL ? (double) step->parts_ns[order[i]] : NAN;
  loom_chart_add_bar_group (chart, name, values);
}

static void
set_rank_place (LoomPageContent *sheet, guint element, const LoomRankSteps *rank, const LoomStepTime *like)
{
  const LoomStepTime *first = &rank->steps[0], *last = &rank->steps[rank->n_steps - 1],
                     *step = like != NULL ? find_step (rank, like->number) : NULL;
  LoomRange range =
    step != NULL ? (LoomRange) { step->begin_ns, step->end_ns } : (LoomRange) { first->begin_ns, last->end_ns };
  loom_page_content_set_place (sheet, element, range, NULL, 0);
  loom_page_content_set_rank (sheet, element, rank->rank, first->span.trace);
}

void
loom_step_parts_add_ranks (LoomPageContent *sheet, const LoomPageInput *input, const LoomStepBreakdown *breakdown)
{
  const LoomStepTime *like = find_longest_outlier (breakdown);
  if (breakdown->n_ranks < 2 || breakdown->n_ranks > LOOM_STEP_PARTS_MOST_RANKS)
    return;
  g_autofree char *title = like != NULL ? g_strdup_printf (_ ("Step %" PRId64 " on each rank"), like->number)
                                        : g_strdup (_ ("Mean step of each rank"));
  LoomChart *chart = loom_chart_new_bars (title, "ns", TRUE);
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS; i++)
    loom_chart_add_bar_series (chart, loom_step_parts_get_name (order[i]), loom_step_parts_get_color (order[i]));
  for (guint i = 0; i < breakdown->n_ranks; i++)
    add_rank (chart, input, &breakdown->ranks[i], like);
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < LOOM_STEP_BREAKDOWN_N_PARTS * breakdown->n_ranks; i++)
    set_rank_place (sheet, i, &breakdown->ranks[i / LOOM_STEP_BREAKDOWN_N_PARTS], like);
}
