/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-flow-arrows.h"

#include "loom-merge-sort.h"
#include "loom-radix-sort.h"

#define BY_SOURCE(a, b)     \
  ((a)->from < (b)->from || \
   ((a)->from == (b)->from && ((a)->to < (b)->to || ((a)->to == (b)->to && (a)->name_id < (b)->name_id))))

LOOM_DEFINE_SORT (sort_arrows, LoomArrow, BY_SOURCE)

/* --- arrows sorted by the span at which they start ---------------------------------------------------------------- */

static inline LoomArrow
get_found (const GArray *found, guint32 i)
{
  const LoomArrows *part = (const LoomArrows *) (gconstpointer) found->data;
  for (; i >= part->n; part++)
    i -= part->n;
  return part->arrows[i];
}

static inline guint64
source_of (const LoomArrow *arrow)
{
  return arrow->from;
}

/* Sorts the arrows that start at the same span, so that their order does not depend on the thread that found them. */
static void
sort_runs (const GArray *found, LoomArrow *arrows, guint32 begin, guint32 n)
{
  for (guint32 first = begin, end; first < begin + n; first = end) {
    for (end = first + 1; end < begin + n && arrows[end].from == arrows[first].from;)
      end++;
    sort_arrows (arrows + first, end - first);
  }
}

LOOM_DEFINE_BUCKET_SORT (sort_by_source, GArray, LoomArrow, get_found, source_of, sort_runs)

/* --- arrows sorted by the span at which they end ------------------------------------------------------------------ */

typedef struct {
  guint32 span, arrow;
} Target;

static inline Target
get_target (const LoomTrace *trace, guint32 i)
{
  return (Target) { trace->arrows[i].to, i };
}

static inline guint64
span_of (const Target *target)
{
  return target->span;
}

static void
keep_numbers (const LoomTrace *trace, Target *targets, guint32 first, guint32 n)
{
  for (guint32 i = first; i < first + n; i++)
    trace->arrows_by_target[i] = targets[i].arrow;
}

LOOM_DEFINE_BUCKET_SORT (sort_by_target, LoomTrace, Target, get_target, span_of, keep_numbers)

/* --- arrows in both orders ---------------------------------------------------------------------------------------- */

void
loom_flow_arrows_free (GArray *found)
{
  for (guint i = 0; found != NULL && i < found->len; i++)
    g_free (g_array_index (found, LoomArrows, i).arrows);
  g_clear_pointer (&found, g_array_unref);
}

void
loom_flow_arrows_keep (LoomTrace *trace, const GArray *found, guint n_threads)
{
  guint32 n = 0, last = MAX (trace->spans.n, 1) - 1;
  for (guint i = 0; i < found->len; i++)
    n += g_array_index (found, LoomArrows, i).n;
  trace->n_arrows = n;
  trace->arrows = g_new (LoomArrow, MAX (n, 1));
  trace->arrows_by_target = g_new (guint32, MAX (n, 1));
  g_autofree Target *targets = g_new (Target, MAX (n, 1));
  sort_by_source (found, n, last, n_threads, trace->arrows);
  sort_by_target (trace, n, last, n_threads, targets);
}
