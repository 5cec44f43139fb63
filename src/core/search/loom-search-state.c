/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search-state.h: runs searches in workers, keeps the current hit when the result changes, and moves
 * the view to hits.
 */
#include "loom-search-state.h"

#include "loom-progress-cancellable.h"
#include "loom-run-details.h"
#include "loom-search-scope.h"
#include "loom-view-navigation.h"
#include "loom-worker.h"

/* minimum width of the current hit, in px; the view zooms in until the hit has this width, so that it is visible. The
 * width is small, so that the hits and spans nearby stay in view */
#define LEAST_HIT_PX 3
#define PROGRESS_MS 100 /* interval, in ms, at which "changed" is emitted while args are read */

struct _LoomSearchState {
  GObject parent;
  LoomViewAnimator *animator;
  LoomTimelineState *view; /* the state of the timeline view that `animator` moves */
  gboolean open;
  /* index of the names of the spans, made for the present or an earlier timeline; NULL until the search is opened for
   * the first time */
  LoomSearchIndex *index;
  GCancellable *indexing;
  char *text; /* text that is searched; NULL: no text was set */
  gboolean regex;
  char *error;
  GCancellable *running; /* cancels the running search (a LoomProgressCancellable); NULL: no search is running */
  guint progress_id;     /* id of the timer that reports the progress of reading args; 0: no timer is running */
  gboolean was_stopped;  /* TRUE if the user stopped the search */
  /* the timeline that was shown when the running search began to read args; NULL: no search reads args */
  LoomTimeline *searched;
  LoomSearchResult *result; /* result of the search; NULL: nothing was searched, or the search has no result yet */
  LoomRange within;         /* the range in which moves from hit to hit stay; empty: moves are not limited to a range */
  /* the hits of `result` to which the user can move; NULL: all hits in the order of their starts */
  LoomSearchScope *scope;
  guint at; /* index in result->by_time of the current hit; G_MAXUINT before the user moves to a hit */
  /* The current hit, which is kept even while no result contains it. Its trace is G_MAXUINT before the user first moves
   * to a hit. Its span is G_MAXUINT32 if the hit was in a detail that no row shows any more. A detail
   * (loom-run-details.h) contains events of a time range that were read from a trace in place of its index. */
  LoomSpanId at_span;
  LoomRange at_ns;      /* time range of `at_span` on the timeline when it became the current hit */
  guint detail_serial;  /* result of loom_row_list_get_detail_serial() when the search began */
  gboolean has_details; /* TRUE if rows showed details (loom-run-details.h) when the search began */
  /* direction of the move to a hit that the user requested before a hit was found: 1 forward, −1 backward; 0: no
   * request */
  int go_when_found;
};

G_DEFINE_FINAL_TYPE (LoomSearchState, loom_search_state, G_TYPE_OBJECT)

