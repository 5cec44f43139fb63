/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-run-view.h"

#include "loom-analysis-panel.h"
#include "loom-bottleneck-marks.h"
#include "loom-clock-changes.h"
#include "loom-follow-end.h"
#include "loom-hover-args.h"
#include "loom-late-page.h"
#include "loom-panel-tabs.h"
#include "loom-panel-places.h"
#include "loom-preferences.h"
#include "loom-scene-theme.h"
#include "loom-selection-panel.h"
#include "loom-settings.h"
#include "loom-source-actions.h"
#include "loom-source-changes.h"
#include "loom-source-places.h"
#include "loom-stalls.h"

#include <glib/gi18n.h>

#define MAX_PANEL_SHARE 0.38

struct _LoomRunView {
  GtkWidget parent;
  AdwFlap *flap;
  LoomSourcesPanel *sources;
  LoomSearchBar *search;
  GtkPaned *paned;
  AdwToastOverlay *toasts; /* over the timeline: panels are read and pressed to their last row */
  LoomTimelineView *timeline;
  GtkWidget *panels;
  GtkStack *stack;
  LoomAnalysis *analysis;
  LoomBottleneckMarks *bottlenecks;
  LoomPanelTabs *tabs;
  LoomSelectionPanel *panel;
  LoomFindingsPanel *findings;
  LoomClocksPanel *clocks; /* NULL until it is looked at; so are: */
  LoomPythonPanel *python;
  LoomEventsPanel *events;
  LoomFoundPanel *found;
  LoomFollowEnd *end;
  LoomDocument *document;
  int wanted_height; /* of the panel, until there is room to give it; 0 then */
};

G_DEFINE_FINAL_TYPE (LoomRunView, loom_run_view, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_SHOW_SOURCES, PROP_SHOW_PANEL, PROP_FOLLOW_END, N_PROPS };
static GParamSpec *properties[N_PROPS];

static LoomViewState *
state_of (LoomRunView *self)
{
  return loom_timeline_view_get_state (self->timeline);
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
count_profiles (LoomRunView *self)
{
  return self->python != NULL ? loom_profile_chooser_get_n_profiles (loom_python_panel_get_chooser (self->python)) : 0;
}

/* The panel of Python profiles is there when they are; what is nothing else opens to it, without a timeline when there
 * are no times. */
static void
show_profiles (LoomRunView *self, LoomTimeline *timeline, gboolean has_extent)
{
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, "python");
  gboolean before = count_profiles (self) > 0;
  if (self->python != NULL || (timeline != NULL && has_profiles (loom_timeline_get_run (timeline))))
    loom_python_panel_set_timeline (loom_run_view_get_python (self), timeline);
  gboolean any = count_profiles (self) > 0;
  gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, page), any);
  loom_panel_tabs_pages_changed (self->tabs);
  gtk_widget_set_visible (GTK_WIDGET (self->toasts), timeline == NULL || has_extent);
  if (!any && gtk_stack_get_visible_child (self->stack) == page)
    gtk_stack_set_visible_child_name (self->stack, "selection");
  else if (any && (!before || !has_extent) && has_only_profiles (loom_timeline_get_run (timeline))) {
    gtk_stack_set_visible_child_name (self->stack, "python");
    loom_run_view_set_show_panel (self, TRUE);
  }
}

static void show_sources (LoomRunView *self);

static void
timeline_changed (LoomRunView *self)
{
  LoomTimeline *timeline = loom_document_get_timeline (self->document);
  LoomRange extent;
  gboolean has_extent = timeline != NULL && loom_timeline_get_extent (timeline, &extent);
  loom_stalls_note ("rows of a new timeline");
  if (timeline == NULL)
    loom_view_state_show_sources (state_of (self), NULL);
  loom_view_state_set_timeline (state_of (self), has_extent ? timeline : NULL);
  loom_sources_panel_set_timeline (self->sources, timeline);
  if (timeline != NULL)
    show_sources (self);
  if (self->clocks != NULL)
    loom_clocks_panel_set_timeline (self->clocks, has_extent ? timeline : NULL);
  show_profiles (self, timeline, has_extent);
}

