/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-limits-dialog.h"

#include "loom-bounded-text.h"
#include "loom-dialog-size.h"
#include "loom-help-key.h"
#include "loom-rule-limit-row.h"
#include "loom-rule-values.h"
#include "loom-sentence.h"
#include "loom-window-measure-workaround.h"

struct _LoomRuleLimitsDialog {
  AdwWindow parent;
  AdwWindowTitle *title;
  AdwPreferencesGroup *group;
  GtkLabel *problem;
  LoomRunState *run;
  char *rule;
  LoomRuleLimitRow *rows[LOOM_RULE_MAX_LIMITS]; /* for each limit, its row; NULL if users cannot set the limit */
};

G_DEFINE_FINAL_TYPE (LoomRuleLimitsDialog, loom_rule_limits_dialog, ADW_TYPE_WINDOW)

static void
show_sentence (LoomRuleLimitsDialog *self, const LoomRuleResult *result)
{
  g_autofree char *capital = loom_sentence_dup_capital (result->sentence), *sentence = loom_sentence_dup (capital);
  g_autofree char *bound = loom_sentence_dup_bound (sentence), *markup = g_markup_escape_text (bound, -1);
  adw_preferences_group_set_description (self->group, markup);
}

static void
findings_changed (LoomRuleLimitsDialog *self)
{
  const LoomFinding *finding = loom_findings_state_find (loom_run_state_get_findings (self->run), self->rule);
  if (finding == NULL)
    return; /* there is no finding while the rules are being evaluated */
  show_sentence (self, finding->result);
  for (guint i = 0; i < finding->result->n_limits; i++)
    if (self->rows[i] != NULL)
      loom_rule_limit_row_set_limit (self->rows[i], &finding->result->limits[i]);
}

static void
problem_changed (LoomRuleLimitsDialog *self)
{
  g_autofree char *problem = NULL;
  g_object_get (loom_rule_values_get_default (), "problem", &problem, NULL);
  loom_bounded_text_set_label (self->problem, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), problem != NULL);
}

static void
dispose (GObject *object)
{
  LoomRuleLimitsDialog *self = LOOM_RULE_LIMITS_DIALOG (object);
  g_clear_object (&self->run);
  g_clear_pointer (&self->rule, g_free);
  G_OBJECT_CLASS (loom_rule_limits_dialog_parent_class)->dispose (object);
}

static void
loom_rule_limits_dialog_class_init (LoomRuleLimitsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-rule-limits-dialog.ui");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleLimitsDialog, title);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleLimitsDialog, group);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleLimitsDialog, problem);
}

static void
loom_rule_limits_dialog_init (LoomRuleLimitsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
add_rows (LoomRuleLimitsDialog *self, const LoomRuleResult *result)
{
  for (guint i = 0; i < result->n_limits; i++) {
    if (result->limits[i].label == NULL)
      continue;
    GtkWidget *row = loom_rule_limit_row_new (result->name, &result->limits[i]);
    self->rows[i] = LOOM_RULE_LIMIT_ROW (row);
    adw_preferences_group_add (self->group, row);
  }
}

GtkWindow *
loom_rule_limits_dialog_new (GtkWindow *parent, LoomRunState *run, const LoomRuleResult *result)
{
  LoomRuleLimitsDialog *self = g_object_new (LOOM_TYPE_RULE_LIMITS_DIALOG, "transient-for", parent, NULL);
  g_autofree char *name = loom_sentence_dup_bound (result->name);
  loom_dialog_size_set (GTK_WINDOW (self), 520, -1);
  loom_help_key_add (GTK_WINDOW (self));
  self->run = g_object_ref (run);
  self->rule = g_strdup (result->name);
  adw_window_title_set_subtitle (self->title, name);
  gtk_window_set_title (GTK_WINDOW (self), adw_window_title_get_title (self->title));
  add_rows (self, result);
  show_sentence (self, result);
  problem_changed (self);
  g_signal_connect_object (loom_run_state_get_findings (run), "notify::findings", G_CALLBACK (findings_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_rule_values_get_default (), "notify::problem", G_CALLBACK (problem_changed), self,
                           G_CONNECT_SWAPPED);
  return GTK_WINDOW (self);
}
