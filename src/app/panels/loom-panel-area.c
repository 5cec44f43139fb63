/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-panel-area.h"

#include "loom-analysis-panel.h"
#include "loom-clock-commands.h"
#include "loom-crash-handler.h"
#include "loom-lazy-page.h"
#include "loom-panel-tabs.h"
#include "loom-selection-panel.h"
#include "loom-settings.h"
#include "loom-view-navigation.h"

#include <glib/gi18n.h>

#define LEAST_HEIGHT_PX 96

struct _LoomPanelArea {
  GtkBox parent;
  LoomTimelineView *timeline;
  LoomSearchBar *search;
  LoomRunState *run;
  GtkStack *stack;
  LoomPanelTabs *tabs;
  LoomAnalysisContext *analysis; /* the run's, borrowed, as is the next field */
  LoomTimelineState *state;
  LoomRangeScope analysis_before,
    selection_before; /* scope that a newly made range replaced; LOOM_N_RANGE_SCOPES: none */
  LoomSelectionPanel *selection;
  LoomFindingsPanel *findings;
  LoomClocksPanel *clocks; /* NULL until the page is first shown, like the next fields */
  LoomEventsPanel *events;
  LoomSearchResultsPanel *found;
};

G_DEFINE_FINAL_TYPE (LoomPanelArea, loom_panel_area, GTK_TYPE_BOX)

enum { SETTINGS_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- reacting to the panels ------------------------------------------------------------------------------------------ */

static void
span_chosen (LoomPanelArea *self, guint trace, guint span)
{
  loom_view_navigation_go_to_span (loom_run_state_get_flight (self->run), (LoomSpanId) { trace, span });
}

static LoomRangeScope *
before_of_seen (LoomPanelArea *self)
{
  return LOOM_IS_SELECTION_PANEL (loom_panel_area_get_seen (self)) ? &self->selection_before : &self->analysis_before;
}

/* The selection page has a scope of its own, which is the selection until the person chooses another. The page of
 * Python functions has none. */
static void
show_scope (LoomPanelArea *self)
{
  GtkWidget *panel = loom_panel_area_get_seen (self);
  LoomRangeScope scope = LOOM_N_RANGE_SCOPES;
  if (LOOM_IS_SELECTION_PANEL (panel))
    scope = loom_selection_panel_get_scope (self->selection);
  else if (LOOM_IS_ANALYSIS_PANEL (panel) || LOOM_IS_FINDINGS_PANEL (panel) || LOOM_IS_EVENTS_PANEL (panel))
    scope = loom_analysis_context_get_scope (self->analysis);
  loom_panel_tabs_set_scope (self->tabs, scope);
  loom_panel_tabs_set_back (self->tabs, scope == LOOM_N_RANGE_SCOPES ? LOOM_N_RANGE_SCOPES : *before_of_seen (self));
  gtk_widget_set_visible (GTK_WIDGET (loom_panel_tabs_get_thresholds (self->tabs)), LOOM_IS_ANALYSIS_PANEL (panel));
}

/* Passes on the names of the visible pages, which depend on what the run contains. */
static void
pages_changed (LoomPanelArea *self)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (self->stack);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++) {
    g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);
    if (gtk_stack_page_get_visible (GTK_STACK_PAGE (page)))
      g_strv_builder_add (names, gtk_stack_page_get_name (GTK_STACK_PAGE (page)));
  }
  g_auto (GStrv) shown = g_strv_builder_end (names);
  loom_run_state_set_pages (self->run, (const char *const *) shown);
  loom_panel_tabs_pages_changed (self->tabs);
}

static void
page_wanted (LoomPanelArea *self)
{
  const char *name = loom_run_state_get_page (self->run);
  if (self->stack != NULL && name != NULL)
    gtk_stack_set_visible_child_name (self->stack, name);
}

