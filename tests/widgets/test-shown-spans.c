/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the selection of spans by dragging a box over the tracks: which spans the box contains, and whether the earlier
 * selection is kept.
 */
#include "loom-rubber-band.h"
#include "loom-trace-builder.h"

#define FIRST_Y (LOOM_ROW_PADDING_PX + 2.0) /* y in the first depth row of a track row */
#define MORE_THAN_CAN (LOOM_SELECTED_MOST + 7)

typedef struct {
  LoomTraceBuilder *builder;
  guint source;
  guint32 name;
} Maker;

static guint32
add_thread (Maker *maker, const char *process, const char *thread)
{
  guint32 number =
    loom_trace_builder_process (maker->builder, maker->source, process, (gint64) g_ascii_strtoll (process, NULL, 10));
  return loom_trace_builder_thread (maker->builder, number, thread, (gint64) g_ascii_strtoll (thread, NULL, 10));
}

static void
add (Maker *maker, guint32 thread, gint64 start_ns, gint64 dur_ns)
{
  loom_trace_builder_span (maker->builder, thread, start_ns, dur_ns, maker->name,
                           loom_source_ref_make (maker->source, 0, (guint64) start_ns));
}

static Maker
maker_new (void)
{
  Maker maker = { .builder = loom_trace_builder_new () };
  loom_trace_builder_add_clock (maker.builder);
  maker.source = loom_trace_builder_add_source (maker.builder, loom_source_new ("hand.json"), 0);
  maker.name = loom_trace_builder_name (maker.builder, "tick", 4, "", 0, "", 0);
  return maker;
}

static LoomTimelineState *
state_of (Maker *maker)
{
  g_autoptr (LoomTrace) trace = loom_trace_builder_freeze (maker->builder, 0, NULL);
  g_autoptr (LoomRun) run = loom_run_new (&trace, 1);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  LoomTimelineState *state = loom_timeline_state_new ();
  loom_timeline_state_set_size (state, 1000, 400);
  loom_timeline_state_set_timeline (state, timeline);
  return state;
}

/* Returns a timeline with two processes; times are in ns. In process 1, thread 1 has an outer span [0,400) that
 * contains [100,150) and [200,250); thread 2 has [0,100), [100,200) and [300,400). Process 2 has one thread with the
 * span [0,1000). */
static LoomTimelineState *
new_state (void)
{
  Maker maker = maker_new ();
  guint32 first = add_thread (&maker, "1", "1"), second = add_thread (&maker, "1", "2"),
          third = add_thread (&maker, "2", "1");
  add (&maker, first, 0, 400);
  add (&maker, first, 100, 50);
  add (&maker, first, 200, 50);
  add (&maker, second, 0, 100);
  add (&maker, second, 100, 100);
  add (&maker, second, 300, 100);
  add (&maker, third, 0, 1000);
  return state_of (&maker);
}

static const LoomTimelineRow *
nth_row (LoomTimelineState *state, LoomRowKind kind, guint nth)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    if (loom_row_list_get_row (outline, i)->kind == kind && nth-- == 0)
      return loom_row_list_get_row (outline, i);
  g_error ("no such row");
}

/* Returns a box that begins in a depth row (a line of spans of the same depth) of one track row, and ends in a depth
 * row of another track row. */
static LoomVisibleBox
box_of (const LoomTimelineRow *row, guint strip, const LoomTimelineRow *last, guint last_strip, gint64 begin_ns,
        gint64 end_ns)
{
  LoomVisibleBox box = { .range = { begin_ns, end_ns } };
  box.y0 = row->y + FIRST_Y + strip * LOOM_STRIP_PX;
  box.y1 = last->y + FIRST_Y + last_strip * LOOM_STRIP_PX + 1;
  return box;
}

static guint
n_selected (LoomTimelineState *state)
{
  guint n;
  loom_timeline_state_get_selected (state, &n);
  return n;
}

