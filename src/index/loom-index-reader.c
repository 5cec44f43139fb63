/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads an index into a builder, in place of the trace file from which it was made. The interface is described in
 * loom-index-reader.h.
 */
#include "loom-index-reader.h"

#include <math.h>
#include <string.h>

#include "loom-index-bytes.h"
#include "loom-index-content.h"
#include "loom-index-durations.h"
#include "loom-index-file.h"
#include "loom-index-flights.h"

#define MOST_FORMAT_BYTES 32
#define ALL_TRACK_FLAGS ((1u << 6) - 1)

/* Minimum number of bytes that each kind of element takes in its section. */
#define CLOCK_BYTES 9
#define SOURCE_BYTES 13
#define TRACK_BYTES 15
#define MEETING_BYTES 10

typedef struct {
  LoomTrackKind kind;
  guint source; /* index, in the builder, of the track's source */
  /* index, in the builder, of the thread to which the track belongs; for a counter track, of the counter */
  guint32 owner;
  guint32 process; /* index, in the builder, of the track's process */
} Track;

typedef struct {
  LoomIndexFile *file;
  LoomTraceBuilder *builder;
  const char *path;
  GPtrArray *texts; /* char pointers, indexed by the number of a text in the index: the texts to which the other
                     * sections refer by number */
  guint n_clocks, first_clock, n_sources, first_source;
  guint32 n_names;
  guint32 *names; /* array indexed by the number of a name in the index: the name id in the builder */
  GArray *tracks; /* Track elements, indexed by the number of a track in the index: the tracks that were read */
  /* arrays indexed by the number of a span in the index, for the spans that were read. `refs`: LoomRef of the span;
   * `ranges`: its start and end in ns */
  LoomRef *refs;
  LoomRange *ranges;
  guint32 n_spans; /* number of spans that were read */
} Reader;

static LoomIndexBytes
bytes_of (GBytes *section)
{
  gsize n;
  const guint8 *start = g_bytes_get_data (section, &n);
  return (LoomIndexBytes) { start, start + n, FALSE };
}

static const char *
get_text (Reader *reader, LoomIndexBytes *in)
{
  guint32 number = loom_index_bytes_get_below (in, reader->texts->len);
  return in->failed ? "" : reader->texts->pdata[number];
}

static const char *
get_text_or_null (Reader *reader, LoomIndexBytes *in)
{
  guint32 number = loom_index_bytes_get_below (in, (guint64) reader->texts->len + 1);
  return in->failed || number == 0 ? NULL : reader->texts->pdata[number - 1];
}

static gint
get_rank (LoomIndexBytes *in)
{
  gint64 rank = loom_index_bytes_get_signed (in);
  in->failed |= rank < -1 || rank >= G_MAXINT;
  return in->failed ? -1 : (gint) rank;
}

/* --- reading texts, clocks and sources ---------------------------------------------------------------------------- */

static void
read_texts (Reader *reader, LoomIndexBytes *in)
{
  guint32 n = loom_index_bytes_get_count (in, 1);
  for (guint32 i = 0; i < n && !in->failed; i++)
    g_ptr_array_add (reader->texts, loom_index_bytes_dup_text (in));
}

static void
read_clock (Reader *reader, LoomIndexBytes *in)
{
  LoomDeclaredClock read = { .state = loom_index_bytes_get_below (in, LOOM_CLOCK_EXACT + 1) };
  const char *basis = get_text (reader, in);
  read.base_ns = loom_index_bytes_get_signed (in);
  read.has_sync = loom_index_bytes_get_below (in, 2) != 0;
  read.sync_ns = loom_index_bytes_get_signed (in);
  read.sync_error_ns = loom_index_bytes_get_signed (in);
  gint64 order = loom_index_bytes_get_signed (in);
  const char *group = get_text (reader, in), *cycle = get_text_or_null (reader, in);
  in->failed |= !loom_index_bytes_is_time (read.base_ns) || !loom_index_bytes_is_time (read.sync_ns) ||
                read.sync_error_ns < -1 || !loom_index_bytes_is_time (read.sync_error_ns) || order < G_MININT ||
                order > G_MAXINT;
  LoomDeclaredClock *clock =
    loom_trace_builder_get_clock (reader->builder, loom_trace_builder_add_clock (reader->builder));
  *clock = read;
  clock->sync_order = (gint) order;
  clock->basis = g_strdup (basis);
  clock->sync_group = read.has_sync ? g_strdup (group) : NULL;
  clock->domain = !read.has_sync && *group != '\0' ? g_strdup (group) : NULL;
  clock->sync_cycle = read.has_sync ? g_strdup (cycle) : NULL;
}

