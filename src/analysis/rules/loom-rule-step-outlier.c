/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule StepOutlier: fires if a worker has too many outlier steps in a mode. A step is an outlier if it exceeds the
 * mean of all steps of the same worker and mode by more than a given number of standard deviations.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-int64-hash.h"
#include "loom-rule-private.h"
#include "loom-statistics.h"
#include "loom-track-label.h"

enum { STDDEV, MODE, N_OUTLIERS };

/* A worker with at most this many steps of a mode is not checked for this mode, as in SageMaker's rule StepOutlier. */
#define FEWEST_STEPS 100

typedef struct {
  guint32 worker, process;
  GArray *rows; /* guint32: indices of the LoomDataFrame rows with the steps of the group */
} Group;

typedef struct {
  guint64 n_most, n_groups, n_fired;
  guint64 worst_outliers;
  guint worst; /* index of the worker with the most outliers */
} Count;

static gboolean
is_of_mode (const char *process, const char *mode)
{
  if (mode == NULL)
    return TRUE;
  g_autofree char *text = g_utf8_casefold (process, -1), *part = g_utf8_casefold (mode, -1);
  return strstr (text, part) != NULL;
}

static void
free_group (gpointer data)
{
  Group *group = data;
  g_array_unref (group->rows);
  g_free (group);
}

/* Groups the steps by worker and mode. The groups are sorted by their first steps. `mode`: only steps of this mode are
 * grouped; NULL: all steps are grouped. */
static GPtrArray *
group_steps (const LoomRuleContext *context, const char *mode)
{
  const LoomDataFrameRows *rows = &context->frame->rows;
  GPtrArray *groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; i < rows->n; i++) {
    if ((rows->flags[i] & LOOM_ROW_STEP) == 0 ||
        !is_of_mode (loom_data_frame_get_text (context->frame, rows->process[i]), mode))
      continue;
    gint64 key = (gint64) rows->worker[i] << 32 | rows->process[i];
    Group *group = g_hash_table_lookup (by_key, &key);
    if (group == NULL) {
      group = g_new0 (Group, 1);
      *group = (Group) { rows->worker[i], rows->process[i], g_array_new (FALSE, FALSE, sizeof (guint32)) };
      g_ptr_array_add (groups, group);
      g_hash_table_insert (by_key, g_memdup2 (&key, sizeof key), group);
    }
    g_array_append_val (group->rows, i);
  }
  return groups;
}

static double
limit_of (const double *durations, guint n, double n_deviations, double *mean, double *deviation)
{
  double sum = 0, squares = 0;
  for (guint i = 0; i < n; i++)
    sum += durations[i];
  *mean = sum / n;
  for (guint i = 0; i < n; i++)
    squares += (durations[i] - *mean) * (durations[i] - *mean);
  *deviation = sqrt (squares / n);
  return *mean + n_deviations * *deviation;
}

/* Returns the durations of the group's steps in ns, in the order of Group.rows. Owned by the caller. */
static double *
durations_of (const LoomDataFrameRows *rows, const Group *group)
{
  double *durations = g_new (double, group->rows->len);
  for (guint i = 0; i < group->rows->len; i++) {
    guint32 row = g_array_index (group->rows, guint32, i);
    durations[i] = (double) (rows->end_ns[row] - rows->start_ns[row]);
  }
  return durations;
}

static guint
mark_longer (const LoomRuleContext *context, LoomRuleResult *result, const Group *group, const double *durations,
             double limit, double mean, double deviation)
{
  guint n_outliers = 0;
  for (guint i = 0; i < group->rows->len; i++) {
    if (deviation > 0)
      loom_rule_result_note_value (result, STDDEV, (durations[i] - mean) / deviation, FALSE);
    if (!(durations[i] > limit))
      continue;
    n_outliers++;
    result->lost_ns += (gint64) (durations[i] - mean);
    loom_rule_mark_row (context, result, g_array_index (group->rows, guint32, i));
  }
  return n_outliers;
}

