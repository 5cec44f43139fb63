/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-run-views.h"

#include "loom-analysis-panel.h"
#include "loom-analysis-window.h"
#include "loom-crash-handler.h"
#include "loom-event-tables.h"
#include "loom-lazy-page.h"
#include "loom-main-thread.h"
#include "loom-page-index.h"
#include "loom-page.h"
#include "loom-query-panel.h"
#include "loom-run-facts.h"
#include "loom-run-navigation.h"
#include "loom-sample-list.h"
#include "loom-search-results-panel.h"
#include "loom-selection-panel.h"
#include "loom-settings.h"
#include "loom-view-navigation.h"

#include <glib/gi18n.h>

#define LEAST_HEIGHT_PX 96

/* Minimum number of ranks for which the page of steps draws a map with a row for each rank. For fewer ranks, the
 * page draws columns instead, because the timeline can show all ranks. */
#define LEAST_MAP_RANKS 5

struct _LoomRunViews {
  GtkBox parent;
  GtkStack *stack; /* stack of the pages below the timeline */
  GtkWidget *switcher;
  LoomTimelineView *timeline;
  LoomRunState *run;
  AdwViewStack *views;           /* the stack of views, borrowed; NULL after the stack was destroyed */
  LoomAnalysisContext *analysis; /* `analysis` and `state` are borrowed from the run */
  LoomTimelineState *state;
  LoomSelectionPanel *selection;
  /* `analysis_view`, `found` and `tables`: the widgets of views and pages; each is NULL until it is shown for the
   * first time */
  LoomAnalysisView *analysis_view;
  LoomSearchResultsPanel *found;
  LoomEventTables *tables;
  /* TRUE after the map of the run's steps was shown automatically; this happens only once, when the run is opened */
  gboolean has_shown_map;
  gboolean has_shown_found; /* TRUE if the search results have been shown since the user opened the search */
  /* TRUE if the details of the first hit of the search must replace the search results as soon as the user goes to this
   * hit */
  gboolean leaves_found;
  GtkWindow *window; /* a window with a second analysis view; NULL if the window is not open */
};

G_DEFINE_FINAL_TYPE (LoomRunViews, loom_run_views, GTK_TYPE_BOX)

enum { SETTINGS_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- reacting to the panels --------------------------------------------------------------------------------------- */

static void
span_chosen (LoomRunViews *self, guint trace, guint span)
{
  loom_view_navigation_go_to_span (loom_run_state_get_flight (self->run), (LoomSpanId) { trace, span });
}

static void
rank_chosen (LoomRunViews *self, guint trace, guint span)
{
  loom_run_navigation_show_group (self->run, (LoomSpanId) { trace, span });
}

static GtkStackPage *
find_page (LoomRunViews *self, const char *name)
{
  return gtk_stack_get_page (self->stack, gtk_stack_get_child_by_name (self->stack, name));
}

static AdwViewStackPage *
find_view (LoomRunViews *self, const char *name)
{
  return adw_view_stack_get_page (self->views, adw_view_stack_get_child_by_name (self->views, name));
}

static gboolean
has_samples (LoomRunViews *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  return timeline != NULL && loom_sample_list_has_any (timeline);
}

static gboolean
is_available (LoomRunViews *self, const LoomPageIndex *page)
{
  if (g_str_equal (page->name, "samples"))
    return has_samples (self);
  return g_str_equal (page->view, "timeline") ? gtk_stack_page_get_visible (find_page (self, page->name))
                                              : adw_view_stack_page_get_visible (find_view (self, page->view));
}

/* Sets the list of available pages in the run state. Which pages are available depends on the data of the run. */
static void
pages_changed (LoomRunViews *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  guint n;
  const LoomPageIndex *pages = loom_page_index_get (&n);
  for (guint i = 0; i < n; i++)
    if (is_available (self, &pages[i]))
      g_strv_builder_add (names, pages[i].name);
  g_strv_builder_add (names, "findings"); /* name of the summary page in sessions of older versions */
  g_auto (GStrv) shown = g_strv_builder_end (names);
  loom_run_state_set_pages (self->run, (const char *const *) shown);
  gtk_widget_set_visible (self->switcher, gtk_stack_page_get_visible (find_page (self, "found")));
}

static GtkWidget *
get_late (LoomRunViews *self, const char *view)
{
  return loom_lazy_page_get (LOOM_LAZY_PAGE (adw_view_stack_get_child_by_name (self->views, view)));
}

static LoomAnalysisView *
get_analysis (LoomRunViews *self)
{
  return LOOM_ANALYSIS_VIEW (get_late (self, "analysis"));
}

static LoomEventTables *
get_tables (LoomRunViews *self)
{
  return LOOM_EVENT_TABLES (get_late (self, "events"));
}

/* Shows the view `name`. If the focus is in the view that will be hidden, clears the focus first. Otherwise, GTK would
 * move the focus to another widget, for example to the list of pages, which would select another page. */
static void
turn_to_view (LoomRunViews *self, const char *name)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self->views));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *view = adw_view_stack_get_child_by_name (self->views, name);
  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->views)) &&
      !gtk_widget_is_ancestor (focus, view))
    gtk_root_set_focus (root, NULL);
  adw_view_stack_set_visible_child (self->views, view);
}

