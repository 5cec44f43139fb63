/* SPDX-License-Identifier: Apache-2.0
 *
 * The command table lists every command: actions, keys, the shortcuts window and the palette must agree with it. While
 * the user types text, the keys of the timeline are letters.
 */
#include "fixture.h"

#include "loom-command-palette.h"
#include "loom-commands.h"
#include "loom-search-bar.h"

#include <string.h>

static LoomWindow *window;

static LoomTimelineView *
view (void)
{
  return loom_run_page_get_timeline_view (loom_window_get_run_view (window));
}

/* Closes everything that the last key may have opened. */
static void
reset (void)
{
  loom_search_state_set_open (loom_run_state_get_search (loom_window_get_run_state (window)), FALSE);
  loom_row_filter_set_open (loom_timeline_view_get_row_filter (view ()), FALSE);
  gtk_widget_grab_focus (loom_timeline_view_get_tracks (view ()));
}

static gboolean
has_name (const char *const *names, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return TRUE;
  return FALSE;
}

static gboolean
is_listed (const char *action)
{
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  for (guint i = 0; i < n; i++)
    if (commands[i].action != NULL && g_str_has_prefix (commands[i].action, action))
      return TRUE;
  return FALSE;
}

/* Returns TRUE for actions with a parameter, such as actions of context menus, which are not commands. */
static gboolean
needs_argument (GActionGroup *group, const char *name)
{
  return g_action_group_get_action_parameter_type (group, name) != NULL &&
         g_action_group_get_action_state_type (group, name) == NULL;
}

static void
assert_listed (GActionGroup *group, const char *prefix)
{
  g_auto (GStrv) names = g_action_group_list_actions (group);
  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree char *action = g_strconcat (prefix, names[i], NULL);
    if (!needs_argument (group, names[i]) && !is_listed (action))
      g_error ("%s is in no command", action);
  }
}

static void
test_actions (void)
{
  assert_listed (G_ACTION_GROUP (window), "win.");
  assert_listed (G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window))), "app.");
}

static gboolean
is_key_listed (guint keyval, GdkModifierType modifiers)
{
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; commands[i].keys[k] != NULL; k++) {
      guint key;
      GdkModifierType mask;
      g_assert_true (gtk_accelerator_parse (commands[i].keys[k], &key, &mask));
      if (key == keyval && mask == modifiers)
        return TRUE;
    }
  return FALSE;
}

/* Checks that the timeline handles a key exactly if the table of commands lists it. A key with Shift may also do the
 * same as without Shift. */
static void
probe (guint keyval, GdkModifierType modifiers)
{
  reset ();
  gboolean listed = is_key_listed (keyval, modifiers) || (modifiers == GDK_SHIFT_MASK && is_key_listed (keyval, 0));
  if (keyval == GDK_KEY_question || keyval == GDK_KEY_Return)
    return;
  if (loom_timeline_view_press_key (view (), keyval, modifiers) != listed)
    g_error ("%s %s", gtk_accelerator_name (keyval, modifiers), listed ? "does nothing" : "is in no command");
}

static void
test_keys (void)
{
  static const guint named[] = { GDK_KEY_Left,      GDK_KEY_Right,     GDK_KEY_Up,  GDK_KEY_Down,   GDK_KEY_Page_Up,
                                 GDK_KEY_Page_Down, GDK_KEY_Home,      GDK_KEY_End, GDK_KEY_Delete, GDK_KEY_Escape,
                                 GDK_KEY_Insert,    GDK_KEY_BackSpace, GDK_KEY_F2,  GDK_KEY_Return };
  static const GdkModifierType modifiers[] = { 0, GDK_SHIFT_MASK, GDK_CONTROL_MASK, GDK_ALT_MASK };
  for (guint i = 0; i < G_N_ELEMENTS (modifiers); i++) {
    for (guint key = GDK_KEY_space; key <= GDK_KEY_asciitilde; key++)
      if (!g_ascii_isupper ((char) key))
        probe (key, modifiers[i]);
    for (guint k = 0; k < G_N_ELEMENTS (named); k++)
      probe (named[k], modifiers[i]);
  }
  reset ();
}

/* --- the shortcuts window ------------------------------------------------------------------------------------------ */

