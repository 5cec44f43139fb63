/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-commands.h"

#include <glib/gi18n.h>
#include <string.h>

#define COUNTER N_ ("Point at a counter first")

static const LoomCommand commands[] = {
  { N_ ("Open a folder"), "win.open-folder", { "<Primary>o" } },
  { N_ ("Open files"), "win.open-files", { "<Primary><Shift>o" } },
  { N_ ("Open a location"), "win.open-location", { "<Primary>l" } },
  { N_ ("Open the sample"), "win.open-sample", .needs = N_ ("The sample is not installed") },
  { N_ ("Add a folder to the run"), "win.add-folder", { "<Primary>i" } },
  { N_ ("Add files to the run"), "win.add-files" },
  { N_ ("Reload"), "win.reload", { "F5", "<Primary>r" } },
  { N_ ("Show all sources"), "win.show-all-sources", .needs = N_ ("All sources are shown") },
  { N_ ("Bring back removed sources"), "win.bring-back-sources", .needs = N_ ("No source was removed") },
  { N_ ("Ranks and nodes by pattern"), "win.source-pattern" },
  { N_ ("Follow files on the disk"), "win.follow" },
  { N_ ("Follow the end of the run"), "win.follow-end", { "<Alt>End" } },
  { N_ ("Export"), "win.export", { "<Primary>e" } },
  { N_ ("Show or hide bottlenecks on the timeline"), "win.bottleneck-marks" },
  { N_ ("Clocks"), "win.show-clocks" },
  { N_ ("Save a report"), "win.save-report", { "<Primary><Shift>e" } },
  { N_ ("Save events"), "win.save-events" },
  { N_ ("Save the view as a picture"), "win.save-picture" },
  { N_ ("Copy the view as a picture"), "win.copy-picture", { "<Primary><Shift>c" } },
  { N_ ("Write rules"), "win.edit-rules" },
  { N_ ("Write a profiler configuration"), "win.edit-config" },
  { N_ ("Undo"), "win.undo", { "<Primary>z" }, .needs = N_ ("There is nothing to undo") },
  { N_ ("Redo"), "win.redo", { "<Primary><Shift>z", "<Primary>y" }, .needs = N_ ("There is nothing to do again") },
  { N_ ("Align the two selected events"),
    "win.align-events",
    { "<Primary><Shift>a" },
    .needs = N_ ("Select two events of different sources first") },
  { N_ ("Clocks as declared"), "win.use-declared-clocks", .needs = N_ ("No clock was fitted") },
  { N_ ("Clocks as fitted"), "win.use-fitted-clocks", .needs = N_ ("Clocks are as fitted already") },
  { N_ ("Reset all clocks"), "win.reset-clocks", .needs = N_ ("No clock was moved") },
  { N_ ("Save the session"), "win.save-session", { "<Primary>s" } },
  { N_ ("Save the session under another name"), "win.save-session-as", { "<Primary><Shift>s" } },
  { N_ ("Forget how this run was left"), "win.forget-view" },
  { N_ ("Search"), "win.search", { "<Primary>f" }, { "slash" } },
  { N_ ("Timeline"), "win.show-view::timeline", { "<Primary>1" } },
  { N_ ("Analysis"), "win.show-view::analysis", { "<Primary>2" } },
  { N_ ("Events"), "win.show-view::events", { "<Primary>3" } },
  { N_ ("Python profiles"), "win.show-view::python", { "<Primary>4" } },
  { N_ ("Show or hide sources"), "win.show-sources", { "F9" } },
  { N_ ("Show or hide details"), "win.show-panel", { "<Primary>F9" } },
  { N_ ("Problems"), "win.problems", { "<Primary><Shift>m" } },
  { N_ ("Fold all rows"), "win.fold-all" },
  { N_ ("Unfold all rows"), "win.unfold-all" },
  { N_ ("Order ranks by lateness"), "win.order-by-lateness", .needs = N_ ("Needs collectives of several ranks") },
  { N_ ("Order ranks by number"), "win.order-by-rank" },
  { N_ ("Draw utilization over spans"), "win.overlay-series" },
  { N_ ("Draw all arrows in view"), "win.arrows" },
  { N_ ("Colours: by name"), "win.colors::name" },
  { N_ ("Colours: by category"), "win.colors::category" },
  { N_ ("Colours: by duration"), "win.colors::duration" },
  { N_ ("Colours: by rank"), "win.colors::rank" },
  { N_ ("Counter: values"), "counter.quantity::value", .needs = COUNTER },
  { N_ ("Counter: differences"), "counter.quantity::difference", .needs = COUNTER },
  { N_ ("Counter: rate per second"), "counter.quantity::rate", .needs = COUNTER },
  { N_ ("Counter: stacked, or side by side"), "counter.stacked", .needs = COUNTER },
  { N_ ("Counter: logarithmic or linear scale"), "counter.logarithmic",
    .needs = N_ ("Point at a counter that is not stacked first") },
  { N_ ("Counter: lay other counters over it"), "counter.lay-over", .needs = COUNTER },
  { N_ ("Ruler: time since start"), "win.ruler::start" },
  { N_ ("Ruler: UTC"), "win.ruler::utc" },
  { N_ ("Ruler: local time"), "win.ruler::local" },
  { N_ ("Ruler: steps"), "win.ruler::step" },
  { N_ ("Command palette"), "win.command-palette", { "<Primary><Shift>p" } },
  { N_ ("Keyboard shortcuts"), "win.show-help-overlay", { "<Primary>question" }, { "question" } },
  { N_ ("Preferences"), "app.preferences", { "<Primary>comma" } },
  { N_ ("New window"), "app.new-window", { "<Primary>n" } },
  { N_ ("Help"), "app.help", { "F1" } },
  { N_ ("About Traceloom"), "app.about" },
  { N_ ("New tab"), "win.new-tab", { "<Primary>t" } },
  { N_ ("Close the tab"), "win.close-tab", { "<Primary>w" } },
  { N_ ("Previous tab"), "win.previous-tab", { "<Primary>Page_Up" } },
  { N_ ("Next tab"), "win.next-tab", { "<Primary>Page_Down" } },
  { N_ ("Compare with the run of another tab"), "win.compare", { "<Primary><Shift>b" } },
  { N_ ("Open what was left open in tabs"), "win.restore-lost" },
  { N_ ("Close the window"), "window.close", { "<Primary><Shift>w" } },
  { N_ ("Quit"), "app.quit", { "<Primary>q" } },

  { N_ ("Zoom in"), NULL, { NULL }, { "w" } },
  { N_ ("Zoom out"), NULL, { NULL }, { "s" } },
  { N_ ("Earlier"), NULL, { NULL }, { "a" } },
  { N_ ("Later"), NULL, { NULL }, { "d" } },
  { N_ ("Show the selection, then everything"), NULL, { NULL }, { "f" } },
  { N_ ("Show everything"), NULL, { NULL }, { "0", "z" } },
  { N_ ("Back to the view before"), NULL, { NULL }, { "<Alt>Left" } },
  { N_ ("Ahead to the next view"), NULL, { NULL }, { "<Alt>Right" } },
  { N_ ("Scroll up by a page"), NULL, { NULL }, { "Page_Up" } },
  { N_ ("Scroll down by a page"), NULL, { NULL }, { "Page_Down" } },
  { N_ ("First row"), NULL, { NULL }, { "Home" } },
  { N_ ("Last row"), NULL, { NULL }, { "End" } },
  { N_ ("Mode: select"), NULL, { NULL }, { "1" } },
  { N_ ("Mode: pan"), NULL, { NULL }, { "2" } },
  { N_ ("Mode: zoom"), NULL, { NULL }, { "3" } },
  { N_ ("Mode: timing"), NULL, { NULL }, { "4" } },
  { N_ ("Pan with a drag while held"), NULL, { NULL }, { "space" } },
  { N_ ("Previous span"), NULL, { NULL }, { "Left", "comma" } },
  { N_ ("Next span"), NULL, { NULL }, { "Right", "period" } },
  { N_ ("Parent of the span"), NULL, { NULL }, { "Up" } },
  { N_ ("First child of the span"), NULL, { NULL }, { "Down" } },
  { N_ ("Along an arrow, back"), NULL, { NULL }, { "bracketleft" } },
  { N_ ("Along an arrow, forth"), NULL, { NULL }, { "bracketright" } },
  { N_ ("Another arrow, the previous one"), NULL, { NULL }, { "<Primary>bracketleft" } },
  { N_ ("Another arrow, the next one"), NULL, { NULL }, { "<Primary>bracketright" } },
  { N_ ("Move the cursor earlier"), NULL, { NULL }, { "<Shift>Left" } },
  { N_ ("Move the cursor later"), NULL, { NULL }, { "<Shift>Right" } },
  { N_ ("Set a temporary mark"), NULL, { NULL }, { "m" } },
  { N_ ("Set a mark that stays"), NULL, { NULL }, { "<Shift>m" } },
  { N_ ("Write a note on a mark"), NULL, { NULL }, { "Return" } },
  { N_ ("Remove marks in the selection or at the pointer"), NULL, { NULL }, { "Delete" } },
  { N_ ("Turn the selected spans into a range"), NULL, { NULL }, { "r" } },
  { N_ ("Select all that is shown"), NULL, { NULL }, { "<Primary>a" } },
  { N_ ("Select nothing"), NULL, { NULL }, { "Escape" } },
  { N_ ("Pin the row of the selection, or let it go"), NULL, { NULL }, { "<Shift>t" } },
  { N_ ("Fold or unfold the row at the pointer"), NULL, { NULL }, { "e" } },
  { N_ ("Move the source of the selection earlier"), NULL, { NULL }, { "<Primary>Left" } },
  { N_ ("Move the source of the selection later"), NULL, { NULL }, { "<Primary>Right" } },
  { N_ ("Filter rows"), NULL, { NULL }, { "<Primary>p" } },
};