/* Moves the focus into the visible view. If this is the view with the timeline, the timeline always gets the focus,
 * and not the list of sources. In any other view, a focus that is already in the view stays where it is. Otherwise,
 * the editor gets the focus in the view of queries, so that the user can type at once; in the remaining views, the
 * first widget gets it. */
static void
focus_view (LoomRunViews *self)
{
  GtkWidget *view = adw_view_stack_get_visible_child (self->views);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (view));
  if (g_str_equal (adw_view_stack_get_visible_child_name (self->views), "timeline"))
    gtk_widget_grab_focus (GTK_WIDGET (self->timeline));
  else if (focus != NULL && gtk_widget_is_ancestor (focus, view))
    return;
  else if (g_str_equal (adw_view_stack_get_visible_child_name (self->views), "query"))
    loom_query_panel_focus (LOOM_QUERY_PANEL (get_late (self, "query")));
  else
    gtk_widget_child_focus (view, GTK_DIR_TAB_FORWARD);
}

/* Moves the focus into the view as soon as the view has a layout. This takes until the second frame, because GTK
 * computes the layout after the tick callbacks of the first frame. */
static gboolean
frame_begun (GtkWidget *view, GdkFrameClock *clock, gpointer user_data)
{
  LoomRunViews *self = user_data;
  if (self->views == NULL || view != adw_view_stack_get_visible_child (self->views))
    return G_SOURCE_REMOVE;
  if (gtk_widget_get_width (view) <= 0)
    return G_SOURCE_CONTINUE;
  if (gtk_widget_get_focus_child (view) == NULL)
    focus_view (self);
  return G_SOURCE_REMOVE;
}

void
loom_run_views_show_view (LoomRunViews *self, const char *name)
{
  g_return_if_fail (LOOM_IS_RUN_VIEWS (self));
  if (adw_view_stack_get_child_by_name (self->views, name) == NULL ||
      !adw_view_stack_page_get_visible (find_view (self, name)))
    return;
  turn_to_view (self, name);
  GtkWidget *view = adw_view_stack_get_visible_child (self->views);
  /* a new view has no layout yet, and only the layout determines whether its list of pages is visible */
  if (gtk_widget_get_width (view) > 0)
    focus_view (self);
  else
    gtk_widget_add_tick_callback (view, frame_begun, g_object_ref (self), g_object_unref);
}

static void
page_wanted (LoomRunViews *self)
{
  const LoomPageIndex *page = loom_page_index_find (loom_run_state_get_page (self->run));
  if (self->views == NULL || page == NULL)
    return;
  if (g_str_equal (page->view, "timeline"))
    gtk_stack_set_visible_child_name (self->stack, page->name);
  else if (g_str_equal (page->view, "analysis"))
    loom_analysis_view_set_page (get_analysis (self), page->name);
  else if (g_str_equal (page->view, "events"))
    loom_event_tables_set_page (get_tables (self), page->name);
  turn_to_view (self, page->view);
}

