/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-health-checks.h"

#include <stdlib.h>
#include <string.h>

#include "loom-int64-hash.h"
#include "loom-merge-sort.h"
#include "loom-work-kind.h"

void
loom_health_checks_count (LoomHealthRow *row, guint32 span, gint64 over_ns)
{
  if (row->n == 0 || over_ns > row->worst_ns)
    row->span = (LoomSpanId) { row->trace, span };
  row->n++;
  row->worst_ns = MAX (row->worst_ns, over_ns);
}

/* --- tables: number → earliest event with this number ------------------------------------------------------------- */

static const LoomHealthEvent *
get_event (const LoomHealthEvents *events, guint i)
{
  return &g_array_index (events->events, LoomHealthEvent, i);
}

/* Inserts an event into a table (number → earliest event with this number). Does nothing if the event has no number, or
 * if the table has an earlier event with this number. `number`: pointer to a member of the event; the event must
 * outlive the table. */
static void
keep_earliest (GHashTable *table, const gint64 *number, const LoomHealthEvent *event)
{
  const LoomHealthEvent *known = *number != LOOM_HEALTH_NONE ? g_hash_table_lookup (table, number) : event;
  if (known == NULL || event->begin_ns < known->begin_ns)
    g_hash_table_insert (table, (gpointer) number, (gpointer) event);
}

static GHashTable *
new_table (void)
{
  return g_hash_table_new (loom_int64_hash, g_int64_equal);
}

/* --- checks of launches ------------------------------------------------------------------------------------------- */

/* Examines a kernel or copy (`work`) and the call that launched it (`launch`). Counts the kernel or copy in `row` if it
 * begins before the call. */
static void
check_pair (const LoomHealthEvent *work, const LoomHealthEvent *launch, LoomHealthRow *row)
{
  row->n_of++;
  if (work->begin_ns < launch->begin_ns)
    loom_health_checks_count (row, work->span, launch->begin_ns - work->begin_ns);
}

/* For each External id, examines the earliest kernel and the earliest call of cudaLaunchKernel with this id, as
 * PyTorch's validator does. Returns an array: [index in events] 1 for the kernels that were examined. Owned by the
 * caller. */
static guint8 *
check_early (const LoomHealthEvents *events, LoomHealthRow *row)
{
  g_autoptr (GHashTable) launches = new_table (), kernels = new_table ();
  guint8 *examined = g_new0 (guint8, MAX (events->events->len, 1));
  GHashTableIter iter;
  gpointer number, kernel;
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (event->is_launch || event->is_kernel)
      keep_earliest (event->is_launch ? launches : kernels, &event->external, event);
  }
  g_hash_table_iter_init (&iter, kernels);
  while (g_hash_table_iter_next (&iter, &number, &kernel)) {
    const LoomHealthEvent *launch = g_hash_table_lookup (launches, number);
    if (launch == NULL)
      continue;
    check_pair (kernel, launch, row);
    examined[(const LoomHealthEvent *) kernel - get_event (events, 0)] = 1;
  }
  return examined;
}

/* Returns a table of the calls. Key: correlation id. Value: the earliest call with this id. */
static GHashTable *
index_calls (const LoomHealthEvents *events)
{
  GHashTable *called = new_table ();
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (event->kind == LOOM_HEALTH_EVENT_CALL)
      keep_earliest (called, &event->correlation, event);
  }
  return called;
}

/* Examines the kernels and copies that have the correlation id of a call and are not marked in `examined`. These are
 * kernels launched by other functions than cudaLaunchKernel, all kernels of an operator except its first one, and
 * copies. `called`: result of index_calls(). */
static void
check_early_works (const LoomHealthEvents *events, GHashTable *called, const guint8 *examined, LoomHealthRow *row)
{
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    const LoomHealthEvent *launch = event->kind == LOOM_HEALTH_EVENT_DEVICE && event->correlation > 0 && !examined[i]
                                      ? g_hash_table_lookup (called, &event->correlation)
                                      : NULL;
    if (launch != NULL)
      check_pair (event, launch, row);
  }
}

