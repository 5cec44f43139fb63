/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-statistics.h"

#include "loom-ranges.h"

#include <string.h>

static guint32
key_of (const LoomDataFrameRows *rows, guint32 row, LoomStepKey by)
{
  return by == LOOM_BY_PROCESS ? rows->process[row] : rows->metric[row];
}

/* Fills `order` with the rows that belong to a step; for LOOM_BY_TRAINING_PHASE, only with the spans of steps. Sorts
 * them by worker (if `per_rank`), then by key, then by the step of the rank. Returns the number of rows. */
static guint32
gather (const LoomDataFrameRows *rows, const LoomStepOfRow *steps, LoomStepKey by, gboolean per_rank, guint32 *order)
{
  g_autofree guint64 *keys = g_new (guint64, MAX (rows->n, 1));
  guint32 n = 0;
  for (guint32 i = 0; i < rows->n; i++) {
    if (steps->on_rank[i] == LOOM_NO_STEP || (by == LOOM_BY_TRAINING_PHASE && (rows->flags[i] & LOOM_ROW_STEP) == 0))
      continue;
    keys[n] = (guint64) key_of (rows, i, by) << 32 | steps->on_rank[i];
    order[n++] = i;
  }
  loom_statistics_sort (keys, order, n);
  if (per_rank) {
    for (guint32 i = 0; i < n; i++)
      keys[i] = rows->worker[order[i]];
    loom_statistics_sort (keys, order, n);
  }
  return n;
}

typedef struct {
  guint32 key;
  guint worker;
} Group;

static Group
group_of (const LoomDataFrameRows *rows, guint32 row, LoomStepKey by, gboolean per_rank)
{
  return (Group) { key_of (rows, row, by), per_rank ? rows->worker[row] : G_MAXUINT };
}

/* Ensures that a statistic counts each step and each worker only once. steps[step] and workers[worker] are 1 + the
 * index of the last statistic that counted this step or this worker; 0: no statistic has counted it yet. */
typedef struct {
  guint *steps, *workers;
} Seen;

static void
count_step (LoomStepStatistic *item, const LoomStepOfRow *steps, guint32 on_rank, Seen *seen, guint stamp)
{
  guint *step = steps->of_run != NULL ? &seen->steps[steps->of_run[on_rank]] : NULL;
  item->n_steps += step == NULL || *step != stamp;
  if (step != NULL)
    *step = stamp;
}

static void
count_rank (LoomStepStatistic *item, guint32 worker, Seen *seen, guint stamp)
{
  item->n_ranks += seen->workers[worker] != stamp;
  seen->workers[worker] = stamp;
}

static int
compare_statistics (gconstpointer a, gconstpointer b, gpointer frame)
{
  const LoomStepStatistic *x = a, *y = b;
  if (x->worker != y->worker)
    return x->worker < y->worker ? -1 : 1;
  return strcmp (loom_data_frame_get_text (frame, x->key), loom_data_frame_get_text (frame, y->key));
}

typedef struct {
  const LoomDataFrameRows *rows;
  const LoomStepOfRow *steps;
  LoomStepKey by;
  gboolean per_rank;
  const guint32 *order; /* rows of the LoomDataFrame, sorted by gather() */
  guint32 n;
  Seen seen;
  GArray *ranges; /* LoomRange: the times of the rows of the current step */
} Walk;

/* Returns the time that the union of the intervals covers, in ns, and empties the array. */
static double
take_covered (GArray *ranges)
{
  gint64 covered_ns = 0;
  if (ranges->len > 1)
    loom_ranges_join (ranges);
  for (guint i = 0; i < ranges->len; i++) {
    const LoomRange *range = &g_array_index (ranges, LoomRange, i);
    covered_ns = loom_time_add (covered_ns, loom_time_sub (range->end_ns, range->begin_ns));
  }
  g_array_set_size (ranges, 0);
  return (double) covered_ns;
}

