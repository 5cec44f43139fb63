/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-follow-end.h: watches the timeline state for growth and for moves by the user.
 */
#include "loom-follow-end.h"

/* A view is at the end of the run if it ends before the end of the run by at most 1/NEAR_SHARE of the view's length. */
#define NEAR_SHARE 50

struct _LoomFollowEnd {
  LoomTimelineState *state;
  void (*changed) (gpointer user_data);
  gpointer user_data;
  gboolean on;
  gint64 end_ns;   /* end of the run, in timeline ns, when the view was last moved to it */
  gboolean moving; /* TRUE while this object, not the user, moves the view */
};

static void
set (LoomFollowEnd *self, gboolean on)
{
  if (self->on == on)
    return;
  self->on = on;
  self->changed (self->user_data);
}

/* Moves the view to the end of the run. A view that shows the whole run is not moved. */
static void
go_to_end (LoomFollowEnd *self)
{
  LoomViewport view = *loom_timeline_state_get_viewport (self->state);
  self->end_ns = loom_timeline_state_get_extent (self->state).end_ns;
  if (loom_timeline_state_is_fitted (self->state))
    return;
  gint64 length_ns = view.end_ns - view.begin_ns;
  view.end_ns = self->end_ns + length_ns / NEAR_SHARE;
  view.begin_ns = view.end_ns - length_ns;
  self->moving = TRUE;
  loom_timeline_state_set_viewport (self->state, &view);
  self->moving = FALSE;
}

static void
timeline_changed (LoomFollowEnd *self)
{
  if (!self->on)
    return;
  if (loom_timeline_state_get_timeline (self->state) == NULL)
    set (self, FALSE);
  else
    go_to_end (self);
}

static void
view_changed (LoomFollowEnd *self)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  gint64 near_ns = (view->end_ns - view->begin_ns) / NEAR_SHARE;
  if (self->on && !self->moving && view->end_ns < self->end_ns - near_ns)
    set (self, FALSE);
}

LoomFollowEnd *
loom_follow_end_new (LoomTimelineState *state, void (*changed) (gpointer user_data), gpointer user_data)
{
  LoomFollowEnd *self = g_new0 (LoomFollowEnd, 1);
  *self = (LoomFollowEnd) { .state = state, .changed = changed, .user_data = user_data };
  g_signal_connect_swapped (state, "timeline-changed", G_CALLBACK (timeline_changed), self);
  g_signal_connect_swapped (state, "view-changed", G_CALLBACK (view_changed), self);
  return self;
}

void
loom_follow_end_free (LoomFollowEnd *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->state, self);
  g_free (self);
}

void
loom_follow_end_set (LoomFollowEnd *self, gboolean on)
{
  if (on && loom_timeline_state_get_timeline (self->state) != NULL)
    go_to_end (self);
  set (self, on);
}

gboolean
loom_follow_end_is_on (const LoomFollowEnd *self)
{
  return self->on;
}
