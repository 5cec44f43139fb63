/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary heap over cursors.
 */
#include "loom-sweep-private.h"

/* Moves what is before `key` up until there is a place for it. */
static void
sift_down (LoomSweep *sweep, guint slot, LoomSweepKey key)
{
  LoomSweepKey *heap = sweep->heap;
  for (;;) {
    guint child = slot * 2 + 1;
    if (child >= sweep->n_heap)
      break;
    if (child + 1 < sweep->n_heap)
      child += (guint) loom_sweep_key_is_before (&heap[child + 1], &heap[child]);
    if (!loom_sweep_key_is_before (&heap[child], &key))
      break;
    heap[slot] = heap[child];
    slot = child;
  }
  heap[slot] = key;
}

void
loom_sweep_heap_add (LoomSweep *sweep, const LoomSweepKey *key)
{
  if (sweep->heap == NULL)
    sweep->heap = g_new (LoomSweepKey, sweep->cursors->len);
  LoomSweepKey *heap = sweep->heap, added = *key;
  guint slot = sweep->n_heap++;
  for (; slot > 0 && loom_sweep_key_is_before (&added, &heap[(slot - 1) / 2]); slot = (slot - 1) / 2)
    heap[slot] = heap[(slot - 1) / 2];
  heap[slot] = added;
}

void
loom_sweep_heap_pop (LoomSweep *sweep, LoomSweepItem *item)
{
  guint number = sweep->heap[0].cursor;
  LoomSweepCursor *cursor = loom_sweep_cursor (sweep, number);
  loom_sweep_fill_item (cursor, item);
  loom_sweep_pass_cursor (sweep, cursor);
  if (loom_sweep_load_cursor (sweep, cursor))
    sift_down (sweep, 0, (LoomSweepKey) { cursor->start_ns, loom_sweep_order_end (cursor), number });
  else if (--sweep->n_heap > 0)
    sift_down (sweep, 0, sweep->heap[sweep->n_heap]);
}
