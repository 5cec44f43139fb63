/* SPDX-License-Identifier: Apache-2.0
 *
 * The actions of a window that open its editors: the rule editor and the editor of profiler configurations. While the
 * user writes rules, their findings are marked on the timeline. The editor of profiler configurations begins with an
 * empty configuration or with a range to profile.
 */
#include "loom-next-profile-dialog.h"
#include "loom-profiler-config-editor.h"
#include "loom-recent-runs.h"
#include "loom-rule-editor.h"
#include "loom-window-private.h"

/* Selects the tab with the run of the rule editor, because a finding will be shown on its timeline. */
static void
come_to_run (LoomWindow *self)
{
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++)
    if (loom_tab_get_run_state (loom_window_get_nth_tab (self, i)) == self->rule_run)
      adw_tab_view_set_selected_page (self->tab_view, adw_tab_view_get_nth_page (self->tab_view, (int) i));
}

static void
saved (LoomWindow *self, const char *path)
{
  if (loom_findings_state_add_file (loom_run_state_get_findings (self->rule_run), path))
    loom_recent_runs_add_rules (path);
}

static void
editor_gone (gpointer window, GObject *editor)
{
  LoomWindow *self = window;
  self->rule_editor = NULL;
  g_clear_object (&self->rule_run);
}

static LoomRuleEditor *
new_editor (LoomWindow *self, LoomRenderContext *scene)
{
  LoomRuleEditor *editor = loom_rule_editor_new (GTK_WINDOW (self), self->run, scene);
  self->rule_editor = GTK_WINDOW (editor);
  g_object_weak_ref (G_OBJECT (editor), editor_gone, self);
  g_signal_connect_object (editor, "shows", G_CALLBACK (come_to_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "saved", G_CALLBACK (saved), self, G_CONNECT_SWAPPED);
  return editor;
}

/* Returns the rule editor of the window; makes it if it does not exist. From now on, the editor evaluates its rules
 * on the run of the selected tab. Returns NULL if no tab is selected and no editor is open. */
static LoomRuleEditor *
editor_of (LoomWindow *self)
{
  LoomRuleEditor *editor = (LoomRuleEditor *) self->rule_editor;
  if (self->tab == NULL || self->rule_run == self->run)
    return editor;
  LoomRunPage *page = loom_window_get_run_view (self);
  g_set_object (&self->rule_run, self->run);
  if (editor == NULL)
    return new_editor (self, loom_run_page_get_scene (page));
  loom_rule_editor_set_run (editor, self->run, loom_run_page_get_scene (page));
  return editor;
}

void
loom_window_editors_leave_run (LoomWindow *self, LoomRunState *run)
{
  if (self->rule_editor != NULL && self->rule_run == run)
    editor_of (self);
}

static void
edit_rules_activated (LoomWindow *self)
{
  gtk_window_present (GTK_WINDOW (editor_of (self)));
}

static void
edit_rules_of_activated (LoomWindow *self, GVariant *parameter)
{
  loom_rule_editor_open (editor_of (self), g_variant_get_bytestring (parameter));
  gtk_window_present (GTK_WINDOW (editor_of (self)));
}

static void
edit_config_activated (LoomWindow *self)
{
  gtk_window_present (GTK_WINDOW (loom_profiler_config_editor_new (GTK_WINDOW (self))));
}

static void
edit_range (LoomWindow *self, const LoomProfilerPlanRange *range)
{
  const LoomProfilerPlan plan = { .range = *range };
  LoomProfilerConfigEditor *editor = loom_profiler_config_editor_new (GTK_WINDOW (self));
  loom_profiler_config_editor_set_plan (editor, &plan);
  gtk_window_present (GTK_WINDOW (editor));
}

/* Opens a dialog that plans how to profile a range in the next run. This is the range in `parameter`; if `parameter`
 * contains no range, the selected range; if no range is selected, the visible range. */
static void
profile_range_activated (LoomWindow *self, GVariant *parameter)
{
  LoomTimelineState *state = self->state;
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomRange range;
  g_variant_get (parameter, "(xx)", &range.begin_ns, &range.end_ns);
  if (range.end_ns <= range.begin_ns && !loom_timeline_state_get_selected_range (state, &range))
    range = (LoomRange) { view->begin_ns, view->end_ns };
  LoomNextProfileDialog *dialog =
    loom_next_profile_dialog_new (GTK_WINDOW (self), loom_timeline_state_get_steps (state), range);
  g_signal_connect_object (dialog, "edit", G_CALLBACK (edit_range), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
loom_window_add_rule_actions (LoomWindow *self)
{
  static const LoomWindowAction entries[] = {
    { "edit-rules", G_CALLBACK (edit_rules_activated) },
    { "edit-rules-of", G_CALLBACK (edit_rules_of_activated), "ay" },
    { "edit-config", G_CALLBACK (edit_config_activated) },
    { "profile-range", G_CALLBACK (profile_range_activated), "(xx)" },
  };
  loom_window_add_action_table (self, entries, G_N_ELEMENTS (entries));
}

void
loom_window_forget_editors (LoomWindow *self)
{
  if (self->rule_editor != NULL)
    g_object_weak_unref (G_OBJECT (self->rule_editor), editor_gone, self);
  self->rule_editor = NULL;
  g_clear_object (&self->rule_run);
}

static gboolean
asks_configs (LoomWindow *self)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);
    if (!LOOM_IS_PROFILER_CONFIG_EDITOR (window) || gtk_window_get_transient_for (window) != GTK_WINDOW (self) ||
        !loom_profiler_config_editor_is_changed (LOOM_PROFILER_CONFIG_EDITOR (window)))
      continue;
    gtk_window_present (window);
    gtk_window_close (window);
    return TRUE;
  }
  return FALSE;
}

gboolean
loom_window_asks_editors (LoomWindow *self)
{
  if (self->rule_editor == NULL || !loom_rule_editor_is_changed (LOOM_RULE_EDITOR (self->rule_editor)))
    return asks_configs (self);
  gtk_window_present (self->rule_editor);
  gtk_window_close (self->rule_editor);
  return TRUE;
}
