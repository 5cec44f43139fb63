/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the table of commands without a window: the keys in the shortcuts window, the help page of keys in every
 * language, the order of the command palette, the language of the help, and its page about each page of a run.
 */
#include "loom-application.h"
#include "loom-commands.h"
#include "loom-compare-window.h"
#include "loom-export-dialog.h"
#include "loom-help-topic.h"
#include "loom-help-window.h"
#include "loom-location-dialog.h"
#include "loom-next-profile-dialog.h"
#include "loom-page-index.h"
#include "loom-preferences.h"
#include "loom-profiler-config-editor.h"
#include "loom-rule-editor.h"
#include "loom-rule-limits-dialog.h"

#include <string.h>

#define HELP "/io/github/traceloom/Traceloom/help"

static gboolean
has_name (const char *const *names, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return TRUE;
  return FALSE;
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

/* A line of the shortcuts window shows the keys of the commands that it names: the first key of each, then the
 * second. */
static void
test_shortcut_keys (void)
{
  static const struct {
    LoomShortcut line;
    const char *keys;
  } cases[] = {
    { { LOOM_SHORTCUT_COMMANDS, "", "w s" }, "w s" },
    { { LOOM_SHORTCUT_COMMANDS, "", "Left Right" }, "Left Right comma period" },
    { { LOOM_SHORTCUT_COMMANDS, "", "win.search" }, "slash <Primary>f" },
    { { LOOM_SHORTCUT_COMMANDS, "", "win.redo" }, "<Primary><Shift>z <Primary>y" },
    { { LOOM_SHORTCUT_KEYS, "", "Left Right" }, "Left Right" },
    { { LOOM_SHORTCUT_GESTURE, "", "Double-click" }, NULL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *keys = loom_commands_dup_shortcut_keys (&cases[i].line);
    g_assert_cmpstr (keys, ==, cases[i].keys);
  }
}

/* Every pointer gesture has a line in the shortcuts window. */
static void
test_gestures (void)
{
  static const char *const gestures[] = { "Ctrl+scroll, Alt+scroll or pinch",
                                          "Shift+scroll, horizontal scroll, right-drag or Space+drag",
                                          "Drag; then drag an edge to adjust it",
                                          "Ctrl while dragging, or Alt while dragging an edge",
                                          "Alt+drag a track of the source",
                                          "Middle-drag, or Shift+drag (see Preferences)",
                                          "Double-click",
                                          "Shift+double-click",
                                          "Ctrl+click",
                                          "Ctrl+drag (Escape cancels)",
                                          "Double-click a mark",
                                          "Drag a row name, or the lower edge of a plot" };
  guint n, n_found = 0;
  const LoomShortcut *shortcuts = loom_commands_get_shortcuts (&n);
  for (guint i = 0; i < n; i++) {
    if (shortcuts[i].kind != LOOM_SHORTCUT_GESTURE)
      continue;
    g_assert_cmpuint (n_found, <, G_N_ELEMENTS (gestures));
    g_assert_cmpstr (shortcuts[i].value, ==, gestures[n_found]);
    n_found++;
  }
  g_assert_cmpuint (n_found, ==, G_N_ELEMENTS (gestures));
}

/* Spelling of keys in the help pages of all languages. Longer names come before their parts: "Ctrl+Page Up" is
 * <Primary>Page_Up. */
static const char *const spelled[][2] = {
  { "Ctrl+", "<Primary>" },
  { "Strg+", "<Primary>" },
  { "Shift+", "<Shift>" },
  { "Umschalt+", "<Shift>" },
  { "Mayús+", "<Shift>" },
  { "Maj+", "<Shift>" },
  { "Alt+", "<Alt>" },
  { "←", "Left" },
  { "→", "Right" },
  { "↑", "Up" },
  { "↓", "Down" },
  { "Page préc.", "Page_Up" },
  { "Page suiv.", "Page_Down" },
  { "Bild auf", "Page_Up" },
  { "Bild ab", "Page_Down" },
  { "Re Pág", "Page_Up" },
  { "Av Pág", "Page_Down" },
  { "Page ", "Page_" },
  { "Pos1", "Home" },
  { "Inicio", "Home" },
  { "Début", "Home" },
  { "Ende", "End" },
  { "Fin", "End" },
  { "Entf", "Delete" },
  { "Supr", "Delete" },
  { "Suppr", "Delete" },
  { "Eingabe", "Return" },
  { "Intro", "Return" },
  { "Entrée", "Return" },
  { "Enter", "Return" },
  { "Leertaste", "space" },
  { "Espacio", "space" },
  { "Espace", "space" },
  { "空格", "space" },
  { "Space", "space" },
  { "Échap", "Escape" },
  { "`[`", "bracketleft" },
  { "`]`", "bracketright" },
  { "`,`", "comma" },
  { "`.`", "period" },
  { "`/`", "slash" },
};

static char *
accel_of (const char *key)
{
  GString *text = g_string_new (key);
  for (guint i = 0; i < G_N_ELEMENTS (spelled); i++)
    g_string_replace (text, spelled[i][0], spelled[i][1], 0);
  char *last = strrchr (text->str, '>');
  last = last != NULL ? last + 1 : text->str;
  if (strlen (last) == 1)
    *last = g_ascii_tolower (*last);
  return g_string_free (text, FALSE);
}

/* Returns the keys before the colon of each list item. Chinese and Japanese use their own colons and commas. */
static GHashTable *
read_page (const char *page)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GRegex) item = g_regex_new ("^- (.+?)\\s*[:：]", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  for (g_regex_match (item, page, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL)) {
    g_autofree char *names = g_match_info_fetch (match, 1);
    g_auto (GStrv) each = g_regex_split_simple (", |、", names, 0, 0);
    for (guint k = 0; each[k] != NULL; k++)
      g_hash_table_add (keys, accel_of (each[k]));
  }
  return keys;
}

/* The page lists all keys of the timeline and no key without a function. */
static void
assert_page (const char *language)
{
  /* Keys that the test does not expect among the list items of the page: the key of the question mark is named in the
   * first sentence of the page instead. */
  static const char *const of_gtk[] = { "question", NULL };
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  g_autofree char *path = g_strdup_printf (HELP "/%skeys.md", language);
  g_autoptr (GBytes) page = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));
  g_autoptr (GHashTable) shown = read_page (text);
  GHashTableIter iter;
  gpointer key;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; commands[i].keys[k] != NULL; k++)
      if (!g_hash_table_contains (shown, commands[i].keys[k]) && !has_name (of_gtk, commands[i].keys[k]))
        g_error ("%s does not name %s (%s)", path, commands[i].keys[k], commands[i].title);
  g_hash_table_iter_init (&iter, shown);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!is_known (key) && !has_name (of_gtk, key))
      g_error ("%s names %s, which does nothing", path, (char *) key);
}

