/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests several runs in the tabs of one window: each run is independent, the window shows the selected one, and all are
 * offered again after the program ended unexpectedly.
 */
#include "groups.h"
#include "kept-sessions.h"

#include "loom-compare-window.h"
#include "loom-session-autosave.h"
#include "loom-settings.h"
#include "loom-table-view.h"
#include "loom-window-private.h"

#include <glib/gstdio.h>
#include <string.h>

static void
act (LoomWindow *window, const char *name)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), name, NULL);
  fixture_spin (60);
}

static guint64
count_spans (LoomWindow *window)
{
  return loom_document_count_spans (loom_window_get_document (window));
}

static void
assert_title (LoomWindow *window, const char *part)
{
  if (strstr (gtk_window_get_title (GTK_WINDOW (window)), part) == NULL)
    g_error ("the title is “%s”", gtk_window_get_title (GTK_WINDOW (window)));
}

/* Opens two runs; the first one is in the first tab. */
static LoomWindow *
open_two (char **first, char **second)
{
  g_autofree char *folder = fixture_folder ();
  *first = kept_sessions_write_run (folder, "first.json", 3);
  *second = kept_sessions_write_run (folder, "second.json", 5);
  LoomWindow *window = fixture_window ();
  fixture_open (window, *first);
  act (window, "new-tab");
  g_assert_cmpstr (loom_tab_get_page (loom_window_get_tab (window)), ==, "empty");
  fixture_open (window, *second);
  return window;
}

static gboolean
can_undo (gpointer window)
{
  return g_action_group_get_action_enabled (window, "undo");
}

/* Covers documented rows: ../README.md §tabs each tab has its own run */
static void
test_own (void)
{
  g_autofree char *first = NULL, *second = NULL;
  LoomWindow *window = open_two (&first, &second);
  g_assert_cmpuint (loom_window_get_n_tabs (window), ==, 2);
  g_assert_cmpuint (count_spans (window), ==, 5);
  assert_title (window, "second.json");
  LoomTimelineState *state = fixture_state (window);
  loom_timeline_state_toggle_mark (state, loom_timeline_state_get_extent (state).begin_ns + 1000, FALSE);
  g_assert_true (fixture_wait (can_undo, window));
  act (window, "previous-tab");
  g_assert_cmpuint (count_spans (window), ==, 3);
  assert_title (window, "first.json");
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "undo"));
  act (window, "show-panel");
  gboolean details = loom_run_state_get_shows_details (loom_window_get_run_state (window));
  act (window, "next-tab");
  g_assert_cmpint (loom_run_state_get_shows_details (loom_window_get_run_state (window)), !=, details);
  g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (loom_run_page_get_panels (loom_window_get_run_view (window)))),
                   !=, details);
  act (window, "undo");
  guint n;
  loom_timeline_state_get_marks (fixture_state (window), &n);
  g_assert_cmpuint (n, ==, 0);
  fixture_close (window);
}

static LoomCompareWindow *
find_compare_window (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    if (LOOM_IS_COMPARE_WINDOW (window))
      return LOOM_COMPARE_WINDOW (window); /* borrowed: GTK owns the window */
  }
  return NULL;
}

static gboolean
has_compare_window (gpointer unused)
{
  return find_compare_window () != NULL;
}

static gboolean
has_no_compare_window (gpointer unused)
{
  return find_compare_window () == NULL;
}

/* Returns TRUE if the window that compares two runs shows the table of span names; runs without steps have only this
 * table. */
static gboolean
shows_names (gpointer compare)
{
  GtkStack *tables = GTK_STACK (gtk_widget_get_template_child (compare, LOOM_TYPE_COMPARE_WINDOW, "tables"));
  LoomResultTable *table = loom_table_view_get_table (LOOM_TABLE_VIEW (gtk_stack_get_child_by_name (tables, "names")));
  return table != NULL && g_strcmp0 (gtk_stack_get_visible_child_name (tables), "names") == 0;
}

/* The run of the left tab is “Before”, whichever tab is selected. Runs without steps are compared by the names of their
 * spans. Escape closes the window. */
