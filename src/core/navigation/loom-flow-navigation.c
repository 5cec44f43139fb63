/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-flow-navigation.h: finds the arrows at the ends of a span.
 */
#include "loom-flow-navigation.h"

static GArray *
next_of (const LoomTimeline *timeline, LoomSpanId span, gboolean forward)
{
  GArray *next = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  loom_flow_lines_next (timeline, span, forward, next);
  return next;
}

static LoomSpanId
hop (LoomFlowNavigation *walk, LoomSpanId from, gboolean forward, LoomSpanId to)
{
  *walk = (LoomFlowNavigation) { .from = from, .to = to, .forward = forward };
  return to;
}

LoomSpanId
loom_flow_navigation_follow (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span, gboolean forward)
{
  g_autoptr (GArray) next = next_of (timeline, span, forward);
  return next->len > 0 ? hop (walk, span, forward, g_array_index (next, LoomSpanId, 0)) : LOOM_SPAN_ID_NONE;
}

/* Guesses along which arrow the user reached `span`, and stores this move as the last hop. If several arrows lead to
 * `span`, prefers an arrow that starts at a span with several arrows, because the user can then choose another of these
 * arrows. */
static void
guess_hop (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span)
{
  for (guint i = 0; i < 2; i++) {
    gboolean forward = i == 0;
    g_autoptr (GArray) origins = next_of (timeline, span, !forward);
    for (guint k = 0; k < origins->len; k++) {
      LoomSpanId from = g_array_index (origins, LoomSpanId, k);
      g_autoptr (GArray) beside = next_of (timeline, from, forward);
      hop (walk, from, forward, span);
      if (beside->len > 1)
        return;
    }
  }
}

LoomSpanId
loom_flow_navigation_choose (LoomFlowNavigation *walk, const LoomTimeline *timeline, LoomSpanId span, int step)
{
  if (!loom_timeline_span_id_equal (walk->to, span))
    guess_hop (walk, timeline, span);
  if (!loom_timeline_span_id_equal (walk->to, span))
    return LOOM_SPAN_ID_NONE;
  g_autoptr (GArray) choice = next_of (timeline, walk->from, walk->forward);
  guint n = choice->len, at = 0;
  while (at < n && !loom_timeline_span_id_equal (g_array_index (choice, LoomSpanId, at), span))
    at++;
  if (n < 2 || at == n)
    return LOOM_SPAN_ID_NONE;
  at = (guint) (((int) at + step + (int) n) % (int) n);
  return hop (walk, walk->from, walk->forward, g_array_index (choice, LoomSpanId, at));
}
