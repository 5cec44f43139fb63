/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-late-rank-bar.h"

#include "loom-bounded-text.h"

struct _LoomLateRankBar {
  GtkWidget parent;
  GtkWidget *bar;
  GtkLabel *label;
  LoomRunState *run;
  LoomFindingsState *findings; /* state of the run's findings; borrowed from the run */
};

G_DEFINE_FINAL_TYPE (LoomLateRankBar, loom_late_rank_bar, GTK_TYPE_WIDGET)

static void
show_or_hide (LoomLateRankBar *self)
{
  const char *sentence = loom_findings_state_get_late_rank (self->findings);
  if (sentence != NULL)
    loom_bounded_text_set_label (self->label, sentence);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), sentence != NULL);
}

static void
closed (LoomLateRankBar *self)
{
  loom_findings_state_close_late_rank (self->findings);
}

static void
dispose (GObject *object)
{
  LoomLateRankBar *self = LOOM_LATE_RANK_BAR (object);
  if (self->bar != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->bar));
  self->bar = NULL;
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_late_rank_bar_parent_class)->dispose (object);
}

static void
loom_late_rank_bar_class_init (LoomLateRankBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-late-rank-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomLateRankBar, bar);
  gtk_widget_class_bind_template_child (widget_class, LoomLateRankBar, label);
  gtk_widget_class_bind_template_callback (widget_class, closed);
}

static void
loom_late_rank_bar_init (LoomLateRankBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_late_rank_bar_set_run (LoomLateRankBar *self, LoomRunState *run)
{
  g_return_if_fail (LOOM_IS_LATE_RANK_BAR (self) && self->run == NULL);
  self->run = g_object_ref (run);
  self->findings = loom_run_state_get_findings (run);
  g_signal_connect_object (self->findings, "notify::late-rank", G_CALLBACK (show_or_hide), self, G_CONNECT_SWAPPED);
  show_or_hide (self);
}

const char *
loom_late_rank_bar_get_text (LoomLateRankBar *self)
{
  return gtk_widget_get_visible (self->bar) ? gtk_label_get_text (self->label) : "";
}
