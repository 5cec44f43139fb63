/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "draw-list-fixture.h"
#include "fake-run.h"
#include "loom-counter-values.h"
#include "loom-trace-builder.h"

static void
add_source (LoomTraceBuilder *builder, const char *path)
{
  guint clock = loom_trace_builder_add_clock (builder);
  LoomSource *source = loom_source_new (path);
  loom_trace_builder_get_clock (builder, clock)->state = LOOM_CLOCK_EXACT;
  source->format = "chrome";
  loom_trace_builder_add_source (builder, source, clock);
}

static guint32
name (LoomTraceBuilder *builder, const char *text)
{
  return loom_trace_builder_name (builder, text, strlen (text), "", 0, "", 0);
}

/* Returns a trace of spans of all lengths at random times. Spans that overlap others without being nested are placed in
 * overflow lanes. */
static LoomTrace *
random_trace (guint n, double longest_ns)
{
  static const char *const texts[] = { "alpha", "beta", "gamma", "delta", "a name that is long enough to be cut" };
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "random.json");
  guint32 process = loom_trace_builder_process (builder, 0, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "1", 1);
  for (guint i = 0; i < n; i++) {
    gint64 start = g_test_rand_int_range (0, 1000000);
    gint64 dur = g_test_rand_int_range (0, 12) == 0 ? 0 : (gint64) pow (longest_ns, g_test_rand_double ());
    guint flags = g_test_rand_int_range (0, 40) == 0 ? LOOM_REF_OPEN : 0;
    guint32 id = name (builder, texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))]);
    loom_trace_builder_span (builder, thread, start, dur, id, loom_source_ref_make (0, flags, i));
  }
  for (guint i = 0; i < n / 20; i++)
    loom_trace_builder_instant (builder, 0, process, thread, g_test_rand_int_range (0, 1000000), name (builder, "tick"),
                                'i', 't', loom_source_ref_make (0, 0, n + i));
  loom_trace_builder_shift_source (builder, 0, FAKE_BEGIN_NS);
  return loom_trace_builder_freeze (builder, 1, NULL);
}

static LoomViewport
random_view (const LoomRange *extent)
{
  LoomViewport view = { 0, 0, floor (g_test_rand_double_range (50, 1500)), 4000, 0 };
  double length = (double) (extent->end_ns - extent->begin_ns);
  gint64 range = (gint64) (length * pow (10, g_test_rand_double_range (-4, 0.2)));
  view.begin_ns = extent->begin_ns + (gint64) (g_test_rand_double_range (-0.2, 1) * length);
  view.end_ns = view.begin_ns + MAX (range, LOOM_VIEWPORT_MIN_RANGE_NS);
  return view;
}

static void
test_bounds (void)
{
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_timeline_of (random_trace (30000, 3000)));
  for (int i = 0; i < 200; i++) {
    LoomViewport view = random_view (&fixture.extent);
    guint n_strips, n_marks;
    loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
    const LoomDepthRow *strips = loom_draw_list_get_strips (fixture.list, &n_strips);
    const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n_marks);
    for (guint s = 0; s < n_strips; s++) {
      g_assert_cmpuint (strips[s].n, <=, 2 * (guint) view.width_px + 4);
      for (guint32 k = strips[s].first; k < strips[s].first + strips[s].n; k++) {
        g_assert_cmpfloat (marks[k].x1, >=, marks[k].x0);
        g_assert_cmpfloat (marks[k].x0, >=, -8.01);
        g_assert_cmpfloat (marks[k].x1, <=, view.width_px + 8.01);
        if (k > strips[s].first)
          g_assert_cmpfloat (marks[k].x0, >=, marks[k - 1].x0);
      }
    }
  }
  draw_list_fixture_clear (&fixture);
}