/* A span of a profile's source chooses the profile. */
static void
selection_changed (LoomRunView *self)
{
  LoomTimeline *timeline = loom_view_state_get_timeline (state_of (self));
  LoomSpanId lead = loom_view_state_get_lead (state_of (self));
  if (timeline == NULL || loom_span_id_is_none (lead))
    return;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), lead.trace);
  LoomRef ref = loom_trace_get_spans (trace)->ref[lead.span];
  const LoomSource *source = ref != LOOM_REF_NONE ? loom_trace_get_source (trace, loom_ref_source (ref)) : NULL;
  if (source != NULL && source->profile != NULL)
    loom_profile_chooser_choose_profile (loom_python_panel_get_chooser (loom_run_view_get_python (self)), source->profile);
}

static void
isolated (LoomRunView *self, const char *const *paths)
{
  loom_source_changes_set_solo (self->document, paths);
}

/* What is muted, or not alone, is not drawn. */
static void
show_sources (LoomRunView *self)
{
  g_auto (GStrv) shown = loom_source_changes_dup_shown (self->document);
  if (shown == NULL && loom_view_state_shows_all (state_of (self)))
    return;
  loom_view_state_show_sources (state_of (self), (const char *const *) shown);
  loom_selection_panel_sources_changed (self->panel);
  if (self->events != NULL)
    loom_events_panel_sources_changed (self->events);
}

static void
sources_edited (LoomRunView *self)
{
  loom_sources_panel_set_edits (self->sources, loom_document_get_source_edits (self->document));
  show_sources (self);
}

static void
went_to (LoomRunView *self, LoomSourceItem *item)
{
  LoomTimeline *timeline = loom_view_state_get_timeline (state_of (self));
  LoomRange extent;
  if (timeline == NULL)
    return;
  g_autofree char *key = g_strdup (loom_source_places_find_row (loom_view_state_get_outline (state_of (self)), item));
  if (key != NULL)
    loom_timeline_view_go_to_row (self->timeline, key);
  if (loom_source_places_get_extent (timeline, item, &extent))
    loom_timeline_view_go_to_range (self->timeline, extent);
}

static void
span_chosen (LoomRunView *self, guint trace, guint span)
{
  loom_timeline_view_go_to_span (self->timeline, (LoomSpanId) { trace, span });
}

static void
search_requested (LoomRunView *self)
{
  loom_search_bar_set_open (self->search, TRUE);
}

/* The page of what was found is there while the search is open. */
static void
search_opened (LoomRunView *self)
{
  GtkWidget *page = gtk_stack_get_child_by_name (self->stack, "found");
  gboolean open = loom_search_bar_is_open (self->search);
  gtk_stack_page_set_visible (gtk_stack_get_page (self->stack, page), open);
  loom_panel_tabs_pages_changed (self->tabs);
  if (!open && gtk_stack_get_visible_child (self->stack) == page)
    gtk_stack_set_visible_child_name (self->stack, "selection");
}

static void
found (LoomRunView *self)
{
  if (self->found != NULL)
    loom_found_panel_show (self->found, loom_view_state_get_timeline (state_of (self)), loom_search_bar_get_result (self->search));
}

static void
list_requested (LoomRunView *self)
{
  gtk_stack_set_visible_child_name (self->stack, "found");
  loom_run_view_set_show_panel (self, TRUE);
}

static void
close_panel (LoomRunView *self)
{
  loom_run_view_set_show_panel (self, FALSE);
}

static void
place_chosen (LoomRunView *self, const LoomPlace *place)
{
  loom_panel_places_show (self->timeline, place);
}

static void
finding_chosen (LoomRunView *self, const LoomFinding *finding)
{
  loom_panel_places_show_finding (self->timeline, finding);
}

static void
loading_changed (LoomRunView *self)
{
  if (loom_document_is_loading (self->document))
    return;
  loom_findings_panel_loaded (self->findings);
  loom_bottleneck_marks_update (self->bottlenecks);
}

