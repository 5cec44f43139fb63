/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-data-waits.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-int64-hash.h"
#include "loom-loop-threads.h"
#include "loom-statistics.h"
#include "loom-track-rank.h"
#include "loom-work-kind.h"

#define CANCEL_EVERY 65536

/* A rank while its waits are collected. The members `waits`, `steps` and `sources` own the arrays to which `shown`
 * points. */
typedef struct _Rank Rank;

struct _Rank {
  LoomDataRank shown;
  guint32 trace;   /* index of the first trace in which the rank has waits */
  GArray *waits;   /* LoomDataWait: the rank's waits for data */
  GArray *steps;   /* LoomDataStep: the rank's steps that contain waits */
  GArray *sources; /* guint: the sources that contain waits, as indices in the run */
  /* LoomStep: the steps of all ranks with this rank's number, on all nodes and in all traces; borrowed */
  GArray *all;
  Rank *same; /* next rank with the same number, but on another node; borrowed; NULL: there is none */
};

static void
rank_free (gpointer data)
{
  Rank *rank = data;
  g_array_unref (rank->waits);
  g_array_unref (rank->steps);
  g_array_unref (rank->sources);
  g_free (rank);
}

/* --- gathering the waits ------------------------------------------------------------------------------------------ */

static Rank *
rank_of (LoomDataWaits *waits, guint32 trace, const LoomTrack *track)
{
  gint64 number = track->rank >= 0 ? track->rank : -1 - (gint64) trace;
  Rank *same = g_hash_table_lookup (waits->by_number, &number);
  for (Rank *rank = same; rank != NULL; rank = rank->same)
    if (g_strcmp0 (rank->shown.node, track->node) == 0)
      return rank;
  Rank *rank = g_new0 (Rank, 1);
  rank->same = same;
  g_hash_table_insert (waits->by_number, g_memdup2 (&number, sizeof number), rank);
  rank->shown.node = track->node;
  rank->shown.rank = track->rank;
  rank->shown.is_process = loom_track_rank_is_process (track, track->format);
  rank->trace = trace;
  rank->waits = g_array_new (FALSE, FALSE, sizeof (LoomDataWait));
  rank->steps = g_array_new (FALSE, FALSE, sizeof (LoomDataStep));
  rank->sources = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (waits->gathered, rank);
  return rank;
}

/* Returns TRUE if a wait may be added to `rank`. `is_call`: the wait is a call of GetNext. If a rank has calls of
 * GetNext and other waits, two profilers may have recorded the same waits; therefore only the other waits are kept.
 * Returns FALSE if the wait is a call and `rank` already has other waits. If the wait is not a call and `rank` has
 * calls, removes the calls from `rank`, and returns TRUE. */
static gboolean
takes (Rank *rank, gboolean is_call)
{
  if (is_call != rank->shown.are_calls && rank->waits->len > 0) {
    if (is_call)
      return FALSE;
    g_array_set_size (rank->waits, 0);
    g_array_set_size (rank->sources, 0);
  }
  rank->shown.are_calls = is_call;
  return TRUE;
}

static void
add_wait (LoomDataWaits *waits, LoomTrace *trace, const LoomTrack *track, LoomSpanId span, gboolean is_call)
{
  LoomDataWait wait = { .span = span, .step = LOOM_SPAN_ID_NONE, .step_number = -1 };
  waits->any = TRUE;
  loom_timeline_get_span (waits->timeline, span, &wait.begin_ns, &wait.end_ns);
  gboolean is_before = wait.begin_ns < waits->range.begin_ns && wait.end_ns <= waits->range.begin_ns;
  if (is_before || wait.begin_ns >= waits->range.end_ns)
    return;
  Rank *rank = rank_of (waits, span.trace, track);
  guint first = loom_run_get_first_source (loom_timeline_get_run (waits->timeline), span.trace);
  if (!takes (rank, is_call))
    return;
  if (rank->waits->len == 0)
    rank->shown.format = track->format;
  g_array_append_val (rank->waits, wait);
  loom_statistics_insert_number (rank->sources,
                                 first + loom_source_ref_source (loom_trace_get_spans (trace)->ref[span.span]));
}

enum { NO_WAIT, WAIT, CALL };

/* Returns an array: [name id of the trace] NO_WAIT, WAIT or CALL. NULL: the trace has no names of waits for data. Owned
 * by the caller. */
