/* SPDX-License-Identifier: Apache-2.0
 *
 * Of the columns a question reads one block per border, of the tree what lies between. Many questions are answered in
 * batches: first all blocks are found and asked for, then read, so that the waits for memory overlap. Short rows and
 * rows of instants have no tree and are walked.
 */
#include "loom-summary.h"

#include "loom-summary-tree.h"

#define FEWEST_SPANS 128
#define BATCH 64

/* --- building --------------------------------------------------------------------------------------------------- */

static inline gboolean
deserves_summary (const LoomTrace *trace, const LoomRow *row)
{
  return row->n > FEWEST_SPANS && row->first < trace->first_instant;
}

void
loom_summary_reserve (LoomTrace *trace)
{
  for (guint32 i = 0; i < trace->n_rows; i++)
    trace->n_summaries += deserves_summary (trace, &trace->rows[i]);
  trace->summaries = g_new (LoomRowSummary, MAX (trace->n_summaries, 1));
  guint32 next = 0;
  for (guint32 i = 0; i < trace->n_rows; i++) {
    LoomRow *row = &trace->rows[i];
    if (!deserves_summary (trace, row))
      continue;
    trace->summaries[next] = (LoomRowSummary) { (guint32) trace->n_longest, (guint32) trace->n_sums };
    row->summary = ++next;
    trace->n_longest += n_nodes (row);
    trace->n_sums += round_up (n_blocks (row)) + 2 * (gsize) n_nodes (row);
  }
  trace->longest = loom_column_new (trace->n_longest, sizeof *trace->longest);
  trace->sums_ns = loom_column_new (trace->n_sums, sizeof *trace->sums_ns);
}

static void
fill_blocks (const Tree *tree)
{
  const Level *blocks = tree->levels;
  guint64 sum_ns = 0;
  for (guint32 block = 0; block < blocks->n; block++) {
    guint32 first = MAX (block * BLOCK, tree->begin), end = block_end (tree, block);
    guint32 longest = longest_of (tree->dur_ns, first, end);
    tree->sums_ns[block] = (gint64) sum_ns;
    for (guint32 i = first; i < end; i++)
      sum_ns += (guint64) tree->dur_ns[i];
    blocks->start_ns[block] = tree->start_ns[first];
    blocks->dur_ns[block] = tree->dur_ns[longest];
    blocks->longest[block] = longest;
  }
}

static void
fill_level (const Level *level, const Level *below)
{
  for (guint32 node = 0; node < level->n; node++) {
    guint32 first = node * SIBLINGS, longest = longest_of (below->dur_ns, first, first + SIBLINGS);
    level->start_ns[node] = below->start_ns[first];
    level->dur_ns[node] = below->dur_ns[longest];
    level->longest[node] = below->longest[longest];
  }
}

static void
pad_level (const Level *level)
{
  for (guint32 node = level->n; node < round_up (level->n); node++) {
    level->start_ns[node] = G_MAXINT64;
    level->dur_ns[node] = -1;
    level->longest[node] = 0;
  }
}

void
loom_summary_fill (LoomTrace *trace, guint32 row)
{
  if (trace->rows[row].summary == 0)
    return;
  Tree tree;
  tree_init (&tree, trace, &trace->rows[row]);
  fill_blocks (&tree);
  pad_level (tree.levels);
  for (guint i = 1; i < tree.n_levels; i++) {
    fill_level (&tree.levels[i], &tree.levels[i - 1]);
    pad_level (&tree.levels[i]);
  }
}

/* --- asking ----------------------------------------------------------------------------------------------------- */

/* A time, and what a row has before it. */
typedef struct {
  guint32 block;       /* of the last span that starts before; the first when there is none */
  guint32 end;         /* the first span that does not start before */
  guint32 first;       /* the first that reaches beyond, or starts there */
  guint64 sum_ns;      /* durations of what starts before */
  guint64 covered_ns;  /* what spans cover of the time before */
} Border;

typedef struct {
  gint64 dur_ns;       /* −1 for none */
  guint32 span;
  const guint32 *node; /* where to read the span instead, or NULL */
} Longest;

/* For times so close that the next block is often the last one or its neighbour. */
static void
walk_blocks (const Tree *tree, const gint64 *times_ns, guint n, guint32 from, Border *borders)
{
  const Level *blocks = tree->levels;
  for (guint i = 0; i < n; i++) {
    if (from + 1 < blocks->n && blocks->start_ns[from + 1] < times_ns[i]) {
      while (from + 1 < blocks->n && blocks->start_ns[from + 1] < times_ns[i])
        from++;
      prefetch_block (tree, from);
    }
    borders[i].block = from;
  }
}

