/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-run-pair.h: aligns two runs, and shows the same times of both. A worker thread compares the runs.
 */
#include "loom-run-pair.h"

#include "loom-comparison-words.h"
#include "loom-module-report.h"
#include "loom-timeline-summaries.h"
#include "loom-view-navigation.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

#define TITLE_LETTERS 24 /* maximum number of letters of the name of a run in the title of a column */

struct _LoomRunPair {
  GObject parent;
  LoomTimeline *timelines[2];
  char *names[2];
  LoomTimelineState *states[2];
  LoomViewAnimator *flights[2];
  LoomTimelineSummaries *summaries[2];
  /* for each run: overview (minimap) of this run alone; NULL until it is computed */
  LoomMinimapData *overviews[2];
  LoomMinimapData *shown[2]; /* for each run: its overview, extended to the times of both runs */
  /* `comparison`, `headline`, `note` and `tables` are NULL until the comparison is computed */
  LoomRunComparison *comparison;
  char *headline, *note;
  LoomResultTable *tables[LOOM_COMPARISON_NAMES + 1];
  GCancellable *running;
  gint64 offset_ns;
  char *alignment; /* a text that says where the runs are aligned; never NULL */
  gboolean sorts;
  gboolean is_reordered; /* TRUE if the runs were exchanged because the second one was recorded earlier */
  /* TRUE while this object moves one view to the times of the other view. Without this flag, the moved view would in
   * turn move the other view. */
  gboolean linking;
};

G_DEFINE_FINAL_TYPE (LoomRunPair, loom_run_pair, G_TYPE_OBJECT)

