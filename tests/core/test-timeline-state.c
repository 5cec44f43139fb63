/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the state of the timeline without a window: the view and the selection stay when sources arrive; selecting
 * spans, marks, steps between spans, and the count and duration of selected spans.
 */
#include "loom-load.h"
#include "loom-range-statistics.h"
#include "loom-select-same-name.h"
#include "loom-span-navigation.h"
#include "loom-timeline-description.h"
#include "loom-timeline-state.h"
#include "loom-timing.h"
#include "loom-trace-builder.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define X(name, tid, ts, dur) \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur "}"

/* Spans of the trace, with times in µs: outer [0,100) contains a [10,20) and b [30,60); b contains c [40,50); next
 * [200,250) comes after outer. */
static const char one[] = "[" X ("outer", "1", "0", "100") "," X ("a", "1", "10", "10") "," X (
  "b", "1", "30", "30") "," X ("c", "1", "40", "10") "," X ("next", "1", "200", "50") "]";
static const char two[] = "[" X ("other", "7", "500", "500") "]";

static LoomTrace *
load (const char *text)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.json", NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  const char *paths[] = { path, NULL };
  g_autoptr (LoomRun) run = loom_load_paths (paths, NULL, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  LoomTrace *trace = loom_trace_ref (loom_run_get_trace (run, 0));
  g_unlink (path);
  g_rmdir (folder);
  return trace;
}

static LoomTimeline *
timeline_of (LoomTrace *first, LoomTrace *second)
{
  LoomTrace *traces[] = { first, second };
  g_autoptr (LoomRun) run = loom_run_new (traces, second != NULL ? 2 : 1);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

static LoomTimelineState *
new_state (const char *text)
{
  LoomTimelineState *state = loom_timeline_state_new ();
  g_autoptr (LoomTrace) trace = load (text);
  g_autoptr (LoomTimeline) timeline = timeline_of (trace, NULL);
  loom_timeline_state_set_size (state, 1000, 400);
  loom_timeline_state_set_timeline (state, timeline);
  return state;
}

static LoomSpanId
find (LoomTimelineState *state, const char *name)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (loom_timeline_state_get_timeline (state)), 0);
  for (guint32 i = 0; i < loom_trace_get_spans (trace)->n; i++)
    if (g_str_equal (loom_timeline_description_name (state, (LoomSpanId) { 0, i }), name))
      return (LoomSpanId) { 0, i };
  g_error ("no span is called %s", name);
}

static void
assert_walk (LoomTimelineState *state, const char *from, LoomSpanDirection direction, const char *to)
{
  LoomSpanId span = loom_span_navigation (state, find (state, from), direction);
  g_assert_cmpstr (loom_timeline_span_id_is_none (span) ? NULL : loom_timeline_description_name (state, span), ==, to);
}

static void
test_walk (void)
{
  g_autoptr (LoomTimelineState) state = new_state (one);
  assert_walk (state, "a", LOOM_SPAN_DIRECTION_NEXT, "b");
  assert_walk (state, "b", LOOM_SPAN_DIRECTION_PREVIOUS, "a");
  assert_walk (state, "outer", LOOM_SPAN_DIRECTION_NEXT, "next");
  assert_walk (state, "next", LOOM_SPAN_DIRECTION_NEXT, NULL);
  assert_walk (state, "outer", LOOM_SPAN_DIRECTION_PREVIOUS, NULL);
  assert_walk (state, "c", LOOM_SPAN_DIRECTION_PARENT, "b");
  assert_walk (state, "outer", LOOM_SPAN_DIRECTION_PARENT, NULL);
  assert_walk (state, "outer", LOOM_SPAN_DIRECTION_CHILD, "a");
  assert_walk (state, "b", LOOM_SPAN_DIRECTION_CHILD, "c");
  assert_walk (state, "next", LOOM_SPAN_DIRECTION_CHILD, NULL);
  g_assert_cmpstr (loom_timeline_description_name (state, loom_span_navigation_start (state)), ==, "outer");
}