/* Last blocks that start before, known to be at least `from`. Down the tree with all times level by level: each asks
 * for its place on the next before any looks there. */
static void
find_blocks (const Tree *tree, const gint64 *times_ns, guint n, guint32 from, Border *borders)
{
  guint32 group[BATCH], common = from / SIBLINGS;
  guint height = 1; /* levels to go down through */
  while (height < tree->n_levels
         && count_siblings (&tree->levels[height - 1], common, times_ns[n - 1]) == SIBLINGS) {
    common /= SIBLINGS;
    height++;
  }
  if (height <= 2) {
    walk_blocks (tree, times_ns, n, from, borders);
    return;
  }
  for (guint i = 0; i < n; i++)
    group[i] = common;
  while (height-- > 0) {
    for (guint i = 0; i < n; i++) {
      guint32 n_before = count_siblings (&tree->levels[height], group[i], times_ns[i]);
      group[i] = group[i] * SIBLINGS + n_before - (n_before > 0);
      if (height > 0)
        __builtin_prefetch (tree->levels[height - 1].start_ns + group[i] * SIBLINGS);
    }
  }
  for (guint i = 0; i < n; i++) {
    borders[i].block = group[i];
    prefetch_block (tree, group[i]);
  }
}

/* Counts from the first of the block, in a loop without branches: where a time lies in it cannot be foretold. */
static void
enter_block (const Tree *tree, gint64 time_ns, Border *border)
{
  guint32 first = MAX (border->block * BLOCK, tree->begin), length = block_end (tree, border->block) - first, n = 0;
  const gint64 *start_ns = tree->start_ns + first, *dur_ns = tree->dur_ns + first;
  guint64 sum_ns = (guint64) tree->sums_ns[border->block];
  for (guint32 i = 0; i < length; i++) {
    gboolean is_before = start_ns[i] < time_ns;
    n += (guint32) is_before;
    sum_ns += (guint64) dur_ns[i] & -(guint64) is_before;
  }
  border->end = first + n;
  border->sum_ns = sum_ns;
}

static void
stay_in_block (const Tree *tree, gint64 time_ns, const Border *before, Border *border)
{
  guint32 end = block_end (tree, border->block);
  border->end = before->end;
  border->sum_ns = before->sum_ns;
  for (; border->end < end && tree->start_ns[border->end] < time_ns; border->end++)
    border->sum_ns += (guint64) tree->dur_ns[border->end];
}

static void
read_block (const Tree *tree, gint64 time_ns, const Border *before, Border *border)
{
  if (before != NULL && before->block == border->block)
    stay_in_block (tree, time_ns, before, border);
  else
    enter_block (tree, time_ns, border);
  border->first = border->end;
  border->covered_ns = border->sum_ns;
  if (border->end == tree->begin)
    return;
  guint32 last = border->end - 1;
  if (tree->start_ns[last] + tree->dur_ns[last] > time_ns) {
    border->first = last;
    border->covered_ns -= (guint64) tree->start_ns[last] + (guint64) tree->dur_ns[last] - (guint64) time_ns;
  }
}

static void
look_in_level (const Level *level, guint32 first, guint32 end, Longest *longest)
{
  if (first >= end)
    return;
  guint32 node = longest_of (level->dur_ns, first, end);
  if (level->dur_ns[node] > longest->dur_ns)
    *longest = (Longest) { level->dur_ns[node], 0, level->longest + node };
}

/* Of whole blocks, from left to right: those at the edges one by one, what is whole a level up, and so on. */
static void
look_in_blocks (const Tree *tree, guint32 low, guint32 high, Longest *longest)
{
  guint32 highs[MOST_LEVELS];
  guint i = 0;
  for (; high - low > 2 * SIBLINGS; i++) {
    highs[i] = high;
    look_in_level (&tree->levels[i], low, round_up (low), longest);
    low = round_up (low) / SIBLINGS;
    high /= SIBLINGS;
  }
  look_in_level (&tree->levels[i], low, high, longest);
  while (i-- > 0)
    look_in_level (&tree->levels[i], highs[i] / SIBLINGS * SIBLINGS, highs[i], longest);
}

/* Of [first, end) within one block, which is looked at only when it has what is at least so long. */
static void
look_in_block (const Tree *tree, guint32 block, guint32 first, guint32 end, gint64 least_ns, Longest *longest)
{
  if (first >= end || tree->levels->dur_ns[block] < least_ns)
    return;
  guint32 span = longest_of (tree->dur_ns, first, end);
  if (tree->dur_ns[span] >= least_ns)
    *longest = (Longest) { tree->dur_ns[span], span, NULL };
}

