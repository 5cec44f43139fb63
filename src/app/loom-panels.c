/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-panels.h"

#include "loom-analysis-panel.h"
#include "loom-bottleneck-marks.h"
#include "loom-clock-changes.h"
#include "loom-crash.h"
#include "loom-late-page.h"
#include "loom-panel-places.h"
#include "loom-panel-tabs.h"
#include "loom-preferences.h"
#include "loom-selection-panel.h"
#include "loom-settings.h"

#include <glib/gi18n.h>

#define LEAST_HEIGHT_PX 96

struct _LoomPanels {
  GtkBox parent;
  LoomTimelineView *timeline;
  LoomSearchBar *search;
  LoomDocument *document;
  GtkStack *stack;
  LoomPanelTabs *tabs;
  LoomAnalysis *analysis;
  LoomScope analysis_before, selection_before; /* what was left for a range that was made; LOOM_N_SCOPES: nothing was */
  LoomBottleneckMarks *bottlenecks;
  LoomSelectionPanel *selection;
  LoomFindingsPanel *findings;
  LoomClocksPanel *clocks; /* NULL until it is looked at; so are: */
  LoomPythonPanel *python;
  LoomEventsPanel *events;
  LoomFoundPanel *found;
};

G_DEFINE_FINAL_TYPE (LoomPanels, loom_panels, GTK_TYPE_BOX)

static LoomViewState *
state_of (LoomPanels *self)
{
  return loom_timeline_view_get_state (self->timeline);
}

/* --- what they do ---------------------------------------------------------------------------------------------------- */

/* A span of a profile's source chooses the profile. */
static void
selection_changed (LoomPanels *self)
{
  LoomTimeline *timeline = loom_view_state_get_timeline (state_of (self));
  LoomSpanId lead = loom_view_state_get_lead (state_of (self));
  if (timeline == NULL || loom_span_id_is_none (lead))
    return;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), lead.trace);
  LoomRef ref = loom_trace_get_spans (trace)->ref[lead.span];
  const LoomSource *source = ref != LOOM_REF_NONE ? loom_trace_get_source (trace, loom_ref_source (ref)) : NULL;
  if (source != NULL && source->profile != NULL)
    loom_profile_chooser_choose_profile (loom_python_panel_get_chooser (loom_panels_get_python (self)), source->profile);
}

static void
span_chosen (LoomPanels *self, guint trace, guint span)
{
  loom_timeline_view_go_to_span (self->timeline, (LoomSpanId) { trace, span });
}

static void
close_panel (LoomPanels *self)
{
  gtk_widget_hide (GTK_WIDGET (self));
}

static void
place_chosen (LoomPanels *self, const LoomPlace *place)
{
  loom_panel_places_show (self->timeline, place);
}

static void
finding_chosen (LoomPanels *self, const LoomFinding *finding)
{
  loom_panel_places_show_finding (self->timeline, finding);
}

static LoomScope *
before_of_seen (LoomPanels *self)
{
  return LOOM_IS_SELECTION_PANEL (loom_panels_get_seen (self)) ? &self->selection_before : &self->analysis_before;
}

/* The page of the selection has a range of its own: what is selected, until another one is chosen. Functions have none. */
static void
show_scope (LoomPanels *self)
{
  GtkWidget *panel = loom_panels_get_seen (self);
  LoomScope scope = LOOM_N_SCOPES;
  if (LOOM_IS_SELECTION_PANEL (panel))
    scope = loom_selection_panel_get_scope (self->selection);
  else if (LOOM_IS_ANALYSIS_PANEL (panel) || LOOM_IS_FINDINGS_PANEL (panel) || LOOM_IS_EVENTS_PANEL (panel))
    scope = loom_analysis_get_scope (self->analysis);
  loom_panel_tabs_set_scope (self->tabs, scope);
  loom_panel_tabs_set_back (self->tabs, scope == LOOM_N_SCOPES ? LOOM_N_SCOPES : *before_of_seen (self));
  gtk_widget_set_visible (GTK_WIDGET (loom_panel_tabs_get_thresholds (self->tabs)), LOOM_IS_ANALYSIS_PANEL (panel));
}

static void
page_turned (LoomPanels *self)
{
  g_autofree char *note = g_strdup_printf ("turned to the panel %s", gtk_stack_get_visible_child_name (self->stack));
  loom_crash_note (note);
  show_scope (self);
}

/* They are kept, and hold in all windows. */
static void
thresholds_changed (LoomPanels *self)
{
  LoomThresholds thresholds = loom_threshold_button_get (loom_panel_tabs_get_thresholds (self->tabs));
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  loom_settings_set_double (LOOM_SETTING_HIGH_CPU, thresholds.bottleneck.high_cpu);
  loom_settings_set_double (LOOM_SETTING_LOW_GPU, thresholds.bottleneck.low_gpu);
  loom_settings_set_double (LOOM_SETTING_OUTLIER_FACTOR, thresholds.outlier_factor);
  loom_settings_set_double (LOOM_SETTING_BALANCE_DISTANCE, thresholds.balance_distance);
  loom_preferences_apply (gtk_window_get_application (GTK_WINDOW (window)));
}

