/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-choice.h"

#include "loom-data-loading.h"
#include "loom-data-waits.h"
#include "loom-index-cells.h"
#include "loom-int64-hash.h"
#include "loom-main-thread.h"
#include "loom-parallel.h"
#include "loom-step-collector.h"
#include "loom-step-stated.h"
#include "loom-work-kind.h"

/* The time before the first collective is divided into cells, too, because the range of an analysis may begin there,
 * for example where the recording of another rank begins. There are at most MOST_FIRST_CUTS such cells, with at least
 * SPANS_PER_CUT spans on average. */
#define MOST_FIRST_CUTS 64u
#define SPANS_PER_CUT 256u

/* Times at which the threads of one rank and clock are divided into cells. A file may contain several ranks and several
 * clocks that cannot be compared, so a thread is divided only at the collectives of its own rank and clock. */
typedef struct {
  gint64 key; /* number that identifies the rank and the clock of the threads */
  guint32 n_spans;
  GArray *cuts; /* gint64, times on the trace's own clock: starts and ends of collectives, unsorted */
} Place;

typedef struct {
  LoomIndexContent *content;
  const LoomTrace *trace;
  const LoomSpans *spans;
  guint8 *kept;       /* [span] not 0 for spans that are kept unchanged */
  GHashTable *places; /* all Places; key: Place.key, value: Place */
  /* main thread of the rank `main_rank`; a cache, because the tracks of a rank follow each other */
  const LoomTrack *main;
  gint main_rank;
} Choice;

/* --- spans that are kept ------------------------------------------------------------------------------------------ */

/* Marks a span as kept: it is stored unchanged in the index file. Also marks the spans that enclose it, so that its
 * depth does not change. */
static void
keep (Choice *choice, guint32 span)
{
  for (; span < choice->spans->n && choice->kept[span] == 0; span = loom_trace_get_parent (choice->trace, span))
    choice->kept[span] = 1;
}

/* Keeps a span of a step. Also stores the number and the mode of the step if the name of the span does not state
 * them. */
static void
keep_step_span (Choice *choice, const LoomStep *step, guint32 span)
{
  LoomRef ref = choice->spans->ref[span];
  gint64 packed = loom_step_stated_pack (step->number, step->mode);
  keep (choice, span);
  if (packed >= 0 &&
      !loom_step_collector_states_number (loom_trace_get_name (choice->trace, choice->spans->name_id[span])))
    g_hash_table_insert (choice->content->step_numbers, g_memdup2 (&ref, sizeof ref),
                         g_memdup2 (&packed, sizeof packed));
}

/* `step` was inferred from spans of callbacks of Composer. Keeps the spans of these callbacks that are on `track`. */
static void
keep_marks (Choice *choice, const LoomStep *step, const LoomTrack *track)
{
  gint64 begin_ns = choice->spans->start_ns[step->span.span]; /* on the trace's own clock, unlike step->begin_ns, which
                                                               * is a time on the timeline */
  gint64 end_ns = loom_time_add (begin_ns, loom_time_sub (step->end_ns, step->begin_ns));
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (choice->trace, track->first_row + r);
    guint32 at = row->first + loom_trace_row_lower_bound (choice->trace, row, begin_ns);
    for (; at < row->first + row->n && choice->spans->start_ns[at] < end_ns; at++)
      if (loom_step_collector_is_mark (loom_trace_get_name (choice->trace, choice->spans->name_id[at])))
        keep_step_span (choice, step, at);
  }
}

/* Keeps the span of a step. If the step was inferred from callbacks of Composer and has no span, keeps the spans of
 * these callbacks. */