static const char *
get_page (LoomRunViews *self)
{
  const char *view = adw_view_stack_get_visible_child_name (self->views);
  if (g_str_equal (view, "timeline"))
    return gtk_stack_get_visible_child_name (self->stack);
  if (g_str_equal (view, "analysis"))
    return self->analysis_view != NULL ? loom_analysis_view_get_page (self->analysis_view) : "overview";
  if (g_str_equal (view, "events"))
    return self->tables != NULL ? loom_event_tables_get_page (self->tables) : "events";
  return view;
}

static void
page_turned (LoomRunViews *self)
{
  const char *page = get_page (self);
  g_autofree char *note = g_strdup_printf ("turned to the page %s", page);
  loom_crash_handler_note (note);
  loom_run_state_set_page (self->run, page);
}

/* Saves the thresholds as settings; they apply to all windows. */
static void
thresholds_changed (LoomRunViews *self)
{
  LoomAnalysisThresholds thresholds = loom_analysis_context_get_thresholds (self->analysis);
  loom_settings_set_double (LOOM_SETTING_HIGH_CPU, thresholds.bottleneck.high_cpu);
  loom_settings_set_double (LOOM_SETTING_LOW_GPU, thresholds.bottleneck.low_gpu);
  loom_settings_set_double (LOOM_SETTING_OUTLIER_FACTOR, thresholds.outlier_factor);
  loom_settings_set_double (LOOM_SETTING_BALANCE_DISTANCE, thresholds.balance_distance);
  g_signal_emit (self, signals[SETTINGS_CHANGED], 0);
}

/* --- page of search results -------------------------------------------------------------------------------------- */

/* Makes the page of search results available while the search is open, and hides it when the search is closed. */
static void
search_opened (LoomRunViews *self)
{
  if (self->stack == NULL)
    return; /* the run views and the state of the search are being destroyed */
  gboolean open = loom_search_state_is_open (loom_run_state_get_search (self->run));
  gtk_stack_page_set_visible (find_page (self, "found"), open);
  self->has_shown_found = self->leaves_found = FALSE;
  pages_changed (self);
  if (open)
    loom_run_state_show_timeline (self->run);
  else if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "found") == 0)
    gtk_stack_set_visible_child_name (self->stack, "selection");
}

/* Shows the page of search results when a search has found its first hits, unless the user has hidden the area below
 * the timeline. When the user goes to the first hit, the details of the hit replace this page. */
static void
show_found (LoomRunViews *self)
{
  LoomSearchResult *result = loom_search_state_get_result (loom_run_state_get_search (self->run));
  if (self->views == NULL || self->has_shown_found || result == NULL || result->by_time->len == 0 ||
      !loom_run_state_get_wants_details (self->run) ||
      g_strcmp0 (adw_view_stack_get_visible_child_name (self->views), "timeline") != 0)
    return;
  self->has_shown_found = self->leaves_found = TRUE;
  loom_run_state_open_page (self->run, "found");
}

static void
search_changed (LoomRunViews *self)
{
  if (!self->leaves_found || self->stack == NULL ||
      loom_search_state_get_position (loom_run_state_get_search (self->run)) == G_MAXUINT)
    return;
  self->leaves_found = FALSE;
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "found") == 0)
    gtk_stack_set_visible_child_name (self->stack, "selection");
}

static void
found (LoomRunViews *self)
{
  if (self->found != NULL)
    loom_search_results_panel_show (self->found, loom_timeline_state_get_timeline (self->state),
                                    loom_search_state_get_result (loom_run_state_get_search (self->run)));
}