/* Every span with at least two pixels in view has its own mark, at its place. */
static void
test_wide_spans_are_there (void)
{
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_timeline_of (random_trace (20000, 20000)));
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (fixture.timeline), 0);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_autofree gboolean *seen = g_new (gboolean, spans->n);
  for (int i = 0; i < 60; i++) {
    LoomViewport view = random_view (&fixture.extent);
    guint n;
    memset (seen, 0, sizeof *seen * spans->n);
    view.height_px = loom_row_list_get_height (fixture.outline);
    loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
    const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n);
    for (guint k = 0; k < n; k++) {
      if ((marks[k].flags & (LOOM_DRAW_ITEM_DENSE | LOOM_DRAW_ITEM_INSTANT)) != 0)
        continue;
      gint64 start = spans->start_ns[marks[k].span.span], end = start + spans->dur_ns[marks[k].span.span];
      seen[marks[k].span.span] = TRUE;
      g_assert_true ((marks[k].flags & LOOM_DRAW_ITEM_OPEN) == 0 ||
                     loom_source_ref_flags (spans->ref[marks[k].span.span]) & LOOM_REF_OPEN);
      double x0 = CLAMP (loom_viewport_x (&view, start), -8, view.width_px + 8);
      double x1 = CLAMP (loom_viewport_x (&view, end), -8, view.width_px + 8);
      g_assert_cmpfloat_with_epsilon (marks[k].x0, x0, 0.01);
      g_assert_cmpfloat_with_epsilon (marks[k].x1, MAX (x1, MIN (x0 + 1, view.width_px + 8)), 0.01);
    }
    for (guint32 k = 0; k < spans->n; k++) {
      if (loom_trace_span_is_instant (trace, k) || spans->start_ns[k] >= view.end_ns ||
          spans->start_ns[k] + spans->dur_ns[k] <= view.begin_ns)
        continue;
      gint64 begin = MAX (spans->start_ns[k], view.begin_ns);
      gint64 end = MIN (spans->start_ns[k] + spans->dur_ns[k], view.end_ns);
      double width = (double) (end - begin) / loom_viewport_get_ns_per_px (&view);
      if (width >= 2 && !seen[k])
        g_error ("span %u of %g px is not drawn", k, width);
    }
  }
  draw_list_fixture_clear (&fixture);
}

/* In rows whose spans are narrower than a pixel, the marks cover the same total time as the spans, and every span has a
 * mark in its pixel. */
static void
test_every_span_leaves_a_trace (void)
{
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_timeline_of (random_trace (60000, 40)));
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (fixture.timeline), 0);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 1000100, 700, 0, 0 };
  view.height_px = loom_row_list_get_height (fixture.outline);
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  for (guint32 k = 0; k < spans->n; k += 7) {
    guint row, strip;
    LoomDrawHit hit;
    if (loom_trace_span_is_instant (trace, k))
      continue;
    g_assert_true (loom_row_list_find_span (fixture.outline, (LoomSpanId) { 0, k }, &row, &strip));
    double y = loom_row_list_row_top (fixture.outline, row, 0) + LOOM_ROW_PADDING_PX + strip * LOOM_STRIP_PX + 9;
    double x = floor (loom_viewport_x (&view, spans->start_ns[k])) + 0.5;
    LoomHitKind kind = loom_draw_list_hit (fixture.list, x, y, 1, &hit);
    g_assert_true (kind == LOOM_DRAW_HIT_DENSE || kind == LOOM_DRAW_HIT_SPAN);
    g_assert_cmpuint (hit.row, ==, row);
    g_assert_cmpint (hit.begin_ns, <=, spans->start_ns[k] + 2 * (gint64) loom_viewport_get_ns_per_px (&view));
  }
  draw_list_fixture_clear (&fixture);
}

/* --- hits ------------------------------------------------------------------------------------------------------- */

static const LoomDrawItem *
hit_by_force (const LoomDrawList *list, double x, double y, double slack)
{
  guint n_strips, n;
  const LoomDepthRow *strips = loom_draw_list_get_strips (list, &n_strips);
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n), *best = NULL;
  double best_gap = G_MAXDOUBLE;
  for (guint s = 0; s < n_strips; s++) {
    if (y < strips[s].y || y >= strips[s].y + strips[s].height)
      continue;
    for (guint32 k = strips[s].first; k < strips[s].first + strips[s].n; k++) {
      const LoomDrawItem *mark = &marks[k];
      double gap = MAX (MAX (mark->x0 - x, x - mark->x1), 0);
      gboolean instant = (mark->flags & LOOM_DRAW_ITEM_INSTANT) != 0;
      if (gap > 0 && (gap > slack || (!instant && mark->x1 - mark->x0 >= 2 * slack)))
        continue;
      float width = mark->x1 - mark->x0;
      if (best == NULL || gap < best_gap || (gap == best_gap && width < best->x1 - best->x0)) {
        best = mark;
        best_gap = gap;
      }
    }
  }
  return best;
}

