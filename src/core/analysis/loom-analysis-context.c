/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-analysis-context.h: finds the time range of the scope and the training loop, and starts the worker
 * threads that compute the results of the analysis panels.
 */
#include "loom-analysis-context.h"

#include "loom-analysis-tables.h"
#include "loom-progress-cancellable.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LoomAnalysisContext {
  GObject parent;
  /* the tables of the timeline that was analysed last; NULL before the first analysis */
  LoomAnalysisTables *tables;
  LoomTimelineState *state;
  LoomRunRules *rules;
  LoomRangeScope scope, previous_scope; /* `previous_scope`: see loom_analysis_context_get_previous_scope() */
  LoomNumberConvention numbers;
  LoomAnalysisThresholds thresholds;
  gboolean showing;         /* TRUE while loom_analysis_context_keep_range() calls its parameter `show` */
  LoomViewAnimator *flight; /* moves the view in an animation; NULL if the view moves at once */
  /* The user can show an element of a panel on the timeline. As long as the element is shown, the panels continue to
   * show the results for this range. Valid while `keeps` is TRUE. */
  LoomRange kept;
  gboolean keeps;
  /* The viewport after the view was moved to show the element of a panel. Valid while `keeps` is TRUE. */
  LoomViewport shown;
  guint n_moves;           /* value of loom_timeline_state_get_n_moves() when the view last changed */
  gint64 begin_ns, end_ns; /* the range that was visible when "range-changed" was last emitted */
  /* time range of the training loop, in ns of the timeline of `tables`; valid while `has_loop` is TRUE */
  LoomRange loop;
  gboolean has_loop;
  gint64 zero_ns;        /* the time, in timeline ns, from which the times in the latest results are counted */
  GCancellable *finding; /* cancels the worker thread that finds the training loop; NULL if no such thread is running */
};

G_DEFINE_FINAL_TYPE (LoomAnalysisContext, loom_analysis_context, G_TYPE_OBJECT)

enum { RANGE_CHANGED, SCOPE_CHANGED, LOOP_FOUND, RANGE_LEFT, N_SIGNALS };
static guint signals[N_SIGNALS];

const char *
loom_analysis_context_scope_get_title (LoomRangeScope scope)
{
  switch (scope) {
  case LOOM_RANGE_SCOPE_ALL: return C_ ("range", "Whole Run");
  case LOOM_RANGE_SCOPE_LOOP: return C_ ("range", "Training Loop");
  case LOOM_RANGE_SCOPE_VISIBLE: return C_ ("range", "Visible Range");
  default: return C_ ("range", "Selection");
  }
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static void
drop_tables (LoomAnalysisContext *self)
{
  loom_worker_cancel (&self->finding);
  self->has_loop = FALSE;
  if (self->tables == NULL)
    return;
  g_cancellable_cancel (loom_analysis_tables_get_progress (self->tables));
  g_clear_pointer (&self->tables, loom_analysis_tables_unref);
}

static LoomAnalysisTables *
tables_of (LoomAnalysisContext *self, LoomTimeline *timeline)
{
  if (self->tables != NULL && loom_analysis_tables_get_timeline (self->tables) != timeline)
    drop_tables (self);
  if (self->tables == NULL)
    self->tables = loom_analysis_tables_new (
      timeline, loom_analysis_tables_choose_numbers (self->numbers, loom_timeline_get_run (timeline)));
  return self->tables;
}

/* --- range of the analysis ---------------------------------------------------------------------------------------- */

static void
changed (LoomAnalysisContext *self)
{
  g_signal_emit (self, signals[RANGE_CHANGED], 0);
}

static LoomViewport
target_of (LoomAnalysisContext *self)
{
  return self->flight != NULL ? loom_view_animator_get_target (self->flight)
                              : *loom_timeline_state_get_viewport (self->state);
}

/* Returns TRUE if a panel moved the view to an element and the user has not moved the view since then. Also returns
 * TRUE while the view still moves to the element. */
static gboolean
is_as_shown (LoomAnalysisContext *self)
{
  LoomViewport target = target_of (self);
  return self->keeps && target.begin_ns == self->shown.begin_ns && target.end_ns == self->shown.end_ns;
}

static void
change_scope (LoomAnalysisContext *self, LoomRangeScope scope, LoomRangeScope previous)
{
  gboolean same = self->scope == scope;
  self->scope = scope;
  self->previous_scope = previous;
  self->keeps = self->keeps && same;
  g_signal_emit (self, signals[SCOPE_CHANGED], 0);
  if (!same)
    changed (self);
}

static void
range_made (LoomAnalysisContext *self)
{
  if (self->scope != LOOM_RANGE_SCOPE_SELECTION)
    change_scope (self, LOOM_RANGE_SCOPE_SELECTION, self->scope);
}

/* Updates the visible range. The view also changes when the user scrolls the rows or resizes the window, but then
 * the visible range stays the same. */
static void
view_changed (LoomAnalysisContext *self)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  guint n_moves = loom_timeline_state_get_n_moves (self->state);
  gboolean resized = n_moves == self->n_moves;
  self->n_moves = n_moves;
  if (self->scope != LOOM_RANGE_SCOPE_VISIBLE || (view->begin_ns == self->begin_ns && view->end_ns == self->end_ns))
    return;
  self->begin_ns = view->begin_ns;
  self->end_ns = view->end_ns;
  if (resized && self->keeps)
    self->shown = target_of (self);
  if (self->showing || is_as_shown (self))
    return;
  self->keeps = FALSE;
  changed (self);
}

