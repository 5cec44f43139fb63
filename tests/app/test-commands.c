/* SPDX-License-Identifier: Apache-2.0
 *
 * One table names every command: the actions there are, the keys that do something, the help overlay and the palette
 * agree with it. Keys of the timeline are letters while text is typed.
 */
#include "fixture.h"

#include "loom-command-palette.h"
#include "loom-commands.h"
#include "loom-help.h"

#include <string.h>

#define OVERLAY "/io/github/traceloom/Traceloom/loom-shortcuts.ui"

static LoomWindow *window;

static LoomTimelineView *
view (void)
{
  return loom_run_view_get_timeline_view (loom_window_get_run_view (window));
}

/* Ready for the next key, wherever the last one led. */
static void
reset (void)
{
  loom_search_bar_set_open (loom_run_view_get_search_bar (loom_window_get_run_view (window)), FALSE);
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

/* What is done to something that only its place in the window names. */
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

/* With Shift most keys do what they do without, or the same faster. */
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
  static const guint named[] = { GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Page_Up,
                                 GDK_KEY_Page_Down, GDK_KEY_Home, GDK_KEY_End, GDK_KEY_Delete, GDK_KEY_Escape,
                                 GDK_KEY_Insert, GDK_KEY_BackSpace, GDK_KEY_F2, GDK_KEY_Return };
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

/* --- the overlay -------------------------------------------------------------------------------------------------- */

typedef struct {
  GHashTable *said; /* accelerators and actions */
  GString *text;
  gboolean own_keys; /* of a group that is not the timeline's */
} Overlay;

static void
add_property (Overlay *overlay, const char *name, const char *value)
{
  if (g_str_equal (name, "title"))
    overlay->own_keys = overlay->own_keys || g_str_equal (value, "Python call tree");
  if (g_str_equal (name, "action-name"))
    g_hash_table_add (overlay->said, g_strdup (value));
  if (!g_str_equal (name, "accelerator") || overlay->own_keys)
    return;
  g_auto (GStrv) keys = g_strsplit (value, " ", -1);
  for (guint i = 0; keys[i] != NULL; i++)
    g_hash_table_add (overlay->said, g_strdup (keys[i]));
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer data,
               GError **error)
{
  Overlay *overlay = data;
  g_string_truncate (overlay->text, 0);
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (values[i], "GtkShortcutsGroup"))
      overlay->own_keys = FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (element, "property") && g_str_equal (names[i], "name"))
      g_string_assign (overlay->text, values[i]);
}

static void
text_found (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Overlay *overlay = data;
  g_autofree char *value = g_strndup (text, length);
  if (overlay->text->len > 0)
    add_property (overlay, overlay->text->str, value);
  g_string_truncate (overlay->text, 0);
}

static GHashTable *
read_overlay (void)
{
  const GMarkupParser parser = { .start_element = start_element, .text = text_found };
  Overlay overlay = { g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), g_string_new (NULL), FALSE };
  g_autoptr (GBytes) bytes = g_resources_lookup_data (OVERLAY, 0, NULL);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &overlay, NULL);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  g_assert_true (g_markup_parse_context_parse (context, text, (gssize) size, NULL));
  g_string_free (overlay.text, TRUE);
  return overlay.said;
}

static void
assert_said (GHashTable *said, const LoomCommand *command)
{
  gboolean by_action = command->action != NULL && g_hash_table_contains (said, command->action);
  for (guint i = 0; command->accels[i] != NULL; i++)
    if (!by_action && !g_hash_table_contains (said, command->accels[i]))
      g_error ("the overlay does not say %s (%s)", command->accels[i], command->title);
  for (guint i = 0; command->keys[i] != NULL; i++)
    if (!g_hash_table_contains (said, command->keys[i]))
      g_error ("the overlay does not say %s (%s)", command->keys[i], command->title);
}

static gboolean
is_known (const char *said)
{
  static const char *const elsewhere[] = { "Shift_L", "<Shift>Return", NULL }; /* held; in the search entry */
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (commands[i].action, said) == 0 || has_name (commands[i].accels, said) || has_name (commands[i].keys, said))
      return TRUE;
  return has_name (elsewhere, said);
}

static void
test_overlay (void)
{
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  g_autoptr (GHashTable) said = read_overlay ();
  GHashTableIter iter;
  gpointer key;
  for (guint i = 0; i < n; i++)
    assert_said (said, &commands[i]);
  g_hash_table_iter_init (&iter, said);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!is_known (key))
      g_error ("the overlay says %s, which nothing does", (char *) key);
}