static void
keep_step (Choice *choice, const LoomStep *step)
{
  guint32 span = step->span.span;
  gboolean is_inferred =
    loom_step_collector_is_mark (loom_trace_get_name (choice->trace, choice->spans->name_id[span]));
  keep_step_span (choice, step, span);
  for (guint i = 0; is_inferred && i < loom_trace_get_n_tracks (choice->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (choice->trace, i);
    if (track->kind == LOOM_TRACK_SPANS && track->rank == step->rank && g_strcmp0 (track->node, step->node) == 0)
      keep_marks (choice, step, track);
  }
}

/* Keeps the spans from which the analyses derive steps and waits for data. Returns FALSE if cancelled. */
static gboolean
keep_steps (Choice *choice, GCancellable *cancellable)
{
  LoomTrace *traces[] = { choice->content->trace };
  g_autoptr (LoomRun) run = loom_run_new (traces, 1);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_NONE, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, cancellable);
  LoomRange all = { G_MININT64 / 2, G_MAXINT64 / 2 };
  LoomDataWaits *waits = steps != NULL ? loom_data_waits_new (timeline, steps, all, cancellable) : NULL;
  if (waits == NULL)
    return FALSE;
  for (guint i = 0; i < steps->n; i++)
    keep_step (choice, &steps->all[i]);
  for (guint i = 0; i < waits->n_ranks; i++)
    for (guint k = 0; k < waits->ranks[i].n_waits; k++)
      keep (choice, waits->ranks[i].waits[k].span.span);
  loom_data_waits_free (waits);
  return TRUE;
}

/* Keeps the spans of processes that load data, because analyses count how many such processes run at the same time. */
static void
keep_loaders (Choice *choice)
{
  guint n_names = loom_trace_get_n_names (choice->trace);
  g_autofree gboolean *are_loaders = g_new0 (gboolean, n_names + 1);
  gboolean any = FALSE;
  for (guint i = 0; i < n_names; i++)
    any |= are_loaders[i] = loom_data_loading_is_worker (loom_trace_get_name (choice->trace, i)->text);
  for (guint32 i = 0; any && i < choice->spans->n; i++)
    if (are_loaders[choice->spans->name_id[i]])
      keep (choice, i);
}

/* Keeps the span of a collective that ran on the host. */
static void
keep_meeting (Choice *choice, const LoomSyncEvent *meeting)
{
  if (meeting->track >= loom_trace_get_n_tracks (choice->trace))
    return;
  const LoomTrack *track = loom_trace_get_track (choice->trace, meeting->track);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (choice->trace, track->first_row + r);
    guint32 at = row->first + loom_trace_row_lower_bound (choice->trace, row, meeting->start_ns);
    for (; at < row->first + row->n && choice->spans->start_ns[at] == meeting->start_ns; at++)
      if (choice->spans->ref[at] == meeting->ref)
        keep (choice, at);
  }
}

static gboolean
is_host_track (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DEVICE) == 0;
}

/* Keeps the first and the last span of each clock, because analyses use their times as the begin and the end of the
 * recording. */
static void
keep_extents (Choice *choice)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (choice->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (choice->trace, i);
    LoomRange extent;
    if (!is_host_track (track) || (track->flags & LOOM_TRACK_NO_EXTENT) != 0 ||
        !loom_trace_get_extent (choice->trace, track->clock, &extent))
      continue;
    for (guint32 r = 0; r < track->n_rows; r++) {
      const LoomRow *row = loom_trace_get_row (choice->trace, track->first_row + r);
      guint32 last = row->first + row->n - 1;
      if (row->n > 0 && choice->spans->start_ns[row->first] == extent.begin_ns)
        keep (choice, row->first);
      if (row->n > 0 && loom_time_add (choice->spans->start_ns[last], choice->spans->dur_ns[last]) == extent.end_ns)
        keep (choice, last);
    }
  }
}

/* --- collectives that are kept ------------------------------------------------------------------------------------ */

static gboolean
is_collective (const LoomSyncEvent *meeting)
{
  return meeting->kind <= LOOM_SYNC_EVENT_HOST;
}

/* Returns the set of the correlation ids of the calls that launched kernels of collectives. These calls are needed to
 * identify the collectives, because the kernels have no sequence number. */
static GHashTable *
find_needed_calls (const LoomSyncEvent *meetings, guint32 n)
{
  GHashTable *calls = g_hash_table_new_full (loom_int64_hash, g_int64_equal, NULL, NULL);
  for (guint32 i = 0; i < n; i++)
    if (is_collective (&meetings[i]) && meetings[i].sequence == LOOM_SEQUENCE_NONE && meetings[i].call != 0)
      g_hash_table_add (calls, (gpointer) &meetings[i].call);
  return calls;
}

