/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-limit-row.h"

#include "loom-bounded-text.h"
#include "loom-rule-values.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

struct _LoomRuleLimitRow {
  AdwActionRow parent;
  GtkSpinButton *spin;
  GtkLabel *unit;
  GtkWidget *reset;
  char *rule;
  LoomRuleLimit limit;
  /* factor between the number in the field and the limit: limit = number · scale; for example, 1e6 if a limit in ns is
   * shown in ms */
  double scale;
  gboolean is_shown; /* FALSE while the program sets the value of the field, so that this value is not saved */
};

G_DEFINE_FINAL_TYPE (LoomRuleLimitRow, loom_rule_limit_row, ADW_TYPE_ACTION_ROW)

static double
get_field (LoomRuleLimitRow *self)
{
  return gtk_spin_button_get_value (self->spin) * self->scale;
}

static void
show_reset (LoomRuleLimitRow *self)
{
  gtk_widget_set_sensitive (self->reset,
                            fabs (get_field (self) - self->limit.initial) > 1e-9 * fabs (self->limit.initial));
}

static void
value_changed (LoomRuleLimitRow *self)
{
  show_reset (self);
  if (self->is_shown)
    loom_rule_values_set (loom_rule_values_get_default (), self->rule, &self->limit,
                          gtk_widget_get_sensitive (self->reset) ? get_field (self) : self->limit.initial);
}

static void
reset_clicked (LoomRuleLimitRow *self)
{
  gtk_spin_button_set_value (self->spin, self->limit.initial / self->scale);
}

static void
show_words (LoomRuleLimitRow *self)
{
  g_autofree char *initial = loom_rule_result_dup_value (&self->limit, self->limit.initial);
  g_autofree char *text = NULL;
  if (isfinite (self->limit.judged)) {
    g_autofree char *judged = loom_rule_result_dup_value (&self->limit, self->limit.judged);
    text = g_strdup_printf (
      /* Translators: the first %s is the value of this run, which the rule compared with its limit; the second is
       * the default of the limit */
      _ ("This run: %s · default: %s"), judged, initial);
  } else {
    text = g_strdup_printf (_ ("Default: %s"), initial);
  }
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), text);
}

/* Chooses the unit of the field. Times are shown in the largest unit in which the default is at least 1. */
static void
choose_unit (LoomRuleLimitRow *self)
{
  static const struct {
    double ns;
    const char *unit;
  } times[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } };
  guint i = 0;
  self->scale = 1;
  if (strcmp (self->limit.unit, "ns") != 0) {
    loom_bounded_text_set_label (self->unit, self->limit.unit);
    return;
  }
  while (i + 1 < G_N_ELEMENTS (times) && self->limit.initial < times[i].ns)
    i++;
  self->scale = times[i].ns;
  loom_bounded_text_set_label (self->unit, times[i].unit);
}

static void
finalize (GObject *object)
{
  g_free (LOOM_RULE_LIMIT_ROW (object)->rule);
  G_OBJECT_CLASS (loom_rule_limit_row_parent_class)->finalize (object);
}

static void
loom_rule_limit_row_class_init (LoomRuleLimitRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-rule-limit-row.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRuleLimitRow, spin);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleLimitRow, unit);
  gtk_widget_class_bind_template_child (widget_class, LoomRuleLimitRow, reset);
  gtk_widget_class_bind_template_callback (widget_class, value_changed);
  gtk_widget_class_bind_template_callback (widget_class, reset_clicked);
}

static void
loom_rule_limit_row_init (LoomRuleLimitRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_rule_limit_row_new (const char *rule, const LoomRuleLimit *limit)
{
  LoomRuleLimitRow *self = g_object_new (LOOM_TYPE_RULE_LIMIT_ROW, NULL);
  self->rule = g_strdup (rule);
  self->limit = *limit;
  choose_unit (self);
  gboolean is_small = limit->most <= 1;
  gtk_spin_button_set_digits (self->spin, limit->is_whole ? 0 : is_small ? 2 : 1);
  gtk_spin_button_set_increments (self->spin, is_small ? 0.05 : 1, is_small ? 0.1 : 10);
  gtk_spin_button_set_range (self->spin, limit->least / self->scale, limit->most / self->scale);
  gtk_spin_button_set_value (self->spin, limit->value / self->scale);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->spin), 6);
  if (limit->most <= 100) {
    g_autofree char *least = loom_rule_result_dup_value (limit, limit->least),
                    *most = loom_rule_result_dup_value (limit, limit->most),
                    *range = g_strdup_printf (C_ ("range of a number", "%s to %s"), least, most);
    loom_bounded_text_set_tip (GTK_WIDGET (self->spin), range);
  }
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), limit->label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->spin), GTK_ACCESSIBLE_PROPERTY_LABEL, limit->label, -1);
  show_words (self);
  show_reset (self);
  self->is_shown = TRUE;
  return GTK_WIDGET (self);
}

void
loom_rule_limit_row_set_limit (LoomRuleLimitRow *self, const LoomRuleLimit *limit)
{
  g_return_if_fail (LOOM_IS_RULE_LIMIT_ROW (self));
  self->limit = *limit;
  show_words (self);
  show_reset (self);
}