static void
read_clocks (Reader *reader, LoomIndexBytes *in)
{
  guint32 n = loom_index_bytes_get_count (in, CLOCK_BYTES);
  for (guint32 i = 0; i < n && !in->failed; i++) {
    read_clock (reader, in);
    reader->n_clocks++;
  }
}

static void
read_problems (Reader *reader, LoomIndexBytes *in, LoomImportLog *log)
{
  guint32 n = loom_index_bytes_get_count (in, 5);
  for (guint32 i = 0; i < n && !in->failed; i++) {
    LoomSeverity severity = loom_index_bytes_get_below (in, LOOM_SEVERITY_ERROR + 1);
    guint64 count = loom_index_bytes_get (in), offset = loom_index_bytes_get (in) - 1;
    const char *code = get_text (reader, in), *message = get_text (reader, in);
    if (!in->failed)
      loom_import_log_add_n (log, severity, g_intern_string (code), offset, count, message);
  }
}

static void
read_source (Reader *reader, LoomIndexBytes *in, guint32 number, guint32 n)
{
  g_autofree char *path = n > 1 ? g_strdup_printf ("%s#%u", reader->path, number) : g_strdup (reader->path);
  LoomSource *source = loom_source_new (path);
  const char *format = get_text (reader, in), *node = get_text_or_null (reader, in);
  in->failed |= strlen (format) > MOST_FORMAT_BYTES;
  source->format = g_intern_string (in->failed ? "chrome" : format);
  source->node = g_strdup (node);
  source->rank = get_rank (in);
  source->incomplete = loom_index_bytes_get_below (in, 2) != 0;
  source->base_ns = loom_index_bytes_get_signed (in);
  source->clock = reader->first_clock + loom_index_bytes_get_below (in, reader->n_clocks);
  guint64 *const counts[] = { &source->n_bytes,    &source->n_events,   &source->n_spans,
                              &source->n_instants, &source->n_counters, &source->n_flows };
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    *counts[i] = loom_index_bytes_get (in);
  read_problems (reader, in, source->log);
  if (reader->n_clocks == 0) /* the file is damaged: a source needs a clock, so this source is dropped */
    loom_source_free (source);
  else {
    loom_trace_builder_add_source (reader->builder, source, source->clock);
    reader->n_sources++;
  }
}

static void
read_sources (Reader *reader, LoomIndexBytes *in)
{
  guint32 n = loom_index_bytes_get_count (in, SOURCE_BYTES);
  /* a builder can have at most LOOM_REF_MAX_SOURCES − 1 sources */
  in->failed |= n == 0 || n >= LOOM_REF_MAX_SOURCES - MIN (reader->first_source, LOOM_REF_MAX_SOURCES);
  for (guint32 i = 0; i < n && !in->failed; i++)
    read_source (reader, in, i, n);
}

static void
read_flights (Reader *reader, LoomIndexBytes *in)
{
  loom_index_flights_read (in, reader->builder, reader->first_source, reader->n_sources);
}

/* --- reading names and tracks ------------------------------------------------------------------------------------- */

/* Reads the number of a text. In files of version 7 and later, it is stored as the difference from `before`. */
static guint32
get_text_number (const Reader *reader, LoomIndexBytes *in, guint32 before)
{
  if (loom_index_file_get_version (reader->file) < LOOM_INDEX_FILE_VERSION_OF_COLUMNS)
    return loom_index_bytes_get_below (in, reader->texts->len);
  gint64 number = loom_index_bytes_get_sum (in, before);
  in->failed |= number < 0 || number >= reader->texts->len;
  return in->failed ? 0 : (guint32) number;
}

/* Adds a name to the builder. Its text, category and colour name are the texts with the numbers numbers[0],
 * numbers[step] and numbers[2 · step]. */