enum { FOUND, CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROP_0, PROP_OPEN, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
tell_changed (LoomSearchState *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
tell_found (LoomSearchState *self)
{
  g_signal_emit (self, signals[FOUND], 0);
  tell_changed (self);
}

static LoomTimeline *
get_timeline (LoomSearchState *self)
{
  return loom_timeline_state_get_timeline (self->view);
}

static void
cancel_search (LoomSearchState *self)
{
  loom_worker_cancel (&self->running);
  g_clear_handle_id (&self->progress_id, g_source_remove);
}

/* --- index of names ----------------------------------------------------------------------------------------------- */

static void
drop_index (LoomSearchState *self)
{
  loom_worker_cancel (&self->indexing);
  g_clear_pointer (&self->index, loom_search_index_unref);
}

static void
indexed (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomSearchState *self = owner;
  g_clear_pointer (&self->index, loom_search_index_unref);
  self->index = result;
}

/* Starts making the index of names. Called when the search is opened, so that the index may be ready when the user has
 * typed a text. A search that begins earlier does not use the index. */
static void
make_index (LoomSearchState *self)
{
  LoomTimeline *timeline = get_timeline (self);
  if (timeline == NULL) {
    drop_index (self);
    return;
  }
  loom_search_index_new_async (&self->indexing, loom_timeline_get_run (timeline), self->index, indexed, self);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static guint
get_n_hits (LoomSearchState *self)
{
  return self->result != NULL ? self->result->by_time->len : 0;
}

static LoomSpanId
get_hit (const LoomSearchResult *result, guint at)
{
  return g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, at));
}

static void
go_to (LoomSearchState *self, guint at)
{
  self->at = at;
  self->at_span = get_hit (self->result, at);
  loom_timeline_get_span (get_timeline (self), self->at_span, &self->at_ns.begin_ns, &self->at_ns.end_ns);
  loom_view_navigation_go_to_visible_span (self->animator, get_hit (self->result, at), LEAST_HIT_PX);
  tell_changed (self);
}

/* Goes to hit number `n` of the hits to which the user can move. */
static void
go_to_nth (LoomSearchState *self, guint n)
{
  go_to (self, self->scope != NULL ? self->scope->positions[n] : n);
}

/* Updates `scope` after `result` or `within` has changed. */
static void
update_scope (LoomSearchState *self)
{
  loom_search_scope_free (self->scope);
  self->scope = self->result != NULL ? loom_search_scope_new (get_timeline (self), self->result, self->within) : NULL;
}

/* Notes the selected range before the user moves to a hit. The move selects the hit instead of the range, but further
 * moves stay in the range until the user selects something else. */
static void
note_range (LoomSearchState *self)
{
  LoomRange range = loom_timeline_state_get_range (self->view);
  gboolean is_at_hit = loom_timeline_span_id_equal (loom_timeline_state_get_lead (self->view), self->at_span);
  gboolean is_noted = range.begin_ns == self->within.begin_ns && range.end_ns == self->within.end_ns;
  if (is_noted || (range.end_ns <= range.begin_ns && is_at_hit))
    return;
  self->within = range;
  update_scope (self);
}

guint
loom_search_state_get_scope (LoomSearchState *self, guint *at)
{
  *at = self->scope != NULL ? loom_search_scope_find (self->scope, self->at) : self->at;
  return self->scope != NULL ? self->scope->n : get_n_hits (self);
}

/* Returns which hit the user moves to first if no range is selected (loom_search_state_step()). The result is an index
 * into the hits to which the user can move; `n` is the number of these hits. */
static guint
find_first (LoomSearchState *self, gboolean forward, guint n)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->view);
  gint64 from_ns = view->begin_ns;
  LoomRange range;
  if (loom_timeline_state_get_selected_range (self->view, &range) && range.begin_ns >= view->begin_ns &&
      range.begin_ns < view->end_ns)
    from_ns = range.begin_ns;
  guint after = loom_search_result_after (get_timeline (self), self->result, from_ns, TRUE);
  if (self->scope != NULL)
    return loom_search_scope_start (self->scope, after, forward);
  return forward ? after % n : (after + n - 1) % n;
}

gboolean
loom_search_state_step (LoomSearchState *self, gboolean forward)
{
  guint at;
  note_range (self);
  guint n = loom_search_state_get_scope (self, &at);
  if (n == 0) {
    self->go_when_found = self->running == NULL ? 0 : forward ? 1 : -1;
    return self->running != NULL;
  }
  if (at != G_MAXUINT)
    go_to_nth (self, (at + (forward ? 1 : n - 1)) % n);
  else if (self->within.end_ns > self->within.begin_ns && n < get_n_hits (self))
    go_to_nth (self, forward ? 0 : n - 1);
  else
    go_to_nth (self, find_first (self, forward, n));
  return TRUE;
}

/* Returns TRUE if two hits that start at the same time are the same event. `end_ns`: end of `hit` on the timeline. One
 * hit may be from the index of a trace and the other from a detail (loom-run-details.h), which was read from the trace
 * itself. */
static gboolean
is_alike (LoomSearchState *self, LoomSpanId hit, LoomSpanId other, gint64 end_ns)
{
  LoomRun *run = loom_timeline_get_run (get_timeline (self));
  gint64 other_start_ns, other_end_ns;
  loom_timeline_get_span (get_timeline (self), other, &other_start_ns, &other_end_ns);
  return other_end_ns == end_ns &&
         loom_run_details_get_whole (run, hit.trace) == loom_run_details_get_whole (run, other.trace);
}