static void
test_compare (void)
{
  g_autofree char *first = NULL, *second = NULL;
  LoomWindow *window = open_two (&first, &second);
  for (guint i = 0; i < 2; i++) {
    act (window, i == 0 ? "compare" : "previous-tab");
    if (i == 1)
      act (window, "compare");
    g_assert_true (fixture_wait (has_compare_window, NULL));
    LoomCompareWindow *compare = find_compare_window ();
    GtkLabel *before =
      GTK_LABEL (gtk_widget_get_template_child (GTK_WIDGET (compare), LOOM_TYPE_COMPARE_WINDOW, "name_before"));
    g_assert_cmpstr (gtk_label_get_text (before), ==, "first.json");
    g_assert_true (fixture_wait (shows_names, compare));
    loom_timeline_view_escape (LOOM_TIMELINE_VIEW (
      gtk_widget_get_template_child (GTK_WIDGET (compare), LOOM_TYPE_COMPARE_WINDOW, "view_before")));
    g_assert_true (fixture_wait (has_no_compare_window, NULL));
    fixture_spin (60);
  }
  fixture_close (window);
}

static gboolean
is_search_open (LoomWindow *window, guint tab)
{
  return loom_search_state_is_open (
    loom_run_state_get_search (loom_tab_get_run_state (loom_window_get_nth_tab (window, tab))));
}

/* The search button belongs to the selected run only. */
static void
test_search (void)
{
  g_autofree char *first = NULL, *second = NULL;
  LoomWindow *window = open_two (&first, &second);
  act (window, "previous-tab");
  act (window, "next-tab");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (window->search_button), TRUE);
  g_assert_true (is_search_open (window, 1));
  g_assert_false (is_search_open (window, 0));
  act (window, "previous-tab");
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (window->search_button)));
  g_assert_true (is_search_open (window, 1));
  fixture_close (window);
}

static gboolean
has_one_tab (gpointer window)
{
  return loom_window_get_n_tabs (window) == 1;
}

static void
test_close (void)
{
  g_autofree char *first = NULL, *second = NULL;
  LoomWindow *window = open_two (&first, &second);
  act (window, "close-tab");
  g_assert_true (fixture_wait (has_one_tab, window));
  g_assert_cmpuint (count_spans (window), ==, 3);
  assert_title (window, "first.json");
  gpointer weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  /* closing the last tab closes the window */
  g_action_group_activate_action (G_ACTION_GROUP (window), "close-tab", NULL);
  for (guint i = 0; weak != NULL && i < 200; i++)
    fixture_spin (10);
  g_assert_null (weak);
}

static gboolean
has_opened (gpointer tab)
{
  return !loom_document_is_loading (loom_tab_get_document (tab)) &&
         !loom_run_session_is_opening (loom_tab_get_session (tab));
}

static gboolean
needs_attention (gpointer page)
{
  return adw_tab_page_get_needs_attention (page);
}

static const char *
title_of (LoomWindow *window, LoomTab *tab)
{
  return adw_tab_page_get_title (adw_tab_view_get_page (window->tab_view, GTK_WIDGET (tab)));
}

/* A run that is loaded in a tab which is not selected does not appear in the window. If the files of two tabs have the
 * same name, both tabs also show a folder. How the folder is chosen is tested in tests/base/test-disambiguate.c. */
static void
test_behind (void)
{
  g_autofree char *folder = fixture_folder (), *may = g_build_filename (folder, "may", NULL),
                  *june = g_build_filename (folder, "june", NULL);
  g_assert_true (g_mkdir (may, 0700) == 0 && g_mkdir (june, 0700) == 0);
  g_autofree char *first = kept_sessions_write_run (may, "same.json", 3),
                  *second = kept_sessions_write_run (june, "same.json", 5);
  LoomWindow *window = fixture_window ();
  fixture_open (window, first);
  g_assert_cmpstr (title_of (window, loom_window_get_tab (window)), ==, "same.json");
  LoomTab *behind = loom_window_add_tab (window, FALSE);
  loom_tab_open_paths (behind, (const char *const[]) { second, NULL }, FALSE);
  g_assert_true (fixture_wait (has_opened, behind));
  assert_title (window, "same.json");
  g_assert_cmpuint (count_spans (window), ==, 3);
  AdwTabPage *page = adw_tab_view_get_page (window->tab_view, GTK_WIDGET (behind));
  g_assert_true (fixture_wait (needs_attention, page));
  g_assert_cmpstr (title_of (window, behind), ==, "june/same.json");
  g_assert_cmpstr (title_of (window, loom_window_get_tab (window)), ==, "may/same.json");
  act (window, "next-tab");
  g_assert_cmpuint (count_spans (window), ==, 5);
  g_assert_false (adw_tab_page_get_needs_attention (page));
  fixture_close (window);
}

typedef struct {
  LoomWindow *window;
  LoomViewport before;
} Moving;

static gboolean
has_moved (gpointer data)
{
  const Moving *moving = data;
  LoomViewport now = fixture_view (moving->window);
  return !loom_viewport_equal (&moving->before, &now);
}