/* What was left for a range is shown again. */
static void
go_back (LoomPanels *self)
{
  if (self->analysis_before < LOOM_N_SCOPES)
    loom_analysis_set_scope (self->analysis, self->analysis_before);
  if (self->selection_before < LOOM_N_SCOPES)
    loom_selection_panel_set_scope (self->selection, self->selection_before);
  self->analysis_before = self->selection_before = LOOM_N_SCOPES;
  show_scope (self);
}

/* A range made on the timeline is shown in all panels, until it is removed or the person goes back. */
static void
range_made (LoomPanels *self)
{
  loom_crash_note ("made a range");
  if (loom_analysis_get_scope (self->analysis) != LOOM_SCOPE_SELECTION) {
    self->analysis_before = loom_analysis_get_scope (self->analysis);
    loom_analysis_set_scope (self->analysis, LOOM_SCOPE_SELECTION);
  }
  if (loom_selection_panel_get_scope (self->selection) != LOOM_SCOPE_SELECTION) {
    self->selection_before = loom_selection_panel_get_scope (self->selection);
    loom_selection_panel_set_scope (self->selection, LOOM_SCOPE_SELECTION);
  }
  show_scope (self);
}

/* A panel that selects the place of its row holds the analysis meanwhile: what it shows stays. */
static void
range_left (LoomPanels *self)
{
  LoomRange range = loom_view_state_get_range (state_of (self));
  if (range.end_ns <= range.begin_ns && !loom_analysis_is_held (self->analysis))
    go_back (self);
}

static void
scope_chosen (LoomPanels *self, guint scope)
{
  *before_of_seen (self) = LOOM_N_SCOPES;
  if (LOOM_IS_SELECTION_PANEL (loom_panels_get_seen (self)))
    loom_selection_panel_set_scope (self->selection, scope);
  else
    loom_analysis_set_scope (self->analysis, scope);
  show_scope (self);
}

/* --- what was found -------------------------------------------------------------------------------------------------- */

/* The page of it is there while the search is open. */
static void
search_opened (LoomPanels *self)
{
  if (self->stack == NULL)
    return; /* the search goes as well */
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, "found");
  gboolean open = loom_search_bar_is_open (self->search);
  gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, page), open);
  loom_panel_tabs_pages_changed (self->tabs);
  if (!open && gtk_stack_get_visible_child (self->stack) == page)
    gtk_stack_set_visible_child_name (self->stack, "selection");
}

static void
found (LoomPanels *self)
{
  if (self->found != NULL)
    loom_found_panel_show (self->found, loom_view_state_get_timeline (state_of (self)), loom_search_bar_get_result (self->search));
}

static void
list_requested (LoomPanels *self)
{
  gtk_stack_set_visible_child_name (self->stack, "found");
  gtk_widget_show (GTK_WIDGET (self));
}

