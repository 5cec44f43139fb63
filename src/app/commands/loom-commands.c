/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-commands.h"

#include <glib/gi18n.h>
#include <string.h>

#define COUNTER N_ ("Point at a counter first")
#define SAVED N_ ("Open a saved query first")

static const LoomCommand commands[] = {
  { N_ ("Open a folder"), "win.open-folder", { "<Primary>o" } },
  { N_ ("Open files"), "win.open-files", { "<Primary><Shift>o" } },
  { N_ ("Open a location"), "win.open-location", { "<Primary>l" } },
  { N_ ("Open the sample"), "win.open-sample", .needs = N_ ("The sample is not installed") },
  { N_ ("Add a folder to the run"), "win.add-folder", { "<Primary>i" } },
  { N_ ("Add files to the run"), "win.add-files" },
  { N_ ("Reload"), "win.reload", { "F5", "<Primary>r" } },
  { N_ ("Show all sources"), "win.show-all-sources", .needs = N_ ("All sources are already shown") },
  { N_ ("Restore removed sources"), "win.bring-back-sources", .needs = N_ ("No sources were removed") },
  { N_ ("Assign ranks and nodes by pattern"), "win.source-pattern" },
  { N_ ("Watch files for changes"), "win.follow" },
  { N_ ("Follow latest events"), "win.follow-end", { "<Alt>End" } },
  { N_ ("Export"), "win.export", { "<Primary>e" } },
  { N_ ("Show or hide bottleneck marks"), "win.bottleneck-marks" },
  { N_ ("Show or hide the critical path on the timeline"), "win.critical-path" },
  { N_ ("Show or hide launch queues on the timeline"), "win.launch-queue",
    .needs = N_ ("Requires recorded kernel launches, and room for another lane on the timeline") },
  { N_ ("Clocks"), "win.show-clocks" },
  { N_ ("Save a report"), "win.save-report", { "<Primary><Shift>e" } },
  { N_ ("Save events"), "win.save-events" },
  { N_ ("Save the view as an image"), "win.save-picture" },
  { N_ ("Copy the view as an image"), "win.copy-picture", { "<Primary><Shift>c" } },
  { N_ ("Edit rules"), "win.edit-rules" },
  { N_ ("Create a profiler configuration"), "win.edit-config" },
  { N_ ("Undo"), "win.undo", { "<Primary>z" }, .needs = N_ ("There is nothing to undo") },
  { N_ ("Redo"), "win.redo", { "<Primary><Shift>z", "<Primary>y" }, .needs = N_ ("There is nothing to redo") },
  { N_ ("Align the two selected events"),
    "win.align-events",
    { "<Primary><Shift>a" },
    .needs = N_ ("Select two events from different sources first") },
  { N_ ("Use declared clocks"), "win.use-declared-clocks", .needs = N_ ("No clock was aligned") },
  { N_ ("Use aligned clocks"), "win.use-fitted-clocks", .needs = N_ ("Clocks are already aligned") },
  { N_ ("Reset all clocks"), "win.reset-clocks", .needs = N_ ("No clock was moved") },
  { N_ ("Save the query"), "win.save-query", { "<Primary>d" } },
  { N_ ("Rename the saved query"), "win.rename-query", .needs = SAVED },
  { N_ ("Delete the saved query"), "win.delete-query", .needs = SAVED },
  { N_ ("Open a query file"), "win.open-query-file" },
  { N_ ("Save the query as a file"), "win.save-query-file" },
  { N_ ("Save the session"), "win.save-session", { "<Primary>s" } },
  { N_ ("Save the session as…"), "win.save-session-as", { "<Primary><Shift>s" } },
  { N_ ("Discard the saved view of this run"), "win.forget-view" },
  { N_ ("Search"), "win.search", { "<Primary>f" }, { "slash" } },
  { N_ ("Timeline"), "win.show-view::timeline", { "<Primary>1" } },
  { N_ ("Analysis"), "win.show-view::analysis", { "<Primary>2" } },
  { N_ ("Events"), "win.show-view::events", { "<Primary>3" } },
  { N_ ("Python profiles"), "win.show-view::python", { "<Primary>4" } },
  { N_ ("Query"), "win.show-view::query", { "<Primary>5" } },
  { N_ ("Show or hide sources"), "win.show-sources", { "F9" } },
  { N_ ("Show or hide details"), "win.show-panel", { "<Primary>F9" } },
  { N_ ("Go to the next part of the window"), "win.next-pane", { "F6" } },
  { N_ ("Go to the previous part of the window"), "win.previous-pane", { "<Shift>F6" } },
  { N_ ("Problems"), "win.problems", { "<Primary><Shift>m" } },
  { N_ ("Collapse all rows"), "win.fold-all" },
  { N_ ("Expand all rows"), "win.unfold-all" },
  { N_ ("Show hidden rows"), "win.show-hidden-rows", .needs = N_ ("No row is hidden") },
  { N_ ("Sort ranks by lateness"), "win.order-by-lateness", .needs = N_ ("Requires collectives with several ranks") },
  { N_ ("Sort ranks by number"), "win.order-by-rank" },
  { N_ ("Sort ranks by pipeline stage"), "win.order-by-stage",
    .needs = N_ ("Requires pipeline-parallel groups of ranks") },
  { N_ ("Sort ranks by tensor-parallel group"), "win.order-by-tensor",
    .needs = N_ ("Requires tensor-parallel groups of ranks") },
  { N_ ("Sort ranks by data replica"), "win.order-by-replica", .needs = N_ ("Requires data-parallel groups of ranks") },
  { N_ ("Collapse similar ranks"), "win.fold-alike", .needs = N_ ("Requires collectives with several ranks") },
  { N_ ("Overlay utilization on spans"), "win.overlay-series" },
  { N_ ("Show all flow arrows in view"), "win.arrows" },
  { N_ ("Color legend"), "win.color-legend" },
  { N_ ("Color by name"), "win.colors::name" },
  { N_ ("Color by category"), "win.colors::category" },
  { N_ ("Color by duration"), "win.colors::duration" },
  { N_ ("Color by rank"), "win.colors::rank" },
  { N_ ("Counter: values"), "counter.quantity::value", .needs = COUNTER },
  { N_ ("Counter: difference between samples"), "counter.quantity::difference", .needs = COUNTER },
  { N_ ("Counter: rate per second"), "counter.quantity::rate", .needs = COUNTER },
  { N_ ("Counter: stack series"), "counter.stacked", .needs = COUNTER },
  { N_ ("Counter: logarithmic scale"), "counter.logarithmic", .needs = N_ ("Point at an unstacked counter first") },
  { N_ ("Counter: overlay other counters…"), "counter.lay-over", .needs = COUNTER },
  { N_ ("Ruler: time since start"), "win.ruler::start" },
  { N_ ("Ruler: time since job start"), "win.ruler::job" },
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
  { N_ ("Compare with another run"), "win.compare", { "<Primary><Shift>b" } },
  { N_ ("Reopen previous runs in tabs"), "win.restore-lost" },
  { N_ ("Close the window"), "window.close", { "<Primary><Shift>w" } },
  { N_ ("Quit"), "app.quit", { "<Primary>q" } },

  { N_ ("Zoom in"), NULL, { NULL }, { "w" } },
  { N_ ("Zoom out"), NULL, { NULL }, { "s" } },
  { N_ ("Pan left (earlier)"), NULL, { NULL }, { "a" } },
  { N_ ("Pan right (later)"), NULL, { NULL }, { "d" } },
  { N_ ("Zoom to the selection; again: to the whole run"), NULL, { NULL }, { "f" } },
  { N_ ("Zoom to the whole run"), NULL, { NULL }, { "0", "z" } },
  { N_ ("Previous view"), NULL, { NULL }, { "<Alt>Left" } },
  { N_ ("Next view"), NULL, { NULL }, { "<Alt>Right" } },
  { N_ ("Scroll up one page"), NULL, { NULL }, { "Page_Up" } },
  { N_ ("Scroll down one page"), NULL, { NULL }, { "Page_Down" } },
  { N_ ("First row"), NULL, { NULL }, { "Home" } },
  { N_ ("Last row"), NULL, { NULL }, { "End" } },
  { N_ ("Mode: select"), NULL, { NULL }, { "1" } },
  { N_ ("Mode: pan"), NULL, { NULL }, { "2" } },
  { N_ ("Mode: zoom"), NULL, { NULL }, { "3" } },
  { N_ ("Mode: measure"), NULL, { NULL }, { "4" } },
  { N_ ("Hold to pan by dragging"), NULL, { NULL }, { "space" } },
  { N_ ("Previous span"), NULL, { NULL }, { "Left", "comma" } },
  { N_ ("Next span"), NULL, { NULL }, { "Right", "period" } },
  { N_ ("Parent span"), NULL, { NULL }, { "Up" } },
  { N_ ("First child span"), NULL, { NULL }, { "Down" } },
  { N_ ("Previous event in the flow"), NULL, { NULL }, { "bracketleft" } },
  { N_ ("Next event in the flow"), NULL, { NULL }, { "bracketright" } },
  { N_ ("Previous flow of the selected span"), NULL, { NULL }, { "<Primary>bracketleft" } },
  { N_ ("Next flow of the selected span"), NULL, { NULL }, { "<Primary>bracketright" } },
  { N_ ("Move the cursor earlier"), NULL, { NULL }, { "<Shift>Left" } },
  { N_ ("Move the cursor later"), NULL, { NULL }, { "<Shift>Right" } },
  { N_ ("Set a temporary mark"), NULL, { NULL }, { "m" } },
  { N_ ("Set a permanent mark"), NULL, { NULL }, { "<Shift>m" } },
  { N_ ("Edit the note of a mark"), NULL, { NULL }, { "Return" } },
  { N_ ("Remove marks in the selection or at the pointer"), NULL, { NULL }, { "Delete" } },
  { N_ ("Select the range of the selected spans"), NULL, { NULL }, { "r" } },
  { N_ ("Select all shown spans"), NULL, { NULL }, { "<Primary>a" } },
  { N_ ("Clear selection"), NULL, { NULL }, { "Escape" } },
  { N_ ("Pin or unpin the selected row"), NULL, { NULL }, { "<Shift>t" } },
  { N_ ("Collapse or expand the row at the pointer"), NULL, { NULL }, { "e" } },
  { N_ ("Move the selected source to an earlier time"), NULL, { NULL }, { "<Primary>Left" } },
  { N_ ("Move the selected source to a later time"), NULL, { NULL }, { "<Primary>Right" } },
  { N_ ("Filter rows"), NULL, { NULL }, { "<Primary>p" } },
};