enum { ALIGNED, COMPARED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- common time of both runs ------------------------------------------------------------------------------------- */

static LoomRange
shift (LoomRange range, gint64 by_ns)
{
  return (LoomRange) { loom_time_add (range.begin_ns, by_ns), loom_time_add (range.end_ns, by_ns) };
}

/* Sets `extent` to the shortest range that contains both runs, in the time of run 0. Returns FALSE if one of the
 * runs is empty. */
static gboolean
get_common_extent (LoomRunPair *self, LoomRange *extent)
{
  LoomRange ranges[2];
  for (guint i = 0; i < 2; i++)
    if (self->timelines[i] == NULL || !loom_timeline_get_extent (self->timelines[i], &ranges[i]))
      return FALSE;
  ranges[1] = shift (ranges[1], -self->offset_ns);
  *extent = (LoomRange) { MIN (ranges[0].begin_ns, ranges[1].begin_ns), MAX (ranges[0].end_ns, ranges[1].end_ns) };
  return extent->end_ns > extent->begin_ns;
}

/* --- keeping both views at the same times ------------------------------------------------------------------------- */

/* Moves and shortens `view` so that it is within the extent of both runs together, plus the margin that a window shows
 * around a whole run. Beyond this margin, both timelines are empty. */
static LoomViewport
limit_view (LoomRunPair *self, guint which, LoomViewport view)
{
  LoomRange extent;
  if (!get_common_extent (self, &extent))
    return view;
  extent = shift (extent, which == 0 ? 0 : self->offset_ns);
  gint64 margin_ns = (gint64) ((double) loom_time_sub (extent.end_ns, extent.begin_ns) * LOOM_VIEWPORT_FIT_MARGIN) + 1;
  gint64 first_ns = loom_time_sub (extent.begin_ns, margin_ns), last_ns = loom_time_add (extent.end_ns, margin_ns);
  gint64 length_ns = MIN (loom_time_sub (view.end_ns, view.begin_ns), loom_time_sub (last_ns, first_ns));
  view.begin_ns = CLAMP (view.begin_ns, first_ns, last_ns - length_ns);
  view.end_ns = view.begin_ns + length_ns;
  return view;
}

static void
lead (LoomRunPair *self, guint which)
{
  gint64 by_ns = which == 0 ? self->offset_ns : -self->offset_ns;
  LoomViewport view = *loom_timeline_state_get_viewport (self->states[1 - which]),
               leader = limit_view (self, which, *loom_timeline_state_get_viewport (self->states[which]));
  if (self->linking)
    return;
  self->linking = TRUE;
  loom_timeline_state_set_viewport (self->states[which], &leader);
  view.begin_ns = leader.begin_ns + by_ns;
  view.end_ns = leader.end_ns + by_ns;
  loom_timeline_state_set_viewport (self->states[1 - which], &view);
  self->linking = FALSE;
}

static void
first_moved (LoomRunPair *self)
{
  lead (self, 0);
}

static void
second_moved (LoomRunPair *self)
{
  lead (self, 1);
}

/* --- one scale for both overviews --------------------------------------------------------------------------------- */

static void
show_overview (LoomRunPair *self, guint which, LoomRange extent)
{
  LoomTimelineState *state = self->states[which];
  g_autoptr (LoomMinimapData) old = self->shown[which];
  self->shown[which] = loom_minimap_data_new_within (self->overviews[which], extent);
  loom_timeline_state_set_facts (state, self->shown[which], loom_timeline_state_get_steps (state),
                                 loom_timeline_state_get_collectives (state));
}

static void
share_scale (LoomRunPair *self)
{
  LoomRange extent;
  if (!get_common_extent (self, &extent))
    return;
  gboolean linking = self->linking;
  self->linking = TRUE;
  for (guint i = 0; i < 2; i++) {
    LoomRange own = shift (extent, i == 0 ? 0 : self->offset_ns);
    loom_timeline_state_set_extent (self->states[i], own);
    if (self->overviews[i] != NULL)
      show_overview (self, i, own);
  }
  self->linking = linking;
}

/* Called when the overview of a run was computed. Extends the overview to the times of both runs, so that both
 * overviews have the same scale, and shows it. */
static void
facts_changed (LoomRunPair *self, LoomTimelineState *state)
{
  guint which = state == self->states[1];
  LoomMinimapData *overview = loom_timeline_state_get_overview (state);
  if (overview == self->shown[which] || overview == self->overviews[which])
    return;
  g_clear_pointer (&self->overviews[which], loom_minimap_data_unref);
  self->overviews[which] = overview != NULL ? loom_minimap_data_ref (overview) : NULL;
  if (overview != NULL && !self->linking)
    share_scale (self);
}

/* Aligns the runs: the time t of run 0 is shown at the same place as the time t + `offset_ns` of run 1. `words`
 * describes the alignment. The function takes ownership of it. */
static void
set_offset (LoomRunPair *self, gint64 offset_ns, char *words)
{
  g_free (self->alignment);
  self->alignment = words;
  self->offset_ns = offset_ns;
  g_signal_emit (self, signals[ALIGNED], 0);
  share_scale (self);
  lead (self, 0);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

gboolean
loom_run_pair_align_step (LoomRunPair *self, gint64 step)
{
  gint64 begin_ns[2];
  if (self->comparison == NULL || !loom_run_comparison_get_step (self->comparison, 0, step, &begin_ns[0]) ||
      !loom_run_comparison_get_step (self->comparison, 1, step, &begin_ns[1]))
    return FALSE;
  g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, step);
  set_offset (self, begin_ns[1] - begin_ns[0],
              self->comparison->by_position ? g_strdup_printf (_ ("Aligned at step %s of each run"), digits)
                                            : g_strdup_printf (_ ("Aligned at step %s"), digits));
  return TRUE;
}

gboolean
loom_run_pair_get_steps (LoomRunPair *self, gint64 *first, gint64 *last)
{
  g_return_val_if_fail (LOOM_IS_RUN_PAIR (self) && self->comparison != NULL, FALSE);
  *first = self->comparison->first_step;
  *last = self->comparison->last_step;
  return *first <= *last;
}

static void
align_starts (LoomRunPair *self)
{
  set_offset (self,
              loom_timeline_state_get_extent (self->states[1]).begin_ns -
                loom_timeline_state_get_extent (self->states[0]).begin_ns,
              g_strdup (_ ("Aligned at the start")));
}

/* --- computing the comparison in a worker ------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timelines[2];
  char *names[2];
  LoomResultTable *tables[LOOM_COMPARISON_NAMES + 1];
  char *headline, *note;
} Input;

static void
input_free (Input *input)
{
  for (guint i = 0; i < 2; i++) {
    loom_timeline_unref (input->timelines[i]);
    g_free (input->names[i]);
  }
  for (guint i = 0; i <= LOOM_COMPARISON_NAMES; i++)
    g_clear_pointer (&input->tables[i], loom_result_table_unref);
  g_free (input->headline);
  g_free (input->note);
  g_free (input);
}

/* Computes and returns the comparison. Also makes its tables, headline and notes, and stores them in `input`. */
static gpointer
work_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  LoomRunComparison *comparison = loom_run_comparison_new (input->timelines[0], input->timelines[1], NULL, cancellable);
  if (comparison == NULL)
    return NULL;
  const char *const names[] = { input->names[0], input->names[1] };
  for (LoomComparisonTable i = 0; i <= LOOM_COMPARISON_NAMES; i++)
    input->tables[i] = loom_comparison_report_new_table (comparison, names, i, TITLE_LETTERS);
  g_auto (GStrv) notes = loom_comparison_words_dup_notes (comparison, names);
  input->headline = loom_comparison_words_dup_headline (comparison, names);
  input->note = notes[0] != NULL ? g_strjoinv ("\n", notes) : NULL;
  return comparison;
}