static void
selection_changed (LoomAnalysisContext *self)
{
  if (self->showing)
    return;
  if (self->scope == LOOM_RANGE_SCOPE_SELECTION) {
    self->keeps = FALSE;
    changed (self);
  }
  LoomRange range = loom_timeline_state_get_range (self->state);
  if (range.end_ns > range.begin_ns)
    return;
  loom_analysis_context_restore_scope (self);
  g_signal_emit (self, signals[RANGE_LEFT], 0);
}

static void
timeline_changed (LoomAnalysisContext *self)
{
  self->keeps = FALSE;
  changed (self);
}

static gint64
get_zero (LoomAnalysisContext *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  return timeline != NULL ? loom_ruler_get_zero (timeline, loom_timeline_state_get_reading (self->state))
                          : self->zero_ns;
}

/* Called when the steps, the overview or the unit of the ruler were computed for the timeline. If this changed the
 * zero of the ruler, results must be computed again, because pages contain times relative to the zero. */
static void
facts_changed (LoomAnalysisContext *self)
{
  gint64 zero_ns = get_zero (self);
  if (self->tables == NULL || zero_ns == self->zero_ns)
    return;
  self->zero_ns = zero_ns;
  changed (self);
}

static void
dispose (GObject *object)
{
  LoomAnalysisContext *self = LOOM_ANALYSIS_CONTEXT (object);
  drop_tables (self);
  g_clear_object (&self->flight);
  g_clear_object (&self->rules);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (loom_analysis_context_parent_class)->dispose (object);
}

