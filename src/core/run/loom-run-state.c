/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-run-state.h: makes the objects of an open run and connects them with each other.
 */
#include "loom-run-state.h"

#include "loom-bottleneck-marks.h"
#include "loom-follow-end.h"
#include "loom-growing-files.h"
#include "loom-late-rank-marks.h"
#include "loom-page-index.h"
#include "loom-source-commands.h"
#include "loom-timeline-summaries.h"
#include "loom-view-commands.h"
#include "loom-view-navigation.h"

struct _LoomRunState {
  GObject parent;
  LoomDocument *document;
  LoomTimelineState *view;
  LoomViewAnimator *flight;
  LoomSearchState *search;
  LoomAnalysisContext *analysis;
  LoomFindingsState *findings;
  LoomPythonProfiles *profiles;
  LoomQueryState *query;
  LoomRankArrangement *ranks;
  LoomQueryLanes *lanes;
  LoomLaunchQueueDisplay *launch_queue;
  LoomSavedQueries *saved_queries;
  LoomPathDisplay *path;
  LoomTimelineSummaries *summaries;
  LoomLateRankMarks *late_ranks;
  LoomPageLacks *lacks;
  LoomBottleneckMarks *bottlenecks;
  LoomGrowingFiles *reload;
  LoomFollowEnd *end;
  LoomRangeDetails *details;
  gboolean follows_files, shows_sidebar, shows_details;
  gboolean wants_details; /* TRUE if the details (the pages below the timeline) are shown when something is selected */
  /* height of the timeline view in px just before the details (the pages below it) appeared and made the view lower; 0
   * when the view has been adapted to its lower height */
  double height_px;
  GListModel *event_rows;
  char **pages; /* names of the pages for which the run has data; NULL-terminated, never NULL */
  char *page;
};

G_DEFINE_FINAL_TYPE (LoomRunState, loom_run_state, G_TYPE_OBJECT)

enum { PROP_0, PROP_PAGE, PROP_FOLLOWS_FILES, PROP_FOLLOWS_END, PROP_SHOWS_SIDEBAR, PROP_SHOWS_DETAILS, N_PROPS };
static GParamSpec *properties[N_PROPS];

