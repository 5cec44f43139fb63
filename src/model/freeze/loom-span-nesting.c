/* SPDX-License-Identifier: Apache-2.0
 *
 * Arranges the spans of a thread in rows, so that a span is below the span that contains it. A span that overlaps the
 * innermost open span only in part goes to the first overflow lane (additional group of rows) where it fits. The number
 * of lanes and their depth are limited. Spans that fit nowhere go to one last lane, where each is put into the lowest
 * free row without nesting. Thus n overlapping spans take at most O(n · (lanes + log n)).
 */
#include "loom-lane.h"

#include "loom-interval-packing.h"

#define MOST_LANES LOOM_OVERFLOW_LANE
#define MOST_DEPTH 4096

/* A stack of open spans. It is not a GArray, because the loop over all spans of the lane (loom_lane_arrange_nested())
 * would take about twice as long with a function call per span. */
typedef struct {
  gint64 *ends;   /* ends of the open spans, outermost first */
  guint32 *slots; /* array indexed by depth: index of the row that contains the spans of this depth */
  guint n_open, n_slots, room;
} Stack;

typedef struct {
  GArray *rows; /* LoomLaneRow: the rows that were made so far */
  /* indexed by lane (group of rows): time at which the innermost open span of the lane ends */
  gint64 tops[MOST_LANES];
  Stack stacks[MOST_LANES];
  guint n_stacks;
  /* finds rows for spans that fit into none of the lanes (groups of rows); NULL until needed */
  LoomIntervalPacking *spill;
  GArray *spill_slots;
} Nesting;

static guint32
new_row (Nesting *nesting, guint lane, guint depth)
{
  LoomLaneRow row = { 0, (guint16) lane, (guint16) MIN (depth, G_MAXUINT16) };
  g_array_append_val (nesting->rows, row);
  return nesting->rows->len - 1;
}

/* Closes the open spans of a lane (group of rows) that end before the start of a new span. Also closes an open span
 * that ends exactly at the start of the new span, unless the new span has length 0 and therefore is inside it. Returns
 * TRUE if the new span fits into the lane: it is inside the innermost open span, or no span is open. */
static inline gboolean
make_way (Nesting *nesting, guint lane, gint64 start_ns, gint64 end_ns)
{
  Stack *stack = &nesting->stacks[lane];
  guint n_open = stack->n_open;
  while (n_open > 0 && stack->ends[n_open - 1] < start_ns)
    n_open--;
  guint depth = n_open;
  while (depth > 0 && end_ns > start_ns && stack->ends[depth - 1] == start_ns)
    depth--;
  gboolean fits = depth == 0 || (end_ns <= stack->ends[depth - 1] && depth < MOST_DEPTH);
  stack->n_open = fits ? depth : n_open;
  nesting->tops[lane] = stack->n_open > 0 ? stack->ends[stack->n_open - 1] : G_MININT64;
  return fits;
}

static void
go_deeper (Nesting *nesting, guint lane)
{
  Stack *stack = &nesting->stacks[lane];
  if (stack->n_slots == stack->room) {
    stack->room = MAX (stack->room * 2, 16);
    stack->ends = g_renew (gint64, stack->ends, stack->room);
    stack->slots = g_renew (guint32, stack->slots, stack->room);
  }
  stack->slots[stack->n_slots] = new_row (nesting, lane, stack->n_slots);
  stack->n_slots++;
}

static inline guint32
put (Nesting *nesting, guint lane, gint64 end_ns)
{
  Stack *stack = &nesting->stacks[lane];
  guint depth = stack->n_open++;
  if (G_UNLIKELY (depth == stack->n_slots))
    go_deeper (nesting, lane);
  stack->ends[depth] = end_ns;
  nesting->tops[lane] = end_ns;
  return stack->slots[depth];
}

static guint32
put_in_new_lane (Nesting *nesting, gint64 end_ns)
{
  nesting->stacks[nesting->n_stacks] = (Stack) { 0 };
  return put (nesting, nesting->n_stacks++, end_ns);
}

static guint32
put_in_spill (Nesting *nesting, gint64 start_ns, gint64 end_ns)
{
  if (nesting->spill == NULL) {
    nesting->spill = loom_interval_packing_new ();
    nesting->spill_slots = g_array_new (FALSE, FALSE, sizeof (guint32));
  }
  guint32 place = loom_interval_packing_place (nesting->spill, start_ns, end_ns);
  if (place == nesting->spill_slots->len) {
    guint32 slot = new_row (nesting, LOOM_OVERFLOW_LANE, place);
    g_array_append_val (nesting->spill_slots, slot);
  }
  return g_array_index (nesting->spill_slots, guint32, place);
}

/* Returns the row for a new span. Spans must be passed in the order of their starts; of equal starts, the longest
 * first. */
static inline guint32
place (Nesting *nesting, gint64 start_ns, gint64 end_ns)
{
  for (guint lane = 0; lane < nesting->n_stacks; lane++) {
    gint64 top_ns = nesting->tops[lane];
    if (top_ns > start_ns && end_ns > top_ns)
      continue;
    if (make_way (nesting, lane, start_ns, end_ns))
      return put (nesting, lane, end_ns);
  }
  return nesting->n_stacks < MOST_LANES ? put_in_new_lane (nesting, end_ns) : put_in_spill (nesting, start_ns, end_ns);
}

static void
clear (Nesting *nesting)
{
  for (guint i = 0; i < nesting->n_stacks; i++) {
    g_free (nesting->stacks[i].ends);
    g_free (nesting->stacks[i].slots);
  }
  loom_interval_packing_free (nesting->spill);
  g_clear_pointer (&nesting->spill_slots, g_array_unref);
}

void
loom_lane_arrange_nested (LoomLane *lane)
{
  Nesting nesting;
  nesting.rows = lane->rows;
  nesting.n_stacks = 0;
  nesting.spill = NULL;
  nesting.spill_slots = NULL;
  LoomStretch stretch = { 0 };
  while (loom_lane_next_stretch (lane, &stretch)) {
    for (guint32 i = 0; i < stretch.n; i++) {
      LoomRecord *record = &stretch.at[i];
      record->kind = place (&nesting, record->time_ns, record->time_ns + record->dur_ns);
      g_array_index (lane->rows, LoomLaneRow, record->kind).n++;
      if (G_UNLIKELY (nesting.spill != NULL &&
                      g_array_index (lane->rows, LoomLaneRow, record->kind).lane == LOOM_OVERFLOW_LANE))
        loom_problem_counts_add (&lane->tally, LOOM_ISSUE_DEEP_NESTING, record->ref, lane->source);
    }
  }
  clear (&nesting);
}
