/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the content of a window without a run, with a run, and with a message when nothing can be shown; and that
 * closing a window frees all its memory.
 */
#include "groups.h"

#include "loom-help-window.h"
#include "loom-lazy-page.h"
#include "loom-page-index.h"
#include "loom-preferences.h"
#include "loom-range-chooser.h"
#include "loom-selection-panel.h"

#include <string.h>

#define EVENT(name, ts) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":5}"

#define NARROW_PX 620
#define LEAST_PX 600 /* minimum width of a window: the title shrinks, and the buttons of the timeline need less */

static GtkStack *
find_stack (GtkWidget *widget)
{
  if (GTK_IS_STACK (widget))
    return GTK_STACK (widget);
  GtkStack *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_stack (child);
  return found;
}

static GtkWindow *
help_window (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at != NULL; at = at->next)
    if (g_strcmp0 (gtk_window_get_title (at->data), "Help") == 0)
      return at->data;
  return NULL;
}

static gboolean
is_scrolled (gpointer page)
{
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (loom_lazy_page_get (page));
  return gtk_adjustment_get_value (gtk_scrolled_window_get_vadjustment (scrolled)) > 0;
}

/* Every help page is present, in the requested language or in English; the help window closes with the window. */
static void
test_help (void)
{
  LoomWindow *window = fixture_window ();
  const char *const *pages = loom_help_window_get_pages ();
  for (guint i = 0; pages[i] != NULL; i++) {
    g_autofree char *text = loom_help_window_dup_page (pages[i]);
    g_assert_true (text != NULL && g_str_has_prefix (text, "# "));
    g_assert_cmpuint (strlen (text), >, 300);
  }
  g_assert_null (loom_help_window_dup_page ("no such page"));
  loom_help_window_present (GTK_WINDOW (window), NULL);
  g_assert_nonnull (help_window ());
  GtkStack *stack = find_stack (GTK_WIDGET (help_window ()));
  g_autoptr (GtkSelectionModel) shown = gtk_stack_get_pages (stack);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (shown)), ==, g_strv_length ((char **) pages));
  g_assert_nonnull (
    /* the sidebar has the focus, so that no text of the page is selected */
    gtk_widget_get_ancestor (gtk_window_get_focus (help_window ()), GTK_TYPE_STACK_SIDEBAR));
  /* links in the texts of the help activate this action to show another page */
  g_assert_true (gtk_widget_activate_action (gtk_stack_get_visible_child (stack), "help.show-page", "s", "clocks"));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "clocks");
  loom_help_window_present (GTK_WINDOW (window), "hang");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "panels");
  g_assert_true (fixture_wait (is_scrolled, gtk_stack_get_visible_child (stack)));
  loom_help_window_present (GTK_WINDOW (window), "no such place");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "panels");
  fixture_close (window);
  g_assert_null (help_window ());
}

static GtkWindow *
find_preferences (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at != NULL; at = at->next)
    if (LOOM_IS_PREFERENCES (at->data) && gtk_widget_get_visible (at->data))
      return at->data;
  return NULL;
}

static gboolean
are_preferences_shown (gpointer unused)
{
  return find_preferences () != NULL;
}

/* Activates the shortcut of a window with this key. Returns FALSE if it has none. */
static gboolean
press (GtkWidget *window, const char *key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (window);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    for (guint k = 0;
         GTK_IS_SHORTCUT_CONTROLLER (controller) && k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
      g_autofree char *trigger = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));
      if (g_str_equal (trigger, key))
        return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, window, NULL);
    }
  }
  return FALSE;
}

/* F1 in a modal dialog shows the page about it, above the dialog, where it gets input. Afterwards, the guide is not modal
 * when it is opened in a window. */
static void
test_help_in_dialog (void)
{
  LoomWindow *window = fixture_window ();
  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), "preferences", NULL);
  g_assert_true (fixture_wait (are_preferences_shown, NULL));
  GtkWindow *dialog = find_preferences ();
  g_assert_true (press (GTK_WIDGET (dialog), "F1"));
  g_assert_nonnull (help_window ());
  g_assert_true (gtk_window_get_transient_for (help_window ()) == dialog && gtk_window_get_modal (help_window ()));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (find_stack (GTK_WIDGET (help_window ()))), ==, "timeline");
  gtk_window_destroy (dialog);
  g_assert_null (help_window ());
  loom_help_window_present (GTK_WINDOW (window), NULL);
  g_assert_false (gtk_window_get_modal (help_window ()));
  fixture_close (window);
}