static void
add_name (Reader *reader, const guint32 *numbers, gsize step)
{
  const char *const text = reader->texts->pdata[numbers[0]], *const category = reader->texts->pdata[numbers[step]],
                    *const cname = reader->texts->pdata[numbers[2 * step]];
  reader->names[reader->n_names++] =
    loom_trace_builder_name (reader->builder, text, strlen (text), category, strlen (category), cname, strlen (cname));
}

/* Reads the names: column by column or, up to version 6, one name after the other. */
static void
read_names (Reader *reader, LoomIndexBytes *in)
{
  guint32 n = loom_index_bytes_get_count (in, LOOM_INDEX_FILE_NAME_TEXTS);
  gboolean are_rows = loom_index_file_get_version (reader->file) < LOOM_INDEX_FILE_VERSION_OF_COLUMNS;
  gsize n_numbers = (gsize) n * LOOM_INDEX_FILE_NAME_TEXTS;
  g_autofree guint32 *numbers = g_new (guint32, n_numbers + 1);
  reader->names = g_new0 (guint32, n + 1);
  for (gsize i = 0; i < n_numbers && !in->failed; i++)
    numbers[i] = get_text_number (reader, in, i % n > 0 ? numbers[i - 1] : 0);
  for (guint32 i = 0; i < n && !in->failed; i++)
    add_name (reader, numbers + i * (are_rows ? LOOM_INDEX_FILE_NAME_TEXTS : 1), are_rows ? 1 : n);
}

enum { PROCESS_KEY, PROCESS, THREAD_KEY, THREAD, NAME, CATEGORY, ID, N_TRACK_TEXTS };

static guint32
add_owner (Reader *reader, const Track *track, guint flags, const gint64 sorts[2], const char *const *texts)
{
  LoomTraceBuilder *builder = reader->builder;
  guint32 process =
    loom_trace_builder_process (builder, track->source, texts[PROCESS_KEY], strlen (texts[PROCESS_KEY]));
  loom_trace_builder_process_set_label (builder, process, texts[PROCESS]);
  loom_trace_builder_process_set_sort (builder, process, sorts[0]);
  loom_trace_builder_process_add_flags (builder, process, flags & LOOM_TRACK_PROCESS_ID);
  if (track->kind == LOOM_TRACK_COUNTER)
    return loom_trace_builder_counter (builder, process, texts[CATEGORY], strlen (texts[CATEGORY]), texts[NAME],
                                       strlen (texts[NAME]), texts[ID], strlen (texts[ID]));
  guint32 thread = loom_trace_builder_thread (builder, process, texts[THREAD_KEY], strlen (texts[THREAD_KEY]));
  loom_trace_builder_thread_set_label (builder, thread, texts[THREAD]);
  loom_trace_builder_thread_set_sort (builder, thread, sorts[1]);
  loom_trace_builder_thread_add_flags (builder, thread, flags & ~(guint) (LOOM_TRACK_GLOBAL | LOOM_TRACK_PROCESS_ID));
  return thread;
}

static void
read_track (Reader *reader, LoomIndexBytes *in)
{
  Track track = { .kind = loom_index_bytes_get_below (in, LOOM_TRACK_ASYNC + 1) };
  guint flags = loom_index_bytes_get_below (in, ALL_TRACK_FLAGS + 1);
  track.source = reader->first_source + loom_index_bytes_get_below (in, reader->n_sources);
  const char *node = get_text_or_null (reader, in);
  gint rank = get_rank (in);
  gint64 sorts[2];
  sorts[0] = loom_index_bytes_get_signed (in);
  sorts[1] = loom_index_bytes_get_signed (in);
  /* skips the number of events of the track in the trace file, because the index may contain fewer events */
  loom_index_bytes_get (in);
  const char *texts[N_TRACK_TEXTS];
  for (guint i = 0; i < N_TRACK_TEXTS; i++)
    texts[i] = get_text (reader, in);
  in->failed |= track.kind != LOOM_TRACK_SPANS && track.kind != LOOM_TRACK_COUNTER;
  if (in->failed)
    return;
  track.owner = add_owner (reader, &track, flags, sorts, texts);
  track.process =
    loom_trace_builder_process (reader->builder, track.source, texts[PROCESS_KEY], strlen (texts[PROCESS_KEY]));
  loom_trace_builder_process_set_place (reader->builder, track.process, node, rank);
  g_array_append_val (reader->tracks, track);
}

