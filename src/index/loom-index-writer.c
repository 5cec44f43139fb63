/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes an index file (README.md describes every byte). The interface is described in loom-index-writer.h.
 */
#include "loom-index-writer.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-index-bytes.h"
#include "loom-index-durations.h"
#include "loom-index-file.h"
#include "loom-index-flights.h"
#include "loom-index-places.h"
#include "loom-index-sums.h"
#include "loom-index-times.h"
#include "loom-int64-hash.h"
#include "loom-parallel.h"
#include "loom-string-pool.h"

/* If an index has more than 1 / WANTED_PART of the bytes of the trace files, its long sections are compressed further.
 * An index should have at most 3 % of the bytes of a compressed trace, and 1/36 is slightly less. */
#define WANTED_PART 36

typedef struct {
  const LoomIndexContent *content;
  const LoomTrace *trace;
  guint n_threads; /* maximum number of threads; 0: one per processor */
  LoomStringPool *texts;
  GArray *meetings; /* guint32: indices of the sync events that are written */
  /* array indexed by source: number of spans, sync events and samples that are omitted because their times are
   * implausible */
  guint64 *n_left_out;
  /* LoomRef of a sync event → number in the index of the event's span, plus 1; 0: the span is not written */
  GHashTable *span_of;
  guint32 n_spans;
  guint32 step_span; /* number in the index of the previous span with a step number */
  gint64 step;       /* step number of the span `step_span` */
  /* array indexed by the name id in the trace: number of the name in the index, plus 1; 0: the name is not numbered
   * yet */
  guint32 *name_of;
  GArray *names; /* guint32 elements, indexed by the number of a name in the index: name id in the trace */
  /* arrays indexed by the number of a span in the index. `ranges`: LoomRange, start and end of the span; `span_names`:
   * guint32, number of its name; `ends`: guint8, n if the span ends at the nth known time after its start
   * (loom-index-times.h), otherwise 0 */
  GArray *ranges, *span_names, *ends;
  LoomIndexTimes *times;
  /* array indexed by the track of the trace: number of the track in the index, plus 1; 0: the index does not contain
   * the track */
  guint32 *track_of;
  /* guint32 elements, indexed by the number of a track in the index: the track's number in the trace */
  GArray *tracks;
  GByteArray *sections[LOOM_INDEX_FILE_N_SECTIONS];
} Writer;

/* Returns TRUE if start and duration of an event are plausible. Otherwise counts the event as omitted; it cannot be
 * written, because a reader of the index would take such times for damage. */
static gboolean
note_times (Writer *writer, guint32 track, gint64 start_ns, gint64 dur_ns)
{
  if (loom_index_bytes_is_time (start_ns) && dur_ns >= 0 && loom_index_bytes_is_time (dur_ns))
    return TRUE;
  gboolean known = track < loom_trace_get_n_tracks (writer->trace);
  writer->n_left_out[known ? loom_trace_get_track (writer->trace, track)->source : 0]++;
  return FALSE;
}

/* --- writing texts, names and tracks ------------------------------------------------------------------------------ */

static guint32
number_text (Writer *writer, const char *text)
{
  return loom_string_pool_intern (writer->texts, text != NULL ? text : "", text != NULL ? strlen (text) : 0);
}

static void
put_text (Writer *writer, LoomIndexFileSection section, const char *text)
{
  loom_index_bytes_put (writer->sections[section], number_text (writer, text));
}

/* Writes 1 + the number of a text in the table of texts, or 0 if the text is NULL. */
static void
put_text_or_null (Writer *writer, LoomIndexFileSection section, const char *text)
{
  guint64 number = text != NULL ? (guint64) loom_string_pool_intern (writer->texts, text, strlen (text)) + 1 : 0;
  loom_index_bytes_put (writer->sections[section], number);
}

static guint32
number_name (Writer *writer, guint32 name_id)
{
  if (writer->name_of[name_id] == 0) {
    g_array_append_val (writer->names, name_id);
    writer->name_of[name_id] = writer->names->len;
  }
  return writer->name_of[name_id] - 1;
}

static guint32
number_track (Writer *writer, guint32 track)
{
  if (writer->track_of[track] == 0) {
    g_array_append_val (writer->tracks, track);
    writer->track_of[track] = writer->tracks->len;
  }
  return writer->track_of[track] - 1;
}

