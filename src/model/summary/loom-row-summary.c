/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes summaries of time ranges of a row with the row's tree (loom-summary-tree.h). For each border of a range, one
 * block of 16 spans is read; for the time between two borders, nodes of the tree are read. Several ranges are computed
 * together: all their blocks are found and prefetched before the first one is read, so that the waits for memory
 * overlap. Short rows and rows of instants have no tree; all their events in the range are read.
 */
#include "loom-row-summary.h"

#include "loom-summary-grid.h"
#include "loom-summary-tree.h"

#define BATCH 64

/* If a range has at most this many spans, all of them are read, even if the row has a tree. */
#define WALK_SPANS 16

/* --- summaries of ranges, with the tree of the row ---------------------------------------------------------------- */

/* A border between two ranges of time, with sums over those spans of the row that start before the border. */
typedef struct {
  guint32 block; /* block of the last span that starts before the border; if there is none, the first block */
  /* 0: the position of the border among the spans of `block` must be searched. Otherwise: the border is in `width`
   * successive blocks from `block` on, which together last at most the tolerance `slack_ns`, so its exact position is
   * not searched */
  guint32 width;
  gint64 begin_ns, end_ns; /* if `width` > 0: time range of the `width` blocks */
  /* index of the first span that starts at or after the border; all spans before this index start earlier */
  guint32 end;
  guint32 first;      /* index of the first span that starts at the border or ends after it */
  guint64 sum_ns;     /* sum of the durations of spans that start before the border */
  guint64 covered_ns; /* total time in ns, before the border, during which spans are running */
} Border;

typedef struct {
  gint64 dur_ns; /* duration in ns of the longest span found so far; −1: no span was found */
  guint32 span;
  const Peak *node; /* tree node with the longest span, from which `span` is read later; NULL: `span` is set */
} Longest;

/* Returns TRUE if the time range of a node contains `time_ns` and lasts at most `slack_ns`. The position of the time
 * within the node then does not matter. */
static inline gboolean
is_short (const Level *level, guint32 node, gint64 time_ns, gint64 slack_ns)
{
  return slack_ns > 0 && node + 1 < level->n && level->start_ns[node] < time_ns &&
         loom_time_sub (level->start_ns[node + 1], level->start_ns[node]) <= slack_ns;
}

static inline void
stop_at (const Tree *tree, guint height, guint32 node, Border *border)
{
  const Level *level = &tree->levels[height];
  border->block = node << height * LOG_SIBLINGS;
  border->width = 1U << height * LOG_SIBLINGS;
  border->begin_ns = level->start_ns[node];
  border->end_ns = level->start_ns[node + 1];
  __builtin_prefetch (tree->sums_ns + border->block);
  __builtin_prefetch (tree->sums_ns + border->block + border->width);
  __builtin_prefetch (tree->levels->dur_ns + border->block);
}

/* For each of the ascending times, finds the last block that starts before this time, but never a block before block
 * `from`. If the block contains the time and lasts at most `slack_ns`, the position of the border within the block is
 * not searched (Border.width). This function is fast if the times are close together: the block of a time is then
 * usually that of the previous time, or the next block. */
static void
walk_blocks (const Tree *tree, const gint64 *times_ns, guint n, guint32 from, gint64 slack_ns, Border *borders)
{
  const Level *blocks = tree->levels;
  for (guint i = 0; i < n; i++) {
    guint32 last = from;
    while (from + 1 < blocks->n && blocks->start_ns[from + 1] < times_ns[i])
      from++;
    borders[i].block = from;
    borders[i].width = 0;
    if (is_short (blocks, from, times_ns[i], slack_ns))
      stop_at (tree, 0, from, &borders[i]);
    else if (from != last)
      prefetch_block (tree, from);
  }
}

