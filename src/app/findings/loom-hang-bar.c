/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hang-bar.h"

#include "loom-bounded-text.h"

struct _LoomHangBar {
  GtkWidget parent;
  GtkInfoBar *bar;
  GtkLabel *label;
  LoomRunState *run;
  LoomFindingsState *findings; /* state of the run's findings; borrowed from the run */
};

G_DEFINE_FINAL_TYPE (LoomHangBar, loom_hang_bar, GTK_TYPE_WIDGET)

/* Shows the sentence of the rule "Hang" if the rule has found a hang. The pages Hang and Summary begin with this
 * sentence, so the bar is hidden there. */
static void
show_or_hide (LoomHangBar *self)
{
  const char *page = loom_run_state_get_page (self->run), *sentence = loom_findings_state_get_hang (self->findings);
  gboolean is_said = g_strcmp0 (page, "hang") == 0 || g_strcmp0 (page, "overview") == 0;
  if (sentence != NULL)
    loom_bounded_text_set_label (self->label, sentence);
  gtk_info_bar_set_revealed (self->bar, sentence != NULL && !is_said);
}

static void
closed (LoomHangBar *self)
{
  loom_findings_state_close_hang (self->findings);
}

static void
dispose (GObject *object)
{
  LoomHangBar *self = LOOM_HANG_BAR (object);
  if (self->bar != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->bar));
  self->bar = NULL;
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_hang_bar_parent_class)->dispose (object);
}

static void
loom_hang_bar_class_init (LoomHangBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-hang-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomHangBar, bar);
  gtk_widget_class_bind_template_child (widget_class, LoomHangBar, label);
  gtk_widget_class_bind_template_callback (widget_class, closed);
}

static void
loom_hang_bar_init (LoomHangBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_hang_bar_set_run (LoomHangBar *self, LoomRunState *run)
{
  g_return_if_fail (LOOM_IS_HANG_BAR (self) && self->run == NULL);
  self->run = g_object_ref (run);
  self->findings = loom_run_state_get_findings (run);
  g_signal_connect_object (run, "notify::page", G_CALLBACK (show_or_hide), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->findings, "notify::hang", G_CALLBACK (show_or_hide), self, G_CONNECT_SWAPPED);
  show_or_hide (self);
}

const char *
loom_hang_bar_get_text (LoomHangBar *self)
{
  return gtk_info_bar_get_revealed (self->bar) ? gtk_label_get_text (self->label) : "";
}
