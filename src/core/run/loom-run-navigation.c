/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-run-navigation.h: selects and marks a target on the timeline, and moves the view to it.
 */
#include "loom-run-navigation.h"

#include "loom-finding-rows.h"
#include "loom-int64-hash.h"
#include "loom-select-same-name.h"
#include "loom-view-navigation.h"

typedef struct {
  LoomRunState *run;
  const LoomNavigationTarget *target;
  const LoomFinding *finding; /* the finding whose target is shown; NULL: `target` does not belong to a finding */
  GArray *spans;              /* the spans to select, owned; NULL: the spans of `target` are selected */
} Showing;

/* Highlights the parts of the target's range (its time intervals) until something is selected. The parts themselves are
 * not selected, because a selection can have only one range. */
static void
show_parts (LoomTimelineState *state, const LoomNavigationTarget *target)
{
  loom_timeline_state_select_range (state, (LoomRange) { 0, 0 });
  loom_timeline_annotations_set_stretches (loom_timeline_state_get_finding_marks (state), target->parts,
                                           target->n_parts);
  loom_timeline_state_finding_marks_changed (state);
}

static char **
find_rows (LoomRunState *run, const LoomRuleOccurrence *marks, guint n_marks)
{
  return loom_finding_rows_find (loom_timeline_state_get_row_list (loom_run_state_get_view (run)), marks, n_marks);
}

/* Marks the rows until something else is selected. */
static void
mark_rows (LoomRunState *run, char **rows)
{
  LoomTimelineState *state = loom_run_state_get_view (run);
  if (loom_timeline_annotations_set_rows (loom_timeline_state_get_finding_marks (state), (const char *const *) rows))
    loom_timeline_state_finding_marks_changed (state);
}

static void
show_device (LoomRunState *run, const LoomNavigationTarget *target)
{
  const LoomRuleOccurrence mark = { .host = target->node, .device = target->device, .span = LOOM_SPAN_ID_NONE };
  g_auto (GStrv) rows = find_rows (run, &mark, 1);
  mark_rows (run, rows);
  if (rows[0] != NULL)
    loom_view_navigation_go_to_row (loom_run_state_get_flight (run), rows[0]);
}

static void
show_range (LoomRunState *run, const LoomNavigationTarget *target)
{
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomRange all = loom_timeline_state_get_extent (state);
  gboolean is_all = target->range.begin_ns <= all.begin_ns && target->range.end_ns >= all.end_ns;
  if (target->n_parts > 0)
    show_parts (state, target);
  /* do not select the range if it is the whole run: the selection would only hide the marks of the rows */
  else if (target->n_spans == 0)
    loom_timeline_state_select_range (state, is_all ? (LoomRange) { 0, 0 } : target->range);
  loom_view_navigation_go_to_range (loom_run_state_get_flight (run), target->range);
}

/* Moves the longest span to the end of the array, so that it is the span selected last, whose details are shown. Among
 * the waits of a finding, the longest one is the reason for the finding. Of several equally long spans, moves the last.
 * O(spans). */
static void
put_longest_last (LoomTimelineState *state, GArray *spans)
{
  gint64 longest_ns = -1, start_ns, end_ns;
  guint longest = 0;
  for (guint i = 0; i < spans->len; i++) {
    loom_timeline_get_span (loom_timeline_state_get_timeline (state), g_array_index (spans, LoomSpanId, i), &start_ns,
                            &end_ns);
    if (end_ns - start_ns < longest_ns)
      continue;
    longest_ns = end_ns - start_ns;
    longest = i;
  }
  if (spans->len < 2)
    return;
  LoomSpanId span = g_array_index (spans, LoomSpanId, longest);
  g_array_remove_index (spans, longest);
  g_array_append_val (spans, span);
}

