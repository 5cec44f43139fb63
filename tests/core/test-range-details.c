/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests details: events of an unfolded rank that are read from its trace and shown in its rows in place of its index (a
 * small summary file). A detail has exactly the events of the trace in the visible range; it is freed when it is no
 * longer visible; and if the trace cannot be read, the rows show the summary and a note.
 */
#include "run-fixture.h"

#include "loom-event-list.h"
#include "loom-index-map.h"
#include "loom-locale-number.h"
#include "loom-range-text.h"
#include "loom-run-details.h"
#include "loom-search-summary.h"
#include "loom-select-same-name.h"
#include "loom-span-navigation.h"
#include "loom-span-properties.h"
#include "loom-timing.h"
#include "loom-visible-spans.h"
#include "loom-worker.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#define N_STEPS 400
#define STEP_US 1000

/* Writes a trace of steps. Each step contains an operator, a nested operator with the name of the step, an instant and
 * a kernel. Returns the path. */
static char *
write_trace (const char *folder, int rank)
{
  g_autofree char *name = g_strdup_printf ("rank-%d.pt.trace.json", rank);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text,
                          "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%d,\"world_size\":2},"
                          "\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[",
                          rank);
  for (int i = 0; i < N_STEPS; i++) {
    int at = i * STEP_US;
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::linear\",\"pid\":9,\"tid\":9,\"ts\":%d.125,\"dur\":700},"
      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op %d\",\"pid\":9,\"tid\":9,\"ts\":%d.250,\"dur\":300},"
      "{\"ph\":\"i\",\"cat\":\"mark\",\"name\":\"tick\",\"pid\":9,\"tid\":9,\"ts\":%d,\"s\":\"t\"},"
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":500}",
      i > 0 ? "," : "", at, i, at + 100, at + 5, at + 200);
  }
  g_string_append (text, "]}");
  char *path = fixture_file (folder, name, text->str);
  g_string_free (text, TRUE);
  return path;
}

static void
make_indexes (const char *raw, const char *folder)
{
  const LoomIndexMapTarget target = { .folder = folder };
  LoomLoadOptions options = { 0 };
  LoomIndexMapResult result = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_true (loom_index_map_run ((const char *const[]) { raw, NULL }, &target, &options, NULL, &result, &error));
  g_assert_no_error (error);
  loom_index_map_result_clear (&result);
}

/* --- the run ---------------------------------------------------------------------------------------------------------- */

typedef struct {
  char *raw, *indexes, *paths[2];
  LoomRunState *run;
  LoomTimelineState *view;
  LoomRangeDetails *details;
} Fixture;

static void
set_up (Fixture *fixture)
{
  fixture->raw = fixture_folder ();
  fixture->indexes = fixture_folder ();
  for (int i = 0; i < 2; i++)
    fixture->paths[i] = write_trace (fixture->raw, i);
  make_indexes (fixture->raw, fixture->indexes);
}

static void
open_run (Fixture *fixture)
{
  fixture->run = run_fixture_open (fixture->indexes);
  run_fixture_wait_loaded (fixture->run);
  fixture->view = loom_run_state_get_view (fixture->run);
  fixture->details = loom_run_state_get_details (fixture->run);
  loom_timeline_state_set_size (fixture->view, 1000, 800);
}

static void
tear_down (Fixture *fixture)
{
  run_fixture_close (fixture->run);
  g_free (fixture->raw);
  g_free (fixture->indexes);
  g_free (fixture->paths[0]);
  g_free (fixture->paths[1]);
}

static void
wait (Fixture *fixture)
{
  gint64 end_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  do
    g_main_context_iteration (NULL, TRUE);
  while (!loom_range_details_is_idle (fixture->details) && g_get_monotonic_time () < end_us);
  g_assert_true (loom_range_details_is_idle (fixture->details));
}

static LoomRange
show (Fixture *fixture, gint64 begin_us, gint64 end_us)
{
  LoomViewport view = *loom_timeline_state_get_viewport (fixture->view);
  gint64 start_ns = loom_timeline_get_start (loom_timeline_state_get_timeline (fixture->view));
  view.begin_ns = start_ns + begin_us * 1000;
  view.end_ns = start_ns + end_us * 1000;
  loom_timeline_state_set_viewport (fixture->view, &view);
  return (LoomRange) { view.begin_ns, view.end_ns };
}