/* What the pointer does stands in the overlay without an accelerator. */
static void
test_gestures (void)
{
  static const char *const said[] = { "Ctrl or Alt and wheel; pinch", "Shift and wheel, wheel sideways, right button, or Space and drag",
                                      "Drag; edges again; Ctrl while dragging, or Alt on an edge, does not snap to spans", "Alt and drag its tracks",
                                      "Drag with the middle button, or with Shift (see Preferences)", "Double click", "Shift and double click",
                                      "Ctrl and click", "Ctrl and drag; Escape gives it up", "Double click on a mark",
                                      "Drag a name, or the lower edge of a plot" };
  g_autoptr (GBytes) bytes = g_resources_lookup_data (OVERLAY, 0, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    g_autofree char *element = g_strdup_printf (">%s<", said[i]);
    if (strstr (g_bytes_get_data (bytes, NULL), element) == NULL)
      g_error ("the overlay does not say “%s”", said[i]);
  }
}

/* --- the page of the guide ------------------------------------------------------------------------------------------ */

/* As the page spells it: "Ctrl+Page Up" is <Primary>Page_Up. */
static char *
accel_of (const char *said)
{
  static const char *const spelled[][2] = { { "Ctrl+", "<Primary>" }, { "Shift+", "<Shift>" }, { "Alt+", "<Alt>" }, { "←", "Left" },
    { "→", "Right" }, { "↑", "Up" }, { "↓", "Down" }, { "Page ", "Page_" }, { "Enter", "Return" }, { "Space", "space" },
    { "`[`", "bracketleft" }, { "`]`", "bracketright" }, { "`,`", "comma" }, { "`.`", "period" }, { "`/`", "slash" } };
  GString *text = g_string_new (said);
  for (guint i = 0; i < G_N_ELEMENTS (spelled); i++)
    g_string_replace (text, spelled[i][0], spelled[i][1], 0);
  char *last = strrchr (text->str, '>');
  last = last != NULL ? last + 1 : text->str;
  if (strlen (last) == 1)
    *last = g_ascii_tolower (*last);
  return g_string_free (text, FALSE);
}

/* What stands before the colon of each item. */
static GHashTable *
read_page (void)
{
  GHashTable *said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *page = loom_help_dup_page ("keys");
  g_auto (GStrv) lines = g_strsplit (page, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    if (!g_str_has_prefix (lines[i], "- "))
      continue;
    g_autofree char *keys = g_strndup (lines[i] + 2, strcspn (lines[i], ":") - 2);
    g_auto (GStrv) each = g_strsplit (keys, ", ", -1);
    for (guint k = 0; each[k] != NULL; k++)
      g_hash_table_add (said, accel_of (each[k]));
  }
  return said;
}

/* All keys of the timeline, and no key that does nothing. */
static void
test_page (void)
{
  static const char *const of_gtk[] = { "F6", "Tab", "question", NULL }; /* the last stands in its first sentence */
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  g_autoptr (GHashTable) said = read_page ();
  GHashTableIter iter;
  gpointer key;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; commands[i].keys[k] != NULL; k++)
      if (!g_hash_table_contains (said, commands[i].keys[k]) && !has_name (of_gtk, commands[i].keys[k]))
        g_error ("the page of keys does not say %s (%s)", commands[i].keys[k], commands[i].title);
  g_hash_table_iter_init (&iter, said);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!is_known (key) && !has_name (of_gtk, key))
      g_error ("the page of keys says %s, which nothing does", (char *) key);
}

/* --- typing ------------------------------------------------------------------------------------------------------- */

static void
assert_letters (GtkEditable *entry)
{
  LoomViewport before = fixture_view (window);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (entry)));
  for (guint key = GDK_KEY_space; key <= GDK_KEY_asciitilde; key++)
    for (guint code = 24; code <= 61; code++) /* the letters' places */
      g_assert_false (fixture_press (window, key, code, 0));
  LoomViewport after = fixture_view (window);
  g_assert_true (loom_viewport_equal (&before, &after));
}

static GtkEditable *
entry_below (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child)) {
    GtkEditable *entry = GTK_IS_ENTRY (child) ? GTK_EDITABLE (child) : entry_below (child);
    if (entry != NULL)
      return entry;
  }
  return NULL;
}

static void
test_typing (void)
{
  LoomViewState *state = fixture_state (window);
  LoomSearchBar *search = loom_run_view_get_search_bar (loom_window_get_run_view (window));
  LoomRange extent = loom_view_state_get_extent (state);
  loom_search_bar_set_open (search, TRUE);
  assert_letters (loom_search_bar_get_entry (search));
  reset ();
  loom_row_filter_set_open (loom_timeline_view_get_row_filter (view ()), TRUE);
  assert_letters (loom_row_filter_get_entry (loom_timeline_view_get_row_filter (view ())));
  reset ();
  loom_view_state_toggle_mark (state, extent.begin_ns + 1000, FALSE);
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
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL; child = gtk_widget_get_next_sibling (child))
    found = find_list (child);
  return found;
}