static void
read_tracks (Reader *reader, LoomIndexBytes *in)
{
  guint32 n = loom_index_bytes_get_count (in, TRACK_BYTES);
  for (guint32 i = 0; i < n && !in->failed; i++)
    read_track (reader, in);
}

static void
read_recorders (Reader *reader, LoomIndexBytes *in)
{
  while (in->at < in->end && !in->failed) {
    guint32 number = loom_index_bytes_get_below (in, reader->tracks->len);
    const char *path = get_text (reader, in), *format = get_text (reader, in);
    if (!in->failed)
      loom_trace_builder_process_set_recorder (reader->builder, g_array_index (reader->tracks, Track, number).process,
                                               path, format);
  }
}

static const Track *
get_track (Reader *reader, LoomIndexBytes *in, LoomTrackKind kind)
{
  guint32 number = loom_index_bytes_get_below (in, reader->tracks->len);
  const Track *track = in->failed ? NULL : &g_array_index (reader->tracks, Track, number);
  in->failed |= track != NULL && track->kind != kind;
  return in->failed ? NULL : track;
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomIndexBytes starts, names, flags;
  LoomIndexDurations durations;
} SpanColumns;

static gboolean
has_failed (const SpanColumns *in)
{
  return in->starts.failed || in->durations.ends.failed || in->durations.rest.failed || in->names.failed ||
         in->flags.failed;
}

/* Reads a span. The LoomRef of the span contains the number of the span as its offset, to distinguish spans. There is
 * no text at this offset. Returns FALSE if the file is damaged. */
static gboolean
read_span (Reader *reader, SpanColumns *in, guint source, gint64 end_ns, LoomIndexSpan *span)
{
  guint32 name = loom_index_bytes_get_below (&in->names, reader->n_names);
  span->start_ns = loom_index_bytes_get_sum (&in->starts, end_ns);
  span->dur_ns = loom_index_durations_get (&in->durations, span->start_ns, name);
  guint flags = loom_index_bytes_get_below (&in->flags, 1u << (LOOM_REF_SOURCE_AT - LOOM_REF_FLAGS_AT));
  if (has_failed (in) || !loom_index_bytes_is_time (span->start_ns) || span->dur_ns < 0 ||
      !loom_index_bytes_is_time (span->dur_ns))
    return FALSE;
  span->name_id = reader->names[name];
  span->ref = loom_source_ref_make (source, flags, reader->n_spans);
  reader->refs[reader->n_spans] = span->ref;
  reader->ranges[reader->n_spans++] = (LoomRange) { span->start_ns, loom_time_add (span->start_ns, span->dur_ns) };
  return TRUE;
}

static gboolean
read_spans_of_track (Reader *reader, SpanColumns *in)
{
  const Track *track = get_track (reader, &in->starts, LOOM_TRACK_SPANS);
  guint32 n = loom_index_bytes_get_count (&in->starts, 1);
  gint64 end_ns = 0;
  for (guint32 i = 0; i < n && track != NULL; i++) {
    LoomIndexSpan span;
    if (!read_span (reader, in, track->source, end_ns, &span))
      return FALSE;
    loom_trace_builder_span (reader->builder, track->owner, span.start_ns, span.dur_ns, span.name_id, span.ref);
    loom_trace_builder_get_source (reader->builder, track->source)->n_spans--;
    end_ns = loom_time_add (span.start_ns, span.dur_ns);
  }
  loom_index_durations_end_track (&in->durations);
  return track != NULL && !in->starts.failed;
}

static void
read_step_numbers (Reader *reader, LoomIndexBytes *in)
{
  gint64 number = 0;
  for (guint64 span = 0, n = 0; in->at < in->end; n++) {
    guint64 distance = loom_index_bytes_get_below (in, reader->n_spans);
    number = loom_index_bytes_get_sum (in, number);
    span += distance;
    in->failed |= span >= reader->n_spans || (n > 0 && distance == 0) || number < 0;
    if (in->failed)
      return;
    LoomRef ref = reader->refs[span];
    loom_source_add_step_number (loom_trace_builder_get_source (reader->builder, loom_source_ref_source (ref)),
                                 loom_source_ref_offset (ref), number);
  }
}

/* --- meetings ----------------------------------------------------------------------------------------------------- */