static const LoomTimelineRow *
find_row (Fixture *fixture, const char *label)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (fixture->view);
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++)
    if (strcmp (loom_row_list_get_row (rows, i)->label, label) == 0)
      return loom_row_list_get_row (rows, i);
  return NULL;
}

static void
fold (Fixture *fixture, const char *label, gboolean folded)
{
  g_autofree char *key = g_strdup (find_row (fixture, label)->key);
  loom_row_list_set_folded (loom_timeline_state_get_row_list (fixture->view), key, folded);
  loom_timeline_state_rows_changed (fixture->view);
}

/* Returns the number of the trace in the run that was read from the index of a rank. */
static guint
find_trace (Fixture *fixture, gint rank)
{
  LoomRun *run = loom_document_get_run (loom_run_state_get_document (fixture->run));
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (loom_trace_get_source (loom_run_get_trace (run, i), 0)->rank == rank)
      return i;
  g_assert_not_reached ();
}

/* --- comparing -------------------------------------------------------------------------------------------------------- */

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Returns the events of a trace in a range of the timeline, each as a line of text, sorted. */
static GPtrArray *
list_events (LoomTimeline *timeline, guint number, LoomRange range)
{
  GPtrArray *events = g_ptr_array_new_with_free_func (g_free);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++) {
    gint64 begin_ns, end_ns;
    guint32 track, row;
    loom_timeline_get_span (timeline, (LoomSpanId) { number, i }, &begin_ns, &end_ns);
    loom_trace_locate_span (trace, i, &track, &row);
    const LoomTrack *in = loom_trace_get_track (trace, track);
    if (begin_ns <= range.end_ns && end_ns >= range.begin_ns)
      g_ptr_array_add (events,
                       g_strdup_printf ("%s %s %s %s depth %u: %s from %" PRId64 " to %" PRId64,
                                        loom_trace_track_kind_to_string (in->kind), in->process_key, in->thread_key,
                                        in->name, loom_trace_get_row (trace, row)->depth,
                                        loom_trace_get_name (trace, spans->name_id[i])->text, begin_ns, end_ns));
  }
  g_ptr_array_sort (events, compare_texts);
  return events;
}

/* Asserts that the detail of a rank (its events that were read from the trace file) has the same events in the range as
 * the run opened from the trace file itself. */
static void
assert_equal (Fixture *fixture, gint rank, LoomRange range)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (fixture->view);
  guint detail = loom_range_details_find (fixture->details, find_trace (fixture, rank), range);
  g_assert_cmpuint (detail, !=, G_MAXUINT);
  LoomRunState *direct = run_fixture_open (fixture->paths[rank]);
  run_fixture_wait_loaded (direct);
  LoomTimeline *own = loom_timeline_state_get_timeline (loom_run_state_get_view (direct));
  gint64 later_ns = loom_timeline_get_start (own) - loom_timeline_get_start (timeline);
  g_assert_cmpint (later_ns, ==, 0);
  g_autoptr (GPtrArray) read = list_events (timeline, detail, range), events = list_events (own, 0, range);
  g_assert_cmpuint (events->len, >, 3);
  g_assert_cmpuint (read->len, ==, events->len);
  for (guint i = 0; i < read->len; i++)
    g_assert_cmpstr (read->pdata[i], ==, events->pdata[i]);
  run_fixture_close (direct);
}

/* Returns the names of the drawn marks that belong to details, with a comma after each. */
static char *
list_drawn (Fixture *fixture)
{
  LoomDrawList *list = loom_draw_list_new ();
  LoomRun *run = loom_timeline_get_run (loom_timeline_state_get_timeline (fixture->view));
  GString *names = g_string_new (NULL);
  guint n;
  loom_draw_list_build (list, loom_timeline_state_get_row_list (fixture->view),
                        loom_timeline_state_get_viewport (fixture->view), NULL);
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n);
  for (guint i = 0; i < n; i++)
    if (marks[i].span.trace >= loom_run_get_n_traces (run))
      g_string_append_printf (
        names, "%s,", loom_trace_get_name (loom_run_get_trace (run, marks[i].span.trace), marks[i].name_id)->text);
  loom_draw_list_free (list);
  return g_string_free (names, FALSE);
}

