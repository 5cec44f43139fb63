/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the list of sources in its window, the dialogs that describe sources, the panel and messages about their
 * clocks, and the list of their problems.
 */
#include "clock-ranks.h"
#include "groups.h"

#include "loom-clocks-panel.h"
#include "loom-rank-pattern-dialog.h"
#include "loom-source-commands.h"
#include "loom-source-dialog.h"

#include <adwaita.h>
#include <string.h>

/* --- sources --------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomWindow *window;
  LoomDocument *document;
  char *folder, *a, *b; /* traces: `a` contains two spans, `b` three */
} Fixture;

static gboolean
is_idle (gpointer document)
{
  return !loom_document_is_loading (document);
}

static void
settle (Fixture *fixture)
{
  g_assert_true (fixture_wait (is_idle, fixture->document));
  fixture_spin (60);
}

static char *
write_file (const char *folder, const char *name, guint n, guint pid)
{
  g_autoptr (GString) text = g_string_new ("[\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"pid\":%u,\"tid\":1,\"ts\":%u,\"dur\":500,\"name\":\"n%u\"},\n", pid,
                            i * 1000, i);
  return fixture_file (folder, name, text->str);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fixture_folder ();
  fixture->a = write_file (fixture->folder, "part-4.json", 2, 1);
  fixture->b = write_file (fixture->folder, "part-5.json", 3, 2);
  fixture->window = fixture_window ();
  fixture_open (fixture->window, fixture->folder);
  fixture->document = loom_window_get_document (fixture->window);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fixture_close (fixture->window);
  g_free (fixture->folder);
  g_free (fixture->a);
  g_free (fixture->b);
}

static void
act (Fixture *fixture, const char *name)
{
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), name, NULL);
  settle (fixture);
}

/* Runs an action from the menu of a source's line. */
static void
act_on (Fixture *fixture, const char *action, const char *path)
{
  const char *paths[] = { path, NULL };
  g_assert_true (gtk_widget_activate_action_variant (fixture_sources (fixture->window), action,
                                                     g_variant_new_bytestring_array (paths, -1)));
  settle (fixture);
}

static int
rank_of (Fixture *fixture, const char *path)
{
  LoomRun *run = loom_document_get_run (fixture->document);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (g_str_equal (loom_run_get_source (run, i)->path, path))
      return loom_run_get_source (run, i)->rank;
  return -2;
}

static LoomSourceItem *
line (Fixture *fixture, const char *path)
{
  g_autoptr (GListStore) top = loom_source_item_tree_new (loom_document_get_timeline (fixture->document),
                                                          loom_document_get_source_edits (fixture->document));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (top)); i++) {
    g_autoptr (LoomSourceItem) item = g_list_model_get_item (G_LIST_MODEL (top), i);
    if (g_str_equal (loom_source_item_get_paths (item)[0], path))
      return g_steal_pointer (&item);
  }
  g_assert_not_reached ();
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type, guint *nth)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && (*nth)-- == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_widget (child, type, nth);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
type_into (GtkWindow *dialog, guint nth, const char *text)
{
  GtkWidget *row = find_widget (GTK_WIDGET (dialog), ADW_TYPE_ENTRY_ROW, &nth);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

/* Returns TRUE if a row has the label or a label that begins with it. */
static gboolean
has_row (Fixture *fixture, const char *label)
{
  const LoomRowList *outline = loom_timeline_state_get_row_list (fixture_state (fixture->window));
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    if (g_str_has_prefix (loom_row_list_get_row (outline, i)->label, label))
      return TRUE;
  return FALSE;
}

/* Covers documented rows: ../README.md §sources a source gets a name, a rank or a node | every change of a source can be undone */
static void
test_describe (Fixture *fixture, gconstpointer data)
{
  GtkWindow *dialog = loom_source_dialog_present (GTK_WINDOW (fixture->window), fixture->document,
                                                  (const char *const[]) { fixture->a, NULL });
  GtkWidget *apply = gtk_window_get_default_widget (dialog);
  type_into (dialog, 0, "the first");
  type_into (dialog, 1, "seven");
  g_assert_false (gtk_widget_get_sensitive (apply));
  type_into (dialog, 1, "7");
  type_into (dialog, 2, "box");
  g_assert_true (gtk_widget_get_sensitive (apply));
  g_signal_emit_by_name (apply, "clicked");
  settle (fixture);
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, 7);
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, -1);
  const LoomTrace *trace = loom_run_get_trace (loom_document_get_run (fixture->document), 0);
  g_assert_cmpint (loom_trace_get_track (trace, 0)->rank, ==, 7); /* the tracks have the new rank too */
  g_assert_cmpstr (loom_trace_get_track (trace, 0)->node, ==, "box");
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->a, NULL }, LOOM_SOURCE_NODE, NULL,
                                 -1, "");
  settle (fixture);
  g_autoptr (LoomSourceItem) item = line (fixture, fixture->a);
  g_assert_cmpstr (item->label, ==, "the first");
  g_assert_true (has_row (fixture, "rank 7 · the first"));
  act (fixture, "undo");
  act (fixture, "undo");
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, -1);
}

