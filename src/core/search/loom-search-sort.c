/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search-sort.h: sorts hits by time in buckets. The time from the first to the last hit is divided into
 * buckets of equal length. The hits of a row (a LoomSearchRun) in one bucket are consecutive. So each bucket is
 * collected from all rows and sorted separately; it is small enough for the processor's cache.
 */
#include "loom-search-sort.h"

#include "loom-merge-sort.h"
#include "loom-radix-sort.h"

#define INDEX_BITS 20
#define BUCKET_HITS 8192u
#define MOST_EDGES (1u << 20) /* maximum number of elements of `edges` */
#define FEW 20000 /* fewer hits than this are sorted in one thread, because starting more threads would take longer */
G_STATIC_ASSERT (LOOM_SEARCH_SORT_MOST <= 1 << INDEX_BITS);

typedef struct {
  const LoomSpanId *hits;
  const LoomSearchRun *runs;
  guint n_runs, n_buckets, step;
  gint64 low_ns;
  /* length of a bucket; all buckets have the same length and together cover the time from the first to the last hit */
  guint64 width_ns;
  /* for each row (LoomSearchRun) and each bucket, the index of the first hit of the row in the bucket; each row has one
   * more element, which is the end of its hits */
  guint32 *edges;
  /* for each bucket, the position in `order` of its first hit; the last element is the total number of hits */
  guint32 *first;
  guint32 *order;
  gint64 *ticks_ns;
} Order;

static inline gint64
time_of (const Order *order, const LoomSearchRun *run, guint hit)
{
  return loom_clock_map_to_timeline (&run->map, run->start_ns[order->hits[hit].span]);
}