/* Writes the names column by column. The number of a text is written as the difference from the number before it in its
 * column: new texts have consecutive numbers, so that most differences are 1. */
static void
put_names (Writer *writer)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_NAMES];
  loom_index_bytes_put (out, writer->names->len);
  for (guint column = 0; column < LOOM_INDEX_FILE_NAME_TEXTS; column++) {
    guint32 before = 0;
    for (guint i = 0; i < writer->names->len; i++) {
      const LoomName *name = loom_trace_get_name (writer->trace, g_array_index (writer->names, guint32, i));
      const char *const texts[] = { name->text, name->category, name->cname };
      guint32 number = number_text (writer, texts[column]);
      loom_index_bytes_put_difference (out, number, before);
      before = number;
    }
  }
}

static void
put_track (Writer *writer, const LoomTrack *track)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_TRACKS];
  loom_index_bytes_put (out, track->kind);
  loom_index_bytes_put (out, track->flags & ~(guint) LOOM_TRACK_RANKLESS);
  loom_index_bytes_put (out, track->source);
  put_text_or_null (writer, LOOM_INDEX_FILE_TRACKS, track->node);
  loom_index_bytes_put_signed (out, track->rank);
  loom_index_bytes_put_signed (out, track->process_sort);
  loom_index_bytes_put_signed (out, track->thread_sort);
  loom_index_bytes_put (out, track->n_events);
  const char *const texts[] = { track->process_key, track->process,  track->thread_key, track->thread,
                                track->name,        track->category, track->id };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    put_text (writer, LOOM_INDEX_FILE_TRACKS, texts[i]);
}

/* Writes in which file a track was recorded, if this is not the file of the track's source. This is the case for tracks
 * of merged files. `number`: number of the track in the index. */
static void
put_recorder (Writer *writer, const LoomTrack *track, guint number)
{
  const LoomSource *source = loom_trace_get_source (writer->trace, track->source);
  if (g_strcmp0 (track->path, source->path) == 0 && g_strcmp0 (track->format, source->format) == 0)
    return;
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_RECORDERS], number);
  put_text (writer, LOOM_INDEX_FILE_RECORDERS, track->path);
  put_text (writer, LOOM_INDEX_FILE_RECORDERS, track->format);
}

static void
put_tracks (Writer *writer)
{
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_TRACKS], writer->tracks->len);
  for (guint i = 0; i < writer->tracks->len; i++) {
    const LoomTrack *track = loom_trace_get_track (writer->trace, g_array_index (writer->tracks, guint32, i));
    put_track (writer, track);
    put_recorder (writer, track, i);
  }
}

/* --- writing sources and clocks ----------------------------------------------------------------------------------- */

static void
put_clocks (Writer *writer)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_CLOCKS];
  guint n = loom_trace_get_n_clocks (writer->trace);
  loom_index_bytes_put (out, n);
  for (guint i = 0; i < n; i++) {
    const LoomDeclaredClock *clock = loom_trace_get_clock (writer->trace, i);
    gboolean has_base = loom_index_bytes_is_time (clock->base_ns),
             has_sync = clock->has_sync && loom_index_bytes_is_time (clock->sync_ns) && clock->sync_error_ns >= -1 &&
                        loom_index_bytes_is_time (clock->sync_error_ns);
    loom_index_bytes_put (out, has_base ? clock->state : LOOM_CLOCK_NONE);
    put_text (writer, LOOM_INDEX_FILE_CLOCKS, clock->basis);
    loom_index_bytes_put_signed (out, has_base ? clock->base_ns : 0);
    loom_index_bytes_put (out, has_sync);
    loom_index_bytes_put_signed (out, has_sync ? clock->sync_ns : 0);
    loom_index_bytes_put_signed (out, has_sync ? clock->sync_error_ns : 0);
    loom_index_bytes_put_signed (out, has_sync ? clock->sync_order : 0);
    put_text (writer, LOOM_INDEX_FILE_CLOCKS, has_sync ? clock->sync_group : clock->domain);
    put_text_or_null (writer, LOOM_INDEX_FILE_CLOCKS, clock->sync_cycle);
  }
}

