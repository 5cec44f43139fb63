/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-statistics.h"

#include <string.h>

#define STEP_BITS 31

static guint32
key_of (const LoomFrameRows *rows, guint32 row, LoomStepKey by)
{
  return by == LOOM_BY_PROCESS ? rows->process[row] : rows->metric[row];
}

/* Rows that count, by (worker,) key and step; `keys` are those of key and step. */
static guint32
gather (const LoomFrameRows *rows, const gint32 *steps, LoomStepKey by, gboolean per_rank, guint32 *order)
{
  g_autofree guint64 *keys = g_new (guint64, MAX (rows->n, 1));
  guint32 n = 0;
  for (guint32 i = 0; i < rows->n; i++) {
    if (steps[i] < 0 || (by == LOOM_BY_TRAINING_PHASE && (rows->flags[i] & LOOM_ROW_STEP) == 0))
      continue;
    keys[n] = (guint64) key_of (rows, i, by) << STEP_BITS | (guint64) steps[i];
    order[n++] = i;
  }
  loom_stats_sort (keys, order, n);
  if (per_rank) {
    for (guint32 i = 0; i < n; i++)
      keys[i] = rows->worker[order[i]];
    loom_stats_sort (keys, order, n);
  }
  return n;
}

typedef struct {
  guint32 key;
  guint worker;
} Group;

static Group
group_of (const LoomFrameRows *rows, guint32 row, LoomStepKey by, gboolean per_rank)
{
  return (Group) { key_of (rows, row, by), per_rank ? rows->worker[row] : G_MAXUINT };
}

static int
compare_statistics (gconstpointer a, gconstpointer b, gpointer frame)
{
  const LoomStepStatistic *x = a, *y = b;
  if (x->worker != y->worker)
    return x->worker < y->worker ? -1 : 1;
  return strcmp (loom_frame_get_text (frame, x->key), loom_frame_get_text (frame, y->key));
}

void
loom_step_statistics_init (LoomStepStatistics *statistics, const LoomFrame *frame, const gint32 *steps, LoomStepKey by,
                           gboolean per_rank)
{
  const LoomFrameRows *rows = loom_frame_get_rows (frame);
  g_autofree guint32 *order = g_new (guint32, MAX (rows->n, 1));
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *items = g_array_new (FALSE, FALSE, sizeof (LoomStepStatistic));
  guint32 n = gather (rows, steps, by, per_rank, order);
  for (guint32 i = 0; i < n;) {
    Group group = group_of (rows, order[i], by, per_rank);
    g_array_set_size (durations, 0);
    while (i < n) { /* step after step of the group */
      Group here = group_of (rows, order[i], by, per_rank);
      if (here.key != group.key || here.worker != group.worker)
        break;
      gint32 step = steps[order[i]];
      gint64 begin_ns = G_MAXINT64, end_ns = G_MININT64;
      for (; i < n && steps[order[i]] == step; i++) {
        Group next = group_of (rows, order[i], by, per_rank);
        if (next.key != group.key || next.worker != group.worker)
          break;
        begin_ns = MIN (begin_ns, rows->start_ns[order[i]]);
        end_ns = MAX (end_ns, rows->end_ns[order[i]]);
      }
      double dur = (double) (end_ns - begin_ns);
      g_array_append_val (durations, dur);
    }
    LoomStepStatistic item = { group.key, group.worker, loom_stats_summarise ((double *) durations->data, durations->len) };
    g_array_append_val (items, item);
  }
  g_array_sort_with_data (items, compare_statistics, (gpointer) frame);
  statistics->n = items->len;
  statistics->items = (LoomStepStatistic *) g_array_free (items, FALSE);
}

void
loom_step_statistics_clear (LoomStepStatistics *statistics)
{
  g_clear_pointer (&statistics->items, g_free);
}