static void
page_turned (LoomPanelArea *self)
{
  g_autofree char *note = g_strdup_printf ("turned to the panel %s", gtk_stack_get_visible_child_name (self->stack));
  loom_crash_handler_note (note);
  loom_run_state_set_page (self->run, gtk_stack_get_visible_child_name (self->stack));
  show_scope (self);
}

/* Saves the thresholds as settings, which apply to all windows. */
static void
thresholds_changed (LoomPanelArea *self)
{
  LoomAnalysisThresholds thresholds = loom_threshold_button_get (loom_panel_tabs_get_thresholds (self->tabs));
  loom_settings_set_double (LOOM_SETTING_HIGH_CPU, thresholds.bottleneck.high_cpu);
  loom_settings_set_double (LOOM_SETTING_LOW_GPU, thresholds.bottleneck.low_gpu);
  loom_settings_set_double (LOOM_SETTING_OUTLIER_FACTOR, thresholds.outlier_factor);
  loom_settings_set_double (LOOM_SETTING_BALANCE_DISTANCE, thresholds.balance_distance);
  g_signal_emit (self, signals[SETTINGS_CHANGED], 0);
}

/* Returns to the scope that a newly made range replaced. */
static void
go_back (LoomPanelArea *self)
{
  if (self->analysis_before < LOOM_N_RANGE_SCOPES)
    loom_analysis_context_set_scope (self->analysis, self->analysis_before);
  if (self->selection_before < LOOM_N_RANGE_SCOPES)
    loom_selection_panel_set_scope (self->selection, self->selection_before);
  self->analysis_before = self->selection_before = LOOM_N_RANGE_SCOPES;
  show_scope (self);
}

/* A range made on the timeline becomes the scope of all panels, until it is removed or the person goes back to the
 * previous scope. */
static void
range_made (LoomPanelArea *self)
{
  loom_crash_handler_note ("made a range");
  if (loom_analysis_context_get_scope (self->analysis) != LOOM_RANGE_SCOPE_SELECTION) {
    self->analysis_before = loom_analysis_context_get_scope (self->analysis);
    loom_analysis_context_set_scope (self->analysis, LOOM_RANGE_SCOPE_SELECTION);
  }
  if (loom_selection_panel_get_scope (self->selection) != LOOM_RANGE_SCOPE_SELECTION) {
    self->selection_before = loom_selection_panel_get_scope (self->selection);
    loom_selection_panel_set_scope (self->selection, LOOM_RANGE_SCOPE_SELECTION);
  }
  show_scope (self);
}

/* Choosing another scope than the selection removes the button that leads back. */
static void
scope_changed (LoomPanelArea *self)
{
  if (loom_analysis_context_get_scope (self->analysis) != LOOM_RANGE_SCOPE_SELECTION)
    self->analysis_before = LOOM_N_RANGE_SCOPES;
  show_scope (self);
}

static void
scope_chosen (LoomPanelArea *self, guint scope)
{
  *before_of_seen (self) = LOOM_N_RANGE_SCOPES;
  if (LOOM_IS_SELECTION_PANEL (loom_panel_area_get_seen (self)))
    loom_selection_panel_set_scope (self->selection, scope);
  else
    loom_analysis_context_set_scope (self->analysis, scope);
  show_scope (self);
}

/* --- the page of search results -------------------------------------------------------------------------------------- */

/* The page of search results exists while the search is open. */
static void
search_opened (LoomPanelArea *self)
{
  if (self->stack == NULL)
    return; /* the search is being destroyed as well */
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, "found");
  gboolean open = loom_search_state_is_open (loom_run_state_get_search (self->run));
  gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, page), open);
  pages_changed (self);
  if (!open && gtk_stack_get_visible_child (self->stack) == page)
    gtk_stack_set_visible_child_name (self->stack, "selection");
}

static void
found (LoomPanelArea *self)
{
  if (self->found != NULL)
    loom_search_results_panel_show (self->found, loom_timeline_state_get_timeline (self->state),
                                    loom_search_state_get_result (loom_run_state_get_search (self->run)));
}