/* A key's event holds parts of the window longer than the rest of it. */
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
  return loom_outline_get_n_rows (loom_view_state_get_outline (fixture_state (window)));
}

/* Whole words, then their beginnings, then the rest; and what lacks a word not at all. */
static void
test_fit (void)
{
  static const char *const titles[] = { "Fold all rows", "Open a folder", "Unfold all rows", "Öffnen: alles", "すべて折りたたむ" };
  static const struct {
    const char *query;
    guint fits[G_N_ELEMENTS (titles)];
  } cases[] = { { "fold", { 0, 1, 2, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT } },
                { "ALL  fold", { 0, LOOM_COMMAND_NO_FIT, 2, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT } },
                { "ÖFF all", { LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, 2, LOOM_COMMAND_NO_FIT } },
                { "折り", { LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, 2 } },
                { "", { 0, 0, 0, 0, 0 } } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (titles); k++)
      g_assert_cmpuint (loom_command_fit (titles[k], cases[i].query), ==, cases[i].fits[k]);
}

static gboolean
says (GtkWidget *widget, const char *text)
{
  if (!gtk_widget_get_child_visible (widget))
    return FALSE;
  if (GTK_IS_LABEL (widget))
    return g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (says (child, text))
      return TRUE;
  return FALSE;
}

/* What fits nothing is told so; what fits something again finds it. */
static void
test_nothing (void)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "command-palette", NULL);
  LoomCommandPalette *palette = find_palette ();
  g_autoptr (GtkWidget) list = g_object_ref (find_list (GTK_WIDGET (palette)));
  g_assert_false (says (list, "Nothing found"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "fold qqq");
  g_assert_true (says (list, "Nothing found"));
  g_assert_false (says (list, "Fold all rows"));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "fold");
  g_assert_false (says (list, "Nothing found"));
  g_assert_true (says (list, "Fold all rows"));
  gtk_window_destroy (GTK_WINDOW (palette));
}

/* What cannot be done is found all the same, last, says what it needs, and stays undone. */
static void
test_unavailable (void)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "command-palette", NULL);
  LoomCommandPalette *palette = find_palette ();
  g_autoptr (GtkWidget) list = g_object_ref (find_list (GTK_WIDGET (palette)));
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "compare");
  g_assert_true (says (list, "Compare with the run of another tab"));
  g_assert_true (says (list, "Open two runs first, each in a tab of its own"));
  g_assert_false (gtk_list_box_row_get_activatable (gtk_list_box_get_selected_row (GTK_LIST_BOX (list))));
  g_signal_emit_by_name (loom_command_palette_get_entry (palette), "activate");
  g_assert_true (find_palette () == palette);
  gtk_editable_set_text (loom_command_palette_get_entry (palette), "clocks");
  g_assert_true (says (list, "Clocks are as fitted already"));
  g_assert_true (gtk_list_box_row_get_activatable (gtk_list_box_get_selected_row (GTK_LIST_BOX (list))));
  gtk_window_destroy (GTK_WINDOW (palette));
}

static void
test_palette (void)
{
  guint before = n_rows ();
  reset ();
  command ("all FOLD"); /* words in any order; the first of several */
  g_assert_cmpuint (n_rows (), <, before);
  command ("unfold all");
  g_assert_cmpuint (n_rows (), >=, before);
  command ("fold"); /* the word before “folder” and “unfold” */
  g_assert_cmpuint (n_rows (), <, before);
  command ("unf"); /* where a word begins before where one has it inside */
  g_assert_cmpuint (n_rows (), >=, before);
  command ("timing");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_MODE_TIMING);
  command ("mode select");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_MODE_SELECT);
  command ("ruler utc");
  g_assert_cmpint (loom_view_state_get_reading (fixture_state (window)), ==, LOOM_READING_UTC);
  command ("panel steps");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (loom_panels_get_stack (loom_run_view_get_panels (loom_window_get_run_view (window)))), ==, "steps");
  command ("timing");
  command ("mode select");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_MODE_SELECT);
  command (""); /* the last one again, then the one before that */
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_MODE_SELECT);
  command ("timing");
  command ("");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_MODE_TIMING);
  command ("mode select");
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/commands/actions", test_actions);
  g_test_add_func ("/app/commands/keys", test_keys);
  g_test_add_func ("/app/commands/overlay", test_overlay);
  g_test_add_func ("/app/commands/gestures", test_gestures);
  g_test_add_func ("/app/commands/page", test_page);
  g_test_add_func ("/app/commands/typing", test_typing);
  g_test_add_func ("/app/commands/fit", test_fit);
  g_test_add_func ("/app/commands/palette", test_palette);
  g_test_add_func ("/app/commands/nothing", test_nothing);
  g_test_add_func ("/app/commands/unavailable", test_unavailable);
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return fixture_run ();
}