static gint64
lead_begin (LoomTimelineState *state)
{
  gint64 begin_ns, end_ns;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), loom_timeline_state_get_lead (state), &begin_ns,
                          &end_ns);
  return begin_ns;
}

static gint64
length_of (LoomTimelineState *state, LoomSpanId span)
{
  gint64 begin_ns, end_ns;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), span, &begin_ns, &end_ns);
  return end_ns - begin_ns;
}

/* A box contains the spans that overlap its time range and are in the depth rows that it covers. */
static void
test_strips (void)
{
  g_autoptr (LoomTimelineState) state = new_state ();
  const LoomTimelineRow *first = nth_row (state, LOOM_ROW_SPANS, 0), *second = nth_row (state, LOOM_ROW_SPANS, 1);
  LoomVisibleBox inner = box_of (first, 1, first, 1, 120, 200), outer = box_of (first, 0, first, 0, 120, 200);
  LoomVisibleBox both = box_of (first, 1, second, 0, 149, 301), between = box_of (first, 1, first, 1, 150, 200);
  g_assert_cmpuint (loom_visible_spans_count (state, &inner), ==, 1); /* [200,250) begins where the box ends */
  g_assert_cmpuint (loom_visible_spans_count (state, &outer), ==, 1);
  g_assert_cmpuint (loom_visible_spans_count (state, &both), ==, 4);
  g_assert_cmpuint (loom_visible_spans_count (state, &between), ==, 0);
  loom_visible_spans_select (state, &inner, TRUE);
  g_assert_cmpuint (n_selected (state), ==, 1);
  g_assert_cmpint (lead_begin (state), ==, 100);
}

static void
test_adds (void)
{
  g_autoptr (LoomTimelineState) state = new_state ();
  const LoomTimelineRow *first = nth_row (state, LOOM_ROW_SPANS, 0), *second = nth_row (state, LOOM_ROW_SPANS, 1);
  LoomVisibleBox inner = box_of (first, 1, first, 1, 0, 400), lower = box_of (second, 0, second, 0, 0, 150);
  LoomVisibleBox both = box_of (first, 1, second, 0, 0, 400), none = box_of (first, 1, first, 1, 0, 50);
  loom_timeline_state_select_range (state, (LoomRange) { 0, 10 });
  loom_visible_spans_select (state, &none, TRUE); /* adds an empty box, so the selection stays */
  g_assert_cmpint (loom_timeline_state_get_range (state).end_ns, ==, 10);
  loom_visible_spans_select (state, &inner, TRUE);
  g_assert_cmpuint (n_selected (state), ==, 2);
  loom_visible_spans_select (state, &lower, TRUE);
  g_assert_cmpuint (n_selected (state), ==, 4);
  loom_visible_spans_select (state, &both, TRUE); /* a span that is already selected is not selected twice */
  g_assert_cmpuint (n_selected (state), ==, 5);
  g_assert_cmpuint (loom_timeline_state_get_n_wanted (state), ==, 5);
  g_assert_cmpint (lead_begin (state), ==, 300);
  loom_visible_spans_select (state, &lower, FALSE); /* replaces the selection */
  g_assert_cmpuint (n_selected (state), ==, 2);
}

/* A box contains only spans that are drawn. A folded row draws the spans of its single depth row, a folded group those
 * of the lane that stands for all its rows, and a hidden row none. */
static void
test_rows (void)
{
  g_autoptr (LoomTimelineState) state = new_state ();
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  LoomVisibleBox all = loom_visible_spans_box_all (state);
  g_assert_cmpuint (loom_visible_spans_count (state, &all), ==, 7);
  g_assert_false (loom_row_list_leaves_out (outline));
  g_autofree char *group = g_strdup (nth_row (state, LOOM_ROW_GROUP, 0)->key);
  g_autofree char *thread = g_strdup (nth_row (state, LOOM_ROW_SPANS, 0)->key);
  loom_row_list_set_folded (outline, thread, TRUE);
  all = loom_visible_spans_box_all (state);
  g_assert_cmpuint (loom_visible_spans_count (state, &all), ==, 5);
  loom_row_list_set_folded (outline, group, TRUE);
  all = loom_visible_spans_box_all (state);
  g_assert_cmpuint (loom_visible_spans_count (state, &all), ==, 5);
  loom_row_list_set_folded (outline, group, FALSE);
  loom_row_list_set_hidden (outline, thread, TRUE);
  all = loom_visible_spans_box_all (state);
  g_assert_cmpuint (loom_visible_spans_count (state, &all), ==, 4);
  g_assert_true (loom_row_list_leaves_out (outline));
}