static void
loom_analysis_context_class_init (LoomAnalysisContextClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[RANGE_CHANGED] =
    g_signal_new ("range-changed", LOOM_TYPE_ANALYSIS_CONTEXT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SCOPE_CHANGED] =
    g_signal_new ("scope-changed", LOOM_TYPE_ANALYSIS_CONTEXT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RANGE_LEFT] =
    g_signal_new ("range-left", LOOM_TYPE_ANALYSIS_CONTEXT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LOOP_FOUND] =
    g_signal_new ("loop-found", LOOM_TYPE_ANALYSIS_CONTEXT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_analysis_context_init (LoomAnalysisContext *self)
{
  self->thresholds = LOOM_THRESHOLDS;
  self->rules = loom_run_rules_new ();
  self->previous_scope = LOOM_N_RANGE_SCOPES;
}

LoomAnalysisContext *
loom_analysis_context_new (LoomTimelineState *state)
{
  LoomAnalysisContext *self = g_object_new (LOOM_TYPE_ANALYSIS_CONTEXT, NULL);
  self->state = g_object_ref (state);
  g_signal_connect_object (state, "view-changed", G_CALLBACK (view_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "facts-changed", G_CALLBACK (facts_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "range-made", G_CALLBACK (range_made), self, G_CONNECT_SWAPPED);
  return self;
}

LoomTimelineState *
loom_analysis_context_get_state (LoomAnalysisContext *self)
{
  return self->state;
}

LoomRunRules *
loom_analysis_context_get_rules (LoomAnalysisContext *self)
{
  return self->rules;
}

void
loom_analysis_context_set_scope (LoomAnalysisContext *self, LoomRangeScope scope)
{
  g_return_if_fail (LOOM_IS_ANALYSIS_CONTEXT (self) && scope < LOOM_N_RANGE_SCOPES);
  LoomRange range;
  /* The scope LOOM_RANGE_SCOPE_SELECTION is set while no range is selected, so all pages become empty. The previous
   * scope is remembered, so that views can offer to return to it. */
  gboolean is_empty = scope == LOOM_RANGE_SCOPE_SELECTION && self->scope != scope &&
                      !loom_timeline_state_get_selected_range (self->state, &range);
  if (self->scope != scope || self->previous_scope != LOOM_N_RANGE_SCOPES)
    change_scope (self, scope, is_empty ? self->scope : LOOM_N_RANGE_SCOPES);
}

LoomRangeScope
loom_analysis_context_get_previous_scope (LoomAnalysisContext *self)
{
  return self->previous_scope;
}

void
loom_analysis_context_restore_scope (LoomAnalysisContext *self)
{
  g_return_if_fail (LOOM_IS_ANALYSIS_CONTEXT (self));
  if (self->previous_scope != LOOM_N_RANGE_SCOPES)
    change_scope (self, self->previous_scope, LOOM_N_RANGE_SCOPES);
}

LoomRangeScope
loom_analysis_context_get_scope (LoomAnalysisContext *self)
{
  return self->scope;
}

void
loom_analysis_context_set_numbers (LoomAnalysisContext *self, LoomNumberConvention numbers)
{
  if (self->numbers == numbers)
    return;
  self->numbers = numbers;
  drop_tables (self);
  changed (self);
}

LoomNumberConvention
loom_analysis_context_get_numbers (LoomAnalysisContext *self)
{
  return self->numbers;
}

LoomNumberConvention
loom_analysis_context_get_numbers_of (LoomAnalysisContext *self, LoomRun *run)
{
  g_return_val_if_fail (LOOM_IS_ANALYSIS_CONTEXT (self) && run != NULL, LOOM_NUMBER_CONVENTION_INTENDED);
  return loom_analysis_tables_choose_numbers (self->numbers, run);
}

void
loom_analysis_context_set_thresholds (LoomAnalysisContext *self, LoomAnalysisThresholds thresholds)
{
  g_return_if_fail (LOOM_IS_ANALYSIS_CONTEXT (self) && thresholds.outlier_factor > 0);
  if (memcmp (&self->thresholds, &thresholds, sizeof thresholds) == 0)
    return;
  self->thresholds = thresholds;
  changed (self);
}

LoomAnalysisThresholds
loom_analysis_context_get_thresholds (LoomAnalysisContext *self)
{
  return self->thresholds;
}

void
loom_analysis_context_set_flight (LoomAnalysisContext *self, LoomViewAnimator *flight)
{
  g_set_object (&self->flight, flight);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

/* Returns the range of a scope. Must not be called for LOOM_RANGE_SCOPE_LOOP, because the range of the training loop
 * may be unknown. */
static LoomRange
range_of (LoomAnalysisContext *self, LoomRangeScope scope)
{
  LoomRange range = loom_timeline_state_get_extent (self->state);
  const LoomViewport *view = loom_timeline_state_get_viewport (self->state);
  if (scope == LOOM_RANGE_SCOPE_VISIBLE)
    return (LoomRange) { view->begin_ns, view->end_ns };
  if (scope == LOOM_RANGE_SCOPE_SELECTION && !loom_timeline_state_get_selected_range (self->state, &range))
    return (LoomRange) { 0, 0 };
  return range;
}

LoomRange
loom_analysis_context_get_asked_range (LoomAnalysisContext *self)
{
  LoomRange range = { 0, 0 };
  if (!self->keeps)
    loom_analysis_context_get_range (self, self->scope, &range);
  return self->keeps ? self->kept : range;
}

void
loom_analysis_context_keep_range (LoomAnalysisContext *self, LoomAnalysisContextShow show, gpointer data)
{
  g_return_if_fail (LOOM_IS_ANALYSIS_CONTEXT (self) && show != NULL);
  g_autoptr (LoomAnalysisContext) owned = g_object_ref (self);
  if (!self->keeps && (self->scope == LOOM_RANGE_SCOPE_VISIBLE || self->scope == LOOM_RANGE_SCOPE_SELECTION)) {
    self->kept = range_of (self, self->scope);
    self->keeps = self->kept.end_ns > self->kept.begin_ns;
  }
  self->showing = TRUE;
  show (data);
  self->showing = FALSE;
  self->shown = target_of (self);
}

guint64
loom_analysis_context_count_spans (LoomAnalysisContext *self)
{
  LoomRun *run = loom_timeline_get_run (loom_timeline_state_get_timeline (self->state));
  guint64 n = 0;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    n += loom_trace_get_spans (loom_run_get_trace (run, i))->n;
  return n;
}

/* Returns a copy of the question (the request for a result), with the current tables, range, thresholds and source
 * names added. Owned by the caller. */
static LoomAnalysisQuestion *
complete (LoomAnalysisContext *self, LoomAnalysisQuestion question)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  question.tables = loom_analysis_tables_ref (tables_of (self, timeline));
  question.range = self->keeps && question.scope == self->scope ? self->kept : range_of (self, question.scope);
  question.thresholds = self->thresholds;
  question.zero_ns = self->zero_ns = get_zero (self);
  const LoomSourceOverrides *names = loom_row_list_get_names (loom_timeline_state_get_row_list (self->state));
  question.names = names != NULL ? loom_source_overrides_copy (names) : NULL;
  return g_memdup2 (&question, sizeof question);
}

static void
ask (LoomAnalysisContext *self, LoomAnalysisQuestion question, GCancellable **running, LoomWorkerDone done,
     gpointer owner)
{
  const LoomWorkerKind kind = loom_analysis_question_get_worker (question.kind);
  loom_worker_start (running, &kind, complete (self, question), done, owner);
}

void
loom_analysis_context_names_changed (LoomAnalysisContext *self)
{
  changed (self);
}

void
loom_analysis_context_make (LoomAnalysisContext *self, const LoomPage *page, LoomDebouncedTask *task)
{
  g_return_if_fail (page != NULL && task->running != NULL);
  const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_PAGE,
                                          .page = page,
                                          .scope = self->scope,
                                          .n_spans = loom_analysis_context_count_spans (self) };
  const LoomWorkerKind kind = loom_analysis_question_get_worker (question.kind);
  LoomAnalysisQuestion *whole = complete (self, question);
  loom_progress_cancellable_add_total (task->running, question.n_spans);
  if (!loom_analysis_tables_are_made (whole->tables))
    loom_progress_cancellable_set_before (
      LOOM_PROGRESS_CANCELLABLE (task->running),
      LOOM_PROGRESS_CANCELLABLE (loom_analysis_tables_get_progress (whole->tables)));
  loom_debounced_task_run (task, &kind, whole);
}

void
loom_analysis_context_find (LoomAnalysisContext *self, const char *const *files, GCancellable **running,
                            LoomWorkerDone done, gpointer owner)
{
  const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_FINDINGS,
                                          .scope = LOOM_RANGE_SCOPE_ALL,
                                          .rule_files = g_strdupv ((char **) files) };
  ask (self, question, running, done, owner);
}

void
loom_analysis_context_find_in_range (LoomAnalysisContext *self, const char *const *files, LoomDebouncedTask *task)
{
  const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_FINDINGS,
                                          .scope = self->scope,
                                          .rule_files = g_strdupv ((char **) files) };
  const LoomWorkerKind kind = loom_analysis_question_get_worker (question.kind);
  loom_debounced_task_run (task, &kind, complete (self, question));
}

void
loom_analysis_context_try_rules (LoomAnalysisContext *self, GPtrArray *rules, GCancellable **running,
                                 LoomWorkerDone done, gpointer owner)
{
  const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_RULES,
                                          .scope = self->scope,
                                          .rules = g_ptr_array_ref (rules) };
  ask (self, question, running, done, owner);
}

