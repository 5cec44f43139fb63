/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-flow-binding.h"

/* Maximum number of rows of a track that are searched, so that malicious input does not take too long. Only tracks with
 * many levels of overlapping spans have more rows than this. */
#define MOST_ROWS 256

#define NOTHING G_MAXUINT32

static const LoomRow *
row_at (const LoomFlowBinding *binding, guint32 i)
{
  return &binding->trace->rows[binding->track->first_row + i];
}

/* Moves the position in a row to the place after the first `n` spans, which start before the time of the query. */
static void
stand (LoomFlowPlace *place, const LoomTrace *trace, const LoomRow *row, guint32 n)
{
  place->next = row->first + n;
  place->has_next = n < row->n;
  place->has_last = n > 0;
  place->next_ns = place->has_next ? trace->start_ns[place->next] : G_MAXINT64;
  place->end_ns = place->has_last ? loom_trace_end_ns (trace, place->next - 1) : G_MININT64;
}

void
loom_flow_binding_init (LoomFlowBinding *binding, const LoomTrace *trace, guint32 track)
{
  binding->trace = trace;
  binding->track = &trace->tracks[track];
  binding->n_rows = MIN (binding->track->n_rows, MOST_ROWS);
  binding->places = g_new (LoomFlowPlace, MAX (binding->n_rows, 1));
  for (guint32 i = 0; i < binding->n_rows; i++) {
    const LoomRow *row = row_at (binding, i);
    stand (&binding->places[i], trace, row, 0);
    binding->places[i].lane = row->lane;
  }
}

void
loom_flow_binding_clear (LoomFlowBinding *binding)
{
  g_clear_pointer (&binding->places, g_free);
}

/* Moves the position in row `i` forward to `time_ns`, unless it is there already. Returns the position. */
static inline const LoomFlowPlace *
advance (LoomFlowBinding *binding, guint32 i, gint64 time_ns)
{
  LoomFlowPlace *place = &binding->places[i];
  if (place->next_ns >= time_ns)
    return place;
  const LoomRow *row = row_at (binding, i);
  stand (place, binding->trace, row, loom_trace_row_gallop (binding->trace, row, place->next - row->first, time_ns));
  return place;
}

/* Finds two spans of row `i`. `starting`: the span that starts exactly at `time_ns`. `enclosing`: the span that starts
 * before `time_ns` and ends at this time or later. NOTHING: there is no such span. */
static inline void
look (LoomFlowBinding *binding, guint32 i, gint64 time_ns, guint32 *starting, guint32 *enclosing)
{
  const LoomFlowPlace *place = advance (binding, i, time_ns);
  *starting = place->has_next && place->next_ns == time_ns ? place->next : NOTHING;
  *enclosing = place->has_last && place->end_ns >= time_ns ? place->next - 1 : NOTHING;
}

/* Returns the innermost span of the track that contains a time; NOTHING if there is none. A span that starts exactly at
 * this time takes precedence over all other spans. If spans of the track overlap only in part, its rows form several
 * lanes. If several lanes have a suitable span, returns that of the first of these lanes. */