/* The box contains the spans of a pinned row if it covers the place of the pinned row. A span counts once, even if a
 * folded group shows it, too. */
static void
test_pinned (void)
{
  g_autoptr (LoomTimelineState) state = new_state ();
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  g_autofree char *group = g_strdup (nth_row (state, LOOM_ROW_GROUP, 0)->key);
  g_autofree char *thread = g_strdup (nth_row (state, LOOM_ROW_SPANS, 1)->key);
  loom_row_list_set_pinned (outline, thread, TRUE);
  LoomVisibleBox pinned = { .range = { 0, 1000 }, .pinned_y0 = FIRST_Y, .pinned_y1 = FIRST_Y + 1 };
  g_assert_cmpuint (loom_visible_spans_count (state, &pinned), ==, 3);
  loom_row_list_set_folded (outline, group, TRUE);
  LoomVisibleBox all = loom_visible_spans_box_all (state);
  g_assert_cmpuint (loom_visible_spans_count (state, &all), ==, 5);
}

/* The corner at which a box was begun stays at its time and row while the view scrolls. */
static void
test_anchor (void)
{
  g_autoptr (LoomTimelineState) state = new_state ();
  loom_timeline_state_set_size (state, 1000, 60);
  LoomViewport view = *loom_timeline_state_get_viewport (state);
  LoomRubberBand box;
  loom_rubber_band_begin (&box, state, 100, 20);
  loom_rubber_band_move (&box, state, 300, 50);
  LoomVisibleBox before = loom_rubber_band_get_shown (&box, state);
  g_assert_cmpfloat (before.y0, ==, 20);
  g_assert_cmpfloat (before.y1, ==, 50);
  view.scroll_px = 10;
  loom_timeline_state_set_viewport (state, &view);
  g_assert_cmpfloat (loom_timeline_state_get_viewport (state)->scroll_px, ==, 10);
  LoomVisibleBox shown = loom_rubber_band_get_shown (&box, state);
  g_assert_cmpint (shown.range.begin_ns, ==, before.range.begin_ns);
  g_assert_cmpfloat (shown.y0, ==, 20);
  g_assert_cmpfloat (shown.y1, ==, 60);
  g_assert_cmpfloat (loom_rubber_band_get_rectangle (&box, state).y, ==, 10);
  loom_rubber_band_move (&box, state, -50, 5000); /* the box is limited to the area of the tracks */
  g_assert_cmpfloat (loom_rubber_band_get_shown (&box, state).y1, ==, 70);
  g_assert_cmpfloat (loom_rubber_band_get_rectangle (&box, state).x, ==, 0);
}

/* A box without width, a vertical line, also selects the spans that it crosses. */
static void
test_upright (void)
{
  g_autoptr (LoomTimelineState) state = new_state ();
  const LoomTimelineRow *first = nth_row (state, LOOM_ROW_SPANS, 0), *second = nth_row (state, LOOM_ROW_SPANS, 1);
  double x = loom_viewport_x (loom_timeline_state_get_viewport (state), 125);
  LoomRubberBand box;
  loom_rubber_band_begin (&box, state, x, first->y + FIRST_Y);
  loom_rubber_band_move (&box, state, x, second->y + FIRST_Y);
  LoomVisibleBox shown = loom_rubber_band_get_shown (&box, state);
  g_assert_cmpint (shown.range.begin_ns, <, shown.range.end_ns);
  loom_visible_spans_select (state, &shown, TRUE);
  g_assert_cmpuint (n_selected (state), ==, 3); /* the outer span, the span inside it, and one span of the other
                                                 * thread */
  g_assert_cmpint (lead_begin (state), ==, 100);
}

