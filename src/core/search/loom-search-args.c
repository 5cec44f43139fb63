/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-search-args.h: reads args from files in an order that is fast. In memory, spans are sorted by track
 * and time; the JSON texts of their events, which contain the args, are in the order of the file. So the spans to read
 * are divided into portions, each of which is sorted by file position before it is read. A compressed file is thus
 * decompressed once per portion, not once per span. The first portion is small, so that the first hits are found soon.
 */
#include "loom-search-args.h"

#include "loom-block-cache.h"
#include "loom-error.h"
#include "loom-merge-sort.h"
#include "loom-parallel.h"
#include "loom-progress-cancellable.h"
#include "loom-search.h"

#include <stdatomic.h>

#define FIRST_PORTION (1u << 14)
#define MOST_PORTION (1u << 21)
/* factor by which the number of spans grows from each portion (spans whose args are read together) to the next, up to
 * MOST_PORTION */
#define GROWS 4
/* number of spans that a thread reads at a time, as one item of work; hits are reported after each item */
#define PIECE_SPANS 2048
#define MOST_THREADS 16
#define MOST_BLOCKS 64       /* maximum number of file blocks that each thread caches: 5 MB */
#define TELL_FIRST_US 100000 /* time from the start of the search to the first report of partial results */
#define TELL_AGAIN_US 400000 /* minimum time between two reports of partial results */
#define TELL_SHARE 10        /* reports take at most 1/TELL_SHARE of the search's time */

static _Atomic gint64 tell_first_us = TELL_FIRST_US;

typedef struct {
  /* position of the event's JSON text: source << LOOM_REF_OFFSET_BITS | byte offset in the file (a LoomRef without its
   * flags). The events whose texts are read together are sorted by it */
  guint64 place;
  guint32 span;
} Waiting;

typedef struct {
  const LoomArgsSearch *search;
  guint trace;
  GArray *portion; /* Waiting: the spans whose args are read next, sorted by `place` (file position) */
  LoomBlockCache *caches[MOST_THREADS];
  GMutex lock; /* protects the members below */
  GArray *hits;
  guint64 n_found, n_unread;
  gint64 tell_us; /* time of the monotonic clock, in µs, before which no partial results are reported */
} Reading;

#define IS_BEFORE(a, b) ((a)->place < (b)->place)
LOOM_DEFINE_SORT (sort_waiting, Waiting, IS_BEFORE)

#define IS_EARLIER(a, b) ((a)->trace != (b)->trace ? (a)->trace < (b)->trace : (a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_hits, LoomSpanId, IS_EARLIER)

static LoomTrace *
trace_of (const LoomArgsSearch *search, guint trace)
{
  return loom_run_get_trace (loom_timeline_get_run (search->timeline), trace);
}

static gboolean
is_over (const LoomArgsSearch *search)
{
  return g_cancellable_is_cancelled (search->cancellable);
}

/* --- telling ------------------------------------------------------------------------------------------------------ */

static GArray *
sorted_copy (const GArray *hits)
{
  GArray *copy = g_array_copy ((GArray *) hits);
  sort_hits ((LoomSpanId *) (gpointer) copy->data, copy->len);
  return copy;
}

/* Reports the hits so far, unless the last report was too recent. The caller holds reading->lock. */
static void
tell (Reading *reading)
{
  gint64 now_us = g_get_monotonic_time ();
  const LoomArgsSearch *search = reading->search;
  if (search->tell == NULL || now_us < reading->tell_us || is_over (search))
    return;
  search->tell (sorted_copy (reading->hits), reading->n_found, reading->n_unread, search->user_data);
  gint64 took_us = g_get_monotonic_time () - now_us;
  reading->tell_us = now_us + MAX (TELL_AGAIN_US, took_us * TELL_SHARE);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomSpanId hits[PIECE_SPANS];
  guint n, n_unread;
} Found;

/* Reads the event at `ref` and tests its args with the filters that have not matched yet. `still`: for each filter,
 * TRUE if the filter has not matched yet; set to FALSE for each filter that matches now. A span that was recorded as a
 * begin event and an end event has args in both events, so this function must be called for both events. Returns FALSE
 * if the text of the event cannot be read. */
static gboolean
look_into (Reading *reading, LoomBlockCache *cache, const LoomTrace *trace, LoomRef ref, guint8 *still, GString *room)
{
  LoomEvent event;
  g_autoptr (GError) error = NULL;
  const GPtrArray *filters = loom_search_query_get_filters (reading->search->query);
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (ref));
  if (source->text == NULL)
    return TRUE;
  if (!loom_block_cache_read (cache, source->text, loom_source_ref_offset (ref), &event, &error))
    return !g_error_matches (error, LOOM_ERROR, LOOM_ERROR_READ);
  for (guint i = 0; i < filters->len; i++)
    still[i] =
      still[i] && !loom_arg_filter_matches (g_ptr_array_index (filters, i), event.member[LOOM_MEMBER_ARGS], room);
  return TRUE;
}

/* Returns TRUE if every filter matches the args of the span. A span that was recorded as a begin and an end event
 * passes a filter if the args of at least one of the two events match. */
