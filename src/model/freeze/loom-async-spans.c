/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs the begin and end events of async spans. The records are sorted by key, then time. All records with the same
 * key form a group, for which there is a list of open begin events. The two generations of async events in the Chrome
 * trace format (b, n, e; and the older S, T, p, F) differ in which begin event an end event closes, and in what happens
 * to events without a partner.
 */
#include "loom-async-spans.h"

#include "loom-int64-hash.h"
#include "loom-merge-sort.h"

#include <string.h>

/* Maximum number of open begin events that are searched for the one that an end event closes. Spans of real traces are
 * not nested so deeply; the limit bounds the time that malicious input takes. */
#define MOST_OPEN_SEARCHED 512

#define BY_KEY(a, b) ((a)->key < (b)->key || ((a)->key == (b)->key && (a)->time_ns < (b)->time_ns))

LOOM_DEFINE_SORT (sort_by_key, LoomAsyncRecord, BY_KEY)

/* Compares events by their order in the files. */
#define BY_PLACE(a, b)                                                        \
  (loom_source_ref_source ((a)->ref) < loom_source_ref_source ((b)->ref) ||   \
   (loom_source_ref_source ((a)->ref) == loom_source_ref_source ((b)->ref) && \
    loom_source_ref_offset ((a)->ref) < loom_source_ref_offset ((b)->ref)))

LOOM_DEFINE_SORT (sort_by_place, LoomRecord, BY_PLACE)

typedef struct {
  LoomAsyncSpans *async;
  LoomTraceBuilder *builder;
  const gint64 *end_of_source;
  GHashTable *tracks;       /* process << 32 | text id → LoomAsyncTrack * */
  GArray *open;             /* LoomAsyncRecord: begin events that are open, among the events with the current key */
  gint64 first_ns, last_ns; /* times of the first and the last event with the current key */
  /* id of the text that is used instead of further names after the limit of tracks was reached; 0: not added yet */
  guint32 rest_text_id;
} Work;

static void
free_track (gpointer data)
{
  LoomAsyncTrack *track = data;
  g_clear_pointer (&track->spans, g_array_unref);
  g_clear_pointer (&track->end_refs, g_array_unref);
  g_free (track);
}

static guint32
text_of (const Work *work, guint32 name_id)
{
  return loom_name_interner_get (&work->builder->names, name_id)->text_id;
}

static guint
owner_of (const Work *work, const LoomAsyncRecord *record)
{
  return loom_trace_builder_peek_process (work->builder, record->process)->source;
}

/* Returns the id of the text that is used instead of all names beyond the limit of tracks. */
static guint32
rest_text (Work *work)
{
  if (work->rest_text_id != 0)
    return work->rest_text_id;
  g_autofree char *label = loom_trace_builder_dup_rest_label (work->builder);
  return work->rest_text_id =
           text_of (work, loom_name_interner_intern (&work->builder->names, label, strlen (label), "", 0, "", 0));
}

static void
count (Work *work, LoomIssue issue, const LoomAsyncRecord *record)
{
  loom_problem_counts_add (&work->async->tally, issue, record->ref, owner_of (work, record));
}

static LoomAsyncTrack *
get_track (Work *work, const LoomAsyncRecord *record)
{
  guint64 process = (guint64) record->process << 32;
  guint32 text_id = text_of (work, record->name_id);
  guint64 key = process | text_id;
  LoomAsyncTrack *track = g_hash_table_lookup (work->tracks, &key);
  gboolean is_rest = track == NULL && work->async->tracks->len >= work->builder->most_tracks;
  if (G_UNLIKELY (is_rest)) {
    text_id = rest_text (work);
    key = process | text_id;
    track = g_hash_table_lookup (work->tracks, &key);
  }
  if (track != NULL)
    return track;
  if (is_rest)
    count (work, LOOM_ISSUE_TOO_MANY_TRACKS, record);
  track = g_new0 (LoomAsyncTrack, 1);
  track->process = record->process;
  track->text_id = text_id;
  track->spans = g_array_new (FALSE, FALSE, sizeof (LoomRecord));
  track->end_refs = g_array_new (FALSE, FALSE, sizeof (LoomEndRef));
  g_ptr_array_add (work->async->tracks, track);
  g_hash_table_insert (work->tracks, g_memdup2 (&key, sizeof key), track);
  return track;
}

static void
add_span (Work *work, const LoomAsyncRecord *begin, gint64 start_ns, gint64 end_ns, guint flags)
{
  LoomRef ref = begin->ref == LOOM_REF_NONE ? begin->ref : begin->ref | loom_source_ref_make (0, flags, 0);
  LoomRecord span = { start_ns, MAX (loom_time_sub (end_ns, start_ns), 0), ref, begin->name_id, LOOM_RECORD_SPAN };
  g_array_append_val (get_track (work, begin)->spans, span);
}

/* Adds a span. The args of its end event are not read here, but only when the args of the span are shown. */
static void
add_pair (Work *work, const LoomAsyncRecord *begin, const LoomAsyncRecord *end)
{
  add_span (work, begin, begin->time_ns, end->time_ns, end->ref != LOOM_REF_NONE ? LOOM_REF_END : 0);
  if (begin->ref == LOOM_REF_NONE || end->ref == LOOM_REF_NONE)
    return;
  LoomEndRef refs = {
    loom_source_ref_make (loom_source_ref_source (begin->ref), 0, loom_source_ref_offset (begin->ref)), end->ref
  };
  g_array_append_val (get_track (work, begin)->end_refs, refs);
}

