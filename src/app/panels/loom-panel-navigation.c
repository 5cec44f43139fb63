/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-panel-navigation.h"

#include "loom-finding-rows.h"
#include "loom-view-navigation.h"

/* Many stretches of a range are no selection: they are laid over the timeline until something is selected. */
static void
show_parts (LoomTimelineState *state, const LoomNavigationTarget *place)
{
  loom_timeline_state_select_range (state, (LoomRange) { 0, 0 });
  loom_timeline_annotations_set_stretches (loom_timeline_state_get_finding_marks (state), place->parts, place->n_parts);
  loom_timeline_state_finding_marks_changed (state);
}

/* The row is marked until something else is shown. */
static void
show_row (LoomViewAnimator *flight, const LoomNavigationTarget *place)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  const LoomRuleOccurrence mark = { .host = place->node, .device = place->device, .span = LOOM_SPAN_ID_NONE };
  g_auto (GStrv) rows = loom_finding_rows_find (loom_timeline_state_get_row_list (state), &mark, 1);
  if (loom_timeline_annotations_set_rows (loom_timeline_state_get_finding_marks (state), (const char *const *) rows))
    loom_timeline_state_finding_marks_changed (state);
  if (rows[0] != NULL)
    loom_view_navigation_go_to_row (flight, rows[0]);
}

static void
show_range (LoomViewAnimator *flight, const LoomNavigationTarget *place)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  if (place->n_parts > 0)
    show_parts (state, place);
  else if (place->n_spans == 0)
    loom_timeline_state_select_range (state, place->range);
  loom_view_navigation_go_to_range (flight, place->range);
}

/* Each once: several groups of a rule may mark the same span. */
static void
select_spans (LoomTimelineState *state, const LoomNavigationTarget *place)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *spans = g_array_sized_new (FALSE, FALSE, sizeof (LoomSpanId), place->n_spans);
  for (guint i = 0; i < place->n_spans; i++) {
    gsize key = ((gsize) place->spans[i].trace << 32 | place->spans[i].span) + 1;
    if (g_hash_table_add (seen, GSIZE_TO_POINTER (key)))
      g_array_append_val (spans, place->spans[i]);
  }
  loom_timeline_state_take_selected (state, spans, spans->len);
}

void
loom_panel_navigation_show (LoomViewAnimator *flight, const LoomNavigationTarget *place)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  if (place->n_spans > 0)
    select_spans (state, place);
  if (place->n_spans == 1)
    loom_view_navigation_go_to_span (flight, place->spans[0]);
  if (place->range.end_ns > place->range.begin_ns)
    show_range (flight, place);
  if (place->node != NULL)
    show_row (flight, place);
}

void
loom_panel_navigation_show_finding (LoomViewAnimator *flight, const LoomFinding *finding)
{
  LoomTimelineState *state = loom_view_animator_get_state (flight);
  LoomTimelineAnnotations *marked = loom_timeline_state_get_finding_marks (state);
  const GArray *marks = finding->result->marks;
  LoomNavigationTarget place = { .range = finding->range };
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint i = 0; i < marks->len; i++)
    if (!loom_timeline_span_id_is_none (g_array_index (marks, LoomRuleOccurrence, i).span))
      g_array_append_val (spans, g_array_index (marks, LoomRuleOccurrence, i).span);
  place.spans = (const LoomSpanId *) (gpointer) spans->data;
  place.n_spans = spans->len;
  g_auto (GStrv) rows = loom_finding_rows_find (loom_timeline_state_get_row_list (state),
                                                (const LoomRuleOccurrence *) (gpointer) marks->data, marks->len);
  loom_panel_navigation_show (flight, &place);
  if (loom_timeline_annotations_set_rows (marked, (const char *const *) rows))
    loom_timeline_state_finding_marks_changed (state);
  if (rows[0] != NULL && place.n_spans != 1)
    loom_view_navigation_go_to_row (flight, rows[0]);
}

static void
event_chosen (LoomViewAnimator *flight, guint trace, guint span)
{
  loom_view_navigation_go_to_span (flight, (LoomSpanId) { trace, span });
}

static void
event_activated (LoomViewAnimator *flight, guint trace, guint span)
{
  LoomSpanId id = { trace, span };
  LoomRange range;
  loom_view_navigation_go_to_span (flight, id);
  loom_timeline_get_span (loom_timeline_state_get_timeline (loom_view_animator_get_state (flight)), id, &range.begin_ns,
                          &range.end_ns);
  loom_view_navigation_go_to_range (flight, range);
}

void
loom_panel_navigation_follow_events (LoomViewAnimator *flight, LoomEventsPanel *panel)
{
  g_signal_connect_object (panel, "span-chosen", G_CALLBACK (event_chosen), flight, G_CONNECT_SWAPPED);
  g_signal_connect_object (panel, "span-activated", G_CALLBACK (event_activated), flight, G_CONNECT_SWAPPED);
}