/* Sets `dur_ns` to the duration of a step of a rank. Adds the rank and the time that rows of the step cover to `item`,
 * the statistic of `group`. `i`: index in walk->order of the step's first row. `stamp`: number of the statistic, see
 * Seen. Returns the index of the first row after the step. */
static guint32
measure_step (Walk *walk, guint32 i, Group group, LoomStepStatistic *item, guint stamp, double *dur_ns)
{
  const LoomDataFrameRows *rows = walk->rows;
  guint32 step = walk->steps->on_rank[walk->order[i]];
  gint64 begin_ns = G_MAXINT64, end_ns = G_MININT64;
  guint32 first = i;
  for (; i < walk->n && walk->steps->on_rank[walk->order[i]] == step; i++) {
    Group next = group_of (rows, walk->order[i], walk->by, walk->per_rank);
    if (next.key != group.key || next.worker != group.worker)
      break;
    count_rank (item, rows->worker[walk->order[i]], &walk->seen, stamp);
    begin_ns = MIN (begin_ns, rows->start_ns[walk->order[i]]);
    end_ns = MAX (end_ns, rows->end_ns[walk->order[i]]);
  }
  g_array_set_size (walk->ranges, i - first);
  for (guint32 k = first; k < i; k++)
    g_array_index (walk->ranges, LoomRange, k - first) =
      (LoomRange) { rows->start_ns[walk->order[k]], rows->end_ns[walk->order[k]] };
  item->running_ns += take_covered (walk->ranges);
  *dur_ns = (double) (end_ns - begin_ns);
  return i;
}

/* Computes the statistic of one key (and of one worker, if `per_rank`). `i`: index in walk->order of the first row
 * of the key. Returns the index of the first row with another key or worker. */
static guint32
measure_group (Walk *walk, guint32 i, GArray *durations, GArray *items)
{
  LoomStepStatistic item = { 0 };
  Group group = group_of (walk->rows, walk->order[i], walk->by, walk->per_rank);
  g_array_set_size (durations, 0);
  while (i < walk->n) {
    guint32 row = walk->order[i];
    Group here = group_of (walk->rows, row, walk->by, walk->per_rank);
    double dur_ns;
    if (here.key != group.key || here.worker != group.worker)
      break;
    count_step (&item, walk->steps, walk->steps->on_rank[row], &walk->seen, items->len + 1);
    i = measure_step (walk, i, group, &item, items->len + 1, &dur_ns);
    g_array_append_val (durations, dur_ns);
  }
  item.key = group.key;
  item.worker = group.worker;
  item.running_ns /= durations->len;
  item.ns = loom_statistics_summarise ((double *) (gpointer) durations->data, durations->len);
  g_array_append_val (items, item);
  return i;
}

void
loom_step_statistics_init (LoomStepStatistics *statistics, const LoomDataFrame *frame, const LoomStepOfRow *steps,
                           LoomStepKey by, gboolean per_rank)
{
  const LoomDataFrameRows *rows = &frame->rows;
  g_autofree guint32 *order = g_new (guint32, MAX (rows->n, 1));
  g_autofree guint *seen_steps = g_new0 (guint, steps->n_of_run + 1),
                   *seen_workers = g_new0 (guint, frame->n_workers + 1);
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  GArray *items = g_array_new (FALSE, FALSE, sizeof (LoomStepStatistic));
  Walk walk = {
    rows, steps, by, per_rank, order, gather (rows, steps, by, per_rank, order), { seen_steps, seen_workers }, ranges
  };
  for (guint32 i = 0; i < walk.n;)
    i = measure_group (&walk, i, durations, items);
  g_array_sort_with_data (items, compare_statistics, (gpointer) frame);
  statistics->n = items->len;
  statistics->items = (LoomStepStatistic *) (gpointer) g_array_free (items, FALSE);
}

void
loom_step_statistics_clear (LoomStepStatistics *statistics)
{
  g_clear_pointer (&statistics->items, g_free);
}
