/* SPDX-License-Identifier: Apache-2.0 */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "fake-run.h"
#include "loom-ruler.h"

typedef struct {
  LoomTimeline *timeline;
  LoomSteps *steps;
  LoomTextCache *text;
  LoomRuler *ruler;
  LoomRange extent;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  FakeShape shape = fake_small;
  shape.n_nodes = 1;
  shape.ranks_per_node = 1;
  shape.n_steps = 40;
  shape.n_layers = 2;
  fixture->timeline = fake_run_new (&shape);
  fixture->steps = loom_steps_new (fixture->timeline, NULL);
  fixture->text = loom_text_cache_new ("DejaVu Sans");
  fixture->ruler = loom_ruler_new ();
  g_assert_true (loom_timeline_get_extent (fixture->timeline, &fixture->extent));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  loom_ruler_free (fixture->ruler);
  loom_text_cache_free (fixture->text);
  loom_steps_unref (fixture->steps);
  loom_timeline_unref (fixture->timeline);
}

static LoomViewport
random_view (const LoomRange *extent)
{
  double width = g_test_rand_double_range (80, 3000);
  LoomViewport view = { 0, 0, width, 500, 0 };
  gint64 range = (gint64) pow (10, g_test_rand_double_range (2, 13.5));
  view.begin_ns =
    extent->begin_ns + (gint64) (g_test_rand_double () * (double) (extent->end_ns - extent->begin_ns)) - range / 2;
  view.end_ns = view.begin_ns + range;
  return view;
}

static void
test_labels_never_touch (Fixture *fixture, gconstpointer data)
{
  for (int i = 0; i < 4000; i++) {
    LoomViewport view = random_view (&fixture->extent);
    LoomRulerUnit reading = (LoomRulerUnit) g_test_rand_int_range (0, LOOM_N_RULER_UNITS);
    guint n;
    loom_ruler_update (fixture->ruler, fixture->timeline, fixture->steps, &view, reading, fixture->text);
    const LoomTick *ticks = loom_ruler_get_ticks (fixture->ruler, &n);
    double free_from = -G_MAXDOUBLE, x = -G_MAXDOUBLE;
    for (guint k = 0; k < n; k++) {
      g_assert_cmpfloat (ticks[k].x, >=, x);
      x = ticks[k].x;
      if (ticks[k].label[0] == '\0')
        continue;
      if (ticks[k].label_x < free_from + 4)
        g_error ("reading %d, view %" G_GINT64_FORMAT " + %" G_GINT64_FORMAT ": “%s” at %g touches its neighbour",
                 reading, view.begin_ns, view.end_ns - view.begin_ns, ticks[k].label, ticks[k].x);
      g_assert_cmpfloat (ticks[k].label_x, >=, 0);
      g_assert_cmpfloat (ticks[k].label_x + ticks[k].label_width, <=, view.width_px);
      free_from = ticks[k].label_x + ticks[k].label_width;
    }
  }
}

/* Returns the distance between labelled ticks; 1 ns if fewer than two are in view. */
static gint64
step_of (const LoomTick *ticks, guint n)
{
  gint64 before = LOOM_TIME_NONE;
  for (guint i = 0; i < n; i++) {
    if (ticks[i].major && before != LOOM_TIME_NONE)
      return ticks[i].time_ns - before;
    before = ticks[i].major ? ticks[i].time_ns : before;
  }
  return 1;
}

/* Ticks are at multiples of 1, 2 or 5 × 10ⁿ (or round minutes) from the origin, exact to the ns. */
static void
test_ticks_are_round (Fixture *fixture, gconstpointer data)
{
  gint64 origin = loom_timeline_get_origin (fixture->timeline);
  for (int i = 0; i < 2000; i++) {
    LoomViewport view = random_view (&fixture->extent);
    guint n;
    loom_ruler_update (fixture->ruler, fixture->timeline, NULL, &view, LOOM_RULER_UNIT_SINCE_START, fixture->text);
    const LoomTick *ticks = loom_ruler_get_ticks (fixture->ruler, &n);
    gint64 step = step_of (ticks, n);
    g_assert_cmpint (step, ==, loom_ruler_nice_step (step));
    for (guint k = 0; k < n; k++) {
      if (ticks[k].major)
        g_assert_cmpint ((ticks[k].time_ns - origin) % step, ==, 0);
      g_assert_cmpfloat_with_epsilon (ticks[k].x, loom_viewport_x (&view, ticks[k].time_ns), 1e-9);
    }
  }
}

/* If the view is wide enough, the ruler always shows at least one label. */
static void
test_there_is_a_label (Fixture *fixture, gconstpointer data)
{
  for (int i = 0; i < 1000; i++) {
    LoomViewport view = random_view (&fixture->extent);
    guint n, n_labels = 0;
    view.width_px = 900;
    loom_ruler_update (fixture->ruler, fixture->timeline, fixture->steps, &view,
                       (LoomRulerUnit) g_test_rand_int_range (0, LOOM_RULER_UNIT_STEP), fixture->text);
    const LoomTick *ticks = loom_ruler_get_ticks (fixture->ruler, &n);
    for (guint k = 0; k < n; k++)
      n_labels += ticks[k].label[0] != '\0';
    g_assert_cmpuint (n_labels, >=, 2);
    g_assert_cmpstr (fixture->ruler->corner, !=, "");
  }
}