/* --- the tests --------------------------------------------------------------------------------------------------------- */

static void
test_in_place (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  LoomRange range = show (&fixture, 100000, 102000);
  wait (&fixture);
  g_assert_cmpuint (loom_range_details_find (fixture.details, find_trace (&fixture, 1), range), ==, G_MAXUINT);

  fold (&fixture, "rank 1", FALSE);
  wait (&fixture);
  g_assert_cmpuint (loom_range_details_find (fixture.details, find_trace (&fixture, 0), range), ==, G_MAXUINT);
  assert_equal (&fixture, 1, range);
  g_autofree char *drawn = list_drawn (&fixture);
  g_assert_nonnull (strstr (drawn, "op 100,"));
  g_assert_nonnull (strstr (drawn, "op 101,"));
  g_assert_null (strstr (drawn, "op 103,"));
  g_assert_nonnull (strstr (drawn, "tick,"));

  fold (&fixture, "rank 1", TRUE);
  wait (&fixture);
  g_assert_cmpuint (loom_range_details_find (fixture.details, find_trace (&fixture, 1), range), ==, G_MAXUINT);
  g_assert_cmpuint (loom_range_details_get_bytes (fixture.details), ==, 0);
  g_autofree char *after = list_drawn (&fixture);
  g_assert_cmpstr (after, ==, "");
  tear_down (&fixture);
}

/* A detail, which contains events that were read from a trace, is not freed while any of its spans is selected. */
static void
test_selected (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  LoomRange range = show (&fixture, 100000, 102000);
  fold (&fixture, "rank 0", FALSE);
  wait (&fixture);
  guint detail = loom_range_details_find (fixture.details, find_trace (&fixture, 0), range);
  g_assert_cmpuint (detail, !=, G_MAXUINT);
  loom_timeline_state_select_span (fixture.view, (LoomSpanId) { detail, 3 }, FALSE);
  fold (&fixture, "rank 0", TRUE);
  wait (&fixture);
  LoomRun *run = loom_timeline_get_run (loom_timeline_state_get_timeline (fixture.view));
  g_assert_true (loom_run_details_has_trace (run, detail));
  g_assert_cmpuint (loom_range_details_get_bytes (fixture.details), >, 0);
  g_assert_cmpint (loom_run_details_free_removed (run), ==, 0);
  loom_timeline_state_select_nothing (fixture.view);
  wait (&fixture);
  g_assert_cmpuint (loom_range_details_get_bytes (fixture.details), ==, 0);
  tear_down (&fixture);
}

/* Shows a range of rank 0 with its events. Returns the trace number of the detail. */
static guint
show_detail (Fixture *fixture)
{
  LoomRange range = show (fixture, 100000, 102000);
  fold (fixture, "rank 0", FALSE);
  wait (fixture);
  guint detail = loom_range_details_find (fixture->details, find_trace (fixture, 0), range);
  g_assert_cmpuint (detail, !=, G_MAXUINT);
  return detail;
}

static void
wait_until_shown (Fixture *fixture, LoomRange range)
{
  gint64 end_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  guint trace = find_trace (fixture, 0);
  while (loom_range_details_find (fixture->details, trace, range) == G_MAXUINT && g_get_monotonic_time () < end_us)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (loom_range_details_find (fixture->details, trace, range), !=, G_MAXUINT);
}

/* Returns a span of the detail with this name. */
static LoomSpanId
find_in_detail (Fixture *fixture, guint detail, const char *name)
{
  const LoomTrace *trace =
    loom_run_get_trace (loom_timeline_get_run (loom_timeline_state_get_timeline (fixture->view)), detail);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++)
    if (strcmp (loom_trace_get_name (trace, spans->name_id[i])->text, name) == 0)
      return (LoomSpanId) { detail, i };
  g_assert_not_reached ();
}

/* The list of the run's events contains only events of the index. In no sort order does it contain the events that were
 * read from the trace as a detail. */
