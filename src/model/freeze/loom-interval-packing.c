/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the lowest free row for an interval with two heaps: rows in use, sorted by the time at which they become free,
 * and free rows, sorted by number.
 */
#include "loom-interval-packing.h"

typedef struct {
  gint64 key;
  guint32 row;
} Item;

struct _LoomIntervalPacking {
  GArray *busy; /* heap of Item: rows in use; the row whose last interval ends first is at the top */
  GArray *idle; /* heap of Item: free rows; the row with the lowest index is at the top */
  guint32 n_rows;
};

static inline Item *
item_at (GArray *heap, guint i)
{
  return &g_array_index (heap, Item, i);
}

static void
push (GArray *heap, Item item)
{
  guint at = heap->len;
  g_array_append_val (heap, item);
  while (at > 0 && item.key < item_at (heap, (at - 1) / 2)->key) {
    *item_at (heap, at) = *item_at (heap, (at - 1) / 2);
    at = (at - 1) / 2;
  }
  *item_at (heap, at) = item;
}

static Item
pop (GArray *heap)
{
  Item top = *item_at (heap, 0), moved = *item_at (heap, heap->len - 1);
  g_array_set_size (heap, heap->len - 1);
  guint at = 0;
  for (guint child = 1; child < heap->len; child = 2 * at + 1) {
    if (child + 1 < heap->len && item_at (heap, child + 1)->key < item_at (heap, child)->key)
      child++;
    if (moved.key <= item_at (heap, child)->key)
      break;
    *item_at (heap, at) = *item_at (heap, child);
    at = child;
  }
  if (heap->len > 0)
    *item_at (heap, at) = moved;
  return top;
}

LoomIntervalPacking *
loom_interval_packing_new (void)
{
  LoomIntervalPacking *packing = g_new0 (LoomIntervalPacking, 1);
  packing->busy = g_array_new (FALSE, FALSE, sizeof (Item));
  packing->idle = g_array_new (FALSE, FALSE, sizeof (Item));
  return packing;
}

void
loom_interval_packing_free (LoomIntervalPacking *packing)
{
  if (packing == NULL)
    return;
  g_array_unref (packing->busy);
  g_array_unref (packing->idle);
  g_free (packing);
}

guint32
loom_interval_packing_place (LoomIntervalPacking *packing, gint64 start_ns, gint64 end_ns)
{
  while (packing->busy->len > 0 && item_at (packing->busy, 0)->key <= start_ns) {
    guint32 row = pop (packing->busy).row;
    push (packing->idle, (Item) { row, row });
  }
  guint32 row = packing->idle->len > 0 ? pop (packing->idle).row : packing->n_rows++;
  push (packing->busy, (Item) { end_ns, row });
  return row;
}