/* Counts the correlation ids that are keys of `table` but not of `other`. Counts ids and not events, because one launch
 * of a CUDA graph has many kernels with one id. */
static void
count_missing (GHashTable *table, GHashTable *other, LoomHealthRow *row)
{
  GHashTableIter iter;
  gpointer number, event;
  row->n_of += g_hash_table_size (table);
  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &number, &event))
    if (!g_hash_table_contains (other, number))
      loom_health_checks_count (row, ((const LoomHealthEvent *) event)->span, 0);
}

static void
check_correlations (const LoomHealthEvents *events, GHashTable *called, const LoomTrace *trace, LoomHealthRow *kernels,
                    LoomHealthRow *launches)
{
  g_autoptr (GHashTable) worked = new_table ();
  g_autofree guint8 *launches_of_name = g_new0 (guint8, loom_trace_get_n_names (trace) + 1);
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (event->kind < LOOM_HEALTH_EVENT_CALL)
      keep_earliest (worked, &event->correlation, event);
  }
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (event->kind == LOOM_HEALTH_EVENT_CALL && g_hash_table_contains (worked, &event->correlation))
      launches_of_name[event->name_id] = 1;
  }
  count_missing (worked, called, kernels);
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (event->kind != LOOM_HEALTH_EVENT_CALL || !launches_of_name[event->name_id])
      continue;
    launches->n_of++;
    if (!g_hash_table_contains (worked, &event->correlation))
      loom_health_checks_count (launches, event->span, 0);
  }
}

static gboolean
has_id (const LoomHealthEvent *event)
{
  return event->kind == LOOM_HEALTH_EVENT_CALL && event->correlation != LOOM_HEALTH_NONE && event->correlation > 0;
}

/* Returns TRUE if at least two processes have calls with correlation ids. */
static gboolean
has_processes (const LoomHealthEvents *events)
{
  const LoomHealthEvent *first = NULL;
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (has_id (event) && first != NULL && event->process != first->process)
      return TRUE;
    first = has_id (event) && first == NULL ? event : first;
  }
  return FALSE;
}

/* Counts the calls whose correlation id is also that of a call of another process in the same file. If there are such
 * calls, several ranks wrote one file. */
static void
check_mixed (const LoomHealthEvents *events, LoomHealthRow *row)
{
  g_autoptr (GHashTable) processes = new_table ();
  gboolean is_possible = has_processes (events);
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (!has_id (event))
      continue;
    row->n_of++;
    if (!is_possible)
      continue;
    const LoomHealthEvent *known = g_hash_table_lookup (processes, &event->correlation);
    if (known == NULL)
      keep_earliest (processes, &event->correlation, event);
    else if (known->source == event->source && known->process != event->process)
      loom_health_checks_count (row, event->span, 0);
  }
}

/* --- checks of waits ---------------------------------------------------------------------------------------------- */

static void
check_waits (const LoomHealthEvents *events, LoomHealthRow *rows)
{
  g_autoptr (GHashTable) records = new_table ();
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (!event->is_record)
      continue;
    keep_earliest (records, &event->external, event);
    keep_earliest (records, &event->correlation, event);
  }
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (event->kind != LOOM_HEALTH_EVENT_WAIT && event->kind != LOOM_HEALTH_EVENT_EVENT_SYNC)
      continue;
    rows[LOOM_HEALTH_WAITS_WITHOUT_RECORD].n_of++;
    if (event->record < 0) {
      loom_health_checks_count (&rows[LOOM_HEALTH_WAITS_WITHOUT_RECORD], event->span, 0);
      continue;
    }
    if (event->kind != LOOM_HEALTH_EVENT_WAIT)
      continue;
    const LoomHealthEvent *record = g_hash_table_lookup (records, &event->record);
    rows[LOOM_HEALTH_RECORDS_MISSING].n_of++;
    rows[LOOM_HEALTH_RECORDS_LATER].n_of++;
    if (record == NULL)
      loom_health_checks_count (&rows[LOOM_HEALTH_RECORDS_MISSING], event->span, 0);
    else if (record->begin_ns > event->begin_ns)
      loom_health_checks_count (&rows[LOOM_HEALTH_RECORDS_LATER], event->span, record->begin_ns - event->begin_ns);
  }
}

