/* SPDX-License-Identifier: Apache-2.0
 *
 * Search: what is found, in which order it is visited, and that the bar goes there.
 */
#include "fixture.h"

#include "loom-search.h"
#include "loom-words.h"

#include <string.h>

static LoomWindow *window;

static LoomTimeline *
timeline (void)
{
  return loom_document_get_timeline (loom_window_get_document (window));
}

/* Against the plain way. */
static void
test_finds (void)
{
  LoomSearchResult *result = loom_search (timeline (), "FORWARD", NULL);
  LoomRun *run = loom_timeline_get_run (timeline ());
  guint64 expected = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 i = 0; i < spans->n; i++) {
      g_autofree char *name = g_ascii_strdown (loom_trace_get_name (trace, spans->name_id[i])->text, -1);
      expected += strstr (name, "forward") != NULL;
    }
  }
  g_assert_cmpuint (expected, >, 0);
  g_assert_cmpuint (result->n_found, ==, expected);
  g_assert_cmpuint (result->hits->len, ==, expected);
  loom_search_result_free (result);
}

static void
test_order (void)
{
  LoomSearchResult *result = loom_search (timeline (), "e", NULL);
  gint64 before = G_MININT64;
  for (guint i = 0; i < result->by_time->len; i++) {
    LoomSpanId hit = g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, i));
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline (), hit, &start_ns, &end_ns);
    g_assert_cmpint (start_ns, >=, before);
    before = start_ns;
  }
  guint middle = loom_search_result_after (timeline (), result, before, TRUE);
  g_assert_cmpuint (middle, <, result->by_time->len);
  g_assert_cmpuint (loom_search_result_after (timeline (), result, before, FALSE), ==, result->by_time->len);
  loom_search_result_free (result);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_search (timeline (), "e", cancellable));
}

static gboolean
has_hits (gpointer state)
{
  gsize n;
  loom_view_state_get_hits (state, &n);
  return n > 0;
}

static void
test_bar (void)
{
  LoomViewState *state = fixture_state (window);
  LoomSearchBar *bar = loom_run_view_get_search_bar (loom_window_get_run_view (window));
  loom_search_bar_set_open (bar, TRUE);
  gtk_editable_set_text (loom_search_bar_get_entry (bar), "backward");
  g_assert_true (fixture_wait (has_hits, state));
  loom_search_bar_next (bar);
  LoomSpanId first = loom_view_state_get_lead (state);
  g_assert_false (loom_span_id_is_none (first));
  g_autofree char *name = g_ascii_strdown (loom_words_name (state, first), -1);
  g_assert_nonnull (strstr (name, "backward"));
  loom_search_bar_next (bar);
  g_assert_false (loom_span_id_equal (first, loom_view_state_get_lead (state)));
  loom_search_bar_previous (bar);
  g_assert_true (loom_span_id_equal (first, loom_view_state_get_lead (state)));
  loom_search_bar_set_open (bar, FALSE);
  g_assert_false (has_hits (state));
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/search/finds", test_finds);
  g_test_add_func ("/app/search/order", test_order);
  g_test_add_func ("/app/search/cancelled", test_cancelled);
  g_test_add_func ("/app/search/bar", test_bar);
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return fixture_run ();
}