/* The page of the selection has a range of its own: what is selected, until another one is chosen. Functions have none. */
static void
show_scope (LoomRunView *self)
{
  GtkWidget *panel = loom_run_view_get_panel (self);
  LoomScope scope = LOOM_N_SCOPES;
  if (LOOM_IS_SELECTION_PANEL (panel))
    scope = loom_selection_panel_get_scope (self->panel);
  else if (LOOM_IS_ANALYSIS_PANEL (panel) || LOOM_IS_FINDINGS_PANEL (panel) || LOOM_IS_EVENTS_PANEL (panel))
    scope = loom_analysis_get_scope (self->analysis);
  loom_panel_tabs_set_scope (self->tabs, scope);
  gtk_widget_set_visible (GTK_WIDGET (loom_panel_tabs_get_thresholds (self->tabs)), LOOM_IS_ANALYSIS_PANEL (panel));
}

/* They are kept, and hold in all windows. */
static void
thresholds_changed (LoomRunView *self)
{
  LoomThresholds thresholds = loom_threshold_button_get (loom_panel_tabs_get_thresholds (self->tabs));
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self));
  loom_settings_set_double (LOOM_SETTING_HIGH_CPU, thresholds.bottleneck.high_cpu);
  loom_settings_set_double (LOOM_SETTING_LOW_GPU, thresholds.bottleneck.low_gpu);
  loom_settings_set_double (LOOM_SETTING_OUTLIER_FACTOR, thresholds.outlier_factor);
  loom_settings_set_double (LOOM_SETTING_BALANCE_DISTANCE, thresholds.balance_distance);
  loom_preferences_apply (gtk_window_get_application (GTK_WINDOW (window)));
}

static void
scope_chosen (LoomRunView *self, guint scope)
{
  if (LOOM_IS_SELECTION_PANEL (loom_run_view_get_panel (self)))
    loom_selection_panel_set_scope (self->panel, scope);
  else
    loom_analysis_set_scope (self->analysis, scope);
}

static void
add_findings (LoomRunView *self, LoomScene *scene)
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
  LoomRunView *self = user_data;
  GtkWidget *panel = loom_events_panel_new (self->analysis);
  self->events = LOOM_EVENTS_PANEL (panel);
  loom_panel_places_follow_events (self->timeline, self->events);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  return panel;
}

static GtkWidget *
make_found (gpointer user_data, gconstpointer data)
{
  LoomRunView *self = user_data;
  GtkWidget *panel = loom_found_panel_new ();
  self->found = LOOM_FOUND_PANEL (panel);
  g_signal_connect_swapped (panel, "span-chosen", G_CALLBACK (span_chosen), self);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  found (self);
  return panel;
}

static void
clock_moved (LoomRunView *self, guint clock, gint64 by_ns, gboolean begins)
{
  if (begins)
    loom_undo_seal (loom_document_get_undo (self->document));
  loom_clock_changes_move (self->document, clock, by_ns, TRUE);
}

static void
offset_set (LoomRunView *self, guint clock, gint64 offset_ns)
{
  loom_clock_changes_set_offset (self->document, clock, offset_ns);
}

static GtkWidget *
make_analysis (gpointer user_data, gconstpointer page)
{
  LoomRunView *self = user_data;
  GtkWidget *panel = loom_analysis_panel_new (self->analysis, loom_timeline_view_get_scene (self->timeline), page);
  g_signal_connect_swapped (panel, "place-chosen", G_CALLBACK (place_chosen), self);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  return panel;
}

static GtkWidget *
make_clocks (gpointer user_data, gconstpointer data)
{
  LoomRunView *self = user_data;
  GtkWidget *panel = loom_clocks_panel_new (loom_timeline_view_get_scene (self->timeline));
  self->clocks = LOOM_CLOCKS_PANEL (panel);
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  g_signal_connect_swapped (panel, "clock-moved", G_CALLBACK (clock_moved), self);
  g_signal_connect_swapped (panel, "offset-set", G_CALLBACK (offset_set), self);
  loom_clocks_panel_set_timeline (self->clocks, loom_view_state_get_timeline (state_of (self)));
  return panel;
}

