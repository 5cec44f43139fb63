/* SPDX-License-Identifier: Apache-2.0
 *
 * The editors of a window: rules of one's own, whose findings are laid over the timeline while they are written, and
 * profiler configurations, from nothing or of a range.
 */
#include "loom-config-editor.h"
#include "loom-panel-places.h"
#include "loom-plan-dialog.h"
#include "loom-rule-editor.h"
#include "loom-window-private.h"

static LoomViewState *
state_of (LoomWindow *self)
{
  return loom_timeline_view_get_state (loom_run_view_get_timeline_view (self->run_view));
}

static void
show_places (LoomWindow *self, GArray *places)
{
  LoomFindingMarks *marks = loom_view_state_get_finding_marks (state_of (self));
  if (loom_finding_marks_set_stretches (marks, places != NULL ? (const LoomRange *) (gpointer) places->data : NULL, places != NULL ? places->len : 0))
    loom_view_state_finding_marks_changed (state_of (self));
}

static void
previewed (LoomWindow *self, LoomRuleEditor *editor)
{
  g_autoptr (GArray) places = loom_rule_preview_dup_places (loom_rule_editor_get_preview (editor));
  show_places (self, places);
}

static void
finding_chosen (LoomWindow *self, const LoomFinding *finding)
{
  loom_panel_places_show_finding (loom_run_view_get_timeline_view (self->run_view), finding);
}

static void
place_chosen (LoomWindow *self, const LoomPlace *place)
{
  loom_panel_places_show (loom_run_view_get_timeline_view (self->run_view), place);
}

static void
saved (LoomWindow *self, const char *path)
{
  loom_findings_panel_add_rules (loom_run_view_get_findings (self->run_view), path);
}

static void
editor_gone (gpointer window, GObject *editor)
{
  LoomWindow *self = window;
  self->rule_editor = NULL;
  if (!gtk_widget_in_destruction (GTK_WIDGET (self)))
    show_places (self, NULL);
}

/* One per window. */
static LoomRuleEditor *
editor_of (LoomWindow *self)
{
  if (self->rule_editor != NULL)
    return LOOM_RULE_EDITOR (self->rule_editor);
  LoomRuleEditor *editor = loom_rule_editor_new (GTK_WINDOW (self), loom_run_view_get_analysis (self->run_view),
                                                 loom_timeline_view_get_scene (loom_run_view_get_timeline_view (self->run_view)));
  self->rule_editor = GTK_WINDOW (editor);
  g_object_weak_ref (G_OBJECT (editor), editor_gone, self);
  g_signal_connect_object (editor, "previewed", G_CALLBACK (previewed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "finding-chosen", G_CALLBACK (finding_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "place-chosen", G_CALLBACK (place_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (editor, "saved", G_CALLBACK (saved), self, G_CONNECT_SWAPPED);
  return editor;
}

static void
edit_rules_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gtk_window_present (GTK_WINDOW (editor_of (window)));
}

static void
edit_rules_of_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  loom_rule_editor_open (editor_of (window), g_variant_get_bytestring (parameter));
  gtk_window_present (GTK_WINDOW (editor_of (window)));
}

static void
edit_config_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gtk_window_present (GTK_WINDOW (loom_config_editor_new (window)));
}

static void
edit_range (LoomWindow *self, const LoomConfigRange *range)
{
  const LoomConfigPlan plan = { .range = *range };
  LoomConfigEditor *editor = loom_config_editor_new (GTK_WINDOW (self));
  loom_config_editor_set_plan (editor, &plan);
  gtk_window_present (GTK_WINDOW (editor));
}

/* Of the range given; of none, of the selection, else of what is in view. */
static void
profile_range_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LoomViewState *state = state_of (window);
  const LoomViewport *view = loom_view_state_get_viewport (state);
  LoomRange range;
  g_variant_get (parameter, "(xx)", &range.begin_ns, &range.end_ns);
  if (range.end_ns <= range.begin_ns && !loom_view_state_get_selected_range (state, &range))
    range = (LoomRange) { view->begin_ns, view->end_ns };
  LoomPlanDialog *dialog = loom_plan_dialog_new (window, loom_view_state_get_steps (state), range);
  g_signal_connect_object (dialog, "edit", G_CALLBACK (edit_range), window, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
loom_window_add_rule_actions (LoomWindow *self)
{
  static const GActionEntry entries[] = {
    { "edit-rules", edit_rules_activated },
    { "edit-rules-of", edit_rules_of_activated, "ay" },
    { "edit-config", edit_config_activated },
    { "profile-range", profile_range_activated, "(xx)" },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
loom_window_forget_editors (LoomWindow *self)
{
  if (self->rule_editor != NULL)
    g_object_weak_unref (G_OBJECT (self->rule_editor), editor_gone, self);
  self->rule_editor = NULL;
}

gboolean
loom_window_asks_editors (LoomWindow *self)
{
  if (self->rule_editor == NULL || !loom_rule_editor_is_changed (LOOM_RULE_EDITOR (self->rule_editor)))
    return FALSE;
  gtk_window_present (self->rule_editor);
  gtk_window_close (self->rule_editor);
  return TRUE;
}