/* A kernel or a synchronization of a stream. Elements are sorted by device, stream and start. */
typedef struct {
  gint64 device, stream, begin_ns;
  const LoomHealthEvent *event;
} OnStream;

static int
compare_on_stream (gconstpointer a, gconstpointer b)
{
  const OnStream *x = a, *y = b;
  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  if (x->stream != y->stream)
    return x->stream < y->stream ? -1 : 1;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

/* Counts synchronizations that begin while a kernel of their stream still runs. Kernels of a stream run one after the
 * other, so only the last kernel that began before the synchronization is examined. */
static void
check_syncs (const LoomHealthEvents *events, LoomHealthRow *row)
{
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (OnStream));
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    const OnStream one = { event->device, event->stream, event->begin_ns, event };
    row->n_of += event->kind == LOOM_HEALTH_EVENT_SYNC;
    if (event->kind == LOOM_HEALTH_EVENT_SYNC || event->is_kernel)
      g_array_append_val (line, one);
  }
  if (row->n_of == 0)
    return;
  g_array_sort (line, compare_on_stream);
  const OnStream *kernel = NULL;
  for (guint i = 0; i < line->len; i++) {
    const OnStream *one = &g_array_index (line, OnStream, i);
    if (one->event->is_kernel)
      kernel = one;
    else if (kernel != NULL && kernel->device == one->device && kernel->stream == one->stream &&
             kernel->begin_ns < one->begin_ns && kernel->event->end_ns > one->begin_ns)
      loom_health_checks_count (row, one->event->span, kernel->event->end_ns - one->begin_ns);
  }
}

/* --- checks of the args of events --------------------------------------------------------------------------------- */

static void
check_fields (const LoomHealthEvents *events, const LoomTrace *trace, LoomHealthRow *collectives,
              LoomHealthRow *backward)
{
  g_autoptr (GHashTable) names = new_table (), bad = new_table ();
  for (guint i = 0; i < events->events->len; i++) {
    const LoomHealthEvent *event = get_event (events, i);
    if (event->kind == LOOM_HEALTH_EVENT_COLLECTIVE) {
      collectives->n_of++;
      if (event->lacks_fields)
        loom_health_checks_count (collectives, event->span, 0);
    }
    if (event->kind != LOOM_HEALTH_EVENT_BACKWARD || event->sequence == LOOM_HEALTH_NONE || event->sequence == 0)
      continue;
    const LoomHealthEvent *known = g_hash_table_lookup (names, &event->sequence);
    if (known == NULL) {
      keep_earliest (names, &event->sequence, event);
      backward->n_of++;
    } else if (strcmp (loom_trace_get_name (trace, known->name_id)->text,
                       loom_trace_get_name (trace, event->name_id)->text) != 0 &&
               !g_hash_table_contains (bad, &event->sequence)) {
      keep_earliest (bad, &event->sequence, event);
      loom_health_checks_count (backward, event->span, 0);
    }
  }
}

void
loom_health_checks_of_events (const LoomHealthEvents *events, const LoomTrace *trace, LoomHealthRow *rows)
{
  g_autofree guint8 *examined = check_early (events, &rows[LOOM_HEALTH_EARLY_KERNELS]);
  g_autoptr (GHashTable) called = index_calls (events);
  check_correlations (events, called, trace, &rows[LOOM_HEALTH_KERNELS_WITHOUT_LAUNCH],
                      &rows[LOOM_HEALTH_LAUNCHES_WITHOUT_KERNEL]);
  check_mixed (events, &rows[LOOM_HEALTH_MIXED_RANKS]);
  /* if several ranks use the same correlation ids, the call with the id of a kernel may belong to another rank */
  if (rows[LOOM_HEALTH_MIXED_RANKS].n == 0)
    check_early_works (events, called, examined, &rows[LOOM_HEALTH_EARLY_WORKS]);
  check_waits (events, rows);
  check_syncs (events, &rows[LOOM_HEALTH_KERNELS_AT_SYNC]);
  check_fields (events, trace, &rows[LOOM_HEALTH_COLLECTIVE_FIELDS], &rows[LOOM_HEALTH_BACKWARD_NUMBERS]);
}

