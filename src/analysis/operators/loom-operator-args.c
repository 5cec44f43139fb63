/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-operator-args.h"

#include "loom-block-cache.h"
#include "loom-merge-sort.h"
#include "loom-parallel.h"
#include "loom-span-walk.h"

#define PIECE_CALLS 2048 /* number of calls in a piece; a thread reads one piece after another */
#define MOST_THREADS 16
/* Number of blocks of the files that each thread caches. Calls are read in the order of the files, so a block is needed
 * only until the next one. */
#define MOST_BLOCKS 2

typedef struct {
  /* sort key for the order of the files: source of the call, then offset in the source's file */
  guint64 place;
  guint32 span;
  guint32 number; /* result of LoomOperatorArgsFunc for the args of the call */
} Call;

#define IS_EARLIER_IN_FILE(a, b) ((a)->place < (b)->place)
LOOM_DEFINE_SORT (sort_by_place, Call, IS_EARLIER_IN_FILE)

#define IS_EARLIER(a, b) ((a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_by_span, LoomSpanShape, IS_EARLIER)

typedef struct {
  LoomTrace *trace;
  const LoomSpans *spans;
  GArray *calls; /* Call: the calls whose args are read */
  LoomBlockCache *caches[MOST_THREADS];
  LoomOperatorArgsFunc func;
  gpointer data;
  GCancellable *cancellable;
} Reading;

/* --- gathering the operators -------------------------------------------------------------------------------------- */

static void
add_row (Reading *reading, const LoomRow *row, const guint8 *wanted, LoomRange local)
{
  const LoomSpans *spans = reading->spans;
  guint32 first = row->first + loom_trace_row_first_ending_after (reading->trace, row, local.begin_ns),
          end = row->first + loom_trace_row_lower_bound (reading->trace, row, local.end_ns);
  for (guint32 i = first; i < end; i++) {
    if (!wanted[spans->name_id[i]] || spans->ref[i] == LOOM_REF_NONE)
      continue;
    Call call = { (guint64) loom_source_ref_source (spans->ref[i]) << LOOM_REF_OFFSET_BITS |
                    loom_source_ref_offset (spans->ref[i]),
                  i, 0 };
    g_array_append_val (reading->calls, call);
  }
}

static void
add_tracks (Reading *reading, LoomTimeline *timeline, guint number, LoomRange range, const guint8 *wanted)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (reading->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (reading->trace, i);
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) != 0)
      continue;
    LoomRange local = loom_span_walk_get_local (timeline, number, track, range);
    for (guint k = 0; k < track->n_rows; k++)
      add_row (reading, loom_trace_get_row (reading->trace, track->first_row + k), wanted, local);
  }
}

/* --- reading the args --------------------------------------------------------------------------------------------- */

static guint32
read_call (Reading *reading, LoomBlockCache *cache, guint32 span)
{
  LoomEvent event;
  LoomRef ref = reading->spans->ref[span];
  const LoomSource *source = loom_trace_get_source (reading->trace, loom_source_ref_source (ref));
  if (source->text == NULL || !loom_block_cache_read (cache, source->text, loom_source_ref_offset (ref), &event, NULL))
    return 0;
  return reading->func (event.member[LOOM_MEMBER_ARGS], span, reading->data);
}

static void
read_piece (guint item, guint worker, gpointer data)
{
  Reading *reading = data;
  guint first = item * PIECE_CALLS, end = MIN (reading->calls->len, first + PIECE_CALLS);
  for (guint i = first; i < end && !g_cancellable_is_cancelled (reading->cancellable); i++) {
    Call *call = &g_array_index (reading->calls, Call, i);
    call->number = read_call (reading, reading->caches[worker], call->span);
  }
}

static void
read_calls (Reading *reading)
{
  guint n_threads = MIN (loom_parallel_resolve (0), MOST_THREADS);
  sort_by_place ((Call *) (gpointer) reading->calls->data, reading->calls->len);
  for (guint i = 0; i < n_threads; i++)
    reading->caches[i] = loom_block_cache_new_small (MOST_BLOCKS);
  loom_parallel_for ((reading->calls->len + PIECE_CALLS - 1) / PIECE_CALLS, n_threads, read_piece, reading, NULL);
  for (guint i = 0; i < n_threads; i++)
    loom_block_cache_free (reading->caches[i]);
}

GArray *
loom_operator_args_read (LoomTimeline *timeline, guint trace, LoomRange range, const guint8 *wanted,
                         LoomOperatorArgsFunc func, gpointer data, guint64 *n_read, GCancellable *cancellable)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (Call));
  Reading reading = { .trace = loom_run_get_trace (loom_timeline_get_run (timeline), trace),
                      .calls = calls,
                      .func = func,
                      .data = data,
                      .cancellable = cancellable };
  reading.spans = loom_trace_get_spans (reading.trace);
  add_tracks (&reading, timeline, trace, range, wanted);
  read_calls (&reading);
  *n_read += calls->len;
  if (g_cancellable_is_cancelled (cancellable))
    return NULL;
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (LoomSpanShape));
  for (guint i = 0; i < calls->len; i++) {
    const Call *call = &g_array_index (calls, Call, i);
    LoomSpanShape shape = { call->span, call->number };
    if (shape.shape != 0)
      g_array_append_val (shapes, shape);
  }
  sort_by_span ((LoomSpanShape *) (gpointer) shapes->data, shapes->len);
  return shapes;
}