static void exchange (LoomRunPair *self);

/* Returns TRUE if a row of run `which` belongs to one of the ranks that are named in the headline of the comparison.
 * Compares ranks instead of process IDs, because the process IDs are different in each run. */
static gboolean
is_main_rank (const LoomRunComparison *comparison, guint which, const LoomTimelineRow *row)
{
  for (guint i = 0; i < comparison->n_main; i++) {
    const LoomRankSteps *steps = comparison->ranks[i].steps[which];
    gboolean same_node = steps->node == NULL || row->node == NULL || g_str_equal (steps->node, row->node);
    if (steps->rank == row->rank && same_node)
      return TRUE;
  }
  return FALSE;
}

/* Marks the rows of the ranks that are named in the headline. Scrolls to the first of these rows, because it may be
 * outside of the window. */
static void
show_main_ranks (LoomRunPair *self, guint which)
{
  LoomTimelineState *state = self->states[which];
  const LoomRowList *rows = loom_timeline_state_get_row_list (state);
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  const LoomTimelineRow *last = NULL;
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (rows, i);
    gboolean is_last = last != NULL && row->rank == last->rank && g_strcmp0 (row->node, last->node) == 0;
    if (row->kind != LOOM_ROW_GROUP || is_last || !is_main_rank (self->comparison, which, row))
      continue; /* a rank may have several group rows; only the first one is marked */
    last = row;
    g_ptr_array_add (keys, (gpointer) row->key);
  }
  g_autofree char *first = keys->len > 0 ? g_strdup (keys->pdata[0]) : NULL;
  g_ptr_array_add (keys, NULL);
  if (loom_timeline_annotations_set_rows (loom_timeline_state_get_finding_marks (state),
                                          (const char *const *) keys->pdata))
    loom_timeline_state_finding_marks_changed (state);
  if (first != NULL)
    loom_view_navigation_go_to_row (self->flights[which], first);
}

static void
worked (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  LoomRunPair *self = owner;
  Input *input = data;
  self->comparison = result;
  self->headline = g_steal_pointer (&input->headline);
  const char *lines[] = { self->is_reordered ? _ ("The run that was recorded first is shown as “Before”.")
                                             : input->note,
                          self->is_reordered ? input->note : NULL, NULL };
  self->note = lines[0] != NULL ? g_strjoinv ("\n", (char **) lines) : NULL;
  for (guint i = 0; i <= LOOM_COMPARISON_NAMES; i++)
    self->tables[i] = g_steal_pointer (&input->tables[i]);
  for (guint i = 0; i < 2; i++) {
    LoomTimelineState *state = self->states[i];
    loom_timeline_state_set_facts (state, loom_timeline_state_get_overview (state), self->comparison->steps[i],
                                   loom_timeline_state_get_collectives (state));
    show_main_ranks (self, i);
  }
  g_signal_emit (self, signals[COMPARED], 0);
}

/* Frees the results of the comparison of the previous runs, or cancels the comparison if it is running. */
static void
forget_comparison (LoomRunPair *self)
{
  loom_worker_cancel (&self->running);
  g_clear_pointer (&self->comparison, loom_run_comparison_free);
  g_clear_pointer (&self->headline, g_free);
  g_clear_pointer (&self->note, g_free);
  for (guint i = 0; i <= LOOM_COMPARISON_NAMES; i++)
    g_clear_pointer (&self->tables[i], loom_result_table_unref);
}

static void
take_run (LoomRunPair *self, guint which, LoomTimeline *timeline, const char *name)
{
  g_autoptr (LoomTimeline) old = self->timelines[which];
  g_autofree char *old_name = self->names[which];
  self->timelines[which] = loom_timeline_ref (timeline);
  self->names[which] = g_strdup (name);
  loom_timeline_state_set_facts (self->states[which], NULL, NULL, NULL);
  loom_timeline_state_set_timeline (self->states[which], timeline);
}

