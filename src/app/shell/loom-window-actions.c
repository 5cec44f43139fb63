/* SPDX-License-Identifier: Apache-2.0
 *
 * The general actions of a window for its buttons, menus and keys: opening and adding files, saving, searching, rows,
 * settings. The other files loom-*-actions.c of this folder contain the other actions (loom-window-private.h).
 */
#include "loom-application.h"
#include "loom-command-palette.h"
#include "loom-file-dialogs.h"
#include "loom-location-dialog.h"
#include "loom-pane-focus.h"
#include "loom-problems-window.h"
#include "loom-rank-pattern-dialog.h"
#include "loom-sample-run.h"
#include "loom-settings.h"
#include "loom-shortcuts-window.h"
#include "loom-source-commands.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static void
open_chosen (GFile **files, guint n_files, gpointer window)
{
  loom_window_open_files (window, files, n_files, FALSE);
}

static void
add_chosen (GFile **files, guint n_files, gpointer window)
{
  loom_window_open_files (window, files, n_files, TRUE);
}

static void
open_folder_activated (LoomWindow *self)
{
  loom_file_dialogs_open (GTK_WINDOW (self), LOOM_FILE_DIALOG_FOLDERS, _ ("Open Folder"), NULL, open_chosen, self);
}

static void
open_files_activated (LoomWindow *self)
{
  loom_file_dialogs_open (GTK_WINDOW (self), LOOM_FILE_DIALOG_FILES, _ ("Open Files"), NULL, open_chosen, self);
}

static void
location_chosen (LoomLocationDialog *dialog, const char *location, LoomWindow *window)
{
  const char *paths[] = { location, NULL };
  loom_window_open_paths (window, paths, FALSE);
}