static void
follow_search (LoomPanels *self)
{
  search_opened (self);
  g_signal_connect_object (self->search, "notify::open", G_CALLBACK (search_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "found", G_CALLBACK (found), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "list-requested", G_CALLBACK (list_requested), self, G_CONNECT_SWAPPED);
}

/* --- pages ----------------------------------------------------------------------------------------------------------- */

static void
add_findings (LoomPanels *self, LoomScene *scene)
{
  GtkWidget *panel = loom_findings_panel_new (self->analysis, scene);
  self->findings = LOOM_FINDINGS_PANEL (panel);
  gtk_stack_add_titled (self->stack, panel, "findings", _ ("Findings"));
  g_signal_connect_swapped (panel, "finding-chosen", G_CALLBACK (finding_chosen), self);
  g_signal_connect_swapped (panel, "place-chosen", G_CALLBACK (place_chosen), self);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
}

static GtkWidget *
make_events (gpointer user_data, gconstpointer data)
{
  LoomPanels *self = user_data;
  GtkWidget *panel = loom_events_panel_new (self->analysis);
  self->events = LOOM_EVENTS_PANEL (panel);
  loom_panel_places_follow_events (self->timeline, self->events);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  return panel;
}

static GtkWidget *
make_found (gpointer user_data, gconstpointer data)
{
  LoomPanels *self = user_data;
  GtkWidget *panel = loom_found_panel_new ();
  self->found = LOOM_FOUND_PANEL (panel);
  g_signal_connect_swapped (panel, "span-chosen", G_CALLBACK (span_chosen), self);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  found (self);
  return panel;
}

static GtkWidget *
make_analysis (gpointer user_data, gconstpointer page)
{
  LoomPanels *self = user_data;
  GtkWidget *panel = loom_analysis_panel_new (self->analysis, loom_timeline_view_get_scene (self->timeline), page);
  g_signal_connect_swapped (panel, "place-chosen", G_CALLBACK (place_chosen), self);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  return panel;
}

static GtkWidget *
make_clocks (gpointer user_data, gconstpointer data)
{
  LoomPanels *self = user_data;
  GtkWidget *panel = loom_clocks_panel_new (loom_timeline_view_get_scene (self->timeline));
  self->clocks = LOOM_CLOCKS_PANEL (panel);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  g_signal_connect_swapped (panel, "clock-moved", G_CALLBACK (loom_clock_changes_drag), self->document);
  g_signal_connect_swapped (panel, "offset-set", G_CALLBACK (loom_clock_changes_set_offset), self->document);
  loom_clocks_panel_set_timeline (self->clocks, loom_view_state_get_timeline (state_of (self)));
  return panel;
}

static GtkWidget *
make_python (gpointer user_data, gconstpointer data)
{
  LoomPanels *self = user_data;
  GtkWidget *panel = g_object_new (LOOM_TYPE_PYTHON_PANEL, "height-request", 96, NULL);
  self->python = LOOM_PYTHON_PANEL (panel);
  loom_python_panel_set_scene (self->python, loom_timeline_view_get_scene (self->timeline));
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  return panel;
}

static void
add_late (LoomPanels *self, LoomLateMaker make, gconstpointer data, const char *name, const char *title)
{
  gtk_stack_add_titled (self->stack, loom_late_page_new (make, self, data), name, title);
}

static void
add_selection (LoomPanels *self)
{
  GtkWidget *panel = g_object_new (LOOM_TYPE_SELECTION_PANEL, "height-request", LEAST_HEIGHT_PX, NULL);
  self->selection = LOOM_SELECTION_PANEL (panel);
  gtk_stack_add_titled (self->stack, panel, "selection", _ ("Selection"));
  loom_selection_panel_set_analysis (self->selection, self->analysis);
  g_signal_connect_swapped (panel, "span-chosen", G_CALLBACK (span_chosen), self);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
}

static void
add_pages (LoomPanels *self)
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

void
loom_panels_set_view (LoomPanels *self, LoomTimelineView *timeline, LoomSearchBar *search)
{
  g_return_if_fail (LOOM_IS_PANELS (self) && self->timeline == NULL);
  self->timeline = timeline;
  self->search = search;
  self->analysis = loom_analysis_new (state_of (self));
  loom_analysis_set_timeline_view (self->analysis, timeline);
  self->analysis_before = self->selection_before = LOOM_N_SCOPES;
  self->bottlenecks = loom_bottleneck_marks_new (self->analysis);
  add_pages (self);
  self->tabs = LOOM_PANEL_TABS (loom_panel_tabs_new (self->stack));
  gtk_box_prepend (GTK_BOX (self), GTK_WIDGET (self->tabs));
  g_signal_connect_swapped (self->tabs, "scope-chosen", G_CALLBACK (scope_chosen), self);
  g_signal_connect_swapped (self->tabs, "back-clicked", G_CALLBACK (go_back), self);
  g_signal_connect_swapped (loom_panel_tabs_get_thresholds (self->tabs), "changed", G_CALLBACK (thresholds_changed), self);
  g_signal_connect_swapped (self->stack, "notify::visible-child", G_CALLBACK (page_turned), self);
  g_signal_connect_object (state_of (self), "selection-changed", G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state_of (self), "selection-changed", G_CALLBACK (range_left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state_of (self), "range-made", G_CALLBACK (range_made), self, G_CONNECT_SWAPPED);
  follow_search (self);
  show_scope (self);
}

/* --- the run --------------------------------------------------------------------------------------------------------- */

static void
loading_changed (LoomPanels *self)
{
  if (loom_document_is_loading (self->document))
    return;
  loom_findings_panel_loaded (self->findings);
  loom_bottleneck_marks_update (self->bottlenecks);
}

void
loom_panels_set_document (LoomPanels *self, LoomDocument *document)
{
  g_return_if_fail (LOOM_IS_PANELS (self) && self->timeline != NULL && self->document == NULL);
  self->document = g_object_ref (document);
  g_signal_connect_object (document, "loading-changed", G_CALLBACK (loading_changed), self, G_CONNECT_SWAPPED);
}

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

static guint
count_profiles (LoomPanels *self)
{
  return self->python != NULL ? loom_profile_chooser_get_n_profiles (loom_python_panel_get_chooser (self->python)) : 0;
}

/* The page of Python profiles is there when they are; what is nothing else opens to it. */
static void
show_profiles (LoomPanels *self, LoomTimeline *timeline, gboolean has_extent)
{
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, "python");
  gboolean before = count_profiles (self) > 0;
  if (self->python != NULL || (timeline != NULL && has_profiles (loom_timeline_get_run (timeline))))
    loom_python_panel_set_timeline (loom_panels_get_python (self), timeline);
  gboolean any = count_profiles (self) > 0;
  gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, page), any);
  loom_panel_tabs_pages_changed (self->tabs);
  if (!any && gtk_stack_get_visible_child (self->stack) == page)
    gtk_stack_set_visible_child_name (self->stack, "selection");
  else if (any && (!before || !has_extent) && has_only_profiles (loom_timeline_get_run (timeline))) {
    gtk_stack_set_visible_child_name (self->stack, "python");
    gtk_widget_show (GTK_WIDGET (self));
  }
}

