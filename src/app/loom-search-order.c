/* SPDX-License-Identifier: Apache-2.0
 *
 * A start since the first of them and an index fit into one number where a run is no longer than some hours; such
 * numbers are sorted by their digits. Others are merged.
 */
#include "loom-search-order.h"

#include "loom-bucket-sort.h"
#include "loom-sort.h"

#define INDEX_BITS 20
#define FEW 20000 /* not worth a thread */
G_STATIC_ASSERT (LOOM_SEARCH_ORDER_MOST <= 1 << INDEX_BITS);

typedef struct {
  gint64 start_ns;
  guint32 index;
} Timed;

#define IS_EARLIER(a, b) ((a)->start_ns < (b)->start_ns)
LOOM_DEFINE_SORT (sort_timed, Timed, IS_EARLIER)

/* A time above INDEX_BITS bits of index. */
typedef struct {
  const gint64 *start_ns;
  gint64 first_ns;
  guint32 *order;
} Packed;

static inline guint64
pack (const Packed *packed, guint32 i)
{
  return ((guint64) packed->start_ns[i] - (guint64) packed->first_ns) << INDEX_BITS | i;
}

static inline guint64
time_of (const guint64 *item)
{
  return *item >> INDEX_BITS;
}

static void
keep_order (const Packed *packed, guint64 *items, guint32 first, guint32 n)
{
  for (guint32 i = first; i < first + n; i++)
    packed->order[i] = (guint32) (items[i] & ((1 << INDEX_BITS) - 1));
}

LOOM_DEFINE_BUCKET_SORT (sort_packed, Packed, guint64, pack, time_of, keep_order)

/* Runs of more than some hours have no room beside an index. */
static void
order_plainly (const gint64 *start_ns, guint n, guint32 *order)
{
  g_autofree Timed *timed = g_new (Timed, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    timed[i] = (Timed) { start_ns[i], i };
  sort_timed (timed, n);
  for (guint i = 0; i < n; i++)
    order[i] = timed[i].index;
}

void
loom_search_order (const gint64 *start_ns, guint n, guint32 *order)
{
  g_return_if_fail (n <= LOOM_SEARCH_ORDER_MOST);
  gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;
  for (guint i = 0; i < n; i++) {
    first_ns = MIN (first_ns, start_ns[i]);
    last_ns = MAX (last_ns, start_ns[i]);
  }
  guint n_bits = n > 0 ? g_bit_storage ((guint64) last_ns - (guint64) first_ns) : 0;
  if (n_bits + INDEX_BITS > 64) {
    order_plainly (start_ns, n, order);
    return;
  }
  Packed packed = { start_ns, first_ns, order };
  g_autofree guint64 *items = g_new (guint64, MAX (n, 1));
  sort_packed (&packed, n, n > 0 ? (guint64) last_ns - (guint64) first_ns : 0, n < FEW ? 1 : 0, items);
}