/* The lines of the shortcuts window, in order. Each section must fit on one page of two columns; otherwise, the
 * window would be larger than a screen of 1366 × 768 px. */
static const LoomShortcut shortcuts[] = {
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Timeline"), "shortcuts" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Navigation") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Zoom in and out"), "w s" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Pan left and right"), "a d" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Move faster (hold)"), "Shift_L" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Zoom to selection; again: to whole run"), "f" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Zoom to whole run"), "0" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Previous and next view"), "<Alt>Left <Alt>Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Hold to pan by dragging"), "space" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Scroll by a page"), "Page_Up Page_Down" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "First and last row"), "Home End" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Drag Modes") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Select or pan"), "1 2" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Zoom or measure"), "3 4" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Rows") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Collapse or expand a row"), "e" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Pin selected row"), "<Shift>t" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Filter rows"), "<Primary>p" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Search") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Search"), "win.search" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Next and previous result"), "Return <Shift>Return" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Spans and Marks") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Previous and next span"), "Left Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Parent and first child"), "Up Down" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Follow flow arrows"), "bracketleft bracketright" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Switch between flows"), "<Primary>bracketleft <Primary>bracketright" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Move cursor (shows counter values)"), "<Shift>Left <Shift>Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Set temporary or permanent mark"), "m <Shift>m" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Edit note of a mark"), "Return" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Remove marks in the selection or at the pointer"), "Delete" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Select range of selected spans"), "r" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Select all shown spans"), "<Primary>a" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Clear selection"), "Escape" },
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Files"), "files" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Open") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Open a folder"), "win.open-folder" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Open files"), "win.open-files" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Open a location"), "win.open-location" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Add a folder to the run"), "win.add-folder" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Reload"), "win.reload" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Follow latest events"), "win.follow-end" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Save") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Export"), "win.export" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Save the session"), "win.save-session" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Save session as"), "win.save-session-as" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Save the query"), "win.save-query" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Save a report"), "win.save-report" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Copy view as image"), "win.copy-picture" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Undo") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Undo"), "win.undo" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Redo"), "win.redo" },
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Window"), "window" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Views") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Timeline"), "win.show-view::timeline" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Analysis"), "win.show-view::analysis" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Events"), "win.show-view::events" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Python profiles"), "win.show-view::python" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Query"), "win.show-view::query" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Sources"), "win.show-sources" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Details"), "win.show-panel" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Next or previous part of the window"),
    "win.next-pane win.previous-pane" },
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
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Compare with another run"), "win.compare" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Close the window"), "window.close" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Quit"), "app.quit" },
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Pages"), "pages" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Python call tree") },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Move to caller, callee or neighbor"), "Up Down Left Right" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Zoom to selected call"), "Return" },
  { LOOM_SHORTCUT_KEYS, NC_ ("shortcuts", "Zoom out to caller, or to all calls"), "Escape Home" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Clocks") },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Move a source by one pixel (with Shift: ten)"),
    "<Primary>Left <Primary>Right" },
  { LOOM_SHORTCUT_COMMANDS, NC_ ("shortcuts", "Align the two selected events"), "win.align-events" },
  { LOOM_SHORTCUT_SECTION, NC_ ("shortcuts", "Pointer"), "pointer" },
  { LOOM_SHORTCUT_GROUP, NC_ ("shortcuts", "Pointer") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Zoom at the pointer"),
    NC_ ("shortcuts", "Ctrl+scroll, Alt+scroll or pinch") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Pan left and right"),
    NC_ ("shortcuts", "Shift+scroll, horizontal scroll, right-drag or Space+drag") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Select a range"),
    NC_ ("shortcuts", "Drag; then drag an edge to adjust it") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Disable snapping"),
    NC_ ("shortcuts", "Ctrl while dragging, or Alt while dragging an edge") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Move a source relative to the others"),
    NC_ ("shortcuts", "Alt+drag a track of the source") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Zoom to a range"),
    NC_ ("shortcuts", "Middle-drag, or Shift+drag (see Preferences)") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Zoom to a span"), NC_ ("shortcuts", "Double-click") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Select all spans with this name on the track"),
    NC_ ("shortcuts", "Shift+double-click") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Add a span to the selection"), NC_ ("shortcuts", "Ctrl+click") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Add the spans in a box to the selection"),
    NC_ ("shortcuts", "Ctrl+drag (Escape cancels)") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Write a note"), NC_ ("shortcuts", "Double-click a mark") },
  { LOOM_SHORTCUT_GESTURE, NC_ ("shortcuts", "Reorder rows, resize plots"),
    NC_ ("shortcuts", "Drag a row name, or the lower edge of a plot") },
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

/* Returns the command whose action or first key is `id`. There must be such a command. */
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
  /* append the first keys of all commands, then their second keys, and so on */
  for (guint k = 0; k < G_N_ELEMENTS (commands[0].keys); k++)
    for (guint i = 0; ids[i] != NULL; i++)
      append_key (keys, find_command (ids[i])->keys[k]);
  for (guint k = 0; k < G_N_ELEMENTS (commands[0].accels); k++)
    for (guint i = 0; ids[i] != NULL; i++)
      append_key (keys, find_command (ids[i])->accels[k]);
  return g_string_free (keys, FALSE);
}

/* Returns how well a word matches a title: 0 if `word` is a whole word of the title, 1 if a word of the title begins
 * with `word`, 2 if `word` is inside a word of the title. Lower is better. */
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

guint
loom_command_fit_name (const char *name, const char *query)
{
  g_autofree char *folded_name = g_utf8_casefold (name, -1), *folded = g_utf8_casefold (query, -1);
  g_strstrip (folded);
  if (*folded == '\0' || !g_str_has_prefix (folded_name, folded))
    return LOOM_COMMAND_NO_FIT;
  return folded_name[strlen (folded)] == '\0' ? 0 : 1;
}
