/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to loom-row-summary.c and loom-summary-build.c. The tree over the spans of a row. A node of the lowest level
 * is a block of 16 spans; a node of a higher level has 8 child nodes. Each node has its start, its longest span, and
 * the duration of that span; a block also has the sum of the durations of all spans before it. The cost of a query
 * depends on the number of cache lines that it reads. Therefore starts, durations and sums are in separate arrays, and
 * blocks and groups of siblings fill whole cache lines. The tree takes two and a half bytes per span.
 */
#pragma once

#include "loom-trace-private.h"

#define BLOCK 16   /* number of spans in a block: two cache lines of a column */
#define SIBLINGS 8 /* number of child nodes of a node: one cache line */
#define LOG_SIBLINGS 3
#define MOST_LEVELS 11 /* maximum number of levels: 16 × 8¹⁰ > 2³² */

/* The longest span of a node, with its name, so that drawing need not read the name from the columns. */
typedef struct {
  guint32 span, name_id;
} Peak;

#define PEAK_WORDS (sizeof (Peak) / sizeof (guint32))

typedef struct {
  /* arrays indexed by node: start of the node, and duration of its longest span, in ns. The arrays are padded to full
   * groups of siblings: the elements after the last node have the start G_MAXINT64 and the duration −1. */
  gint64 *start_ns, *dur_ns;
  Peak *longest;
  guint32 n;
} Level;

/* A row with its tree. Blocks begin at multiples of BLOCK in the columns of the trace, so a row may begin inside a
 * block. In this struct, indices of spans are relative to the first span of the row's first block. */
typedef struct {
  const gint64 *start_ns, *dur_ns;
  const guint32 *name_id;
  guint32 base, begin, end;
  gint64 *sums_ns;
  Level levels[MOST_LEVELS];
  guint n_levels;
} Tree;

static inline guint32
round_up (guint32 n)
{
  return (n + SIBLINGS - 1) / SIBLINGS * SIBLINGS;
}

static inline guint32
n_blocks (const LoomRow *row)
{
  return (row->first % BLOCK + row->n - 1) / BLOCK + 1;
}

static inline guint32
n_nodes (const LoomRow *row)
{
  guint32 n = round_up (n_blocks (row)), sum = n;
  for (; n > SIBLINGS; sum += n)
    n = round_up (n / SIBLINGS);
  return sum;
}

/* Returns the index after the last span of a block. */
static inline guint32
block_end (const Tree *tree, guint32 block)
{
  return MIN (tree->end - block * BLOCK, BLOCK) + block * BLOCK;
}

static inline void
tree_init (Tree *tree, const LoomTrace *trace, const LoomRow *row)
{
  const LoomRowSummary *summary = &trace->summaries[row->summary - 1];
  gsize first = row->first - row->first % BLOCK, n = n_nodes (row);
  tree->base = (guint32) first;
  tree->begin = row->first % BLOCK;
  tree->end = tree->begin + row->n;
  tree->start_ns = trace->start_ns + first;
  tree->dur_ns = trace->dur_ns + first;
  tree->name_id = trace->name_id + first;
  tree->sums_ns = trace->sums_ns + summary->first_sum;
  gint64 *start_ns = tree->sums_ns + round_up (n_blocks (row));
  Level level = { start_ns, start_ns + n, (Peak *) (trace->longest + summary->first_longest), n_blocks (row) };
  tree->levels[0] = level;
  tree->n_levels = 1;
  while (level.n > SIBLINGS) {
    guint32 below = round_up (level.n);
    level = (Level) { level.start_ns + below, level.dur_ns + below, level.longest + below, below / SIBLINGS };
    tree->levels[tree->n_levels++] = level;
  }
}

/* Returns the grid of a row, which is stored after its tree. */
static inline gint64 *
tree_grid (const Tree *tree, const LoomRow *row)
{
  return tree->levels->start_ns + 2 * (gsize) n_nodes (row);
}

/* Returns the number of nodes of a group of siblings that start before the time. The code has no branches that depend
 * on the nodes, because a processor could not predict them. */
static inline guint32
count_siblings (const Level *level, guint32 group, gint64 time_ns)
{
  guint32 n = 0;
  for (guint32 i = 0; i < SIBLINGS; i++)
    n += level->start_ns[group * SIBLINGS + i] < time_ns;
  return n;
}

/* Prefetches a block. Always inlined, because gcc considers a function that only prefetches to have no effect, and
 * removes calls of it. */
static inline __attribute__ ((always_inline)) void
prefetch_block (const Tree *tree, guint32 block)
{
  __builtin_prefetch (tree->start_ns + block * BLOCK);
  __builtin_prefetch (tree->start_ns + block * BLOCK + BLOCK / 2);
  __builtin_prefetch (tree->dur_ns + block * BLOCK);
  __builtin_prefetch (tree->dur_ns + block * BLOCK + BLOCK / 2);
  __builtin_prefetch (tree->sums_ns + block);
  __builtin_prefetch (tree->levels->dur_ns + block);
}

/* Returns the index of the longest duration in [first, end); of several equal durations, the first. */
static inline guint32
longest_of (const gint64 *dur_ns, guint32 first, guint32 end)
{
  guint32 longest = first;
  gint64 most_ns = dur_ns[first];
  for (guint32 i = first + 1; i < end; i++) {
    longest = dur_ns[i] > most_ns ? i : longest;
    most_ns = dur_ns[i] > most_ns ? dur_ns[i] : most_ns;
  }
  return longest;
}