static void
test_event_list (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  LoomSpanId span = find_in_detail (&fixture, show_detail (&fixture), "op 100");
  for (LoomEventOrder order = 0; order < LOOM_N_EVENT_ORDERS; order++) {
    const LoomEventQuery query = { .order = order };
    g_autoptr (LoomEventList) list =
      loom_event_list_new (loom_timeline_state_get_timeline (fixture.view), &query, NULL);
    g_assert_cmpuint (list->n, >, 0);
    g_assert_cmpuint (loom_event_list_find (list, list->ids[list->n - 1]), ==, list->n - 1);
    g_assert_cmpuint (loom_event_list_find (list, span), ==, G_MAXUINT);
  }
  tear_down (&fixture);
}

/* Returns TRUE if the rows show the span: a span of the detail that overlaps `shown`, a span of the index of rank 0
 * outside of `shown`, or a span of any other trace. */
static gboolean
is_shown (Fixture *fixture, LoomSpanId span, guint detail, LoomRange shown)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (fixture->view);
  gint64 begin_ns, end_ns;
  loom_timeline_get_span (timeline, span, &begin_ns, &end_ns);
  end_ns = MAX (end_ns, begin_ns + 1);
  if (span.trace == detail)
    return begin_ns < shown.end_ns && end_ns > shown.begin_ns;
  return span.trace != find_trace (fixture, 0) || begin_ns < shown.begin_ns || end_ns > shown.end_ns;
}

/* Returns the number of shown spans of a trace that overlap the box. */
static guint
count_shown (Fixture *fixture, guint number, guint detail, LoomRange shown, LoomRange box)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (fixture->view);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  guint n = 0;
  for (guint32 i = 0; i < loom_trace_get_spans (trace)->n; i++) {
    gint64 begin_ns, end_ns;
    loom_timeline_get_span (timeline, (LoomSpanId) { number, i }, &begin_ns, &end_ns);
    n += begin_ns < box.end_ns && MAX (end_ns, begin_ns + 1) > box.begin_ns &&
         is_shown (fixture, (LoomSpanId) { number, i }, detail, shown);
  }
  return n;
}

static void
assert_box (Fixture *fixture, guint detail, LoomRange shown, LoomRange range)
{
  LoomVisibleBox box = loom_visible_spans_box_all (fixture->view);
  guint whole = find_trace (fixture, 0), n, n_detail = 0, n_whole = 0;
  box.range = range;
  loom_visible_spans_select (fixture->view, &box, FALSE);
  const LoomSpanId *selected = loom_timeline_state_get_selected (fixture->view, &n);
  g_assert_cmpuint (n, ==, loom_visible_spans_count (fixture->view, &box));
  for (guint i = 0; i < n; i++) {
    g_assert_true (is_shown (fixture, selected[i], detail, shown));
    n_detail += selected[i].trace == detail;
    n_whole += selected[i].trace == whole;
  }
  g_assert_cmpuint (n_detail, ==, count_shown (fixture, detail, detail, shown, range));
  g_assert_cmpuint (n_whole, ==, count_shown (fixture, whole, detail, shown, range));
}

/* Shrinks the range in which rank 0 shows its detail, so that its rows show the index elsewhere. Returns the smaller
 * range. */
static LoomRange
narrow (Fixture *fixture, guint detail)
{
  gint64 start_ns = loom_timeline_get_start (loom_timeline_state_get_timeline (fixture->view));
  LoomRange part = { start_ns + 100000000, start_ns + 103000000 };
  loom_timeline_state_remove_detail (fixture->view, detail);
  loom_timeline_state_add_detail (fixture->view, detail, part);
  return part;
}

/* Returns the kernel "gemm" of the first step in the range that narrow() returns. */
static LoomSpanId
find_gemm (Fixture *fixture, guint detail)
{
  LoomSpanId span = find_in_detail (fixture, detail, "gemm");
  span.span += 100;
  return span;
}