static guint
count_sources (LoomWindow *window)
{
  return loom_run_get_n_sources (loom_document_get_run (loom_window_get_document (window)));
}

/* A window is empty until files are dropped on it. */
static void
test_drop (void)
{
  LoomWindow *window = fixture_window ();
  g_assert_cmpstr (loom_tab_get_page (loom_window_get_tab (window)), ==, "empty");
  g_assert_true (loom_window_is_empty (window));
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "one.json", "[" EVENT ("a", "1") "]");
  GFile *files[] = { g_file_new_for_path (path) };
  GValue value = G_VALUE_INIT;
  gboolean taken = FALSE;
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_array (files, 1));
  g_signal_emit_by_name (fixture_controller (window, GTK_TYPE_DROP_TARGET), "drop", &value, 10.0, 10.0, &taken);
  g_assert_true (taken);
  fixture_wait_loaded (window);
  g_assert_cmpuint (count_sources (window), ==, 1);
  g_assert_false (loom_window_is_empty (window));
  /* Dropping on the right half adds files. */
  g_signal_emit_by_name (fixture_controller (window, GTK_TYPE_DROP_TARGET), "drop", &value, 1000.0, 10.0, &taken);
  fixture_wait_loaded (window);
  g_assert_cmpuint (count_sources (window), ==, 2);
  g_value_unset (&value);
  g_object_unref (files[0]);
  fixture_close (window);
}

/* Closing a window during a load ends the load without a notification. */
static void
test_close_while_loading (void)
{
  LoomWindow *window = fixture_window ();
  const char *paths[] = { fixture_sample (), NULL };
  loom_window_open_paths (window, paths, FALSE);
  fixture_close (window);
  fixture_spin (300);
}

static LoomSelectionPanel *
selection_of (LoomWindow *window)
{
  loom_run_state_set_page (loom_window_get_run_state (window), "selection");
  return LOOM_SELECTION_PANEL (loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window))));
}

static char *
text_of_selection (LoomWindow *window)
{
  return loom_selection_panel_dup_text (selection_of (window));
}

static void
show_table (LoomWindow *window, const char *name)
{
  gtk_stack_set_visible_child_name (loom_selection_panel_get_tables (selection_of (window)), name);
}

static gboolean
tells_counters (gpointer window)
{
  g_autofree char *text = text_of_selection (window);
  return strstr (text, "Counter\tSource\tUnit\tSamples\tMean\tMin\tMax\tIntegral\n") != NULL;
}

static gboolean
tells_no_counters (gpointer window)
{
  return !tells_counters (window);
}

/* The counter has the value 10 for two seconds, then 40 for one second; its mean is 20, and its integral over time is
 * 60 (value · seconds). A run without counters has no table of counters. */
static void
test_counters (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "trace.json",
                  "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9000000},"
                  "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":1000000,\"args\":{\"cores\":10}},"
                  "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":3000000,\"args\":{\"cores\":40}},"
                  "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":5000000,\"args\":{\"cores\":0}}]}");
  fixture_open (window, path);
  loom_run_state_set_page (loom_window_get_run_state (window), "selection");
  LoomRange all = loom_timeline_state_get_extent (fixture_state (window));
  loom_timeline_state_select_range (fixture_state (window),
                                    (LoomRange) { all.begin_ns + LOOM_NS_PER_S, all.begin_ns + 4 * LOOM_NS_PER_S });
  show_table (window, "counters");
  g_assert_true (fixture_wait (tells_counters, window));
  g_autofree char *text = text_of_selection (window);
  g_assert_nonnull (strstr (text, "load · cores\t"));
  g_assert_nonnull (strstr (text, "\t2\t20\t10\t40\t60\n"));
  loom_timeline_state_select_range (fixture_state (window),
                                    (LoomRange) { all.begin_ns, all.begin_ns + LOOM_NS_PER_S / 2 });
  g_assert_true (fixture_wait (tells_no_counters, window));
  show_table (window, "names");
  g_autofree char *names = text_of_selection (window);
  g_assert_nonnull (strstr (names, "\na\t"));
  fixture_close (window);
}