static void
open_location_activated (LoomWindow *self)
{
  LoomLocationDialog *dialog = loom_location_dialog_new (GTK_WINDOW (self));
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (location_chosen), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
add_folder_activated (LoomWindow *self)
{
  loom_file_dialogs_open (GTK_WINDOW (self), LOOM_FILE_DIALOG_FOLDERS, _ ("Add Folder"), NULL, add_chosen, self);
}

static void
add_files_activated (LoomWindow *self)
{
  loom_file_dialogs_open (GTK_WINDOW (self), LOOM_FILE_DIALOG_FILES, _ ("Add Files"), NULL, add_chosen, self);
}

static void
open_recent_activated (LoomWindow *self, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  loom_window_open_files (self, &file, 1, FALSE);
}

static void
open_sample_activated (LoomWindow *self)
{
  g_autofree char *folder = loom_sample_run_dup_folder ();
  const char *paths[] = { folder, NULL };
  if (folder != NULL)
    loom_window_open_paths (self, paths, FALSE);
}

static void
reload_activated (LoomWindow *self)
{
  loom_document_reload (self->document);
}

static void
source_pattern_activated (LoomWindow *self)
{
  loom_rank_pattern_dialog_present (GTK_WINDOW (self), self->document);
}

static void
show_all_sources_activated (LoomWindow *self)
{
  loom_source_commands_show_all (self->document);
}

static void
bring_back_sources_activated (LoomWindow *self)
{
  loom_source_commands_bring_back (self->document);
}

static void
search_activated (LoomWindow *self)
{
  loom_search_state_set_open (loom_run_state_get_search (self->run), TRUE);
}

static void
command_palette_activated (LoomWindow *self)
{
  LoomRunPage *page = loom_window_get_run_view (self);
  gboolean shows = gtk_widget_get_mapped (GTK_WIDGET (page));
  gtk_window_present (GTK_WINDOW (
    loom_command_palette_new (GTK_WINDOW (self), loom_run_page_get_timeline_view (page), shows ? self->run : NULL)));
}

static void
problems_activated (LoomWindow *self)
{
  loom_problems_window_present (GTK_WINDOW (self), loom_document_get_run (self->document),
                                loom_document_get_source_edits (self->document), NULL);
}

static void
problems_of_activated (LoomWindow *self, GVariant *parameter)
{
  g_autofree const char **paths = g_variant_get_bytestring_array (parameter, NULL);
  loom_problems_window_present (GTK_WINDOW (self), loom_document_get_run (self->document),
                                loom_document_get_source_edits (self->document), paths);
}

static void
fold (LoomWindow *self, gboolean folded)
{
  LoomTimelineState *state = self->state;
  loom_row_list_fold_all (loom_timeline_state_get_row_list (state), folded);
  loom_timeline_state_rows_changed (state);
}

static void
fold_all_activated (LoomWindow *self)
{
  fold (self, TRUE);
}

static void
unfold_all_activated (LoomWindow *self)
{
  fold (self, FALSE);
}

/* Shows or hides the marks of bottlenecks in all windows. */
static void
bottleneck_marks_changed (LoomWindow *self, GVariant *value)
{
  loom_settings_set_boolean (LOOM_SETTING_BOTTLENECK_MARKS, g_variant_get_boolean (value));
  loom_application_apply_settings (gtk_window_get_application (GTK_WINDOW (self)));
}

/* Enables or disables, in all windows, that files are read again when they have grown. */
static void
follow_changed (LoomWindow *self, GVariant *value)
{
  loom_settings_set_boolean (LOOM_SETTING_FOLLOW, g_variant_get_boolean (value));
  loom_application_apply_settings (gtk_window_get_application (GTK_WINDOW (self)));
}

/* For each unit of the ruler, the text that is stored in the settings. */
static const char *const reading_words[LOOM_N_RULER_UNITS] = {
  [LOOM_RULER_UNIT_SINCE_START] = "start", [LOOM_RULER_UNIT_UTC] = "utc", [LOOM_RULER_UNIT_LOCAL] = "local",
  [LOOM_RULER_UNIT_STEP] = "step",         [LOOM_RULER_UNIT_JOB] = "job",
};

static LoomRulerUnit
reading_from_word (const char *word)
{
  for (LoomRulerUnit reading = 0; reading < LOOM_N_RULER_UNITS; reading++)
    if (g_str_equal (reading_words[reading], word))
      return reading;
  return LOOM_RULER_UNIT_SINCE_START;
}

static void
ruler_changed (LoomWindow *self, GVariant *value)
{
  loom_timeline_state_set_reading (self->state, reading_from_word (g_variant_get_string (value, NULL)));
}

/* Updates the action and the setting if another part of the program has changed the unit of the ruler. */
static void
reading_changed (LoomWindow *self)
{
  const char *word = reading_words[loom_timeline_state_get_reading (self->state)];
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "ruler");
  g_autoptr (GVariant) now = g_action_get_state (action);
  if (g_str_equal (g_variant_get_string (now, NULL), word))
    return;
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (word));
  loom_settings_set_string (LOOM_SETTING_RULER, word);
}

static void
show_hidden_rows_activated (LoomWindow *self)
{
  loom_row_list_show_all_hidden (loom_timeline_state_get_row_list (self->state));
  loom_timeline_state_rows_changed (self->state);
}

/* Enables the action that shows hidden rows if rows are hidden. A new run may already have hidden rows. */
static void
rows_changed (LoomWindow *self)
{
  guint n_hidden = loom_row_list_get_n_hidden (loom_timeline_state_get_row_list (self->state));
  loom_window_enable_action (self, "show-hidden-rows", n_hidden > 0);
}