static void
compare_hits (DrawListFixture *fixture, const LoomViewport *view, guint n)
{
  for (guint i = 0; i < n; i++) {
    double x = g_test_rand_double_range (-3, view->width_px + 3), slack = g_test_rand_int_range (0, 5);
    double y = g_test_rand_double_range (0, loom_row_list_get_height (fixture->outline));
    LoomDrawHit hit;
    const LoomDrawItem *expected = y < view->height_px ? hit_by_force (fixture->list, x, y, slack) : NULL;
    LoomHitKind kind = loom_draw_list_hit (fixture->list, x, y, slack, &hit);
    if (expected == NULL) {
      g_assert_true (kind == LOOM_DRAW_HIT_ROW || kind == LOOM_DRAW_HIT_NONE || kind == LOOM_DRAW_HIT_COUNTER);
      continue;
    }
    if (!loom_timeline_span_id_equal (hit.span, expected->span) || hit.x0 != expected->x0)
      g_error ("at (%g, %g) ± %g: hit span %u at %g … %g, expected %u at %g … %g", x, y, slack, hit.span.span, hit.x0,
               hit.x1, expected->span.span, expected->x0, expected->x1);
    g_assert_cmpuint (hit.count, >=, 1);
  }
}

static void
test_hits_equal_brute_force (void)
{
  for (int round = 0; round < 6; round++) {
    DrawListFixture fixture;
    draw_list_fixture_take (&fixture, fake_timeline_of (random_trace (200 << (2 * round), 30000)));
    for (int i = 0; i < 12; i++) {
      LoomViewport view = random_view (&fixture.extent);
      loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
      compare_hits (&fixture, &view, 400);
    }
    draw_list_fixture_clear (&fixture);
  }
}

/* The spans of two files of one thread overlap a little and share a row; hit testing finds both. */
static void
test_hits_in_shared_rows (void)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new ();
  for (int i = 0; i < 2; i++) {
    LoomTraceBuilder *builder = loom_trace_builder_new ();
    add_source (builder, i == 0 ? "one.json" : "two.json");
    guint32 process = loom_trace_builder_process (builder, 0, "1", 1);
    loom_trace_builder_process_set_place (builder, process, NULL, 0);
    guint32 thread = loom_trace_builder_thread (builder, process, "1", 1);
    for (guint k = 0; k < 300; k++)
      loom_trace_builder_span (builder, thread, FAKE_BEGIN_NS + i * 298000 + k * 1000, g_test_rand_int_range (10, 999),
                               name (builder, "x"), loom_source_ref_make (0, 0, k));
    g_ptr_array_add (traces, loom_trace_builder_freeze (builder, 1, NULL));
  }
  LoomRun *run = loom_run_new ((LoomTrace *const *) traces->pdata, 2);
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, loom_timeline_new (run, alignment));
  guint n_spans_rows = 0;
  for (guint i = 0; i < loom_row_list_get_n_rows (fixture.outline); i++)
    n_spans_rows += loom_row_list_get_row (fixture.outline, i)->kind == LOOM_ROW_SPANS;
  g_assert_cmpuint (n_spans_rows, ==, 1);
  for (int i = 0; i < 40; i++) {
    LoomViewport view = random_view (&fixture.extent);
    loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
    compare_hits (&fixture, &view, 200);
  }
  draw_list_fixture_clear (&fixture);
  loom_alignment_unref (alignment);
  loom_run_unref (run);
  g_ptr_array_foreach (traces, (GFunc) (void (*) (void)) loom_trace_unref, NULL);
}