/* Selects the spans of the target, each once: several results of a rule may name the same span. */
static void
select_spans (LoomTimelineState *state, const LoomNavigationTarget *target, gboolean of_finding)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (loom_int64_hash_packed, NULL);
  GArray *spans = g_array_sized_new (FALSE, FALSE, sizeof (LoomSpanId), target->n_spans);
  for (guint i = 0; i < target->n_spans; i++) {
    gsize key = ((gsize) target->spans[i].trace << 32 | target->spans[i].span) + 1;
    if (g_hash_table_add (seen, GSIZE_TO_POINTER (key)))
      g_array_append_val (spans, target->spans[i]);
  }
  if (of_finding)
    put_longest_last (state, spans);
  loom_timeline_state_take_selected (state, spans, spans->len);
}

static void
show_target (gpointer data)
{
  const Showing *showing = data;
  const LoomNavigationTarget *target = showing->target;
  if (target->same_name && target->n_spans > 0)
    loom_select_same_name_select (loom_run_state_get_view (showing->run), target->spans[0], TRUE);
  else if (target->n_spans == 1)
    loom_view_navigation_go_to_span (loom_run_state_get_flight (showing->run), target->spans[0]);
  else if (target->n_spans > 0)
    select_spans (loom_run_state_get_view (showing->run), target, showing->finding != NULL);
  if (target->range.end_ns > target->range.begin_ns)
    show_range (showing->run, target);
  if (target->node != NULL)
    show_device (showing->run, target);
}

void
loom_run_navigation_show (LoomRunState *run, const LoomNavigationTarget *target, LoomRunNavigationFlags flags)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (run) && target != NULL);
  Showing showing = { .run = run, .target = target };
  if ((flags & LOOM_RUN_NAVIGATION_KEEP_RANGE) != 0)
    loom_analysis_context_keep_range (loom_run_state_get_analysis (run), show_target, &showing);
  else
    show_target (&showing);
  if ((flags & LOOM_RUN_NAVIGATION_KEEP_PAGE) == 0)
    loom_run_state_show_timeline (run);
}

static GArray *
list_spans (const GArray *marks)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint i = 0; i < marks->len; i++)
    if (!loom_timeline_span_id_is_none (g_array_index (marks, LoomRuleOccurrence, i).span))
      g_array_append_val (spans, g_array_index (marks, LoomRuleOccurrence, i).span);
  return spans;
}

/* Folds the groups of all ranks, so that many ranks are visible at once and can be compared. */
static void
fold_ranks (LoomTimelineState *state)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (rows, i);
    /* the group of a rank is outermost if the row before it belongs to another rank or to no rank, such as the row of a
     * node */
    gboolean is_outermost = i == 0 || loom_row_list_get_row (rows, i - 1)->rank != row->rank;
    if (row->kind == LOOM_ROW_GROUP && row->rank >= 0 && row->foldable && !row->folded && is_outermost)
      g_ptr_array_add (keys, g_strdup (row->key));
  }
  for (guint i = 0; i < keys->len; i++)
    loom_row_list_set_folded (rows, keys->pdata[i], TRUE);
  if (keys->len > 0)
    loom_timeline_state_rows_changed (state);
}

/* Shows a rank for which other ranks wait. Folds the groups of all ranks, so that their lanes are directly below one
 * another. The lanes then show that this rank has no waits in the step while the other ranks wait; a single span of the
 * rank would not show this. */
static void
show_late_rank (const Showing *showing)
{
  LoomTimelineState *state = loom_run_state_get_view (showing->run);
  LoomNavigationTarget target = *showing->target;
  fold_ranks (state);
  g_autofree char *key = loom_finding_rows_dup_group (loom_timeline_state_get_row_list (state), target.spans[0]);
  target.n_spans = 0;
  show_range (showing->run, &target);
  if (key == NULL)
    return;
  const char *const rows[] = { key, NULL };
  mark_rows (showing->run, (char **) rows);
  loom_view_navigation_reveal_row (loom_run_state_get_flight (showing->run), key);
}

