/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests how held keys, wheels and touchpad gestures move the view: zoom, pan, scrolling by pages.
 */
#include "loom-scroll-zoom.h"
#include "timeline-fixture.h"

#include <math.h>

#define HOLD_US 300000
#define TALL_PX 2000 /* height of a plot, larger than the view */

#define ADD(name, test)                                                                        \
  g_test_add ("/core/view-motion/" name, TimelineFixture, NULL, timeline_fixture_set_up, test, \
              timeline_fixture_tear_down)

static void
assert_kept (TimelineFixture *self, gint64 time_ns)
{
  LoomViewport view = timeline_fixture_view_of (self);
  g_assert_cmpfloat (fabs (loom_viewport_x (&view, time_ns) - TIMELINE_FIXTURE_POINTER_PX), <, 2);
}

static void
hold (TimelineFixture *self, LoomMotion which, gboolean fast)
{
  loom_view_animator_press (self->flight, which, fast);
  for (guint i = 0; i < 3; i++)
    g_assert_true (loom_view_animator_advance (self->flight, HOLD_US / 3));
  loom_view_animator_release (self->flight, which);
  timeline_fixture_rest (self);
}

/* --- held keys --------------------------------------------------------------------------------------------------------- */

static void
test_zoom (TimelineFixture *self, gconstpointer data)
{
  timeline_fixture_zoom_in (self);
  gint64 time_ns = timeline_fixture_point (self), before = timeline_fixture_width_ns (self);
  hold (self, LOOM_MOTION_IN, FALSE);
  gint64 near = timeline_fixture_width_ns (self);
  g_assert_cmpint (near, <, before * 9 / 10);
  assert_kept (self, time_ns);
  hold (self, LOOM_MOTION_OUT, FALSE);
  g_assert_cmpint (timeline_fixture_width_ns (self), >, near * 11 / 10);
  assert_kept (self, time_ns);
}

static void
test_pan (TimelineFixture *self, gconstpointer data)
{
  timeline_fixture_zoom_in (self);
  gint64 begin = timeline_fixture_view_of (self).begin_ns, width = timeline_fixture_width_ns (self);
  hold (self, LOOM_MOTION_LATER, FALSE);
  gint64 later = timeline_fixture_view_of (self).begin_ns;
  g_assert_cmpint (later, >, begin);
  g_assert_cmpint (ABS (timeline_fixture_width_ns (self) - width), <=, 2);
  hold (self, LOOM_MOTION_EARLIER, FALSE);
  g_assert_cmpint (timeline_fixture_view_of (self).begin_ns, <, later);
  g_assert_cmpint (ABS (timeline_fixture_width_ns (self) - width), <=, 2);
}

static void
test_fast (TimelineFixture *self, gconstpointer data)
{
  hold (self, LOOM_MOTION_IN, FALSE);
  gint64 slow = timeline_fixture_width_ns (self);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FIT);
  hold (self, LOOM_MOTION_IN, TRUE);
  g_assert_cmpint (timeline_fixture_width_ns (self), <, slow);
}

/* A press that ends before the first frame moves the view by one step. */
static void
test_short_press (TimelineFixture *self, gconstpointer data)
{
  gint64 before = timeline_fixture_width_ns (self);
  loom_view_animator_press (self->flight, LOOM_MOTION_IN, FALSE);
  loom_view_animator_release (self->flight, LOOM_MOTION_IN);
  timeline_fixture_rest (self);
  g_assert_cmpfloat ((double) timeline_fixture_width_ns (self) / (double) before, <, 0.9);
}

static void
test_reduced_motion (TimelineFixture *self, gconstpointer data)
{
  gint64 before = timeline_fixture_width_ns (self);
  self->animated = FALSE;
  loom_view_animator_press (self->flight, LOOM_MOTION_IN, FALSE);
  gint64 after = timeline_fixture_width_ns (self); /* the first step of a key is made at once, before a frame is
                                                    * drawn */
  loom_view_animator_release (self->flight, LOOM_MOTION_IN);
  timeline_fixture_rest (self);
  g_assert_cmpint (after, <, before);
  g_assert_cmpint (timeline_fixture_width_ns (self), ==, after);
}