static void
test_hit_kinds (void)
{
  FakeShape shape = { 2, 5, 2, 6, 5, TRUE };
  DrawListFixture fixture;
  LoomDrawHit hit;
  draw_list_fixture_take (&fixture, fake_run_new (&shape));
  loom_row_list_fold_all (fixture.outline, TRUE);
  LoomViewport view;
  loom_viewport_init (&view, fixture.extent, 900, 700);
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  g_assert_cmpint (loom_draw_list_hit (fixture.list, 200, 10, 2, &hit), ==, LOOM_DRAW_HIT_GROUP);
  g_assert_cmpfloat (hit.fill, >, 0);
  g_assert_cmpint (loom_draw_list_hit (fixture.list, 200, 650, 2, &hit), ==, LOOM_DRAW_HIT_NONE);
  g_assert_cmpuint (hit.row, ==, G_MAXUINT);
  g_autofree char *node = g_strdup (loom_row_list_get_row (fixture.outline, 0)->key);
  loom_row_list_set_folded (fixture.outline, node, FALSE);
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  const LoomTimelineRow *plot = loom_row_list_get_row (fixture.outline, 1);
  g_assert_cmpstr (plot->label, ==, "GPU utilization");
  g_assert_cmpint (loom_draw_list_hit (fixture.list, 200, plot->y + 4, 2, &hit), ==, LOOM_DRAW_HIT_COUNTER);
  g_assert_cmpuint (hit.series, <, plot->n_series);
  g_assert_cmpfloat (hit.value, >, 50);
  double value;
  g_assert_true (loom_counter_values_at (fixture.timeline, &plot->series[hit.series], hit.begin_ns, &value));
  g_assert_cmpfloat (value, ==, hit.value);
  g_assert_false (loom_counter_values_at (fixture.timeline, &plot->series[0], fixture.extent.begin_ns - 1000, &value));
  draw_list_fixture_clear (&fixture);
}

/* In the lane of a folded process, a span without an end is marked as open only in the pixel in which it ends. */
static void
test_open_span_in_lane (void)
{
  DrawListFixture fixture;
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "one.json");
  guint32 process = loom_trace_builder_process (builder, 0, "1", 1), at = 0;
  guint32 thread = loom_trace_builder_thread (builder, process, "1", 1);
  for (guint k = 0; k < 2; k++)
    loom_trace_builder_span (builder, thread, FAKE_BEGIN_NS + k * 1000, k == 0 ? 500 : 4000, name (builder, "x"),
                             loom_source_ref_make (0, k == 1 ? LOOM_REF_OPEN : 0, k));
  draw_list_fixture_take (&fixture, fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL)));
  loom_row_list_fold_all (fixture.outline, TRUE);
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 8000, 800, 400, 0 };
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  guint n, n_open = 0;
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n);
  for (guint i = 0; i < n; i++)
    if ((marks[i].flags & LOOM_DRAW_ITEM_OPEN) != 0) {
      at = (guint32) marks[i].x1;
      n_open++;
    }
  g_assert_cmpuint (n_open, ==, 1);
  g_assert_cmpuint (at, ==, 500);
  view.end_ns = FAKE_BEGIN_NS + 8000000; /* so that the span is narrower than the minimum width of a mark */
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  marks = loom_draw_list_get_marks (fixture.list, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (marks[i].flags & LOOM_DRAW_ITEM_OPEN, ==, 0);
  draw_list_fixture_clear (&fixture);
}