static void
choose_meetings (Choice *choice)
{
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (choice->trace, &n);
  g_autoptr (GHashTable) calls = find_needed_calls (meetings, n);
  for (guint32 i = 0; i < n; i++) {
    gboolean is_call = meetings[i].kind == LOOM_SYNC_EVENT_CALL;
    if (meetings[i].kind > LOOM_SYNC_EVENT_CALL || (is_call && !g_hash_table_contains (calls, &meetings[i].call)))
      continue;
    g_array_append_val (choice->content->meetings, i);
    if (!is_call)
      keep_meeting (choice, &meetings[i]);
  }
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const gint64 *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static void
free_place (gpointer data)
{
  g_array_unref (((Place *) data)->cuts);
  g_free (data);
}

/* Returns the Place for the rank and clock of a track. Adds a Place if there is none. */
static Place *
get_place (Choice *choice, const LoomTrack *track)
{
  gint64 key = (gint64) track->rank * (G_MAXUINT16 + 1) + track->clock;
  Place *place = g_hash_table_lookup (choice->places, &key);
  if (place == NULL) {
    place = g_new0 (Place, 1);
    place->key = key;
    place->cuts = g_array_new (FALSE, FALSE, sizeof (gint64));
    g_hash_table_insert (choice->places, &place->key, place);
  }
  return place;
}

/* Adds cuts at the start and at the end of each collective to the Place of the collective, because analyses compare the
 * work of ranks between these times. O(tracks + sync events). */
static void
find_places (Choice *choice)
{
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (choice->trace, &n);
  guint n_tracks = loom_trace_get_n_tracks (choice->trace);
  for (guint i = 0; i < n_tracks; i++) {
    const LoomTrack *track = loom_trace_get_track (choice->trace, i);
    for (guint32 r = 0; r < track->n_rows; r++)
      get_place (choice, track)->n_spans += loom_trace_get_row (choice->trace, track->first_row + r)->n;
  }
  for (guint32 i = 0; i < n; i++)
    if (is_collective (&meetings[i]) && meetings[i].track < n_tracks) {
      Place *place = get_place (choice, loom_trace_get_track (choice->trace, meetings[i].track));
      g_array_append_val (place->cuts, meetings[i].start_ns);
      g_array_append_val (place->cuts, meetings[i].end_ns);
    }
}

/* Appends equidistant times to `cuts`: from the first event of the track's clock to the first collective. Before the
 * call, `cuts` contains the starts and ends of the collectives, ascending. If it is empty, the times that are appended
 * reach to the last event of the clock. */
static void
add_first_cuts (const Choice *choice, const LoomTrack *track, guint32 n_spans, GArray *cuts)
{
  LoomRange extent;
  guint n = MIN (n_spans / SPANS_PER_CUT, MOST_FIRST_CUTS);
  if (!loom_trace_get_extent (choice->trace, track->clock, &extent))
    return;
  gint64 end_ns = cuts->len > 0 ? g_array_index (cuts, gint64, 0) : extent.end_ns;
  for (guint i = 1; i < n; i++) {
    gint64 cut_ns = extent.begin_ns + loom_time_sub (end_ns, extent.begin_ns) / n * i;
    g_array_append_val (cuts, cut_ns);
  }
}

/* Returns the times at which a main thread is divided into cells, in ascending order. Owned by the caller. */
static GArray *
list_cuts (Choice *choice, const LoomTrack *track)
{
  const Place *place = get_place (choice, track);
  GArray *cuts = g_array_copy (place->cuts);
  g_array_sort (cuts, compare_times);
  add_first_cuts (choice, track, place->n_spans, cuts);
  g_array_sort (cuts, compare_times);
  return cuts;
}

/* --- spans of each track ------------------------------------------------------------------------------------------ */

/* Returns TRUE if the track is the main thread of its rank. */
static gboolean
is_main (Choice *choice, const LoomTrack *track)
{
  if (choice->main == NULL || choice->main_rank != track->rank)
    choice->main = loom_main_thread_find (choice->trace, track->rank);
  choice->main_rank = track->rank;
  return choice->main == track;
}

/* How the spans of a track are chosen. `kept`: the result. `cuts` (owned): if the track is the main thread of a rank,
 * the times at which the thread is divided into cells; NULL: the spans of the track are copied. */
typedef struct {
  const LoomTrack *track;
  LoomIndexTrack *kept;
  GArray *cuts;
} Task;

static void
clear_task (gpointer data)
{
  g_clear_pointer (&((Task *) data)->cuts, g_array_unref);
}

/* Returns an array of Task, one for each track with spans. Owned by the caller. */
static GArray *
list_tasks (Choice *choice)
{
  GArray *tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  g_array_set_clear_func (tasks, clear_task);
  for (guint i = 0; i < loom_trace_get_n_tracks (choice->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (choice->trace, i);
    if (track->kind != LOOM_TRACK_SPANS)
      continue;
    gboolean is_folded = (track->flags & LOOM_TRACK_DEVICE) == 0 && is_main (choice, track);
    const Task task = { track, loom_index_content_add_track (choice->content, i),
                        is_folded ? list_cuts (choice, track) : NULL };
    g_array_append_val (tasks, task);
  }
  return tasks;
}

/* The arguments of choose_track(). */
typedef struct {
  const Choice *choice;
  GArray *tasks;
  GCancellable *cancellable;
} Work;

static void
choose_track (guint item, guint worker, gpointer user_data)
{
  const Work *work = user_data;
  const Task *task = &g_array_index (work->tasks, Task, item);
  gboolean on_device = (task->track->flags & LOOM_TRACK_DEVICE) != 0;
  if (g_cancellable_is_cancelled (work->cancellable))
    return;
  if (task->cuts != NULL)
    loom_index_cells_fold (work->choice->trace, task->track, work->choice->kept, task->cuts, task->kept->spans);
  else
    loom_index_cells_copy (work->choice->trace, task->track, on_device ? NULL : work->choice->kept, task->kept->spans);
}

static void
choose_tracks (Choice *choice, GCancellable *cancellable)
{
  g_autoptr (GArray) tasks = list_tasks (choice);
  Work work = { choice, tasks, cancellable };
  loom_parallel_for (tasks->len, loom_index_content_get_n_threads (choice->trace), choose_track, &work, NULL);
}

/* --- sums of spans of the host by name ---------------------------------------------------------------------------- */

static void
add_to_sum (LoomIndexSum *sum, gint64 dur_ns)
{
  sum->least_ns = sum->n == 0 ? dur_ns : MIN (sum->least_ns, dur_ns);
  sum->most_ns = MAX (sum->most_ns, dur_ns);
  sum->total_ns = loom_time_add (sum->total_ns, dur_ns);
  sum->n++;
}

static void
sum_track (const Choice *choice, const LoomTrack *track, LoomIndexSum *sums)
{
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (choice->trace, track->first_row + r);
    for (guint32 i = row->first; i < row->first + row->n; i++)
      add_to_sum (&sums[choice->spans->name_id[i]], choice->spans->dur_ns[i]);
  }
}

/* Adds a LoomIndexSum for each name of spans on the host. Spans of devices need no sums, because all of them are stored
 * in the index file. */
static void
add_sums (Choice *choice)
{
  guint n_names = loom_trace_get_n_names (choice->trace);
  g_autofree LoomIndexSum *sums = g_new0 (LoomIndexSum, n_names + 1);
  for (guint i = 0; i < loom_trace_get_n_tracks (choice->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (choice->trace, i);
    if (loom_main_thread_is_own (track, -1, TRUE))
      sum_track (choice, track, sums);
  }
  for (guint32 i = 0; i < n_names; i++) {
    sums[i].name_id = i;
    if (sums[i].n > 0)
      g_array_append_val (choice->content->sums, sums[i]);
  }
}

LoomIndexContent *
loom_index_choice_new (LoomTrace *trace, GCancellable *cancellable)
{
  g_autoptr (LoomIndexContent) content = loom_index_content_alloc (trace);
  Choice choice = { .content = content, .trace = trace, .spans = loom_trace_get_spans (trace) };
  g_autofree guint8 *kept = g_new0 (guint8, choice.spans->n + 1);
  choice.kept = kept;
  if (!keep_steps (&choice, cancellable))
    return NULL;
  g_autoptr (GHashTable) places = g_hash_table_new_full (loom_int64_hash, g_int64_equal, NULL, free_place);
  choice.places = places;
  find_places (&choice);
  choose_meetings (&choice);
  keep_loaders (&choice);
  keep_extents (&choice);
  choose_tracks (&choice, cancellable);
  add_sums (&choice);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&content);
}