/* "Select all with this name" on a span of a detail selects it and all other drawn spans with its name. */
static void
test_same_name (void)
{
  Fixture fixture = { 0 };
  guint n;
  set_up (&fixture);
  open_run (&fixture);
  LoomSpanId span = find_gemm (&fixture, show_detail (&fixture));
  loom_select_same_name_select (fixture.view, span, FALSE);
  const LoomSpanId *selected = loom_timeline_state_get_selected (fixture.view, &n);
  g_assert_cmpuint (n, >, 1);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (selected[i].trace, ==, span.trace);
  loom_select_same_name_select (fixture.view, span, TRUE);
  g_assert_true (loom_timeline_state_is_selected (fixture.view, span));
  LoomRange shown = narrow (&fixture, span.trace);
  for (gboolean all_tracks = FALSE; all_tracks <= TRUE; all_tracks++) {
    loom_select_same_name_select (fixture.view, span, all_tracks);
    selected = loom_timeline_state_get_selected (fixture.view, &n);
    g_assert_cmpuint (n, ==, all_tracks ? 2 * N_STEPS : N_STEPS);
    g_assert_cmpuint (loom_timeline_state_get_n_wanted (fixture.view), ==, n);
    for (guint i = 0; i < n; i++)
      g_assert_true (is_shown (&fixture, selected[i], span.trace, shown));
  }
  tear_down (&fixture);
}

/* A box over the tracks and "Select All" select the spans that are drawn, each once, and the figures of a range count
 * them. */
static void
test_box (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  guint detail = show_detail (&fixture);
  LoomRange shown = narrow (&fixture, detail), all = loom_timeline_state_get_extent (fixture.view);
  LoomRange inside = { shown.begin_ns + 400000, shown.end_ns - 900000 };
  LoomRange begin = { shown.begin_ns - 1900000, shown.begin_ns + 1500000 };
  LoomRange end = { shown.begin_ns + 2100000, shown.end_ns + 9100000 };
  g_assert_cmpuint (count_shown (&fixture, find_trace (&fixture, 0), detail, shown, begin), >, 0);
  assert_box (&fixture, detail, shown, inside);
  assert_box (&fixture, detail, shown, begin);
  assert_box (&fixture, detail, shown, end);
  assert_box (&fixture, detail, shown, all);
  tear_down (&fixture);
}

static gboolean
is_searching (Fixture *fixture)
{
  return !loom_worker_is_idle () || !loom_range_details_is_idle (fixture->details);
}

/* Asserts that the search found `n` spans, `n_in_detail` of which are in the detail, and no span twice. */
static void
assert_found (Fixture *fixture, guint n, guint detail, guint n_in_detail)
{
  gint64 end_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  do
    g_main_context_iteration (NULL, is_searching (fixture));
  while ((is_searching (fixture) || g_main_context_pending (NULL)) && g_get_monotonic_time () < end_us);
  LoomSearchResult *result = loom_search_state_get_result (loom_run_state_get_search (fixture->run));
  LoomTimeline *timeline = loom_timeline_state_get_timeline (fixture->view);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_found = 0;
  g_assert_nonnull (result);
  g_assert_cmpuint (result->n_found, ==, n);
  g_assert_cmpuint (result->hits->len, ==, n);
  for (guint i = 0; i < n; i++) {
    LoomSpanId hit = g_array_index (result->hits, LoomSpanId, i);
    gint64 begin_ns, end_ns;
    loom_timeline_get_span (timeline, hit, &begin_ns, &end_ns);
    guint whole = loom_run_details_get_whole (loom_timeline_get_run (timeline), hit.trace);
    g_assert_true (g_hash_table_add (places, g_strdup_printf ("%u %" PRId64, whole, begin_ns)));
    n_found += hit.trace == detail;
  }
  g_assert_cmpuint (n_found, ==, n_in_detail);
  LoomSearchSummary *summary = loom_search_summary_new (timeline, result, NULL);
  g_assert_cmpuint (summary->count, ==, n);
  loom_search_summary_free (summary);
}

/* Returns the trace number and the begin of the current hit of the search as text. */
static char *
describe_current (Fixture *fixture)
{
  LoomSearchState *search = loom_run_state_get_search (fixture->run);
  const LoomSearchResult *result = loom_search_state_get_result (search);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (fixture->view);
  guint at = loom_search_state_get_position (search);
  gint64 begin_ns, end_ns;
  g_assert_cmpuint (at, <, result->by_time->len);
  LoomSpanId hit = g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, at));
  loom_timeline_get_span (timeline, hit, &begin_ns, &end_ns);
  return g_strdup_printf ("%u at %" PRId64, loom_run_details_get_whole (loom_timeline_get_run (timeline), hit.trace),
                          begin_ns);
}