static guint8 *
find_wait_names (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  gboolean any = FALSE;
  g_autofree guint8 *are = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    if (!loom_work_kind_is_data_wait (name->text, name->category))
      continue;
    any = TRUE;
    are[i] = loom_work_kind_is_get_next (name->text) ? CALL : WAIT;
  }
  return any ? g_steal_pointer (&are) : NULL;
}

/* Returns TRUE if the span of a wait is nested in the span of another wait. Then two frameworks have recorded one
 * wait. */
static gboolean
is_inside_wait (LoomTrace *trace, const guint8 *are_waits, guint32 span)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 up = loom_trace_get_parent (trace, span); up != G_MAXUINT32; up = loom_trace_get_parent (trace, up))
    if (are_waits[spans->name_id[up]])
      return TRUE;
  return FALSE;
}

static gboolean
gather_track (LoomDataWaits *waits, guint number, const LoomTrack *track, const guint8 *are_waits,
              GCancellable *cancellable)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (waits->timeline), number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      guint8 is = are_waits[spans->name_id[i]];
      if (is != NO_WAIT && !is_inside_wait (trace, are_waits, i))
        add_wait (waits, trace, track, (LoomSpanId) { number, i }, is == CALL);
      if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
gather_trace (LoomDataWaits *waits, guint number, GCancellable *cancellable)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (waits->timeline), number);
  g_autofree guint8 *are_waits = find_wait_names (trace);
  g_autoptr (LoomLoopThreads) threads = are_waits != NULL ? loom_loop_threads_new (trace) : NULL;
  for (guint i = 0; are_waits != NULL && i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_DEVICE)) == 0 &&
        loom_loop_threads_has (threads, i) && !gather_track (waits, number, track, are_waits, cancellable))
      return FALSE;
  }
  return !g_cancellable_is_cancelled (cancellable);
}

/* --- steps to which the waits belong ------------------------------------------------------------------------------ */

/* Returns a table of the steps of each rank: number of the rank (gint) → GArray of LoomStep. `steps` may be NULL; then
 * the table is empty. */
static GHashTable *
group_steps (const LoomSteps *steps)
{
  GHashTable *groups = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; steps != NULL && i < steps->n; i++) {
    GArray *group = g_hash_table_lookup (groups, GINT_TO_POINTER (steps->all[i].rank));
    if (group == NULL) {
      group = g_array_new (FALSE, FALSE, sizeof (LoomStep));
      g_hash_table_insert (groups, GINT_TO_POINTER (steps->all[i].rank), group);
    }
    g_array_append_val (group, steps->all[i]);
  }
  return groups;
}

/* Returns those steps of the rank that come from the file format of the rank's first wait. If there are none, returns
 * the steps of all formats. Owned by the caller. */
static GArray *
steps_of (const LoomDataWaits *waits, const Rank *rank)
{
  GArray *own = g_array_new (FALSE, FALSE, sizeof (LoomStep)), *others = g_array_new (FALSE, FALSE, sizeof (LoomStep));
  for (guint i = 0; rank->all != NULL && i < rank->all->len; i++) {
    const LoomStep *step = &g_array_index (rank->all, LoomStep, i);
    gboolean same_node = step->node == NULL || rank->shown.node == NULL || strcmp (step->node, rank->shown.node) == 0;
    if (!same_node || (rank->shown.rank < 0 && step->span.trace != rank->trace))
      continue;
    g_array_append_val (strcmp (step->format, rank->shown.format) == 0 ? own : others, *step);
  }
  gboolean has_own = own->len > 0;
  g_array_unref (has_own ? others : own);
  return has_own ? own : others;
}

/* Returns the step that contains `time_ns` or, if there is none, the next step; NULL after the last step. `at`: index
 * in `steps` at which the search begins. Each call increases it, so calls must be in order of time. */
static const LoomStep *
step_for (const GArray *steps, guint *at, gint64 time_ns)
{
  while (*at < steps->len && g_array_index (steps, LoomStep, *at).end_ns <= time_ns)
    ++*at;
  return *at < steps->len ? &g_array_index (steps, LoomStep, *at) : NULL;
}

