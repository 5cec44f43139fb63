/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions: saved and opened, kept from one time to the next, offered again after the program did not end by itself.
 */
#include "fixture.h"

#include "loom-panel-tabs.h"
#include "loom-session-autosave.h"
#include "loom-settings.h"
#include "loom-source-commands.h"
#include "loom-tab-private.h"
#include "loom-window-private.h"

#include <glib/gstdio.h>

static guint
count_marks (LoomWindow *window)
{
  guint n;
  loom_timeline_state_get_marks (fixture_state (window), &n);
  return n;
}

static guint
count_rows (LoomWindow *window)
{
  return loom_row_list_get_n_rows (loom_timeline_state_get_row_list (fixture_state (window)));
}

/* The second quarter of the run, one mark in it, every row folded. Returns that view. */
static LoomViewport
arrange (LoomWindow *window)
{
  LoomTimelineState *state = fixture_state (window);
  LoomRange extent = loom_timeline_state_get_extent (state);
  gint64 quarter_ns = (extent.end_ns - extent.begin_ns) / 4;
  LoomViewport view = *loom_timeline_state_get_viewport (state);
  view.begin_ns = extent.begin_ns + quarter_ns;
  view.end_ns = view.begin_ns + quarter_ns;
  loom_timeline_state_set_viewport (state, &view);
  loom_timeline_state_select_range (state, (LoomRange) { view.begin_ns + 3000, view.begin_ns + 9000 });
  loom_timeline_state_toggle_mark (state, view.begin_ns + 1000, FALSE);
  loom_timeline_state_toggle_mark (state, view.begin_ns + 2000, TRUE); /* temporary: not kept */
  g_action_group_activate_action (G_ACTION_GROUP (window), "fold-all", NULL);
  return *loom_timeline_state_get_viewport (state);
}

/* Dismissed with a note, as a session keeps it. */
static void
dismiss (LoomWindow *window, const char *rule, const char *note)
{
  g_autoptr (GHashTable) dismissed = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_replace (dismissed, (gpointer) rule, (gpointer) note);
  loom_run_rules_set_dismissed (loom_run_state_get_rules (loom_window_get_run_state (window)), dismissed);
}

static GHashTable *
get_dismissed (LoomWindow *window)
{
  return loom_run_rules_get_dismissed (loom_run_state_get_rules (loom_window_get_run_state (window)));
}

static void
assert_view (LoomWindow *window, const LoomViewport *expected)
{
  LoomViewport view = fixture_view (window);
  g_assert_cmpint (view.begin_ns, ==, expected->begin_ns);
  g_assert_cmpint (view.end_ns, ==, expected->end_ns);
}

/* That of arrange(). */
static void
assert_selection (LoomWindow *window, const LoomViewport *view)
{
  LoomRange range = loom_timeline_state_get_range (fixture_state (window));
  g_assert_cmpint (range.begin_ns, ==, view->begin_ns + 3000);
  g_assert_cmpint (range.end_ns, ==, view->begin_ns + 9000);
}

static gboolean
selects_nothing (LoomWindow *window)
{
  LoomRange range = loom_timeline_state_get_range (fixture_state (window));
  return range.end_ns <= range.begin_ns;
}

static gboolean
is_written (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* With what the actions say of them. */
static void
assert_look (LoomWindow *window, LoomColorBy color_by, gboolean all_flows)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (fixture_state (window));
  g_autoptr (GVariant) colors = g_action_group_get_action_state (G_ACTION_GROUP (window), "colors"),
                       arrows = g_action_group_get_action_state (G_ACTION_GROUP (window), "arrows");
  g_assert_cmpuint (look.color_by, ==, color_by);
  g_assert_cmpint (look.all_flows, ==, all_flows);
  g_assert_cmpstr (g_variant_get_string (colors, NULL), ==, loom_span_color_mode_color_word (color_by));
  g_assert_cmpint (g_variant_get_boolean (arrows), ==, all_flows);
}