static void
test_search_hits (void)
{
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_timeline_of (random_trace (50000, 300)));
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (fixture.timeline), 0);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint32 i = 0; i < spans->n; i++)
    if (i % 997 == 3) {
      LoomSpanId id = { 0, i };
      g_array_append_val (hits, id);
    }
  LoomDrawOptions options = { LOOM_COLOR_BY_NAME, (const LoomSpanId *) (gpointer) hits->data, hits->len };
  LoomViewport view = { FAKE_BEGIN_NS, FAKE_BEGIN_NS + 1000500, 800, 0, 0 };
  view.height_px = loom_row_list_get_height (fixture.outline);
  loom_draw_list_build (fixture.list, fixture.outline, &view, &options);
  g_assert_true (loom_draw_list_is_searching (fixture.list));
  guint n_marks, n_strips;
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n_marks);
  const LoomDepthRow *strips = loom_draw_list_get_strips (fixture.list, &n_strips);
  for (guint i = 0; i < hits->len; i++) {
    LoomSpanId id = g_array_index (hits, LoomSpanId, i);
    guint row, strip;
    gboolean found = FALSE;
    double x = loom_viewport_x (&view, spans->start_ns[id.span]);
    g_assert_true (loom_row_list_find_span (fixture.outline, id, &row, &strip));
    for (guint s = 0; s < n_strips; s++)
      for (guint32 k = strips[s].first;
           k < strips[s].first + strips[s].n && strips[s].row == row && strips[s].index == strip; k++)
        found |= (marks[k].flags & LOOM_DRAW_ITEM_HIT) != 0 && x >= marks[k].x0 - 0.01 && x <= marks[k].x1 + 0.01;
    g_assert_true (found);
  }
  for (guint i = 0; i < n_marks; i++) {
    gboolean near = FALSE;
    for (guint k = 0; k < hits->len; k++) {
      guint32 span = g_array_index (hits, LoomSpanId, k).span;
      double x0 = loom_viewport_x (&view, spans->start_ns[span]);
      double x1 = loom_viewport_x (&view, spans->start_ns[span] + spans->dur_ns[span]);
      near |= x0 <= marks[i].x1 + 0.01 && x1 >= marks[i].x0 - 0.01;
    }
    g_assert_true (near || (marks[i].flags & LOOM_DRAW_ITEM_HIT) == 0);
  }
  draw_list_fixture_clear (&fixture);
}

/* --- what the list keeps ---------------------------------------------------------------------------------------- */

/* The draw list contains no marks for rows outside of the view. */
static void
test_only_what_is_in_view (void)
{
  FakeShape shape = { 1, 8, 2, 6, 5, FALSE };
  DrawListFixture fixture;
  guint n_strips;
  draw_list_fixture_take (&fixture, fake_run_new (&shape));
  LoomViewport view;
  loom_viewport_init (&view, fixture.extent, 500, 200);
  view.scroll_px = 600;
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  const LoomDepthRow *strips = loom_draw_list_get_strips (fixture.list, &n_strips);
  g_assert_cmpuint (n_strips, >, 2);
  for (guint i = 0; i < n_strips; i++) {
    g_assert_cmpfloat (strips[i].y + strips[i].height, >, 0);
    g_assert_cmpfloat (strips[i].y, <, 200);
  }
  draw_list_fixture_clear (&fixture);
}

/* Compares the members, because memcmp() would include the undefined padding between them. */
static void
assert_same_mark (const LoomDrawItem *a, const LoomDrawItem *b)
{
  g_assert_cmpfloat (a->x0, ==, b->x0);
  g_assert_cmpfloat (a->x1, ==, b->x1);
  g_assert_true (loom_timeline_span_id_equal (a->span, b->span));
  g_assert_cmpuint (a->name_id, ==, b->name_id);
  g_assert_cmpuint (a->count, ==, b->count);
  g_assert_cmpuint (a->color, ==, b->color);
  g_assert_cmpuint (a->fill, ==, b->fill);
  g_assert_cmpuint (a->base, ==, b->base);
  g_assert_cmpuint (a->flags, ==, b->flags);
}