void
loom_panels_set_timeline (LoomPanels *self, LoomTimeline *timeline, gboolean has_extent)
{
  g_return_if_fail (LOOM_IS_PANELS (self));
  if (self->clocks != NULL)
    loom_clocks_panel_set_timeline (self->clocks, has_extent ? timeline : NULL);
  show_profiles (self, timeline, has_extent);
}

void
loom_panels_sources_changed (LoomPanels *self)
{
  g_return_if_fail (LOOM_IS_PANELS (self));
  loom_selection_panel_sources_changed (self->selection);
  if (self->events != NULL)
    loom_events_panel_sources_changed (self->events);
}

void
loom_panels_names_changed (LoomPanels *self)
{
  g_return_if_fail (LOOM_IS_PANELS (self));
  loom_selection_panel_names_changed (self->selection);
  loom_analysis_names_changed (self->analysis);
  if (self->clocks != NULL)
    loom_clocks_panel_names_changed (self->clocks);
  if (self->events != NULL)
    loom_events_panel_names_changed (self->events);
  LoomTimeline *timeline = loom_view_state_get_timeline (loom_timeline_view_get_state (self->timeline));
  if (self->python != NULL && timeline != NULL)
    loom_python_panel_set_timeline (self->python, timeline);
}

void
loom_panels_set_thresholds (LoomPanels *self, LoomThresholds thresholds)
{
  g_return_if_fail (LOOM_IS_PANELS (self));
  loom_threshold_button_set (loom_panel_tabs_get_thresholds (self->tabs), thresholds);
  loom_analysis_set_thresholds (self->analysis, thresholds);
}

void
loom_panels_set_bottleneck_marks (LoomPanels *self, gboolean show)
{
  g_return_if_fail (LOOM_IS_PANELS (self));
  loom_bottleneck_marks_set_wanted (self->bottlenecks, show);
}

/* --- who asks for them ----------------------------------------------------------------------------------------------- */

static GtkWidget *
get_late (LoomPanels *self, const char *name)
{
  return loom_late_page_get (LOOM_LATE_PAGE (gtk_stack_get_child_by_name (self->stack, name)));
}

GtkStack *
loom_panels_get_stack (LoomPanels *self)
{
  return self->stack;
}

GtkWidget *
loom_panels_get_seen (LoomPanels *self)
{
  GtkWidget *page = gtk_stack_get_visible_child (self->stack);
  return LOOM_IS_LATE_PAGE (page) ? loom_late_page_get (LOOM_LATE_PAGE (page)) : page;
}

LoomAnalysis *
loom_panels_get_analysis (LoomPanels *self)
{
  return self->analysis;
}

LoomFindingsPanel *
loom_panels_get_findings (LoomPanels *self)
{
  return self->findings;
}

LoomFoundPanel *
loom_panels_get_found (LoomPanels *self)
{
  return LOOM_FOUND_PANEL (get_late (self, "found"));
}

LoomEventsPanel *
loom_panels_get_events (LoomPanels *self)
{
  return LOOM_EVENTS_PANEL (get_late (self, "events"));
}

LoomClocksPanel *
loom_panels_get_clocks (LoomPanels *self)
{
  return LOOM_CLOCKS_PANEL (get_late (self, "clocks"));
}

LoomPythonPanel *
loom_panels_get_python (LoomPanels *self)
{
  return LOOM_PYTHON_PANEL (get_late (self, "python"));
}

/* --- the class ------------------------------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomPanels *self = LOOM_PANELS (object);
  g_clear_pointer (&self->bottlenecks, loom_bottleneck_marks_free);
  g_clear_object (&self->analysis);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_data (self->stack, self);
  self->stack = NULL;
  G_OBJECT_CLASS (loom_panels_parent_class)->dispose (object);
  g_clear_object (&self->document); /* the page of clocks is wired to it */
}

static void
loom_panels_class_init (LoomPanelsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
loom_panels_init (LoomPanels *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->stack));
}