/* --- checks of nesting and overlaps ------------------------------------------------------------------------------- */

typedef struct {
  gint64 begin_ns, end_ns;
  guint32 span;
} Stretch;

/* Spans are sorted by start. If starts are equal, the longest span comes first, so that a span comes before the spans
 * inside it. */
#define IS_BEFORE(a, b)                                           \
  ((a)->begin_ns != (b)->begin_ns ? (a)->begin_ns < (b)->begin_ns \
   : (a)->end_ns != (b)->end_ns   ? (a)->end_ns > (b)->end_ns     \
                                  : (a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_stretches, Stretch, IS_BEFORE)

/* States whether a span counts as work of a device or of the host. This depends on the category of the span, and not on
 * its track, because device work may be on tracks that are not marked as tracks of a device. The profiler's own span of
 * the whole recording counts as neither. */
typedef enum { OF_DEVICE, OF_HOST, OF_NOBODY, N_SIDES } Side;

static guint8 *
new_sides (const LoomTrace *trace, gboolean device)
{
  const guint8 *own = loom_work_kind_of_names (trace, device), *host = loom_work_kind_of_names (trace, FALSE);
  guint8 *sides = g_new (guint8, loom_trace_get_n_names (trace) + 1);
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++) {
    gboolean works = own[i] < LOOM_WORK_KIND_DEVICE_OTHER, encloses = own[i] == LOOM_WORK_KIND_DEVICE_OTHER;
    gboolean whole = strcmp (loom_trace_get_name (trace, i)->category, "Trace") == 0;
    gboolean on_host = host[i] > LOOM_WORK_KIND_DEVICE_OTHER && host[i] < (device ? LOOM_WORK_KIND_OTHER : LOOM_N_WORK);
    sides[i] = works ? OF_DEVICE : on_host && !encloses && !whole ? OF_HOST : OF_NOBODY;
  }
  return sides;
}

/* Returns the spans of a track that count as work of `side`, sorted by start. */
static GArray *
gather (const LoomTrace *trace, const LoomTrack *track, const guint8 *sides, Side side)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Stretch));
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      const Stretch one = { spans->start_ns[i], loom_time_add (spans->start_ns[i], spans->dur_ns[i]), i };
      if (sides[spans->name_id[i]] == side)
        g_array_append_val (found, one);
    }
  }
  sort_stretches ((Stretch *) (gpointer) found->data, found->len);
  return found;
}

/* Counts spans that are not nested: they start inside another span but end after it. `spans` is sorted by start;
 * `stack` contains the spans that are open at the start of the current span. */
static void
check_nesting (const GArray *spans, LoomHealthRow *row)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Stretch));
  for (guint i = 0; i < spans->len; i++) {
    const Stretch *one = &g_array_index (spans, Stretch, i);
    while (stack->len > 0 && g_array_index (stack, Stretch, stack->len - 1).end_ns <= one->begin_ns)
      g_array_set_size (stack, stack->len - 1);
    gint64 around_ns = stack->len > 0 ? g_array_index (stack, Stretch, stack->len - 1).end_ns : G_MAXINT64;
    if (one->end_ns > around_ns)
      loom_health_checks_count (row, one->span, one->end_ns - around_ns);
    g_array_append_val (stack, *one);
  }
}