/* The lines of the shortcuts window, in order. Each section fits on one page, because the page switcher would be
 * below the edge of a small screen. */
static const LoomShortcut shortcuts[] = {
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Timeline"), "shortcuts" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Fly") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Zoom in and out at the pointer"), "w s" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Earlier and later"), "a d" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Faster while held"), "Shift_L" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Selection, then everything"), "f" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Everything"), "0" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Back and forth among views"), "<Alt>Left <Alt>Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Pan with a drag while held"), "space" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Scroll by a page"), "Page_Up Page_Down" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "First and last row"), "Home End" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "What a drag does") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Select, pan"), "1 2" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Zoom; timing: select and keep the figures in sight"), "3 4" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Rows") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Fold or unfold a row"), "e" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Pin the row of the selection"), "<Shift>t" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Only rows with a text"), "<Primary>p" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Search") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Search"), "win.search" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Next and previous"), "Return <Shift>Return" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Walk") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Previous and next span"), "Left Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Parent and first child"), "Up Down" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Along arrows, back and forth"), "bracketleft bracketright" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Another of several arrows"),
    "<Primary>bracketleft <Primary>bracketright" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Cursor: counters say their values there, M marks it"),
    "<Shift>Left <Shift>Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Mark; with Shift it stays"), "m <Shift>m" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Note on a mark"), "Return" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Remove marks in the selection or at the pointer"), "Delete" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Selected spans to a range"), "r" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Select all that is shown"), "<Primary>a" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Select nothing"), "Escape" },
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Window"), "window" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Open") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Open a folder"), "win.open-folder" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Open files"), "win.open-files" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Open a location"), "win.open-location" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Add a folder to the run"), "win.add-folder" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Reload"), "win.reload" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Follow the end of the run"), "win.follow-end" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Save") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Export"), "win.export" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Save the session"), "win.save-session" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Save under another name"), "win.save-session-as" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Save a report"), "win.save-report" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Copy the view as a picture"), "win.copy-picture" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Undo") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Take back"), "win.undo" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Do again"), "win.redo" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Show") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Timeline"), "win.show-view::timeline" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Analysis"), "win.show-view::analysis" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Events"), "win.show-view::events" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Python profiles"), "win.show-view::python" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Sources"), "win.show-sources" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Details"), "win.show-panel" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Problems"), "win.problems" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Command palette"), "win.command-palette" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Keyboard shortcuts"), "win.show-help-overlay" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Help"), "app.help" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Preferences"), "app.preferences" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Windows and tabs") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "New window"), "app.new-window" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "New tab"), "win.new-tab" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Close the tab"), "win.close-tab" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Previous tab"), "win.previous-tab" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Next tab"), "win.next-tab" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Compare with the run of another tab"), "win.compare" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Close the window"), "window.close" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Quit"), "app.quit" },
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Pointer and Panels"), "pointer" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Python call tree") },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Caller, called function, neighbours"), "Up Down Left Right" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Fill the width with the chosen call"), "Return" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Back to its caller, back to all"), "Escape Home" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Clocks") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Move a source by a pixel, with Shift by ten"),
    "<Primary>Left <Primary>Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Align the two selected events"), "win.align-events" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Pointer") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Zoom at the pointer"),
    NC_ ("shortcuts", "Ctrl or Alt and wheel; pinch") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Earlier and later"),
    NC_ ("shortcuts", "Shift and wheel, wheel sideways, right button, or Space and drag") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Select a range"),
    NC_ ("shortcuts", "Drag; edges again; Ctrl while dragging, or Alt on an edge, does not snap to spans") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Move a source against the others"),
    NC_ ("shortcuts", "Alt and drag its tracks") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Zoom to a range"),
    NC_ ("shortcuts", "Drag with the middle button, or with Shift (see Preferences)") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Zoom to a span"), NC_ ("shortcuts", "Double click") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Select all of a name on the track"),
    NC_ ("shortcuts", "Shift and double click") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Add a span to the selection"), NC_ ("shortcuts", "Ctrl and click") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Add the spans in a box"),
    NC_ ("shortcuts", "Ctrl and drag; Escape gives it up") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Write a note"), NC_ ("shortcuts", "Double click on a mark") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Order rows, height of plots"),
    NC_ ("shortcuts", "Drag a name, or the lower edge of a plot") },
};