static void
test_save_and_open (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  guint n_rows = count_rows (window);
  LoomViewport view = arrange (window);
  guint n_folded = count_rows (window);
  dismiss (window, "Dataloader", "as it should be");
  assert_look (window, LOOM_COLOR_BY_NAME, FALSE);
  g_action_group_activate_action (G_ACTION_GROUP (window), "colors", g_variant_new_string ("duration"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "arrows", NULL);
  assert_look (window, LOOM_COLOR_BY_DURATION, TRUE);
  g_assert_cmpuint (n_folded, <, n_rows);
  loom_tab_save_session (loom_window_get_tab (window), path);
  g_assert_true (fixture_wait (is_written, path));
  fixture_close (window);

  window = fixture_window ();
  fixture_open (window, path);
  assert_view (window, &view);
  assert_selection (window, &view);
  g_assert_false (loom_tab_is_unsaved (loom_window_get_tab (window)));
  loom_timeline_state_select_nothing (fixture_state (window));
  g_assert_false (loom_tab_is_unsaved (loom_window_get_tab (window))); /* where one looks is no work */
  g_assert_cmpuint (count_marks (window), ==, 1);
  assert_look (window, LOOM_COLOR_BY_DURATION, TRUE);
  g_assert_cmpstr (g_hash_table_lookup (get_dismissed (window), "Dataloader"), ==, "as it should be");
  g_assert_cmpuint (count_rows (window), ==, n_folded);
  const char *const *paths = loom_document_get_paths (loom_window_get_document (window));
  g_assert_cmpstr (paths[0], ==, fixture_sample ());
  g_assert_null (paths[1]);
  fixture_close (window);
}

static LoomPanelArea *
get_panels (LoomWindow *window)
{
  return loom_run_page_get_panels (loom_window_get_run_view (window));
}

static LoomRangeScope
get_scope (LoomWindow *window)
{
  return loom_analysis_context_get_scope (loom_run_state_get_analysis (loom_window_get_run_state (window)));
}

/* Panels show the range they showed when the session was saved, the choice above them says so, and the next run begins with all. */
static void
test_scope (void)
{
  g_autofree char *folder = fixture_folder ();
  for (LoomRangeScope scope = 0; scope < LOOM_N_RANGE_SCOPES; scope++) {
    g_autofree char *name = g_strdup_printf ("%d.traceloom", scope), *path = g_build_filename (folder, name, NULL);
    LoomWindow *window = fixture_window ();
    fixture_open (window, fixture_sample ());
    LoomViewport view = arrange (window);
    gtk_stack_set_visible_child_name (loom_panel_area_get_stack (get_panels (window)), "findings");
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_window_get_run_state (window)), scope);
    loom_tab_save_session (loom_window_get_tab (window), path);
    g_assert_true (fixture_wait (is_written, path));
    fixture_close (window);

    window = fixture_window ();
    fixture_open (window, path);
    g_assert_cmpint (get_scope (window), ==, scope);
    GtkWidget *tabs = gtk_widget_get_first_child (GTK_WIDGET (get_panels (window)));
    g_assert_cmpuint (gtk_drop_down_get_selected (loom_panel_tabs_get_range (LOOM_PANEL_TABS (tabs))), ==, scope);
    LoomRange asked =
      loom_analysis_context_get_asked_range (loom_run_state_get_analysis (loom_window_get_run_state (window)));
    if (scope == LOOM_RANGE_SCOPE_SELECTION)
      g_assert_cmpint (asked.begin_ns, ==, view.begin_ns + 3000);
    g_assert_false (loom_tab_is_unsaved (loom_window_get_tab (window)));
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_window_get_run_state (window)),
                                     scope == LOOM_RANGE_SCOPE_ALL ? LOOM_RANGE_SCOPE_VISIBLE : LOOM_RANGE_SCOPE_ALL);
    g_assert_false (loom_tab_is_unsaved (loom_window_get_tab (window))); /* where one looks is no work */
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_window_get_run_state (window)), scope);
    fixture_open (window, fixture_sample ());
    g_assert_cmpint (get_scope (window), ==, LOOM_RANGE_SCOPE_ALL);
    fixture_close (window);
  }
}

