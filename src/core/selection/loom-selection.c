/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-selection.h: keeps the selected spans, a sorted copy of them, and the arrows of the span selected
 * last.
 */
#include "loom-selection.h"

#include "loom-span-set.h"

/* Maximum number of arrows drawn for the selected span. */
#define MAX_FLOWS 200

void
loom_selection_init (LoomSelection *self)
{
  *self = (LoomSelection) { .spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId)),
                            .outlined = g_array_new (FALSE, FALSE, sizeof (LoomSpanId)),
                            .flows = g_array_new (FALSE, FALSE, sizeof (LoomFlowLine)) };
}

void
loom_selection_clear (LoomSelection *self)
{
  g_array_unref (self->spans);
  g_array_unref (self->outlined);
  g_array_unref (self->flows);
}

void
loom_selection_toggle (LoomSelection *self, LoomSpanId span, gboolean alone)
{
  self->range = (LoomRange) { 0, 0 };
  if (alone) {
    g_array_set_size (self->spans, 0);
    self->n_left_out = 0;
  }
  if (!loom_span_set_remove (self->spans, span))
    g_array_append_val (self->spans, span);
}

void
loom_selection_take (LoomSelection *self, GArray *spans, guint most, guint64 n_wanted)
{
  self->range = (LoomRange) { 0, 0 };
  if (spans->len > most) {
    g_array_index (spans, LoomSpanId, most - 1) = g_array_index (spans, LoomSpanId, spans->len - 1);
    g_array_set_size (spans, most);
  }
  g_array_unref (self->spans);
  self->spans = spans;
  self->n_left_out = n_wanted - spans->len;
}

void
loom_selection_set_range (LoomSelection *self, LoomRange range)
{
  g_array_set_size (self->spans, 0);
  self->n_left_out = 0;
  self->range = range.end_ns > range.begin_ns ? range : (LoomRange) { 0, 0 };
}

void
loom_selection_follow (LoomSelection *self, LoomTimeline *from, LoomTimeline *to)
{
  loom_span_set_follow (self->spans, from, to);
  self->n_left_out = self->spans->len > 0 ? self->n_left_out : 0;
  if (to == NULL)
    self->range = (LoomRange) { 0, 0 };
}

void
loom_selection_update (LoomSelection *self, LoomTimeline *timeline, LoomCollectives *collectives)
{
  loom_span_set_copy_sorted (self->outlined, self->spans);
  g_array_set_size (self->flows, 0);
  LoomSpanId lead = loom_selection_get_lead (self);
  if (!loom_timeline_span_id_is_none (lead))
    loom_flow_lines_of_span (timeline, lead, MAX_FLOWS, self->flows);
  loom_collective_flows_of_span (collectives, timeline, lead, MAX_FLOWS, self->flows);
}

gboolean
loom_selection_is_empty (const LoomSelection *self)
{
  return self->spans->len == 0 && self->range.end_ns <= self->range.begin_ns;
}

gboolean
loom_selection_has (const LoomSelection *self, LoomSpanId span)
{
  guint at = loom_span_set_lower_bound (self->outlined, span);
  return at < self->outlined->len && loom_timeline_span_id_equal (g_array_index (self->outlined, LoomSpanId, at), span);
}

LoomSpanId
loom_selection_get_lead (const LoomSelection *self)
{
  if (self->spans->len == 0)
    return LOOM_SPAN_ID_NONE;
  return g_array_index (self->spans, LoomSpanId, self->spans->len - 1);
}

gboolean
loom_selection_get_range (const LoomSelection *self, LoomTimeline *timeline, LoomRange *range)
{
  *range = self->range;
  if (self->spans->len == 0)
    return range->end_ns > range->begin_ns;
  *range = loom_span_set_get_range (self->spans, timeline);
  return TRUE;
}

void
loom_selection_fill_options (const LoomSelection *self, LoomPaintOptions *options)
{
  options->selection = self->range;
  options->selected = (const LoomSpanId *) (gpointer) self->outlined->data;
  options->n_selected = self->outlined->len;
  options->flows = (const LoomFlowLine *) (gpointer) self->flows->data;
  options->n_flows = self->flows->len;
}
