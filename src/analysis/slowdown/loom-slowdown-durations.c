/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-durations.h"

#include "loom-time-sort.h"

#include <math.h>

static const LoomSlowdownOperation *
get_operations (const LoomSlowdownModel *model, guint32 *n)
{
  *n = model->replay.operations->len;
  return (const LoomSlowdownOperation *) (gconstpointer) model->replay.operations->data;
}

/* Durations of operations, sorted by group of operations. */
typedef struct {
  guint32 n_groups;
  guint32 *group; /* array: [operation] group of the operation; LOOM_SLOWDOWN_NONE: the operation is in no group */
  /* array: [group] index in `sorted` of the first duration of the group; the last element is the number of durations */
  guint32 *first;
  gint64 *sorted; /* the durations of all groups, one group after the other, ascending within each group */
} Groups;

static void
group_durations (const LoomSlowdownModel *model, Groups *groups)
{
  guint32 n;
  const LoomSlowdownOperation *operations = get_operations (model, &n);
  groups->first = g_new0 (guint32, groups->n_groups + 2);
  groups->sorted = g_new (gint64, n + 1);
  for (guint32 i = 0; i < n; i++)
    if (groups->group[i] != LOOM_SLOWDOWN_NONE)
      groups->first[groups->group[i] + 1]++;
  for (guint32 i = 0; i < groups->n_groups; i++)
    groups->first[i + 1] += groups->first[i];
  g_autofree guint32 *next = g_memdup2 (groups->first, sizeof *next * (groups->n_groups + 1));
  for (guint32 i = 0; i < n; i++)
    if (groups->group[i] != LOOM_SLOWDOWN_NONE)
      groups->sorted[next[groups->group[i]]++] = operations[i].duration_ns;
  for (guint32 i = 0; i < groups->n_groups; i++)
    loom_time_sort (groups->sorted + groups->first[i], groups->first[i + 1] - groups->first[i]);
}

static void
clear_groups (Groups *groups)
{
  g_free (groups->group);
  g_free (groups->first);
  g_free (groups->sorted);
}

/* Returns the ideal duration of a set of comparable operations: their median if they are transfers, else their mean.
 * `sorted`: durations of these operations, ascending. */
static gint64
get_ideal (const LoomSlowdownLike *like, const gint64 *sorted, guint32 n)
{
  double sum = 0;
  for (guint32 i = 0; i < n; i++)
    sum += (double) sorted[i];
  double median = n > 0 ? ((double) sorted[(n - 1) / 2] + (double) sorted[n / 2]) / 2 : 0;
  return (gint64) round (like->is_transfer ? median : sum / MAX (n, 1));
}

static void
set_ideal (LoomSlowdownDurations *durations, const LoomSlowdownModel *model)
{
  guint32 n, n_likes = model->likes->len;
  const LoomSlowdownOperation *operations = get_operations (model, &n);
  Groups groups = { .n_groups = n_likes, .group = g_new (guint32, n + 1) };
  g_autofree gint64 *ideal = g_new0 (gint64, n_likes + 1);
  for (guint32 i = 0; i < n; i++)
    groups.group[i] = operations[i].like;
  group_durations (model, &groups);
  for (guint32 i = 0; i < n_likes; i++)
    ideal[i] = get_ideal (&g_array_index (model->likes, LoomSlowdownLike, i), groups.sorted + groups.first[i],
                          groups.first[i + 1] - groups.first[i]);
  for (guint32 i = 0; i < n; i++)
    durations->of[LOOM_SLOWDOWN_IDEAL][i] =
      operations[i].like != LOOM_SLOWDOWN_NONE ? ideal[operations[i].like] : operations[i].duration_ns;
  clear_groups (&groups);
}

/* Returns the number of the group within which the typical duration of an operation is computed. A group of
 * computations contains only operations of one stage; otherwise, a stage with more layers than others would count as
 * slow. A group of transfers contains operations of all stages, because all ranks of a stage may be connected by the
 * same slow link. */
static guint32
get_typical_group (const LoomSlowdownModel *model, const LoomSlowdownOperation *operation, guint32 n_stages)
{
  const LoomSlowdownLike *like = loom_slowdown_model_get_like (model, operation);
  gint stage = g_array_index (model->workers, LoomSlowdownWorker, operation->worker).stage;
  if (like == NULL)
    return LOOM_SLOWDOWN_NONE;
  return operation->like * n_stages + (like->is_transfer ? 0 : (guint32) MAX (stage, 0));
}

static void
set_typical (LoomSlowdownDurations *durations, const LoomSlowdownModel *model)
{
  guint32 n, n_stages = MAX (model->n_stages, 1);
  const LoomSlowdownOperation *operations = get_operations (model, &n);
  Groups groups = { .n_groups = model->likes->len * n_stages, .group = g_new (guint32, n + 1) };
  for (guint32 i = 0; i < n; i++)
    groups.group[i] = get_typical_group (model, &operations[i], n_stages);
  group_durations (model, &groups);
  for (guint32 i = 0; i < n; i++) {
    guint32 group = groups.group[i];
    guint32 first = group != LOOM_SLOWDOWN_NONE ? groups.first[group] : 0,
            end = group != LOOM_SLOWDOWN_NONE ? groups.first[group + 1] : 0;
    durations->of[LOOM_SLOWDOWN_TYPICAL][i] =
      end > first ? groups.sorted[first + (end - first - 1) / 2] : operations[i].duration_ns;
  }
  clear_groups (&groups);
}

void
loom_slowdown_durations_init (LoomSlowdownDurations *durations, const LoomSlowdownModel *model)
{
  guint32 n;
  const LoomSlowdownOperation *operations = get_operations (model, &n);
  for (guint k = 0; k < LOOM_N_SLOWDOWN_DURATIONS; k++)
    durations->of[k] = g_new (gint64, n + 1);
  for (guint32 i = 0; i < n; i++)
    durations->of[LOOM_SLOWDOWN_MEASURED][i] = operations[i].duration_ns;
  set_ideal (durations, model);
  set_typical (durations, model);
}

void
loom_slowdown_durations_clear (LoomSlowdownDurations *durations)
{
  for (guint i = 0; i < LOOM_N_SLOWDOWN_DURATIONS; i++)
    g_clear_pointer (&durations->of[i], g_free);
}