/* Every page fits into half of a screen of 1,280 pixels. */
static void
test_narrow (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomRunViews *panels = loom_run_page_get_panels (loom_window_get_run_view (window));
  guint n;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++) {
    int width;
    if (!loom_run_state_has_page (loom_window_get_run_state (window), pages[i].name))
      continue;
    loom_run_state_set_page (loom_window_get_run_state (window), pages[i].name);
    gtk_widget_measure (loom_run_views_get_seen (panels), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
    g_test_message ("page %s: %d", pages[i].name, width);
    g_assert_cmpint (width, <=, NARROW_PX);
  }
  int width;
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, NARROW_PX);
  fixture_close (window);
}

/* Returns TRUE if “export” and “add” have buttons in the header instead of entries in the main menu; if `buttons` is
 * FALSE, returns TRUE in the reverse case. */
static gboolean
has_buttons (LoomWindow *window, gboolean buttons)
{
  GtkWidget *button =
    GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window), LOOM_TYPE_WINDOW, "export_button"));
  GtkWidget *add = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window), LOOM_TYPE_WINDOW, "add_button"));
  GMenuModel *menu =
    G_MENU_MODEL (gtk_widget_get_template_child (GTK_WIDGET (window), LOOM_TYPE_WINDOW, "primary_menu"));
  g_autoptr (GMenuModel) first = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_autofree char *action = NULL;
  g_menu_model_get_item_attribute (first, 0, G_MENU_ATTRIBUTE_ACTION, "s", &action);
  gboolean in_menu = g_strcmp0 (action, "win.export") == 0;
  return gtk_widget_get_visible (button) == buttons && gtk_widget_get_visible (add) == buttons && in_menu != buttons;
}

static gboolean
is_ellipsized (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (is_ellipsized (child))
      return TRUE;
  return FALSE;
}

static gboolean
is_whole (gpointer window)
{
  GtkWidget *title = GTK_WIDGET (gtk_widget_get_template_child (window, LOOM_TYPE_WINDOW, "title"));
  return has_buttons (window, FALSE) && !is_ellipsized (title) &&
         adw_view_switcher_title_get_title_visible (ADW_VIEW_SWITCHER_TITLE (title)) &&
         adw_view_switcher_bar_get_reveal (loom_run_page_get_view_bar (loom_window_get_run_view (window)));
}

/* The view switcher and the title take turns without a fade: in a fade, each frame draws the whole window twice. */
static void
assert_no_fade (LoomWindow *window)
{
  GtkWidget *title = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window), LOOM_TYPE_WINDOW, "title")),
            *squeezer = fixture_find_type (title, ADW_TYPE_SQUEEZER);
  g_assert_cmpint (adw_squeezer_get_transition_type (ADW_SQUEEZER (squeezer)), ==, ADW_SQUEEZER_TRANSITION_TYPE_NONE);
}

static gboolean
has_word (LoomWindow *window)
{
  AdwSplitButton *open =
    ADW_SPLIT_BUTTON (gtk_widget_get_template_child (GTK_WIDGET (window), LOOM_TYPE_WINDOW, "open_button"));
  return adw_split_button_get_label (open) != NULL;
}

static gboolean
is_compact (gpointer window)
{
  return has_buttons (window, FALSE) && !has_word (window) && gtk_widget_get_width (window) <= LEAST_PX;
}

static gboolean
is_wide (gpointer window)
{
  return has_buttons (window, TRUE) && has_word (window);
}

static GtkWidget *
find_run_name (gpointer window)
{
  return GTK_WIDGET (gtk_widget_get_template_child (window, LOOM_TYPE_WINDOW, "run_name"));
}

static gboolean
names_run (gpointer window)
{
  return gtk_widget_get_visible (find_run_name (window));
}

/* A wide window shows the name of its run in the header, except on views that contain the name. */
static void
check_run_name (LoomWindow *window)
{
  AdwViewStack *views = loom_run_page_get_views (loom_window_get_run_view (window));
  fixture_resize (window, 1270, 700);
  g_assert_false (names_run (window));
  adw_view_stack_set_visible_child_name (views, "events");
  g_assert_true (fixture_wait (names_run, window));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (find_run_name (window))), "sample · "));
  adw_view_stack_set_visible_child_name (views, "timeline");
  g_assert_false (names_run (window));
}