static void
test_page (void)
{
  g_auto (GStrv) languages = g_resources_enumerate_children (HELP, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_assert_cmpuint (g_strv_length (languages), ==, 6);
  for (guint i = 0; languages[i] != NULL; i++)
    assert_page (languages[i]); /* for example "de/" */
}

/* Search results are ordered: titles with matches of whole words come first, then those with matches of beginnings of
 * words, then those with matches of other parts of words. A title that lacks one of the words is not listed. */
static void
test_fit (void)
{
  static const char *const titles[] = { "Fold all rows", "Open a folder", "Unfold all rows", "Öffnen: alles",
                                        "すべて折りたたむ" };
  static const struct {
    const char *query;
    guint fits[G_N_ELEMENTS (titles)];
  } cases[] = { { "fold", { 0, 1, 2, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT } },
                { "ALL  fold", { 0, LOOM_COMMAND_NO_FIT, 2, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT } },
                { "ÖFF all",
                  { LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, 2, LOOM_COMMAND_NO_FIT } },
                { "折り", { LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, LOOM_COMMAND_NO_FIT, 2 } },
                { "", { 0, 0, 0, 0, 0 } } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (titles); k++)
      g_assert_cmpuint (loom_command_fit (titles[k], cases[i].query), ==, cases[i].fits[k]);
}

/* The name of a page comes before titles that only contain the word. */
static void
test_fit_name (void)
{
  g_assert_cmpuint (loom_command_fit_name ("Steps", "steps"), ==, 0);
  g_assert_cmpuint (loom_command_fit_name ("Übersicht", " ÜBERSICHT "), ==, 0);
  g_assert_cmpuint (loom_command_fit_name ("Call Tree", "call"), ==, 1);
  g_assert_cmpuint (loom_command_fit_name ("Page: Steps", "steps"), ==, LOOM_COMMAND_NO_FIT);
  g_assert_cmpuint (loom_command_fit_name ("Steps", ""), ==, LOOM_COMMAND_NO_FIT);
  g_assert_cmpuint (loom_command_fit_name ("Step", "steps"), ==, LOOM_COMMAND_NO_FIT);
}

/* The help opens in the user's language, else in the language without its country, else in English. GLib caches the
 * language names for each value of the environment. */
static void
test_help_language (void)
{
  static const struct {
    const char *language, *title;
  } said[] = { { "de", "# Uhren\n" },
               { "fr_CA:es", "# Horloges\n" },
               { "zh_CN", "# 时钟\n" },
               { "xx:ja", "# クロック\n" },
               { "xx", "# Clocks\n" } };
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    g_setenv ("LANGUAGE", said[i].language, TRUE);
    g_autofree char *text = loom_help_window_dup_page ("clocks");
    g_assert_true (g_str_has_prefix (text, said[i].title));
  }
  g_unsetenv ("LANGUAGE");
}