/* A box is dragged upwards, from below the last row to the first row. It contains the spans in the lane of a folded
 * group, but no spans of a hidden row. */
static void
test_upwards (void)
{
  g_autoptr (LoomTimelineState) state = new_state ();
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  g_autofree char *group = g_strdup (nth_row (state, LOOM_ROW_GROUP, 0)->key);
  g_autofree char *other = g_strdup (nth_row (state, LOOM_ROW_SPANS, 2)->key);
  loom_row_list_set_folded (outline, group, TRUE);
  loom_row_list_set_hidden (outline, other, TRUE);
  loom_timeline_state_rows_changed (state);
  LoomRubberBand box;
  loom_rubber_band_begin (&box, state, 980, 380);
  loom_rubber_band_move (&box, state, 0, 1);
  LoomVisibleBox shown = loom_rubber_band_get_shown (&box, state);
  loom_visible_spans_select (state, &shown, TRUE);
  guint n;
  const LoomSpanId *spans = loom_timeline_state_get_selected (state, &n);
  g_assert_cmpuint (n, ==, 4); /* the outer span of the first thread and all spans of the second */
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (length_of (state, spans[i]), >=, 100);
}

static LoomTimelineState *
new_crowd (void)
{
  Maker maker = maker_new ();
  guint32 thread = add_thread (&maker, "1", "1");
  for (guint i = 0; i < MORE_THAN_CAN; i++)
    add (&maker, thread, (gint64) i * 10, 5);
  return state_of (&maker);
}

static void
wait_for_selection (LoomTimelineState *state)
{
  while (n_selected (state) == 0)
    g_main_context_iteration (NULL, TRUE);
}

/* If a box contains more spans than can be selected, a worker selects as many as possible, and the total number of
 * spans is known. */
static void
test_many (void)
{
  g_autoptr (LoomTimelineState) state = new_crowd ();
  LoomVisibleBox all = loom_visible_spans_box_all (state);
  loom_visible_spans_select (state, &all, TRUE);
  g_assert_cmpuint (n_selected (state), ==, 0);
  wait_for_selection (state);
  g_assert_cmpuint (n_selected (state), ==, LOOM_SELECTED_MOST);
  g_assert_cmpuint (loom_timeline_state_get_n_wanted (state), ==, MORE_THAN_CAN);
}

/* If the user selects something while the worker is running, the result of the worker is discarded. */
static void
test_overtaken (void)
{
  g_autoptr (LoomTimelineState) state = new_crowd ();
  LoomVisibleBox all = loom_visible_spans_box_all (state);
  loom_visible_spans_select (state, &all, TRUE);
  loom_timeline_state_select_span (state, (LoomSpanId) { 0, 5 }, FALSE);
  while (g_signal_has_handler_pending (state, g_signal_lookup ("selection-changed", G_OBJECT_TYPE (state)), 0,
                                       TRUE)) /* finds the signal handler of the worker's search */
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n_selected (state), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/widgets/shown-spans/strips", test_strips);
  g_test_add_func ("/widgets/shown-spans/adds", test_adds);
  g_test_add_func ("/widgets/shown-spans/rows", test_rows);
  g_test_add_func ("/widgets/shown-spans/pinned", test_pinned);
  g_test_add_func ("/widgets/shown-spans/anchor", test_anchor);
  g_test_add_func ("/widgets/shown-spans/upright", test_upright);
  g_test_add_func ("/widgets/shown-spans/upwards", test_upwards);
  g_test_add_func ("/widgets/shown-spans/many", test_many);
  g_test_add_func ("/widgets/shown-spans/overtaken", test_overtaken);
  return g_test_run ();
}
