/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-main-finding-bar.h"

#include "loom-bounded-text.h"
#include "loom-page-index.h"
#include "loom-sentence.h"

struct _LoomMainFindingBar {
  GtkWidget parent;
  GtkWidget *bar;
  GtkImage *icon;
  GtkLabel *label;
  GtkButton *show;
  LoomRunState *run;
  LoomFindingsState *findings; /* state of the run's findings; borrowed from the run */
};

G_DEFINE_FINAL_TYPE (LoomMainFindingBar, loom_main_finding_bar, GTK_TYPE_WIDGET)

/* Shows the icon of the finding's severity, which is the same as in the list of findings. */
static void
show_icon (LoomMainFindingBar *self, gboolean is_severe)
{
  gtk_image_set_from_icon_name (self->icon, is_severe ? "dialog-error-symbolic" : "dialog-warning-symbolic");
  gtk_widget_remove_css_class (GTK_WIDGET (self->icon), is_severe ? "warning" : "error");
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), is_severe ? "error" : "warning");
}

/* Returns the name of the page to open for a finding: the page “Stragglers” if the finding names a late rank; otherwise
 * the page about the rule; if there is no such page, the summary. */
static const char *
find_page (const LoomRuleResult *result)
{
  const LoomPageIndex *page = loom_page_index_find_of_result (result);
  return page != NULL ? page->name : "overview";
}

static void
show_or_hide (LoomMainFindingBar *self)
{
  const char *sentence = loom_findings_state_get_main_finding (self->findings);
  const LoomFinding *finding = loom_findings_state_find_main (self->findings);
  gboolean is_shown = sentence != NULL && finding != NULL;
  if (is_shown) {
    g_autofree char *bound = loom_sentence_dup_bound (sentence);
    loom_bounded_text_set_label (self->label, bound);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->show), "s", find_page (finding->result));
    show_icon (self, finding->severity == LOOM_RULE_SEVERE);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->bar), is_shown);
}

static void
closed (LoomMainFindingBar *self)
{
  loom_findings_state_close_main_finding (self->findings);
}

static void
dispose (GObject *object)
{
  LoomMainFindingBar *self = LOOM_MAIN_FINDING_BAR (object);
  if (self->bar != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->bar));
  self->bar = NULL;
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_main_finding_bar_parent_class)->dispose (object);
}

static void
loom_main_finding_bar_class_init (LoomMainFindingBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-main-finding-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomMainFindingBar, bar);
  gtk_widget_class_bind_template_child (widget_class, LoomMainFindingBar, icon);
  gtk_widget_class_bind_template_child (widget_class, LoomMainFindingBar, label);
  gtk_widget_class_bind_template_child (widget_class, LoomMainFindingBar, show);
  gtk_widget_class_bind_template_callback (widget_class, closed);
}

static void
loom_main_finding_bar_init (LoomMainFindingBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_main_finding_bar_set_run (LoomMainFindingBar *self, LoomRunState *run)
{
  g_return_if_fail (LOOM_IS_MAIN_FINDING_BAR (self) && self->run == NULL);
  self->run = g_object_ref (run);
  self->findings = loom_run_state_get_findings (run);
  g_signal_connect_object (self->findings, "notify::main-finding", G_CALLBACK (show_or_hide), self, G_CONNECT_SWAPPED);
  show_or_hide (self);
}

const char *
loom_main_finding_bar_get_text (LoomMainFindingBar *self)
{
  return gtk_widget_get_visible (self->bar) ? loom_findings_state_get_main_finding (self->findings) : "";
}