static void
put_problem (Writer *writer, const LoomProblem *problem)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_SOURCES];
  loom_index_bytes_put (out, problem->severity);
  loom_index_bytes_put (out, problem->count);
  loom_index_bytes_put (out, problem->offset + 1); /* plus 1, so that LOOM_OFFSET_NONE (all bits set) becomes 0 */
  put_text (writer, LOOM_INDEX_FILE_SOURCES, problem->code);
  put_text (writer, LOOM_INDEX_FILE_SOURCES, problem->message);
}

static void
put_problems (Writer *writer, const LoomImportLog *log, guint64 n_left_out)
{
  g_autofree char *message = g_strdup (N_ (
    "An event is not in the index, because its time is more than 73 years from 1970, or its duration is longer than that"));
  const LoomProblem left_out = { .severity = LOOM_SEVERITY_WARNING,
                                 .code = "index-times",
                                 .offset = LOOM_OFFSET_NONE,
                                 .count = n_left_out,
                                 .message = message };
  guint n = loom_import_log_get_n_problems (log);
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_SOURCES], (guint64) n + (n_left_out > 0));
  for (guint i = 0; i < n; i++)
    put_problem (writer, loom_import_log_get_problem (log, i));
  if (n_left_out > 0)
    put_problem (writer, &left_out);
}

static void
put_source (Writer *writer, const LoomSource *source, guint64 n_left_out)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_SOURCES];
  const guint64 counts[] = { source->clock,      source->n_bytes,    source->n_events, source->n_spans,
                             source->n_instants, source->n_counters, source->n_flows };
  put_text (writer, LOOM_INDEX_FILE_SOURCES, source->format);
  put_text_or_null (writer, LOOM_INDEX_FILE_SOURCES, source->node);
  loom_index_bytes_put_signed (out, source->rank);
  loom_index_bytes_put (out, source->incomplete);
  loom_index_bytes_put_signed (out, source->base_ns);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    loom_index_bytes_put (out, counts[i]);
  put_problems (writer, source->log, n_left_out);
}

static void
put_sources (Writer *writer)
{
  guint n = loom_trace_get_n_sources (writer->trace);
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_SOURCES], n);
  for (guint i = 0; i < n; i++)
    put_source (writer, loom_trace_get_source (writer->trace, i), writer->n_left_out[i]);
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* Writes the step number of the span that is written next. */
static void
put_step (Writer *writer, gint64 step)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_STEP_NUMBERS];
  loom_index_bytes_put (out, writer->n_spans - writer->step_span);
  loom_index_bytes_put_difference (out, step, writer->step);
  writer->step_span = writer->n_spans;
  writer->step = step;
}

/* Assigns the next number to a span that is being written. If the span has a sync event, stores the number in
 * `span_of`; the key is the LoomRef of the event. */
static void
number_span (Writer *writer, LoomRef ref)
{
  const gint64 *step = ref != LOOM_REF_NONE ? g_hash_table_lookup (writer->content->step_numbers, &ref) : NULL;
  if (step != NULL)
    put_step (writer, *step);
  writer->n_spans++;
  if (ref != LOOM_REF_NONE && g_hash_table_contains (writer->span_of, &ref))
    g_hash_table_insert (writer->span_of, g_memdup2 (&ref, sizeof ref), GUINT_TO_POINTER (writer->n_spans));
}

static void
list_meetings (Writer *writer)
{
  guint32 n;
  const LoomSyncEvent *all = loom_trace_get_meetings (writer->trace, &n);
  writer->span_of = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < writer->content->meetings->len; i++) {
    guint32 number = g_array_index (writer->content->meetings, guint32, i);
    const LoomSyncEvent *meeting = &all[number];
    if (!note_times (writer, meeting->track, meeting->start_ns, loom_time_sub (meeting->end_ns, meeting->start_ns)))
      continue;
    g_array_append_val (writer->meetings, number);
    g_hash_table_insert (writer->span_of, g_memdup2 (&meeting->ref, sizeof meeting->ref), NULL);
  }
}

static guint32
find_span (const Writer *writer, const LoomSyncEvent *meeting)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (writer->span_of, &meeting->ref));
}

/* Stores the times and the name of a span until put_durations() writes the durations of all spans. `number`: number of
 * the span in the index. */