/* Adds a device of a rank (−1: none) that works during [begin_us, begin_us + work_us). */
static void
add_device (LoomTraceBuilder *builder, guint source, gint number, gint rank, gint64 begin_us, gint64 work_us)
{
  g_autofree char *key = g_strdup_printf ("GPU %d", number);
  guint32 device = loom_trace_builder_process (builder, source, key, strlen (key)),
          thread = loom_trace_builder_thread (builder, device, "7", 1),
          name = loom_trace_builder_name (builder, "gemm", 4, "kernel", 6, "", 0);
  loom_trace_builder_process_set_place (builder, device, NULL, rank);
  loom_trace_builder_process_add_flags (builder, device, LOOM_TRACK_DEVICE);
  loom_trace_builder_span (builder, thread, begin_us * 1000, work_us * 1000, name,
                           loom_source_ref_make (source, 0, (guint64) number));
}

/* Returns the timeline of a host thread that runs during [0, 1000) µs, and of `n` ranks or, if `has_ranks` is FALSE,
 * devices without a rank, which work in the range [500, 600 + last_us) µs. Without ranks, each device works for 40 µs
 * instead of 100 µs if `last_us` is 0. */
static LoomTimeline *
new_lanes (gint n, gint64 last_us, gboolean has_ranks)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("ranks.json"), 0);
  guint32 thread = loom_trace_builder_thread (builder, loom_trace_builder_process (builder, source, "1", 1), "1", 1),
          name = loom_trace_builder_name (builder, "job", 3, "", 0, "", 0);
  loom_trace_builder_span (builder, thread, 0, 1000000, name, loom_source_ref_make (source, 0, 100));
  for (gint i = 0; i < n; i++)
    add_device (builder, source, i, has_ranks ? i : -1, i > 0 ? 500 + last_us : 500,
                has_ranks || last_us > 0 ? 100 : 40);
  g_autoptr (LoomTrace) trace = loom_trace_builder_freeze (builder, 0, NULL);
  return timeline_of (trace, NULL);
}

static LoomTimeline *
new_ranks (gint n_ranks, gint64 last_us)
{
  return new_lanes (n_ranks, last_us, TRUE);
}

/* Returns the timeline of a thread that runs during [400, 500) µs, and of instants at 0 and 1000 µs. */
static LoomTimeline *
new_markers (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("timeline.json"), 0);
  guint32 process = loom_trace_builder_process (builder, source, "1", 1),
          thread = loom_trace_builder_thread (builder, process, "1", 1),
          name = loom_trace_builder_name (builder, "allreduce", 9, "", 0, "", 0);
  loom_trace_builder_span (builder, thread, 400000, 100000, name, loom_source_ref_make (source, 0, 1));
  loom_trace_builder_instant (builder, source, process, thread, 0, name, 'i', 'g', loom_source_ref_make (source, 0, 2));
  loom_trace_builder_instant (builder, source, process, thread, 1000000, name, 'i', 'g',
                              loom_source_ref_make (source, 0, 3));
  g_autoptr (LoomTrace) trace = loom_trace_builder_freeze (builder, 0, NULL);
  return timeline_of (trace, NULL);
}

/* Returns the length of the view in µs, without its margins. */
static gint64
get_length (LoomTimelineState *state)
{
  return (gint64) round ((double) loom_viewport_get_range_ns (loom_timeline_state_get_viewport (state)) /
                         (1 + 2 * LOOM_VIEWPORT_FIT_MARGIN) / 1000);
}

/* When a run is opened, the view shows the part in which devices work, if this is less than half of the run. This view
 * is adapted when the window gets its size; after the user has moved the view, it is not. */
static void
test_first_view (void)
{
  g_autoptr (LoomTimelineState) state = loom_timeline_state_new ();
  g_autoptr (LoomTimeline) short_work = new_ranks (2, 100), long_work = new_ranks (2, 400), one_rank = new_ranks (1, 0);
  loom_timeline_state_set_timeline (state, short_work);
  loom_timeline_state_set_size (state, 1000, 400);
  g_assert_cmpint (get_length (state), ==, 200);
  g_assert_true (loom_timeline_state_is_fitted (state));
  loom_timeline_state_set_timeline (state, long_work);
  g_assert_cmpint (get_length (state), ==, 1000);
  loom_timeline_state_set_timeline (state, short_work);
  g_assert_cmpint (get_length (state), ==, 200);
  loom_timeline_state_set_timeline (state, one_rank);
  g_assert_cmpint (get_length (state), ==, 1000);
  LoomViewport all = loom_timeline_state_fitted (state), part = all;
  part.end_ns = 300000;
  loom_timeline_state_set_viewport (state, &part);
  g_assert_false (loom_timeline_state_is_fitted (state));
  loom_timeline_state_set_viewport (state, &all);
  loom_timeline_state_set_timeline (state, short_work);
  g_assert_true (loom_timeline_state_is_fitted (state));
  g_assert_cmpint (get_length (state), ==, 1000);
}