/* --- wheels ------------------------------------------------------------------------------------------------------------ */

/* The view zooms with a wheel, which scrolls in steps, and with a touchpad, which scrolls by pixels. */
static void
test_wheel_zoom (TimelineFixture *self, gconstpointer data)
{
  for (guint wheel = 0; wheel < 2; wheel++) {
    double step = wheel ? 1 : 40;
    timeline_fixture_zoom_in (self);
    gint64 time_ns = timeline_fixture_point (self), before = timeline_fixture_width_ns (self);
    for (guint i = 0; i < 2; i++)
      loom_scroll_zoom_zoom (self->flight, self->state, TIMELINE_FIXTURE_POINTER_PX, -step, wheel);
    timeline_fixture_rest (self);
    gint64 near = timeline_fixture_width_ns (self);
    g_assert_cmpint (near, <, before * 9 / 10);
    assert_kept (self, time_ns);
    loom_scroll_zoom_zoom (self->flight, self->state, TIMELINE_FIXTURE_POINTER_PX, step, wheel);
    timeline_fixture_rest (self);
    g_assert_cmpint (timeline_fixture_width_ns (self), >, near);
    assert_kept (self, time_ns);
  }
}

static void
make_tall (TimelineFixture *self)
{
  g_autofree char *key = g_strdup (loom_row_list_get_first_counter (self->rows));
  loom_row_list_set_row_height (self->rows, key, TALL_PX);
  loom_timeline_state_rows_changed (self->state);
}

static void
slide (TimelineFixture *self, double dx, double dy, gboolean wheel)
{
  loom_scroll_zoom_slide (self->flight, self->state, dx, dy, wheel);
  timeline_fixture_rest (self);
}

static void
test_wheel (TimelineFixture *self, gconstpointer data)
{
  make_tall (self);
  for (guint wheel = 0; wheel < 2; wheel++) {
    double step = wheel ? 1 : 60;
    timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FIT);
    timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_TOP);
    LoomViewport before = timeline_fixture_view_of (self);
    slide (self, 0, 2 * step, wheel);
    double down = timeline_fixture_view_of (self).scroll_px;
    g_assert_cmpfloat (down, >, 0);
    slide (self, 0, -step, wheel);
    g_assert_cmpfloat (timeline_fixture_view_of (self).scroll_px, <, down);
    g_assert_cmpint (timeline_fixture_view_of (self).begin_ns, ==, before.begin_ns);
    g_assert_cmpint (timeline_fixture_view_of (self).end_ns, ==, before.end_ns);
    timeline_fixture_zoom_in (self);
    gint64 begin_ns = timeline_fixture_view_of (self).begin_ns;
    slide (self, step, 0, wheel);
    g_assert_cmpint (timeline_fixture_view_of (self).begin_ns, >, begin_ns);
  }
}

static void
test_pages (TimelineFixture *self, gconstpointer data)
{
  make_tall (self);
  double height = timeline_fixture_view_of (self).height_px;
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PAGE_DOWN);
  double page = timeline_fixture_view_of (self).scroll_px;
  g_assert_cmpfloat (page, >, height / 2);
  g_assert_cmpfloat (page, <=, height);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PAGE_DOWN);
  g_assert_cmpfloat (timeline_fixture_view_of (self).scroll_px, >, page);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PAGE_UP);
  g_assert_cmpfloat (fabs (timeline_fixture_view_of (self).scroll_px - page), <, 1);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_BOTTOM);
  g_assert_cmpfloat (
    fabs (timeline_fixture_view_of (self).scroll_px - (loom_row_list_get_height (self->rows) - height)), <, 1);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_TOP);
  g_assert_cmpfloat (timeline_fixture_view_of (self).scroll_px, ==, 0);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  ADD ("zoom", test_zoom);
  ADD ("pan", test_pan);
  ADD ("fast", test_fast);
  ADD ("short-press", test_short_press);
  ADD ("reduced-motion", test_reduced_motion);
  ADD ("wheel-zoom", test_wheel_zoom);
  ADD ("wheel", test_wheel);
  ADD ("pages", test_pages);
  return run_fixture_run ();
}