static void
go_down (const Tree *tree, const gint64 *times_ns, guint n, guint height, gint64 slack_ns, guint32 *nodes,
         Border *borders)
{
  const Level *level = &tree->levels[height];
  for (guint i = 0; i < n; i++) {
    if (borders[i].width != 0)
      continue;
    guint32 n_before = count_siblings (level, nodes[i], times_ns[i]);
    nodes[i] = nodes[i] * SIBLINGS + n_before - (n_before > 0);
    if (is_short (level, nodes[i], times_ns[i], slack_ns))
      stop_at (tree, height, nodes[i], &borders[i]);
    else if (height > 0)
      __builtin_prefetch (level[-1].start_ns + nodes[i] * SIBLINGS);
  }
}

/* For each of the ascending times, finds the last block that starts before this time, but never a block before block
 * `from`. Descends the tree one level at a time for all times together. Thus the nodes of the next level can be
 * prefetched for all times before the first of them is read. */
static void
find_blocks (const Tree *tree, const gint64 *times_ns, guint n, guint32 from, gint64 slack_ns, Border *borders)
{
  guint32 nodes[BATCH], common = from / SIBLINGS;
  guint height = 1; /* number of levels through which the search descends */
  while (height < tree->n_levels && count_siblings (&tree->levels[height - 1], common, times_ns[n - 1]) == SIBLINGS) {
    common /= SIBLINGS;
    height++;
  }
  if (height <= 2) {
    walk_blocks (tree, times_ns, n, from, slack_ns, borders);
    return;
  }
  for (guint i = 0; i < n; i++) {
    nodes[i] = common;
    borders[i].width = 0;
  }
  while (height-- > 0)
    go_down (tree, times_ns, n, height, slack_ns, nodes, borders);
  for (guint i = 0; i < n; i++) {
    if (borders[i].width != 0)
      continue;
    borders[i].block = nodes[i];
    prefetch_block (tree, nodes[i]);
  }
}

/* Counts the spans of a block that start before a time. The code has no branches that depend on the spans, because a
 * processor could not predict them. */
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

/* Sets the sums of a border that is inside blocks which are not searched (`width` > 0). Assumes that the spans of these
 * blocks are spread evenly over the time of the blocks. */
static void
share_blocks (const Tree *tree, gint64 time_ns, Border *border)
{
  double share = (double) (time_ns - border->begin_ns) / (double) (border->end_ns - border->begin_ns);
  guint64 from_ns = (guint64) tree->sums_ns[border->block],
          to_ns = (guint64) tree->sums_ns[border->block + border->width];
  border->sum_ns = border->covered_ns = from_ns + (guint64) (share * (double) (to_ns - from_ns));
  border->first = border->end = border->block * BLOCK + (guint32) (share * border->width * BLOCK);
}