static void
add_point (Work *work, const LoomAsyncRecord *record)
{
  LoomChunkList *instants = &loom_trace_builder_peek_process (work->builder, record->process)->instants;
  LoomRecord *instant = loom_chunk_list_append (instants, sizeof *instant);
  gint64 marks = (gint64) record->phase | (gint64) 'p' << 8;
  *instant = (LoomRecord) { record->time_ns, marks, record->ref, record->name_id, LOOM_RECORD_SPAN };
}

static LoomAsyncRecord *
open_at (Work *work, guint i)
{
  return &g_array_index (work->open, LoomAsyncRecord, i);
}

/* Returns the index in `open` of the begin event that an end event closes: the last one with the same name or, if the
 * end event has no name, the last one of all. If there is none, returns the length of `open`. */
static guint
find_open (Work *work, const LoomAsyncRecord *end)
{
  guint32 text_id = text_of (work, end->name_id);
  guint lowest = work->open->len - MIN (work->open->len, MOST_OPEN_SEARCHED);
  for (guint i = work->open->len; i-- > lowest;) {
    if (text_id == 0 || text_of (work, open_at (work, i)->name_id) == text_id)
      return i;
  }
  return work->open->len;
}

static void
end_nested (Work *work, const LoomAsyncRecord *end)
{
  guint found = find_open (work, end);
  if (found == work->open->len) {
    add_span (work, end, work->first_ns, end->time_ns, 0);
    count (work, LOOM_ISSUE_ORPHAN_ASYNC, end);
    return;
  }
  for (guint i = work->open->len - 1; i > found; i--)
    add_span (work, open_at (work, i), open_at (work, i)->time_ns, end->time_ns, 0);
  add_pair (work, open_at (work, found), end);
  g_array_set_size (work->open, found);
}

static void
end_old (Work *work, const LoomAsyncRecord *end)
{
  if (work->open->len == 0) {
    count (work, LOOM_ISSUE_ORPHAN_ASYNC, end);
    return;
  }
  add_pair (work, open_at (work, work->open->len - 1), end);
  g_array_set_size (work->open, work->open->len - 1);
}

static void
handle (Work *work, const LoomAsyncRecord *record)
{
  switch (record->phase) {
  case 'b':
  case 'S': g_array_append_val (work->open, *record); break;
  case 'e': end_nested (work, record); break;
  case 'F': end_old (work, record); break;
  default:
    if (work->open->len == 0 && (record->phase == 'T' || record->phase == 'p'))
      count (work, LOOM_ISSUE_ORPHAN_ASYNC, record);
    add_point (work, record);
    break;
  }
}

static void
close_rest (Work *work)
{
  for (guint i = 0; i < work->open->len; i++) {
    const LoomAsyncRecord *begin = open_at (work, i);
    guint source = loom_trace_builder_source_of (work->builder, begin->ref, owner_of (work, begin));
    gint64 end_ns = begin->phase == 'S' ? MAX (work->end_of_source[source], work->last_ns) : work->last_ns;
    add_span (work, begin, begin->time_ns, end_ns, LOOM_REF_OPEN);
    count (work, LOOM_ISSUE_OPEN_ASYNC, begin);
  }
  g_array_set_size (work->open, 0);
}

static LoomAsyncRecord *
take_records (LoomTraceBuilder *builder, guint64 n)
{
  for (LoomChunk *chunk = builder->async.first; chunk != NULL; chunk = chunk->next) {
    LoomAsyncRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; chunk->remap != NULL && i < chunk->n; i++) {
      records[i].key = chunk->remap->keys[records[i].key];
      records[i].name_id = chunk->remap->names[records[i].name_id];
      records[i].process = chunk->remap->processes[records[i].process];
    }
  }
  LoomAsyncRecord *flat = g_new (LoomAsyncRecord, n);
  loom_chunk_list_drain (&builder->async, sizeof *flat, flat);
  return flat;
}

/* Sorts the spans of each track by their position in the files, so that spans with equal times get rows in this order.
 * Otherwise the order of keys would determine the rows, and a copy of the file would look different. */
static void
sort_tracks (LoomAsyncSpans *async)
{
  for (guint i = 0; i < async->tracks->len; i++) {
    LoomAsyncTrack *track = async->tracks->pdata[i];
    sort_by_place ((LoomRecord *) (gpointer) track->spans->data, track->spans->len);
  }
}

void
loom_async_spans_init (LoomAsyncSpans *async, LoomTraceBuilder *builder, const gint64 *end_of_source)
{
  guint64 n = builder->async.n;
  *async = (LoomAsyncSpans) { .tracks = g_ptr_array_new_with_free_func (free_track) };
  if (n == 0)
    return;
  g_autofree LoomAsyncRecord *records = take_records (builder, n);
  sort_by_key (records, n);
  g_autoptr (GHashTable) tracks = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (LoomAsyncRecord));
  Work work = { .async = async, .builder = builder, .end_of_source = end_of_source, .tracks = tracks, .open = open };
  for (guint64 first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && records[end].key == records[first].key;)
      end++;
    work.first_ns = records[first].time_ns;
    work.last_ns = records[end - 1].time_ns;
    for (guint64 i = first; i < end; i++)
      handle (&work, &records[i]);
    close_rest (&work);
  }
  sort_tracks (async);
}

void
loom_async_spans_clear (LoomAsyncSpans *async)
{
  g_clear_pointer (&async->tracks, g_ptr_array_unref);
  loom_problem_counts_clear (&async->tally);
}