/* Opens the sample. The view switcher gets its buttons only after the next frame. */
static void
open_sample (LoomWindow *window)
{
  GtkWidget *title = GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (window), LOOM_TYPE_WINDOW, "title"));
  loom_window_open_paths (window, (const char *const[]) { fixture_sample (), NULL }, FALSE);
  g_assert_null (adw_view_switcher_title_get_stack (ADW_VIEW_SWITCHER_TITLE (title)));
  fixture_wait_loaded (window);
  g_assert_nonnull (adw_view_switcher_title_get_stack (ADW_VIEW_SWITCHER_TITLE (title)));
}

/* In a narrow window the title is not truncated, and the actions whose buttons are hidden (export, add) are in the main
 * menu. In a still narrower window the button for opening has an icon instead of a word. The sidebar folds without
 * animation: libadwaita leaks an animation that runs when the window is closed. */
static void
test_header (void)
{
  LoomWindow *window = fixture_window ();
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (window)), "gtk-enable-animations", FALSE, NULL);
  assert_no_fade (window);
  open_sample (window);
  for (guint i = 0; i < 2; i++) {
    fixture_resize (window, 1200, 700);
    g_assert_true (fixture_wait (is_wide, window));
    check_run_name (window);
    fixture_resize (window, NARROW_PX, 700);
    g_assert_true (fixture_wait (is_whole, window));
    fixture_resize (window, LEAST_PX, 700);
    g_assert_true (fixture_wait (is_compact, window));
  }
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (window)), "gtk-enable-animations", TRUE, NULL);
  fixture_close (window);
}

static gboolean
has_names (gpointer window)
{
  GtkWidget *cell = fixture_find_type (window, GTK_TYPE_INSCRIPTION);
  return cell != NULL && gtk_inscription_get_text (GTK_INSCRIPTION (cell)) != NULL;
}

/* In right-to-left languages time still runs from left to right, and the tracks begin below the end of the ruler's
 * corner. */