typedef struct {
  GHashTable *keys;  /* accelerators of the window and keys of the timeline */
  GHashTable *texts; /* titles and subtitles */
} Shown;

static void
shown_free (Shown *shown)
{
  g_hash_table_unref (shown->keys);
  g_hash_table_unref (shown->texts);
  g_free (shown);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Shown, shown_free)

/* Returns TRUE for the group of the Python call tree, whose keys belong to another widget. */
static gboolean
has_own_keys (GtkWidget *group)
{
  g_autofree char *title = NULL;
  g_object_get (group, "title", &title, NULL);
  return g_str_equal (title, "Python call tree");
}

static void
collect_shortcut (Shown *shown, GtkWidget *shortcut)
{
  g_autofree char *title = NULL, *subtitle = NULL, *accelerator = NULL;
  g_object_get (shortcut, "title", &title, "subtitle", &subtitle, "accelerator", &accelerator, NULL);
  GtkWidget *group = gtk_widget_get_ancestor (shortcut, GTK_TYPE_SHORTCUTS_GROUP);
  g_hash_table_add (shown->texts, g_strdup (title));
  g_hash_table_add (shown->texts, g_strdup (subtitle != NULL ? subtitle : ""));
  if (accelerator == NULL || group == NULL || has_own_keys (group))
    return;
  g_auto (GStrv) keys = g_strsplit (accelerator, " ", -1);
  for (guint i = 0; keys[i] != NULL; i++)
    g_hash_table_add (shown->keys, g_strdup (keys[i]));
}

static void
collect_shortcuts (Shown *shown, GtkWidget *widget)
{
  if (GTK_IS_SHORTCUTS_SHORTCUT (widget))
    collect_shortcut (shown, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_shortcuts (shown, child);
}

static Shown *
read_shortcuts_window (void)
{
  Shown *shown = g_new (Shown, 1);
  *shown = (Shown) { g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                     g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  g_action_group_activate_action (G_ACTION_GROUP (window), "show-help-overlay", NULL);
  while (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  GtkShortcutsWindow *help = gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window));
  collect_shortcuts (shown, GTK_WIDGET (help));
  gtk_window_close (GTK_WINDOW (help));
  return shown;
}

static void
assert_shown (GHashTable *shown, const char *const *keys, const char *title)
{
  for (guint i = 0; keys[i] != NULL; i++)
    if (!g_hash_table_contains (shown, keys[i]))
      g_error ("the shortcuts window does not show %s (%s)", keys[i], title);
}

static gboolean
is_known (const char *key)
{
  /* Shift_L is only held, and <Shift>Return is a key of the search entry, so they are not in the table */
  static const char *const elsewhere[] = { "Shift_L", "<Shift>Return", NULL };
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  for (guint i = 0; i < n; i++)
    if (has_name (commands[i].accels, key) || has_name (commands[i].keys, key))
      return TRUE;
  return has_name (elsewhere, key);
}

/* Each pointer gesture has a line with title and description, without an accelerator. */
static void
assert_gestures_shown (GHashTable *texts)
{
  guint n;
  const LoomShortcut *shortcuts = loom_commands_get_shortcuts (&n);
  for (guint i = 0; i < n; i++)
    if (shortcuts[i].kind == LOOM_SHORTCUT_GESTURE &&
        (!g_hash_table_contains (texts, shortcuts[i].title) || !g_hash_table_contains (texts, shortcuts[i].value)))
      g_error ("the shortcuts window does not show “%s: %s”", shortcuts[i].title, shortcuts[i].value);
}

/* The shortcuts window shows the keys of all commands (loom_commands_get()), no other keys except a few
 * (is_known()), and all gestures. */
static void
test_shortcuts (void)
{
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  g_autoptr (Shown) shown = read_shortcuts_window ();
  GHashTableIter iter;
  gpointer key;
  for (guint i = 0; i < n; i++) {
    assert_shown (shown->keys, commands[i].accels, commands[i].title);
    assert_shown (shown->keys, commands[i].keys, commands[i].title);
  }
  g_hash_table_iter_init (&iter, shown->keys);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!is_known (key))
      g_error ("the shortcuts window shows %s, which no command has", (char *) key);
  assert_gestures_shown (shown->texts);
}

/* --- typing ------------------------------------------------------------------------------------------------------- */