/* What two borders have between them; of equals the first. */
static void
find_longest (const Tree *tree, const Border *from, const Border *to, Longest *longest)
{
  *longest = (Longest) { -1, 0, NULL };
  if (from->block == to->block) {
    look_in_block (tree, from->block, from->first, to->end, 0, longest);
    return;
  }
  look_in_blocks (tree, from->block + 1, to->block, longest);
  look_in_block (tree, from->block, from->first, (from->block + 1) * BLOCK, longest->dur_ns, longest);
  look_in_block (tree, to->block, to->block * BLOCK, to->end, longest->dur_ns + 1, longest);
  if (longest->node != NULL)
    __builtin_prefetch (longest->node);
}

static void
summarise_batch (const Tree *tree, const gint64 *edges_ns, guint n, const Border *borders, LoomSummary *summaries)
{
  Longest longest[BATCH];
  for (guint i = 0; i < n; i++) {
    const Border *from = &borders[i], *to = &borders[i + 1];
    gboolean is_empty = from->first >= to->end || edges_ns[i] >= edges_ns[i + 1];
    summaries[i] = (LoomSummary) { is_empty ? 0 : to->end - from->first, G_MAXUINT32,
                                   is_empty ? 0 : (gint64) (to->covered_ns - from->covered_ns) };
    if (!is_empty)
      find_longest (tree, from, to, &longest[i]);
  }
  for (guint i = 0; i < n; i++) {
    if (summaries[i].n == 0)
      continue;
    guint32 span = longest[i].node != NULL ? *longest[i].node : longest[i].span;
    summaries[i].longest = tree->base + span;
    /* Who asks wants to know these of it next. */
    __builtin_prefetch (tree->dur_ns + span);
    __builtin_prefetch (tree->name_id + span);
  }
}

static void
summarise_with_tree (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                     LoomSummary *summaries)
{
  Tree tree;
  Border borders[BATCH + 1];
  tree_init (&tree, trace, row);
  find_blocks (&tree, edges_ns, 1, 0, borders);
  read_block (&tree, edges_ns[0], NULL, borders);
  for (guint begin = 0; begin < n; begin += BATCH) {
    guint length = MIN (n - begin, BATCH);
    find_blocks (&tree, edges_ns + begin + 1, length, borders->block, borders + 1);
    for (guint i = 1; i <= length; i++)
      read_block (&tree, edges_ns[begin + i], &borders[i - 1], &borders[i]);
    summarise_batch (&tree, edges_ns + begin, length, borders, summaries + begin);
    borders[0] = borders[length];
  }
}

/* --- rows without a tree ---------------------------------------------------------------------------------------- */

static void
summarise_spans (const LoomTrace *trace, guint32 first, guint32 end, gint64 begin_ns, gint64 end_ns,
                 LoomSummary *summary)
{
  const gint64 *start_ns = trace->start_ns, *dur_ns = trace->dur_ns;
  *summary = (LoomSummary) { 0, G_MAXUINT32, 0 };
  if (first >= end || begin_ns >= end_ns)
    return;
  *summary = (LoomSummary) { end - first, first, 0 };
  if (loom_trace_is_instant (trace, first))
    return;
  for (guint32 i = first; i < end; i++) {
    summary->busy_ns += MIN (start_ns[i] + dur_ns[i], end_ns) - MAX (start_ns[i], begin_ns);
    if (dur_ns[i] > dur_ns[summary->longest])
      summary->longest = i;
  }
}

static void
summarise_walking (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n, LoomSummary *summaries)
{
  guint32 end = loom_row_lower_bound (trace, row, edges_ns[0]);
  for (guint i = 0; i < n; i++) {
    guint32 first = end;
    if (first > 0 && loom_trace_end_ns (trace, row->first + first - 1) > edges_ns[i])
      first--;
    end = loom_row_gallop (trace, row, end, edges_ns[i + 1]);
    summarise_spans (trace, row->first + first, row->first + end, edges_ns[i], edges_ns[i + 1], &summaries[i]);
  }
}

void
loom_row_summarise (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns, LoomSummary *summary)
{
  gint64 edges_ns[2] = { begin_ns, end_ns };
  loom_row_summarise_many (trace, row, edges_ns, 1, summary);
}

void
loom_row_summarise_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                         LoomSummary *summaries)
{
  if (n == 0)
    return;
  if (row->summary != 0)
    summarise_with_tree (trace, row, edges_ns, n, summaries);
  else
    summarise_walking (trace, row, edges_ns, n, summaries);
}