/* Several devices without ranks also determine the part of the run that the first view shows, unless they hardly work.
 * In a run that begins and ends with instants, the first view shows the part that contains the spans. */
static void
test_first_view_without_ranks (void)
{
  g_autoptr (LoomTimelineState) state = loom_timeline_state_new ();
  g_autoptr (LoomTimeline) short_work = new_lanes (2, 100, FALSE), one_device = new_lanes (1, 0, FALSE),
                           hardly = new_lanes (2, 0, FALSE), markers = new_markers ();
  loom_timeline_state_set_size (state, 1000, 400);
  loom_timeline_state_set_timeline (state, short_work);
  g_assert_cmpint (get_length (state), ==, 200);
  loom_timeline_state_set_timeline (state, one_device);
  g_assert_cmpint (get_length (state), ==, 1000);
  loom_timeline_state_set_timeline (state, hardly);
  g_assert_cmpint (get_length (state), ==, 1000);
  loom_timeline_state_set_timeline (state, markers);
  g_assert_cmpint (get_length (state), ==, 100);
}

/* The timing card and the table of names show the same counts. */
static void
test_count (void)
{
  g_autoptr (LoomTimelineState) state = new_state (one);
  LoomRange extent = loom_timeline_state_get_extent (state);
  for (gint64 begin_us = 0; begin_us < 260; begin_us += 7)
    for (gint64 width_us = 1; width_us < 120; width_us += 13) {
      LoomRange range = { extent.begin_ns + begin_us * 1000, extent.begin_ns + (begin_us + width_us) * 1000 };
      g_autoptr (LoomRangeStatistics) stats =
        loom_range_statistics_new (loom_timeline_state_get_timeline (state), range, NULL, 0, NULL);
      g_assert_cmpuint (loom_timing_of_range (state, range).count, ==, stats->count);
    }
}

static void
test_selection (void)
{
  g_autoptr (LoomTimelineState) state = new_state (one);
  LoomRange range, all = loom_timeline_state_get_extent (state);
  guint n;
  g_assert_false (loom_timeline_state_get_selected_range (state, &range));
  loom_timeline_state_select_span (state, find (state, "a"), FALSE);
  loom_timeline_state_select_span (state, find (state, "c"), TRUE);
  loom_timeline_state_get_selected (state, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (loom_timeline_state_get_selected_range (state, &range));
  g_assert_cmpint (range.begin_ns - all.begin_ns, ==, 10000);
  g_assert_cmpint (range.end_ns - all.begin_ns, ==, 50000);
  loom_timeline_state_select_span (state, find (state, "c"), TRUE); /* selecting a selected span again deselects it */
  loom_timeline_state_get_selected (state, &n);
  g_assert_cmpuint (n, ==, 1);
  loom_timeline_state_select_range (state, (LoomRange) { all.begin_ns, all.begin_ns + 5 });
  g_assert_true (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (state)));
  loom_timeline_state_select_nothing (state);
  g_assert_false (loom_timeline_state_get_selected_range (state, &range));
}

/* A source that is inserted before another source changes the ids of the spans of the latter, but the same spans stay
 * selected. */
static void
test_growing (void)
{
  g_autoptr (LoomTrace) first = load (one);
  g_autoptr (LoomTrace) second = load (two);
  g_autoptr (LoomTimelineState) state = loom_timeline_state_new ();
  g_autoptr (LoomTimeline) alone = timeline_of (first, NULL);
  g_autoptr (LoomTimeline) both = timeline_of (second, first);
  loom_timeline_state_set_size (state, 1000, 400);
  loom_timeline_state_set_timeline (state, alone);
  LoomSpanId b = find (state, "b");
  loom_timeline_state_select_span (state, b, FALSE);
  g_assert_true (loom_timeline_state_is_fitted (state));
  loom_timeline_state_set_timeline (state, both);
  g_assert_cmpuint (loom_timeline_state_get_lead (state).trace, ==, 1);
  g_assert_cmpuint (loom_timeline_state_get_lead (state).span, ==, b.span);
  g_assert_cmpstr (loom_timeline_description_name (state, loom_timeline_state_get_lead (state)), ==, "b");
  g_assert_true (loom_timeline_state_is_fitted (state));
  LoomRange extent = loom_timeline_state_get_extent (state);
  g_assert_cmpint (loom_timeline_state_get_viewport (state)->begin_ns, <=, extent.begin_ns);
  g_assert_cmpint (loom_timeline_state_get_viewport (state)->end_ns, >=, extent.end_ns);
  loom_timeline_state_set_timeline (state, NULL);
  g_assert_true (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (state)));
}