static void
assert_letters (GtkEditable *entry)
{
  LoomViewport before = fixture_view (window);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (entry)));
  for (guint key = GDK_KEY_space; key <= GDK_KEY_asciitilde; key++)
    for (guint code = 24; code <= 61; code++) /* hardware codes of the three rows of letter keys */
      g_assert_false (fixture_press (window, key, code, 0));
  LoomViewport after = fixture_view (window);
  g_assert_true (loom_viewport_equal (&before, &after));
}

static GtkEditable *
entry_below (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkEditable *entry = GTK_IS_ENTRY (child) ? GTK_EDITABLE (child) : entry_below (child);
    if (entry != NULL)
      return entry;
  }
  return NULL;
}

static void
test_typing (void)
{
  LoomTimelineState *state = fixture_state (window);
  GObject *search =
    gtk_widget_get_template_child (GTK_WIDGET (loom_window_get_run_view (window)), LOOM_TYPE_RUN_PAGE, "search");
  LoomRange extent = loom_timeline_state_get_extent (state);
  loom_search_state_set_open (loom_run_state_get_search (loom_window_get_run_state (window)), TRUE);
  assert_letters (GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (search), LOOM_TYPE_SEARCH_BAR, "entry")));
  reset ();
  loom_row_filter_set_open (loom_timeline_view_get_row_filter (view ()), TRUE);
  assert_letters (GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (loom_timeline_view_get_row_filter (view ())),
                                                               LOOM_TYPE_ROW_FILTER, "entry")));
  reset ();
  loom_timeline_state_toggle_mark (state, extent.begin_ns + 1000, FALSE);
  loom_timeline_view_edit_note (view (), extent.begin_ns + 1000);
  assert_letters (entry_below (GTK_WIDGET (view ())));
  reset ();
}

/* --- the palette -------------------------------------------------------------------------------------------------- */

static LoomCommandPalette *
find_palette (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *l = windows; l != NULL; l = l->next)
    if (LOOM_IS_COMMAND_PALETTE (l->data))
      return l->data;
  return NULL;
}

static GtkWidget *
find_list (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_LIST_BOX (widget) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_list (child);
  return found;
}

/* Runs a command from the palette. Keeps a reference to its list, because a key event may keep parts of the window
 * alive longer than the rest. */
static void
command (const char *query)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "command-palette", NULL);
  LoomCommandPalette *palette = find_palette ();
  g_assert_nonnull (palette);
  g_autoptr (GtkWidget) list = g_object_ref (find_list (GTK_WIDGET (palette)));
  fixture_spin (50);
  gtk_editable_set_text (loom_command_palette_get_entry (palette), query);
  g_signal_emit_by_name (loom_command_palette_get_entry (palette), "activate");
  g_assert_null (find_palette ());
}

static guint
n_rows (void)
{
  return loom_row_list_get_n_rows (loom_timeline_state_get_row_list (fixture_state (window)));
}