static void
follow_search (LoomRunViews *self)
{
  LoomSearchState *search = loom_run_state_get_search (self->run);
  search_opened (self);
  g_signal_connect_object (search, "notify::open", G_CALLBACK (search_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (search, "found", G_CALLBACK (show_found), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (search, "found", G_CALLBACK (found), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (search, "changed", G_CALLBACK (search_changed), self, G_CONNECT_SWAPPED);
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_events (gpointer user_data, gconstpointer data)
{
  LoomRunViews *self = user_data;
  GtkWidget *tables = loom_event_tables_new (self->run);
  self->tables = LOOM_EVENT_TABLES (tables);
  g_signal_connect_swapped (tables, "notify::page", G_CALLBACK (page_turned), self);
  return tables;
}

static GtkWidget *
make_found (gpointer user_data, gconstpointer data)
{
  LoomRunViews *self = user_data;
  GtkWidget *panel = loom_search_results_panel_new (loom_run_state_get_search (self->run));
  self->found = LOOM_SEARCH_RESULTS_PANEL (panel);
  g_signal_connect_swapped (panel, "span-chosen", G_CALLBACK (span_chosen), self);
  found (self);
  return panel;
}

/* Opens the page in a separate window, which the user can place next to the timeline. */
static void
window_requested (LoomRunViews *self, LoomAnalysisView *view)
{
  if (self->window == NULL) {
    LoomAnalysisView *second =
      LOOM_ANALYSIS_VIEW (loom_analysis_view_new (self->run, loom_timeline_view_get_scene (self->timeline)));
    g_signal_connect_swapped (second, "thresholds-changed", G_CALLBACK (thresholds_changed), self);
    g_set_weak_pointer (&self->window,
                        loom_analysis_window_new (second, GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)))));
  }
  loom_analysis_window_present (self->window, loom_analysis_view_get_page (view));
  loom_run_state_show_timeline (self->run);
}

static GtkWidget *
make_analysis (gpointer user_data, gconstpointer data)
{
  LoomRunViews *self = user_data;
  GtkWidget *view = loom_analysis_view_new (self->run, loom_timeline_view_get_scene (self->timeline));
  self->analysis_view = LOOM_ANALYSIS_VIEW (view);
  g_signal_connect_swapped (view, "notify::page", G_CALLBACK (page_turned), self);
  g_signal_connect_swapped (view, "thresholds-changed", G_CALLBACK (thresholds_changed), self);
  g_signal_connect_swapped (view, "window-requested", G_CALLBACK (window_requested), self);
  return view;
}

static GtkWidget *
make_python (gpointer user_data, gconstpointer data)
{
  LoomRunViews *self = user_data;
  GtkWidget *panel = g_object_new (LOOM_TYPE_PYTHON_PANEL, NULL);
  loom_python_panel_set_profiles (LOOM_PYTHON_PANEL (panel), loom_run_state_get_profiles (self->run),
                                  loom_timeline_view_get_scene (self->timeline));
  return panel;
}

static GtkWidget *
make_query (gpointer user_data, gconstpointer data)
{
  LoomRunViews *self = user_data;
  return loom_query_panel_new (self->run, loom_timeline_view_get_scene (self->timeline));
}

static void
add_view (LoomRunViews *self, LoomLateMaker make, const char *name, const char *title, const char *icon)
{
  AdwViewStackPage *page = adw_view_stack_add_titled (self->views, loom_lazy_page_new (make, self, NULL), name, title);
  adw_view_stack_page_set_icon_name (page, icon);
}

static void
add_selection (LoomRunViews *self)
{
  GtkWidget *panel = g_object_new (LOOM_TYPE_SELECTION_PANEL, "height-request", LEAST_HEIGHT_PX, NULL);
  self->selection = LOOM_SELECTION_PANEL (panel);
  gtk_stack_add_titled (self->stack, panel, "selection", _ ("Details"));
  loom_selection_panel_set_analysis (self->selection, self->analysis);
  g_signal_connect_swapped (panel, "rank-chosen", G_CALLBACK (rank_chosen), self);
  g_signal_connect_swapped (panel, "span-chosen", G_CALLBACK (span_chosen), self);
}

static void
add_pages (LoomRunViews *self)
{
  add_selection (self);
  gtk_stack_add_titled (self->stack, loom_lazy_page_new (make_found, self, NULL), "found", _ ("Search Results"));
  add_view (self, make_analysis, "analysis", _ ("Analysis"), "loom-analysis-symbolic");
  add_view (self, make_events, "events", _ ("Events"), "loom-events-symbolic");
  add_view (self, make_query, "query", _ ("Query"), "loom-query-symbolic");
  add_view (self, make_python, "python", _ ("Python"), "loom-python-symbolic");
}

/* Shows the number of findings at "Analysis" in the view switcher. */
static void
findings_changed (LoomRunViews *self)
{
  guint n = loom_findings_state_count (loom_run_state_get_findings (self->run));
  if (self->views != NULL)
    adw_view_stack_page_set_badge_number (find_view (self, "analysis"), n);
}

static void
follow_run (LoomRunViews *self)
{
  loom_run_state_set_page (self->run, get_page (self));
  pages_changed (self);
  g_signal_connect_object (self->run, "notify::page", G_CALLBACK (page_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_run_state_get_findings (self->run), "notify::findings", G_CALLBACK (findings_changed),
                           self, G_CONNECT_SWAPPED);
  findings_changed (self);
}

static guint
count_profiles (LoomRunViews *self)
{
  return loom_python_profiles_get_all (loom_run_state_get_profiles (self->run))->len;
}

static void
names_changed (LoomRunViews *self)
{
  loom_selection_panel_names_changed (self->selection);
  loom_analysis_context_names_changed (self->analysis);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  if (timeline != NULL && count_profiles (self) > 0)
    loom_python_profiles_set_timeline (loom_run_state_get_profiles (self->run), timeline);
}

/* Clears the pointer to the stack of views, which may be destroyed before this widget. */
static void
views_destroyed (LoomRunViews *self)
{
  self->views = NULL;
}

void
loom_run_views_set_run (LoomRunViews *self, LoomRunState *run, LoomTimelineView *timeline, AdwViewStack *views)
{
  g_return_if_fail (LOOM_IS_RUN_VIEWS (self) && self->run == NULL);
  self->run = g_object_ref (run);
  self->analysis = g_object_ref (loom_run_state_get_analysis (run));
  self->state = g_object_ref (loom_run_state_get_view (run));
  self->timeline = timeline;
  self->views = views;
  add_pages (self);
  g_signal_connect_object (views, "destroy", G_CALLBACK (views_destroyed), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->stack, "notify::visible-child", G_CALLBACK (page_turned), self);
  g_signal_connect_object (views, "notify::visible-child", G_CALLBACK (page_turned), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (run, "sources-shown", G_CALLBACK (loom_selection_panel_sources_changed), self->selection,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (run, "names-changed", G_CALLBACK (names_changed), self, G_CONNECT_SWAPPED);
  follow_search (self);
  follow_run (self);
}

/* --- showing a run ------------------------------------------------------------------------------------------------ */

static gboolean
has_only_profiles (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_run_get_source (run, i)->profile == NULL && loom_run_get_source (run, i)->n_events > 0)
      return FALSE;
  return TRUE;
}

/* Makes the view of Python profiles available if the run has such profiles, and shows it if the run contains nothing
 * else. */
static void
show_profiles (LoomRunViews *self, LoomTimeline *timeline, gboolean has_extent)
{
  gboolean before = count_profiles (self) > 0;
  if (before || (timeline != NULL && loom_run_facts_has_profiles (loom_timeline_get_run (timeline))))
    loom_python_profiles_set_timeline (loom_run_state_get_profiles (self->run), timeline);
  gboolean any = count_profiles (self) > 0;
  adw_view_stack_page_set_visible (find_view (self, "python"), any);
  pages_changed (self);
  if (!any && g_str_equal (adw_view_stack_get_visible_child_name (self->views), "python"))
    loom_run_state_show_timeline (self->run);
  else if (any && (!before || !has_extent) && has_only_profiles (loom_timeline_get_run (timeline)))
    loom_run_state_set_page (self->run, "python");
}

/* Returns TRUE if the trace has spans of steps. */
static gboolean
has_steps (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (loom_main_thread_has_steps (trace, loom_trace_get_track (trace, i)))
      return TRUE;
  return FALSE;
}

/* Called when a run is opened. If the run has many ranks and is read from index files, shows the page with the map
 * of steps. The map has a row for each rank, while the timeline can show only a few ranks at a time. If a session
 * restores another page, that page is shown instead. */
static void
show_map (LoomRunViews *self, LoomTimeline *timeline)
{
  if (timeline == NULL)
    self->has_shown_map = FALSE;
  LoomRun *run = timeline != NULL ? loom_timeline_get_run (timeline) : NULL;
  if (run == NULL || self->has_shown_map || loom_run_get_n_traces (run) < LEAST_MAP_RANKS ||
      !loom_page_has_only_indexes (timeline) || !has_steps (loom_run_get_trace (run, 0)))
    return;
  self->has_shown_map = TRUE;
  if (g_str_equal (get_page (self), "selection"))
    loom_run_state_set_page (self->run, "steps");
}

void
loom_run_views_set_timeline (LoomRunViews *self, LoomTimeline *timeline, gboolean has_extent)
{
  g_return_if_fail (LOOM_IS_RUN_VIEWS (self));
  show_profiles (self, timeline, has_extent);
  show_map (self, has_extent ? timeline : NULL);
}

/* --- access to the panels ----------------------------------------------------------------------------------------- */

GtkWidget *
loom_run_views_get_seen (LoomRunViews *self)
{
  const LoomPageIndex *page = loom_page_index_find (get_page (self));
  if (g_str_equal (page->view, "analysis"))
    return loom_analysis_view_get_panel (get_analysis (self), page->name);
  if (g_str_equal (page->view, "events"))
    return g_str_equal (page->name, "samples") ? GTK_WIDGET (loom_event_tables_get_samples (get_tables (self)))
                                               : GTK_WIDGET (loom_run_views_get_events (self));
  if (g_str_equal (page->view, "query"))
    return get_late (self, "query");
  if (g_str_equal (page->view, "python"))
    return GTK_WIDGET (loom_run_views_get_python (self));
  return g_str_equal (page->name, "found")
           ? loom_lazy_page_get (LOOM_LAZY_PAGE (gtk_stack_get_child_by_name (self->stack, "found")))
           : GTK_WIDGET (self->selection);
}

LoomAnalysisView *
loom_run_views_get_analysis (LoomRunViews *self)
{
  return get_analysis (self);
}

LoomEventsPanel *
loom_run_views_get_events (LoomRunViews *self)
{
  return loom_event_tables_get_events (get_tables (self));
}

LoomPythonPanel *
loom_run_views_get_python (LoomRunViews *self)
{
  return LOOM_PYTHON_PANEL (get_late (self, "python"));
}

/* --- widget class ------------------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomRunViews *self = LOOM_RUN_VIEWS (object);
  if (self->window != NULL)
    gtk_window_destroy (self->window);
  g_clear_weak_pointer (&self->window);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_data (self->stack, self);
  self->stack = NULL;
  self->views = NULL;
  G_OBJECT_CLASS (loom_run_views_parent_class)->dispose (object);
  g_clear_object (&self->analysis);
  g_clear_object (&self->state);
  g_clear_object (&self->run);
}

static void
loom_run_views_class_init (LoomRunViewsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-run-views.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRunViews, stack);
  gtk_widget_class_bind_template_child (widget_class, LoomRunViews, switcher);
  signals[SETTINGS_CHANGED] =
    g_signal_new ("settings-changed", LOOM_TYPE_RUN_VIEWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_run_views_init (LoomRunViews *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