/* While events are shown that were read from the trace (a detail), a search finds each of them once, including events
 * that the index does not have. */
static void
test_search (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  LoomSearchState *search = loom_run_state_get_search (fixture.run);
  show (&fixture, 100000, 102000);
  loom_search_state_ask (search, "gemm", FALSE);
  assert_found (&fixture, 2 * N_STEPS, G_MAXUINT, 0);
  g_assert_true (loom_search_state_step (search, TRUE));
  g_autofree char *current = describe_current (&fixture);
  guint detail = show_detail (&fixture);
  assert_found (&fixture, 2 * N_STEPS, detail, N_STEPS); /* the range of the detail covers the whole trace, because the
                                                          * trace is short */
  g_autofree char *still = describe_current (&fixture);
  g_assert_cmpstr (still, ==, current);
  narrow (&fixture, detail);
  assert_found (&fixture, 2 * N_STEPS, detail, 3);
  loom_search_state_ask (search, "gemm dur>1us", FALSE);
  assert_found (&fixture, 2 * N_STEPS, detail, 3);
  loom_search_state_ask (search, "tick", FALSE); /* the index has no instants, but the detail has them */
  assert_found (&fixture, 3, detail, 3);
  fold (&fixture, "rank 0", TRUE);
  wait (&fixture);
  assert_found (&fixture, 0, G_MAXUINT, 0);
  tear_down (&fixture);
}

/* In the range for which events were read from the trace (a detail), the figures of a selection count these events and
 * not the spans of the index. */
static void
test_timing (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  LoomRange range = show (&fixture, 100300, 101900);
  guint64 n_summary = loom_timing_of_range (fixture.view, range).count;
  guint detail = show_detail (&fixture);
  narrow (&fixture, detail);
  LoomTiming timing = loom_timing_of_range (fixture.view, range);
  /* rank 0 has the spans of two steps, each with two operators and a kernel; rank 1 has the spans of its index, which
   * are half of all summary spans */
  g_assert_cmpuint (timing.count, ==, 6 + n_summary / 2);
  tear_down (&fixture);
}

/* Outside of the range for which events were read from the trace (a detail), the rows show spans of the index. The keys
 * for the next and the previous span move from the ones to the others and back. */
static void
test_walk (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  guint detail = show_detail (&fixture), whole = find_trace (&fixture, 0);
  narrow (&fixture, detail);
  g_assert_cmpuint (loom_span_navigation_start (fixture.view).trace, ==, detail);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (fixture.view);
  LoomSpanId span = find_gemm (&fixture, detail);
  static const int steps[] = { 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, 1 };
  static const int positions[] = { 1, 2, 3, 4, 3, 2, 1, 0, -1, -2, -1 };
  gint64 first_ns, start_ns, end_ns;
  loom_timeline_get_span (timeline, span, &first_ns, &end_ns);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    span =
      loom_span_navigation (fixture.view, span, steps[i] > 0 ? LOOM_SPAN_DIRECTION_NEXT : LOOM_SPAN_DIRECTION_PREVIOUS);
    g_assert_cmpuint (span.trace, ==, positions[i] >= 0 && positions[i] < 3 ? detail : whole);
    loom_timeline_get_span (timeline, span, &start_ns, &end_ns);
    g_assert_cmpint (start_ns - first_ns, ==, positions[i] * STEP_US * (gint64) 1000);
  }
  tear_down (&fixture);
}

/* The file offset of an event in a detail is its offset in the whole trace file, not in the part of the file that was
 * read for the detail. */
