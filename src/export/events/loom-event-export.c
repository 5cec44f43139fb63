/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-export.h"

#include "loom-event-json-line.h"
#include "loom-output-file.h"
#include "loom-track-rank.h"

#include <string.h>

/* Number of events written between two checks of the cancellable. */
#define LOOK_EVERY 1024

#define COLUMNS "ts_ns,dur_ns,ph,name,cat,process,thread,rank,depth"
/* columns that a later version of the program added; they are last, so that the older columns keep their positions */
#define LAST_COLUMNS ",node,source"

/* --- columns of an event ------------------------------------------------------------------------------------------ */

static LoomMergeItemKind
kind_of (LoomTrackKind kind)
{
  return kind == LOOM_TRACK_INSTANTS ? LOOM_KWAY_MERGE_INSTANT
         : kind == LOOM_TRACK_ASYNC  ? LOOM_KWAY_MERGE_ASYNC
                                     : LOOM_KWAY_MERGE_SPAN;
}

static LoomMergeItem
item_of (LoomTimeline *timeline, const LoomTrace *trace, LoomSpanId event)
{
  LoomMergeItem item = { .trace = event.trace,
                         .index = event.span,
                         .ref = loom_trace_get_spans (trace)->ref[event.span],
                         .name_id = loom_trace_get_spans (trace)->name_id[event.span] };
  guint32 track, row;
  loom_trace_locate_span (trace, event.span, &track, &row);
  item.track = track;
  item.kind = kind_of (loom_trace_get_track (trace, track)->kind);
  item.depth = loom_trace_get_row (trace, row)->depth;
  item.lane = loom_trace_get_row (trace, row)->lane;
  loom_timeline_get_span (timeline, event, &item.start_ns, &item.end_ns);
  return item;
}

/* Appends a CSV field, quoted if necessary. */
static void
append_field (GString *line, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL) {
    g_string_append (line, text);
    return;
  }
  g_string_append_c (line, '"');
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '"')
      g_string_append_c (line, '"');
    g_string_append_c (line, *at);
  }
  g_string_append_c (line, '"');
}

/* Appends a field of a line of tab-separated values. Tabs and line ends in the field are replaced by blanks. */
static void
append_plain (GString *line, const char *text)
{
  for (const char *at = text; *at != '\0'; at++)
    g_string_append_c (line, *at == '\t' || *at == '\n' || *at == '\r' ? ' ' : *at);
}

typedef void (*AppendText) (GString *line, const char *text);

static void
append_int (GString *line, gint64 value)
{
  char digits[24];
  g_string_append_len (line, digits, (gssize) loom_time_write_int (value, digits));
}

/* Returns the rank of the track. Returns −1 if the track has no rank, or if the number that the file states as its rank
 * is a process id. */
static gint
rank_of (const LoomTrace *trace, const LoomTrack *track)
{
  return loom_track_rank_is_process (track, track->format) ? -1 : track->rank;
}

static void
append_columns (GString *line, char between, AppendText append, const LoomTrack *track, gint rank,
                const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  const char phase[2] = { drawn->phase, '\0' };
  const char *const texts[] = { phase, drawn->name, drawn->category, track->process, track->thread };
  append_int (line, item->start_ns);
  g_string_append_c (line, between);
  append_int (line, loom_time_sub (item->end_ns, item->start_ns));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_string_append_c (line, between);
    append (line, texts[i]);
  }
  g_string_append_c (line, between);
  if (rank >= 0)
    append_int (line, rank);
  g_string_append_c (line, between);
  append_int (line, item->depth);
}

static void
append_last_columns (GString *line, char between, AppendText append, const LoomTrack *track, const char *name)
{
  g_string_append_c (line, between);
  append (line, track->node != NULL ? track->node : "");
  g_string_append_c (line, between);
  append (line, name != NULL ? name : "");
}

/* Returns the name that the user gave to the source of the track; NULL: none. */
static const char *
name_of (const LoomSourceOverrides *names, const LoomTrace *trace, const LoomTrack *track)
{
  return loom_source_overrides_get_name (names, loom_trace_get_source (trace, track->source)->path);
}

static void
append_csv (GString *line, const LoomTrack *track, gint rank, const LoomMergeItem *item, const LoomExportEvent *drawn,
            const char *name)
{
  g_autoptr (GString) args = g_string_new (NULL);
  append_columns (line, ',', append_field, track, rank, item, drawn);
  loom_export_event_reader_append_args (drawn, args);
  g_string_append_c (line, ',');
  append_field (line, args->str);
  append_last_columns (line, ',', append_field, track, name);
  g_string_append (line, "\r\n");
}

