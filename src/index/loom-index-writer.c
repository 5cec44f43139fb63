/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-writer.h"

#include <string.h>

#include "loom-index-bytes.h"
#include "loom-index-file.h"
#include "loom-string-pool.h"

typedef struct {
  const LoomIndexContent *content;
  const LoomTrace *trace;
  LoomStringPool *texts;
  GHashTable *span_of; /* refs of meetings → number of their span + 1; 0: not kept */
  guint32 n_spans;
  guint32 *name_of;            /* by name id of the trace: number in the index + 1; 0: not used so far */
  GArray *names;               /* guint32: name ids in the order of their numbers */
  GByteArray *plain_durations; /* the section of durations, written as they are */
  gint64 *last_ns;             /* by number in the index: duration of its span before */
  guint32 *track_of;           /* by track of the trace: number in the index + 1; 0: not kept */
  GArray *tracks;              /* guint32: tracks of the trace in the order of their numbers */
  GByteArray *sections[LOOM_INDEX_FILE_N_SECTIONS];
} Writer;

/* --- texts, names, tracks ------------------------------------------------------------------------------------------ */

static void
put_text (Writer *writer, LoomIndexFileSection section, const char *text)
{
  loom_index_bytes_put (writer->sections[section], loom_string_pool_intern (writer->texts, text != NULL ? text : "",
                                                                            text != NULL ? strlen (text) : 0));
}

/* NULL is written as 0, and any text as its number + 1. */
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

static void
put_names (Writer *writer)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_NAMES];
  loom_index_bytes_put (out, writer->names->len);
  for (guint i = 0; i < writer->names->len; i++) {
    const LoomName *name = loom_trace_get_name (writer->trace, g_array_index (writer->names, guint32, i));
    put_text (writer, LOOM_INDEX_FILE_NAMES, name->text);
    put_text (writer, LOOM_INDEX_FILE_NAMES, name->category);
    put_text (writer, LOOM_INDEX_FILE_NAMES, name->cname);
  }
}

static void
put_track (Writer *writer, const LoomTrack *track)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_TRACKS];
  loom_index_bytes_put (out, track->kind);
  loom_index_bytes_put (out, track->flags);
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

static void
put_tracks (Writer *writer)
{
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_TRACKS], writer->tracks->len);
  for (guint i = 0; i < writer->tracks->len; i++)
    put_track (writer, loom_trace_get_track (writer->trace, g_array_index (writer->tracks, guint32, i)));
}

/* --- sources and clocks -------------------------------------------------------------------------------------------- */

static void
put_clocks (Writer *writer)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_CLOCKS];
  guint n = loom_trace_get_n_clocks (writer->trace);
  loom_index_bytes_put (out, n);
  for (guint i = 0; i < n; i++) {
    const LoomDeclaredClock *clock = loom_trace_get_clock (writer->trace, i);
    loom_index_bytes_put (out, clock->state);
    put_text (writer, LOOM_INDEX_FILE_CLOCKS, clock->basis);
    loom_index_bytes_put_signed (out, clock->base_ns);
    loom_index_bytes_put (out, clock->has_sync);
    loom_index_bytes_put_signed (out, clock->has_sync ? clock->sync_ns : 0);
    loom_index_bytes_put_signed (out, clock->has_sync ? clock->sync_error_ns : 0);
    loom_index_bytes_put_signed (out, clock->has_sync ? clock->sync_order : 0);
    put_text (writer, LOOM_INDEX_FILE_CLOCKS, clock->sync_group);
    put_text_or_null (writer, LOOM_INDEX_FILE_CLOCKS, clock->sync_cycle);
  }
}

static void
put_problems (Writer *writer, const LoomImportLog *log)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_SOURCES];
  guint n = loom_import_log_get_n_problems (log);
  loom_index_bytes_put (out, n);
  for (guint i = 0; i < n; i++) {
    const LoomProblem *problem = loom_import_log_get_problem (log, i);
    loom_index_bytes_put (out, problem->severity);
    loom_index_bytes_put (out, problem->count);
    loom_index_bytes_put (out, problem->offset + 1); /* LOOM_OFFSET_NONE becomes 0 */
    put_text (writer, LOOM_INDEX_FILE_SOURCES, problem->code);
    put_text (writer, LOOM_INDEX_FILE_SOURCES, problem->message);
  }
}

static void
put_source (Writer *writer, const LoomSource *source)
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
  put_problems (writer, source->log);
}

static void
put_sources (Writer *writer)
{
  guint n = loom_trace_get_n_sources (writer->trace);
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_SOURCES], n);
  for (guint i = 0; i < n; i++)
    put_source (writer, loom_trace_get_source (writer->trace, i));
}

/* --- spans --------------------------------------------------------------------------------------------------------- */

