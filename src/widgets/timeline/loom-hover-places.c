/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-places.h"

#include <math.h>

static void
append_box (GArray *places, double x0, double y0, double x1, double y1)
{
  GdkRectangle place = { (int) floor (x0), (int) floor (y0), (int) ceil (x1 - x0) + 1, (int) ceil (y1 - y0) + 1 };
  g_array_append_val (places, place);
}

static void
append_span (LoomTimelineState *state, LoomSpanId span, GArray *places)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  guint row = G_MAXUINT, strip = 0;
  gint64 begin_ns, end_ns;
  gboolean itself = loom_row_list_find_span (rows, span, &row, &strip);
  if (row == G_MAXUINT)
    return;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), span, &begin_ns, &end_ns);
  double x0 = MAX (loom_viewport_x (view, begin_ns), 0), x1 = MIN (loom_viewport_x (view, end_ns), view->width_px);
  double top =
    loom_row_list_row_top (rows, row, view->scroll_px) + LOOM_ROW_PADDING_PX + (itself ? strip * LOOM_STRIP_PX : 0);
  if (x1 >= x0 && top + LOOM_STRIP_PX > 0 && top < view->height_px)
    append_box (places, x0, top, x1, top + LOOM_STRIP_PX);
}

/* Appends the rectangles of all spans that arrows connect with `span`: the ends of arrows that start at `span`, and the
 * starts of arrows that end at `span`. */
static void
append_ends_of (LoomTimelineState *state, LoomSpanId span, GArray *places)
{
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (int forward = 0; forward < 2; forward++)
    loom_flow_lines_next (loom_timeline_state_get_timeline (state), span, forward, ends);
  for (guint i = 0; i < ends->len; i++)
    append_span (state, g_array_index (ends, LoomSpanId, i), places);
}

void
loom_hover_places_collect (LoomTimelineState *state, const LoomDrawHit *hit, GArray *places)
{
  LoomPaintOptions options = { 0 };
  append_box (places, hit->x0, hit->y0, hit->x1, hit->y1);
  loom_timeline_state_fill_options (state, &options);
  for (guint i = 0; i < options.n_flows; i++) {
    append_span (state, options.flows[i].from, places);
    append_span (state, options.flows[i].to, places);
  }
  if (!loom_timeline_span_id_is_none (hit->span))
    append_ends_of (state, hit->span, places);
}
