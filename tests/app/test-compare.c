/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs one above the other: step against step on one axis, and the names that changed lead to both.
 */
#include "fixture.h"

#include "loom-compare-window.h"

#include <math.h>
#include <string.h>

#define MS 1000000

/* Steps of 100 ms, from `start_ms` on, each with a “same” of 10 ms, one of another category and a “slower” that lasts so long; and one name of its own. */
static char *
write_run (const char *folder, const char *name, guint start_ms, guint slower_ms, guint first_step)
{
  g_autoptr (GString) text =
    g_string_new ("{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[\n");
  for (guint i = 0; i < 4; i++) {
    guint64 at_us = (start_ms + i * 100) * G_GUINT64_CONSTANT (1000);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":100000,\"name\":\"ProfilerStep#%u\"},\n",
                            at_us, first_step + i);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":10000,\"name\":\"same\"},\n",
                            at_us + 1000);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":%u,\"name\":\"slower\"},\n",
                            at_us + 20000, slower_ms * 1000 + i);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"other\",\"pid\":1,\"tid\":2,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":10,\"name\":\"same\"},\n",
                            at_us + 2000);
  }
  g_string_append_printf (
    text, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":2,\"ts\":%u000,\"dur\":7,\"name\":\"only %s\"}\n]}",
    start_ms, name);
  return fixture_file (folder, name, text->str);
}

static LoomCompareWindow *
find_window (void)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    if (LOOM_IS_COMPARE_WINDOW (window))
      return LOOM_COMPARE_WINDOW (window);
  }
  return NULL;
}

static gboolean
has_worked (gpointer window)
{
  return !loom_compare_window_is_working (window);
}

static LoomTimelineState *
state_of (LoomCompareWindow *window, guint which)
{
  return loom_timeline_view_get_state (loom_compare_window_get_view (window, which));
}

static void
assert_linked (LoomCompareWindow *window)
{
  const LoomViewport *above = loom_timeline_state_get_viewport (state_of (window, 0)),
                     *below = loom_timeline_state_get_viewport (state_of (window, 1));
  g_assert_cmpint (below->begin_ns - above->begin_ns, ==, loom_compare_window_get_offset (window));
  g_assert_cmpint (below->end_ns - above->end_ns, ==, loom_compare_window_get_offset (window));
}

static gboolean
has_name (LoomResultTable *table, const char *name)
{
  for (guint i = 0; i < loom_result_table_get_n_rows (table); i++)
    if (g_strcmp0 (loom_result_table_get_text (table, i, 0), name) == 0)
      return TRUE;
  return FALSE;
}

static const char *
name_of_lead (LoomCompareWindow *window, guint which)
{
  LoomSpanId lead = loom_timeline_state_get_lead (state_of (window, which));
  g_assert_false (loom_timeline_span_id_is_none (lead));
  const LoomTrace *trace = loom_run_get_trace (
    loom_timeline_get_run (loom_timeline_state_get_timeline (state_of (window, which))), lead.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[lead.span])->text;
}

/* rows: ../README.md §compare one run above the other on one axis, step against step | event against event, from a row of the table
   rows: ../README.md §compare names in both runs, by how much their mean changed | names in one run only stand last */
static void
test_compare (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *first = write_run (folder, "a.pt.trace.json", 50, 20, 1),
                  *second = write_run (folder, "b.pt.trace.json", 130, 45, 0);
  LoomWindow *window = fixture_window ();
  fixture_open (window, first);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "compare"));
  loom_window_add_tab (window, TRUE);
  fixture_open (window, second);
  g_action_group_activate_action (G_ACTION_GROUP (window), "previous-tab", NULL);
  fixture_spin (50);
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "compare"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "compare", NULL);
  LoomCompareWindow *compare = find_window ();
  g_assert_nonnull (compare);
  g_assert_true (fixture_wait (has_worked, compare));
  fixture_spin (100);

  /* Step 1 is the first of the one and the second of the other. */
  g_assert_cmpint (loom_compare_window_get_offset (compare), ==, (130 + 100 - 50) * MS);
  assert_linked (compare);
  g_assert_true (loom_compare_window_align_step (compare, 3));
  g_assert_cmpint (loom_compare_window_get_offset (compare), ==, (130 + 300 - 250) * MS);
  g_assert_false (loom_compare_window_align_step (compare, 4)); /* only the first has it */

  LoomViewport view = *loom_timeline_state_get_viewport (state_of (compare, 1));
  view.begin_ns += 20 * MS;
  view.end_ns -= 40 * MS;
  loom_timeline_state_set_viewport (state_of (compare, 1), &view);
  assert_linked (compare); /* the one above follows too */

  LoomTableView *table = loom_compare_window_get_table (compare);
  LoomResultTable *rows = loom_table_view_get_table (table);
  g_assert_cmpuint (loom_result_table_get_n_rows (rows), >=, 5);
  g_assert_cmpstr (loom_result_table_get_text (rows, 0, 0), ==, "slower");
  g_assert_cmpfloat (loom_result_table_get_number (rows, 0, 1), ==, 25.0 * MS);
  g_assert_cmpfloat (loom_result_table_get_number (rows, 0, 5), ==, 4);
  g_assert_true (
    isnan (loom_result_table_get_number (rows, loom_result_table_get_n_rows (rows) - 1, 1))); /* in one run only */
  g_assert_true (has_name (rows, "same · cpu_op") && has_name (rows, "same · other") && !has_name (rows, "same"));
  g_signal_emit_by_name (table, "row-activated", 0);
  fixture_spin (300);
  g_assert_cmpstr (name_of_lead (compare, 0), ==, "slower");
  g_assert_cmpstr (name_of_lead (compare, 1), ==, "slower");
  g_assert_cmpint (loom_compare_window_get_offset (compare), ==,
                   (130 - 50) * MS); /* its last is its longest, in both */
  assert_linked (compare);
  gtk_window_close (GTK_WINDOW (compare));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/compare/steps-and-names", test_compare);
  return fixture_run ();
}