enum { NAMES_CHANGED, SOURCES_SHOWN, STEPS_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- making the view follow the document ------------------------------------------------------------------------- */

/* Hides the rows of muted sources. If some sources are solo, hides the rows of all other sources instead. */
static void
show_sources (LoomRunState *self)
{
  g_auto (GStrv) shown = loom_source_commands_dup_shown (self->document);
  if (shown == NULL && loom_timeline_state_shows_all (self->view))
    return;
  loom_timeline_state_show_sources (self->view, (const char *const *) shown);
  g_signal_emit (self, signals[SOURCES_SHOWN], 0);
}

static void
timeline_changed (LoomRunState *self)
{
  LoomTimeline *timeline = loom_document_get_timeline (self->document);
  LoomRange extent;
  gboolean has_extent = timeline != NULL && loom_timeline_get_extent (timeline, &extent);
  if (timeline == NULL)
    loom_timeline_state_show_sources (self->view, NULL);
  loom_row_list_set_names (loom_timeline_state_get_row_list (self->view),
                           loom_document_get_source_edits (self->document));
  loom_timeline_state_set_timeline (self->view, has_extent ? timeline : NULL);
  loom_query_state_set_timeline (self->query, timeline);
  loom_query_lanes_set_timeline (self->lanes, has_extent ? timeline : NULL);
  loom_launch_queue_display_set_timeline (self->launch_queue, has_extent ? timeline : NULL);
  if (timeline != NULL)
    show_sources (self);
}

static void
facts_changed (LoomRunState *self)
{
  loom_query_state_set_reading (self->query, loom_timeline_state_get_reading (self->view));
}

static void
sources_edited (LoomRunState *self)
{
  if (loom_row_list_set_names (loom_timeline_state_get_row_list (self->view),
                               loom_document_get_source_edits (self->document))) {
    loom_timeline_state_rows_changed (self->view);
    g_signal_emit (self, signals[NAMES_CHANGED], 0);
  }
  show_sources (self);
}

static void
loading_changed (LoomRunState *self)
{
  if (loom_document_is_loading (self->document))
    return;
  loom_bottleneck_marks_update (self->bottlenecks);
  loom_findings_state_loaded (self->findings);
}

/* `shown`: the member of `self` that says whether the sidebar (or the details) is shown. Sets this member to `shows`,
 * and notifies `property` if the value has changed. */
static void
set_shown (LoomRunState *self, gboolean *shown, gboolean shows, guint property)
{
  if (*shown == shows)
    return;
  *shown = shows;
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* Shows the details below the timeline if something is selected and the user wants the details. The details stay
 * visible when nothing is selected any more; otherwise the height of the timeline would change with every click. */
static void
show_details (LoomRunState *self)
{
  LoomRange range;
  if (self->shows_details || !self->wants_details || !loom_timeline_state_get_selected_range (self->view, &range))
    return;
  self->height_px = loom_timeline_state_get_viewport (self->view)->height_px;
  set_shown (self, &self->shows_details, TRUE, PROP_SHOWS_DETAILS);
}

/* Shows the details when something is selected. During a drag, does nothing until the drag ends, because a range that
 * the user drags may only be meant to zoom in on. */
static void
selection_changed (LoomRunState *self)
{
  if (!loom_timeline_state_is_dragging (self->view))
    show_details (self);
}

/* Called when the view changed. If the details have appeared and made the timeline lower, scrolls so that the selected
 * span stays visible. */
static void
view_changed (LoomRunState *self)
{
  if (self->height_px <= loom_timeline_state_get_viewport (self->view)->height_px)
    return;
  self->height_px = 0;
  loom_view_navigation_keep_lead (self->flight);
}

static void
end_changed (gpointer self)
{
  g_object_notify_by_pspec (self, properties[PROP_FOLLOWS_END]);
}

static void
steps_changed (gpointer self)
{
  g_signal_emit (self, signals[STEPS_CHANGED], 0);
}

/* --- creating and freeing the object, and getting its parts ------------------------------------------------------- */

static void
finalize (GObject *object)
{
  LoomRunState *self = LOOM_RUN_STATE (object);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_signal_handlers_disconnect_by_data (self->view, self);
  loom_view_commands_unwatch (self->view);
  loom_growing_files_free (self->reload);
  loom_follow_end_free (self->end);
  g_object_unref (self->details);
  loom_bottleneck_marks_free (self->bottlenecks);
  loom_timeline_summaries_free (self->summaries);
  loom_late_rank_marks_free (self->late_ranks);
  g_object_unref (self->lacks);
  g_object_unref (self->search);
  g_object_unref (self->profiles);
  g_object_unref (self->query);
  g_object_unref (self->ranks);
  g_object_unref (self->launch_queue);
  g_object_unref (self->lanes);
  g_object_unref (self->saved_queries);
  g_object_unref (self->path);
  g_object_unref (self->findings);
  g_object_unref (self->analysis);
  g_object_unref (self->flight);
  g_object_unref (self->view);
  /* other objects may still have references to the document and its undo stack; they must not use the undo steps of the
   * view any more, because the view was freed */
  g_object_unref (self->document);
  g_clear_object (&self->event_rows);
  g_strfreev (self->pages);
  g_free (self->page);
  G_OBJECT_CLASS (loom_run_state_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomRunState *self = LOOM_RUN_STATE (object);
  switch (id) {
  case PROP_PAGE: g_value_set_string (value, self->page); break;
  case PROP_FOLLOWS_FILES: g_value_set_boolean (value, self->follows_files); break;
  case PROP_FOLLOWS_END: g_value_set_boolean (value, loom_follow_end_is_on (self->end)); break;
  case PROP_SHOWS_SIDEBAR: g_value_set_boolean (value, self->shows_sidebar); break;
  default: g_value_set_boolean (value, self->shows_details);
  }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  LoomRunState *self = LOOM_RUN_STATE (object);
  switch (id) {
  case PROP_PAGE: loom_run_state_set_page (self, g_value_get_string (value)); break;
  case PROP_FOLLOWS_FILES: loom_run_state_set_follows_files (self, g_value_get_boolean (value)); break;
  case PROP_FOLLOWS_END: loom_run_state_set_follows_end (self, g_value_get_boolean (value)); break;
  case PROP_SHOWS_SIDEBAR: loom_run_state_set_shows_sidebar (self, g_value_get_boolean (value)); break;
  default: loom_run_state_set_shows_details (self, g_value_get_boolean (value));
  }
}

static void
loom_run_state_class_init (LoomRunStateClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROP_PAGE] = g_param_spec_string ("page", NULL, NULL, NULL, flags);
  properties[PROP_FOLLOWS_FILES] = g_param_spec_boolean ("follows-files", NULL, NULL, TRUE, flags);
  properties[PROP_FOLLOWS_END] = g_param_spec_boolean ("follows-end", NULL, NULL, FALSE, flags);
  properties[PROP_SHOWS_SIDEBAR] = g_param_spec_boolean ("shows-sidebar", NULL, NULL, TRUE, flags);
  properties[PROP_SHOWS_DETAILS] = g_param_spec_boolean ("shows-details", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  signals[NAMES_CHANGED] =
    g_signal_new ("names-changed", LOOM_TYPE_RUN_STATE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SOURCES_SHOWN] =
    g_signal_new ("sources-shown", LOOM_TYPE_RUN_STATE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[STEPS_CHANGED] =
    g_signal_new ("steps-changed", LOOM_TYPE_RUN_STATE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_run_state_init (LoomRunState *self)
{
  self->pages = g_new0 (char *, 1);
  self->shows_sidebar = self->wants_details = TRUE;
}

LoomRunState *
loom_run_state_new (LoomDocument *document)
{
  g_return_val_if_fail (LOOM_IS_DOCUMENT (document), NULL);
  LoomRunState *self = g_object_new (LOOM_TYPE_RUN_STATE, NULL);
  self->document = g_object_ref (document);
  self->view = loom_timeline_state_new ();
  self->flight = loom_view_animator_new (self->view);
  self->search = loom_search_state_new (self->flight);
  self->analysis = loom_analysis_context_new (self->view);
  loom_analysis_context_set_flight (self->analysis, self->flight);
  self->lacks = loom_page_lacks_new (self->analysis);
  self->summaries = loom_timeline_summaries_new (self->view);
  self->findings = loom_findings_state_new (self->analysis);
  self->late_ranks = loom_late_rank_marks_new (self->analysis, self->findings);
  self->profiles = loom_python_profiles_new (self->view);
  self->query = loom_query_state_new ();
  self->ranks = loom_rank_arrangement_new (self->view);
  self->lanes = loom_query_lanes_new ();
  self->launch_queue = loom_launch_queue_display_new (self->lanes);
  self->saved_queries = loom_saved_queries_new ();
  self->path = loom_path_display_new (self->analysis);
  self->bottlenecks = loom_bottleneck_marks_new (self->analysis);
  self->reload = loom_growing_files_new (document);
  self->follows_files = TRUE;
  self->end = loom_follow_end_new (self->view, end_changed, self);
  self->details = loom_range_details_new (self->view);
  g_signal_connect_swapped (document, "timeline-changed", G_CALLBACK (timeline_changed), self);
  g_signal_connect_swapped (document, "sources-edited", G_CALLBACK (sources_edited), self);
  g_signal_connect_swapped (document, "loading-changed", G_CALLBACK (loading_changed), self);
  loom_view_commands_watch (self->view, self->flight, loom_document_get_undo (document), steps_changed, self);
  g_signal_connect_swapped (self->view, "facts-changed", G_CALLBACK (facts_changed), self);
  g_signal_connect_swapped (self->view, "selection-changed", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (self->view, "range-made", G_CALLBACK (show_details), self);
  g_signal_connect_swapped (self->view, "view-changed", G_CALLBACK (view_changed), self);
  timeline_changed (self);
  return self;
}

LoomDocument *
loom_run_state_get_document (LoomRunState *self)
{
  return self->document;
}

LoomPageLacks *
loom_run_state_get_lacks (LoomRunState *self)
{
  return self->lacks;
}

LoomAnalysisContext *
loom_run_state_get_analysis (LoomRunState *self)
{
  return self->analysis;
}

LoomFindingsState *
loom_run_state_get_findings (LoomRunState *self)
{
  return self->findings;
}

LoomQueryState *
loom_run_state_get_query (LoomRunState *self)
{
  return self->query;
}

LoomRankArrangement *
loom_run_state_get_ranks (LoomRunState *self)
{
  return self->ranks;
}

LoomPathDisplay *
loom_run_state_get_path (LoomRunState *self)
{
  return self->path;
}

LoomSavedQueries *
loom_run_state_get_saved_queries (LoomRunState *self)
{
  return self->saved_queries;
}

LoomQueryLanes *
loom_run_state_get_lanes (LoomRunState *self)
{
  return self->lanes;
}

LoomLaunchQueueDisplay *
loom_run_state_get_launch_queue (LoomRunState *self)
{
  return self->launch_queue;
}

LoomPythonProfiles *
loom_run_state_get_profiles (LoomRunState *self)
{
  return self->profiles;
}

LoomTimelineState *
loom_run_state_get_view (LoomRunState *self)
{
  return self->view;
}

LoomViewAnimator *
loom_run_state_get_flight (LoomRunState *self)
{
  return self->flight;
}

LoomSearchState *
loom_run_state_get_search (LoomRunState *self)
{
  return self->search;
}

LoomRunRules *
loom_run_state_get_rules (LoomRunState *self)
{
  return loom_analysis_context_get_rules (self->analysis);
}

gboolean
loom_run_state_has_summaries (LoomRunState *self)
{
  return loom_timeline_summaries_are_whole (self->summaries);
}

void
loom_run_state_set_marks_bottlenecks (LoomRunState *self, gboolean marks)
{
  loom_bottleneck_marks_set_wanted (self->bottlenecks, marks);
}

void
loom_run_state_set_follows_files (LoomRunState *self, gboolean follows)
{
  if (self->follows_files == follows)
    return;
  self->follows_files = follows;
  loom_growing_files_set_active (self->reload, follows);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOWS_FILES]);
}

LoomRangeDetails *
loom_run_state_get_details (LoomRunState *self)
{
  return self->details;
}

void
loom_run_state_set_follows_end (LoomRunState *self, gboolean follows)
{
  loom_follow_end_set (self->end, follows);
}

void
loom_run_state_set_shows_sidebar (LoomRunState *self, gboolean shows)
{
  set_shown (self, &self->shows_sidebar, shows, PROP_SHOWS_SIDEBAR);
}

gboolean
loom_run_state_get_shows_sidebar (LoomRunState *self)
{
  return self->shows_sidebar;
}

void
loom_run_state_set_shows_details (LoomRunState *self, gboolean shows)
{
  self->wants_details = shows;
  set_shown (self, &self->shows_details, shows, PROP_SHOWS_DETAILS);
}

gboolean
loom_run_state_get_shows_details (LoomRunState *self)
{
  return self->shows_details;
}

void
loom_run_state_set_wants_details (LoomRunState *self, gboolean wants)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (self));
  self->wants_details = wants;
  if (wants)
    selection_changed (self);
  else
    set_shown (self, &self->shows_details, FALSE, PROP_SHOWS_DETAILS);
}

gboolean
loom_run_state_get_wants_details (LoomRunState *self)
{
  return self->wants_details;
}

void
loom_run_state_set_pages (LoomRunState *self, const char *const *names)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (self) && names != NULL);
  char **copy = g_strdupv ((char **) names);
  g_strfreev (self->pages);
  self->pages = copy;
}

gboolean
loom_run_state_has_page (LoomRunState *self, const char *name)
{
  return g_strv_contains ((const char *const *) self->pages, name);
}

void
loom_run_state_set_page (LoomRunState *self, const char *name)
{
  if (g_strcmp0 (name, self->page) == 0)
    return;
  char *copy = g_strdup (name);
  g_free (self->page);
  self->page = copy;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

const char *
loom_run_state_get_page (LoomRunState *self)
{
  return self->page;
}

void
loom_run_state_open_page (LoomRunState *self, const char *name)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (self));
  const LoomPageIndex *page = loom_page_index_find (name);
  if (page != NULL && g_str_equal (page->view, "timeline"))
    loom_run_state_set_shows_details (self, TRUE);
  loom_run_state_set_page (self, name);
}

void
loom_run_state_set_event_rows (LoomRunState *self, GListModel *rows)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (self));
  g_set_object (&self->event_rows, rows);
}

GListModel *
loom_run_state_get_event_rows (LoomRunState *self)
{
  return self->event_rows;
}

void
loom_run_state_show_timeline (LoomRunState *self)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (self));
  const LoomPageIndex *page = loom_page_index_find (self->page);
  if (page != NULL && !g_str_equal (page->view, "timeline"))
    loom_run_state_set_page (self, "selection");
}