/* Returns the index of the current hit in by_time of the newer result `result`. If the result lacks the span of the
 * hit, returns the index of a span that shows the same event, because an event may be both in a trace and in a detail
 * of this trace (loom-run-details.h). G_MAXUINT: the result contains neither the span nor another span of the same
 * event. */
static guint
find_again (LoomSearchState *self, const LoomSearchResult *result)
{
  LoomRange range = self->at_ns;
  guint found = G_MAXUINT;
  if (self->at_span.trace == G_MAXUINT)
    return G_MAXUINT;
  if (self->at_span.span != G_MAXUINT32)
    loom_timeline_get_span (get_timeline (self), self->at_span, &range.begin_ns, &range.end_ns);
  guint end = loom_search_result_after (get_timeline (self), result, range.begin_ns, FALSE);
  for (guint at = loom_search_result_after (get_timeline (self), result, range.begin_ns, TRUE); at < end; at++) {
    if (loom_timeline_span_id_equal (get_hit (result, at), self->at_span))
      return at;
    if (found == G_MAXUINT && is_alike (self, self->at_span, get_hit (result, at), range.end_ns))
      found = at;
  }
  return found;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

/* If the user asked to go to a hit before any hit was found (go_when_found): goes to the hit now if there is one; drops
 * the request if the search has ended without hits. */
static void
go_now (LoomSearchState *self)
{
  int go = get_n_hits (self) > 0 ? self->go_when_found : 0;
  if (go != 0 || self->running == NULL)
    self->go_when_found = 0;
  if (go != 0)
    loom_search_state_step (self, go > 0);
}

/* If the current hit is in a detail (loom-run-details.h) that no row shows any more, keeps only its trace and time, and
 * forgets its span. The detail may be freed, and its number may be given to another detail. */
static void
leave_detail (LoomSearchState *self)
{
  LoomRun *run = loom_timeline_get_run (get_timeline (self));
  guint number = self->at_span.trace;
  if (number == G_MAXUINT || number < loom_run_get_n_traces (run) || self->at_span.span == G_MAXUINT32 ||
      loom_row_list_has_detail (loom_timeline_state_get_row_list (self->view), number))
    return;
  self->at_span = (LoomSpanId) { loom_run_details_get_whole (run, number), G_MAXUINT32 };
}

/* Replaces the result, and takes ownership of the new one. The current hit stays the same if the new result contains
 * it. */
static void
set_result (LoomSearchState *self, LoomSearchResult *result)
{
  leave_detail (self);
  self->at = find_again (self, result);
  if (self->at != G_MAXUINT)
    self->at_span = get_hit (result, self->at);
  g_clear_pointer (&self->result, loom_search_result_unref);
  self->result = result;
  update_scope (self);
  loom_timeline_state_take_hits (self->view, g_array_ref (result->hits), g_array_ref (result->ticks_ns));
  tell_found (self);
  go_now (self);
}

/* Sets a result of the search. If clocks were moved since the search began, the hits are sorted again by their new
 * times. Takes ownership of the result. */
static void
set_found (LoomSearchState *self, LoomSearchResult *result)
{
  if (self->searched == NULL || self->searched == get_timeline (self)) {
    set_result (self, result);
    return;
  }
  set_result (self, loom_search_result_new_timed (get_timeline (self), result));
  loom_search_result_unref (result);
}

static void
found_partly (LoomSearchResult *result, gpointer user_data)
{
  set_found (user_data, loom_search_result_ref (result));
}

static void
found (gpointer owner, gpointer result, const GError *error, gpointer question)
{
  LoomSearchState *self = owner;
  cancel_search (self);
  set_found (self, result);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static void
forget (LoomSearchState *self)
{
  cancel_search (self);
  g_clear_pointer (&self->result, loom_search_result_unref);
  g_clear_pointer (&self->scope, loom_search_scope_free);
  self->within = (LoomRange) { 0, 0 };
  g_clear_pointer (&self->searched, loom_timeline_unref);
  g_clear_pointer (&self->error, g_free);
  self->at = self->at_span.trace = G_MAXUINT;
  self->go_when_found = 0;
  self->was_stopped = FALSE;
  loom_timeline_state_take_hits (self->view, NULL, NULL);
}

static void
forget_text (LoomSearchState *self)
{
  forget (self);
  g_clear_pointer (&self->text, g_free);
  tell_found (self);
}

static gboolean
show_progress (gpointer state)
{
  tell_changed (state);
  return G_SOURCE_CONTINUE;
}

/* Returns the query for the text; NULL if the text is empty or invalid. If it is invalid, also sets the error
 * message. */
static LoomSearchQuery *
new_query (LoomSearchState *self)
{
  g_autoptr (GError) error = NULL;
  LoomSearchQuery *query = *self->text != '\0' ? loom_search_query_new (self->text, self->regex, &error) : NULL;
  self->error = error != NULL ? g_strdup (error->message) : NULL;
  return query;
}

/* Starts a search. The present result is shown until the new search has found hits. */
static void
start (LoomSearchState *self, LoomSearchQuery *query)
{
  LoomTimeline *timeline = get_timeline (self);
  LoomRowList *rows = loom_timeline_state_get_row_list (self->view);
  g_autoptr (GArray) details = loom_row_list_list_details (rows);
  self->detail_serial = loom_row_list_get_detail_serial (rows);
  self->has_details = details->len > 0;
  self->running = G_CANCELLABLE (loom_progress_cancellable_new ());
  if (loom_search_query_get_filters (query)->len > 0) {
    self->progress_id = g_timeout_add (PROGRESS_MS, show_progress, self);
    self->searched = loom_timeline_ref (timeline);
  }
  loom_search_async (timeline, self->index, details, query, self->running, found_partly, found, self);
  tell_changed (self);
}

static void
search (LoomSearchState *self)
{
  forget (self);
  g_autoptr (LoomSearchQuery) query = new_query (self);
  if (query == NULL || get_timeline (self) == NULL)
    tell_found (self);
  else
    start (self, query);
}

/* Returns TRUE if rows show other details (loom-run-details.h) than when the search began. */
static gboolean
has_other_details (LoomSearchState *self)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (self->view);
  guint before = self->detail_serial;
  self->detail_serial = loom_row_list_get_detail_serial (rows);
  if (before == self->detail_serial)
    return FALSE;
  g_autoptr (GArray) details = loom_row_list_list_details (rows);
  return self->has_details || details->len > 0;
}

/* Drops hits in details (loom-run-details.h) that no row shows any more, because such details are freed soon. */
static void
drop_removed (LoomSearchState *self)
{
  const LoomRowList *rows = loom_timeline_state_get_row_list (self->view);
  leave_detail (self);
  g_autoptr (LoomSearchResult) remaining =
    self->result != NULL ? loom_search_result_new_remaining (get_timeline (self), rows, self->result) : NULL;
  if (remaining != self->result)
    set_result (self, g_steal_pointer (&remaining));
}

/* Called when rows have changed. If the rows show other details (loom-run-details.h) than before, repeats the search,
 * so that it includes the events of these details. A search that the user has stopped is not started again. */
static void
rows_changed (LoomSearchState *self)
{
  if (self->text == NULL || get_timeline (self) == NULL || !has_other_details (self))
    return;
  drop_removed (self);
  g_autoptr (LoomSearchQuery) query = self->was_stopped || self->error != NULL ? NULL : new_query (self);
  if (query == NULL)
    return;
  cancel_search (self);
  g_clear_pointer (&self->searched, loom_timeline_unref);
  start (self, query);
}

void
loom_search_state_ask (LoomSearchState *self, const char *text, gboolean regex)
{
  g_return_if_fail (LOOM_IS_SEARCH_STATE (self) && text != NULL);
  if (g_strcmp0 (self->text, text) == 0 && self->regex == regex)
    return;
  char *copy = g_strdup (text);
  g_free (self->text);
  self->text = copy;
  self->regex = regex;
  search (self);
}

void
loom_search_state_stop (LoomSearchState *self)
{
  cancel_search (self);
  self->was_stopped = TRUE;
  tell_changed (self);
}

/* Returns TRUE if the timeline still shows the run whose args the search is reading, that is, if only clocks were moved
 * since the search began. Args do not depend on clocks, so the search need not be restarted while the user drags a
 * clock. */
static gboolean
still_holds (LoomSearchState *self)
{
  LoomTimeline *now = get_timeline (self);
  return now != NULL && self->searched != NULL && loom_timeline_get_run (now) == loom_timeline_get_run (self->searched);
}

/* Repeats the search in the present timeline. If the user has stopped the search, forgets its text instead, because a
 * stopped search must not start again by itself. */
static void
search_again (LoomSearchState *self)
{
  if (self->text == NULL)
    return;
  if (self->was_stopped)
    forget_text (self);
  else
    search (self);
}

/* Called when there is a new timeline. If only clocks were moved, the run is the same, so the hits stay valid, because
 * they are ids of spans. */
static void
timeline_changed (LoomSearchState *self)
{
  if (still_holds (self)) {
    if (self->result != NULL)
      set_result (self, loom_search_result_new_timed (get_timeline (self), self->result));
    return;
  }
  if (self->open)
    make_index (self);
  else
    drop_index (self);
  search_again (self);
}

/* --- LoomSearchState ---------------------------------------------------------------------------------------------- */

void
loom_search_state_set_open (LoomSearchState *self, gboolean open)
{
  if (!open && !self->open)
    return;
  self->open = open;
  if (!open)
    forget_text (self);
  else if (self->index == NULL && self->indexing == NULL)
    make_index (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
}

gboolean
loom_search_state_is_open (LoomSearchState *self)
{
  return self->open;
}

LoomSearchResult *
loom_search_state_get_result (LoomSearchState *self)
{
  return self->result;
}

guint
loom_search_state_get_position (LoomSearchState *self)
{
  return self->at;
}

const char *
loom_search_state_get_error (LoomSearchState *self)
{
  return self->error;
}

gboolean
loom_search_state_reads_args (LoomSearchState *self)
{
  return self->progress_id != 0;
}

double
loom_search_state_get_fraction (LoomSearchState *self)
{
  return self->progress_id != 0 ? loom_progress_cancellable_get_fraction (self->running) : -1;
}

gboolean
loom_search_state_was_stopped (LoomSearchState *self)
{
  return self->was_stopped;
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, LOOM_SEARCH_STATE (object)->open);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  loom_search_state_set_open (LOOM_SEARCH_STATE (object), g_value_get_boolean (value));
}

static void
finalize (GObject *object)
{
  LoomSearchState *self = LOOM_SEARCH_STATE (object);
  g_signal_handlers_disconnect_by_data (self->view, self);
  cancel_search (self);
  drop_index (self);
  g_clear_pointer (&self->scope, loom_search_scope_free);
  g_clear_pointer (&self->result, loom_search_result_unref);
  g_clear_pointer (&self->searched, loom_timeline_unref);
  g_free (self->error);
  g_free (self->text);
  g_object_unref (self->animator);
  G_OBJECT_CLASS (loom_search_state_parent_class)->finalize (object);
}

static void
loom_search_state_class_init (LoomSearchStateClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GType type = LOOM_TYPE_SEARCH_STATE;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  signals[FOUND] = g_signal_new ("found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_search_state_init (LoomSearchState *self)
{
  self->at = self->at_span.trace = G_MAXUINT;
}

LoomSearchState *
loom_search_state_new (LoomViewAnimator *animator)
{
  LoomSearchState *self = g_object_new (LOOM_TYPE_SEARCH_STATE, NULL);
  self->animator = g_object_ref (animator);
  self->view = loom_view_animator_get_state (animator);
  g_signal_connect_swapped (self->view, "timeline-changed", G_CALLBACK (timeline_changed), self);
  g_signal_connect_swapped (self->view, "rows-changed", G_CALLBACK (rows_changed), self);
  return self;
}