/* Returns how many ns of [begin_ns, end_ns) are inside the range of the analysis. */
static gint64
time_in_range (const LoomDataWaits *waits, gint64 begin_ns, gint64 end_ns)
{
  return MAX (loom_time_sub (MIN (end_ns, waits->range.end_ns), MAX (begin_ns, waits->range.begin_ns)), 0);
}

static void
add_to_step (const LoomDataWaits *waits, Rank *rank, const LoomStep *step, LoomDataWait *wait)
{
  LoomDataStep *last = rank->steps->len > 0 ? &g_array_index (rank->steps, LoomDataStep, rank->steps->len - 1) : NULL;
  wait->step = step->span;
  wait->step_number = step->number;
  if (last == NULL || !loom_timeline_span_id_equal (last->step.span, step->span)) {
    LoomDataStep fresh = { .step = *step };
    g_array_append_val (rank->steps, fresh);
    last = &g_array_index (rank->steps, LoomDataStep, rank->steps->len - 1);
  }
  last->n_waits++;
  last->wait_ns = loom_time_add (last->wait_ns, loom_time_sub (wait->end_ns, wait->begin_ns));
  gint64 inside = time_in_range (waits, MAX (wait->begin_ns, step->begin_ns), MIN (wait->end_ns, step->end_ns));
  rank->shown.in_steps_ns = loom_time_add (rank->shown.in_steps_ns, inside);
}

/* --- figures for each rank ---------------------------------------------------------------------------------------- */

static gint64
duration_of (const LoomDataWait *wait)
{
  return loom_time_sub (wait->end_ns, wait->begin_ns);
}

static double
median_of (const GArray *waits)
{
  guint n = waits->len;
  g_autofree gint64 *durations = g_new (gint64, n);
  for (guint i = 0; i < n; i++)
    durations[i] = duration_of (&g_array_index (waits, LoomDataWait, i));
  qsort (durations, n, sizeof *durations, loom_statistics_compare_times);
  return ((double) durations[(n - 1) / 2] + (double) durations[n / 2]) / 2;
}

/* Returns TRUE if the name of a wait shows that it belongs to validation, as "dataloader/eval_dataset" and "….val_next"
 * do. */
static gboolean
is_of_validation (const LoomDataWaits *waits, const LoomDataWait *wait)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (waits->timeline), wait->span.trace);
  guint32 name_id = loom_trace_get_spans (trace)->name_id[wait->span.span];
  const char *name = loom_trace_get_name (trace, name_id)->text;
  return strstr (name, "/eval") != NULL || strstr (name, "val_dataloader_next") != NULL;
}

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const LoomDataWait *x = a, *y = b;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  if (x->span.trace != y->span.trace)
    return x->span.trace < y->span.trace ? -1 : 1;
  return x->span.span < y->span.span ? -1 : x->span.span > y->span.span;
}

static void
finish_rank (LoomDataWaits *waits, Rank *rank)
{
  LoomDataRank *shown = &rank->shown;
  g_autoptr (GArray) steps = steps_of (waits, rank);
  guint at = 0;
  g_array_sort (rank->waits, compare_waits);
  shown->median_ns = median_of (rank->waits);
  for (guint i = 0; i < rank->waits->len; i++) {
    LoomDataWait *wait = &g_array_index (rank->waits, LoomDataWait, i);
    const LoomStep *step = is_of_validation (waits, wait) ? NULL : step_for (steps, &at, wait->begin_ns);
    wait->outlier = (double) duration_of (wait) > LOOM_DATA_WAIT_OUTLIER * shown->median_ns;
    shown->n_outliers += wait->outlier;
    shown->total_ns = loom_time_add (shown->total_ns, duration_of (wait));
    shown->in_range_ns = loom_time_add (shown->in_range_ns, time_in_range (waits, wait->begin_ns, wait->end_ns));
    shown->max_ns = MAX (shown->max_ns, duration_of (wait));
    if (step != NULL)
      add_to_step (waits, rank, step, wait);
  }
  for (guint i = 0; i < steps->len; i++) {
    const LoomStep *step = &g_array_index (steps, LoomStep, i);
    shown->steps_ns = loom_time_add (shown->steps_ns, time_in_range (waits, step->begin_ns, step->end_ns));
  }
  shown->sources = (const guint *) (gpointer) rank->sources->data;
  shown->n_sources = rank->sources->len;
  shown->waits = (const LoomDataWait *) (gpointer) rank->waits->data;
  shown->n_waits = rank->waits->len;
  shown->steps = (const LoomDataStep *) (gpointer) rank->steps->data;
  shown->n_steps = rank->steps->len;
  waits->any_step |= shown->n_steps > 0;
  g_array_append_val (waits->all, *shown);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const Rank *x = *(Rank *const *) a, *y = *(Rank *const *) b;
  int nodes = g_strcmp0 (x->shown.node, y->shown.node);
  if (nodes != 0)
    return nodes;
  if (x->shown.rank != y->shown.rank)
    return x->shown.rank < y->shown.rank ? -1 : 1;
  return x->trace < y->trace ? -1 : x->trace > y->trace;
}