/* A draw list that is built again, for any changes of the view and rows, has the same marks as a new list. */
static void
test_taking_over (void)
{
  FakeShape shape = { 2, 3, 2, 6, 5, TRUE };
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_run_new (&shape));
  LoomViewport view;
  loom_viewport_init (&view, fixture.extent, 700, 300);
  for (int i = 0; i < 150; i++) {
    int what = g_test_rand_int_range (0, 5);
    guint row = (guint) g_test_rand_int_range (0, (gint) loom_row_list_get_n_rows (fixture.outline));
    g_autofree char *key = g_strdup (loom_row_list_get_row (fixture.outline, row)->key);
    if (what == 0)
      loom_row_list_set_folded (fixture.outline, key, g_test_rand_bit ());
    else if (what == 1)
      loom_row_list_set_pinned (fixture.outline, key, g_test_rand_bit ());
    else if (what == 2)
      loom_viewport_zoom (&view, fixture.extent, 300, g_test_rand_bit () ? 0.8 : 1.25);
    else
      view.scroll_px = g_test_rand_int_range (0, 900);
    LoomDrawList *fresh = loom_draw_list_new ();
    loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
    loom_draw_list_build (fresh, fixture.outline, &view, NULL);
    guint n, n_fresh;
    const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n),
                       *expected = loom_draw_list_get_marks (fresh, &n_fresh);
    g_assert_cmpuint (n, ==, n_fresh);
    for (guint k = 0; k < n; k++)
      assert_same_mark (&marks[k], &expected[k]);
    const LoomDepthRow *strips = loom_draw_list_get_strips (fixture.list, &n),
                       *wanted = loom_draw_list_get_strips (fresh, &n_fresh);
    g_assert_cmpuint (n, ==, n_fresh);
    for (guint k = 0; k < n; k++) {
      g_assert_cmpuint (strips[k].row, ==, wanted[k].row);
      g_assert_cmpuint (strips[k].n, ==, wanted[k].n);
      g_assert_cmpfloat (strips[k].y, ==, wanted[k].y);
    }
    loom_draw_list_free (fresh);
  }
  draw_list_fixture_clear (&fixture);
}

static void
test_plots (void)
{
  FakeShape shape = { 1, 4, 40, 1, 2, TRUE };
  DrawListFixture fixture;
  guint n_plots, n_lines, n_columns;
  draw_list_fixture_take (&fixture, fake_run_new (&shape));
  LoomViewport view;
  for (int zoom = 0; zoom < 6; zoom++) {
    loom_viewport_init (&view, fixture.extent, 600, 300);
    loom_viewport_zoom (&view, fixture.extent, 100, pow (4, -zoom));
    loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
    const LoomPlot *plots = loom_draw_list_get_plots (fixture.list, &n_plots);
    const LoomPlotLine *lines = loom_draw_list_get_lines (fixture.list, &n_lines);
    const LoomPlotColumn *columns = loom_draw_list_get_columns (fixture.list, &n_columns);
    g_assert_cmpuint (n_plots, >=, 2);
    for (guint i = 0; i < n_lines; i++) {
      g_assert_cmpuint (lines[i].n, <=, 2 * 600 + 8);
      for (guint32 k = lines[i].first; k + 1 < lines[i].first + lines[i].n; k++) {
        g_assert_cmpfloat (columns[k].x, <=, columns[k + 1].x);
        if (!isnan (columns[k].last))
          g_assert_true (columns[k].low <= columns[k].last && columns[k].last <= columns[k].high);
      }
    }
    g_assert_cmpuint (plots[1].n, >=, 1);
    /* the last line is the mean of the cores, whose series is G_MAXUINT */
    g_assert_cmpuint (lines[plots[1].first + plots[1].n - 1].series, ==, G_MAXUINT);
  }
  draw_list_fixture_clear (&fixture);
}

/* Spans in which a stream of a device waits are marked, so that they are not painted like work. Spans in which the host
 * waits are not marked. */
static void
test_stream_waits (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "a.json");
  guint32 device = loom_trace_builder_process (builder, 0, "0", 1),
          host = loom_trace_builder_process (builder, 0, "1", 1),
          threads[] = { loom_trace_builder_thread (builder, device, "7", 1),
                        loom_trace_builder_thread (builder, host, "1", 1) };
  loom_trace_builder_process_add_flags (builder, device, LOOM_TRACK_DEVICE);
  guint32 wait = loom_trace_builder_name (builder, "Stream Wait Event", 17, "cuda_sync", 9, "", 0),
          work = loom_trace_builder_name (builder, "gemm", 4, "kernel", 6, "", 0);
  for (guint i = 0; i < 2; i++) {
    loom_trace_builder_span (builder, threads[i], 0, 1000, wait, loom_source_ref_make (0, 0, 2 * i));
    loom_trace_builder_span (builder, threads[i], 2000, 1000, work, loom_source_ref_make (0, 0, 2 * i + 1));
  }
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL)));
  LoomViewport view = { fixture.extent.begin_ns, fixture.extent.end_ns, 300, 400, 0 };
  guint n, n_waits = 0;
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n);
  for (guint i = 0; i < n; i++)
    n_waits += (marks[i].flags & LOOM_DRAW_ITEM_WAITING) != 0 && marks[i].name_id == wait;
  g_assert_cmpuint (n_waits, ==, 1);
  draw_list_fixture_clear (&fixture);
}