static void
test_right_to_left (void)
{
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomTimelineView *timeline = loom_run_page_get_timeline_view (loom_window_get_run_view (window));
  GtkWidget *tracks = loom_timeline_view_get_tracks (timeline);
  graphene_rect_t bounds;
  g_assert_true (gtk_widget_compute_bounds (tracks, GTK_WIDGET (timeline), &bounds));
  g_test_message ("tracks at %g of %d", bounds.origin.x, gtk_widget_get_width (GTK_WIDGET (timeline)));
  g_assert_cmpfloat (bounds.origin.x, >, 100); /* row headers are on the left */
  GtkWidget *mode = fixture_find_type (GTK_WIDGET (timeline), GTK_TYPE_MENU_BUTTON);
  g_assert_true (gtk_widget_compute_bounds (mode, GTK_WIDGET (timeline), &bounds));
  g_assert_cmpfloat (bounds.origin.x, <, 20); /* the corner of the ruler, with its button, is also on the left */
  loom_run_state_set_page (loom_window_get_run_state (window), "events");
  g_assert_true (fixture_wait (has_names, window));
  GtkWidget *start = fixture_find_type (GTK_WIDGET (window), GTK_TYPE_INSCRIPTION);
  /* numbers are written from left to right, and end on the right */
  g_assert_cmpint (gtk_widget_get_direction (start), ==, GTK_TEXT_DIR_LTR);
  g_assert_cmpfloat (gtk_inscription_get_xalign (GTK_INSCRIPTION (start)), ==, 1);
  fixture_close (window);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static gboolean
has_headers (gpointer timeline)
{
  return loom_timeline_view_get_header_width (timeline) > 0;
}

static int wanted_px;

static gboolean
has_wanted_headers (gpointer timeline)
{
  return loom_timeline_view_get_header_width (timeline) == wanted_px;
}

static gboolean
has_wider_headers (gpointer timeline)
{
  return 2 * loom_timeline_view_get_header_width (timeline) > 3 * wanted_px;
}

/* Text of twice the size makes the row headers at least half as wide again, but at most a third of the view, both in an
 * open window and in a window that is opened afterwards. When the text has its former size again, so have the row
 * headers of the first window. */
static void
test_large_text (void)
{
  int dpi;
  GtkSettings *settings = gtk_settings_get_default ();
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomTimelineView *timeline = loom_run_page_get_timeline_view (loom_window_get_run_view (window));
  g_assert_true (fixture_wait (has_headers, timeline));
  int before = loom_timeline_view_get_header_width (timeline);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * 1024, NULL);
  wanted_px = before;
  g_assert_true (fixture_wait (has_wider_headers, timeline));
  LoomWindow *other = fixture_window ();
  fixture_open (other, fixture_sample ());
  g_assert_true (fixture_wait (has_wider_headers, loom_run_page_get_timeline_view (loom_window_get_run_view (other))));
  fixture_close (other);
  g_object_set (settings, "gtk-xft-dpi", 96 * 1024, NULL);
  wanted_px = before;
  g_assert_true (fixture_wait (has_wanted_headers, timeline));
  fixture_close (window);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

/* A restored session updates the window's actions and the range chooser above the panels. */
static void
test_restored (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", "[" EVENT ("a", "1") "]");
  g_autofree char *session = fixture_file (
    folder, "s.traceloom",
    "{\"traceloom-session\":1,\"sources\":[{\"path\":\"one.json\"}],\"colors\":\"duration\",\"arrows\":true,"
    "\"panel\":\"findings\",\"range\":\"visible\"}");
  LoomWindow *window = fixture_window ();
  fixture_open (window, session);
  g_autoptr (GVariant) colors = g_action_group_get_action_state (G_ACTION_GROUP (window), "colors"),
                       arrows = g_action_group_get_action_state (G_ACTION_GROUP (window), "arrows");
  g_assert_cmpstr (g_variant_get_string (colors, NULL), ==, "duration");
  g_assert_true (g_variant_get_boolean (arrows));
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "overview");
  GtkWidget *view =
    GTK_WIDGET (loom_run_views_get_analysis (loom_run_page_get_panels (loom_window_get_run_view (window))));
  GtkWidget *chooser = GTK_WIDGET (gtk_widget_get_template_child (view, LOOM_TYPE_ANALYSIS_VIEW, "range"));
  GtkDropDown *range = GTK_DROP_DOWN (gtk_widget_get_template_child (chooser, LOOM_TYPE_RANGE_CHOOSER, "range"));
  g_assert_cmpuint (gtk_drop_down_get_selected (range), ==, LOOM_RANGE_SCOPE_VISIBLE);
  fixture_close (window);
}

/* --- toasts -------------------------------------------------------------------------------------------------------- */

static gboolean
says (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

typedef struct {
  LoomWindow *window;
  const char *text;
} Said;

static gboolean
is_said (gpointer data)
{
  const Said *said = data;
  return says (GTK_WIDGET (said->window), said->text);
}

/* The name of an undo step may contain characters of Pango markup, such as & and <, which must be shown literally. */
static void
test_undo_is_named (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", "[" EVENT ("a", "1") "]");
  g_autofree char *two = fixture_file (folder, "two.json", "[" EVENT ("b", "3") "]");
  LoomWindow *window = fixture_window ();
  fixture_open (window, one);
  loom_window_open_paths (window, (const char *const[]) { two, NULL }, TRUE);
  fixture_wait_loaded (window);
  g_action_group_activate_action (G_ACTION_GROUP (window), "undo", NULL);
  g_assert_true (fixture_wait (is_said, &(Said) { window, "Undone: Add Files" }));
  fixture_wait_loaded (window);
  g_assert_cmpuint (loom_document_count_spans (loom_window_get_document (window)), ==, 1);
  g_action_group_activate_action (G_ACTION_GROUP (window), "redo", NULL);
  g_assert_true (fixture_wait (is_said, &(Said) { window, "Redone: Add Files" }));
  fixture_wait_loaded (window);
  g_assert_cmpuint (loom_document_count_spans (loom_window_get_document (window)), ==, 2);
  loom_document_edit_clocks (loom_window_get_document (window), loom_clock_overrides_new (), "Move <b>&", FALSE);
  g_action_group_activate_action (G_ACTION_GROUP (window), "undo", NULL);
  g_assert_true (fixture_wait (is_said, &(Said) { window, "Undone: Move <b>&" }));
  fixture_close (window);
}

static GtkWidget *
find_menu_item (GtkWidget *widget, const char *text)
{
  g_autofree char *own = NULL;
  if (g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkModelButton") && gtk_widget_get_mapped (widget))
    g_object_get (widget, "text", &own, NULL);
  GtkWidget *found = g_strcmp0 (own, text) == 0 ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_menu_item (child, text);
  return found;
}

static GtkWidget *
find_button_with_tip (GtkWidget *widget, const char *tip)
{
  const char *own = GTK_IS_MENU_BUTTON (widget) ? gtk_widget_get_tooltip_text (widget) : NULL;
  GtkWidget *found = own != NULL && g_str_has_prefix (own, tip) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_button_with_tip (child, tip);
  return found;
}

static gboolean
is_unmapped (gpointer widget)
{
  return !gtk_widget_get_mapped (widget);
}

/* After an item of a submenu was activated, keys reach the window, because the focus is not on the hidden item. */
static void
test_submenu (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  GtkWidget *button = find_button_with_tip (GTK_WIDGET (window), "View:");
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  fixture_frames (window);
  GtkWidget *menu = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)));
  g_object_set (menu, "visible-submenu", "Sort Ra_nks By", NULL);
  fixture_spin (300);
  GtkWidget *item = find_menu_item (menu, "Lateness");
  g_assert_true (item != NULL && gtk_widget_grab_focus (item) && gtk_widget_activate (item));
  g_assert_true (fixture_wait (is_unmapped, menu));
  fixture_frames (window);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));
  g_assert_true (focus != NULL && !gtk_widget_is_ancestor (focus, menu));
  fixture_close (window);
}

