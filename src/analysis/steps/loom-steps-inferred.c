/* SPDX-License-Identifier: Apache-2.0
 *
 * Infers steps for Composer batches that have no span of their own.
 */
#include "loom-steps-private.h"

#include <string.h>

/* Upper limit for the steps of a rank that run at the same time, over all formats. */
#define MOST_AT_ONCE 8

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const LoomStep *x = &((const LoomBatchCursor *) a)->step, *y = &((const LoomBatchCursor *) b)->step;
  int nodes = g_strcmp0 (x->node, y->node);
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (nodes != 0)
    return nodes;
  return loom_steps_compare (x, y);
}

static int
compare_by_rank (gconstpointer a, gconstpointer b)
{
  const LoomStep *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return loom_steps_compare (a, b);
}

/* Returns TRUE if a step of the rank, of Composer or torch, contains the middle of the batch. `steps` are in the order
 * of compare_by_rank(); O(log n). */
static gboolean
is_marked (const GArray *steps, const LoomStep *batch)
{
  gint64 middle_ns = batch->begin_ns + (batch->end_ns - batch->begin_ns) / 2;
  guint low = 0, high = steps->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const LoomStep *step = &g_array_index (steps, LoomStep, middle);
    if (step->rank < batch->rank || (step->rank == batch->rank && step->begin_ns <= middle_ns))
      low = middle + 1;
    else
      high = middle;
  }
  for (guint back = 0; back < MOST_AT_ONCE && low > 0; back++) {
    const LoomStep *step = &g_array_index (steps, LoomStep, --low);
    if (step->rank != batch->rank)
      return FALSE;
    if (middle_ns < step->end_ns &&
        (step->node == NULL || batch->node == NULL || strcmp (step->node, batch->node) == 0))
      return TRUE;
  }
  return FALSE;
}

/* Collects the marks of one batch: first those at its begin, then those at its end. Returns the index of the next
 * batch's first mark. */
static guint
find_batch (const GArray *marks, guint first, guint *last_begin, LoomStep *batch)
{
  const LoomBatchCursor *of = &g_array_index (marks, LoomBatchCursor, 0);
  guint i = first;
  gboolean ended = FALSE;
  *last_begin = G_MAXUINT;
  for (; i < marks->len && of[i].step.rank == of[first].step.rank &&
         g_strcmp0 (of[i].step.node, of[first].step.node) == 0 && (of[i].is_end || !ended);
       i++) {
    if (of[i].is_end && *last_begin != G_MAXUINT)
      batch->end_ns = ended ? MAX (batch->end_ns, of[i].step.end_ns) : of[i].step.end_ns;
    ended |= of[i].is_end;
    if (of[i].is_end)
      continue;
    *last_begin = i;
    *batch = of[i].step;
  }
  if (!ended)
    *last_begin = G_MAXUINT;
  return i;
}

static gint64
number_of_mark (LoomTimeline *timeline, const LoomBatchCursor *mark)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), mark->step.span.trace);
  return loom_steps_number_in_args (trace, loom_trace_get_spans (trace)->ref[mark->step.span.span], "batch");
}

void
loom_steps_add_unmarked (LoomTimeline *timeline, GArray *steps, GArray *marks)
{
  g_autoptr (GArray) marked = g_array_copy (steps);
  g_array_sort (marked, compare_by_rank);
  g_array_sort (marks, compare_marks);
  for (guint first = 0, next, last_begin; first < marks->len; first = next) {
    LoomStep batch;
    next = find_batch (marks, first, &last_begin, &batch);
    if (last_begin == G_MAXUINT || is_marked (marked, &batch))
      continue;
    batch.number = number_of_mark (timeline, &g_array_index (marks, LoomBatchCursor, last_begin));
    for (guint i = last_begin;
         i-- > first && number_of_mark (timeline, &g_array_index (marks, LoomBatchCursor, i)) == batch.number;) {
      batch.begin_ns = g_array_index (marks, LoomBatchCursor, i).step.begin_ns;
      batch.span = g_array_index (marks, LoomBatchCursor, i).step.span;
    }
    g_array_append_val (steps, batch);
  }
}