/* Sessions without a range, and with one that is not known, show all. */
static void
test_unknown_scope (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  static const char *const members[] = { "", ",\"range\":\"week\"", ",\"range\":3" };
  LoomWindow *window = fixture_window ();
  fixture_open (window, one);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++) {
    g_autofree char *text =
      g_strdup_printf ("{\"traceloom-session\":1,\"sources\":[{\"path\":\"one.json\"}]%s}", members[i]);
    g_autofree char *path = fixture_file (folder, "s.traceloom", text);
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_window_get_run_state (window)),
                                     LOOM_RANGE_SCOPE_VISIBLE);
    fixture_open (window, path);
    g_assert_cmpint (get_scope (window), ==, LOOM_RANGE_SCOPE_ALL);
  }
  fixture_close (window);
}

/* Dropped onto a run, a session adds its files and leaves the view alone. */
static void
test_add (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *other =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *path =
    fixture_file (folder, "s.traceloom",
                  "{\"traceloom-session\":1,\"sources\":[{\"path\":\"one.json\"}],\"marks\":[{\"time_ns\":1}]}");
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  guint n_sources = loom_run_get_n_sources (loom_document_get_run (loom_window_get_document (window)));
  loom_window_open_paths (window, (const char *const[]) { path, NULL }, TRUE);
  fixture_wait_loaded (window);
  g_assert_cmpuint (loom_run_get_n_sources (loom_document_get_run (loom_window_get_document (window))), ==,
                    n_sources + 1);
  g_assert_cmpuint (count_marks (window), ==, 0);
  fixture_close (window);
}

static void
test_broken (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *broken = fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[");
  g_autofree char *empty = fixture_file (folder, "t.traceloom", "{\"traceloom-session\":1}");
  LoomWindow *window = fixture_window ();
  fixture_open (window, broken);
  g_assert_nonnull (strstr (loom_window_get_load_error (window), "s.traceloom"));
  g_assert_true (
    g_str_has_suffix (loom_window_get_load_error (window), " Open the files themselves, or another session."));
  g_assert_cmpstr (loom_window_get_page (window), ==, "empty");
  fixture_open (window, empty);
  g_assert_nonnull (strstr (loom_window_get_load_error (window),
                            "The session holds no files. Open the files themselves, or another session."));
  fixture_close (window);
}

static LoomViewport
leave_arranged (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomViewport view = arrange (window);
  fixture_close (window);
  loom_session_autosave_flush ();
  return view;
}

static void
test_kept (void)
{
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE);
  LoomViewport view = leave_arranged ();
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  assert_view (window, &view);
  assert_selection (window, &view);
  g_assert_cmpuint (count_marks (window), ==, 1);
  guint n_folded = count_rows (window);
  g_action_group_activate_action (G_ACTION_GROUP (window), "forget-view", NULL);
  g_assert_true (loom_timeline_state_is_fitted (fixture_state (window)));
  g_assert_cmpuint (count_marks (window), ==, 0);
  g_assert_true (selects_nothing (window));
  g_assert_cmpuint (count_rows (window), >, n_folded);
  fixture_close (window);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
}

static gboolean
tells_of_clocks (LoomWindow *window)
{
  return loom_toasts_get_shown (G_OBJECT (loom_window_get_tab (window)), "fit") != NULL;
}

/* Clocks that were fitted are told of when a run is opened first, and not again while nothing changed. */
static void
test_told_once (void)
{
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE);
  loom_session_autosave_flush ();
  g_autofree char *path = g_build_filename (fixture_sample (), "llama-8b", NULL);
  for (guint i = 0; i < 2; i++) {
    LoomWindow *window = fixture_window ();
    fixture_open (window, path);
    g_assert_cmpint (tells_of_clocks (window), ==, i == 0);
    fixture_close (window);
    loom_session_autosave_flush ();
  }
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
}