static GtkWidget *
make_python (gpointer user_data, gconstpointer data)
{
  LoomRunView *self = user_data;
  GtkWidget *panel = g_object_new (LOOM_TYPE_PYTHON_PANEL, "height-request", 96, NULL);
  self->python = LOOM_PYTHON_PANEL (panel);
  loom_python_panel_set_scene (self->python, loom_timeline_view_get_scene (self->timeline));
  g_signal_connect_swapped (panel, "close", G_CALLBACK (close_panel), self);
  return panel;
}

static void
add_late (LoomRunView *self, LoomLateMaker make, gconstpointer data, const char *name, const char *title)
{
  gtk_stack_add_titled (self->stack, loom_late_page_new (make, self, data), name, title);
}

static void
add_panels (LoomRunView *self)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  LoomScene *scene = loom_timeline_view_get_scene (self->timeline);
  self->analysis = loom_analysis_new (state_of (self));
  add_late (self, make_found, NULL, "found", C_ ("by the search", "Found"));
  add_late (self, make_events, NULL, "events", _ ("Events"));
  add_findings (self, scene);
  for (guint i = 0; i < n; i++)
    add_late (self, make_analysis, &pages[i], pages[i].id, _ (pages[i].title));
  add_late (self, make_clocks, NULL, "clocks", _ ("Clocks"));
  add_late (self, make_python, NULL, "python", _ ("Python"));
  self->tabs = LOOM_PANEL_TABS (loom_panel_tabs_new (self->stack));
  gtk_box_prepend (GTK_BOX (self->panels), GTK_WIDGET (self->tabs));
  self->bottlenecks = loom_bottleneck_marks_new (self->analysis);
  g_signal_connect_swapped (self->tabs, "scope-chosen", G_CALLBACK (scope_chosen), self);
  g_signal_connect_swapped (loom_panel_tabs_get_thresholds (self->tabs), "changed", G_CALLBACK (thresholds_changed), self);
  g_signal_connect_swapped (self->stack, "notify::visible-child", G_CALLBACK (show_scope), self);
}

void
loom_run_view_update_theme (LoomRunView *self)
{
  loom_scene_theme_update (loom_timeline_view_get_scene (self->timeline), GTK_WIDGET (self));
}

static void
flap_changed (LoomRunView *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_SOURCES]);
}

static void
end_changed (gpointer self)
{
  g_object_notify_by_pspec (self, properties[PROP_FOLLOW_END]);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomRunView *self = LOOM_RUN_VIEW (object);
  g_value_set_boolean (value, id == PROP_SHOW_SOURCES ? loom_run_view_get_show_sources (self)
                              : id == PROP_SHOW_PANEL ? loom_run_view_get_show_panel (self)
                                                      : self->end != NULL && loom_follow_end_is_on (self->end));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  LoomRunView *self = LOOM_RUN_VIEW (object);
  gboolean on = g_value_get_boolean (value);
  if (id == PROP_SHOW_SOURCES)
    loom_run_view_set_show_sources (self, on);
  else if (id == PROP_SHOW_PANEL)
    loom_run_view_set_show_panel (self, on);
  else
    loom_follow_end_set (self->end, on);
}

static void
dispose (GObject *object)
{
  LoomRunView *self = LOOM_RUN_VIEW (object);
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), self);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  g_clear_pointer (&self->end, loom_follow_end_free);
  g_clear_pointer (&self->bottlenecks, loom_bottleneck_marks_free);
  g_clear_object (&self->analysis);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_data (self->stack, self);
  if (self->flap != NULL)
    g_signal_handlers_disconnect_by_data (self->search, self);
  if (self->flap != NULL)
    g_signal_handlers_disconnect_by_data (self->flap, self);
  if (self->flap != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->flap)));
  G_OBJECT_CLASS (loom_run_view_parent_class)->dispose (object);
}

static void
ensure_types (void)
{
  g_type_ensure (LOOM_TYPE_SOURCES_PANEL);
  g_type_ensure (LOOM_TYPE_SEARCH_BAR);
  g_type_ensure (LOOM_TYPE_TIMELINE_VIEW);
  g_type_ensure (LOOM_TYPE_SELECTION_PANEL);
}

