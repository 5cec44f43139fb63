/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-chooser.h"

#include "loom-drop-down-a11y-workaround.h"

#include <glib/gi18n.h>

struct _LoomRangeChooser {
  GtkWidget parent;
  GtkWidget *box, *word;
  GtkDropDown *range;
  GtkButton *back;
  /* analysis whose scope is shown, borrowed; NULL: the scope is set with loom_range_chooser_set_scope() */
  LoomAnalysisContext *analysis;
};

G_DEFINE_FINAL_TYPE (LoomRangeChooser, loom_range_chooser, GTK_TYPE_WIDGET)

enum { SCOPE_CHOSEN, BACK_CLICKED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
range_chosen (LoomRangeChooser *self)
{
  guint scope = gtk_drop_down_get_selected (self->range);
  if (scope >= LOOM_N_RANGE_SCOPES)
    return;
  if (self->analysis != NULL)
    loom_analysis_context_set_scope (self->analysis, scope);
  g_signal_emit (self, signals[SCOPE_CHOSEN], 0, scope);
}

static void
back_clicked (LoomRangeChooser *self)
{
  if (self->analysis != NULL)
    loom_analysis_context_restore_scope (self->analysis);
  g_signal_emit (self, signals[BACK_CLICKED], 0);
}

static void
dispose (GObject *object)
{
  LoomRangeChooser *self = LOOM_RANGE_CHOOSER (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_range_chooser_parent_class)->dispose (object);
}

static void
loom_range_chooser_class_init (LoomRangeChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-range-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, box);
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, word);
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, back);
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, range);
  gtk_widget_class_bind_template_callback (widget_class, back_clicked);
  signals[SCOPE_CHOSEN] = g_signal_new ("scope-chosen", LOOM_TYPE_RANGE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[BACK_CLICKED] =
    g_signal_new ("back-clicked", LOOM_TYPE_RANGE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_range_chooser_init (LoomRangeChooser *self)
{
  const char *titles[LOOM_N_RANGE_SCOPES + 1] = { NULL };
  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < LOOM_N_RANGE_SCOPES; i++)
    titles[i] = loom_analysis_context_scope_get_title (i);
  g_autoptr (GtkStringList) model = gtk_string_list_new (titles);
  gtk_drop_down_set_model (self->range, G_LIST_MODEL (model));
  loom_drop_down_a11y_workaround_set (self->range, _ ("Range"));
  g_signal_connect_swapped (self->range, "notify::selected", G_CALLBACK (range_chosen), self);
}

static void
show_previous (LoomRangeChooser *self, LoomRangeScope previous)
{
  gtk_widget_set_visible (GTK_WIDGET (self->back), previous < LOOM_N_RANGE_SCOPES);
  if (previous >= LOOM_N_RANGE_SCOPES)
    return;
  /* Translators: a button that goes back to the range that the panels showed before: "Back to “Visible Range”", "Back
   * to “Whole Run”" */
  g_autofree char *label = g_strdup_printf (_ ("Back to “%s”"), loom_analysis_context_scope_get_title (previous));
  gtk_button_set_label (self->back, label);
}

void
loom_range_chooser_set_scope (LoomRangeChooser *self, LoomRangeScope scope, LoomRangeScope previous)
{
  g_return_if_fail (LOOM_IS_RANGE_CHOOSER (self) && scope < LOOM_N_RANGE_SCOPES);
  g_signal_handlers_block_by_func (self->range, range_chosen, self);
  gtk_drop_down_set_selected (self->range, scope);
  g_signal_handlers_unblock_by_func (self->range, range_chosen, self);
  show_previous (self, previous);
}

static void
scope_changed (LoomRangeChooser *self)
{
  loom_range_chooser_set_scope (self, loom_analysis_context_get_scope (self->analysis),
                                loom_analysis_context_get_previous_scope (self->analysis));
}

void
loom_range_chooser_follow (LoomRangeChooser *self, LoomAnalysisContext *analysis)
{
  g_return_if_fail (LOOM_IS_RANGE_CHOOSER (self) && self->analysis == NULL);
  self->analysis = analysis;
  g_signal_connect_object (analysis, "scope-changed", G_CALLBACK (scope_changed), self, G_CONNECT_SWAPPED);
  scope_changed (self);
}

void
loom_range_chooser_set_narrow (LoomRangeChooser *self, gboolean is_narrow)
{
  g_return_if_fail (LOOM_IS_RANGE_CHOOSER (self));
  gtk_widget_set_visible (self->word, !is_narrow);
}