/* A pixel column shows the work of a stream even if a wait between the kernels is its longest span: in each column, four
 * waits of 600 ns and eight kernels of 300 ns run. */
static void
test_work_between_waits (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "a.json");
  guint32 device = loom_trace_builder_process (builder, 0, "0", 1),
          thread = loom_trace_builder_thread (builder, device, "7", 1);
  loom_trace_builder_process_add_flags (builder, device, LOOM_TRACK_DEVICE);
  guint32 wait = loom_trace_builder_name (builder, "Stream Wait Event", 17, "cuda_sync", 9, "", 0),
          work = loom_trace_builder_name (builder, "gemm", 4, "kernel", 6, "", 0);
  for (guint i = 0; i < 1200; i++) {
    gint64 begin_ns = i * 2500;
    loom_trace_builder_span (builder, thread, begin_ns, 600, wait, loom_source_ref_make (0, 0, 3 * i));
    loom_trace_builder_span (builder, thread, begin_ns + 1000, 300, work, loom_source_ref_make (0, 0, 3 * i + 1));
    loom_trace_builder_span (builder, thread, begin_ns + 1500, 300, work, loom_source_ref_make (0, 0, 3 * i + 2));
  }
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL)));
  LoomViewport view = { 0, 1200 * 2500, 300, 400, 0 };
  guint n, n_dense = 0;
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n);
  for (guint i = 0; i < n; i++)
    if ((marks[i].flags & LOOM_DRAW_ITEM_DENSE) != 0) {
      n_dense++;
      g_assert_cmpuint (marks[i].name_id, ==, work);
      g_assert_cmpuint (marks[i].flags & LOOM_DRAW_ITEM_WAITING, ==, 0);
    }
  g_assert_cmpuint (n_dense, >, 250);
  draw_list_fixture_clear (&fixture);
}

static void
add_annotated_thread (LoomTraceBuilder *builder, gint rank)
{
  guint32 host = loom_trace_builder_process (builder, 0, rank == 0 ? "0" : "1", 1),
          thread = loom_trace_builder_thread (builder, host, "1", 1);
  guint32 annotation = loom_trace_builder_name (builder, "epoch", 5, "user_annotation", 15, "", 0),
          work = loom_trace_builder_name (builder, "aten::add", 9, "cpu_op", 6, "", 0);
  loom_trace_builder_process_set_place (builder, host, NULL, rank);
  for (guint i = 0; i < 100; i++) {
    LoomRef refs[] = { loom_source_ref_make (0, 0, (guint) rank * 1000 + 2 * i),
                       loom_source_ref_make (0, 0, (guint) rank * 1000 + 2 * i + 1) };
    loom_trace_builder_span (builder, thread, i * 100000, 99000, annotation, refs[0]);
    loom_trace_builder_span (builder, thread, i * 100000 + 99400, 50, work, refs[1]);
  }
}

/* The lane of a folded rank without devices shows an annotation that fills a column, although a much shorter operator
 * runs in the column, too. */