static void
loom_run_view_class_init (LoomRunViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  ensure_types ();
  object_class->dispose = dispose;
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  properties[PROP_SHOW_SOURCES] = g_param_spec_boolean ("show-sources", NULL, NULL, TRUE, flags);
  properties[PROP_SHOW_PANEL] = g_param_spec_boolean ("show-panel", NULL, NULL, TRUE, flags);
  properties[PROP_FOLLOW_END] = g_param_spec_boolean ("follow-end", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-run-view.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, flap);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, sources);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, search);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, toasts);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, timeline);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, panels);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, stack);
  gtk_widget_class_bind_template_child (widget_class, LoomRunView, panel);
}

static void
loom_run_view_init (LoomRunView *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_search_bar_set_view (self->search, self->timeline);
  loom_hover_args_attach (self->timeline);
  add_panels (self);
  loom_selection_panel_set_analysis (self->panel, self->analysis);
  search_opened (self);
  show_scope (self);
  self->end = loom_follow_end_new (state_of (self), end_changed, self);
  g_signal_connect_swapped (self->sources, "isolated", G_CALLBACK (isolated), self);
  g_signal_connect_swapped (self->sources, "went-to", G_CALLBACK (went_to), self);
  g_signal_connect_swapped (self->search, "notify::open", G_CALLBACK (search_opened), self);
  g_signal_connect_swapped (self->search, "found", G_CALLBACK (found), self);
  g_signal_connect_swapped (self->search, "list-requested", G_CALLBACK (list_requested), self);
  g_signal_connect_swapped (self->panel, "span-chosen", G_CALLBACK (span_chosen), self);
  g_signal_connect_swapped (self->panel, "close", G_CALLBACK (close_panel), self);
  g_signal_connect_object (state_of (self), "selection-changed", G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->timeline, "search-requested", G_CALLBACK (search_requested), self);
  g_signal_connect_swapped (self->timeline, "clock-moved", G_CALLBACK (clock_moved), self);
  g_signal_connect_swapped (self->flap, "notify::reveal-flap", G_CALLBACK (flap_changed), self);
  g_signal_connect_swapped (manager, "notify::dark", G_CALLBACK (loom_run_view_update_theme), self);
  g_signal_connect_swapped (manager, "notify::high-contrast", G_CALLBACK (loom_run_view_update_theme), self);
  g_signal_connect (self, "realize", G_CALLBACK (loom_run_view_update_theme), NULL);
}

void
loom_run_view_set_document (LoomRunView *self, LoomDocument *document)
{
  g_return_if_fail (LOOM_IS_RUN_VIEW (self) && self->document == NULL);
  self->document = g_object_ref (document);
  g_signal_connect_swapped (document, "timeline-changed", G_CALLBACK (timeline_changed), self);
  g_signal_connect_swapped (document, "sources-edited", G_CALLBACK (sources_edited), self);
  loom_source_actions_add (GTK_WIDGET (self), document);
  g_signal_connect_swapped (document, "loading-changed", G_CALLBACK (loading_changed), self);
}

LoomTimelineView *
loom_run_view_get_timeline_view (LoomRunView *self)
{
  return self->timeline;
}

gboolean
loom_run_view_add_toast (LoomRunView *self, AdwToast *toast)
{
  g_return_val_if_fail (LOOM_IS_RUN_VIEW (self), FALSE);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->timeline)))
    return FALSE;
  adw_toast_overlay_add_toast (self->toasts, toast);
  return TRUE;
}

LoomSearchBar *
loom_run_view_get_search_bar (LoomRunView *self)
{
  return self->search;
}

LoomSourcesPanel *
loom_run_view_get_sources (LoomRunView *self)
{
  return self->sources;
}

static GtkWidget *
get_late (LoomRunView *self, const char *name)
{
  return loom_late_page_get (LOOM_LATE_PAGE (gtk_stack_get_child_by_name (self->stack, name)));
}