static void
list_requested (LoomPanelArea *self)
{
  gtk_stack_set_visible_child_name (self->stack, "found");
  gtk_widget_show (GTK_WIDGET (self));
}

static void
follow_search (LoomPanelArea *self)
{
  LoomSearchState *search = loom_run_state_get_search (self->run);
  search_opened (self);
  g_signal_connect_object (search, "notify::open", G_CALLBACK (search_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (search, "found", G_CALLBACK (found), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "list-requested", G_CALLBACK (list_requested), self, G_CONNECT_SWAPPED);
}

/* --- pages ----------------------------------------------------------------------------------------------------------- */

static void
add_findings (LoomPanelArea *self, LoomRenderContext *scene)
{
  GtkWidget *panel = loom_findings_panel_new (self->run, scene);
  self->findings = LOOM_FINDINGS_PANEL (panel);
  gtk_stack_add_titled (self->stack, panel, "findings", _ ("Findings"));
}

static GtkWidget *
make_events (gpointer user_data, gconstpointer data)
{
  LoomPanelArea *self = user_data;
  self->events = LOOM_EVENTS_PANEL (loom_events_panel_new (self->run));
  return GTK_WIDGET (self->events);
}

static GtkWidget *
make_found (gpointer user_data, gconstpointer data)
{
  LoomPanelArea *self = user_data;
  GtkWidget *panel = loom_search_results_panel_new ();
  self->found = LOOM_SEARCH_RESULTS_PANEL (panel);
  g_signal_connect_swapped (panel, "span-chosen", G_CALLBACK (span_chosen), self);
  found (self);
  return panel;
}

static GtkWidget *
make_analysis (gpointer user_data, gconstpointer page)
{
  LoomPanelArea *self = user_data;
  return loom_analysis_panel_new (self->run, loom_timeline_view_get_scene (self->timeline), page);
}

static GtkWidget *
make_clocks (gpointer user_data, gconstpointer data)
{
  LoomPanelArea *self = user_data;
  GtkWidget *panel = loom_clocks_panel_new (loom_timeline_view_get_scene (self->timeline));
  self->clocks = LOOM_CLOCKS_PANEL (panel);
  g_signal_connect_swapped (panel, "clock-moved", G_CALLBACK (loom_clock_commands_drag),
                            loom_run_state_get_document (self->run));
  g_signal_connect_swapped (panel, "offset-set", G_CALLBACK (loom_clock_commands_set_offset),
                            loom_run_state_get_document (self->run));
  loom_clocks_panel_set_timeline (self->clocks, loom_timeline_state_get_timeline (self->state));
  return panel;
}

static GtkWidget *
make_python (gpointer user_data, gconstpointer data)
{
  LoomPanelArea *self = user_data;
  GtkWidget *panel = g_object_new (LOOM_TYPE_PYTHON_PANEL, "height-request", 96, NULL);
  loom_python_panel_set_profiles (LOOM_PYTHON_PANEL (panel), loom_run_state_get_profiles (self->run),
                                  loom_timeline_view_get_scene (self->timeline));
  return panel;
}

static void
add_late (LoomPanelArea *self, LoomLateMaker make, gconstpointer data, const char *name, const char *title)
{
  gtk_stack_add_titled (self->stack, loom_lazy_page_new (make, self, data), name, title);
}

static void
add_selection (LoomPanelArea *self)
{
  GtkWidget *panel = g_object_new (LOOM_TYPE_SELECTION_PANEL, "height-request", LEAST_HEIGHT_PX, NULL);
  self->selection = LOOM_SELECTION_PANEL (panel);
  gtk_stack_add_titled (self->stack, panel, "selection", _ ("Selection"));
  loom_selection_panel_set_analysis (self->selection, self->analysis);
  g_signal_connect_swapped (panel, "span-chosen", G_CALLBACK (span_chosen), self);
}

static void
add_pages (LoomPanelArea *self)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  add_selection (self);
  add_late (self, make_found, NULL, "found", C_ ("by the search", "Found"));
  add_late (self, make_events, NULL, "events", _ ("Events"));
  add_findings (self, loom_timeline_view_get_scene (self->timeline));
  for (guint i = 0; i < n; i++)
    add_late (self, make_analysis, &pages[i], pages[i].id, _ (pages[i].title));
  add_late (self, make_clocks, NULL, "clocks", _ ("Clocks"));
  add_late (self, make_python, NULL, "python", _ ("Python"));
}

static void
follow_run (LoomPanelArea *self)
{
  loom_run_state_set_page (self->run, gtk_stack_get_visible_child_name (self->stack));
  pages_changed (self);
  g_signal_connect_object (self->run, "notify::page", G_CALLBACK (page_wanted), self, G_CONNECT_SWAPPED);
}

static void
sources_changed (LoomPanelArea *self)
{
  loom_selection_panel_sources_changed (self->selection);
  if (self->events != NULL)
    loom_events_panel_sources_changed (self->events);
}

static guint
count_profiles (LoomPanelArea *self)
{
  return loom_python_profiles_get_all (loom_run_state_get_profiles (self->run))->len;
}

static void
names_changed (LoomPanelArea *self)
{
  loom_selection_panel_names_changed (self->selection);
  loom_analysis_context_names_changed (self->analysis);
  if (self->clocks != NULL)
    loom_clocks_panel_names_changed (self->clocks);
  if (self->events != NULL)
    loom_events_panel_names_changed (self->events);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  if (timeline != NULL && count_profiles (self) > 0)
    loom_python_profiles_set_timeline (loom_run_state_get_profiles (self->run), timeline);
}

void
loom_panel_area_set_run (LoomPanelArea *self, LoomRunState *run, LoomTimelineView *timeline, LoomSearchBar *search)
{
  g_return_if_fail (LOOM_IS_PANEL_AREA (self) && self->run == NULL);
  self->run = g_object_ref (run);
  self->analysis = g_object_ref (loom_run_state_get_analysis (run));
  self->state = g_object_ref (loom_run_state_get_view (run));
  self->timeline = timeline;
  self->search = search;
  self->analysis_before = self->selection_before = LOOM_N_RANGE_SCOPES;
  add_pages (self);
  self->tabs = LOOM_PANEL_TABS (loom_panel_tabs_new (self->stack));
  gtk_box_prepend (GTK_BOX (self), GTK_WIDGET (self->tabs));
  g_signal_connect_swapped (self->tabs, "scope-chosen", G_CALLBACK (scope_chosen), self);
  g_signal_connect_swapped (self->tabs, "back-clicked", G_CALLBACK (go_back), self);
  g_signal_connect_swapped (loom_panel_tabs_get_thresholds (self->tabs), "changed", G_CALLBACK (thresholds_changed),
                            self);
  g_signal_connect_swapped (self->stack, "notify::visible-child", G_CALLBACK (page_turned), self);
  g_signal_connect_object (self->analysis, "range-left", G_CALLBACK (go_back), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state, "range-made", G_CALLBACK (range_made), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->analysis, "scope-changed", G_CALLBACK (scope_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (run, "sources-shown", G_CALLBACK (sources_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (run, "names-changed", G_CALLBACK (names_changed), self, G_CONNECT_SWAPPED);
  follow_search (self);
  show_scope (self);
  follow_run (self);
}

/* --- the run --------------------------------------------------------------------------------------------------------- */

static gboolean
has_only_profiles (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_run_get_source (run, i)->profile == NULL && loom_run_get_source (run, i)->n_events > 0)
      return FALSE;
  return TRUE;
}

static gboolean
has_profiles (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    if (loom_run_get_source (run, i)->profile != NULL)
      return TRUE;
  return FALSE;
}

/* Shows the page of Python profiles if there are any; it is opened if the run contains nothing else. */
static void
show_profiles (LoomPanelArea *self, LoomTimeline *timeline, gboolean has_extent)
{
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, "python");
  gboolean before = count_profiles (self) > 0;
  if (before || (timeline != NULL && has_profiles (loom_timeline_get_run (timeline))))
    loom_python_profiles_set_timeline (loom_run_state_get_profiles (self->run), timeline);
  gboolean any = count_profiles (self) > 0;
  gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, page), any);
  pages_changed (self);
  if (!any && gtk_stack_get_visible_child (self->stack) == page)
    gtk_stack_set_visible_child_name (self->stack, "selection");
  else if (any && (!before || !has_extent) && has_only_profiles (loom_timeline_get_run (timeline))) {
    gtk_stack_set_visible_child_name (self->stack, "python");
    gtk_widget_show (GTK_WIDGET (self));
  }
}

void
loom_panel_area_set_timeline (LoomPanelArea *self, LoomTimeline *timeline, gboolean has_extent)
{
  g_return_if_fail (LOOM_IS_PANEL_AREA (self));
  if (self->clocks != NULL)
    loom_clocks_panel_set_timeline (self->clocks, has_extent ? timeline : NULL);
  show_profiles (self, timeline, has_extent);
}

void
loom_panel_area_set_thresholds (LoomPanelArea *self, LoomAnalysisThresholds thresholds)
{
  g_return_if_fail (LOOM_IS_PANEL_AREA (self));
  loom_threshold_button_set (loom_panel_tabs_get_thresholds (self->tabs), thresholds);
  loom_analysis_context_set_thresholds (self->analysis, thresholds);
}

/* --- access to the panels -------------------------------------------------------------------------------------------- */

static GtkWidget *
get_late (LoomPanelArea *self, const char *name)
{
  return loom_lazy_page_get (LOOM_LAZY_PAGE (gtk_stack_get_child_by_name (self->stack, name)));
}

GtkStack *
loom_panel_area_get_stack (LoomPanelArea *self)
{
  return self->stack;
}

GtkWidget *
loom_panel_area_get_seen (LoomPanelArea *self)
{
  GtkWidget *page = gtk_stack_get_visible_child (self->stack);
  return LOOM_IS_LAZY_PAGE (page) ? loom_lazy_page_get (LOOM_LAZY_PAGE (page)) : page;
}

LoomFindingsPanel *
loom_panel_area_get_findings (LoomPanelArea *self)
{
  return self->findings;
}

LoomSearchResultsPanel *
loom_panel_area_get_found (LoomPanelArea *self)
{
  return LOOM_SEARCH_RESULTS_PANEL (get_late (self, "found"));
}

LoomEventsPanel *
loom_panel_area_get_events (LoomPanelArea *self)
{
  return LOOM_EVENTS_PANEL (get_late (self, "events"));
}

LoomClocksPanel *
loom_panel_area_get_clocks (LoomPanelArea *self)
{
  return LOOM_CLOCKS_PANEL (get_late (self, "clocks"));
}

LoomPythonPanel *
loom_panel_area_get_python (LoomPanelArea *self)
{
  return LOOM_PYTHON_PANEL (get_late (self, "python"));
}

/* --- the class ------------------------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomPanelArea *self = LOOM_PANEL_AREA (object);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_data (self->stack, self);
  self->stack = NULL;
  G_OBJECT_CLASS (loom_panel_area_parent_class)->dispose (object);
  g_clear_object (&self->analysis);
  g_clear_object (&self->state);
  g_clear_object (&self->run); /* kept until now: the page of clocks uses the run */
}

static void
loom_panel_area_class_init (LoomPanelAreaClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[SETTINGS_CHANGED] =
    g_signal_new ("settings-changed", LOOM_TYPE_PANEL_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_panel_area_init (LoomPanelArea *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->stack));
}