/* The dialog for several sources leaves fields unchanged that the user did not edit; fields with differing values are
 * empty. */
static void
test_describe_several (Fixture *fixture, gconstpointer data)
{
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->a, NULL }, LOOM_SOURCE_RANK, NULL,
                                 7, NULL);
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->b, NULL }, LOOM_SOURCE_RANK, NULL,
                                 8, NULL);
  settle (fixture);
  GtkWindow *dialog = loom_source_dialog_present (GTK_WINDOW (fixture->window), fixture->document,
                                                  (const char *const[]) { fixture->a, fixture->b, NULL });
  guint nth = 0;
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (find_widget (GTK_WIDGET (dialog), ADW_TYPE_ENTRY_ROW, &nth))),
                   ==, "");
  type_into (dialog, 1, "box");
  g_signal_emit_by_name (gtk_window_get_default_widget (dialog), "clicked");
  settle (fixture);
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, 7);
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, 8);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpstr (loom_run_get_source (loom_document_get_run (fixture->document), i)->node, ==, "box");
}

static guint
count_span_rows (Fixture *fixture)
{
  const LoomRowList *rows = loom_timeline_state_get_row_list (fixture_state (fixture->window));
  guint n = 0;
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++)
    n += loom_row_list_get_row (rows, i)->kind == LOOM_ROW_SPANS;
  return n;
}

/* The context menu of a line can mute the line's source, show only this source, or remove it. Undo reverts each of
 * these actions; it is disabled if there is nothing to undo. */
static void
test_actions (Fixture *fixture, gconstpointer data)
{
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);
  act_on (fixture, "source.mute", fixture->a);
  g_assert_cmpuint (count_span_rows (fixture), ==, 1);
  act (fixture, "undo");
  g_assert_cmpuint (count_span_rows (fixture), ==, 2);
  act_on (fixture, "source.solo", fixture->b);
  g_assert_cmpuint (count_span_rows (fixture), ==, 1);
  g_free (write_file (fixture->folder, "part-6.json", 1, 3));
  act (fixture, "reload"); /* the reload finds a new file; its rows stay hidden, because the action "solo" lets only
                            * source `b` be shown */
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 6);
  g_assert_cmpuint (count_span_rows (fixture), ==, 1);
  act (fixture, "show-all-sources");
  g_assert_cmpuint (count_span_rows (fixture), ==, 3);
  act_on (fixture, "source.remove", fixture->a);
  g_assert_true (g_action_group_get_action_enabled (actions, "bring-back-sources"));
  act (fixture, "bring-back-sources");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 6);
  g_assert_false (g_action_group_get_action_enabled (actions, "bring-back-sources"));
}

