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
#define SPLIT_BITS 6
#define N_STRETCHES (1u << SPLIT_BITS)
#define BLOCK 32768u
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

/* Items hold a time above INDEX_BITS bits of index. They are dealt into stretches of time, block by block; then each stretch
 * is sorted on its own. All on all processors. */
typedef struct {
  const gint64 *start_ns;
  guint32 *order;
  guint n, n_bits;  /* of the time below those that name the stretch */
  gint64 first_ns;
  guint64 *dealt;
  guint32 (*places)[N_STRETCHES]; /* per block */
  guint32 ends[N_STRETCHES];
} Packed;

static inline guint64
time_of (const Packed *packed, guint i)
{
  return (guint64) packed->start_ns[i] - (guint64) packed->first_ns;
}

static void
count_block (guint block, guint worker, gpointer user_data)
{
  const Packed *packed = user_data;
  guint32 *places = packed->places[block];
  for (guint i = block * BLOCK; i < MIN (packed->n, (block + 1) * BLOCK); i++)
    places[time_of (packed, i) >> packed->n_bits]++;
}

static void
place_blocks (Packed *packed, guint n_blocks)
{
  guint32 sum = 0;
  for (guint stretch = 0; stretch < N_STRETCHES; stretch++) {
    for (guint block = 0; block < n_blocks; block++) {
      guint32 count = packed->places[block][stretch];
      packed->places[block][stretch] = sum;
      sum += count;
    }
    packed->ends[stretch] = sum;
  }
}

static void
deal_block (guint block, guint worker, gpointer user_data)
{
  const Packed *packed = user_data;
  guint32 *places = packed->places[block];
  for (guint i = block * BLOCK; i < MIN (packed->n, (block + 1) * BLOCK); i++) {
    guint64 time = time_of (packed, i);
    packed->dealt[places[time >> packed->n_bits]++] = time << INDEX_BITS | i;
  }
}

static void
sort_stretch (guint stretch, guint worker, gpointer user_data)
{
  const Packed *packed = user_data;
  guint32 first = stretch > 0 ? packed->ends[stretch - 1] : 0, n = packed->ends[stretch] - first;
  g_autofree guint64 *room = g_new (guint64, MAX (n, 1));
  guint64 *from = packed->dealt + first, *to = room;
  guint32 places[1 << RADIX_BITS];
  for (guint done = 0; done < packed->n_bits && n > 1; done += RADIX_BITS) {
    sort_digit (from, to, n, INDEX_BITS + done, MIN (packed->n_bits - done, RADIX_BITS), places);
    guint64 *other = from;
    from = to, to = other;
  }
  for (guint i = 0; i < n; i++)
    packed->order[first + i] = (guint32) (from[i] & ((1 << INDEX_BITS) - 1));
}

static void
order_packed (const gint64 *start_ns, guint n, gint64 first_ns, guint n_bits, guint32 *order)
{
  guint n_blocks = (n + BLOCK - 1) / BLOCK, n_threads = n < FEW ? 1 : 0;
  g_autofree guint64 *dealt = g_new (guint64, MAX (n, 1));
  g_autofree gpointer places = g_malloc0_n (MAX (n_blocks, 1), N_STRETCHES * sizeof (guint32));
  Packed packed = { .start_ns = start_ns, .order = order, .n = n, .first_ns = first_ns, .dealt = dealt, .places = places };
  packed.n_bits = n_bits - MIN (n_bits, SPLIT_BITS);
  loom_parallel_for (n_blocks, n_threads, count_block, &packed, NULL);
  place_blocks (&packed, n_blocks);
  loom_parallel_for (n_blocks, n_threads, deal_block, &packed, NULL);
  loom_parallel_for (N_STRETCHES, n_threads, sort_stretch, &packed, NULL);
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