static void
test_offset (void)
{
  Fixture fixture = { 0 };
  g_autofree char *text = NULL;
  set_up (&fixture);
  g_assert_true (g_file_get_contents (fixture.paths[0], &text, NULL, NULL));
  open_run (&fixture);
  LoomSpanId span = find_in_detail (&fixture, show_detail (&fixture), "op 100");
  LoomTimeline *timeline = loom_timeline_state_get_timeline (fixture.view);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  guint64 offset = loom_source_ref_offset (loom_trace_get_spans (trace)->ref[span.span]);
  guint64 in_file = loom_range_text_get_offset_in_file (loom_trace_get_source (trace, 0)->text, offset);
  g_assert_cmpuint (in_file, <, strlen (text));
  g_assert_true (g_str_has_prefix (text + in_file, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op 100\""));
  g_autofree char *number = loom_locale_number_group (in_file), *place = g_strdup_printf (", byte %s<", number);
  g_autoptr (GPtrArray) facts = loom_span_properties (timeline, NULL, NULL, span);
  gboolean is_told = FALSE;
  for (guint i = 0; i < facts->len; i++)
    is_told |= strstr (((const LoomProperty *) facts->pdata[i])->value, place) != NULL;
  g_assert_true (is_told);
  tear_down (&fixture);
}

/* Naming a source creates all rows again; they still show the detail. */
static void
test_renamed (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  show_detail (&fixture);
  LoomDocument *document = loom_run_state_get_document (fixture.run);
  LoomSourceOverrides *edits = loom_source_overrides_copy (loom_document_get_source_edits (document));
  const LoomSource *source = loom_run_get_source (loom_document_get_run (document), 1);
  loom_source_overrides_change (edits, source->path)->name = g_strdup ("second");
  loom_document_edit_sources (document, edits, "name", FALSE);
  wait (&fixture);
  g_autofree char *drawn = list_drawn (&fixture);
  g_assert_nonnull (strstr (drawn, "op 100,"));
  tear_down (&fixture);
}

static void
assert_note (Fixture *fixture, const char *label, const char *part)
{
  const LoomTimelineRow *row = find_row (fixture, label);
  g_assert_nonnull (row);
  g_assert_true (row->note.is_error);
  g_assert_nonnull (strstr (row->note.text, part));
  g_autofree char *drawn = list_drawn (fixture);
  g_assert_cmpstr (drawn, ==, "");
}

static void
test_missing (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  g_assert_cmpint (g_remove (fixture.paths[0]), ==, 0);
  open_run (&fixture);
  show (&fixture, 100000, 102000);
  fold (&fixture, "rank 0", FALSE);
  fold (&fixture, "rank 1", FALSE);
  wait (&fixture);
  g_assert_cmpuint (loom_range_details_get_bytes (fixture.details), >, 0); /* the bytes belong to the detail of rank
                                                                            * 1 */
  fold (&fixture, "rank 1", TRUE);
  wait (&fixture);
  assert_note (&fixture, "rank 0", "is not on this machine");
  tear_down (&fixture);
}

static void
test_changed (void)
{
  Fixture fixture = { 0 };
  g_autofree char *text = NULL;
  set_up (&fixture);
  g_assert_true (g_file_get_contents (fixture.paths[0], &text, NULL, NULL));
  g_autofree char *longer = g_strconcat (text, "\n", NULL);
  g_assert_true (g_file_set_contents (fixture.paths[0], longer, -1, NULL));
  open_run (&fixture);
  show (&fixture, 100000, 102000);
  fold (&fixture, "rank 0", FALSE);
  wait (&fixture);
  assert_note (&fixture, "rank 0", "changed after its index was created");
  tear_down (&fixture);
}

/* If the trace was missing and appears later while the view does not move, its events are read. */
static void
test_comes_back (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  g_autofree char *away = g_strconcat (fixture.paths[0], ".away", NULL);
  g_assert_cmpint (g_rename (fixture.paths[0], away), ==, 0);
  open_run (&fixture);
  LoomRange range = show (&fixture, 100000, 102000);
  fold (&fixture, "rank 0", FALSE);
  wait (&fixture);
  assert_note (&fixture, "rank 0", "is not on this machine");
  g_assert_cmpint (g_rename (away, fixture.paths[0]), ==, 0);
  wait_until_shown (&fixture, range);
  g_assert_null (find_row (&fixture, "rank 0")->note.text);
  tear_down (&fixture);
}

static gpointer
wait_for_end (gpointer input, GCancellable *cancellable, GError **error)
{
  while (!g_cancellable_is_cancelled (cancellable))
    g_usleep (1000);
  return NULL;
}