static void
note_duration (Writer *writer, guint number, LoomRange range, guint32 name)
{
  g_array_index (writer->ranges, LoomRange, number) = range;
  g_array_index (writer->span_names, guint32, number) = name;
  g_array_index (writer->ends, guint8, number) =
    (guint8) loom_index_times_find (writer->times, range.begin_ns, range.end_ns);
}

/* The sections with a number for each span, and the places at which the numbers of the next span are written. */
enum { TO_STARTS, TO_NAMES, TO_FLAGS, N_PLACES };

static const LoomIndexFileSection section_of_place[N_PLACES] = { LOOM_INDEX_FILE_STARTS, LOOM_INDEX_FILE_SPAN_NAMES,
                                                                 LOOM_INDEX_FILE_SPAN_FLAGS };

/* Writes a span. Its start is written as the distance from the end of the previous span. Between kernels, this distance
 * is short. */
static void
put_span (Writer *writer, const LoomIndexSpan *span, gint64 end_ns, guint8 *to[N_PLACES])
{
  guint32 name = number_name (writer, span->name_id);
  LoomRange range = { span->start_ns, loom_time_add (span->start_ns, span->dur_ns) };
  to[TO_STARTS] = loom_index_bytes_write_difference (to[TO_STARTS], span->start_ns, end_ns);
  to[TO_NAMES] = loom_index_bytes_write (to[TO_NAMES], name);
  to[TO_FLAGS] = loom_index_bytes_write (to[TO_FLAGS], loom_source_ref_flags (span->ref));
  note_duration (writer, writer->n_spans, range, name);
  number_span (writer, span->ref);
}

/* Returns how many spans of a track are written. Assigns numbers in the index to the names of these spans. If there are
 * such spans, assigns a number to the track, too. */
static guint
count_spans (Writer *writer, const LoomIndexTrack *track)
{
  guint n = 0;
  for (guint i = 0; i < track->spans->len; i++) {
    const LoomIndexSpan *span = &g_array_index (track->spans, LoomIndexSpan, i);
    if (!note_times (writer, track->track, span->start_ns, span->dur_ns))
      continue;
    number_name (writer, span->name_id);
    n++;
  }
  if (n > 0)
    number_track (writer, track->track);
  return n;
}

/* Makes room for `n` more spans. */
static void
add_room (Writer *writer, guint n)
{
  GArray *const arrays[] = { writer->ranges, writer->span_names, writer->ends };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_set_size (arrays[i], writer->n_spans + n);
}

/* Must be called before a span is written, the one with the index `at` of the `n` spans of its track. If room is
 * needed, makes room in all sections with a number for each span. */
static void
make_room (Writer *writer, guint at, guint n, guint8 *to[N_PLACES])
{
  for (guint i = 0; at % LOOM_INDEX_BYTES_PIECE == 0 && i < N_PLACES; i++) {
    GByteArray *section = writer->sections[section_of_place[i]];
    if (at > 0)
      loom_index_bytes_release (section, to[i]);
    to[i] = loom_index_bytes_reserve (section, MIN (n - at, LOOM_INDEX_BYTES_PIECE));
  }
}

/* Writes the `n` spans of a track. */
static void
put_spans (Writer *writer, const LoomIndexTrack *track, guint n)
{
  guint8 *to[N_PLACES] = { NULL };
  gint64 end_ns = 0;
  guint first = writer->n_spans;
  if (n == 0)
    return;
  /* before each track, and not after it, because the times of the last track need not be known */
  loom_index_times_learn (writer->times);
  add_room (writer, n);
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_STARTS], number_track (writer, track->track));
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_STARTS], n);
  for (guint i = 0; i < track->spans->len; i++) {
    const LoomIndexSpan *span = &g_array_index (track->spans, LoomIndexSpan, i);
    if (loom_index_bytes_is_time (span->start_ns) && span->dur_ns >= 0 && loom_index_bytes_is_time (span->dur_ns)) {
      make_room (writer, writer->n_spans - first, n, to);
      put_span (writer, span, end_ns, to);
      end_ns = loom_time_add (span->start_ns, span->dur_ns);
    }
  }
  for (guint i = 0; i < N_PLACES; i++)
    loom_index_bytes_release (writer->sections[section_of_place[i]], to[i]);
  loom_index_times_add (writer->times, &g_array_index (writer->ranges, LoomRange, first), n);
}