LoomPythonPanel *
loom_run_view_get_python (LoomRunView *self)
{
  return LOOM_PYTHON_PANEL (get_late (self, "python"));
}

LoomFindingsPanel *
loom_run_view_get_findings (LoomRunView *self)
{
  return self->findings;
}

LoomEventsPanel *
loom_run_view_get_events (LoomRunView *self)
{
  return LOOM_EVENTS_PANEL (get_late (self, "events"));
}

LoomFoundPanel *
loom_run_view_get_found (LoomRunView *self)
{
  return LOOM_FOUND_PANEL (get_late (self, "found"));
}

LoomClocksPanel *
loom_run_view_get_clocks (LoomRunView *self)
{
  return LOOM_CLOCKS_PANEL (get_late (self, "clocks"));
}

GtkWidget *
loom_run_view_get_panel (LoomRunView *self)
{
  GtkWidget *page = gtk_stack_get_visible_child (self->stack);
  return LOOM_IS_LATE_PAGE (page) ? loom_late_page_get (LOOM_LATE_PAGE (page)) : page;
}

GtkStack *
loom_run_view_get_panels (LoomRunView *self)
{
  return self->stack;
}

void
loom_run_view_set_thresholds (LoomRunView *self, LoomThresholds thresholds)
{
  g_return_if_fail (LOOM_IS_RUN_VIEW (self));
  loom_threshold_button_set (loom_panel_tabs_get_thresholds (self->tabs), thresholds);
  loom_analysis_set_thresholds (self->analysis, thresholds);
}

void
loom_run_view_set_bottleneck_marks (LoomRunView *self, gboolean show)
{
  g_return_if_fail (LOOM_IS_RUN_VIEW (self));
  loom_bottleneck_marks_set_wanted (self->bottlenecks, show);
}

LoomAnalysis *
loom_run_view_get_analysis (LoomRunView *self)
{
  return self->analysis;
}

void
loom_run_view_set_show_sources (LoomRunView *self, gboolean show)
{
  g_return_if_fail (LOOM_IS_RUN_VIEW (self));
  adw_flap_set_reveal_flap (self->flap, show);
}

void
loom_run_view_set_show_panel (LoomRunView *self, gboolean show)
{
  g_return_if_fail (LOOM_IS_RUN_VIEW (self));
  if (gtk_widget_get_visible (self->panels) == show)
    return;
  gtk_widget_set_visible (self->panels, show);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_PANEL]);
}

gboolean
loom_run_view_get_show_sources (LoomRunView *self)
{
  return self->flap != NULL && adw_flap_get_reveal_flap (self->flap);
}

gboolean
loom_run_view_get_show_panel (LoomRunView *self)
{
  return self->flap != NULL && gtk_widget_get_visible (self->panels);
}

int
loom_run_view_get_panel_height (LoomRunView *self)
{
  return gtk_widget_get_height (self->panels);
}

/* The panel gets its height, but never more than its share of a small window. */
static void
room_changed (LoomRunView *self)
{
  int all = gtk_widget_get_height (GTK_WIDGET (self->paned));
  if (self->wanted_height <= 0 || all <= 0)
    return;
  int height = MIN (self->wanted_height, (int) (all * MAX_PANEL_SHARE));
  self->wanted_height = 0;
  gtk_paned_set_position (self->paned, all - height);
}

static gboolean
room_changed_idle (gpointer user_data)
{
  room_changed (user_data);
  return G_SOURCE_REMOVE;
}

/* Positions are not to be changed while they are worked out. */
static void
room_changed_later (LoomRunView *self)
{
  if (self->wanted_height > 0)
    g_idle_add_full (G_PRIORITY_HIGH_IDLE, room_changed_idle, g_object_ref (self), g_object_unref);
}

void
loom_run_view_set_panel_height (LoomRunView *self, int height)
{
  g_return_if_fail (LOOM_IS_RUN_VIEW (self));
  if (self->wanted_height == 0)
    g_signal_connect_swapped (self->paned, "notify::max-position", G_CALLBACK (room_changed_later), self);
  self->wanted_height = height;
  room_changed (self);
}