/* After the user has moved the view, it does not change when sources arrive. */
static void
test_growing_keeps_view (void)
{
  g_autoptr (LoomTrace) first = load (one);
  g_autoptr (LoomTrace) second = load (two);
  g_autoptr (LoomTimelineState) state = loom_timeline_state_new ();
  g_autoptr (LoomTimeline) alone = timeline_of (first, NULL);
  g_autoptr (LoomTimeline) both = timeline_of (first, second);
  loom_timeline_state_set_size (state, 1000, 400);
  loom_timeline_state_set_timeline (state, alone);
  LoomViewport view = *loom_timeline_state_get_viewport (state);
  loom_viewport_zoom (&view, loom_timeline_state_get_extent (state), 300, 0.25);
  loom_timeline_state_set_viewport (state, &view);
  g_assert_false (loom_timeline_state_is_fitted (state));
  loom_timeline_state_set_timeline (state, both);
  g_assert_cmpint (loom_timeline_state_get_viewport (state)->begin_ns, ==, view.begin_ns);
  g_assert_cmpint (loom_timeline_state_get_viewport (state)->end_ns, ==, view.end_ns);
}

static void
test_marks (void)
{
  g_autoptr (LoomTimelineState) state = new_state (one);
  guint n;
  loom_timeline_state_toggle_mark (state, 30, FALSE);
  loom_timeline_state_toggle_mark (state, 10, TRUE);
  loom_timeline_state_toggle_mark (state, 20, TRUE);
  const LoomMarker *marks = loom_timeline_state_get_marks (state, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (marks[0].time_ns, ==, 20);
  g_assert_cmpint (marks[1].time_ns, ==, 30);
  loom_timeline_state_toggle_mark (state, 20, TRUE);
  g_assert_false (loom_timeline_state_remove_marks (state, (LoomRange) { 0, 29 }));
  g_assert_true (loom_timeline_state_remove_marks (state, (LoomRange) { 30, 30 }));
  loom_timeline_state_toggle_mark (state, 15, TRUE);
  loom_timeline_state_toggle_mark (state, 15, FALSE); /* makes the temporary mark permanent */
  const LoomMarker *kept = loom_timeline_state_find_mark (state, 15, 0);
  g_assert_true (kept != NULL && !kept->temporary);
  loom_timeline_state_toggle_mark (state, 15, FALSE);
  g_assert_null (loom_timeline_state_find_mark (state, 15, 0));
}

static void
test_words (void)
{
  g_autoptr (LoomTimelineState) state = new_state (one);
  g_autofree char *percent = loom_timeline_description_value (87.5, "%");
  g_autofree char *bytes = loom_timeline_description_value (1500000, "B/s");
  g_autofree char *whole = loom_timeline_description_value (3, "");
  g_assert_cmpstr (percent, ==, "87.5 %");
  g_assert_nonnull (strstr (bytes, "/s"));
  g_assert_cmpstr (whole, ==, "3");
  g_autofree char *below = loom_timeline_description_value (-0.475623, "V"),
                  *tiny = loom_timeline_description_value (-2.5e-7, "");
  g_assert_cmpstr (below, ==, "−0.475623 V");
  g_assert_cmpstr (tiny, ==, "−2.5e−07");
  LoomRange extent = loom_timeline_state_get_extent (state);
  g_autofree char *range =
    loom_timeline_description_for_range (state, (LoomRange) { extent.begin_ns, extent.begin_ns + 50000 });
  g_assert_nonnull (strstr (range, "4 spans"));
}

/* Four spans "tick" on one thread and one on another. */
static const char ticks[] = "[" X ("tick", "1", "0", "50") "," X ("tick", "1", "100", "50") "," X (
  "tick", "1", "200", "50") "," X ("tick", "1", "300", "50") "," X ("tick", "2", "20", "40") "]";

static guint
n_selected (LoomTimelineState *state)
{
  guint n;
  loom_timeline_state_get_selected (state, &n);
  return n;
}

/* Selects all spans with the same name as the clicked span, on its track or on all tracks. The clicked span is the lead
 * span, whose details are shown. */
static void
test_same_name (void)
{
  g_autoptr (LoomTimelineState) state = new_state (ticks);
  const LoomSpanId second = { 0, 1 };
  loom_select_same_name_select (state, second, FALSE);
  g_assert_cmpuint (n_selected (state), ==, 4);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), second));
  loom_select_same_name_select (state, second, TRUE);
  g_assert_cmpuint (n_selected (state), ==, 5);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), second));
}