static gboolean
draws_over_spans (LoomWindow *window)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "overlay-series");
  return g_variant_get_boolean (state);
}

/* The action "overlay-series" is checked while the selected run draws utilization over spans; each run has its own
 * state. In a run without utilization, activating the action shows a message, and the action stays unchecked. */
static void
test_utilization_over_spans (void)
{
  g_autofree char *folder = fixture_folder (), *bare = fixture_file (folder, "bare.json", "[" EVENT ("a", "1") "]");
  g_autofree char *named = fixture_file (folder, "named.json",
                                         "[" EVENT ("a", "1") ",{\"ph\":\"C\",\"name\":\"GPU Utilization\",\"pid\":1,"
                                                              "\"ts\":2,\"args\":{\"value\":3}}]");
  LoomWindow *window = fixture_window ();
  fixture_open (window, named);
  g_action_group_activate_action (G_ACTION_GROUP (window), "overlay-series", NULL);
  g_assert_true (draws_over_spans (window)); /* this run has counters without a unit, which are drawn over the spans */
  fixture_open (window, fixture_sample ());
  g_assert_false (draws_over_spans (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "overlay-series", NULL);
  g_assert_true (draws_over_spans (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "overlay-series", NULL);
  g_assert_false (draws_over_spans (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "overlay-series", NULL);
  fixture_open (window, bare);
  g_assert_false (draws_over_spans (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "overlay-series", NULL);
  g_assert_false (draws_over_spans (window));
  g_assert_true (fixture_wait (
    is_said, &(Said) { window, "No row shows utilization; the “Utilization” page computes it from kernels" }));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/window/help", test_help);
  g_test_add_func ("/app/window/help-in-dialog", test_help_in_dialog);
  g_test_add_func ("/app/window/restored", test_restored);
  g_test_add_func ("/app/window/drop", test_drop);
  g_test_add_func ("/app/window/close-while-loading", test_close_while_loading);
  g_test_add_func ("/app/window/counters", test_counters);
  g_test_add_func ("/app/window/undo-is-named", test_undo_is_named);
  g_test_add_func ("/app/window/submenu", test_submenu);
  g_test_add_func ("/app/window/utilization-over-spans", test_utilization_over_spans);
  g_test_add_func ("/app/window/narrow", test_narrow);
  g_test_add_func ("/app/window/header", test_header);
  g_test_add_func ("/app/window/right-to-left", test_right_to_left);
  g_test_add_func ("/app/window/large-text", test_large_text);
  groups_add_toasts ();
  groups_add_task_notification ();
  groups_add_measure_once ();
  groups_add_panes ();
  groups_add_query ();
  groups_add_hang_bar ();
  groups_add_icon_theme ();
  groups_add_dim_sign ();
  return fixture_run ();
}