/* Meetings refer to their spans by number. */
static void
number_span (Writer *writer, LoomRef ref)
{
  writer->n_spans++;
  if (g_hash_table_contains (writer->span_of, &ref))
    g_hash_table_insert (writer->span_of, g_memdup2 (&ref, sizeof ref), GUINT_TO_POINTER (writer->n_spans));
}

static void
list_refs (Writer *writer)
{
  guint32 n;
  const LoomSyncEvent *all = loom_trace_get_meetings (writer->trace, &n);
  writer->span_of = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < writer->content->meetings->len; i++) {
    const LoomSyncEvent *meeting = &all[g_array_index (writer->content->meetings, guint32, i)];
    g_hash_table_insert (writer->span_of, g_memdup2 (&meeting->ref, sizeof meeting->ref), NULL);
  }
}

static guint32
find_span (const Writer *writer, const LoomSyncEvent *meeting)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (writer->span_of, &meeting->ref));
}

/* A start is written as its distance from the end of the span before, because kernels follow one another closely. A duration
 * is written as it is, and as its difference from that of the span of the same name before; choose_durations() keeps the
 * shorter column. */
static void
put_spans (Writer *writer, const LoomIndexTrack *track)
{
  gint64 end_ns = 0;
  if (track->spans->len == 0)
    return;
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_STARTS], number_track (writer, track->track));
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_STARTS], track->spans->len);
  for (guint i = 0; i < track->spans->len; i++) {
    const LoomIndexSpan *span = &g_array_index (track->spans, LoomIndexSpan, i);
    guint32 name = number_name (writer, span->name_id);
    loom_index_bytes_put_difference (writer->sections[LOOM_INDEX_FILE_STARTS], span->start_ns, end_ns);
    loom_index_bytes_put_difference (writer->sections[LOOM_INDEX_FILE_DURATIONS], span->dur_ns, writer->last_ns[name]);
    loom_index_bytes_put_difference (writer->plain_durations, span->dur_ns, 0);
    loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_SPAN_NAMES], name);
    loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_SPAN_FLAGS], loom_source_ref_flags (span->ref));
    number_span (writer, span->ref);
    end_ns = loom_time_add (span->start_ns, span->dur_ns);
    writer->last_ns[name] = span->dur_ns;
  }
}

/* --- meetings ------------------------------------------------------------------------------------------------------ */

/* One column after the other, because numbers of one kind compress better together. */
static void
put_meetings (Writer *writer)
{
  guint32 n_all;
  const LoomSyncEvent *all = loom_trace_get_meetings (writer->trace, &n_all);
  const GArray *kept = writer->content->meetings;
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_MEETINGS];
  static const LoomSyncEvent none = { .ref = LOOM_REF_NONE };
  loom_index_bytes_put (out, kept->len);
  for (guint column = 0; column < 10; column++) {
    const LoomSyncEvent *before = &none;
    for (guint i = 0; i < kept->len; i++) {
      const LoomSyncEvent *meeting = &all[g_array_index (kept, guint32, i)];
      switch (column) {
      case 0: loom_index_bytes_put_difference (out, meeting->start_ns, before->start_ns); break;
      case 1: loom_index_bytes_put_difference (out, meeting->end_ns, meeting->start_ns); break;
      case 2: loom_index_bytes_put_difference (out, meeting->sequence, before->sequence); break;
      case 3: loom_index_bytes_put_difference (out, meeting->bytes, before->bytes); break;
      case 4: loom_index_bytes_put_difference (out, meeting->call, before->call); break;
      case 5:
        put_text (writer, LOOM_INDEX_FILE_MEETINGS, loom_trace_get_sync_event_text (writer->trace, meeting->group));
        break;
      case 6:
        put_text (writer, LOOM_INDEX_FILE_MEETINGS, loom_trace_get_sync_event_text (writer->trace, meeting->name));
        break;
      case 7:
        loom_index_bytes_put (out, meeting->track < loom_trace_get_n_tracks (writer->trace)
                                     ? number_track (writer, meeting->track) + 1u
                                     : 0u);
        break;
      case 8: loom_index_bytes_put (out, meeting->kind + ((guint) meeting->axis << LOOM_INDEX_FILE_AXIS_SHIFT)); break;
      default: loom_index_bytes_put_difference (out, find_span (writer, meeting), find_span (writer, before)); break;
      }
      before = meeting;
    }
  }
}

/* --- counters ------------------------------------------------------------------------------------------------------ */

static void
put_sample (Writer *writer, const LoomSeries *series, guint32 sample, gint64 *before_ns)
{
  guint64 bits;
  memcpy (&bits, &series->value[sample], sizeof bits);
  loom_index_bytes_put_difference (writer->sections[LOOM_INDEX_FILE_SAMPLE_TIMES], series->time_ns[sample], *before_ns);
  loom_index_bytes_put_fixed (writer->sections[LOOM_INDEX_FILE_SAMPLE_VALUES], bits, 8);
  *before_ns = series->time_ns[sample];
}

/* Finds the first of the least, and the first of the greatest samples of a bucket; returns them in the order of time. */
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

