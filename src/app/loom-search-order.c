/* SPDX-License-Identifier: Apache-2.0
 *
 * A start since the first of them and an index fit into one number where a run is no longer than some hours; such
 * numbers are sorted by their digits. Others are merged.
 */
#include "loom-search-order.h"

#include "loom-parallel.h"
#include "loom-sort.h"

#include <string.h>

#define INDEX_BITS 20
#define RADIX_BITS 11
#define SPLIT_BITS 5
#define FEW 20000 /* not worth a thread */
G_STATIC_ASSERT (LOOM_SEARCH_ORDER_MOST <= 1 << INDEX_BITS);

typedef struct {
  gint64 start_ns;
  guint32 index;
} Timed;

#define IS_EARLIER(a, b) ((a)->start_ns < (b)->start_ns)
LOOM_DEFINE_SORT (sort_timed, Timed, IS_EARLIER)

/* Puts items in order of n_bits bits from `shift` on; equals stay as they are. */
static void
sort_digit (const guint64 *from, guint64 *to, guint n, guint shift, guint n_bits, guint32 *places)
{
  guint32 sum = 0, mask = (1U << n_bits) - 1;
  memset (places, 0, (mask + 1) * sizeof *places);
  for (guint i = 0; i < n; i++)
    places[from[i] >> shift & mask]++;
  for (guint i = 0; i <= mask; i++) {
    guint32 count = places[i];
    places[i] = sum;
    sum += count;
  }
  for (guint i = 0; i < n; i++)
    to[places[from[i] >> shift & mask]++] = from[i];
}

/* Items hold a time above INDEX_BITS bits of index. Those of one stretch of time after the other are sorted each on its
 * own, on all processors and near to them. */
typedef struct {
  guint64 *items, *room;
  guint32 ends[1 << SPLIT_BITS];
  guint n_bits; /* of the time below those that name the stretch */
} Packed;

static void
sort_stretch (guint stretch, guint worker, gpointer user_data)
{
  Packed *packed = user_data;
  guint32 first = stretch > 0 ? packed->ends[stretch - 1] : 0, n = packed->ends[stretch] - first;
  guint64 *from = packed->room + first, *to = packed->items + first;
  guint32 places[1 << RADIX_BITS];
  for (guint done = 0; done < packed->n_bits && n > 1; done += RADIX_BITS) {
    sort_digit (from, to, n, INDEX_BITS + done, MIN (packed->n_bits - done, RADIX_BITS), places);
    guint64 *other = from;
    from = to, to = other;
  }
  if (from != packed->items + first)
    memcpy (packed->items + first, from, n * sizeof *from);
}

static void
sort_packed (guint64 *items, guint n, guint n_bits)
{
  g_autofree guint64 *room = g_new (guint64, MAX (n, 1));
  guint n_split = MIN (n_bits, SPLIT_BITS);
  Packed packed = { .items = items, .room = room, .n_bits = n_bits - n_split };
  sort_digit (items, room, n, INDEX_BITS + packed.n_bits, n_split, packed.ends);
  loom_parallel_for (1U << n_split, n < FEW ? 1 : 0, sort_stretch, &packed, NULL);
}

static void
order_packed (const gint64 *start_ns, guint n, gint64 first_ns, guint n_bits, guint32 *order)
{
  g_autofree guint64 *items = g_new (guint64, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    items[i] = ((guint64) start_ns[i] - (guint64) first_ns) << INDEX_BITS | i;
  sort_packed (items, n, n_bits);
  for (guint i = 0; i < n; i++)
    order[i] = (guint32) (items[i] & ((1 << INDEX_BITS) - 1));
}

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
  if (n_bits + INDEX_BITS <= 64)
    order_packed (start_ns, n, first_ns, n_bits, order);
  else
    order_plainly (start_ns, n, order);
}