/* The card of a row contains the whole note of the row, as text and not as markup. */
static void
test_note (void)
{
  g_autoptr (LoomTimelineState) state = new_state (ticks);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  LoomDrawHit hit = { .kind = LOOM_DRAW_HIT_GROUP, .span = LOOM_SPAN_ID_NONE };
  loom_timeline_state_set_note (state, 0, (LoomRowNote) { "The file <a> was changed.", TRUE });
  while (hit.row < loom_row_list_get_n_rows (rows) && loom_row_list_get_row (rows, hit.row)->note.text == NULL)
    hit.row++;
  g_assert_cmpuint (hit.row, <, loom_row_list_get_n_rows (rows));
  g_autofree char *card = loom_timeline_description_for_hit (state, &hit);
  g_assert_nonnull (strstr (card, "\nThe file &lt;a&gt; was changed."));
}

/* A kernel from 0 to 60 µs, and later kernels on two streams. */
static const char kernels[] =
  "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0}],\"distributedInfo\":{\"rank\":3},\"traceEvents\":["
  "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"mm\",\"pid\":77,\"tid\":77,\"ts\":0,\"dur\":60},"
  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":0,\"dur\":60,"
  "\"args\":{\"device\":0,\"stream\":7}},"
  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"relu\",\"pid\":0,\"tid\":8,\"ts\":300,\"dur\":60,"
  "\"args\":{\"device\":0,\"stream\":8}},"
  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"relu\",\"pid\":0,\"tid\":7,\"ts\":200,\"dur\":60,"
  "\"args\":{\"device\":0,\"stream\":7}}]}";

/* Folds all groups, and returns a hit on the first 100 µs of the first lane. */
static LoomDrawHit
hit_lane (LoomTimelineState *state)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  LoomDrawHit hit = { .kind = LOOM_DRAW_HIT_GROUP, .fill = 0.6 };
  loom_row_list_fold_all (rows, TRUE);
  while (hit.row < loom_row_list_get_n_rows (rows) && !loom_row_list_get_row (rows, hit.row)->has_lane)
    hit.row++;
  g_assert_cmpuint (hit.row, <, loom_row_list_get_n_rows (rows));
  hit.begin_ns = loom_timeline_state_get_extent (state).begin_ns;
  hit.end_ns = hit.begin_ns + 100000;
  return hit;
}

/* The card of the lane of a device says how the device spends the time of the column under the pointer. */
static void
test_lane (void)
{
  g_autoptr (LoomTimelineState) state = new_state (kernels);
  LoomDrawHit hit = hit_lane (state);
  g_autofree char *card = loom_timeline_description_for_hit (state, &hit);
  g_assert_nonnull (strstr (card, "\n60 % computing · 40 % idle\n"));
  g_assert_nonnull (strstr (card, ">100 µs starting at "));
  g_assert_nonnull (strstr (card, ">mostly gemm<"));
  hit.fill = 0.2; /* the bar under the pointer is not the largest one */
  g_autofree char *small = loom_timeline_description_for_hit (state, &hit);
  g_assert_nonnull (strstr (small, ">gemm<"));
}

/* Four kinds of work of a device within 100 µs. */
static const char mixture[] =
  "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0}],\"distributedInfo\":{\"rank\":3},\"traceEvents\":["
  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":0,\"dur\":30,"
  "\"args\":{\"device\":0,\"stream\":7}},"
  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\",\"pid\":0,\"tid\":7,\"ts\":30,"
  "\"dur\":20,\"args\":{\"device\":0,\"stream\":7}},"
  "{\"ph\":\"X\",\"cat\":\"gpu_memcpy\",\"name\":\"Memcpy HtoD\",\"pid\":0,\"tid\":7,\"ts\":50,\"dur\":20,"
  "\"args\":{\"device\":0,\"stream\":7}},"
  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"relu\",\"pid\":0,\"tid\":8,\"ts\":300,\"dur\":60,"
  "\"args\":{\"device\":0,\"stream\":8}}]}";