static void
test_annotations_on_threads (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  add_source (builder, "a.json");
  add_annotated_thread (builder, 0);
  add_annotated_thread (builder, 1);
  DrawListFixture fixture;
  draw_list_fixture_take (&fixture, fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL)));
  loom_row_list_fold_all (fixture.outline, TRUE);
  LoomViewport view = { 0, 100 * 100000, 200, 400, 0 }; /* a column of a lane, 2 px, is 100 µs */
  guint n, n_strips, n_annotations = 0;
  loom_draw_list_build (fixture.list, fixture.outline, &view, NULL);
  const LoomDrawItem *marks = loom_draw_list_get_marks (fixture.list, &n);
  const LoomDepthRow *strips = loom_draw_list_get_strips (fixture.list, &n_strips);
  g_assert_cmpuint (n_strips, ==, 2);
  g_assert_true (strips[0].group);
  for (guint i = strips[0].first; i < strips[0].first + strips[0].n; i++)
    n_annotations +=
      strcmp (
        loom_trace_get_name (loom_run_get_trace (loom_timeline_get_run (fixture.timeline), 0), marks[i].name_id)->text,
        "epoch") == 0 &&
      marks[i].fill > 240;
  g_assert_cmpuint (n_annotations, >=, 99);
  draw_list_fixture_clear (&fixture);
}

static const char *const names_of_streams[2][2] = { { "gemm", "gemm" },
                                                    { "Stream Wait Event", "ncclDevKernel_SendRecv" } };

static void
add_streams (LoomTraceBuilder *builder, guint source, guint32 gpu, gint rank)
{
  loom_trace_builder_process_set_place (builder, gpu, NULL, rank);
  loom_trace_builder_process_add_flags (builder, gpu, LOOM_TRACK_DEVICE);
  for (guint i = 0; i < 2; i++) {
    guint32 thread = loom_trace_builder_thread (builder, gpu, i == 0 ? "7" : "8", 1);
    for (guint k = 0; k < 64; k++) {
      const char *name = names_of_streams[i][k % 2],
                 *category = g_str_has_suffix (name, "Event") ? "cuda_sync" : "kernel";
      guint32 id = loom_trace_builder_name (builder, name, strlen (name), category, strlen (category), "", 0);
      loom_trace_builder_span (builder, thread, 10000 * k, 5000, id,
                               loom_source_ref_make (source, 0, (guint) rank * 1000 + i * 100 + k));
    }
  }
}

/* The lane of a folded rank is estimated from some of the spans of its streams. If waits and messages alternate on a
 * stream, the estimate must not be made from the waits only. */
static void
test_stream_of_messages (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  DrawListFixture fixture;
  add_source (builder, "a.json");
  add_streams (builder, 0, loom_trace_builder_process (builder, 0, "0", 1), 0);
  add_streams (builder, 0, loom_trace_builder_process (builder, 0, "1", 1), 1);
  draw_list_fixture_take (&fixture, fake_timeline_of (loom_trace_builder_freeze (builder, 1, NULL)));
  g_assert_cmpstr (loom_row_list_get_row (fixture.outline, 0)->label, ==, "rank 0");
  g_assert_cmpuint (loom_row_list_get_row (fixture.outline, 0)->n_tracks, ==, 2);
  draw_list_fixture_clear (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/draw-list/bounds", test_bounds);
  g_test_add_func ("/draw/draw-list/wide-spans-are-there", test_wide_spans_are_there);
  g_test_add_func ("/draw/draw-list/every-span-leaves-a-trace", test_every_span_leaves_a_trace);
  g_test_add_func ("/draw/draw-list/hits-equal-brute-force", test_hits_equal_brute_force);
  g_test_add_func ("/draw/draw-list/hits-in-shared-rows", test_hits_in_shared_rows);
  g_test_add_func ("/draw/draw-list/hit-kinds", test_hit_kinds);
  g_test_add_func ("/draw/draw-list/open-span-in-lane", test_open_span_in_lane);
  g_test_add_func ("/draw/draw-list/search-hits", test_search_hits);
  g_test_add_func ("/draw/draw-list/only-what-is-in-view", test_only_what_is_in_view);
  g_test_add_func ("/draw/draw-list/taking-over", test_taking_over);
  g_test_add_func ("/draw/draw-list/plots", test_plots);
  g_test_add_func ("/draw/draw-list/stream-waits", test_stream_waits);
  g_test_add_func ("/draw/draw-list/work-between-waits", test_work_between_waits);
  g_test_add_func ("/draw/draw-list/stream-of-messages", test_stream_of_messages);
  g_test_add_func ("/draw/draw-list/annotations-on-threads", test_annotations_on_threads);
  return g_test_run ();
}