/* Keys that zoom or pan move only the view of the selected tab, not that of other tabs.
 * Covers documented rows: ../README.md §tabs keys change the view of the selected run only */
static void
test_keys (void)
{
  g_autofree char *first = NULL, *second = NULL;
  LoomWindow *window = open_two (&first, &second);
  LoomViewport behind = *loom_timeline_state_get_viewport (
    loom_run_state_get_view (loom_tab_get_run_state (loom_window_get_nth_tab (window, 0))));
  LoomViewport before = fixture_view (window);
  loom_timeline_view_press_key (loom_run_page_get_timeline_view (loom_window_get_run_view (window)), GDK_KEY_w, 0);
  g_assert_true (fixture_wait (has_moved, &(Moving) { window, before }));
  act (window, "previous-tab");
  LoomViewport now = fixture_view (window);
  g_assert_cmpint (now.begin_ns, ==, behind.begin_ns);
  g_assert_cmpint (now.end_ns, ==, behind.end_ns);
  fixture_close (window);
}

static GdkFileList *
list_of (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GFile *files[] = { file };
  return gdk_file_list_new_from_array (files, 1);
}

/* Covers documented rows: ../README.md §tabs files dropped on a tab are added to its run, on the tab bar they open in a new tab */
static void
test_drops (void)
{
  g_autofree char *first = NULL, *second = NULL;
  LoomWindow *window = open_two (&first, &second);
  GValue value = G_VALUE_INIT;
  gboolean taken = FALSE;
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, list_of (second));
  AdwTabPage *page = adw_tab_view_get_nth_page (window->tab_view, 0);
  g_signal_emit_by_name (window->tab_bar, "extra-drag-drop", page, &value, &taken);
  g_assert_true (taken);
  fixture_wait_loaded (window);
  g_assert_cmpuint (count_spans (window), ==, 8); /* the dropped file was added to the first run */
  GtkDropTarget *target = GTK_DROP_TARGET (fixture_controller (window->tab_bar, GTK_TYPE_DROP_TARGET));
  g_signal_emit_by_name (target, "drop", &value, 5.0, 5.0, &taken);
  fixture_wait_loaded (window);
  g_assert_cmpuint (loom_window_get_n_tabs (window), ==, 3);
  g_assert_cmpuint (count_spans (window), ==, 5);
  g_value_unset (&value);
  fixture_close (window);
}

static void
leave_lock (const char *path)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (sum, (const guchar *) path, (gssize) strlen (path) + 1);
  g_autofree char *name = g_strconcat (g_checksum_get_string (sum), ".traceloom.open", NULL);
  g_autofree char *lock = g_build_filename (g_get_user_state_dir (), "traceloom", "sessions", name, NULL);
  g_assert_true (g_file_set_contents (lock, "", 0, NULL));
}

static gboolean
has_two_tabs (gpointer window)
{
  return loom_window_get_n_tabs (window) == 2;
}

/* Both runs are saved automatically and both are restored, each in a tab.
 * Covers documented rows: ../README.md §tabs after a start the program offers to restore the runs that were open */
static void
test_lost (void)
{
  g_autofree char *first = NULL, *second = NULL;
  LoomWindow *window = open_two (&first, &second);
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0); /* the sessions are locked by this process */
  fixture_close (window);
  loom_session_autosave_flush ();
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0); /* the runs were closed normally */
  leave_lock (first);
  leave_lock (second);
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 2);
  window = fixture_window ();
  act (window, "restore-lost");
  g_assert_true (fixture_wait (has_two_tabs, window));
  fixture_wait_loaded (window);
  act (window, "next-tab");
  fixture_wait_loaded (window);
  guint64 n = count_spans (window);
  act (window, "previous-tab");
  g_assert_cmpuint (n + count_spans (window), ==, 8);
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  if (groups_run_as_victim (argc, argv))
    return 0;
  g_autofree char *home = g_dir_make_tmp ("loom-test-home-XXXXXX", NULL);
  g_setenv ("HOME", home, TRUE);
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/tabs/own", test_own);
  g_test_add_func ("/app/tabs/compare", test_compare);
  g_test_add_func ("/app/tabs/search", test_search);
  g_test_add_func ("/app/tabs/close", test_close);
  g_test_add_func ("/app/tabs/behind", test_behind);
  g_test_add_func ("/app/tabs/keys", test_keys);
  g_test_add_func ("/app/tabs/drops", test_drops);
  g_test_add_func ("/app/tabs/lost", test_lost);
  groups_add_close ();
  groups_add_session_autosave ();
  int status = fixture_run ();
  g_rmdir (home);
  return status;
}