static void
read_block (const Tree *tree, gint64 time_ns, const Border *before, Border *border)
{
  if (border->width != 0) {
    share_blocks (tree, time_ns, border);
    return;
  }
  if (before != NULL && before->width == 0 && before->block == border->block)
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

/* Updates `longest` with the longest span of the blocks `low` to `high` − 1; of equally long spans, the first one
 * counts. Only the blocks at both ends are read one by one. Between them, the parent node is read instead of each
 * complete group of siblings, and so on with higher levels. */
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

/* Updates `longest` with the longest of the spans `first` to `end` − 1 of one block. Reads the block only if it has a
 * span of at least `least_ns`. */
static void
look_in_block (const Tree *tree, guint32 block, guint32 first, guint32 end, gint64 least_ns, Longest *longest)
{
  if (first >= end || tree->levels->dur_ns[block] < least_ns)
    return;
  guint32 span = longest_of (tree->dur_ns, first, end);
  if (tree->dur_ns[span] >= least_ns)
    *longest = (Longest) { tree->dur_ns[span], span, NULL };
}

/* Finds the longest span between two borders; of equally long spans, the first. Blocks in which a border is not
 * searched (`width` > 0) are treated as if they ended before the border. */
static void
find_longest (const Tree *tree, const Border *from, const Border *to, Longest *longest)
{
  *longest = (Longest) { -1, 0, NULL };
  if (from->width == 0 && to->width == 0 && from->block == to->block) {
    look_in_block (tree, from->block, from->first, to->end, 0, longest);
    return;
  }
  guint32 low = from->block + MAX (from->width, 1), high = to->block + to->width;
  if (low < high)
    look_in_blocks (tree, low, high, longest);
  if (from->width == 0)
    look_in_block (tree, from->block, from->first, (from->block + 1) * BLOCK, longest->dur_ns, longest);
  if (to->width == 0)
    look_in_block (tree, to->block, to->block * BLOCK, to->end, longest->dur_ns + 1, longest);
  else if (low >= high)
    look_in_blocks (tree, to->block, high, longest);
  if (longest->node != NULL)
    __builtin_prefetch (longest->node);
}

static void
summarise_batch (const Tree *tree, const gint64 *edges_ns, guint n, const Border *borders, LoomSpanSummary *summaries)
{
  Longest longest[BATCH];
  for (guint i = 0; i < n; i++) {
    const Border *from = &borders[i], *to = &borders[i + 1];
    gboolean is_empty = from->first >= to->end || edges_ns[i] >= edges_ns[i + 1];
    summaries[i] =
      (LoomSpanSummary) { is_empty ? 0 : to->end - from->first, G_MAXUINT32,
                          is_empty ? 0 : (gint64) MIN (to->covered_ns - from->covered_ns, G_MAXINT64), 0, 0 };
    if (!is_empty)
      find_longest (tree, from, to, &longest[i]);
  }
  for (guint i = 0; i < n; i++) {
    if (summaries[i].n == 0)
      continue;
    const Longest *one = &longest[i];
    Peak peak = one->node != NULL ? *one->node : (Peak) { one->span, tree->name_id[one->span] };
    summaries[i].longest = tree->base + peak.span;
    summaries[i].longest_ns = one->dur_ns;
    summaries[i].name_id = peak.name_id;
  }
}

static void
summarise_with_tree (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n, gint64 slack_ns,
                     LoomSpanSummary *summaries)
{
  Tree tree;
  Border borders[BATCH + 1];
  tree_init (&tree, trace, row);
  find_blocks (&tree, edges_ns, 1, 0, slack_ns, borders);
  read_block (&tree, edges_ns[0], NULL, borders);
  for (guint begin = 0; begin < n; begin += BATCH) {
    guint length = MIN (n - begin, BATCH);
    find_blocks (&tree, edges_ns + begin + 1, length, borders->block, slack_ns, borders + 1);
    for (guint i = 1; i <= length; i++)
      read_block (&tree, edges_ns[begin + i], &borders[i - 1], &borders[i]);
    summarise_batch (&tree, edges_ns + begin, length, borders, summaries + begin);
    borders[0] = borders[length];
  }
}

/* Computes the summaries from the row's grid (loom-summary-grid.h). Returns FALSE if the row has no grid, or if the
 * grid is too coarse for ranges of this length. */
static gboolean
sketch_with_grid (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n, gint64 slack_ns,
                  LoomSpanSummary *summaries)
{
  if (slack_ns == 0 || loom_summary_grid_n_words (row->n) == 0)
    return FALSE;
  Tree tree;
  tree_init (&tree, trace, row);
  return loom_summary_grid_sketch (trace, row, tree_grid (&tree, row), edges_ns, n, slack_ns, summaries);
}

/* --- summaries of ranges, by reading each span -------------------------------------------------------------------- */

static void
summarise_instants (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                    LoomSpanSummary *summaries)
{
  guint32 end = loom_trace_row_lower_bound (trace, row, edges_ns[0]);
  for (guint i = 0; i < n; i++) {
    guint32 first = end;
    end = loom_trace_row_gallop (trace, row, end, edges_ns[i + 1]);
    summaries[i] = (LoomSpanSummary) { end - first, end > first ? row->first + first : G_MAXUINT32, 0, 0, 0 };
    if (end > first)
      summaries[i].name_id = trace->name_id[row->first + first];
  }
}

/* Computes the summary of one range by reading each of its spans. `at`: index of the first span that touches the range;
 * `end`: index after the last span of the row. Returns the index of the first span that may touch the next range. */
static inline guint32
walk_range (const LoomTrace *trace, guint32 at, guint32 end, gint64 begin_ns, gint64 end_ns, LoomSpanSummary *summary)
{
  const gint64 *start_ns = trace->start_ns, *dur_ns = trace->dur_ns;
  *summary = (LoomSpanSummary) { 0, G_MAXUINT32, 0, 0, 0 };
  for (; at < end && start_ns[at] < end_ns; at++) {
    gint64 span_end_ns = start_ns[at] + dur_ns[at];
    summary->n++;
    summary->busy_ns = loom_time_add (summary->busy_ns, MIN (span_end_ns, end_ns) - MAX (start_ns[at], begin_ns));
    if (dur_ns[at] > summary->longest_ns || summary->longest == G_MAXUINT32) {
      summary->longest = at;
      summary->longest_ns = dur_ns[at];
    }
    if (span_end_ns > end_ns)
      break; /* the span continues in the next range */
  }
  if (summary->n > 0)
    summary->name_id = trace->name_id[summary->longest];
  return at;
}

static void
summarise_walking (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                   LoomSpanSummary *summaries)
{
  guint32 at = row->first + loom_trace_row_first_ending_after (trace, row, edges_ns[0]), end = row->first + row->n;
  for (guint i = 0; i < n; i++) {
    if (edges_ns[i] < edges_ns[i + 1])
      at = walk_range (trace, at, end, edges_ns[i], edges_ns[i + 1], &summaries[i]);
    else
      summaries[i] = (LoomSpanSummary) { 0, G_MAXUINT32, 0, 0, 0 };
  }
}

/* --- summaries of one or several ranges --------------------------------------------------------------------------- */

static gboolean
has_few (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n)
{
  if (row->summary == 0 || row->n / WALK_SPANS <= n)
    return TRUE;
  guint32 first = loom_trace_row_lower_bound (trace, row, edges_ns[0]);
  return (loom_trace_row_lower_bound (trace, row, edges_ns[n]) - first) / WALK_SPANS <= n;
}

static void
summarise_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n, gint64 slack_ns,
                LoomSpanSummary *summaries)
{
  if (n == 0)
    return;
  if (row->n > 0 && loom_trace_is_instant (trace, row->first))
    summarise_instants (trace, row, edges_ns, n, summaries);
  else if (has_few (trace, row, edges_ns, n))
    summarise_walking (trace, row, edges_ns, n, summaries);
  else if (!sketch_with_grid (trace, row, edges_ns, n, slack_ns, summaries))
    summarise_with_tree (trace, row, edges_ns, n, slack_ns, summaries);
}

void
loom_row_summary_add (const LoomTrace *trace, const LoomRow *row, gint64 begin_ns, gint64 end_ns,
                      LoomSpanSummary *summary)
{
  gint64 edges_ns[2] = { begin_ns, end_ns };
  loom_row_summary_add_many (trace, row, edges_ns, 1, summary);
}

void
loom_row_summary_add_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                           LoomSpanSummary *summaries)
{
  summarise_many (trace, row, edges_ns, n, 0, summaries);
}

void
loom_row_summary_sketch_many (const LoomTrace *trace, const LoomRow *row, const gint64 *edges_ns, guint n,
                              LoomSpanSummary *summaries)
{
  gint64 range_ns = n > 0 ? loom_time_sub (edges_ns[n], edges_ns[0]) : 0;
  summarise_many (trace, row, edges_ns, n, n > 0 ? range_ns / n / LOOM_SKETCH_SHARE : 0, summaries);
}
