/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests counters of an open run: their values at the cursor, their changes between two marks, and the display modes
 * stored in a session.
 */
#include "loom-counter-description.h"
#include "loom-session-state.h"
#include "run-fixture.h"

#include <string.h>

#define C(name, ts, value) \
  "{\"ph\":\"C\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"args\":{\"bytes\":" value "}},"

/* Counter "memory": 100 at 0 µs, 130 at 100 µs, 110 at 300 µs. A second counter is named "cache". */
static const char trace[] = "[" C ("memory", "0", "100") C ("memory", "100", "130") C ("memory", "300", "110")
  C ("memory", "1000", "110") C ("cache", "0", "5")
    C ("cache", "500", "7") "{\"ph\":\"X\",\"name\":\"work\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1000}]";

typedef struct {
  LoomRunState *run;
  LoomTimelineState *view;
  LoomRowList *rows;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", trace);
  fixture->run = run_fixture_open (path);
  fixture->view = loom_run_state_get_view (fixture->run);
  fixture->rows = loom_timeline_state_get_row_list (fixture->view);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  run_fixture_close (fixture->run);
}

static gint64
after (Fixture *fixture, gint64 us)
{
  return loom_timeline_state_get_extent (fixture->view).begin_ns + us * 1000;
}

static guint
count_tags (Fixture *fixture)
{
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (fixture->view, &options);
  return options.n_tags;
}

/* While the pointer is over the ruler, all counters show their values at that time. */
static void
test_cursor (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (count_tags (fixture), ==, 0);
  loom_timeline_state_set_cursor (fixture->view, after (fixture, 200));
  g_assert_true (loom_cursor_is_reading (loom_timeline_state_get_pointer (fixture->view)));
  g_assert_cmpuint (count_tags (fixture), ==, 1);
  g_autofree char *words = loom_counter_description_at (fixture->view, after (fixture, 200));
  g_assert_nonnull (strstr (words, "memory 130"));
  g_assert_nonnull (strstr (words, "cache 5"));
  loom_timeline_state_set_pointer (fixture->view, after (fixture, 300), 0, LOOM_SPAN_ID_NONE);
  g_assert_false (loom_cursor_is_reading (loom_timeline_state_get_pointer (fixture->view)));
  g_assert_cmpuint (count_tags (fixture), ==, 0);
}

/* In timing mode counters also show their values at the marks before and after the pointer. */
static void
test_timing (Fixture *fixture, gconstpointer data)
{
  loom_timeline_state_set_timing (fixture->view, TRUE);
  loom_timeline_state_toggle_mark (fixture->view, after (fixture, 50), FALSE);
  loom_timeline_state_toggle_mark (fixture->view, after (fixture, 150), FALSE);
  loom_timeline_state_set_pointer (fixture->view, after (fixture, 100), 0, LOOM_SPAN_ID_NONE);
  g_assert_true (loom_cursor_is_reading (loom_timeline_state_get_pointer (fixture->view)));
  g_assert_cmpuint (count_tags (fixture), ==, 3);
  g_autofree char *between =
    loom_counter_description_between (fixture->view, (LoomRange) { after (fixture, 50), after (fixture, 150) });
  g_assert_nonnull (strstr (between, "memory: 100 → 130 (+30)"));
  g_assert_nonnull (strstr (between, "cache: 5 → 5 (0)"));
  loom_timeline_state_set_timing (fixture->view, FALSE);
  g_assert_false (loom_cursor_is_reading (loom_timeline_state_get_pointer (fixture->view)));
}

static const LoomTimelineRow *
memory (Fixture *fixture)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (fixture->rows); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (fixture->rows, i);
    if (row->kind == LOOM_ROW_COUNTER && strstr (row->label, "memory") != NULL)
      return row;
  }
  g_assert_not_reached ();
}

static void
test_session (Fixture *fixture, gconstpointer data)
{
  loom_row_list_fold_all (fixture->rows, FALSE);
  g_autofree char *key = g_strdup (memory (fixture)->key);
  loom_row_list_set_plot_mode (fixture->rows, key, (LoomCounterMode) { LOOM_QUANTITY_RATE, FALSE, TRUE });
  loom_timeline_state_rows_changed (fixture->view);
  LoomSession *session = loom_session_state_collect (fixture->run);
  loom_session_state_forget (fixture->run);
  loom_row_list_fold_all (fixture->rows, FALSE);
  g_assert_cmpint (memory (fixture)->parts->mode.quantity, ==, LOOM_QUANTITY_VALUE);
  g_assert_false (memory (fixture)->parts->mode.logarithmic);
  loom_session_state_apply (session, fixture->run);
  g_assert_cmpint (memory (fixture)->parts->mode.quantity, ==, LOOM_QUANTITY_RATE);
  g_assert_true (memory (fixture)->parts->mode.logarithmic);
  loom_session_file_free (session);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add ("/core/counters/cursor", Fixture, NULL, set_up, test_cursor, tear_down);
  g_test_add ("/core/counters/timing", Fixture, NULL, set_up, test_timing, tear_down);
  g_test_add ("/core/counters/session", Fixture, NULL, set_up, test_session, tear_down);
  return run_fixture_run ();
}