static void
start (LoomRunPair *self, LoomTimeline *const timelines[2], const char *const names[2])
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) work_in_thread, (GDestroyNotify) input_free,
                                       (GDestroyNotify) loom_run_comparison_free };
  forget_comparison (self);
  self->linking = TRUE;
  for (guint i = 0; i < 2; i++)
    take_run (self, i, timelines[i], names[i]);
  self->linking = FALSE;
  align_starts (self);
  Input *input = LOOM_WORKER_INPUT (Input, { loom_timeline_ref (timelines[0]), loom_timeline_ref (timelines[1]) },
                                    { g_strdup (names[0]), g_strdup (names[1]) });
  loom_worker_start (&self->running, &kind, input, worked, self);
}

static void
exchange (LoomRunPair *self)
{
  g_autoptr (LoomTimeline) before = loom_timeline_ref (self->timelines[1]),
                           after = loom_timeline_ref (self->timelines[0]);
  g_autofree char *before_name = g_strdup (self->names[1]), *after_name = g_strdup (self->names[0]);
  LoomTimeline *timelines[] = { before, after };
  start (self, timelines, (const char *const[]) { before_name, after_name });
}

void
loom_run_pair_start (LoomRunPair *self, LoomTimeline *const timelines[2], const char *const names[2])
{
  g_return_if_fail (LOOM_IS_RUN_PAIR (self));
  self->is_reordered = self->sorts && loom_timeline_compare_dates (timelines[0], timelines[1]) > 0;
  if (self->is_reordered)
    start (self, (LoomTimeline *[]) { timelines[1], timelines[0] }, (const char *const[]) { names[1], names[0] });
  else
    start (self, timelines, names);
}

void
loom_run_pair_set_sorts (LoomRunPair *self, gboolean sorts)
{
  g_return_if_fail (LOOM_IS_RUN_PAIR (self));
  self->sorts = sorts;
}

void
loom_run_pair_swap (LoomRunPair *self)
{
  g_return_if_fail (LOOM_IS_RUN_PAIR (self));
  self->sorts = FALSE;
  self->is_reordered = FALSE;
  exchange (self);
}

void
loom_run_pair_replace (LoomRunPair *self, guint which, LoomTimeline *timeline, const char *name)
{
  g_autoptr (LoomTimeline) other = loom_timeline_ref (self->timelines[1 - which]);
  g_autofree char *other_name = g_strdup (self->names[1 - which]);
  LoomTimeline *timelines[] = { which == 0 ? timeline : other, which == 0 ? other : timeline };
  loom_run_pair_start (self, timelines,
                       (const char *const[]) { which == 0 ? name : other_name, which == 0 ? other_name : name });
}

const char *
loom_run_pair_get_name (LoomRunPair *self, guint which)
{
  return self->names[which];
}

/* The span of each run that is shown when the user opens a row of a table. */
typedef struct {
  const char *name;
  gboolean has_span[2];
  LoomSpanId span[2];
} Target;

static void
show_target (LoomRunPair *self, const Target *target)
{
  gint64 start_ns[2], end_ns[2];
  for (guint i = 0; i < 2; i++)
    if (target->has_span[i])
      loom_timeline_get_span (self->timelines[i], target->span[i], &start_ns[i], &end_ns[i]);
  if (target->has_span[0] && target->has_span[1])
    set_offset (self, start_ns[1] - start_ns[0], g_strdup_printf (_ ("Aligned at “%s”"), target->name));
  for (guint i = 0; i < 2; i++) {
    if (target->has_span[i])
      loom_view_navigation_go_to_span (self->flights[i], target->span[i]);
    else
      loom_timeline_state_select_nothing (self->states[i]);
  }
}

static Target
find_name (const LoomRunComparison *comparison, guint row)
{
  const LoomNameChange *change = comparison->names[row];
  Target target = { .name = change->name };
  for (guint i = 0; i < 2; i++) {
    target.has_span[i] = change->count[i] > 0;
    target.span[i] = change->longest[i];
  }
  return target;
}