/* Returns TRUE if the page of the user guide exists and, if it lists the pages of a run, has an item about `index`. */
static gboolean
describes (const char *help, const LoomPageIndex *index)
{
  g_autofree char *text = help != NULL ? loom_help_window_dup_page (help) : NULL,
                  *item = g_strdup_printf ("\n- **%s**", index->title);
  return text != NULL && (!g_str_equal (help, "panels") || strstr (text, item) != NULL);
}

/* F1 finds a page of the user guide on each page of a run, and in the windows with pages of their own. */
static void
test_help_topics (void)
{
  const GType windows[] = { LOOM_TYPE_COMPARE_WINDOW, LOOM_TYPE_PROFILER_CONFIG_EDITOR, LOOM_TYPE_RULE_EDITOR,
                            LOOM_TYPE_EXPORT_DIALOG,  LOOM_TYPE_LOCATION_DIALOG,        LOOM_TYPE_RULE_LIMITS_DIALOG,
                            LOOM_TYPE_PREFERENCES,    LOOM_TYPE_NEXT_PROFILE_DIALOG };
  guint n;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++)
    if (!describes (loom_help_topic_find (pages[i].name), &pages[i]))
      g_error ("no help on the page %s", pages[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    g_assert_nonnull (loom_help_topic_find (g_type_name (windows[i])));
  g_assert_cmpstr (loom_help_topic_find ("LoomCompareWindow"), ==, "compare-runs");
  g_assert_null (loom_help_topic_find ("no such place"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* registers the resources, which contain the help pages */
  g_autoptr (LoomApplication) application = loom_application_new ();
  g_test_add_func ("/app/command-table/shortcut-keys", test_shortcut_keys);
  g_test_add_func ("/app/command-table/gestures", test_gestures);
  g_test_add_func ("/app/command-table/page", test_page);
  g_test_add_func ("/app/command-table/fit", test_fit);
  g_test_add_func ("/app/command-table/fit-name", test_fit_name);
  g_test_add_func ("/app/command-table/help-language", test_help_language);
  g_test_add_func ("/app/command-table/help-topics", test_help_topics);
  return g_test_run ();
}