const LoomCommand *
loom_commands_get (guint *n)
{
  *n = G_N_ELEMENTS (commands);
  return commands;
}

const LoomShortcut *
loom_commands_get_shortcuts (guint *n)
{
  *n = G_N_ELEMENTS (shortcuts);
  return shortcuts;
}

/* Finds a command by `id`: its action, or the first key of a command without an action. */
static const LoomCommand *
find_command (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_strcmp0 (commands[i].action, id) == 0 || g_strcmp0 (commands[i].keys[0], id) == 0)
      return &commands[i];
  g_error ("no command has the action or the first key %s", id);
}

static void
append_key (GString *keys, const char *key)
{
  if (key != NULL)
    g_string_append_printf (keys, "%s%s", keys->len > 0 ? " " : "", key);
}

char *
loom_commands_dup_shortcut_keys (const LoomShortcut *shortcut)
{
  if (shortcut->kind != LOOM_SHORTCUT_COMMANDS)
    return g_strdup (shortcut->kind == LOOM_SHORTCUT_KEYS ? shortcut->value : NULL);
  GString *keys = g_string_new (NULL);
  g_auto (GStrv) ids = g_strsplit (shortcut->value, " ", -1);
  /* first all commands' first keys, then their second ones */
  for (guint k = 0; k < G_N_ELEMENTS (commands[0].keys); k++)
    for (guint i = 0; ids[i] != NULL; i++)
      append_key (keys, find_command (ids[i])->keys[k]);
  for (guint k = 0; k < G_N_ELEMENTS (commands[0].accels); k++)
    for (guint i = 0; ids[i] != NULL; i++)
      append_key (keys, find_command (ids[i])->accels[k]);
  return g_string_free (keys, FALSE);
}

/* Returns how well a word matches a title: best if it is a word of the title, then if it begins a word, then if it is
 * inside a word. */
static guint
fit_word (const char *title, const char *word)
{
  guint best = *word == '\0' ? 0 : LOOM_COMMAND_NO_FIT;
  for (const char *at = title; best > 0 && (at = strstr (at, word)) != NULL; at++) {
    gboolean begins = at == title || !g_unichar_isalnum (g_utf8_get_char (g_utf8_prev_char (at)));
    gboolean ends = !g_unichar_isalnum (g_utf8_get_char (at + strlen (word)));
    best = MIN (best, !begins ? 2u : ends ? 0u : 1u);
  }
  return best;
}

guint
loom_command_fit (const char *title, const char *query)
{
  g_autofree char *folded_title = g_utf8_casefold (title, -1);
  g_autofree char *folded = g_utf8_casefold (query, -1);
  g_auto (GStrv) words = g_strsplit (folded, " ", -1);
  guint sum = 0;
  for (guint i = 0; words[i] != NULL; i++) {
    guint fit = fit_word (folded_title, words[i]);
    if (fit == LOOM_COMMAND_NO_FIT)
      return LOOM_COMMAND_NO_FIT;
    sum += fit;
  }
  return sum;
}
