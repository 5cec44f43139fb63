/* SPDX-License-Identifier: Apache-2.0 */
#include "panels.h"

#include <string.h>

void
panels_turn (LoomWindow *window, const char *page)
{
  loom_run_state_open_page (loom_window_get_run_state (window), page);
}

LoomAnalysisView *
panels_analysis (LoomWindow *window)
{
  return loom_run_views_get_analysis (loom_run_page_get_panels (loom_window_get_run_view (window)));
}

static gboolean
is_answered (gpointer panel)
{
  return gtk_widget_get_mapped (panel) && !loom_analysis_page_is_outdated (loom_analysis_panel_get_page (panel)) &&
         !loom_page_view_is_filling (loom_analysis_panel_get_view (panel));
}

LoomAnalysisPanel *
panels_wait (LoomAnalysisPanel *panel)
{
  g_assert_true (fixture_wait (is_answered, panel));
  return panel;
}

LoomAnalysisPanel *
panels_show (LoomWindow *window, const char *page)
{
  panels_turn (window, page);
  return panels_wait (
    LOOM_ANALYSIS_PANEL (loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (window)))));
}

LoomWindow *
panels_open_sample (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return window;
}

LoomPageContent *
panels_sheet (LoomAnalysisPanel *panel)
{
  return loom_page_view_get_content (loom_analysis_panel_get_view (panel));
}

guint
panels_find_block (LoomAnalysisPanel *panel, const char *title)
{
  LoomPageContent *sheet = panels_sheet (panel);
  for (guint i = 0; i < sheet->blocks->len; i++)
    if (strcmp (loom_page_content_get_block (sheet, i)->text, title) == 0)
      return i;
  g_error ("no block “%s”", title);
}

GtkWidget *
panels_widget (LoomAnalysisPanel *panel, const char *title)
{
  return loom_page_view_get_block (loom_analysis_panel_get_view (panel), panels_find_block (panel, title));
}

gboolean
panels_has_block (LoomAnalysisPanel *panel, const char *title)
{
  for (guint i = 0; i < panels_sheet (panel)->blocks->len; i++)
    if (strcmp (loom_page_content_get_block (panels_sheet (panel), i)->text, title) == 0)
      return TRUE;
  return FALSE;
}

void
panels_set_scope (LoomWindow *window, LoomRangeScope scope)
{
  loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_window_get_run_state (window)), scope);
}

LoomFindingsPanel *
panels_findings (LoomWindow *window)
{
  GtkWidget *summary = loom_analysis_view_get_panel (panels_analysis (window), "overview");
  return LOOM_FINDINGS_PANEL (fixture_find_type (summary, LOOM_TYPE_FINDINGS_PANEL));
}

GtkWidget *
panels_range_chooser (LoomWindow *window)
{
  return GTK_WIDGET (
    gtk_widget_get_template_child (GTK_WIDGET (panels_analysis (window)), LOOM_TYPE_ANALYSIS_VIEW, "range"));
}

GtkDropDown *
panels_range (GtkWidget *chooser)
{
  return GTK_DROP_DOWN (gtk_widget_get_template_child (chooser, LOOM_TYPE_RANGE_CHOOSER, "range"));
}

LoomThresholdButton *
panels_thresholds (LoomWindow *window)
{
  return LOOM_THRESHOLD_BUTTON (
    gtk_widget_get_template_child (GTK_WIDGET (panels_analysis (window)), LOOM_TYPE_ANALYSIS_VIEW, "thresholds"));
}

static gboolean
has_layout (gpointer chart)
{
  return loom_chart_view_get_layout (chart) != NULL;
}

void
panels_wait_for_layout (GtkWidget *chart)
{
  g_assert_true (fixture_wait (has_layout, chart));
}

void
panels_click (GtkWidget *chart, guint element)
{
  LoomChartBox box;
  GtkEventController *gesture = NULL;
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (chart);
  panels_wait_for_layout (chart);
  g_assert_true (loom_chart_layout_get_box (loom_chart_view_get_layout (LOOM_CHART_VIEW (chart)), element, &box));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_GESTURE_CLICK (controller) &&
        gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_PRIMARY)
      gesture = controller;
  }
  g_signal_emit_by_name (gesture, "released", 1, box.x + box.width / 2, box.y + box.height / 2);
}

gboolean
panels_press (GtkWidget *chart, guint keyval)
{
  gboolean taken = FALSE;
  g_signal_emit_by_name (fixture_controller (chart, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", keyval, 0, 0,
                         &taken);
  return taken;
}

typedef struct {
  LoomWindow *window;
  LoomRange range;
} Sight;

static gboolean
is_in_view (gpointer data)
{
  const Sight *sight = data;
  LoomViewport view = fixture_view (sight->window);
  return view.begin_ns <= sight->range.begin_ns && view.end_ns >= sight->range.end_ns;
}

void
panels_wait_in_view (LoomWindow *window, LoomRange range)
{
  Sight sight = { window, range };
  g_assert_true (fixture_wait (is_in_view, &sight));
}