static void
test_not_restored (void)
{
  leave_arranged ();
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  g_assert_true (loom_timeline_state_is_fitted (fixture_state (window)));
  g_assert_cmpuint (count_marks (window), ==, 0);
  fixture_close (window);
}

/* What stands in the folder of kept sessions after a crash: the session and a lock that nobody holds. */
static char *
make_lost (void)
{
  loom_session_autosave_flush ();
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "traceloom", "sessions", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = g_dir_read_name (dir);
  g_assert_true (g_str_has_suffix (name, ".traceloom"));
  g_assert_null (g_dir_read_name (dir)); /* no lock is left by windows that closed */
  g_autofree char *lock = g_strconcat (folder, G_DIR_SEPARATOR_S, name, ".open", NULL);
  g_assert_true (g_file_set_contents (lock, "", 0, NULL));
  return g_build_filename (folder, name, NULL);
}

static guint
count_lost (void)
{
  g_autoptr (GPtrArray) lost = loom_session_autosave_list_lost ();
  return lost->len;
}

static void
test_lost (void)
{
  LoomViewport view = leave_arranged ();
  g_autofree char *path = make_lost ();
  g_assert_cmpuint (count_lost (), ==, 1);
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  assert_view (window, &view);
  g_assert_cmpuint (count_lost (), ==, 0); /* this window holds it now */
  fixture_close (window);
  g_assert_cmpuint (count_lost (), ==, 0);
}

/* The window that is open is no lost one; the one that was killed is. */
static void
test_held (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  g_assert_cmpuint (count_lost (), ==, 0);
  fixture_close (window);
  g_autofree char *path = make_lost ();
  loom_session_autosave_forget_lost (path);
  g_assert_cmpuint (count_lost (), ==, 0);
}

/* Findings that were dismissed, and files of rules, are those of the run that was open. */
static void
test_next_run (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *two =
    fixture_file (folder, "two.json", "[{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *rules = fixture_file (folder, "rules.json", "{}");
  LoomWindow *window = fixture_window ();
  fixture_open (window, one);
  LoomRunRules *own = loom_run_state_get_rules (loom_window_get_run_state (window));
  dismiss (window, "Dataloader", "as it should be");
  loom_run_rules_set_files (own, (const char *const[]) { rules, NULL });
  fixture_open (window, two);
  g_assert_cmpuint (g_hash_table_size (get_dismissed (window)), ==, 0);
  g_assert_null (loom_run_rules_get_files (own)[0]);
  fixture_close (window);
}

/* Two threads and a counter: in every run of it the rows have the same keys. */
static const char alike[] = "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5},"
                            "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":5},"
                            "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":2,\"args\":{\"value\":3}}]";

/* Hides a row, draws the counter over the spans, marks its row as findings do, folds the rest, filters rows and colours
 * spans. */
static void
arrange_rows (LoomWindow *window)
{
  LoomTimelineState *state = fixture_state (window);
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  g_autofree char *counter = g_strdup (loom_row_list_get_first_counter (outline));
  g_autofree char *last = g_strdup (loom_row_list_get_row (outline, loom_row_list_get_n_rows (outline) - 1)->key);
  loom_row_list_set_overlay (outline, counter, TRUE);
  loom_row_list_set_hidden (outline, last, TRUE);
  loom_timeline_annotations_set_rows (loom_timeline_state_get_finding_marks (state),
                                      (const char *const[]) { counter, NULL });
  loom_timeline_state_rows_changed (state);
  g_action_group_activate_action (G_ACTION_GROUP (window), "fold-all", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "colors", g_variant_new_string ("duration"));
  loom_row_filter_set_text (
    loom_timeline_view_get_row_filter (loom_run_page_get_timeline_view (loom_window_get_run_view (window))), "load");
  fixture_spin (50);
}