/* Returns the time of a hit in ns since the earliest hit. */
static inline guint64
offset_of (const Order *order, const LoomSearchRun *run, guint hit)
{
  return (guint64) time_of (order, run, hit) - (guint64) order->low_ns;
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

/* Returns the index of the first hit of the row `run`, from index `from` on, that is at least `offset` ns after the
 * earliest hit of all rows. If no hit of the row is that late, returns the end of the row's hits. */
static guint
find_edge (const Order *order, const LoomSearchRun *run, guint from, guint64 offset)
{
  guint low = from, high = from, stride = 1;
  while (high < run->end && offset_of (order, run, high) < offset) {
    low = high + 1;
    high = run->end - high > stride ? high + stride : run->end;
    stride *= 2;
  }
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (offset_of (order, run, middle) < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
find_edges (guint item, guint worker, gpointer user_data)
{
  const Order *order = user_data;
  const LoomSearchRun *run = &order->runs[item];
  guint32 *edges = order->edges + (gsize) item * (order->n_buckets + 1);
  edges[0] = run->first;
  for (guint bucket = 1; bucket < order->n_buckets; bucket++)
    edges[bucket] = bucket > G_MAXUINT64 / order->width_ns
                      ? run->end
                      : find_edge (order, run, edges[bucket - 1], bucket * order->width_ns);
  edges[order->n_buckets] = run->end;
}

static void
place_buckets (Order *order)
{
  guint32 next = 0;
  for (guint bucket = 0; bucket < order->n_buckets; bucket++) {
    order->first[bucket] = next;
    for (guint run = 0; run < order->n_runs; run++) {
      const guint32 *edge = order->edges + (gsize) run * (order->n_buckets + 1) + bucket;
      next += edge[1] - edge[0];
    }
  }
  order->first[order->n_buckets] = next;
}

/* --- buckets ------------------------------------------------------------------------------------------------------ */

/* Returns the time in a sort key, whose lowest INDEX_BITS bits are the index of the hit and whose other bits are the
 * time. */
static inline guint64
packed_time (const guint64 *item)
{
  return *item >> INDEX_BITS;
}

LOOM_DEFINE_DIGIT_SORT (sort_packed, guint64, packed_time)

typedef struct {
  guint64 offset;
  guint32 hit;
} Timed;

#define IS_EARLIER(a, b) ((a)->offset < (b)->offset)
LOOM_DEFINE_SORT (sort_timed, Timed, IS_EARLIER)

static inline void
keep (const Order *order, guint32 place, guint32 hit, guint64 offset)
{
  order->order[place] = hit;
  if (place % order->step == 0)
    order->ticks_ns[place / order->step] = (gint64) ((guint64) order->low_ns + offset);
}

/* Copies the hits of a bucket, from all rows: their times in ns since the earliest hit to `offsets`, their indices to
 * `hits`. */
static void
collect (const Order *order, guint bucket, guint64 *offsets, guint32 *hits)
{
  guint32 n = 0;
  for (guint i = 0; i < order->n_runs; i++) {
    const guint32 *edge = order->edges + (gsize) i * (order->n_buckets + 1) + bucket;
    for (guint32 hit = edge[0]; hit < edge[1]; hit++, n++) {
      offsets[n] = offset_of (order, &order->runs[i], hit);
      hits[n] = hit;
    }
  }
}

static void
sort_bucket (const Order *order, guint bucket, guint64 *items, const guint32 *hits, guint32 n, guint n_bits)
{
  guint64 begin = bucket * order->width_ns;
  g_autofree guint64 *room = g_new (guint64, n);
  for (guint32 i = 0; i < n; i++)
    items[i] = (items[i] - begin) << INDEX_BITS | hits[i];
  sort_packed (items, room, n, n_bits);
  for (guint32 i = 0; i < n; i++)
    keep (order, order->first[bucket] + i, (guint32) (items[i] & ((1 << INDEX_BITS) - 1)),
          begin + packed_time (&items[i]));
}

/* Sorts the hits of a bucket without packing time and index of a hit into one sort key. Used for long buckets, in which
 * 64 bits are too few for the time within the bucket, in ns, and the index. */
static void
sort_long_bucket (const Order *order, guint bucket, const guint64 *offsets, const guint32 *hits, guint32 n)
{
  g_autofree Timed *items = g_new (Timed, n);
  for (guint32 i = 0; i < n; i++)
    items[i] = (Timed) { offsets[i], hits[i] };
  sort_timed (items, n);
  for (guint32 i = 0; i < n; i++)
    keep (order, order->first[bucket] + i, items[i].hit, items[i].offset);
}

static void
take_bucket (guint bucket, guint worker, gpointer user_data)
{
  const Order *order = user_data;
  guint n_bits = g_bit_storage (order->width_ns - 1);
  guint32 n = order->first[bucket + 1] - order->first[bucket];
  if (n == 0)
    return;
  g_autofree guint64 *offsets = g_new (guint64, n);
  g_autofree guint32 *hits = g_new (guint32, n);
  collect (order, bucket, offsets, hits);
  if (n_bits + INDEX_BITS <= 64)
    sort_bucket (order, bucket, offsets, hits, n, n_bits);
  else
    sort_long_bucket (order, bucket, offsets, hits, n);
}

/* --- sorting of all hits ------------------------------------------------------------------------------------------ */

static void
cut (Order *order, guint n)
{
  gint64 high_ns = G_MININT64;
  order->low_ns = G_MAXINT64;
  for (guint i = 0; i < order->n_runs; i++) {
    order->low_ns = MIN (order->low_ns, time_of (order, &order->runs[i], order->runs[i].first));
    high_ns = MAX (high_ns, time_of (order, &order->runs[i], order->runs[i].end - 1));
  }
  guint64 length = (guint64) high_ns - (guint64) order->low_ns;
  order->n_buckets = CLAMP (MIN (n / BUCKET_HITS, MOST_EDGES / order->n_runs), 1, 1024);
  order->width_ns = MAX (length / order->n_buckets, 1) + (length < G_MAXUINT64);
}

void
loom_search_sort (const LoomSpanId *hits, const LoomSearchRun *runs, guint n_runs, guint step, guint32 *places,
                  gint64 *ticks_ns)
{
  Order order = { .hits = hits, .runs = runs, .n_runs = n_runs, .step = step, .order = places, .ticks_ns = ticks_ns };
  if (n_runs == 0)
    return;
  guint n = runs[n_runs - 1].end, n_threads = n < FEW ? 1 : 0;
  g_return_if_fail (n <= LOOM_SEARCH_SORT_MOST);
  cut (&order, n);
  order.edges = g_new (guint32, (gsize) n_runs * (order.n_buckets + 1));
  order.first = g_new (guint32, order.n_buckets + 1);
  loom_parallel_for (n_runs, n_threads, find_edges, &order, NULL);
  place_buckets (&order);
  loom_parallel_for (order.n_buckets, n_threads, take_bucket, &order, NULL);
  g_free (order.edges);
  g_free (order.first);
}
