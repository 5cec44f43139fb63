/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests highlighting between pages and the timeline: the pointer over the timeline finds the element of a page that
 * belongs to this place, and the pointer over an element finds the place.
 */
#include "page-fixture.h"

#define N_MANY 100000 /* number of elements of a large block */

static LoomTimelineState *
view_of (LoomRunState *run)
{
  return loom_run_state_get_view (run);
}

static guint
find (LoomRunState *run, const LoomPageContent *content, guint block)
{
  const LoomNavigationTarget *place =
    loom_hovered_place_get_target (loom_timeline_state_get_hovered_place (view_of (run)), NULL);
  g_assert_nonnull (place);
  return loom_hovered_place_find_element (place, loom_timeline_state_get_timeline (view_of (run)), content, block);
}

static guint
find_titled (LoomRunState *run, LoomAnalysisPage *page, const char *title)
{
  return find (run, loom_analysis_page_get_content (page), page_fixture_find (page, title));
}

/* Puts the pointer at a time, a row and a span of the timeline. `row` G_MAXUINT: over no row. */
static void
point_at (LoomRunState *run, gint64 time_ns, guint row, LoomSpanId span)
{
  loom_timeline_state_set_pointer (view_of (run), time_ns, row, span);
}

/* Returns the number of the first row of a rank; G_MAXUINT: the rank has no row. */
static guint
row_of_rank (LoomRunState *run, gint rank)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (view_of (run));
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++)
    if (loom_row_list_get_row (rows, i)->rank == rank)
      return i;
  return G_MAXUINT;
}