static gboolean
says (GtkWidget *widget, const char *text)
{
  if (!gtk_widget_get_visible (widget) || !gtk_widget_get_child_visible (widget))
    return FALSE;
  if (GTK_IS_LABEL (widget))
    return g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

/* A search without results shows a message; a search with results afterwards lists them. */
static void
test_nothing (void)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "command-palette", NULL);
  LoomCommandPalette *palette = find_palette ();
  g_autoptr (GtkWidget) list = g_object_ref (find_list (GTK_WIDGET (palette)));
  g_assert_false (says (list, "Nothing found"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "collapse qqq");
  g_assert_true (says (list, "Nothing found"));
  g_assert_false (says (list, "Collapse all rows"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "collapse");
  g_assert_false (says (list, "Nothing found"));
  g_assert_true (says (list, "Collapse all rows"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "gpus busy"); /* words of the page's question */
  g_assert_true (says (list, "Page: Utilization"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "ranks"); /* pages come before commands */
  g_assert_true (says (list, "Sort ranks by lateness"));
  g_assert_true (says (GTK_WIDGET (gtk_list_box_get_selected_row (GTK_LIST_BOX (list))), "Page: Stragglers"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "late");
  g_assert_true (says (GTK_WIDGET (gtk_list_box_get_selected_row (GTK_LIST_BOX (list))), "Page: Stragglers"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "slow");
  g_assert_true (says (list, "Page: Stragglers"));
  gtk_window_destroy (GTK_WINDOW (palette));
}

static gboolean
lacks_dumps (gpointer lacks)
{
  return loom_page_lacks_get (lacks, "hang") != NULL;
}

/* Pages for which the run has no data are listed after all other pages and commands, but before commands that cannot be
 * run. They say what is missing, and can be opened. */
static void
test_without_data (void)
{
  LoomPageLacks *lacks = loom_run_state_get_lacks (loom_window_get_run_state (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "command-palette", NULL);
  LoomCommandPalette *palette = find_palette ();
  g_autoptr (GtkWidget) list = g_object_ref (find_list (GTK_WIDGET (palette)));
  g_assert_true (fixture_wait (lacks_dumps, lacks));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "page");
  GtkListBoxRow *row;
  guint n_below = 0;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i)) != NULL; i++) {
    if (!gtk_widget_get_child_visible (GTK_WIDGET (row)))
      continue;
    gboolean is_hang = says (GTK_WIDGET (row), "Page: Hang");
    g_assert_true (n_below == 0 || !gtk_list_box_row_get_activatable (row));
    g_assert_true (!is_hang || says (GTK_WIDGET (row), loom_page_lacks_get (lacks, "hang")));
    n_below += is_hang;
  }
  g_assert_cmpuint (n_below, ==, 1);
  gtk_window_destroy (GTK_WINDOW (palette));
  command ("page hang");
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "hang");
}

/* Unavailable commands are listed last, say what they need, and do nothing when activated. */
static void
test_unavailable (void)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "command-palette", NULL);
  LoomCommandPalette *palette = find_palette ();
  g_autoptr (GtkWidget) list = g_object_ref (find_list (GTK_WIDGET (palette)));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "restore removed");
  g_assert_true (says (list, "Restore removed sources"));
  g_assert_true (says (list, "No sources were removed"));
  g_assert_false (gtk_list_box_row_get_activatable (gtk_list_box_get_selected_row (GTK_LIST_BOX (list))));
  g_signal_emit_by_name (loom_command_palette_get_entry (palette), "activate");
  g_assert_true (find_palette () == palette);
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "clocks");
  g_assert_true (says (list, "Clocks are already aligned"));
  g_assert_true (gtk_list_box_row_get_activatable (gtk_list_box_get_selected_row (GTK_LIST_BOX (list))));
  gtk_window_destroy (GTK_WINDOW (palette));
}

static void
test_palette (void)
{
  guint before = n_rows ();
  reset ();
  command ("all COLLAPSE"); /* words match in any order and case; the first result runs */
  g_assert_cmpuint (n_rows (), <, before);
  command ("expand all");
  g_assert_cmpuint (n_rows (), >=, before);
  command ("collapse all");
  g_assert_cmpuint (n_rows (), <, before);
  command ("expa"); /* a match at the beginning of a word precedes a match inside */
  g_assert_cmpuint (n_rows (), >=, before);
  command ("measure");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_TIMING);
  command ("mode select");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_SELECT);
  command ("ruler utc");
  g_assert_cmpint (loom_timeline_state_get_reading (fixture_state (window)), ==, LOOM_RULER_UNIT_UTC);
  command ("page steps");
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "steps");
  command ("page details");
  g_assert_cmpstr (loom_run_state_get_page (loom_window_get_run_state (window)), ==, "selection");
  command ("measure");
  command ("mode select");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_SELECT);
  command (""); /* without a text, the palette offers the command that was used last, then the one before it */
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_SELECT);
  command ("measure");
  command ("");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_TIMING);
  command ("mode select");
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/commands/actions", test_actions);
  g_test_add_func ("/app/commands/keys", test_keys);
  g_test_add_func ("/app/commands/shortcuts", test_shortcuts);
  g_test_add_func ("/app/commands/typing", test_typing);
  g_test_add_func ("/app/commands/palette", test_palette);
  g_test_add_func ("/app/commands/nothing", test_nothing);
  g_test_add_func ("/app/commands/without-data", test_without_data);
  g_test_add_func ("/app/commands/unavailable", test_unavailable);
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return fixture_run ();
}