static Target
find_module (const LoomRunComparison *comparison, guint row)
{
  g_autoptr (GArray) rows = loom_module_report_list_rows (comparison);
  Target target = { 0 };
  /* The last row of the table is the sum of all kernels outside of modules. It is not in `rows`, and has no spans to
   * show. */
  if (rows == NULL || row >= rows->len)
    return target;
  const LoomModuleComparison *modules = comparison->modules;
  guint32 at = g_array_index (rows, guint32, row);
  target.name = loom_module_comparison_get_node (modules, at)->name;
  for (guint i = 0; i < 2; i++) {
    guint32 node = modules->rows[at].node[i];
    target.span[i] = node != LOOM_TREE_COMPARISON_NONE ? modules->trees[i]->nodes[node].longest : LOOM_SPAN_ID_NONE;
    target.has_span[i] = target.span[i].trace != G_MAXUINT32;
  }
  return target;
}

void
loom_run_pair_show_row (LoomRunPair *self, LoomComparisonTable table, guint row)
{
  if (self->comparison == NULL)
    return; /* the row is from a table of an earlier comparison */
  Target target =
    table == LOOM_COMPARISON_MODULES ? find_module (self->comparison, row) : find_name (self->comparison, row);
  if (target.has_span[0] || target.has_span[1])
    show_target (self, &target);
}

/* --- GObject class and public functions --------------------------------------------------------------------------- */

static void
finalize (GObject *object)
{
  LoomRunPair *self = LOOM_RUN_PAIR (object);
  forget_comparison (self);
  for (guint i = 0; i < 2; i++) {
    g_signal_handlers_disconnect_by_data (self->states[i], self);
    loom_timeline_summaries_free (self->summaries[i]);
    g_clear_pointer (&self->overviews[i], loom_minimap_data_unref);
    g_clear_pointer (&self->shown[i], loom_minimap_data_unref);
    g_object_unref (self->flights[i]);
    g_object_unref (self->states[i]);
    g_clear_pointer (&self->timelines[i], loom_timeline_unref);
    g_free (self->names[i]);
  }
  g_free (self->alignment);
  G_OBJECT_CLASS (loom_run_pair_parent_class)->finalize (object);
}

static void
loom_run_pair_class_init (LoomRunPairClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[ALIGNED] =
    g_signal_new ("aligned", LOOM_TYPE_RUN_PAIR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[COMPARED] =
    g_signal_new ("compared", LOOM_TYPE_RUN_PAIR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_run_pair_init (LoomRunPair *self)
{
  self->alignment = g_strdup ("");
  self->sorts = TRUE;
  for (guint i = 0; i < 2; i++) {
    self->states[i] = loom_timeline_state_new ();
    self->flights[i] = loom_view_animator_new (self->states[i]);
    self->summaries[i] = loom_timeline_summaries_new (self->states[i]);
    g_signal_connect_swapped (self->states[i], "facts-changed", G_CALLBACK (facts_changed), self);
  }
  g_signal_connect_swapped (self->states[0], "view-changed", G_CALLBACK (first_moved), self);
  g_signal_connect_swapped (self->states[1], "view-changed", G_CALLBACK (second_moved), self);
}

LoomRunPair *
loom_run_pair_new (void)
{
  return g_object_new (LOOM_TYPE_RUN_PAIR, NULL);
}

int
loom_run_pair_get_earlier (LoomRunPair *self)
{
  int order = loom_timeline_compare_dates (self->timelines[0], self->timelines[1]);
  return order == 0 ? -1 : order > 0;
}

LoomTimeline *
loom_run_pair_get_timeline (LoomRunPair *self, guint which)
{
  return self->timelines[which];
}

LoomTimelineState *
loom_run_pair_get_view (LoomRunPair *self, guint which)
{
  return self->states[which];
}

LoomViewAnimator *
loom_run_pair_get_flight (LoomRunPair *self, guint which)
{
  return self->flights[which];
}

gint64
loom_run_pair_get_offset (LoomRunPair *self)
{
  return self->offset_ns;
}

const char *
loom_run_pair_get_alignment (LoomRunPair *self)
{
  return self->alignment;
}

int
loom_run_pair_get_slower (LoomRunPair *self)
{
  return self->comparison != NULL ? loom_run_comparison_get_slower (self->comparison) : -1;
}

gboolean
loom_run_pair_is_working (LoomRunPair *self)
{
  return self->running != NULL;
}

const char *
loom_run_pair_get_headline (LoomRunPair *self)
{
  return self->headline;
}

LoomResultTable *
loom_run_pair_get_table (LoomRunPair *self, LoomComparisonTable table)
{
  return self->tables[table];
}

gboolean
loom_run_pair_names_rank (LoomRunPair *self)
{
  return self->comparison != NULL && self->comparison->n_main > 0;
}

const char *
loom_run_pair_get_note (LoomRunPair *self)
{
  return self->note;
}
