/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-analysis-panel.h"

#include "loom-bounded-text.h"
#include "loom-debounced-task.h"
#include "loom-run-navigation.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

struct _LoomAnalysisPanel {
  GtkWidget parent;
  GtkWidget *box;
  GtkLabel *summary;
  GtkSpinner *spinner;
  GtkWidget *copy;
  LoomPageView *view;
  LoomRunState *run;
  LoomAnalysisContext *analysis; /* the run's, borrowed */
  const LoomPage *page;
  LoomDebouncedTask inquiry;
  gboolean is_old; /* the shown figures are outdated: the question has changed */
};

G_DEFINE_FINAL_TYPE (LoomAnalysisPanel, loom_analysis_panel, GTK_TYPE_WIDGET)

enum { CLOSE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- showing the figures --------------------------------------------------------------------------------------------- */

/* Returns TRUE if the figures cover only a part of the run, so that the note about cut spans applies. */
static gboolean
is_part (LoomTimelineState *state, LoomRange range)
{
  LoomRange all = loom_timeline_state_get_extent (state);
  return range.begin_ns > all.begin_ns || range.end_ns < all.end_ns;
}

/* Shows the summary, as in "1.24 s from +12.4 s · ProfilerStep spans", and for a part of the run how spans are cut. */
static void
show_summary (LoomAnalysisPanel *self, LoomPageContent *sheet)
{
  LoomTimelineState *state = loom_analysis_context_get_state (self->analysis);
  LoomRange range = loom_page_content_get_range (sheet);
  const char *sources = loom_page_content_get_sources (sheet);
  if (range.end_ns <= range.begin_ns || loom_timeline_state_get_timeline (state) == NULL) {
    loom_bounded_text_set_label (self->summary, sources);
    return;
  }
  g_autofree char *duration = loom_time_format_duration (loom_time_sub (range.end_ns, range.begin_ns));
  g_autofree char *from =
    loom_ruler_format (loom_timeline_state_get_timeline (state), loom_timeline_state_get_steps (state),
                       loom_timeline_state_get_reading (state), range.begin_ns);
  g_autofree char *text =
    g_strdup_printf (sources[0] != '\0' ? _ ("%s from %s · %s") : _ ("%s from %s"), duration, from, sources);
  g_autofree char *all =
    is_part (state, range) ? g_strdup_printf ("%s\n%s", text, _ (loom_page_range_rule)) : g_steal_pointer (&text);
  loom_bounded_text_set_label (self->summary, all);
  loom_bounded_text_set_tip (GTK_WIDGET (self->summary), all);
}

static void
show_work (gboolean working, gpointer user_data)
{
  LoomAnalysisPanel *self = user_data;
  g_autofree char *words = loom_timeline_description_working (loom_debounced_task_get_fraction (&self->inquiry));
  gtk_spinner_set_spinning (self->spinner, working);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), working);
  if (working) {
    gtk_widget_add_css_class (GTK_WIDGET (self->view), "old");
    loom_bounded_text_set_label (self->summary, words);
  } else
    gtk_widget_remove_css_class (GTK_WIDGET (self->view), "old");
}

/* --- asking ---------------------------------------------------------------------------------------------------------- */

static void
answered (gpointer panel, gpointer result, const GError *error, gpointer question)
{
  LoomAnalysisPanel *self = panel;
  g_autoptr (LoomPageContent) sheet = result;
  if (sheet == NULL)
    return; /* the figures are of a timeline that was closed */
  self->is_old = FALSE;
  loom_page_view_set_content (self->view, sheet);
  show_summary (self, sheet);
  gtk_widget_set_sensitive (self->copy, TRUE);
}

static void
start (LoomDebouncedTask *task, gpointer user_data)
{
  LoomAnalysisPanel *self = user_data;
  loom_analysis_context_make (self->analysis, self->page, task);
}

static void
show_nothing (LoomAnalysisPanel *self)
{
  loom_debounced_task_stop (&self->inquiry);
  self->is_old = FALSE;
  loom_page_view_set_content (self->view, NULL);
  gtk_label_set_text (self->summary, "");
  gtk_widget_set_sensitive (self->copy, FALSE);
}

static void
ask (LoomAnalysisPanel *self)
{
  self->is_old = TRUE;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (loom_timeline_state_get_timeline (loom_analysis_context_get_state (self->analysis)) == NULL) {
    show_nothing (self);
    return;
  }
  loom_debounced_task_ask (&self->inquiry);
}

static void
mapped (LoomAnalysisPanel *self)
{
  if (self->is_old)
    ask (self);
}

/* A hidden panel needs no figures, so the computation is cancelled. */
static void
unmapped (LoomAnalysisPanel *self)
{
  loom_debounced_task_stop (&self->inquiry);
}

/* --- actions of the person ------------------------------------------------------------------------------------------- */

static void
place_activated (LoomAnalysisPanel *self, guint block, guint element)
{
  g_autoptr (LoomNavigationTarget) target =
    loom_page_content_dup_place (loom_page_view_get_content (self->view), block, element);
  if (target != NULL)
    loom_run_navigation_show (self->run, target, LOOM_RUN_NAVIGATION_KEEP_RANGE);
}

static void
copy_clicked (LoomAnalysisPanel *self)
{
  LoomPageContent *sheet = loom_page_view_get_content (self->view);
  g_autofree char *text = sheet != NULL ? loom_page_content_dup_tsv (sheet) : g_strdup ("");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
close_clicked (LoomAnalysisPanel *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

/* --- the object ------------------------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  LoomAnalysisPanel *self = LOOM_ANALYSIS_PANEL (object);
  if (self->box != NULL)
    loom_debounced_task_stop (&self->inquiry);
  if (self->analysis != NULL)
    g_signal_handlers_disconnect_by_data (self->analysis, self);
  self->analysis = NULL;
  g_clear_object (&self->run);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_analysis_panel_parent_class)->dispose (object);
}

static void
loom_analysis_panel_class_init (LoomAnalysisPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-analysis-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisPanel, box);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisPanel, summary);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomAnalysisPanel, copy);
  gtk_widget_class_bind_template_callback (widget_class, mapped);
  gtk_widget_class_bind_template_callback (widget_class, unmapped);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked);
  gtk_widget_class_bind_template_callback (widget_class, close_clicked);
  signals[CLOSE] =
    g_signal_new ("close", LOOM_TYPE_ANALYSIS_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  self->analysis = loom_run_state_get_analysis (run);
  self->page = page;
  loom_debounced_task_init (&self->inquiry, start, answered, show_work, self);
  self->view = LOOM_PAGE_VIEW (loom_page_view_new (scene));
  gtk_widget_set_vexpand (GTK_WIDGET (self->view), TRUE);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->view));
  show_nothing (self);
  self->is_old = TRUE; /* the panel asks anew as soon as it is shown */
  g_signal_connect_swapped (self->view, "place-activated", G_CALLBACK (place_activated), self);
  g_signal_connect_swapped (self->analysis, "range-changed", G_CALLBACK (ask), self);
  return GTK_WIDGET (self);
}

LoomPageView *
loom_analysis_panel_get_view (LoomAnalysisPanel *self)
{
  return self->view;
}

gboolean
loom_analysis_panel_is_working (LoomAnalysisPanel *self)
{
  return self->is_old || loom_page_view_is_filling (self->view);
}

const char *
loom_analysis_panel_get_summary (LoomAnalysisPanel *self)
{
  return gtk_label_get_text (self->summary);
}