LoomDataWaits *
loom_data_waits_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomDataWaits) waits = g_new0 (LoomDataWaits, 1);
  waits->timeline = loom_timeline_ref (timeline);
  waits->steps = steps != NULL ? loom_steps_ref (steps) : NULL;
  waits->range = range;
  waits->gathered = g_ptr_array_new_with_free_func (rank_free);
  waits->by_number = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  waits->all = g_array_new (FALSE, FALSE, sizeof (LoomDataRank));
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (timeline)); i++)
    if (!gather_trace (waits, i, cancellable))
      return NULL;
  g_ptr_array_sort (waits->gathered, compare_ranks);
  g_autoptr (GHashTable) steps_of_ranks = group_steps (steps);
  for (guint i = 0; i < waits->gathered->len; i++) {
    Rank *rank = waits->gathered->pdata[i];
    rank->all = g_hash_table_lookup (steps_of_ranks, GINT_TO_POINTER (rank->shown.rank));
    finish_rank (waits, rank);
  }
  waits->ranks = (const LoomDataRank *) (gpointer) waits->all->data;
  waits->n_ranks = waits->all->len;
  return g_steal_pointer (&waits);
}

LoomDataWaits *
loom_data_waits_new_of_run (LoomTimeline *timeline, GCancellable *cancellable)
{
  return loom_data_waits_new (timeline, NULL, (LoomRange) { G_MININT64 / 2, G_MAXINT64 / 2 }, cancellable);
}

void
loom_data_waits_free (LoomDataWaits *waits)
{
  if (waits == NULL)
    return;
  g_hash_table_unref (waits->by_number);
  g_ptr_array_unref (waits->gathered);
  g_array_unref (waits->all);
  g_clear_pointer (&waits->steps, loom_steps_unref);
  loom_timeline_unref (waits->timeline);
  g_free (waits);
}

const LoomDataRank *
loom_data_waits_find_rank (const LoomDataWaits *waits, const char *node, gint rank)
{
  guint low = 0, high = waits->n_ranks;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const LoomDataRank *found = &waits->ranks[middle];
    int nodes = g_strcmp0 (found->node, node);
    if (nodes == 0 && found->rank == rank)
      return found;
    if (nodes < 0 || (nodes == 0 && found->rank < rank))
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

guint
loom_data_waits_first_ending_after (const LoomDataRank *rank, gint64 time_ns)
{
  guint low = 0, high = rank->n_waits;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (rank->waits[middle].begin_ns < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  while (low > 0 && rank->waits[low - 1].end_ns > time_ns)
    low--;
  return low;
}

gint64
loom_data_waits_sum_in_range (const LoomDataRank *rank, LoomRange range)
{
  gint64 sum_ns = 0;
  for (guint i = loom_data_waits_first_ending_after (rank, range.begin_ns);
       i < rank->n_waits && rank->waits[i].begin_ns < range.end_ns; i++)
    sum_ns = loom_time_add (
      sum_ns, loom_time_sub (MIN (rank->waits[i].end_ns, range.end_ns), MAX (rank->waits[i].begin_ns, range.begin_ns)));
  return sum_ns;
}

const char *
loom_data_waits_get_missing (const LoomDataWaits *waits)
{
  if (waits->n_ranks > 0)
    return NULL;
  return waits->any ? _ ("There are no waits for data in this range")
                    : _ ("No waits for data are marked in these files");
}

const char *
loom_data_waits_get_missing_steps (const LoomDataWaits *waits)
{
  return waits->any_step ? NULL : _ ("The steps that contain these waits are unknown");
}