/* Removing all sources with their menus shows the page without a run, not an error. */
static void
test_remove_all (Fixture *fixture, gconstpointer data)
{
  act_on (fixture, "source.remove", fixture->a);
  act_on (fixture, "source.remove", fixture->b);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 0);
  g_assert_no_error (loom_document_get_error (fixture->document));
  g_assert_cmpstr (loom_tab_get_page (loom_window_get_tab (fixture->window)), ==, "nothing");
  act (fixture, "undo");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  act (fixture, "redo");
  act (fixture, "bring-back-sources");
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
}

static gboolean
previews_rank (gpointer dialog)
{
  guint nth = 0;
  GtkListView *preview = GTK_LIST_VIEW (find_widget (dialog, GTK_TYPE_LIST_VIEW, &nth));
  g_autoptr (GtkStringObject) first = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (preview)), 0);
  return first != NULL && g_str_has_suffix (gtk_string_object_get_string (first), "→ rank 4");
}

/* Covers documented rows: ../README.md §sources ranks and nodes are taken from the paths | every change of a source can be undone */
static void
test_pattern (Fixture *fixture, gconstpointer data)
{
  GtkWindow *dialog = loom_rank_pattern_dialog_present (GTK_WINDOW (fixture->window), fixture->document);
  GtkWidget *apply = gtk_window_get_default_widget (dialog);
  type_into (dialog, 0, "part-(?<rank>");
  g_assert_false (gtk_widget_get_sensitive (apply));
  type_into (dialog, 0, "part-(?<rank>\\d+)");
  g_assert_true (fixture_wait (previews_rank, dialog));
  g_signal_emit_by_name (apply, "clicked");
  settle (fixture);
  g_assert_cmpint (rank_of (fixture, fixture->a), ==, 4);
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, 5);
  act (fixture, "undo");
  g_assert_cmpint (rank_of (fixture, fixture->b), ==, -1);
}

/* --- clocks ---------------------------------------------------------------------------------------------------------- */

static LoomWindow *
open_ranks (const ClockRank *ranks, guint n)
{
  g_autofree char *folder = clock_ranks_write (ranks, n);
  LoomWindow *window = fixture_window ();
  fixture_open (window, folder);
  return window;
}

static gpointer
clocks_part (LoomClocksPanel *panel, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (panel), LOOM_TYPE_CLOCKS_PANEL, name);
}

static gboolean
shows_chosen (gpointer panel)
{
  return loom_table_view_get_selected (clocks_part (panel, "table")) != G_MAXUINT;
}

static LoomClocksPanel *
show_clocks (LoomWindow *window)
{
  loom_run_state_set_page (loom_window_get_run_state (window), "clocks");
  LoomClocksPanel *panel =
    LOOM_CLOCKS_PANEL (loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window))));
  g_assert_true (fixture_wait (shows_chosen, panel));
  return panel;
}

static void
choose_clock (LoomClocksPanel *panel, guint clock)
{
  loom_table_view_select (clocks_part (panel, "table"), clock);
  g_assert_cmpuint (loom_table_view_get_selected (clocks_part (panel, "table")), ==, clock);
}

static const LoomClockFit *
fit_of (LoomWindow *window, guint clock)
{
  return loom_alignment_get (
    loom_timeline_get_alignment (loom_document_get_timeline (loom_window_get_document (window))), clock);
}

static gint64
moved_by (LoomWindow *window, guint clock)
{
  return fit_of (window, clock)->user_offset_ns;
}

static gboolean
is_enabled (LoomWindow *window, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), action);
}

static void
activate (LoomWindow *window, const char *action)
{
  g_assert_true (is_enabled (window, action));
  g_action_group_activate_action (G_ACTION_GROUP (window), action, NULL);
}

static gboolean
shows_text (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shows_text (child, text))
      return TRUE;
  return FALSE;
}

/* The action "align-events" aligns the clocks of two selected events. It is disabled while fewer than two events are
 * selected. */