static const LoomWindowAction actions[] = {
  { "open-folder", G_CALLBACK (open_folder_activated) },
  { "open-files", G_CALLBACK (open_files_activated) },
  { "open-location", G_CALLBACK (open_location_activated) },
  { "open-recent", G_CALLBACK (open_recent_activated), "s" },
  { "open-sample", G_CALLBACK (open_sample_activated) },
  { "add-folder", G_CALLBACK (add_folder_activated) },
  { "add-files", G_CALLBACK (add_files_activated) },
  { "reload", G_CALLBACK (reload_activated) },
  { "source-pattern", G_CALLBACK (source_pattern_activated) },
  { "show-all-sources", G_CALLBACK (show_all_sources_activated) },
  { "bring-back-sources", G_CALLBACK (bring_back_sources_activated) },
  { "export", G_CALLBACK (loom_window_export) },
  { "save-report", G_CALLBACK (loom_window_save_report) },
  { "save-events", G_CALLBACK (loom_window_save_events) },
  { "save-picture", G_CALLBACK (loom_window_save_picture) },
  { "copy-picture", G_CALLBACK (loom_window_copy_picture) },
  { "search", G_CALLBACK (search_activated) },
  { "command-palette", G_CALLBACK (command_palette_activated) },
  { "show-help-overlay", G_CALLBACK (loom_shortcuts_window_present) },
  { "problems", G_CALLBACK (problems_activated) },
  { "problems-of", G_CALLBACK (problems_of_activated), "aay" },
  { "fold-all", G_CALLBACK (fold_all_activated) },
  { "unfold-all", G_CALLBACK (unfold_all_activated) },
  { "show-hidden-rows", G_CALLBACK (show_hidden_rows_activated) },
  { "bottleneck-marks", G_CALLBACK (bottleneck_marks_changed), NULL, "true" },
  { "follow", G_CALLBACK (follow_changed), NULL, "true" },
  { "ruler", G_CALLBACK (ruler_changed), "s", "'start'" },
};

static void
add_property_action (LoomWindow *self, const char *name, gpointer object, const char *property)
{
  g_autoptr (GPropertyAction) action = g_property_action_new (name, object, property);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
}

void
loom_window_add_action_table (LoomWindow *self, const LoomWindowAction *table, guint n)
{
  for (guint i = 0; i < n; i++) {
    const GVariantType *parameter = table[i].parameter != NULL ? G_VARIANT_TYPE (table[i].parameter) : NULL;
    GVariant *state = table[i].state != NULL ? g_variant_new_parsed (table[i].state) : NULL;
    g_autoptr (GSimpleAction) action = state != NULL ? g_simple_action_new_stateful (table[i].name, parameter, state)
                                                     : g_simple_action_new (table[i].name, parameter);
    g_signal_connect_swapped (action, state != NULL ? "change-state" : "activate", table[i].handler, self);
    g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
  }
}

static GSimpleAction *
find_action (LoomWindow *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name));
}

void
loom_window_enable_action (LoomWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (find_action (self, name), enabled);
}

void
loom_window_set_action_state (LoomWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (find_action (self, name), state);
}

static LoomAnalysisThresholds
get_thresholds (void)
{
  return (LoomAnalysisThresholds) {
    { loom_settings_get_double (LOOM_SETTING_HIGH_CPU), loom_settings_get_double (LOOM_SETTING_LOW_GPU) },
    loom_settings_get_double (LOOM_SETTING_OUTLIER_FACTOR),
    loom_settings_get_double (LOOM_SETTING_BALANCE_DISTANCE),
    { loom_settings_get_double (LOOM_SETTING_PEAK_TFLOPS), loom_settings_get_double (LOOM_SETTING_PEAK_BANDWIDTH) }
  };
}

void
loom_window_apply_settings_to (LoomRunState *run)
{
  g_autofree char *reading = loom_settings_dup_string (LOOM_SETTING_RULER);
  g_autofree char *numbers = loom_settings_dup_string (LOOM_SETTING_NUMBERS);
  loom_timeline_state_set_reading (loom_run_state_get_view (run), reading_from_word (reading));
  loom_analysis_context_set_numbers (loom_run_state_get_analysis (run), g_str_equal (numbers, "smdebug")
                                                                          ? LOOM_NUMBER_CONVENTION_SMDEBUG
                                                                          : LOOM_NUMBER_CONVENTION_INTENDED);
  loom_analysis_context_set_thresholds (loom_run_state_get_analysis (run), get_thresholds ());
  loom_run_state_set_marks_bottlenecks (run, loom_settings_get_boolean (LOOM_SETTING_BOTTLENECK_MARKS));
  loom_run_state_set_follows_files (run, loom_settings_get_boolean (LOOM_SETTING_FOLLOW));
}

void
loom_window_apply_settings (LoomWindow *self)
{
  g_return_if_fail (LOOM_IS_WINDOW (self));
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++)
    loom_window_apply_settings_to (loom_tab_get_run_state (loom_window_get_nth_tab (self, i)));
  loom_window_set_action_state (self, "bottleneck-marks",
                                g_variant_new_boolean (loom_settings_get_boolean (LOOM_SETTING_BOTTLENECK_MARKS)));
  loom_window_set_action_state (self, "follow",
                                g_variant_new_boolean (loom_settings_get_boolean (LOOM_SETTING_FOLLOW)));
}

