/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap of a k-way merge: a binary heap of the cursors (LoomMergeCursor), with the earliest event on top.
 */
#include "loom-merge-private.h"

/* Puts `key` into the heap. `slot`: a free slot. If keys in the subtree below this slot precede `key`, they move up,
 * and `key` gets a slot further down. */
static void
sift_down (LoomKwayMerge *sweep, guint slot, LoomMergeKey key)
{
  LoomMergeKey *heap = sweep->heap;
  for (;;) {
    guint child = slot * 2 + 1;
    if (child >= sweep->n_heap)
      break;
    if (child + 1 < sweep->n_heap)
      child += (guint) loom_merge_key_is_before (&heap[child + 1], &heap[child]);
    if (!loom_merge_key_is_before (&heap[child], &key))
      break;
    heap[slot] = heap[child];
    slot = child;
  }
  heap[slot] = key;
}

void
loom_merge_heap_add (LoomKwayMerge *sweep, const LoomMergeKey *key)
{
  if (sweep->heap == NULL)
    sweep->heap = g_new (LoomMergeKey, sweep->cursors->len);
  LoomMergeKey *heap = sweep->heap, added = *key;
  guint slot = sweep->n_heap++;
  for (; slot > 0 && loom_merge_key_is_before (&added, &heap[(slot - 1) / 2]); slot = (slot - 1) / 2)
    heap[slot] = heap[(slot - 1) / 2];
  heap[slot] = added;
}

void
loom_merge_heap_pop (LoomKwayMerge *sweep, LoomMergeItem *item)
{
  guint number = sweep->heap[0].cursor;
  LoomMergeCursor *cursor = loom_merge_cursor (sweep, number);
  loom_merge_fill_item (cursor, item);
  loom_merge_pass_cursor (sweep, cursor);
  if (loom_merge_load_cursor (sweep, cursor))
    sift_down (sweep, 0, (LoomMergeKey) { cursor->start_ns, cursor->end_ns, number });
  else if (--sweep->n_heap > 0)
    sift_down (sweep, 0, sweep->heap[sweep->n_heap]);
}