static void
test_nice_steps (void)
{
  g_assert_cmpint (loom_ruler_nice_step (0), ==, 1);
  g_assert_cmpint (loom_ruler_nice_step (3), ==, 5);
  g_assert_cmpint (loom_ruler_nice_step (6000), ==, 10000);
  g_assert_cmpint (loom_ruler_nice_step (21 * LOOM_NS_PER_S), ==, 30 * LOOM_NS_PER_S);
  g_assert_cmpint (loom_ruler_nice_step (31 * LOOM_NS_PER_S), ==, 60 * LOOM_NS_PER_S);
  g_assert_cmpint (loom_ruler_nice_step (16 * 60 * LOOM_NS_PER_S), ==, 30 * 60 * LOOM_NS_PER_S);
  for (int i = 0; i < 5000; i++) {
    gint64 least = (gint64) pow (10, g_test_rand_double_range (0, 17));
    gint64 step = loom_ruler_nice_step (least);
    g_assert_cmpint (step, >=, least);
    g_assert_cmpfloat ((double) step, <=, 6.0 * (double) least);
  }
}

static const char *
label_at (const LoomRuler *ruler, gint64 time_ns)
{
  guint n;
  const LoomTick *ticks = loom_ruler_get_ticks (ruler, &n);
  for (guint i = 0; i < n; i++)
    if (ticks[i].time_ns == time_ns && ticks[i].major)
      return ticks[i].label;
  return "no tick";
}

static void
test_readings (Fixture *fixture, gconstpointer data)
{
  gint64 origin = loom_timeline_get_origin (fixture->timeline);
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + LOOM_NS_PER_S, 1000, 500, 0 };
  loom_ruler_update (fixture->ruler, fixture->timeline, NULL, &view, LOOM_RULER_UNIT_UTC, fixture->text);
  g_assert_cmpstr (label_at (fixture->ruler, FAKE_BEGIN_NS + 200 * LOOM_NS_PER_MS), ==, "10:00:00.200");
  g_assert_cmpstr (fixture->ruler->corner, ==, "UTC");
  view = (LoomViewport) { origin, origin + LOOM_NS_PER_S, 1000, 500, 0 };
  loom_ruler_update (fixture->ruler, fixture->timeline, NULL, &view, LOOM_RULER_UNIT_SINCE_START, fixture->text);
  g_assert_cmpstr (label_at (fixture->ruler, origin + 200 * LOOM_NS_PER_MS), ==, "+200 ms");
  /* If the view is a small part deep inside the run, labels count from a round time that the corner of the ruler
   * shows */
  view.begin_ns = origin + 2 * LOOM_NS_PER_S + 345 * LOOM_NS_PER_MS;
  view.end_ns = view.begin_ns + 500 * LOOM_NS_PER_US;
  loom_ruler_update (fixture->ruler, fixture->timeline, NULL, &view, LOOM_RULER_UNIT_SINCE_START, fixture->text);
  g_assert_cmpstr (label_at (fixture->ruler, view.begin_ns + 100 * LOOM_NS_PER_US), ==, "+100 µs");
  g_assert_true (g_str_has_prefix (fixture->ruler->corner, "from +2.345"));
}

static void
test_steps (Fixture *fixture, gconstpointer data)
{
  guint n;
  const LoomStep *steps = fixture->steps->reference;
  g_assert_cmpuint (fixture->steps->n_reference, ==, 40);
  LoomViewport view = { steps[0].begin_ns - 1000, steps[39].end_ns, 1000, 500, 0 };
  loom_ruler_update (fixture->ruler, fixture->timeline, fixture->steps, &view, LOOM_RULER_UNIT_STEP, fixture->text);
  g_assert_cmpstr (label_at (fixture->ruler, steps[10].begin_ns), ==, "step 10");
  g_assert_cmpstr (fixture->ruler->corner, ==, "step");
  /* If the view is inside a step, the number of the step is visible, and labels count from the begin of the step */
  view =
    (LoomViewport) { steps[7].begin_ns + 20 * LOOM_NS_PER_MS, steps[7].begin_ns + 80 * LOOM_NS_PER_MS, 1000, 500, 0 };
  loom_ruler_update (fixture->ruler, fixture->timeline, fixture->steps, &view, LOOM_RULER_UNIT_STEP, fixture->text);
  const LoomTick *ticks = loom_ruler_get_ticks (fixture->ruler, &n);
  g_assert_cmpstr (ticks[0].label, ==, "step 7");
  g_assert_cmpfloat (ticks[0].label_x, >=, 0);
  g_assert_cmpstr (label_at (fixture->ruler, steps[7].begin_ns + 40 * LOOM_NS_PER_MS), ==, "+40 ms");
}

static void
test_format (Fixture *fixture, gconstpointer data)
{
  gint64 origin = loom_timeline_get_origin (fixture->timeline);
  g_autofree char *since =
    loom_ruler_format (fixture->timeline, NULL, LOOM_RULER_UNIT_SINCE_START, origin + 1500000001);
  g_autofree char *utc = loom_ruler_format (fixture->timeline, NULL, LOOM_RULER_UNIT_UTC, FAKE_BEGIN_NS + 7);
  g_autofree char *step = loom_ruler_format (fixture->timeline, fixture->steps, LOOM_RULER_UNIT_STEP,
                                             fixture->steps->reference[3].begin_ns + 5000000);
  g_assert_cmpstr (since, ==, "+1.500\u202f000\u202f001 s");
  g_assert_cmpstr (utc, ==, "10:00:00.000000007 UTC");
  g_assert_cmpstr (step, ==, "step 3 + 5 ms");
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/draw/ruler/labels-never-touch", test_labels_never_touch);
  ADD ("/draw/ruler/ticks-are-round", test_ticks_are_round);
  ADD ("/draw/ruler/there-is-a-label", test_there_is_a_label);
  g_test_add_func ("/draw/ruler/nice-steps", test_nice_steps);
  ADD ("/draw/ruler/readings", test_readings);
  ADD ("/draw/ruler/steps", test_steps);
  ADD ("/draw/ruler/format", test_format);
  return g_test_run ();
}
