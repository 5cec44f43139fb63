/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline-fixture.h"

static gboolean
has_frames (gpointer screen)
{
  return TRUE;
}

static gboolean
is_animated (gpointer screen)
{
  return ((TimelineFixture *) screen)->animated;
}

static void
start (gpointer screen)
{
}

static const LoomViewAnimatorScreen screen_calls = { has_frames, is_animated, start };

void
timeline_fixture_rest (TimelineFixture *self)
{
  while (loom_view_animator_advance (self->flight, 16000))
    ;
}

void
timeline_fixture_set_up (TimelineFixture *self, gconstpointer data)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  self->run = run_fixture_open (path);
  self->state = loom_run_state_get_view (self->run);
  self->flight = loom_run_state_get_flight (self->run);
  self->rows = loom_timeline_state_get_row_list (self->state);
  self->flows = (LoomFlowNavigation) LOOM_FLOW_NAVIGATION_INIT;
  self->animated = TRUE;
  loom_timeline_state_set_size (self->state, 1000, 200); /* a small height, so that the rows are more than two pages
                                                          * high */
  loom_view_animator_set_screen (self->flight, &screen_calls, self);
}

void
timeline_fixture_tear_down (TimelineFixture *self, gconstpointer data)
{
  loom_view_animator_set_screen (self->flight, NULL, NULL);
  run_fixture_close (self->run);
}

LoomViewport
timeline_fixture_view_of (TimelineFixture *self)
{
  return *loom_timeline_state_get_viewport (self->state);
}

gint64
timeline_fixture_width_ns (TimelineFixture *self)
{
  LoomViewport view = timeline_fixture_view_of (self);
  return loom_viewport_get_range_ns (&view);
}

void
timeline_fixture_run (TimelineFixture *self, LoomTimelineCommand command)
{
  loom_timeline_commands_run (self->flight, &self->flows, command);
  timeline_fixture_rest (self);
}

void
timeline_fixture_zoom_in (TimelineFixture *self)
{
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  LoomViewport view = timeline_fixture_view_of (self);
  gint64 length_ns = extent.end_ns - extent.begin_ns;
  view.begin_ns = extent.begin_ns + length_ns / 10;
  view.end_ns = view.begin_ns + length_ns / 3;
  loom_timeline_state_set_viewport (self->state, &view);
}

gint64
timeline_fixture_point (TimelineFixture *self)
{
  LoomViewport view = timeline_fixture_view_of (self);
  loom_view_animator_set_anchor (self->flight, TIMELINE_FIXTURE_POINTER_PX);
  return loom_viewport_time (&view, TIMELINE_FIXTURE_POINTER_PX);
}