static void
read_kind (LoomIndexBytes *in, LoomSyncEvent *meeting)
{
  guint64 both = loom_index_bytes_get_below (in, (guint64) LOOM_N_PARALLEL_AXES << LOOM_INDEX_FILE_AXIS_SHIFT);
  meeting->kind = (guint16) (both & ((1u << LOOM_INDEX_FILE_AXIS_SHIFT) - 1));
  meeting->axis = (guint8) (both >> LOOM_INDEX_FILE_AXIS_SHIFT);
  in->failed |= meeting->kind > LOOM_SYNC_EVENT_DEVICE_CALL;
}

/* Columns of sync events. Up to version 4, SPAN came after KIND, and times were not relative to spans. */
enum { SPAN, START, END, SEQUENCE, BYTES, CALL, GROUP, TEXT, TRACK, KIND, N_RANKS };

/* Returns the range of the span to which the times of a sync event are relative. NULL: the event has no span, or its
 * times are not relative to the span. */
static const LoomRange *
get_own_range (const Reader *reader, const LoomSyncEvent *meeting)
{
  gboolean is_relative = loom_index_file_get_version (reader->file) >= LOOM_INDEX_FILE_VERSION_OF_RELATIVE_TIMES;
  return is_relative && meeting->ref > 0 ? &reader->ranges[meeting->ref - 1] : NULL;
}

static void
read_end (const Reader *reader, LoomIndexBytes *in, LoomSyncEvent *meeting)
{
  const LoomRange *own = get_own_range (reader, meeting);
  meeting->end_ns = loom_index_bytes_get_sum (in, own != NULL ? own->end_ns : meeting->start_ns);
  in->failed |= !loom_index_bytes_is_time (meeting->start_ns) || !loom_index_bytes_is_time (meeting->end_ns) ||
                meeting->end_ns < meeting->start_ns;
}

static void
read_meeting_column (Reader *reader, LoomIndexBytes *in, guint column, LoomSyncEvent *meetings, guint32 n)
{
  static const LoomSyncEvent none;
  for (guint32 i = 0; i < n && !in->failed; i++) {
    LoomSyncEvent *meeting = &meetings[i];
    const LoomSyncEvent *before = i > 0 ? meeting - 1 : &none;
    const LoomRange *own;
    switch (column) {
    case SPAN:
      meeting->ref = (LoomRef) loom_index_bytes_get_sum (in, (gint64) before->ref);
      in->failed |= meeting->ref > reader->n_spans;
      break;
    case START:
      own = get_own_range (reader, meeting);
      meeting->start_ns = loom_index_bytes_get_sum (in, own != NULL ? own->begin_ns : before->start_ns);
      break;
    case END: read_end (reader, in, meeting); break;
    case SEQUENCE: meeting->sequence = loom_index_bytes_get_sum (in, before->sequence); break;
    case BYTES: meeting->bytes = loom_index_bytes_get_sum (in, before->bytes); break;
    case CALL: meeting->call = loom_index_bytes_get_sum (in, before->call); break;
    case GROUP: meeting->group = loom_index_bytes_get_below (in, reader->texts->len); break;
    case TEXT: meeting->name = loom_index_bytes_get_below (in, reader->texts->len); break;
    case TRACK: meeting->track = loom_index_bytes_get_below (in, (guint64) reader->tracks->len + 1); break;
    case KIND: read_kind (in, meeting); break;
    default: meeting->n_ranks = (guint16) loom_index_bytes_get_below (in, G_MAXUINT16 + 1); break;
    }
  }
}

/* Returns the LoomRef of a sync event. If the index does not contain the span of the event, the LoomRef consists of the
 * source of the track, because the source determines the clock, and of an offset that no span has. */
static LoomRef
make_meeting_ref (const Reader *reader, const LoomSyncEvent *meeting, const Track *track)
{
  if (meeting->ref > 0)
    return reader->refs[meeting->ref - 1];
  return loom_source_ref_make (track != NULL ? track->source : reader->first_source, 0, reader->n_spans);
}

static void
add_meeting (Reader *reader, LoomSyncEvent meeting)
{
  const Track *track = meeting.track > 0 ? &g_array_index (reader->tracks, Track, meeting.track - 1) : NULL;
  const char *group = reader->texts->pdata[meeting.group], *name = reader->texts->pdata[meeting.name];
  if (track != NULL && track->kind != LOOM_TRACK_SPANS)
    return;
  meeting.ref = make_meeting_ref (reader, &meeting, track);
  loom_trace_builder_sync_event (reader->builder, track != NULL ? track->owner : LOOM_ID_NONE, &meeting, group, name);
}