static void
assert_untouched_rows (LoomWindow *window, guint n_rows)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (fixture_state (window));
  g_autoptr (GVariant) rows = loom_row_list_save (outline);
  g_assert_cmpuint (g_variant_n_children (rows), ==, 0);
  g_assert_false (loom_row_list_is_filtered (outline));
  g_assert_null (
    loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (fixture_state (window)))[0]);
  g_assert_cmpuint (loom_row_list_get_n_hidden (outline), ==, 0);
  g_assert_cmpuint (count_rows (window), ==, n_rows);
  assert_look (window, LOOM_COLOR_BY_NAME, FALSE);
}

/* The text of the session that is saved of it. */
static char *
save_text (LoomWindow *window, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "saved.traceloom", NULL);
  char *text;
  g_unlink (path);
  loom_tab_save_session (loom_window_get_tab (window), path);
  g_assert_true (fixture_wait (is_written, path));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* What was done to the rows of one run is not done to those of the next that is opened in its tab, be it files or a session. */
static void
test_next_rows (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", alike),
                  *two = fixture_file (folder, "two.json", alike);
  g_autofree char *session =
    fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[{\"path\":\"two.json\"}]}");
  LoomWindow *window = fixture_window ();
  fixture_open (window, one);
  guint n_rows = count_rows (window);
  const char *const next[] = { two, session };
  for (guint i = 0; i < G_N_ELEMENTS (next); i++) {
    arrange_rows (window);
    g_assert_cmpuint (count_rows (window), <, n_rows);
    fixture_open (window, next[i]);
    assert_untouched_rows (window, n_rows);
    g_autofree char *text = save_text (window, folder);
    g_assert_null (strstr (text, "\"rows\""));
    g_assert_null (strstr (text, "\"colors\""));
  }
  fixture_close (window);
}

static void
count (guint *n)
{
  ++*n;
}

/* What was done to its sources is over when a file is opened again, and the list of sources hears of it. */
static void
test_next_sources (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", alike);
  LoomWindow *window = fixture_window ();
  LoomDocument *document = loom_window_get_document (window);
  guint n = 0;
  fixture_open (window, one);
  loom_source_commands_set_muted (document, (const char *const[]) { one, NULL }, TRUE);
  g_assert_false (loom_timeline_state_shows_all (fixture_state (window)));
  g_signal_connect_swapped (document, "sources-edited", G_CALLBACK (count), &n);
  fixture_open (window, one);
  g_signal_handlers_disconnect_by_data (document, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (loom_timeline_state_shows_all (fixture_state (window)));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "show-all-sources"));
  fixture_close (window);
}

/* A tab that comes later has its size before its run. */
static void
test_in_new_tab (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", alike);
  g_autofree char *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomViewport view = arrange (window);
  loom_tab_save_session (loom_window_get_tab (window), path);
  g_assert_true (fixture_wait (is_written, path));
  for (guint i = 0; i < 2; i++) {
    g_action_group_activate_action (G_ACTION_GROUP (window), "new-tab", NULL);
    fixture_open (window, path);
    assert_view (window, &view);
    assert_selection (window, &view);
  }
  fixture_close (window);
}

#define SMALLER_PX 100
#define MOST_OPENED 10 /* until files arrive one after the other */

typedef struct {
  LoomWindow *window;
  gboolean resized;
  LoomViewport placed; /* when all was read */
} Resizing;

/* With the first files, as a layout in between does. */
static void
resize (Resizing *self)
{
  LoomViewport view = fixture_view (self->window);
  LoomDocument *document = loom_window_get_document (self->window);
  if (self->resized || !loom_document_is_loading (document) || loom_document_get_timeline (document) == NULL)
    return;
  self->resized = TRUE;
  loom_timeline_state_set_size (fixture_state (self->window), view.width_px + 4 * SMALLER_PX,
                                view.height_px + SMALLER_PX);
  view = fixture_view (self->window);
  loom_timeline_state_set_size (fixture_state (self->window), view.width_px - SMALLER_PX, view.height_px);
}