static void
check_align (LoomWindow *window)
{
  LoomTimelineState *state = fixture_state (window);
  g_assert_false (is_enabled (window, "align-events"));
  loom_timeline_state_select_span (state, (LoomSpanId) { 0, 30 }, FALSE);
  g_assert_false (is_enabled (window, "align-events"));
  loom_timeline_state_select_span (state, (LoomSpanId) { 2, 31 }, TRUE);
  activate (window, "align-events");
  g_assert_cmpstr (fit_of (window, 2)->basis, ==, "manually selected events");
}

/* When a load fits clocks automatically, the window shows a message with an undo button; without a fit it shows
 * none. */
static void
test_announced (void)
{
  LoomWindow *window = open_ranks (clock_ranks_drifted, 3);
  gint64 fitted_ns = fit_of (window, 1)->map.offset_ns;
  g_assert_true (shows_text (GTK_WIDGET (window), "2 clocks aligned"));
  activate (window, "use-declared-clocks");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  g_assert_cmpint (fit_of (window, 1)->state, ==, LOOM_CLOCK_EXACT);
  g_assert_false (is_enabled (window, "use-declared-clocks"));
  activate (window, "undo");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, fitted_ns);
  activate (window, "redo");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  activate (window, "use-fitted-clocks");
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, fitted_ns);
  check_align (window);
  fixture_close (window);
  window = open_ranks (clock_ranks_drifted, 1);
  g_assert_false (shows_text (GTK_WIDGET (window), "aligned"));
  g_assert_false (is_enabled (window, "use-declared-clocks"));
  g_assert_false (is_enabled (window, "undo"));
  fixture_close (window);
}

static gboolean
shows_doubt (gpointer sources)
{
  return shows_text (sources, "◐");
}

/* A clock fit that is refused is reported too, and the dot beside the source in the list of sources
 * shows a warning. */
static void
test_doubt (void)
{
  LoomWindow *window = open_ranks (clock_ranks_stepped, 3);
  GtkWidget *sources = fixture_sources (window);
  g_assert_true (fixture_wait (shows_doubt, sources));
  activate (window, "show-clocks");
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "clocks");
  fixture_close (window);
}

static void
type_offset (LoomClocksPanel *panel, const char *text)
{
  gtk_editable_set_text (clocks_part (panel, "offset"), text);
  g_signal_emit_by_name (clocks_part (panel, "offset"), "activate");
}

static gboolean
shows_charts (gpointer panel)
{
  return gtk_widget_get_visible (clocks_part (panel, "charts"));
}

static guint
column_of (LoomClocksPanel *panel, const char *title)
{
  LoomResultTable *table = loom_table_view_get_table (clocks_part (panel, "table"));
  for (guint i = 0; i < table->columns->len; i++)
    if (strcmp (loom_result_table_get_column (table, i)->title, title) == 0)
      return i;
  g_error ("no column “%s”", title);
}

/* The user's name for a source becomes the name of its clock at once, and the clock stays selected. */
static void
check_given_name (LoomWindow *window, LoomClocksPanel *panel)
{
  LoomDocument *document = loom_window_get_document (window);
  LoomTableView *table = clocks_part (panel, "table");
  guint source = column_of (panel, "Source");
  g_autofree char *path = g_strdup (loom_run_get_source (loom_document_get_run (document), 2)->path);
  const char *const paths[] = { path, NULL }, *const names[] = { "the slow one", "" },
                    *const shown[] = { "rank 2 · the slow one", "rank 2" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    loom_source_commands_describe (document, paths, LOOM_SOURCE_NAME, names[i], -1, NULL);
    g_assert_cmpstr (loom_result_table_get_text (loom_table_view_get_table (table), 2, source), ==, shown[i]);
    const char *verdict = gtk_label_get_text (clocks_part (panel, "verdict"));
    g_assert_nonnull (strstr (verdict, shown[i]));
    g_assert_cmpint (strstr (verdict, "slow") != NULL, ==, i == 0);
    g_assert_cmpuint (loom_table_view_get_selected (table), ==, 2);
  }
}