/* Shares that do not fit in a line of the card continue in the next line, because the card ellipsizes lines. */
static void
test_lane_lines (void)
{
  g_autoptr (LoomTimelineState) state = new_state (mixture);
  LoomDrawHit hit = hit_lane (state);
  g_autofree char *card = loom_timeline_description_for_hit (state, &hit);
  g_assert_nonnull (strstr (card, "\n30 % computing · 20 % communicating · 20 % copying\n30 % idle\n"));
}

/* Tests the duration, count and frequency that the timing card shows for selected spans and for all spans in a
 * range. */
static void
test_timing (void)
{
  g_autoptr (LoomTimelineState) state = new_state (ticks);
  guint n;
  loom_select_same_name_select (state, (LoomSpanId) { 0, 0 }, FALSE);
  const LoomSpanId *spans = loom_timeline_state_get_selected (state, &n);
  LoomTiming selected = loom_timing_of_spans (loom_timeline_state_get_timeline (state), spans, n);
  g_autofree char *words = loom_timeline_description_for_timing (&selected);
  g_assert_cmpstr (words, ==, "350 µs · 4 spans · 10,000 spans/s, one every 100 µs");
  gint64 begin_ns = loom_timeline_state_get_extent (state).begin_ns;
  LoomTiming range = loom_timing_of_range (state, (LoomRange) { begin_ns, begin_ns + 300000 });
  g_autofree char *between = loom_timeline_description_for_timing (&range);
  g_assert_true (g_str_has_prefix (between, "300 µs · 4 spans · "));
}

/* If more spans have the name than can be selected, as many as possible are selected, the clicked span becomes the lead
 * span, and their total number is known. */
static void
test_many (void)
{
  const guint n = LOOM_SELECTED_MOST + 7;
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  guint source = loom_trace_builder_add_source (builder, loom_source_new ("many.json"), 0);
  guint32 thread = loom_trace_builder_thread (builder, loom_trace_builder_process (builder, source, "1", 1), "1", 1);
  guint32 name = loom_trace_builder_name (builder, "tick", 4, "", 0, "", 0);
  for (guint i = 0; i < n; i++)
    loom_trace_builder_span (builder, thread, (gint64) i * 10, 5, name, loom_source_ref_make (source, 0, i));
  g_autoptr (LoomTrace) trace = loom_trace_builder_freeze (builder, 0, NULL);
  g_autoptr (LoomTimeline) timeline = timeline_of (trace, NULL);
  g_autoptr (LoomTimelineState) state = loom_timeline_state_new ();
  loom_timeline_state_set_timeline (state, timeline);
  const LoomSpanId one_of_them = { 0, 12345 };
  loom_select_same_name_select (state, one_of_them, TRUE);
  g_assert_cmpuint (n_selected (state), ==, LOOM_SELECTED_MOST);
  g_assert_cmpuint (loom_timeline_state_get_n_wanted (state), ==, n);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), one_of_them));
  loom_timeline_state_select_span (state, one_of_them, FALSE);
  g_assert_cmpuint (loom_timeline_state_get_n_wanted (state), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline-state/first-view", test_first_view);
  g_test_add_func ("/core/timeline-state/first-view-without-ranks", test_first_view_without_ranks);
  g_test_add_func ("/core/timeline-state/walk", test_walk);
  g_test_add_func ("/core/timeline-state/count", test_count);
  g_test_add_func ("/core/timeline-state/selection", test_selection);
  g_test_add_func ("/core/timeline-state/growing", test_growing);
  g_test_add_func ("/core/timeline-state/growing-keeps-view", test_growing_keeps_view);
  g_test_add_func ("/core/timeline-state/marks", test_marks);
  g_test_add_func ("/core/timeline-state/same-name", test_same_name);
  g_test_add_func ("/core/timeline-state/timing", test_timing);
  g_test_add_func ("/core/timeline-state/note", test_note);
  g_test_add_func ("/core/timeline-state/lane-card", test_lane);
  g_test_add_func ("/core/timeline-state/lane-card-lines", test_lane_lines);
  g_test_add_func ("/core/timeline-state/many", test_many);
  g_test_add_func ("/core/timeline-state/words", test_words);
  return g_test_run ();
}