static void
note_placed (Resizing *self)
{
  if (!loom_document_is_loading (loom_window_get_document (self->window)))
    self->placed = fixture_view (self->window);
}

/* A window that is laid out anew while files arrive has not been moved by anybody: the view comes back all the same. */
static void
test_resized (void)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomViewport view = arrange (window);
  loom_tab_save_session (loom_window_get_tab (window), path);
  g_assert_true (fixture_wait (is_written, path));
  fixture_close (window);
  window = fixture_window ();
  Resizing resizing = { .window = window };
  LoomDocument *document = loom_window_get_document (window);
  loom_window_get_run_view (window); /* hears of the document first */
  g_signal_connect_data (document, "timeline-changed", G_CALLBACK (resize), &resizing, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_data (document, "loading-changed", G_CALLBACK (note_placed), &resizing, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  for (guint i = 0; i < MOST_OPENED && !resizing.resized; i++)
    fixture_open (window, path);
  g_signal_handlers_disconnect_by_data (document, &resizing);
  if (resizing.resized) {
    g_assert_cmpint (resizing.placed.begin_ns, ==, view.begin_ns);
    g_assert_cmpint (resizing.placed.end_ns, ==, view.end_ns);
  } else
    g_test_skip ("all files arrived at once");
  fixture_close (window);
}

/* What is added while a session is read is added to what it opens. */
static void
test_add_early (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *two =
    fixture_file (folder, "two.json", "[{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *path =
    fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[{\"path\":\"one.json\"}]}");
  LoomWindow *window = fixture_window ();
  loom_window_open_paths (window, (const char *const[]) { path, NULL }, FALSE);
  loom_window_open_paths (window, (const char *const[]) { two, NULL }, TRUE);
  fixture_wait_loaded (window);
  g_assert_cmpuint (loom_run_get_n_sources (loom_document_get_run (loom_window_get_document (window))), ==, 2);
  fixture_close (window);
}

/* A session that cannot be read, while it is sought how the run was shown: the run is kept all the same. */
static void
test_broken_early (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *broken = fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[");
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE);
  LoomWindow *window = fixture_window ();
  loom_window_open_paths (window, (const char *const[]) { one, NULL }, FALSE);
  loom_tab_open_paths (loom_window_get_tab (window), (const char *const[]) { broken, NULL }, FALSE);
  fixture_wait_loaded (window);
  loom_timeline_state_add_mark (fixture_state (window), 3000, "here");
  fixture_close (window);
  loom_session_autosave_flush ();
  window = fixture_window ();
  fixture_open (window, one);
  g_assert_cmpuint (count_marks (window), ==, 1);
  fixture_close (window);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/session/save-and-open", test_save_and_open);
  g_test_add_func ("/app/session/add", test_add);
  g_test_add_func ("/app/session/broken", test_broken);
  g_test_add_func ("/app/session/kept", test_kept);
  g_test_add_func ("/app/session/not-restored", test_not_restored);
  g_test_add_func ("/app/session/lost", test_lost);
  g_test_add_func ("/app/session/held", test_held);
  g_test_add_func ("/app/session/next-run", test_next_run); /* these keep others: last */
  g_test_add_func ("/app/session/next-rows", test_next_rows);
  g_test_add_func ("/app/session/next-sources", test_next_sources);
  g_test_add_func ("/app/session/scope", test_scope);
  g_test_add_func ("/app/session/unknown-scope", test_unknown_scope);
  g_test_add_func ("/app/session/in-new-tab", test_in_new_tab);
  g_test_add_func ("/app/session/resized", test_resized);
  g_test_add_func ("/app/session/told-once", test_told_once);
  g_test_add_func ("/app/session/add-early", test_add_early);
  g_test_add_func ("/app/session/broken-early", test_broken_early);
  return fixture_run ();
}