/* Writes the tracks with spans. Tracks of devices come first, so that the times of collectives are known
 * (loom-index-times.h) when the spans of the host are written: spans of the host often end at these times. */
static void
put_all_spans (Writer *writer)
{
  const GPtrArray *tracks = writer->content->tracks;
  g_autofree guint *n_spans = g_new (guint, tracks->len + 1);
  for (guint i = 0; i < tracks->len; i++)
    n_spans[i] = count_spans (writer, tracks->pdata[i]);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < tracks->len; i++) {
      const LoomIndexTrack *track = tracks->pdata[i];
      gboolean on_device = (loom_trace_get_track (writer->trace, track->track)->flags & LOOM_TRACK_DEVICE) != 0;
      if (on_device == (pass == 0))
        put_spans (writer, track, n_spans[i]);
    }
}

/* --- meetings ----------------------------------------------------------------------------------------------------- */

/* Writes the start of a sync event as the difference from the start of its span. This difference is mostly 0. If the
 * index does not contain the span, writes the difference from the previous sync event. */
static void
put_meeting_start (Writer *writer, const LoomSyncEvent *meeting, const LoomSyncEvent *before)
{
  guint32 span = find_span (writer, meeting);
  gint64 from_ns = span > 0 ? g_array_index (writer->ranges, LoomRange, span - 1).begin_ns : before->start_ns;
  loom_index_bytes_put_difference (writer->sections[LOOM_INDEX_FILE_MEETINGS], meeting->start_ns, from_ns);
}

static void
put_meeting_end (Writer *writer, const LoomSyncEvent *meeting)
{
  guint32 span = find_span (writer, meeting);
  gint64 from_ns = span > 0 ? g_array_index (writer->ranges, LoomRange, span - 1).end_ns : meeting->start_ns;
  loom_index_bytes_put_difference (writer->sections[LOOM_INDEX_FILE_MEETINGS], meeting->end_ns, from_ns);
}

/* Writes the sync events column by column, because numbers of one kind compress better together. */
static void
put_meetings (Writer *writer)
{
  guint32 n_all;
  const LoomSyncEvent *all = loom_trace_get_meetings (writer->trace, &n_all);
  const GArray *kept = writer->meetings;
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_MEETINGS];
  static const LoomSyncEvent none = { .ref = LOOM_REF_NONE };
  loom_index_bytes_put (out, kept->len);
  for (guint column = 0; column < 11; column++) {
    const LoomSyncEvent *before = &none;
    for (guint i = 0; i < kept->len; i++) {
      const LoomSyncEvent *meeting = &all[g_array_index (kept, guint32, i)];
      const char *text = loom_trace_get_sync_event_text (writer->trace, column == 6 ? meeting->group : meeting->name);
      switch (column) {
      case 0: loom_index_bytes_put_difference (out, find_span (writer, meeting), find_span (writer, before)); break;
      case 1: put_meeting_start (writer, meeting, before); break;
      case 2: put_meeting_end (writer, meeting); break;
      case 3: loom_index_bytes_put_difference (out, meeting->sequence, before->sequence); break;
      case 4: loom_index_bytes_put_difference (out, meeting->bytes, before->bytes); break;
      case 5: loom_index_bytes_put_difference (out, meeting->call, before->call); break;
      case 6:
      case 7: put_text (writer, LOOM_INDEX_FILE_MEETINGS, text); break;
      case 8:
        loom_index_bytes_put (out, meeting->track < loom_trace_get_n_tracks (writer->trace)
                                     ? number_track (writer, meeting->track) + 1u
                                     : 0u);
        break;
      case 9: loom_index_bytes_put (out, meeting->kind + ((guint) meeting->axis << LOOM_INDEX_FILE_AXIS_SHIFT)); break;
      default: loom_index_bytes_put (out, meeting->n_ranks); break;
      }
      before = meeting;
    }
  }
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

/* A series that is being written. */
typedef struct {
  const LoomSeries *series;
  guint32 track, n;
  gint64 before_ns; /* time of the previous sample that was written */
} Sampling;