static gboolean
fits (Reading *reading, LoomBlockCache *cache, const LoomTrace *trace, guint32 span, GString *room, gboolean *readable)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint n = loom_search_query_get_filters (reading->search->query)->len, n_missing = 0;
  guint8 *still = g_newa (guint8, n);
  memset (still, TRUE, n);
  *readable = look_into (reading, cache, trace, spans->ref[span], still, room);
  LoomRef end =
    loom_source_ref_flags (spans->ref[span]) & LOOM_REF_END ? loom_trace_get_end_ref (trace, span) : LOOM_REF_NONE;
  if (end != LOOM_REF_NONE)
    *readable &= look_into (reading, cache, trace, end, still, room);
  for (guint i = 0; i < n; i++)
    n_missing += still[i];
  return n_missing == 0;
}

static void
take (Reading *reading, const Found *found)
{
  g_mutex_lock (&reading->lock);
  reading->n_found += found->n;
  reading->n_unread += found->n_unread;
  g_array_append_vals (reading->hits, found->hits, MIN (found->n, LOOM_SEARCH_MAX_HITS - reading->hits->len));
  tell (reading);
  g_mutex_unlock (&reading->lock);
}

static void
read_piece (guint item, guint worker, gpointer data)
{
  Reading *reading = data;
  const LoomTrace *trace = trace_of (reading->search, reading->trace);
  const Waiting *waiting = (const Waiting *) (gpointer) reading->portion->data;
  guint first = item * PIECE_SPANS, end = MIN (reading->portion->len, first + PIECE_SPANS);
  g_autoptr (GString) room = g_string_new (NULL);
  g_autofree Found *found = g_new (Found, 1);
  found->n = found->n_unread = 0;
  for (guint i = first; i < end && !is_over (reading->search); i++) {
    gboolean readable;
    if (fits (reading, reading->caches[worker], trace, waiting[i].span, room, &readable))
      found->hits[found->n++] = (LoomSpanId) { reading->trace, waiting[i].span };
    found->n_unread += !readable;
  }
  loom_progress_cancellable_add_done (reading->search->cancellable, end - first);
  take (reading, found);
}

static void
read_portion (Reading *reading)
{
  guint n_pieces = (reading->portion->len + PIECE_SPANS - 1) / PIECE_SPANS;
  guint n_threads = MIN (loom_parallel_resolve (0), MOST_THREADS);
  sort_waiting ((Waiting *) (gpointer) reading->portion->data, reading->portion->len);
  for (guint i = 0; i < n_threads; i++)
    reading->caches[i] = loom_block_cache_new_small (MOST_BLOCKS);
  loom_parallel_for (n_pieces, n_threads, read_piece, reading, NULL);
  for (guint i = 0; i < n_threads; i++)
    g_clear_pointer (&reading->caches[i], loom_block_cache_free);
  g_array_set_size (reading->portion, 0);
}

/* --- gathering ---------------------------------------------------------------------------------------------------- */

static void
read_trace (Reading *reading, guint *portion)
{
  const LoomSpans *spans = loom_trace_get_spans (trace_of (reading->search, reading->trace));
  const guint8 *wanted = g_ptr_array_index (reading->search->names, reading->trace);
  for (guint32 i = 0; i < spans->n && !is_over (reading->search); i++) {
    if (!wanted[spans->name_id[i]] || spans->ref[i] == LOOM_REF_NONE ||
        !loom_search_query_matches_duration (reading->search->query, spans->dur_ns[i]))
      continue;
    Waiting one = { (guint64) loom_source_ref_source (spans->ref[i]) << LOOM_REF_OFFSET_BITS |
                      loom_source_ref_offset (spans->ref[i]),
                    i };
    g_array_append_val (reading->portion, one);
    if (reading->portion->len < *portion)
      continue;
    read_portion (reading);
    *portion = MIN (*portion * GROWS, MOST_PORTION);
  }
  if (!is_over (reading->search))
    read_portion (reading);
}

static guint64
count_wanted (const LoomSearchQuery *query, const LoomSpans *spans, const guint8 *wanted)
{
  guint64 n = 0;
  for (guint32 i = 0; wanted != NULL && i < spans->n; i++)
    n += wanted[spans->name_id[i]] && spans->ref[i] != LOOM_REF_NONE &&
         loom_search_query_matches_duration (query, spans->dur_ns[i]);
  return n;
}

void
loom_search_args_set_patience (gint64 patience_us)
{
  atomic_store (&tell_first_us, patience_us);
}

GArray *
loom_search_args (const LoomArgsSearch *search, guint64 *n_found, guint64 *n_unread)
{
  Reading reading = { .search = search, .tell_us = g_get_monotonic_time () + atomic_load (&tell_first_us) };
  guint n_traces = search->names->len, portion = FIRST_PORTION;
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  reading.portion = g_array_new (FALSE, FALSE, sizeof (Waiting));
  reading.hits = hits;
  g_mutex_init (&reading.lock);
  for (guint i = 0; i < n_traces; i++)
    if (g_ptr_array_index (search->names, i) != NULL)
      loom_progress_cancellable_add_total (search->cancellable,
                                           count_wanted (search->query, loom_trace_get_spans (trace_of (search, i)),
                                                         g_ptr_array_index (search->names, i)));
  for (reading.trace = 0; reading.trace < n_traces; reading.trace++)
    if (g_ptr_array_index (search->names, reading.trace) != NULL)
      read_trace (&reading, &portion);
  g_mutex_clear (&reading.lock);
  g_array_unref (reading.portion);
  *n_found = reading.n_found;
  *n_unread = reading.n_unread;
  return sorted_copy (hits);
}