static void
read_meetings (Reader *reader, LoomIndexBytes *in)
{
  guint32 n = loom_index_bytes_get_count (in, MEETING_BYTES);
  g_autofree LoomSyncEvent *meetings = g_new0 (LoomSyncEvent, MAX (n, 1));
  gboolean is_early = loom_index_file_get_version (reader->file) < LOOM_INDEX_FILE_VERSION_OF_RELATIVE_TIMES;
  for (guint column = is_early ? START : SPAN; column <= KIND; column++)
    read_meeting_column (reader, in, column, meetings, n);
  if (is_early)
    read_meeting_column (reader, in, SPAN, meetings, n);
  if (in->at < in->end) /* files of early versions do not have the column of group sizes */
    read_meeting_column (reader, in, N_RANKS, meetings, n);
  for (guint32 i = 0; i < n && !in->failed; i++)
    if (meetings[i].track > 0 || meetings[i].kind == LOOM_SYNC_EVENT_CLOCK_SYNC)
      add_meeting (reader, meetings[i]);
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

static void
read_samples (Reader *reader, const Track *track, guint32 series, guint32 n, LoomIndexBytes *times,
              LoomIndexBytes *values)
{
  gint64 time_ns = 0;
  for (guint32 i = 0; i < n; i++) {
    double value;
    guint64 bits = loom_index_bytes_get_fixed (values, sizeof value);
    memcpy (&value, &bits, sizeof value);
    time_ns = loom_index_bytes_get_sum (times, time_ns);
    times->failed |= !loom_index_bytes_is_time (time_ns) || !isfinite (value);
    if (times->failed || values->failed)
      return;
    loom_trace_builder_sample (reader->builder, series, time_ns, value, loom_source_ref_make (track->source, 0, 0));
  }
}

static void
read_series (Reader *reader, LoomIndexBytes *in, LoomIndexBytes *times, LoomIndexBytes *values)
{
  while (in->at < in->end && !in->failed && !times->failed && !values->failed) {
    const Track *track = get_track (reader, in, LOOM_TRACK_COUNTER);
    const char *name = get_text (reader, in), *unit = get_text (reader, in);
    loom_index_bytes_get (in); /* skips the number of samples in the trace file */
    guint64 n = loom_index_bytes_get (in);
    in->failed |= n > 2 * LOOM_INDEX_BUCKETS;
    if (in->failed)
      return;
    guint32 series = loom_trace_builder_series (reader->builder, track->owner, name, strlen (name));
    loom_trace_builder_series_set_unit (reader->builder, series, unit);
    read_samples (reader, track, series, (guint32) n, times, values);
  }
}

/* --- reading all sections of an index ----------------------------------------------------------------------------- */

static gboolean
read_section (Reader *reader, LoomIndexFileSection section, void (*read) (Reader *reader, LoomIndexBytes *in),
              const char *what, GError **error)
{
  g_autoptr (GBytes) bytes = loom_index_file_unpack (reader->file, section, error);
  if (bytes == NULL)
    return FALSE;
  LoomIndexBytes in = bytes_of (bytes);
  read (reader, &in);
  return !in.failed || loom_index_file_set_damage (error, what);
}

/* Returns the number of forms that the section with durations can have in files of this version: every form (a sum of
 * LOOM_INDEX_DURATIONS_… flags) is less than this number. */
static guint
count_forms (const Reader *reader)
{
  guint32 version = loom_index_file_get_version (reader->file);
  return version < LOOM_INDEX_FILE_VERSION_OF_RELATIVE_TIMES ? LOOM_INDEX_DURATIONS_ENDS
         : version < LOOM_INDEX_FILE_VERSION_OF_COLUMNS      ? LOOM_INDEX_DURATIONS_CONTEXTS
                                                             : 2 * LOOM_INDEX_DURATIONS_CONTEXTS;
}

static gboolean
read_spans (Reader *reader, GError **error)
{
  g_autoptr (GBytes) starts = loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_STARTS, error);
  g_autoptr (GBytes) durations =
    starts != NULL ? loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_DURATIONS, error) : NULL;
  g_autoptr (GBytes) names =
    durations != NULL ? loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_SPAN_NAMES, error) : NULL;
  g_autoptr (GBytes) flags =
    names != NULL ? loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_SPAN_FLAGS, error) : NULL;
  if (flags == NULL)
    return FALSE;
  SpanColumns in = { .starts = bytes_of (starts), .names = bytes_of (names), .flags = bytes_of (flags) };
  gboolean good = TRUE;
  gsize n_most = g_bytes_get_size (names); /* greatest possible number of spans: the name of each takes at least one
                                            * byte */
  reader->refs = g_new (LoomRef, n_most + 1);
  reader->ranges = g_new (LoomRange, n_most + 1);
  loom_index_durations_begin (&in.durations, bytes_of (durations), count_forms (reader), reader->n_names,
                              reader->ranges);
  while (good && in.starts.at < in.starts.end)
    good = read_spans_of_track (reader, &in);
  loom_index_durations_clear (&in.durations);
  return good || loom_index_file_set_damage (error, "spans");
}