/* Shows a finding and marks its rows. Determines the rows before it selects the spans, because selecting the spans
 * unfolds groups, and the rows to mark depend on which groups are folded. */
static void
show_finding (gpointer data)
{
  const Showing *showing = data;
  const GArray *marks = showing->finding->result->marks;
  gboolean has_range = showing->target->range.end_ns > showing->target->range.begin_ns;
  if (showing->finding->result->holds_up && showing->target->n_spans == 1 && has_range) {
    show_late_rank (showing);
    return;
  }
  g_auto (GStrv) rows = find_rows (showing->run, (const LoomRuleOccurrence *) (gpointer) marks->data, marks->len);
  show_target (data);
  mark_rows (showing->run, rows);
  if (rows[0] != NULL && showing->target->n_spans != 1)
    loom_view_navigation_go_to_row (loom_run_state_get_flight (showing->run), rows[0]);
}

void
loom_run_navigation_show_finding (LoomRunState *run, const LoomFinding *finding)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (run) && finding != NULL);
  g_autoptr (GArray) spans = list_spans (finding->result->marks);
  const LoomNavigationTarget target = { .range = finding->range,
                                        .spans = (const LoomSpanId *) (gpointer) spans->data,
                                        .n_spans = spans->len };
  Showing showing = { .run = run, .target = &target, .finding = finding };
  loom_analysis_context_keep_range (loom_run_state_get_analysis (run), show_finding, &showing);
  loom_run_state_show_timeline (run);
}

void
loom_run_navigation_show_group (LoomRunState *run, LoomSpanId span)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (run) && !loom_timeline_span_id_is_none (span));
  g_autofree char *key =
    loom_finding_rows_dup_group (loom_timeline_state_get_row_list (loom_run_state_get_view (run)), span);
  if (key == NULL)
    return;
  const char *const rows[] = { key, NULL };
  mark_rows (run, (char **) rows);
  loom_view_navigation_reveal_row (loom_run_state_get_flight (run), key);
}

typedef struct {
  LoomRunState *run;
  LoomTrackId track;
  LoomRange range;
  gboolean zooms;
} ShowingSample;

static void
show_sample (gpointer data)
{
  const ShowingSample *showing = data;
  LoomViewAnimator *flight = loom_run_state_get_flight (showing->run);
  gboolean has_range = showing->range.end_ns > showing->range.begin_ns;
  loom_timeline_state_select_range (loom_run_state_get_view (showing->run),
                                    has_range ? showing->range : (LoomRange) { 0, 0 });
  if (showing->zooms && has_range)
    loom_view_navigation_go_to_range (flight, showing->range);
  loom_view_navigation_go_to_sample (flight, showing->track, showing->range.begin_ns);
}

void
loom_run_navigation_show_sample (LoomRunState *run, LoomTrackId track, LoomRange range, gboolean zooms,
                                 LoomRunNavigationFlags flags)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (run));
  ShowingSample showing = { run, track, range, zooms };
  if ((flags & LOOM_RUN_NAVIGATION_KEEP_RANGE) != 0)
    loom_analysis_context_keep_range (loom_run_state_get_analysis (run), show_sample, &showing);
  else
    show_sample (&showing);
  if ((flags & LOOM_RUN_NAVIGATION_KEEP_PAGE) == 0)
    loom_run_state_show_timeline (run);
}

static void
select_taken (gpointer data)
{
  const Showing *showing = data;
  loom_timeline_state_take_selected (loom_run_state_get_view (showing->run), showing->spans, showing->spans->len);
}

void
loom_run_navigation_select (LoomRunState *run, GArray *spans)
{
  g_return_if_fail (LOOM_IS_RUN_STATE (run) && spans != NULL);
  Showing showing = { .run = run, .spans = spans };
  loom_analysis_context_keep_range (loom_run_state_get_analysis (run), select_taken, &showing);
}
