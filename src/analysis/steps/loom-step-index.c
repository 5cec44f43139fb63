/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-index.h"

static int
compare_phases (const LoomRankStep *x, const LoomRankStep *y)
{
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return x->phase < y->phase ? -1 : x->phase > y->phase;
}

static int
compare_begins (const LoomRankStep *x, const LoomRankStep *y)
{
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* Compares steps by phase, number, worker and time, so that the steps of one rank with equal phases and numbers become
 * neighbours, in order of time. */
static int
compare_for_occurrence (gconstpointer a, gconstpointer b)
{
  const LoomRankStep *x = a, *y = b;
  int phases = compare_phases (x, y);
  if (phases != 0)
    return phases;
  if (x->worker != y->worker)
    return x->worker < y->worker ? -1 : 1;
  return compare_begins (x, y);
}

/* Compares steps by phase, number and occurrence. Several ranks may take one step of the run together; sorting makes
 * their steps neighbours. */
static int
compare_for_step (gconstpointer a, gconstpointer b)
{
  const LoomRankStep *x = a, *y = b;
  int phases = compare_phases (x, y);
  if (phases != 0)
    return phases;
  return x->occurrence < y->occurrence ? -1 : x->occurrence > y->occurrence;
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const LoomRankStep *x = a, *y = b;
  if (x->worker != y->worker)
    return x->worker < y->worker ? -1 : 1;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return compare_begins (x, y);
}

static GArray *
gather (const LoomDataFrame *frame, LoomRowFlags flags)
{
  const LoomDataFrameRows *rows = &frame->rows;
  GArray *items = g_array_new (FALSE, FALSE, sizeof (LoomRankStep));
  for (guint32 i = 0; i < rows->n; i++) {
    LoomRankStep item = { .row = i,
                          .worker = rows->worker[i],
                          .number = MAX (rows->step[i], -1),
                          .phase = rows->metric[i],
                          .begin_ns = rows->start_ns[i],
                          .end_ns = rows->end_ns[i] };
    if ((rows->flags[i] & flags) != 0)
      g_array_append_val (items, item);
  }
  return items;
}

/* Sets LoomRankStep.occurrence and LoomRankStep.step of all items. Returns the number of steps of the run. */
static guint32
join_ranks (GArray *items)
{
  LoomRankStep *at = (LoomRankStep *) (gpointer) items->data;
  guint32 n = 0;
  g_array_sort (items, compare_for_occurrence);
  for (guint i = 1; i < items->len; i++)
    if (at[i].worker == at[i - 1].worker && compare_phases (&at[i], &at[i - 1]) == 0)
      at[i].occurrence = at[i - 1].occurrence + 1;
  g_array_sort (items, compare_for_step);
  for (guint i = 0; i < items->len; i++) {
    n += i == 0 || compare_for_step (&at[i], &at[i - 1]) != 0;
    at[i].step = n - 1;
  }
  return n;
}

void
loom_step_index_init (LoomStepIndex *index, const LoomDataFrame *frame, LoomRowFlags flags)
{
  GArray *items = gather (frame, flags);
  *index = (LoomStepIndex) { .n = items->len, .first = g_new (guint32, frame->n_workers + 1) };
  index->n_steps = join_ranks (items);
  g_array_sort (items, compare_items);
  index->items = (LoomRankStep *) (gpointer) g_array_free (items, FALSE);
  for (guint32 worker = 0, i = 0; worker <= frame->n_workers; worker++) {
    index->first[worker] = i;
    while (i < index->n && index->items[i].worker == worker)
      i++;
    index->n_ranks += i > index->first[worker];
  }
}

void
loom_step_index_clear (LoomStepIndex *index)
{
  g_clear_pointer (&index->items, g_free);
  g_clear_pointer (&index->first, g_free);
}

/* Among the worker's items with the number `number`, returns the index of the first one that does not start before
 * `begin_ns`. If there is no such item, returns the index of the worker's first item with a greater number; if there is
 * no such item either, the index after the worker's last item. */
static guint32
find_from (const LoomStepIndex *index, guint32 worker, gint32 number, gint64 begin_ns)
{
  guint32 low = index->first[worker], high = index->first[worker + 1];
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    const LoomRankStep *item = &index->items[middle];
    if (item->number < number || (item->number == number && item->begin_ns < begin_ns))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns by how many ns an item and [begin_ns, end_ns) overlap. If they do not overlap, returns a negative number,
 * whose absolute value is their distance in ns. */
static gint64
overlap_of (const LoomRankStep *item, gint64 begin_ns, gint64 end_ns)
{
  return MIN (item->end_ns, end_ns) - MAX (item->begin_ns, begin_ns);
}

guint32
loom_step_index_find (const LoomStepIndex *index, guint32 worker, gint32 number, gint64 begin_ns, gint64 end_ns)
{
  guint32 next = find_from (index, worker, number, begin_ns), found = G_MAXUINT32;
  if (next > index->first[worker] && index->items[next - 1].number == number)
    found = next - 1;
  if (next == index->first[worker + 1] || index->items[next].number != number)
    return found;
  if (found != G_MAXUINT32 &&
      overlap_of (&index->items[found], begin_ns, end_ns) >= overlap_of (&index->items[next], begin_ns, end_ns))
    return found;
  return next;
}
