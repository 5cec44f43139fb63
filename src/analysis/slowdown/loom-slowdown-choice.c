/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-choice.h"

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const LoomSlowdownCandidate *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

void
loom_slowdown_choice_sort (GArray *candidates)
{
  g_array_sort (candidates, compare_candidates);
}

GArray *
loom_slowdown_choice_list_kinds (const LoomSlowdownModel *model, const LoomSlowdownDurations *durations)
{
  guint32 n;
  const LoomSlowdownOperation *operations = loom_slowdown_model_get_operations (model, &n);
  GArray *chosen = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownCandidate));
  g_array_set_size (chosen, model->kinds->len);
  for (guint i = 0; i < chosen->len; i++)
    g_array_index (chosen, LoomSlowdownCandidate, i).weight = -1;
  for (guint32 i = 0; i < n; i++) {
    const LoomSlowdownLike *like = loom_slowdown_model_get_like (model, &operations[i]);
    if (like == NULL)
      continue;
    double *weight = &g_array_index (chosen, LoomSlowdownCandidate, like->kind).weight;
    *weight = MAX (*weight, 0) +
              (double) ABS (durations->of[LOOM_SLOWDOWN_MEASURED][i] - durations->of[LOOM_SLOWDOWN_IDEAL][i]);
  }
  for (guint i = 0; i < chosen->len; i++)
    g_array_index (chosen, LoomSlowdownCandidate, i).number = i;
  loom_slowdown_choice_sort (chosen);
  g_array_set_size (chosen, MIN (chosen->len, LOOM_SLOWDOWN_MOST_KINDS));
  while (chosen->len > 0 && g_array_index (chosen, LoomSlowdownCandidate, chosen->len - 1).weight < 0)
    g_array_set_size (chosen, chosen->len - 1);
  return chosen;
}

/* Sorts candidates by weight, largest first. If there are more than LOOM_SLOWDOWN_ALL_WORKERS, keeps only the first
 * LOOM_SLOWDOWN_SOME_WORKERS. */
static void
keep_largest (GArray *candidates)
{
  loom_slowdown_choice_sort (candidates);
  if (candidates->len > LOOM_SLOWDOWN_ALL_WORKERS)
    g_array_set_size (candidates, LOOM_SLOWDOWN_SOME_WORKERS);
}

GArray *
loom_slowdown_choice_list_excess (const LoomSlowdownModel *model)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownCandidate));
  for (guint i = 0; i < model->workers->len; i++) {
    const LoomSlowdownCandidate one = { i, (double) g_array_index (model->workers, LoomSlowdownWorker, i).excess_ns };
    g_array_append_val (all, one);
  }
  return all;
}

GArray *
loom_slowdown_choice_list_workers (const LoomSlowdownModel *model)
{
  GArray *chosen = loom_slowdown_choice_list_excess (model);
  keep_largest (chosen);
  return chosen;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const LoomSlowdownCandidate *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

GArray *
loom_slowdown_choice_list_parts (const LoomSlowdownModel *model, gboolean of_stages)
{
  GArray *chosen = g_array_new (FALSE, TRUE, sizeof (LoomSlowdownCandidate));
  g_array_set_size (chosen, of_stages ? model->n_stages : model->n_rows);
  for (guint i = 0; i < chosen->len; i++)
    g_array_index (chosen, LoomSlowdownCandidate, i).number = i;
  for (guint i = 0; i < model->workers->len; i++) {
    const LoomSlowdownWorker *worker = &g_array_index (model->workers, LoomSlowdownWorker, i);
    gint number = of_stages ? worker->stage : worker->row;
    if (number >= 0 && (guint) number < chosen->len)
      g_array_index (chosen, LoomSlowdownCandidate, number).weight += (double) worker->excess_ns;
  }
  keep_largest (chosen);
  g_array_sort (chosen, compare_numbers);
  return chosen;
}