static void
put_sample (Writer *writer, Sampling *to, guint32 sample)
{
  guint64 bits;
  gint64 time_ns = to->series->time_ns[sample];
  if (!note_times (writer, to->track, time_ns, 0))
    return;
  memcpy (&bits, &to->series->value[sample], sizeof bits);
  loom_index_bytes_put_difference (writer->sections[LOOM_INDEX_FILE_SAMPLE_TIMES], time_ns, to->before_ns);
  loom_index_bytes_put_fixed (writer->sections[LOOM_INDEX_FILE_SAMPLE_VALUES], bits, 8);
  to->before_ns = time_ns;
  to->n++;
}

/* Finds the smallest and the largest value among the samples of a bucket. Sets `found` to the first sample with each of
 * these values, in the order of time. */
static void
find_extremes (const LoomSeries *series, guint32 begin, guint32 end, guint32 found[2])
{
  guint32 least = begin, most = begin;
  for (guint32 i = begin + 1; i < end; i++) {
    least = series->value[i] < series->value[least] ? i : least;
    most = series->value[i] > series->value[most] ? i : most;
  }
  found[0] = MIN (least, most);
  found[1] = MAX (least, most);
}

/* Writes those samples of a counter series that the index contains. Returns their number. */
static guint32
put_samples (Writer *writer, guint32 track, const LoomSeries *series)
{
  Sampling to = { series, track, 0, 0 };
  gboolean whole = series->n <= 2 * LOOM_INDEX_BUCKETS;
  for (guint32 i = 0; whole && i < series->n; i++)
    put_sample (writer, &to, i);
  for (guint32 bucket = 0; !whole && bucket < LOOM_INDEX_BUCKETS; bucket++) {
    guint32 found[2], begin = (guint32) ((guint64) series->n * bucket / LOOM_INDEX_BUCKETS),
                      end = (guint32) ((guint64) series->n * (bucket + 1) / LOOM_INDEX_BUCKETS);
    find_extremes (series, begin, end, found);
    put_sample (writer, &to, found[0]);
    if (found[1] != found[0])
      put_sample (writer, &to, found[1]);
  }
  return to.n;
}

static void
put_series (Writer *writer)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_SERIES];
  for (guint i = 0; i < loom_trace_get_n_tracks (writer->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (writer->trace, i);
    for (guint32 k = 0; track->kind == LOOM_TRACK_COUNTER && k < track->n_series; k++) {
      const LoomSeries *series = loom_trace_get_series (writer->trace, track->first_series + k);
      loom_index_bytes_put (out, number_track (writer, i));
      put_text (writer, LOOM_INDEX_FILE_SERIES, series->name);
      put_text (writer, LOOM_INDEX_FILE_SERIES, series->unit);
      loom_index_bytes_put (out, series->n);
      loom_index_bytes_put (out, put_samples (writer, i, series));
    }
  }
}

/* --- writing all sections of an index ----------------------------------------------------------------------------- */

static void
put_sums (Writer *writer)
{
  const GArray *sums = writer->content->sums;
  g_autofree guint32 *names = g_new (guint32, sums->len + 1);
  for (guint i = 0; i < sums->len; i++)
    names[i] = number_name (writer, g_array_index (sums, LoomIndexSum, i).name_id);
  loom_index_sums_write (writer->sections[LOOM_INDEX_FILE_SUMS], sums, names);
}

static void
put_texts (Writer *writer)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_TEXTS];
  guint32 n = loom_string_pool_get_count (writer->texts);
  loom_index_bytes_put (out, n);
  for (guint32 i = 0; i < n; i++)
    loom_index_bytes_put_text (out, loom_string_pool_get (writer->texts, i),
                               loom_string_pool_get_length (writer->texts, i));
}

/* Writes the durations of the spans. `n_names`: number of names of the spans. */
static void
put_durations (Writer *writer, guint n_names)
{
  const LoomIndexDurationsSpans spans = { .ranges = (const LoomRange *) (gconstpointer) writer->ranges->data,
                                          .names = (const guint32 *) (gconstpointer) writer->span_names->data,
                                          .ends = (const guint8 *) writer->ends->data,
                                          .n = writer->n_spans,
                                          .n_names = n_names };
  g_byte_array_unref (writer->sections[LOOM_INDEX_FILE_DURATIONS]);
  writer->sections[LOOM_INDEX_FILE_DURATIONS] = loom_index_durations_write (&spans, writer->n_threads);
}