static gboolean
read_counters (Reader *reader, GError **error)
{
  g_autoptr (GBytes) series = loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_SERIES, error);
  g_autoptr (GBytes) times =
    series != NULL ? loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_SAMPLE_TIMES, error) : NULL;
  g_autoptr (GBytes) values =
    times != NULL ? loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_SAMPLE_VALUES, error) : NULL;
  if (values == NULL)
    return FALSE;
  LoomIndexBytes in[] = { bytes_of (series), bytes_of (times), bytes_of (values) };
  read_series (reader, &in[0], &in[1], &in[2]);
  return !(in[0].failed || in[1].failed || in[2].failed) || loom_index_file_set_damage (error, "counters");
}

static gboolean
read_all (Reader *reader, LoomIndexReading *reading, GError **error)
{
  g_autoptr (GBytes) about = loom_index_file_unpack (reader->file, LOOM_INDEX_FILE_ABOUT, error);
  reading->about = about != NULL ? loom_index_about_read (about, error) : NULL;
  gboolean good = reading->about != NULL && read_section (reader, LOOM_INDEX_FILE_TEXTS, read_texts, "texts", error) &&
                  read_section (reader, LOOM_INDEX_FILE_CLOCKS, read_clocks, "clocks", error) &&
                  read_section (reader, LOOM_INDEX_FILE_SOURCES, read_sources, "sources", error) &&
                  read_section (reader, LOOM_INDEX_FILE_FLIGHTS, read_flights, "flight recorders", error);
  reading->n_sources = reader->n_sources;
  return good && read_section (reader, LOOM_INDEX_FILE_NAMES, read_names, "names", error) &&
         read_section (reader, LOOM_INDEX_FILE_TRACKS, read_tracks, "tracks", error) &&
         read_section (reader, LOOM_INDEX_FILE_RECORDERS, read_recorders, "recorders", error) &&
         read_spans (reader, error) &&
         read_section (reader, LOOM_INDEX_FILE_STEP_NUMBERS, read_step_numbers, "steps", error) &&
         read_section (reader, LOOM_INDEX_FILE_MEETINGS, read_meetings, "collectives", error) &&
         read_counters (reader, error) && loom_index_file_check (reader->file, LOOM_INDEX_FILE_SUMS, error);
}

gboolean
loom_index_reader_read (GBytes *bytes, const char *path, LoomTraceBuilder *builder, LoomIndexReading *reading,
                        GError **error)
{
  *reading = (LoomIndexReading) { .first_source = loom_trace_builder_get_n_sources (builder) };
  g_autoptr (LoomIndexFile) file = loom_index_file_new (bytes, error);
  if (file == NULL)
    return FALSE;
  Reader reader = { .file = file,
                    .builder = builder,
                    .path = path,
                    .texts = g_ptr_array_new_with_free_func (g_free),
                    .first_source = reading->first_source,
                    .tracks = g_array_new (FALSE, FALSE, sizeof (Track)) };
  gboolean good = read_all (&reader, reading, error);
  g_ptr_array_unref (reader.texts);
  g_array_unref (reader.tracks);
  g_free (reader.refs);
  g_free (reader.ranges);
  g_free (reader.names);
  return good;
}