static void
judge (const LoomRuleContext *context, LoomRuleResult *result, const Group *group, Count *count)
{
  guint n = group->rows->len;
  const LoomWorker *worker = &context->frame->workers[group->worker];
  const char *mode = loom_data_frame_get_text (context->frame, group->process);
  double mean, deviation;
  count->n_most = MAX (count->n_most, n);
  if (n <= FEWEST_STEPS)
    return;
  g_autofree double *durations = durations_of (&context->frame->rows, group);
  double limit = limit_of (durations, n, loom_rule_value (context, result, STDDEV), &mean, &deviation);
  guint n_outliers = mark_longer (context, result, group, durations, limit, mean, deviation);
  JsonObject *details =
    loom_rule_details_at (loom_rule_details_at (result->details, "step_details", worker->display), mode, NULL);
  json_object_set_int_member (details, "number_of_outliers", n_outliers);
  loom_rule_details_set (details, "stddev", deviation / LOOM_NS_PER_MS);
  loom_rule_details_set (details, "mean", mean / LOOM_NS_PER_MS);
  loom_rule_details_set_box (loom_rule_details_at (details, "step_stats", NULL), durations, n);
  result->n_datapoints += n;
  result->n_violations += n_outliers;
  loom_rule_result_note_value (result, N_OUTLIERS, n_outliers, FALSE);
  count->n_groups++;
  if (!(n_outliers > loom_rule_value (context, result, N_OUTLIERS)))
    return;
  count->n_fired++;
  if (n_outliers > count->worst_outliers) {
    count->worst_outliers = n_outliers;
    count->worst = group->worker;
  }
}

/* Returns the number of ranks (workers) that have more than FEWEST_STEPS steps of at least one mode. */
static guint
count_ranks (const GPtrArray *groups)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < groups->len; i++) {
    const Group *group = g_ptr_array_index (groups, i);
    if (group->rows->len > FEWEST_STEPS)
      g_hash_table_add (seen, GUINT_TO_POINTER (group->worker + 1));
  }
  return g_hash_table_size (seen);
}

/* Sets the sentence of the result. A step that several ranks take together counts once for each rank, because it may be
 * an outlier on one rank only. */
static void
say (const LoomRuleContext *context, LoomRuleResult *result, const Count *count, guint n_ranks)
{
  guint n = (guint) result->n_violations, n_all = (guint) result->n_datapoints;
  g_autofree char *counted =
    n_ranks > 1 ? g_strdup_printf (
                    /* Translators: numbers of outlier steps and of all steps, in place of %s in "outlier steps: %s" */
                    _ ("%u of %u, counted separately on each of %u ranks"), n, n_all, n_ranks)
                : g_strdup_printf (
                    /* Translators: "3 of 50": outlier steps and all steps, or what a rule counted */
                    _ ("%u of %u"), n, n_all);
  g_autofree char *worst = loom_track_label_dup_worker_words (context->frame, count->worst);
  if (count->n_fired > 0)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: %s is "3 of 50" or "3 of 50, counted separately on each of 8 ranks"; then the number on
       * one rank, and the name of this rank */
      _ ("outlier steps: %s; the most, %u, are on %s"), counted, (guint) count->worst_outliers, worst);
  else
    loom_rule_result_set_message (result, LOOM_RULE_PASSED,
                                  /* Translators: %s is "3 of 50" */
                                  _ ("outlier steps: %s"), counted);
}

void
loom_rule_step_outlier (const LoomRuleContext *context, LoomRuleResult *result)
{
  const char *mode = loom_rule_parameters_get_text (context->settings, result->rule, MODE);
  g_autoptr (GPtrArray) groups = group_steps (context, mode);
  Count count = { 0 };
  for (guint i = 0; i < groups->len; i++)
    judge (context, result, groups->pdata[i], &count);
  if (groups->len == 0)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, "%s",
                                  mode != NULL ? _ ("there are no steps of the mode that the rule examines")
                                               : _ ("there are no steps"));
  else if (count.n_groups == 0)
    loom_rule_result_set_not_enough (result, count.n_most, FEWEST_STEPS + 1, C_ ("rule counts", "steps"));
  else
    say (context, result, &count, count_ranks (groups));
}
