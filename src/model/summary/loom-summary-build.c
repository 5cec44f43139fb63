/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the data from which loom-row-summary.c computes summaries: for each long row, a tree (loom-summary-tree.h)
 * and, if the row is very long, a grid (loom-summary-grid.h). Trees and grids are built once, when the trace is made
 * (loom_trace_builder_freeze()); any number of threads fill the rows.
 */
#include "loom-summary-grid.h"
#include "loom-summary-tree.h"

/* Minimum number of spans of a row that gets a summary. In shorter rows, all spans are read. */
#define FEWEST_SPANS 128

static inline gboolean
deserves_summary (const LoomTrace *trace, const LoomRow *row)
{
  return row->n > FEWEST_SPANS && row->first < trace->first_instant;
}

void
loom_trace_summary_reserve (LoomTrace *trace)
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
    trace->n_longest += n_nodes (row) * PEAK_WORDS;
    trace->n_sums += round_up (n_blocks (row)) + 2 * (gsize) n_nodes (row) + loom_summary_grid_n_words (row->n);
  }
  trace->longest = loom_trace_column_new (trace->n_longest, sizeof *trace->longest);
  trace->sums_ns = loom_trace_column_new (trace->n_sums, sizeof *trace->sums_ns);
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
    blocks->longest[block] = (Peak) { longest, tree->name_id[longest] };
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
    level->longest[node] = (Peak) { 0, 0 };
  }
}

void
loom_trace_summary_fill (LoomTrace *trace, guint32 row)
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
  if (loom_summary_grid_n_words (tree.end - tree.begin) > 0)
    loom_summary_grid_fill (trace, &trace->rows[row], tree_grid (&tree, &trace->rows[row]));
}
