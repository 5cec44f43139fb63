/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorted by the numbers of their spans: dealt into buckets by the highest bits, block by block, then each bucket digit by
 * digit, in the processor's cache. Both on all threads.
 */
#include "loom-flow-arrows.h"

#include "loom-parallel.h"
#include "loom-sort.h"

#define BLOCK_ARROWS 65536u  /* dealt at one go */
#define BUCKET_ARROWS 8192u  /* about so many in a bucket */
#define MOST_BUCKETS 1024u
#define DIGIT_BITS 8

#define BY_SOURCE(a, b) ((a)->from < (b)->from || ((a)->from == (b)->from && \
                         ((a)->to < (b)->to || ((a)->to == (b)->to && (a)->name_id < (b)->name_id))))

LOOM_DEFINE_SORT (sort_arrows, LoomArrow, BY_SOURCE)

typedef struct {
  guint32 span, arrow;
} Target;

typedef struct {
  const LoomArrow *arrows;
  guint32 n, n_blocks, n_buckets;
  gboolean by_target;
  guint shift;       /* span to bucket */
  guint32 *first;    /* per block and bucket: where the block's go */
  Target *targets;   /* bucket by bucket */
  LoomArrow *sorted; /* by source */
  guint32 *numbers;  /* by target */
} Sort;

static inline guint32
span_of (const Sort *sort, guint32 arrow)
{
  return sort->by_target ? sort->arrows[arrow].to : sort->arrows[arrow].from;
}

/* --- dealing ------------------------------------------------------------------------------------------------------ */

static void
choose_buckets (Sort *sort, guint32 n_spans)
{
  guint32 most = CLAMP (sort->n / BUCKET_ARROWS, 1, MOST_BUCKETS);
  while ((guint64) n_spans >> sort->shift >= most)
    sort->shift++;
  sort->n_buckets = (guint32) ((guint64) n_spans >> sort->shift) + 1;
  sort->n_blocks = sort->n / BLOCK_ARROWS + (sort->n % BLOCK_ARROWS > 0);
}

static guint32
block_end (const Sort *sort, guint block)
{
  return (guint32) MIN (sort->n, ((guint64) block + 1) * BLOCK_ARROWS);
}

static void
count_block (guint block, guint worker, gpointer user_data)
{
  const Sort *sort = user_data;
  guint32 *count = sort->first + (gsize) block * sort->n_buckets;
  for (guint32 i = block * BLOCK_ARROWS; i < block_end (sort, block); i++)
    count[span_of (sort, i) >> sort->shift]++;
}

/* From how many to where: a bucket's blocks follow one another. */
static void
place_blocks (Sort *sort)
{
  guint32 next = 0;
  for (guint32 bucket = 0; bucket < sort->n_buckets; bucket++)
    for (guint32 block = 0; block < sort->n_blocks; block++) {
      guint32 *first = sort->first + (gsize) block * sort->n_buckets + bucket, n = *first;
      *first = next;
      next += n;
    }
}

static void
deal_block (guint block, guint worker, gpointer user_data)
{
  const Sort *sort = user_data;
  gsize n_bytes = sort->n_buckets * sizeof (guint32);
  g_autofree guint32 *next = g_memdup2 (sort->first + (gsize) block * sort->n_buckets, n_bytes);
  for (guint32 i = block * BLOCK_ARROWS; i < block_end (sort, block); i++) {
    guint32 span = span_of (sort, i);
    sort->targets[next[span >> sort->shift]++] = (Target) { span, i };
  }
}

/* --- one bucket --------------------------------------------------------------------------------------------------- */

/* Stable, from the lowest digits up; returns where they stand then. */
static Target *
sort_digits (Target *from, Target *to, guint32 n, guint n_bits)
{
  for (guint shift = 0; shift < n_bits; shift += DIGIT_BITS) {
    guint32 first[(1 << DIGIT_BITS) + 1] = { 0 };
    for (guint32 i = 0; i < n; i++)
      first[(from[i].span >> shift) % (1 << DIGIT_BITS) + 1]++;
    for (guint digit = 1; digit <= 1 << DIGIT_BITS; digit++)
      first[digit] += first[digit - 1];
    for (guint32 i = 0; i < n; i++)
      to[first[(from[i].span >> shift) % (1 << DIGIT_BITS)]++] = from[i];
    Target *sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

/* Arrows of one span in an order that does not depend on the threads. */
static void
sort_runs (LoomArrow *arrows, guint32 n)
{
  for (guint32 first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && arrows[end].from == arrows[first].from;)
      end++;
    sort_arrows (arrows + first, end - first);
  }
}

static void
sort_bucket (guint bucket, guint worker, gpointer user_data)
{
  const Sort *sort = user_data;
  guint32 first = sort->first[bucket], n = (bucket + 1 < sort->n_buckets ? sort->first[bucket + 1] : sort->n) - first;
  if (n == 0)
    return;
  g_autofree Target *room = g_new (Target, n);
  const Target *sorted = sort_digits (sort->targets + first, room, n, sort->shift);
  for (guint32 i = 0; i < n && sort->by_target; i++)
    sort->numbers[first + i] = sorted[i].arrow;
  for (guint32 i = 0; i < n && !sort->by_target; i++)
    sort->sorted[first + i] = sort->arrows[sorted[i].arrow];
  if (!sort->by_target)
    sort_runs (sort->sorted + first, n);
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static void
run (Sort *sort, guint32 n_spans, guint n_threads)
{
  choose_buckets (sort, n_spans);
  sort->first = g_new0 (guint32, MAX ((gsize) sort->n_blocks, 1) * sort->n_buckets);
  sort->targets = g_new (Target, MAX (sort->n, 1));
  loom_parallel_for (sort->n_blocks, n_threads, count_block, sort, NULL);
  place_blocks (sort);
  loom_parallel_for (sort->n_blocks, n_threads, deal_block, sort, NULL);
  loom_parallel_for (sort->n_buckets, n_threads, sort_bucket, sort, NULL);
  g_free (sort->targets);
  g_free (sort->first);
}

void
loom_flow_arrows_keep (LoomTrace *trace, const LoomArrow *arrows, guint32 n, guint n_threads)
{
  trace->n_arrows = n;
  trace->arrows = g_new (LoomArrow, MAX (n, 1));
  trace->arrows_by_target = g_new (guint32, MAX (n, 1));
  Sort by_source = { .arrows = arrows, .n = n, .sorted = trace->arrows };
  run (&by_source, trace->spans.n, n_threads);
  Sort by_target = { .arrows = trace->arrows, .n = n, .by_target = TRUE, .numbers = trace->arrows_by_target };
  run (&by_target, trace->spans.n, n_threads);
}
