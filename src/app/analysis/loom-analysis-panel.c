/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-analysis-panel.h"

#include "loom-analysis-page.h"
#include "loom-bounded-text.h"
#include "loom-run-navigation.h"

#include <string.h>

struct _LoomAnalysisPanel {
  GtkBox parent;
  GtkLabel *summary;
  GtkSpinner *spinner;
  GtkWidget *copy;
  LoomPageView *view;
  LoomRunState *run;
  LoomAnalysisPage *page;
};

G_DEFINE_FINAL_TYPE (LoomAnalysisPanel, loom_analysis_panel, GTK_TYPE_BOX)

/* --- showing the content and the state of the page ---------------------------------------------------------------- */

static void
show_content (LoomAnalysisPanel *self)
{
  LoomPageContent *content = loom_analysis_page_get_content (self->page);
  LoomRangeScope scope = loom_analysis_context_get_scope (loom_run_state_get_analysis (self->run));
  /* `range` is empty if the scope is the selection and nothing is selected, or if the scope is the training loop and
   * the run has none */
  gboolean is_empty = content != NULL && content->range.end_ns <= content->range.begin_ns;
  loom_page_view_set_offers_whole_run (self->view, is_empty && scope != LOOM_RANGE_SCOPE_ALL);
  loom_page_view_set_content (self->view, content);
  gtk_widget_set_sensitive (self->copy, content != NULL);
}

static void
show_summary (LoomAnalysisPanel *self)
{
  const char *summary = loom_analysis_page_get_summary (self->page);
  /* the second line, about how spans are cut at the bounds of a range, is only in the tooltip */
  g_autofree char *first = g_strndup (summary, strcspn (summary, "\n"));
  loom_bounded_text_set_label (self->summary, first);
  if (loom_analysis_page_is_part (self->page))
    gtk_widget_add_css_class (GTK_WIDGET (self->summary), "part");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->summary), "part");
  if (!loom_analysis_page_is_working (self->page))
    loom_bounded_text_set_tip (GTK_WIDGET (self->summary), summary);
}

static void
show_work (LoomAnalysisPanel *self)
{
  gboolean working = loom_analysis_page_is_working (self->page);
  gtk_spinner_set_spinning (self->spinner, working);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), working);
  if (working)
    gtk_widget_add_css_class (GTK_WIDGET (self->view), "old");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->view), "old");
}

static void
mapped (LoomAnalysisPanel *self)
{
  loom_analysis_page_set_wanted (self->page, TRUE);
}

/* Cancels the computation, because a hidden panel needs no results. */
static void
unmapped (LoomAnalysisPanel *self)
{
  loom_analysis_page_set_wanted (self->page, FALSE);
}

/* --- actions of the user ------------------------------------------------------------------------------------------ */

static void
place_activated (LoomAnalysisPanel *self, guint block, guint element)
{
  g_autoptr (LoomNavigationTarget) target =
    loom_page_content_dup_place (loom_analysis_page_get_content (self->page), block, element);
  if (target != NULL)
    loom_run_navigation_show (self->run, target, LOOM_RUN_NAVIGATION_KEEP_RANGE);
}

static void
whole_run_requested (LoomAnalysisPanel *self)
{
  loom_analysis_context_set_scope (loom_run_state_get_analysis (self->run), LOOM_RANGE_SCOPE_ALL);
}

static void
copy_clicked (LoomAnalysisPanel *self)
{
  g_autofree char *text = loom_page_content_dup_tsv (loom_analysis_page_get_content (self->page));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomAnalysisPanel *self = LOOM_ANALYSIS_PANEL (object);
  if (self->page != NULL)
    g_signal_handlers_disconnect_by_data (self->page, self);
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_analysis_panel_parent_class)->dispose (object);
  g_clear_object (&self->page);
}

static void
loom_analysis_panel_class_init (LoomAnalysisPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-analysis-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisPanel, copy);
  gtk_widget_class_bind_template_callback (widget_class, mapped);
  gtk_widget_class_bind_template_callback (widget_class, unmapped);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked);
}

static void
loom_analysis_panel_init (LoomAnalysisPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_analysis_panel_new (LoomRunState *run, LoomRenderContext *scene, const LoomPage *page)
{
  LoomAnalysisPanel *self = g_object_new (LOOM_TYPE_ANALYSIS_PANEL, NULL);
  self->run = g_object_ref (run);
  self->page = loom_analysis_page_new (loom_run_state_get_analysis (run), page);
  self->view = LOOM_PAGE_VIEW (loom_page_view_new (scene));
  loom_page_view_set_has_links (self->view, TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->view), TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->view));
  g_signal_connect_swapped (self->view, "place-activated", G_CALLBACK (place_activated), self);
  g_signal_connect_swapped (self->view, "whole-run-requested", G_CALLBACK (whole_run_requested), self);
  g_signal_connect_swapped (self->page, "notify::content", G_CALLBACK (show_content), self);
  g_signal_connect_swapped (self->page, "notify::summary", G_CALLBACK (show_summary), self);
  g_signal_connect_swapped (self->page, "notify::working", G_CALLBACK (show_work), self);
  return GTK_WIDGET (self);
}

LoomPageView *
loom_analysis_panel_get_view (LoomAnalysisPanel *self)
{
  return self->view;
}

LoomAnalysisPage *
loom_analysis_panel_get_page (LoomAnalysisPanel *self)
{
  return self->page;
}