void
loom_analysis_context_find_bottlenecks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                        gpointer owner)
{
  const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_BOTTLENECKS, .scope = LOOM_RANGE_SCOPE_ALL };
  ask (self, question, running, done, owner);
}

void
loom_analysis_context_find_lacks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                  gpointer owner)
{
  const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_LACKS, .scope = LOOM_RANGE_SCOPE_ALL };
  ask (self, question, running, done, owner);
}

void
loom_analysis_context_find_late_ranks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                       gpointer owner)
{
  const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_LATE_RANKS, .scope = LOOM_RANGE_SCOPE_ALL };
  ask (self, question, running, done, owner);
}

/* --- the training loop -------------------------------------------------------------------------------------------- */

static void
loop_found (gpointer context, gpointer result, const GError *error, gpointer question)
{
  LoomAnalysisContext *self = context;
  g_autofree LoomRange *loop = result;
  if (loop == NULL)
    return; /* the worker thread was cancelled, because the tables were dropped */
  self->loop = *loop;
  self->has_loop = TRUE;
  g_signal_emit (self, signals[LOOP_FOUND], 0);
}

gboolean
loom_analysis_context_get_range (LoomAnalysisContext *self, LoomRangeScope scope, LoomRange *range)
{
  g_return_val_if_fail (LOOM_IS_ANALYSIS_CONTEXT (self) && scope < LOOM_N_RANGE_SCOPES && range != NULL, FALSE);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  *range = (LoomRange) { 0, 0 };
  if (timeline == NULL)
    return TRUE;
  if (scope != LOOM_RANGE_SCOPE_LOOP) {
    *range = range_of (self, scope);
    return TRUE;
  }
  tables_of (self, timeline); /* tables_of() drops the range of the training loop if it belongs to another timeline */
  if (!self->has_loop && self->finding == NULL) {
    const LoomAnalysisQuestion question = { .kind = LOOM_ANALYSIS_QUESTION_LOOP, .scope = LOOM_RANGE_SCOPE_LOOP };
    ask (self, question, &self->finding, loop_found, self);
  }
  *range = self->has_loop ? self->loop : *range;
  return self->has_loop;
}