static guint32
put_samples (Writer *writer, const LoomSeries *series)
{
  gint64 before_ns = 0;
  guint32 n = 0;
  if (series->n <= 2 * LOOM_INDEX_BUCKETS) {
    for (guint32 i = 0; i < series->n; i++)
      put_sample (writer, series, i, &before_ns);
    return series->n;
  }
  for (guint32 bucket = 0; bucket < LOOM_INDEX_BUCKETS; bucket++) {
    guint32 found[2], begin = (guint32) ((guint64) series->n * bucket / LOOM_INDEX_BUCKETS),
                      end = (guint32) ((guint64) series->n * (bucket + 1) / LOOM_INDEX_BUCKETS);
    find_extremes (series, begin, end, found);
    put_sample (writer, series, found[0], &before_ns);
    if (found[1] != found[0])
      put_sample (writer, series, found[1], &before_ns);
    n += 1 + (found[1] != found[0]);
  }
  return n;
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
      loom_index_bytes_put (out, put_samples (writer, series));
    }
  }
}

/* --- all of it ----------------------------------------------------------------------------------------------------- */

static void
put_sums (Writer *writer)
{
  GByteArray *out = writer->sections[LOOM_INDEX_FILE_SUMS];
  loom_index_bytes_put (out, writer->content->sums->len);
  for (guint i = 0; i < writer->content->sums->len; i++) {
    const LoomIndexSum *sum = &g_array_index (writer->content->sums, LoomIndexSum, i);
    loom_index_bytes_put (out, number_name (writer, sum->name_id));
    loom_index_bytes_put (out, sum->on_device != FALSE);
    loom_index_bytes_put (out, sum->n);
    loom_index_bytes_put_signed (out, sum->total_ns);
    loom_index_bytes_put_signed (out, sum->least_ns);
    loom_index_bytes_put_signed (out, sum->most_ns);
  }
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

/* Durations that repeat exactly, such as those of profilers that count in µs, compress better as they are. */
static void
choose_durations (Writer *writer)
{
  GByteArray **section = &writer->sections[LOOM_INDEX_FILE_DURATIONS];
  if (loom_index_file_measure (writer->plain_durations) >= loom_index_file_measure (*section))
    return;
  g_byte_array_set_size (*section, 0);
  loom_index_bytes_put (*section, LOOM_INDEX_DURATIONS_PLAIN);
  g_byte_array_append (*section, writer->plain_durations->data, writer->plain_durations->len);
}

static void
put_all (Writer *writer, const LoomIndexAbout *about)
{
  const LoomIndexContent *content = writer->content;
  writer->sections[LOOM_INDEX_FILE_ABOUT] = loom_index_about_write (about);
  put_clocks (writer);
  put_sources (writer);
  list_refs (writer);
  loom_index_bytes_put (writer->sections[LOOM_INDEX_FILE_DURATIONS], LOOM_INDEX_DURATIONS_DIFFERENCE);
  for (guint i = 0; i < content->tracks->len; i++)
    put_spans (writer, content->tracks->pdata[i]);
  choose_durations (writer);
  put_meetings (writer);
  put_series (writer);
  put_sums (writer);
  put_names (writer);
  put_tracks (writer);
  put_texts (writer);
}

GBytes *
loom_index_writer_make (const LoomIndexContent *content, const LoomIndexAbout *about)
{
  const LoomTrace *trace = content->trace;
  Writer writer = { .content = content,
                    .trace = trace,
                    .texts = loom_string_pool_new (),
                    .plain_durations = g_byte_array_new (),
                    .names = g_array_new (FALSE, FALSE, sizeof (guint32)),
                    .tracks = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  g_autofree guint32 *name_of = g_new0 (guint32, loom_trace_get_n_names (trace) + 1),
                     *track_of = g_new0 (guint32, loom_trace_get_n_tracks (trace) + 1);
  g_autofree gint64 *last_ns = g_new0 (gint64, loom_trace_get_n_names (trace) + 1);
  writer.name_of = name_of;
  writer.track_of = track_of;
  writer.last_ns = last_ns;
  for (guint i = LOOM_INDEX_FILE_ABOUT + 1; i < LOOM_INDEX_FILE_N_SECTIONS; i++)
    writer.sections[i] = g_byte_array_new ();
  put_all (&writer, about);
  LoomIndexPack *pack = loom_index_file_pack_new ();
  for (guint i = LOOM_INDEX_FILE_ABOUT; i < LOOM_INDEX_FILE_N_SECTIONS; i++) {
    loom_index_file_pack_add (pack, i, writer.sections[i]);
    g_byte_array_unref (writer.sections[i]);
  }
  g_byte_array_unref (writer.plain_durations);
  g_hash_table_unref (writer.span_of);
  loom_string_pool_free (writer.texts);
  g_array_unref (writer.names);
  g_array_unref (writer.tracks);
  return loom_index_file_pack_finish (pack);
}