/* Counts the spans that start while an earlier span still runs. `spans` must be sorted by start. */
static void
check_overlaps (const GArray *spans, LoomHealthRow *row)
{
  gint64 end_ns = G_MININT64;
  for (guint i = 0; i < spans->len; i++) {
    const Stretch *one = &g_array_index (spans, Stretch, i);
    if (one->begin_ns < end_ns)
      loom_health_checks_count (row, one->span, end_ns - one->begin_ns);
    end_ns = MAX (end_ns, one->end_ns);
  }
}

typedef struct {
  guint64 n[N_SIDES];
  gint64 overhead_ns;
  /* TRUE if the track has several lanes, which means that some of its spans overlap without being nested */
  gboolean has_lanes;
} TrackSums;

static TrackSums
sum_track (const LoomTrace *trace, const LoomTrack *track, const guint8 *sides, const guint8 *works,
           LoomHealthRow *overhead)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  TrackSums sums = { 0 };
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    sums.has_lanes |= row->lane > 0;
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      sums.n[sides[spans->name_id[i]]]++;
      if (works[spans->name_id[i]] != LOOM_WORK_KIND_OVERHEAD)
        continue;
      loom_health_checks_count (overhead, i, spans->dur_ns[i]);
      sums.overhead_ns = loom_time_add (sums.overhead_ns, spans->dur_ns[i]);
    }
  }
  return sums;
}

/* Counts overlaps that must not exist. First, host spans of a thread must be nested. Spans that are not nested were put
 * into separate lanes (groups of rows) of their track, so only tracks with several lanes are examined. Second, device
 * work of a stream must not overlap. Spans that overlap were put into separate rows of their track, so only tracks with
 * several rows are examined. */
static void
check_track (const LoomTrace *trace, const LoomTrack *track, const guint8 *sides, const TrackSums *sums, gboolean nests,
             LoomHealthRow *rows)
{
  if (nests)
    rows[LOOM_HEALTH_NESTING].n_of += sums->n[OF_HOST];
  rows[LOOM_HEALTH_STREAM_OVERLAPS].n_of += sums->n[OF_DEVICE];
  if (nests && sums->n[OF_HOST] > 0 && sums->has_lanes) {
    g_autoptr (GArray) spans = gather (trace, track, sides, OF_HOST);
    check_nesting (spans, &rows[LOOM_HEALTH_NESTING]);
  }
  if (sums->n[OF_DEVICE] > 0 && track->n_rows > 1) {
    g_autoptr (GArray) spans = gather (trace, track, sides, OF_DEVICE);
    check_overlaps (spans, &rows[LOOM_HEALTH_STREAM_OVERLAPS]);
  }
}

/* Returns TRUE if a trace has operators or calls of a runtime. Such spans are calls of functions, so they must be
 * nested. Other spans, such as phases of a job, may overlap. */
static gboolean
has_calls (const LoomTrace *trace, const guint8 *works)
{
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    if (works[i] == LOOM_WORK_KIND_OPERATOR || works[i] == LOOM_WORK_KIND_RUNTIME)
      return TRUE;
  return FALSE;
}

void
loom_health_checks_of_spans (const LoomTrace *trace, LoomHealthRow *rows)
{
  const guint8 *works = loom_work_kind_of_names (trace, FALSE);
  g_autofree guint8 *device_sides = new_sides (trace, TRUE), *host_sides = new_sides (trace, FALSE);
  gint64 overhead_ns = 0;
  gboolean nests = has_calls (trace, works);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    const guint8 *sides = loom_trace_track_is_device (track) ? device_sides : host_sides;
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & LOOM_TRACK_DERIVED) != 0)
      continue;
    TrackSums sums = sum_track (trace, track, sides, works, &rows[LOOM_HEALTH_OVERHEAD]);
    check_track (trace, track, sides, &sums, nests, rows);
    overhead_ns = loom_time_add (overhead_ns, sums.overhead_ns);
  }
  /* in this check, worst_ns is the total time of the counted spans */
  rows[LOOM_HEALTH_OVERHEAD].worst_ns = overhead_ns;
}