static guint32
find_enclosing (LoomFlowBinding *binding, gint64 time_ns)
{
  guint32 best_starting = NOTHING, best_enclosing = NOTHING;
  for (guint32 i = 0; i < binding->n_rows;) {
    guint16 lane = binding->places[i].lane;
    guint32 lane_starting = NOTHING, lane_enclosing = NOTHING;
    gboolean goes_on = TRUE;
    for (; i < binding->n_rows && binding->places[i].lane == lane; i++) {
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

/* Returns the first span that starts at or after a time; NOTHING: there is none. If several spans start exactly at this
 * time, returns the innermost of them. If no span starts exactly at this time, but several start at the next start,
 * returns the outermost of them. */
static guint32
find_next (LoomFlowBinding *binding, gint64 time_ns)
{
  guint32 best = NOTHING;
  guint16 best_lane = 0;
  gint64 best_ns = G_MAXINT64;
  for (guint32 i = 0; i < binding->n_rows; i++) {
    const LoomFlowPlace *place = advance (binding, i, time_ns);
    if (!place->has_next)
      continue;
    gboolean is_here = place->next_ns == time_ns;
    if (best != NOTHING && place->next_ns >= best_ns && !(is_here && place->lane == best_lane))
      continue;
    best = place->next;
    best_lane = place->lane;
    best_ns = place->next_ns;
  }
  return best;
}

/* Returns the span to which a flow_in or flow_out belongs. These are members of the event of a span; `ref` identifies
 * this event. */
static guint32
find_own (LoomFlowBinding *binding, gint64 time_ns, LoomRef ref)
{
  for (guint32 i = 0; i < binding->n_rows; i++) {
    guint32 starting, enclosing;
    look (binding, i, time_ns, &starting, &enclosing);
    if (starting == NOTHING)
      continue;
    LoomRef own = binding->trace->ref[starting];
    if (loom_source_ref_source (own) == loom_source_ref_source (ref) &&
        loom_source_ref_offset (own) == loom_source_ref_offset (ref))
      return starting;
  }
  return NOTHING;
}

/* Maximum number of spans of a row that are searched if many spans start at the time of the query. */
#define MOST_AT_ONCE 64

/* Returns the last span that starts at the time of a flow event and precedes the flow event in the text of the source.
 * `ref`: reference of the flow event. Sets `is_between` to TRUE if another span with this start follows the flow event
 * in the text. */
static guint32
find_preceding (LoomFlowBinding *binding, gint64 time_ns, LoomRef ref, gboolean *is_between)
{
  guint32 best = NOTHING;
  *is_between = FALSE;
  guint64 before = loom_source_ref_offset (ref), best_offset = 0;
  for (guint32 i = 0; i < binding->n_rows; i++) {
    const LoomFlowPlace *place = advance (binding, i, time_ns);
    if (place->next_ns != time_ns)
      continue;
    const LoomRow *row = row_at (binding, i);
    guint32 end = MIN (row->first + row->n, place->next + MOST_AT_ONCE);
    for (guint32 at = place->next; at < end; at++) {
      LoomRef own = binding->trace->ref[at];
      guint64 offset = loom_source_ref_offset (own);
      if (binding->trace->start_ns[at] != time_ns)
        break;
      if (loom_source_ref_source (own) != loom_source_ref_source (ref))
        continue;
      *is_between |= offset > before;
      if (offset >= before || (best != NOTHING && offset <= best_offset))
        continue;
      best = at;
      best_offset = offset;
    }
  }
  return best;
}

/* Uses the order of the text to find the span to which a flow event belongs: the last span that precedes the flow event
 * in the text and starts at its time. Returns NOTHING if the order does not determine the span. When a merged file is
 * written, a flow event whose span is known is put directly behind this span; other flow events are put behind all
 * spans that start at their time. Therefore, in a merged file, the order determines the span only if another span with
 * this start follows the flow event. */
static guint32
find_by_order (LoomFlowBinding *binding, const LoomFlowRecord *record)
{
  const GPtrArray *sources = binding->trace->sources;
  guint number = loom_source_ref_source (record->ref);
  const LoomSource *source = number < sources->len ? sources->pdata[number] : NULL;
  if (source == NULL || !(source->flows_follow_spans || source->is_merged))
    return NOTHING;
  gboolean is_between;
  guint32 span = find_preceding (binding, record->time_ns, record->ref, &is_between);
  return source->flows_follow_spans || is_between ? span : NOTHING;
}

guint32
loom_flow_binding_find (LoomFlowBinding *binding, const LoomFlowRecord *record)
{
  if (record->phase != 'o' && record->phase != 'i') {
    guint32 span = find_by_order (binding, record);
    if (span != NOTHING)
      return span;
  }
  switch (record->phase) {
  case 'o':
  case 'i': return find_own (binding, record->time_ns, record->ref);
  case 'f':
    if (!record->bind_enclosing)
      return find_next (binding, record->time_ns);
    return find_enclosing (binding, record->time_ns);
  default: return find_enclosing (binding, record->time_ns);
  }
}