/* --- exporting all events ----------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  const LoomSpanId *events;
  gsize n_events;
  const LoomSourceOverrides *names;
  LoomEventExportFormat format;
  LoomProgress *progress;
  LoomOutputFile *output;
  LoomExportEventReader *reader;
  GString *line;
} Writing;

static gboolean
put_event (Writing *writing, gsize number, GError **error)
{
  LoomSpanId event = writing->events[number];
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (writing->timeline), event.trace);
  const LoomMergeItem item = item_of (writing->timeline, trace, event);
  const LoomTrack *track = loom_trace_get_track (trace, item.track);
  GString *line = writing->line;
  LoomExportEvent drawn;
  if (!loom_export_event_reader_read_sampled (writing->reader, NULL, 0, &item, &drawn, error))
    return FALSE;
  g_string_truncate (line, 0);
  if (writing->format == LOOM_EVENT_EXPORT_CSV)
    append_csv (line, track, rank_of (trace, track), &item, &drawn, name_of (writing->names, trace, track));
  else {
    loom_event_json_line_append (line, trace, &item, &drawn, writing->names, TRUE);
    g_string_append (line, number + 1 < writing->n_events ? ",\n" : "\n");
  }
  loom_output_file_append (writing->output, line->str, line->len);
  return loom_output_file_is_good (writing->output);
}

static gboolean
put_events (Writing *writing, GError **error)
{
  for (gsize i = 0; i < writing->n_events; i++) {
    if (!put_event (writing, i, error))
      return FALSE;
    if ((i + 1) % LOOK_EVERY != 0)
      continue;
    loom_progress_add_done (writing->progress, LOOK_EVERY);
    if (g_cancellable_set_error_if_cancelled (loom_progress_get_cancellable (writing->progress), error))
      return FALSE;
  }
  return TRUE;
}

static void
put_head (Writing *writing)
{
  const char *head = writing->format == LOOM_EVENT_EXPORT_CSV ? COLUMNS ",args" LAST_COLUMNS "\r\n" : "[\n";
  loom_output_file_append (writing->output, head, strlen (head));
}

gboolean
loom_event_export_write (LoomTimeline *timeline, const LoomSpanId *events, gsize n_events,
                         const LoomSourceOverrides *names, LoomEventExportFormat format, const char *path,
                         LoomProgress *progress, GError **error)
{
  g_return_val_if_fail (timeline != NULL && path != NULL && format < LOOM_N_EVENT_FILES, FALSE);
  GError *problem = NULL;
  LoomOutputFile *output = loom_output_file_new (path, error);
  if (output == NULL)
    return FALSE;
  g_autoptr (LoomExportEventReader) reader = loom_export_event_reader_new (timeline, FALSE);
  g_autoptr (GString) line = g_string_sized_new (1024);
  Writing writing = { timeline, events, n_events, names, format, progress, output, reader, line };
  loom_progress_add_total (progress, n_events);
  put_head (&writing);
  if (!put_events (&writing, &problem) && problem != NULL) {
    g_propagate_error (error, problem);
    loom_output_file_abort (output);
    return FALSE;
  }
  if (format == LOOM_EVENT_EXPORT_JSON)
    loom_output_file_append (output, "]\n", 2);
  return loom_output_file_commit (output, error);
}

char *
loom_event_export_dup_tsv (LoomTimeline *timeline, const LoomSpanId *events, gsize n_events,
                           const LoomSourceOverrides *names, LoomProgress *progress, GError **error)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (GString) text = g_string_new (COLUMNS LAST_COLUMNS "\n");
  g_strdelimit (text->str, ",", '\t');
  for (gsize i = 0; i < n_events; i++) {
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), events[i].trace);
    const LoomMergeItem item = item_of (timeline, trace, events[i]);
    LoomExportEvent drawn = { 0 };
    loom_export_event_reader_describe (&drawn, trace, &item, '\0');
    const LoomTrack *track = loom_trace_get_track (trace, item.track);
    append_columns (text, '\t', append_plain, track, rank_of (trace, track), &item, &drawn);
    append_last_columns (text, '\t', append_plain, track, name_of (names, trace, track));
    g_string_append_c (text, '\n');
    if (i % LOOK_EVERY == 0 && g_cancellable_set_error_if_cancelled (loom_progress_get_cancellable (progress), error))
      return NULL;
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