/* While the pointer is over a step on the timeline, the element of this step is found, by its span or by its time. */
static void
test_step (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  LoomNavigationTarget step;
  g_assert_true (loom_page_content_get_place (loom_analysis_page_get_content (page),
                                              page_fixture_find (page, "Duration of each step"), 6, &step));
  point_at (run, step.range.begin_ns, G_MAXUINT, step.spans[0]);
  g_assert_cmpuint (find_titled (run, page, "Duration of each step"), ==, 6);
  point_at (run, step.range.begin_ns + 1, G_MAXUINT, LOOM_SPAN_ID_NONE);
  LoomNavigationTarget found;
  guint element = find_titled (run, page, "Duration of each step");
  g_assert_true (loom_page_content_get_place (loom_analysis_page_get_content (page),
                                              page_fixture_find (page, "Duration of each step"), element, &found));
  g_assert_cmpint (found.range.begin_ns, <=, step.range.begin_ns + 1);
  g_assert_cmpint (found.range.end_ns, >, step.range.begin_ns + 1);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Among elements that each describe a rank, the one whose rank has the row under the pointer is found. If a rank has
 * several elements, each for a part of the time, the one that contains the time of the pointer is found. An element
 * whose range is the whole range of the page is not found by its time alone. */
static void
test_rank (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomRange all = loom_timeline_state_get_extent (view_of (run));
  gint64 middle_ns = all.begin_ns + (all.end_ns - all.begin_ns) / 2;
  g_autoptr (LoomPageContent) content = loom_page_content_new (all);
  loom_page_content_add_facts (content, "ranks");
  loom_page_content_set_places (content, 2, all);
  loom_page_content_set_rank (content, 0, 99, G_MAXUINT32);
  loom_page_content_set_rank (content, 1, 0, G_MAXUINT32);
  loom_page_content_add_facts (content, "cells");
  for (guint i = 0; i < 4; i++) {
    LoomRange half = i % 2 == 0 ? (LoomRange) { all.begin_ns, middle_ns } : (LoomRange) { middle_ns, all.end_ns };
    loom_page_content_set_place (content, i, half, NULL, 0);
    loom_page_content_set_rank (content, i, i < 2 ? 99 : 0, G_MAXUINT32);
  }
  guint row = row_of_rank (run, 0);
  g_assert_cmpuint (row, !=, G_MAXUINT);
  point_at (run, middle_ns + 1, row, LOOM_SPAN_ID_NONE);
  g_assert_cmpuint (find (run, content, 0), ==, 1);
  g_assert_cmpuint (find (run, content, 1), ==, 3);
  point_at (run, middle_ns - 1, row, LOOM_SPAN_ID_NONE);
  g_assert_cmpuint (find (run, content, 1), ==, 2);
  point_at (run, middle_ns, G_MAXUINT, LOOM_SPAN_ID_NONE);
  g_assert_cmpuint (find (run, content, 0), ==, G_MAXUINT);
  run_fixture_close (run);
}

/* Elements that represent a name match all spans with this name. If the ranges of several elements contain the time,
 * the shortest range is chosen. */
static void
test_name_and_time (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  LoomRunState *run = run_fixture_open (path);
  LoomSpanId first = run_fixture_find_span (run, "tick", 0), second = run_fixture_find_span (run, "tick", 1);
  LoomRange all = loom_timeline_state_get_extent (view_of (run)), range = run_fixture_range_of (run, second);
  g_autoptr (LoomPageContent) content = loom_page_content_new (all);
  loom_page_content_add_facts (content, "names");
  loom_page_content_set_place (content, 0, all, NULL, 0);
  loom_page_content_set_place (content, 1, run_fixture_range_of (run, first), &first, 1);
  loom_page_content_set_same_name (content, 1);
  loom_page_content_add_facts (content, "times");
  loom_page_content_set_place (content, 0, (LoomRange) { range.begin_ns - 1, range.end_ns + 1 }, NULL, 0);
  loom_page_content_set_place (content, 1, range, NULL, 0);
  const LoomRange parts[] = { { range.begin_ns - 2, range.begin_ns - 1 }, { range.end_ns, range.end_ns + 1 } };
  loom_page_content_set_parts (content, 2, parts, 2);
  point_at (run, range.begin_ns, G_MAXUINT, second);
  g_assert_cmpuint (find (run, content, 0), ==, 1);
  g_assert_cmpuint (find (run, content, 1), ==, 1);
  point_at (run, range.begin_ns - 2, G_MAXUINT, LOOM_SPAN_ID_NONE);
  g_assert_cmpuint (find (run, content, 0), ==, G_MAXUINT);
  g_assert_cmpuint (find (run, content, 1), ==, 2);
  run_fixture_close (run);
}

static void
count (LoomHoveredPlace *place, GParamSpec *pspec, guint *n)
{
  (*n)++;
}

/* The hovered place is set by one object, and only read by others. The object that set it does not get it, and other
 * objects cannot clear it. It is cleared when the pointer leaves, and when the run gets another timeline. */
static void
test_origin (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomTimelineState *state = view_of (run);
  LoomHoveredPlace *place = loom_timeline_state_get_hovered_place (state);
  LoomNavigationTarget target = { .range = { 1, 2 } };
  guint n = 0;
  g_signal_connect (place, "notify::target", G_CALLBACK (count), &n);
  loom_hovered_place_set (place, &target, run);
  g_assert_cmpuint (n, ==, 1);
  g_assert_null (loom_hovered_place_get_target (place, run));
  g_assert_nonnull (loom_hovered_place_get_target (place, state));
  loom_hovered_place_clear (place, state);
  g_assert_nonnull (loom_hovered_place_get_target (place, NULL));
  loom_hovered_place_clear (place, run);
  g_assert_null (loom_hovered_place_get_target (place, NULL));
  point_at (run, 5, G_MAXUINT, LOOM_SPAN_ID_NONE);
  g_assert_nonnull (loom_hovered_place_get_target (place, NULL));
  point_at (run, LOOM_TIME_NONE, G_MAXUINT, LOOM_SPAN_ID_NONE);
  g_assert_null (loom_hovered_place_get_target (place, NULL));
  loom_hovered_place_set (place, &target, run);
  loom_timeline_state_set_timeline (state, NULL);
  g_assert_null (loom_hovered_place_get_target (place, NULL));
  g_signal_handlers_disconnect_by_data (place, &n);
  run_fixture_close (run);
}

/* The search in a block with very many elements takes a small part of the 8 ms that an iteration of the main loop may
 * take. The time limit of the test is longer, because the machine may be busy. */
static void
test_many (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomRange all = loom_timeline_state_get_extent (view_of (run));
  LoomPageContent *content = loom_page_content_new (all);
  loom_page_content_add_facts (content, "many");
  for (guint i = 0; i < N_MANY; i++) {
    gint64 begin_ns = all.begin_ns + (all.end_ns - all.begin_ns) / N_MANY * i;
    const LoomSpanId span = { 0, 0 };
    loom_page_content_set_place (content, i, (LoomRange) { begin_ns, begin_ns + 1 }, &span, 1);
  }
  point_at (run, all.begin_ns, G_MAXUINT, (LoomSpanId) { 0, 1 });
  gint64 begin_us = g_get_monotonic_time ();
  guint found = find (run, content, 0);
  gint64 us = g_get_monotonic_time () - begin_us;
  g_test_message ("%u elements in %" G_GINT64_FORMAT " µs", N_MANY, us);
  g_assert_cmpuint (found, ==, 0);
  g_assert_cmpint (us, <, 100000);
  loom_page_content_unref (content);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/page-hover/step", test_step);
  g_test_add_func ("/core/page-hover/rank", test_rank);
  g_test_add_func ("/core/page-hover/name-and-time", test_name_and_time);
  g_test_add_func ("/core/page-hover/origin", test_origin);
  g_test_add_func ("/core/page-hover/many", test_many);
  return run_fixture_run ();
}