static void
ended (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_assert_not_reached (); /* the work is cancelled and never returns a result */
}

/* A run can have LOOM_RUN_MOST_DETAILS details (events that were read for a visible range). Removed details also count
 * until they are freed, which is possible only while no other work runs. If all places are taken, a further range is
 * read only after details were freed. Meanwhile the row does not say that too many events are in view. */
static void
test_no_room (void)
{
  static const LoomWorkerKind kind = { wait_for_end, NULL, NULL };
  Fixture fixture = { 0 };
  g_autoptr (GCancellable) running = g_cancellable_new ();
  set_up (&fixture);
  open_run (&fixture);
  loom_worker_run (running, &kind, NULL, ended, NULL);
  guint detail = show_detail (&fixture);
  LoomRange range = show (&fixture, 100000, 102000);
  LoomRun *run = loom_timeline_get_run (loom_timeline_state_get_timeline (fixture.view));
  fold (&fixture, "rank 0", TRUE);
  wait (&fixture);
  for (guint i = 1; i < LOOM_RUN_MOST_DETAILS; i++)
    loom_run_details_remove (run, loom_run_details_add (run, 0, loom_run_get_trace (run, detail)));
  fold (&fixture, "rank 0", FALSE);
  wait (&fixture);
  g_assert_cmpuint (loom_range_details_find (fixture.details, find_trace (&fixture, 0), range), ==, G_MAXUINT);
  const LoomRowNote note = find_row (&fixture, "rank 0")->note;
  g_assert_cmpstr (note.text, ==, "Reading events…");
  g_assert_false (note.is_error);
  g_cancellable_cancel (running);
  wait_until_shown (&fixture, range);
  g_assert_null (find_row (&fixture, "rank 0")->note.text);
  tear_down (&fixture);
}

/* If a run is referenced longer than its view, as by an undo step, its details are freed nevertheless. */
static void
test_outlived (void)
{
  Fixture fixture = { 0 };
  set_up (&fixture);
  open_run (&fixture);
  guint detail = show_detail (&fixture);
  LoomTimeline *timeline = loom_timeline_ref (loom_timeline_state_get_timeline (fixture.view));
  LoomRun *run = loom_timeline_get_run (timeline);
  tear_down (&fixture);
  for (guint i = 0; i < 3000 && loom_run_details_has_trace (run, detail); i++) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (1000);
  }
  g_assert_false (loom_run_details_has_trace (run, detail));
  loom_timeline_unref (timeline);
}

/* If the command that serves the trace ends without an answer, the row says so; another command is used as soon as the
 * user gives it. */
static void
test_command_ends (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomServeClient) client = loom_serve_client_new ("sh -c 'kill -9 $$'", &error);
  g_assert_no_error (error);
  set_up (&fixture);
  g_assert_cmpint (g_remove (fixture.paths[0]), ==, 0);
  open_run (&fixture);
  show (&fixture, 100000, 102000);
  fold (&fixture, "rank 0", FALSE);
  wait (&fixture);
  assert_note (&fixture, "rank 0", "is not on this machine");
  loom_range_details_set_through (fixture.details, client);
  wait (&fixture);
  assert_note (&fixture, "rank 0", "ended before it answered");
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/range-details/in-place", test_in_place);
  g_test_add_func ("/range-details/selected", test_selected);
  g_test_add_func ("/range-details/event-list", test_event_list);
  g_test_add_func ("/range-details/same-name", test_same_name);
  g_test_add_func ("/range-details/box", test_box);
  g_test_add_func ("/range-details/search", test_search);
  g_test_add_func ("/range-details/timing", test_timing);
  g_test_add_func ("/range-details/walk", test_walk);
  g_test_add_func ("/range-details/offset", test_offset);
  g_test_add_func ("/range-details/renamed", test_renamed);
  g_test_add_func ("/range-details/missing", test_missing);
  g_test_add_func ("/range-details/changed", test_changed);
  g_test_add_func ("/range-details/comes-back", test_comes_back);
  g_test_add_func ("/range-details/no-room", test_no_room);
  g_test_add_func ("/range-details/outlived", test_outlived);
  g_test_add_func ("/range-details/command-ends", test_command_ends);
  return run_fixture_run ();
}