static void
test_typed (void)
{
  LoomWindow *window = open_ranks (clock_ranks_drifted, 3);
  LoomClocksPanel *panel = show_clocks (window);
  GtkWidget *entry = clocks_part (panel, "offset");
  guint by_hand = column_of (panel, "Set Manually");
  choose_clock (panel, 2);
  g_assert_true (fixture_wait (shows_charts, panel));
  check_given_name (window, panel);
  gint64 fitted_ns = fit_of (window, 2)->map.offset_ns;
  type_offset (panel, "-1.5 ms");
  g_assert_cmpint (moved_by (window, 2), ==, -1500000);
  g_assert_cmpint (fit_of (window, 2)->map.offset_ns, ==, fitted_ns - 1500000);
  g_assert_cmpfloat (
    loom_result_table_get_number (loom_table_view_get_table (clocks_part (panel, "table")), 2, by_hand), ==, -1500000);
  g_assert_nonnull (strstr (gtk_label_get_text (clocks_part (panel, "verdict")), "1.5\u00a0ms to an earlier time"));
  g_assert_cmpuint (loom_table_view_get_selected (clocks_part (panel, "table")), ==, 2);
  type_offset (panel, "seven");
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (moved_by (window, 2), ==, -1500000);
  type_offset (panel, "40us");
  g_assert_false (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpint (moved_by (window, 2), ==, 40000);
  activate (window, "undo");
  g_assert_cmpint (moved_by (window, 2), ==, -1500000);
  activate (window, "reset-clocks");
  g_assert_cmpint (moved_by (window, 2), ==, 0);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
  fixture_close (window);
}

static gboolean
press_in_table (LoomClocksPanel *panel, guint keyval, GdkModifierType modifiers)
{
  gboolean taken = FALSE;
  GtkEventController *keys = fixture_controller (clocks_part (panel, "table"), GTK_TYPE_EVENT_CONTROLLER_KEY);
  g_signal_emit_by_name (keys, "key-pressed", keyval, 0, modifiers, &taken);
  return taken;
}

/* Repeated nudges with a held key are one undo step; nudging on the timeline moves the source of the selected span. */
static void
test_nudged (void)
{
  LoomWindow *window = open_ranks (clock_ranks_drifted, 3);
  LoomClocksPanel *panel = show_clocks (window);
  choose_clock (panel, 1);
  g_assert_true (press_in_table (panel, GDK_KEY_Right, GDK_ALT_MASK));
  g_assert_true (press_in_table (panel, GDK_KEY_Right, GDK_ALT_MASK));
  g_assert_true (press_in_table (panel, GDK_KEY_Left, GDK_ALT_MASK | GDK_SHIFT_MASK));
  g_assert_false (press_in_table (panel, GDK_KEY_Left, 0));
  g_assert_cmpint (moved_by (window, 1), ==, -98000);
  activate (window, "undo");
  g_assert_cmpint (moved_by (window, 1), ==, 0);
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, !=, 0);
  activate (window, "undo"); /* the undo stack now contains only the automatic fit */
  g_assert_cmpint (fit_of (window, 1)->map.offset_ns, ==, 0);
  g_assert_false (is_enabled (window, "undo"));
  activate (window, "redo");
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 2, 0 }, FALSE);
  loom_run_state_show_timeline (loom_window_get_run_state (window));
  g_assert_true (fixture_type (window, GDK_KEY_Right, 0, GDK_CONTROL_MASK));
  g_assert_cmpint (moved_by (window, 2), >, 0);
  g_assert_cmpint (moved_by (window, 1), ==, 0);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/app/sources/describe", test_describe }, { "/app/sources/describe-several", test_describe_several },
    { "/app/sources/actions", test_actions },   { "/app/sources/remove-all", test_remove_all },
    { "/app/sources/pattern", test_pattern },
  };
  fixture_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].test, tear_down);
  g_test_add_func ("/app/sources/clocks-announced", test_announced);
  g_test_add_func ("/app/sources/clocks-doubt", test_doubt);
  g_test_add_func ("/app/sources/clocks-typed", test_typed);
  g_test_add_func ("/app/sources/clocks-nudged", test_nudged);
  groups_add_problem_list ();
  return fixture_run ();
}
