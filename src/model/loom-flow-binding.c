/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-flow-binding.h"

/* Beyond so many rows (deep overflow) events are looked for in the first ones only: bounds hostile input. */
#define MOST_ROWS 256

#define NOTHING G_MAXUINT32

void
loom_flow_binding_init (LoomFlowBinding *binding, const LoomTrace *trace, guint32 track)
{
  binding->trace = trace;
  binding->track = &trace->tracks[track];
  binding->n_rows = MIN (binding->track->n_rows, MOST_ROWS);
  binding->before = g_new0 (guint32, MAX (binding->n_rows, 1));
}

void
loom_flow_binding_clear (LoomFlowBinding *binding)
{
  g_clear_pointer (&binding->before, g_free);
}

static const LoomRow *
row_at (const LoomFlowBinding *binding, guint32 i)
{
  return &binding->trace->rows[binding->track->first_row + i];
}

/* Moves the place in a row to the time; returns it. */
static guint32
advance (LoomFlowBinding *binding, guint32 i, gint64 time_ns)
{
  const LoomRow *row = row_at (binding, i);
  binding->before[i] = loom_row_gallop (binding->trace, row, binding->before[i], time_ns);
  return binding->before[i];
}

/* What a row holds at a time: a span that starts right there, and one that starts before and reaches it. */
static void
look (LoomFlowBinding *binding, guint32 i, gint64 time_ns, guint32 *starting, guint32 *enclosing)
{
  const LoomTrace *trace = binding->trace;
  const LoomRow *row = row_at (binding, i);
  guint32 n = advance (binding, i, time_ns);
  *starting = n < row->n && trace->start_ns[row->first + n] == time_ns ? row->first + n : NOTHING;
  *enclosing = n > 0 && loom_trace_end_ns (trace, row->first + n - 1) >= time_ns ? row->first + n - 1 : NOTHING;
}

/* Innermost of the first lane that has one; the innermost that starts right there goes before all others. */
static guint32
find_enclosing (LoomFlowBinding *binding, gint64 time_ns)
{
  guint32 best_starting = NOTHING, best_enclosing = NOTHING;
  for (guint32 i = 0; i < binding->n_rows;) {
    guint16 lane = row_at (binding, i)->lane;
    guint32 lane_starting = NOTHING, lane_enclosing = NOTHING;
    gboolean goes_on = TRUE;
    for (; i < binding->n_rows && row_at (binding, i)->lane == lane; i++) {
      guint32 starting, enclosing;
      if (!goes_on)
        continue;
      look (binding, i, time_ns, &starting, &enclosing);
      goes_on = starting != NOTHING || enclosing != NOTHING;
      lane_starting = starting != NOTHING ? starting : lane_starting;
      lane_enclosing = enclosing != NOTHING ? enclosing : lane_enclosing;
    }
    best_starting = best_starting == NOTHING ? lane_starting : best_starting;
    best_enclosing = best_enclosing == NOTHING ? lane_enclosing : best_enclosing;
  }
  return best_starting != NOTHING ? best_starting : best_enclosing;
}

/* The first that starts at or after the time: the innermost if right there, else the outermost. */
static guint32
find_next (LoomFlowBinding *binding, gint64 time_ns)
{
  const LoomTrace *trace = binding->trace;
  guint32 best = NOTHING;
  for (guint32 i = 0; i < binding->n_rows; i++) {
    const LoomRow *row = row_at (binding, i);
    guint32 n = advance (binding, i, time_ns);
    if (n == row->n)
      continue;
    guint32 span = row->first + n;
    gboolean is_here = trace->start_ns[span] == time_ns;
    if (best == NOTHING || trace->start_ns[span] < trace->start_ns[best]
        || (is_here && row->lane == row_at (binding, 0)->lane))
      best = span;
  }
  return best;
}

/* The span whose own event says flow_in or flow_out. */
static guint32
find_own (LoomFlowBinding *binding, gint64 time_ns, LoomRef ref)
{
  for (guint32 i = 0; i < binding->n_rows; i++) {
    guint32 starting, enclosing;
    look (binding, i, time_ns, &starting, &enclosing);
    if (starting == NOTHING)
      continue;
    LoomRef own = binding->trace->ref[starting];
    if (loom_ref_source (own) == loom_ref_source (ref) && loom_ref_offset (own) == loom_ref_offset (ref))
      return starting;
  }
  return NOTHING;
}

guint32
loom_flow_binding_find (LoomFlowBinding *binding, const LoomFlowRecord *record)
{
  switch (record->phase) {
  case 'o':
  case 'i':
    return find_own (binding, record->time_ns, record->ref);
  case 'f':
    if (!record->bind_enclosing)
      return find_next (binding, record->time_ns);
    return find_enclosing (binding, record->time_ns);
  default:
    return find_enclosing (binding, record->time_ns);
  }
}