void
loom_window_add_actions (LoomWindow *self)
{
  g_autofree char *sample = loom_sample_run_dup_folder ();
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
  loom_window_add_session_actions (self);
  loom_window_add_query_actions (self);
  loom_window_add_clock_actions (self);
  loom_window_add_range_actions (self);
  loom_window_add_rank_actions (self);
  loom_window_add_lane_actions (self);
  loom_window_add_rule_actions (self);
  loom_window_add_compare_action (self);
  loom_window_add_look_actions (self);
  loom_pane_focus_add_actions (G_ACTION_MAP (self), GTK_WIDGET (self));
  loom_window_enable_action (self, "open-sample", sample != NULL);
  loom_window_apply_settings (self);
}

/* Stateful actions. The state of each action is bound to a boolean property of the run in the selected tab. */
static const struct {
  const char *action, *property;
} of_run[] = {
  { "show-sources", "shows-sidebar" },
  { "show-panel", "shows-details" },
  { "follow-end", "follows-end" },
};

void
loom_window_add_tab_actions (LoomWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_run); i++)
    add_property_action (self, of_run[i].action, self->run, of_run[i].property);
  g_signal_connect_swapped (self->state, "facts-changed", G_CALLBACK (reading_changed), self);
  g_signal_connect_swapped (self->state, "rows-changed", G_CALLBACK (rows_changed), self);
  loom_window_add_clock_tab_actions (self);
  loom_window_add_rank_tab_actions (self);
  loom_window_add_path_tab_actions (self);
  loom_window_add_lane_tab_actions (self);
  loom_window_watch_queries (self);
  reading_changed (self);
  rows_changed (self);
  loom_window_follow_look (self);
}

void
loom_window_drop_tab_actions (LoomWindow *self)
{
  g_signal_handlers_disconnect_by_data (self->state, self);
  loom_window_drop_rank_tab_actions (self);
  loom_window_drop_path_tab_actions (self);
  loom_window_drop_lane_tab_actions (self);
  loom_window_unwatch_queries (self);
  for (guint i = 0; i < G_N_ELEMENTS (of_run); i++)
    g_action_map_remove_action (G_ACTION_MAP (self), of_run[i].action);
}

/* Returns TRUE while files are loaded; most actions are disabled during this time. Returns FALSE at other times, and
 * while a file is only read again because it has grown. */
static gboolean
is_busy (LoomWindow *self)
{
  return loom_document_is_loading (self->document) && !loom_document_is_quiet (self->document);
}

void
loom_window_update_actions (LoomWindow *self)
{
  static const char *const with_timeline[] = { "profile-range",  "source-pattern", "copy-picture",  "add-folder",
                                               "add-files",      "search",         "fold-all",      "unfold-all",
                                               "overlay-series", "ruler",          "order-by-rank", "colors",
                                               "arrows",         "color-legend" };
  if (self->tab == NULL)
    return;
  gboolean shows = loom_document_get_timeline (self->document) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (with_timeline); i++)
    loom_window_enable_action (self, with_timeline[i], shows);
  static const char *const saving[] = { "export", "save-report", "save-events", "save-picture", "read-range" };
  for (guint i = 0; i < G_N_ELEMENTS (saving); i++)
    loom_window_enable_action (self, saving[i], shows && self->saving == NULL && !is_busy (self));
  loom_window_enable_action (self, "reload", loom_document_get_run (self->document) != NULL && !is_busy (self));
  loom_window_enable_action (self, "problems", loom_document_get_run (self->document) != NULL);
  const LoomSourceOverrides *edits = loom_document_get_source_edits (self->document);
  loom_window_enable_action (self, "show-all-sources", loom_source_overrides_hides_any (edits));
  loom_window_enable_action (self, "bring-back-sources", loom_source_commands_count_removed (self->document) > 0);
  loom_window_update_compare_action (self);
  loom_window_update_session_actions (self);
  loom_window_update_query_actions (self);
  loom_window_update_clock_actions (self);
}