/* Writes the sections that do not depend on durations. */
static void
put_others (Writer *writer)
{
  const GByteArray *restarts = writer->content->restarts;
  put_meetings (writer);
  put_series (writer);
  /* called after the functions that count omitted events, because it writes their number */
  put_sources (writer);
  put_sums (writer);
  put_names (writer);
  put_tracks (writer);
  put_texts (writer);
  loom_index_flights_write (writer->trace, writer->sections[LOOM_INDEX_FILE_FLIGHTS]);
  loom_index_places_write (writer->trace, writer->sections[LOOM_INDEX_FILE_PLACES],
                           writer->sections[LOOM_INDEX_FILE_LONG_SPANS], writer->sections[LOOM_INDEX_FILE_KEPT_TEXTS]);
  if (restarts != NULL)
    g_byte_array_append (writer->sections[LOOM_INDEX_FILE_RESTARTS], restarts->data, restarts->len);
}

/* The arguments of put_part(). `n_names`: number of names of the spans. It is stored here because put_others() adds
 * further names to writer->names at the same time. */
typedef struct {
  Writer *writer;
  guint n_names;
} Parts;

static void
put_part (guint item, guint worker, gpointer user_data)
{
  const Parts *parts = user_data;
  if (item == 0)
    put_durations (parts->writer, parts->n_names);
  else
    put_others (parts->writer);
}

static void
put_all (Writer *writer, const LoomIndexAbout *about)
{
  writer->sections[LOOM_INDEX_FILE_ABOUT] = loom_index_about_write (about);
  put_clocks (writer);
  list_meetings (writer);
  put_all_spans (writer);
  Parts parts = { writer, writer->names->len };
  loom_parallel_for (2, writer->n_threads, put_part, &parts, NULL);
}

static guint64
count_source_bytes (const LoomIndexAbout *about)
{
  guint64 n_bytes = 0;
  for (guint i = 0; i < about->files->len; i++)
    n_bytes += g_array_index (about->files, LoomIndexAboutFile, i).n_bytes;
  return n_bytes;
}

GBytes *
loom_index_writer_make (const LoomIndexContent *content, const LoomIndexAbout *about, guint64 *n_left_out)
{
  const LoomTrace *trace = content->trace;
  Writer writer = { .content = content,
                    .trace = trace,
                    .n_threads = loom_index_content_get_n_threads (trace),
                    .texts = loom_string_pool_new (),
                    .span_names = g_array_new (FALSE, FALSE, sizeof (guint32)),
                    .ends = g_array_new (FALSE, FALSE, sizeof (guint8)),
                    .times = loom_index_times_new (),
                    .ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange)),
                    .meetings = g_array_new (FALSE, FALSE, sizeof (guint32)),
                    .names = g_array_new (FALSE, FALSE, sizeof (guint32)),
                    .tracks = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  g_autofree guint32 *name_of = g_new0 (guint32, loom_trace_get_n_names (trace) + 1),
                     *track_of = g_new0 (guint32, loom_trace_get_n_tracks (trace) + 1);
  g_autofree guint64 *left_out = g_new0 (guint64, loom_trace_get_n_sources (trace) + 1);
  writer.n_left_out = left_out;
  writer.name_of = name_of;
  writer.track_of = track_of;
  for (guint i = LOOM_INDEX_FILE_ABOUT + 1; i < LOOM_INDEX_FILE_N_SECTIONS; i++)
    writer.sections[i] = g_byte_array_new ();
  put_all (&writer, about);
  *n_left_out = 0;
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    *n_left_out += left_out[i];
  LoomIndexPack *pack = loom_index_file_pack_new ();
  for (guint i = LOOM_INDEX_FILE_ABOUT; i < LOOM_INDEX_FILE_N_SECTIONS; i++) {
    loom_index_file_pack_add (pack, i, writer.sections[i]);
    g_byte_array_unref (writer.sections[i]);
  }
  g_array_unref (writer.ends);
  g_array_unref (writer.span_names);
  loom_index_times_free (writer.times);
  g_array_unref (writer.ranges);
  g_hash_table_unref (writer.span_of);
  loom_string_pool_free (writer.texts);
  g_array_unref (writer.meetings);
  g_array_unref (writer.names);
  g_array_unref (writer.tracks);
  return loom_index_file_pack_finish (pack, count_source_bytes (about) / WANTED_PART);
}
