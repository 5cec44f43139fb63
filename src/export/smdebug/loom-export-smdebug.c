/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes smdebug's merged timeline (SageMaker Debugger). Spans are sorted by start; spans with equal starts keep the
 * order of the files. The system counters of an instant follow the spans of this instant. smdebug marks a sample of low
 * GPU utilization with an instant, the marker, which lists the system metrics around this sample. If one of the
 * counters of an instant is such a sample, and no earlier marker lists it, a marker follows the counters.
 */
#include <string.h>

#include "loom-export-private.h"
#include "loom-int64-hash.h"
#include "loom-parse-time.h"
#include "loom-smdebug-node.h"
#include "loom-smdebug-phases.h"
#include "loom-smdebug-system.h"

#define SYSTEM_PHASE "sys_metrics"
#define MARKER_PHASE "sys_metrics_bottlenecks"

/* Size of a buffer for the text of a double without an exponent, including the terminating zero. */
#define LOOM_DOUBLE_CHARS G_ASCII_DTOSTR_BUF_SIZE

typedef struct {
  LoomExport *merge;
  LoomMergeOptions sweep_options;
  LoomKwayMerge *sweep;
  LoomExportEventReader *reader;
  LoomBlockCache *cache; /* cache through which the lines of system metrics are read */
  LoomSmdebugPhases *phases;
  /* rows of system metrics around a sample of low GPU utilization; made at the first such sample */
  LoomSystemWindow *window;
  /* key that joins three values: track, source file, and whether the event has a tid → tid that the thread gets in the
   * written file */
  GHashTable *tids;
  GHashTable *counters;      /* number of a counter's track → name that the counter gets in the written file */
  GHashTable *counter_names; /* set of "pid\nname" of the counter names in use */
  /* array indexed by source of the run: name of the source's node for display; NULL: not determined yet */
  char **nodes;
  /* number of rows of system metrics that may still be written; limited only with LoomExportOptions.compat */
  guint64 n_counters_left;
  /* time of a sample of low GPU utilization that is among the `pending` items; LOOM_TIME_NONE: there is none */
  gint64 low_ns;
  /* the last written marker (instant that marks low GPU utilization) lists the rows of metrics up to this time */
  gint64 marked_until_ns;
  GArray *pending; /* LoomMergeItem: items with the same start, which are not written yet */
  GString *label, *args;
} Smdebug;

static guint
flat_source (Smdebug *smdebug, const LoomMergeItem *item)
{
  guint first = loom_run_get_first_source (smdebug->merge->run, item->trace);
  return item->ref == LOOM_REF_NONE ? first : first + loom_source_ref_source (item->ref);
}

static const LoomSource *
source_of (Smdebug *smdebug, const LoomMergeItem *item)
{
  return loom_run_get_source (smdebug->merge->run, flat_source (smdebug, item));
}

static const LoomTrack *
track_of (Smdebug *smdebug, const LoomMergeItem *item)
{
  return loom_trace_get_track (loom_run_get_trace (smdebug->merge->run, item->trace), item->track);
}

/* --- phases and threads of the file ------------------------------------------------------------------------------- */

static gint64
put_phase (Smdebug *smdebug, const char *phase)
{
  gboolean fresh;
  gint64 pid = loom_smdebug_phases_pid (smdebug->phases, phase, &fresh);
  if (!fresh)
    return pid;
  loom_export_put_name (smdebug->merge, pid, NULL, phase);
  loom_export_put_sort_index (smdebug->merge, pid, NULL, pid);
  return pid;
}

static const char *
node_of (Smdebug *smdebug, const LoomMergeItem *item)
{
  guint source = flat_source (smdebug, item);
  if (smdebug->nodes[source] == NULL) {
    const LoomSource *info = loom_run_get_source (smdebug->merge->run, source);
    smdebug->nodes[source] = loom_smdebug_node_display (info->path, info->format, info->node, info->rank);
  }
  return smdebug->nodes[source];
}

/* Returns the name of the thread in the source file. If the file states no name, returns the number of the thread; if
 * there is no number either, "0". */
static const char *
own_name (const LoomTrack *track)
{
  gboolean made_up =
    g_str_has_prefix (track->thread, "thread ") && strcmp (track->thread + strlen ("thread "), track->thread_key) == 0;
  if (track->thread_key[0] == '\0' && strcmp (track->thread, "(no thread)") == 0)
    return "0";
  return made_up || track->thread[0] == '\0' ? track->thread_key : track->thread;
}

/* Sets `label` to "<node>_<thread>". <thread> is the name of the thread; if it has no name, its tid; if the event has
 * no tid, "0". Returns a text that distinguishes threads with equal labels. */
static char *
describe_thread (Smdebug *smdebug, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  const LoomTrack *track = track_of (smdebug, item);
  LoomJsonSlice tid = drawn->has_event ? drawn->event.member[LOOM_MEMBER_TID] : (LoomJsonSlice) { NULL, 0 };
  g_string_truncate (smdebug->label, 0);
  /* in a merged timeline, the name of a thread already has the form "<node>_<thread>" */
  if (strcmp (source_of (smdebug, item)->format, "smdebug-merged") == 0) {
    g_string_assign (smdebug->label, track->thread);
    return g_strdup (track->thread_key);
  }
  g_string_append (smdebug->label, node_of (smdebug, item));
  g_string_append_c (smdebug->label, '_');
  if (drawn->has_event && tid.text == NULL) {
    g_string_append_c (smdebug->label, '0');
    return g_strdup ("");
  }
  g_string_append (smdebug->label, own_name (track));
  return tid.text != NULL ? g_strndup (tid.text, tid.length) : g_strdup (track->thread_key);
}

/* Returns TRUE for items on the unnamed thread 0 of a merged timeline: these are markers of low GPU utilization. */
static gboolean
is_nameless (Smdebug *smdebug, const LoomMergeItem *item)
{
  const LoomTrack *track = track_of (smdebug, item);
  return strcmp (source_of (smdebug, item)->format, "smdebug-merged") == 0 && strcmp (track->thread_key, "0") == 0 &&
         strcmp (own_name (track), "0") == 0;
}

static gint64
name_thread (Smdebug *smdebug, gint64 pid, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  gboolean fresh;
  if (is_nameless (smdebug, item))
    return 0;
  g_autofree char *identity = describe_thread (smdebug, item, drawn);
  gint64 tid = loom_smdebug_phases_tid (smdebug->phases, pid, smdebug->label->str, identity, &fresh);
  if (fresh)
    loom_export_put_name (smdebug->merge, pid, &tid, smdebug->label->str);
  return tid;
}

static gint64
put_thread (Smdebug *smdebug, gint64 pid, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  gboolean has_tid = drawn->has_event && drawn->event.member[LOOM_MEMBER_TID].text != NULL;
  guint track = loom_pid_tid_map_ordinal_of (smdebug->merge->places, item->trace, item->track);
  gpointer key = GSIZE_TO_POINTER ((gsize) track << 31 | (gsize) flat_source (smdebug, item) << 1 | has_tid), tid;
  if (!g_hash_table_lookup_extended (smdebug->tids, key, NULL, &tid)) {
    tid = GSIZE_TO_POINTER (name_thread (smdebug, pid, item, drawn));
    g_hash_table_insert (smdebug->tids, key, tid);
  }
  return (gint64) GPOINTER_TO_SIZE (tid);
}

/* --- spans and instants ------------------------------------------------------------------------------------------- */

/* Returns the literal of the duration in the file if it is a plain number; otherwise a slice without text. The literal
 * is used, because it has the digits below 1 ns, and because invalid durations of Horovod must be written unchanged. */
static LoomJsonSlice
own_duration (const LoomExportEvent *drawn)
{
  LoomJsonSlice dur = drawn->event.member[LOOM_MEMBER_DUR];
  gboolean keep = drawn->has_event && loom_event_phase (&drawn->event) == 'X' && dur.text != NULL &&
                  dur.text[0] != '"' && loom_json_slice_is_strict (dur.text, dur.length);
  return keep ? dur : (LoomJsonSlice) { NULL, 0 };
}

/* Writes a number as Python does, with the fewest digits that parse to the same double, but without an exponent. */
static void
write_double (double value, char text[LOOM_DOUBLE_CHARS])
{
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
  double again = 0;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_ascii_formatd (text, LOOM_DOUBLE_CHARS, formats[i], value);
    if (strchr (text, 'e') == NULL && loom_parse_time_parse_double (text, strlen (text), &again) &&
        !(again < value || again > value))
      return;
  }
}

/* Returns the start of an event as text, computed as smdebug's MergedTimeline does: as a sum of doubles, which for
 * current dates is a multiple of 0.25 µs. Returns a slice without text if MergedTimeline does not add a base to the
 * event's ts. */
static LoomJsonSlice
compat_start (Smdebug *smdebug, const LoomMergeItem *item, const LoomExportEvent *drawn, char text[LOOM_DOUBLE_CHARS])
{
  LoomJsonSlice ts = drawn->event.member[LOOM_MEMBER_TS];
  double us;
  guint clock = loom_run_get_clock_of_source (smdebug->merge->run, flat_source (smdebug, item));
  if (!drawn->has_event || strcmp (source_of (smdebug, item)->format, "tensorflow") != 0 ||
      smdebug->sweep_options.maps[clock].offset_ns != 0 || !loom_parse_time_parse_double (ts.text, ts.length, &us))
    return (LoomJsonSlice) { NULL, 0 };
  write_double ((double) (loom_run_get_clock (smdebug->merge->run, clock)->base_ns / LOOM_NS_PER_US) + us, text);
  return (LoomJsonSlice) { text, strlen (text) };
}

/* Returns TRUE if an instant of this phase is useless in the output, because its meaning depends on the id of an
 * async span or an object. */
static gboolean
is_bound (char phase)
{
  return phase != '\0' && strchr ("nTpNODvV()", phase) != NULL;
}

static gboolean
put_line (LoomExport *merge, const LoomTraceEventLine *line, gint64 start_ns, gint64 end_ns, GError **error)
{
  loom_trace_event_writer_append (merge->line, line);
  loom_export_put_event (merge, "", FALSE);
  return loom_export_count (merge, start_ns, end_ns, error);
}

static gboolean
put_span (Smdebug *smdebug, const LoomMergeItem *item, GError **error)
{
  LoomExport *merge = smdebug->merge;
  LoomExportEvent drawn;
  if (!loom_export_event_reader_read (smdebug->reader, smdebug->sweep, item, &drawn, error))
    return FALSE;
  if (is_bound (drawn.phase))
    return loom_export_leave_out (merge, LOOM_DROPPED_COUNT_OBJECT, error);
  const LoomTrack *track = track_of (smdebug, item);
  gboolean instant = item->kind == LOOM_KWAY_MERGE_INSTANT;
  char start[LOOM_DOUBLE_CHARS];
  LoomTraceEventLine line = { .event = drawn.has_event ? &drawn.event : NULL,
                              .strict = drawn.clean,
                              .name = drawn.name,
                              .phase = drawn.phase,
                              .has_pid = TRUE,
                              .has_tid = TRUE,
                              .has_ts = TRUE,
                              .ts_ns = item->start_ns,
                              .has_dur = !instant,
                              .dur_ns = loom_time_sub (item->end_ns, item->start_ns),
                              .bare = TRUE,
                              .scope = drawn.scope,
                              .args = drawn.args,
                              .no_args = drawn.no_args };
  if (!instant)
    line.dur_literal = own_duration (&drawn);
  if (merge->options->compat)
    line.ts_literal = compat_start (smdebug, item, &drawn, start);
  line.pid = put_phase (smdebug, track->process[0] != '\0' ? track->process : "Unknown");
  line.tid = put_thread (smdebug, line.pid, item, &drawn);
  merge->result->n_repaired += drawn.repaired;
  merge->result->n_synthesised += !drawn.has_event;
  return put_line (merge, &line, item->start_ns, item->end_ns, error);
}

/* --- system metrics ----------------------------------------------------------------------------------------------- */

static gboolean
put_marker (Smdebug *smdebug, gint64 time_ns, GError **error)
{
  LoomExport *merge = smdebug->merge;
  smdebug->marked_until_ns = loom_time_add (time_ns, LOOM_SYSTEM_AROUND_NS);
  if (smdebug->window == NULL)
    smdebug->window = loom_smdebug_system_new_window (merge, &smdebug->sweep_options);
  g_string_truncate (smdebug->args, 0);
  if (!loom_smdebug_system_append_around (smdebug->window, time_ns, smdebug->cache, smdebug->args, error))
    return FALSE;
  LoomTraceEventLine line = { .name = MARKER_PHASE,
                              .phase = 'i',
                              .scope = 't',
                              .has_ts = TRUE,
                              .ts_ns = loom_smdebug_system_whole_us (time_ns),
                              .has_pid = TRUE,
                              .has_tid = TRUE,
                              .args = smdebug->args };
  line.pid = put_phase (smdebug, MARKER_PHASE);
  return put_line (merge, &line, time_ns, time_ns, error);
}

static gboolean
put_row (Smdebug *smdebug, const LoomMergeItem *item, GError **error)
{
  LoomExport *merge = smdebug->merge;
  LoomSystemRow row;
  if (!loom_smdebug_system_row_read (merge, smdebug->cache, item->trace, item->ref, &row, error))
    return FALSE;
  /* the row's key is a JSON literal; it is decoded, because LoomTraceEventLine.name is plain text */
  g_string_truncate (smdebug->label, 0);
  loom_smdebug_system_row_append_key (&row, smdebug->label);
  g_autofree char *name = loom_json_slice_dup_decoded ((LoomJsonSlice) { smdebug->label->str, smdebug->label->len });
  g_string_assign (smdebug->args, "{\"value\":");
  loom_trace_event_writer_append_value (smdebug->args, row.value, FALSE);
  g_string_append_c (smdebug->args, '}');
  if (loom_smdebug_system_row_is_low (&row))
    smdebug->low_ns = item->start_ns;
  LoomTraceEventLine line = { .name = name,
                              .phase = 'C',
                              .has_ts = TRUE,
                              .ts_ns = loom_smdebug_system_whole_us (item->start_ns),
                              .has_pid = TRUE,
                              .has_tid = TRUE,
                              .args = smdebug->args };
  line.pid = put_phase (smdebug, SYSTEM_PHASE);
  return put_line (merge, &line, item->start_ns, item->start_ns, error);
}

/* Adds the name of a counter to the names that are in use for a pid. Returns the name, which belongs to
 * `counter_names`; NULL if the name is already in use. */
static const char *
take_counter_name (Smdebug *smdebug, gint64 pid, const char *name)
{
  g_autofree char *key = g_strdup_printf ("%" G_GINT64_FORMAT "\n%s", pid, name);
  const char *text = strchr (key, '\n') + 1;
  if (g_hash_table_contains (smdebug->counter_names, key))
    return NULL;
  /* `text` stays valid, because the table takes over `key` */
  g_hash_table_add (smdebug->counter_names, g_steal_pointer (&key));
  return text;
}

/* Returns a name for a counter that is unique for its pid: processes with the same name share a pid, so that names of
 * counters may clash. First tries the counter's name with its id (if it has one). If this name is in use, appends the
 * node; if that name is also in use, appends a number. */
static const char *
make_counter_name (Smdebug *smdebug, gint64 pid, const LoomMergeItem *item, const LoomEvent *event)
{
  const LoomTrack *track = track_of (smdebug, item);
  LoomJsonSlice id = event->member[LOOM_MEMBER_ID];
  g_autofree char *id_text = id.text != NULL ? loom_json_slice_dup_plain (id) : g_strdup ("");
  g_autofree char *own = g_strconcat (track->name, *id_text != '\0' ? " " : "", id_text, NULL);
  g_autofree char *placed = g_strdup_printf ("%s %s", own, node_of (smdebug, item));
  const char *name = take_counter_name (smdebug, pid, own);
  if (name == NULL)
    name = take_counter_name (smdebug, pid, placed);
  for (guint i = 2; name == NULL; i++) {
    g_autofree char *numbered = g_strdup_printf ("%s %u", placed, i);
    name = take_counter_name (smdebug, pid, numbered);
  }
  return name;
}

static const char *
name_counter (Smdebug *smdebug, gint64 pid, const LoomMergeItem *item, const LoomEvent *event)
{
  gpointer track = GUINT_TO_POINTER (loom_pid_tid_map_ordinal_of (smdebug->merge->places, item->trace, item->track));
  const char *name = g_hash_table_lookup (smdebug->counters, track);
  if (name == NULL) {
    name = make_counter_name (smdebug, pid, item, event);
    g_hash_table_insert (smdebug->counters, track, (gpointer) name);
  }
  return name;
}

/* Writes a counter event with the args that it has in its source file. Drops the event if the source file does not
 * contain it as a trace event. An event from a timeline that was merged before keeps its name; the names of all other
 * counters are made unique within their pid. */
static gboolean
put_counter (Smdebug *smdebug, const LoomMergeItem *item, GError **error)
{
  LoomExport *merge = smdebug->merge;
  const LoomTrack *track = track_of (smdebug, item);
  const LoomSource *source = source_of (smdebug, item);
  LoomEvent event;
  if (item->ref == LOOM_REF_NONE || source->text == NULL)
    return loom_export_leave_out (merge, LOOM_DROPPED_COUNT_TEXTLESS, error);
  if (!loom_block_cache_read (smdebug->cache, source->text, loom_source_ref_offset (item->ref), &event, error)) {
    g_prefix_error (error, "%s: ", source->path);
    return FALSE;
  }
  gboolean merged = strcmp (source->format, "smdebug-merged") == 0;
  LoomTraceEventLine line = { .event = &event,
                              .strict = loom_trace_event_writer_is_clean (&event),
                              .phase = 'C',
                              .has_ts = TRUE,
                              .ts_ns = item->start_ns,
                              .has_pid = TRUE,
                              .has_tid = TRUE,
                              .bare = TRUE };
  line.pid = put_phase (smdebug, track->process[0] != '\0' ? track->process : "Unknown");
  line.name = merged ? NULL : name_counter (smdebug, line.pid, item, &event);
  return put_line (merge, &line, item->start_ns, item->start_ns, error);
}

/* --- writing the events in order ---------------------------------------------------------------------------------- */

static int
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
  const LoomMergeItem *p = a, *q = b;
  Smdebug *smdebug = data;
  gboolean counter_p = p->kind == LOOM_KWAY_MERGE_COUNTER, counter_q = q->kind == LOOM_KWAY_MERGE_COUNTER;
  if (counter_p != counter_q)
    return counter_p ? 1 : -1;
  guint source_p = flat_source (smdebug, p), source_q = flat_source (smdebug, q);
  if (source_p != source_q)
    return source_p < source_q ? -1 : 1;
  guint64 offset_p = loom_source_ref_offset (p->ref), offset_q = loom_source_ref_offset (q->ref);
  return offset_p < offset_q ? -1 : offset_p > offset_q;
}

static gboolean
put_item (Smdebug *smdebug, const LoomMergeItem *item, GError **error)
{
  if (item->kind != LOOM_KWAY_MERGE_COUNTER)
    return put_span (smdebug, item, error);
  if (!loom_smdebug_system_is_row (smdebug->merge, item))
    return put_counter (smdebug, item, error);
  if (smdebug->n_counters_left == 0)
    return loom_export_leave_out (smdebug->merge, LOOM_DROPPED_COUNT_METRIC, error);
  smdebug->n_counters_left--;
  return put_row (smdebug, item, error);
}

static gboolean
put_pending (Smdebug *smdebug, GError **error)
{
  gboolean good = TRUE;
  smdebug->low_ns = LOOM_TIME_NONE;
  g_array_sort_with_data (smdebug->pending, compare_items, smdebug);
  for (guint i = 0; good && i < smdebug->pending->len; i++)
    good = put_item (smdebug, &g_array_index (smdebug->pending, LoomMergeItem, i), error);
  g_array_set_size (smdebug->pending, 0);
  if (good && smdebug->low_ns != LOOM_TIME_NONE && smdebug->low_ns > smdebug->marked_until_ns)
    good = put_marker (smdebug, smdebug->low_ns, error);
  return good;
}

/* Counts a flow event as dropped, because smdebug's layout has no flows. Does not count a flow point that a span states
 * with its bind_id, because it is not an event of its own. */
static gboolean
leave_out_flow (Smdebug *smdebug, const LoomMergeItem *item, GError **error)
{
  LoomExportEvent drawn;
  if (!loom_export_event_reader_read (smdebug->reader, smdebug->sweep, item, &drawn, error))
    return FALSE;
  if (drawn.phase == '\0' || strchr ("stf", drawn.phase) == NULL)
    return TRUE;
  return loom_export_leave_out (smdebug->merge, LOOM_DROPPED_COUNT_FLOW, error);
}

/* Returns the reason why the layout drops an item; LOOM_N_LEFT_OUT if the item is kept. Three kinds of items are
 * dropped: items that the layout cannot contain; the items of Python profiles, which are in the same folders but are
 * not timelines; and, in traces of smdebug and TensorFlow, spans that never ended and instants, because smdebug's
 * readers drop them. */
static LoomDroppedCount
find_reason (Smdebug *smdebug, const LoomMergeItem *item)
{
  if (item->kind == LOOM_KWAY_MERGE_FLOW)
    return LOOM_DROPPED_COUNT_FLOW;
  if (item->kind == LOOM_KWAY_MERGE_ASYNC)
    return LOOM_DROPPED_COUNT_ASYNC;
  const char *format = source_of (smdebug, item)->format;
  if (strcmp (format, "cprofile") == 0 || strcmp (format, "pyinstrument") == 0)
    return LOOM_DROPPED_COUNT_TEXTLESS;
  if (strcmp (format, "smdebug") != 0 && strcmp (format, "tensorflow") != 0)
    return LOOM_N_LEFT_OUT;
  if (item->kind == LOOM_KWAY_MERGE_INSTANT)
    return LOOM_DROPPED_COUNT_INSTANT;
  gboolean open = item->kind == LOOM_KWAY_MERGE_SPAN && (loom_source_ref_flags (item->ref) & LOOM_REF_OPEN) != 0;
  return open ? LOOM_DROPPED_COUNT_OPEN : LOOM_N_LEFT_OUT;
}

static gboolean
leave_out (Smdebug *smdebug, const LoomMergeItem *item, LoomDroppedCount why, GError **error)
{
  if (why == LOOM_DROPPED_COUNT_FLOW)
    return leave_out_flow (smdebug, item, error);
  return loom_export_leave_out (smdebug->merge, why, error);
}

/* Returns TRUE if the starts `one_ns` and `other_ns` of two successive items count as equal; items with equal starts
 * keep the order of the source file. With LoomExportOptions.compat, starts count as equal if they are equal when
 * converted to µs as doubles, because smdebug's MergedTimeline compares such doubles. For current dates, they are
 * multiples of 0.25 µs. */
static gboolean
is_one_start (const Smdebug *smdebug, gint64 one_ns, gint64 other_ns)
{
  if (one_ns == other_ns || !smdebug->merge->options->compat)
    return one_ns == other_ns;
  double one_us = (double) ((long double) one_ns / LOOM_NS_PER_US),
         other_us = (double) ((long double) other_ns / LOOM_NS_PER_US);
  return !(one_us < other_us || one_us > other_us);
}

static gboolean
put_events (Smdebug *smdebug, GError **error)
{
  LoomMergeItem item;
  while (loom_kway_merge_next (smdebug->sweep, &item)) {
    LoomDroppedCount why = find_reason (smdebug, &item);
    if (why != LOOM_N_LEFT_OUT) {
      if (!leave_out (smdebug, &item, why, error))
        return FALSE;
      continue;
    }
    if (smdebug->pending->len > 0 &&
        !is_one_start (smdebug, g_array_index (smdebug->pending, LoomMergeItem, 0).start_ns, item.start_ns) &&
        !put_pending (smdebug, error))
      return FALSE;
    g_array_append_val (smdebug->pending, item);
  }
  return put_pending (smdebug, error);
}

/* --- writing the file --------------------------------------------------------------------------------------------- */

/* Returns the clock maps of the export, one per clock of the run. Times of a TensorFlow trace without a known start
 * stay unchanged. */
static LoomClockMap *
make_maps (LoomExport *merge)
{
  LoomAlignment *alignment = loom_timeline_get_alignment (merge->timeline);
  LoomClockMap *maps = g_new0 (LoomClockMap, MAX (loom_run_get_n_clocks (merge->run), 1));
  for (guint i = 0; i < loom_run_get_n_clocks (merge->run); i++)
    maps[i] = loom_alignment_get (alignment, i)->map;
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    guint clock = loom_run_get_clock_of_source (merge->run, i);
    if (strcmp (loom_run_get_source (merge->run, i)->format, "tensorflow") == 0 &&
        loom_alignment_get (alignment, clock)->state < LOOM_CLOCK_DERIVED)
      maps[clock] = (LoomClockMap) { .offset_ns = -loom_run_get_clock (merge->run, clock)->base_ns };
  }
  return maps;
}

static gboolean
count_counters (Smdebug *smdebug, GError **error)
{
  smdebug->n_counters_left = G_MAXUINT64;
  return !smdebug->merge->options->compat ||
         loom_smdebug_system_count_compat (smdebug->merge, &smdebug->sweep_options, smdebug->cache,
                                           &smdebug->n_counters_left, error);
}

static void
clear (Smdebug *smdebug, LoomClockMap *maps)
{
  guint n = loom_run_get_n_sources (smdebug->merge->run);
  g_clear_pointer (&smdebug->window, loom_smdebug_system_free_window);
  for (guint i = 0; i < n; i++)
    g_free (smdebug->nodes[i]);
  g_free (smdebug->nodes);
  g_hash_table_unref (smdebug->tids);
  g_hash_table_unref (smdebug->counters);
  g_hash_table_unref (smdebug->counter_names);
  g_array_unref (smdebug->pending);
  g_string_free (smdebug->label, TRUE);
  g_string_free (smdebug->args, TRUE);
  loom_smdebug_phases_free (smdebug->phases);
  loom_export_event_reader_free (smdebug->reader);
  loom_block_cache_free (smdebug->cache);
  loom_kway_merge_free (smdebug->sweep);
  g_free (maps);
}

gboolean
loom_export_write_smdebug (LoomExport *merge, GError **error)
{
  LoomClockMap *maps = make_maps (merge);
  Smdebug smdebug = { .merge = merge,
                      .marked_until_ns = G_MININT64,
                      .pending = g_array_new (FALSE, FALSE, sizeof (LoomMergeItem)),
                      .label = g_string_new (NULL),
                      .args = g_string_new (NULL),
                      .phases = loom_smdebug_phases_new (),
                      .counters = g_hash_table_new (NULL, NULL),
                      .counter_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                      .tids = g_hash_table_new (loom_int64_hash_packed, NULL),
                      .reader = loom_export_event_reader_new (merge->timeline, FALSE),
                      .cache = loom_block_cache_new (),
                      .nodes = g_new0 (char *, MAX (loom_run_get_n_sources (merge->run), 1)) };
  smdebug.sweep_options = (LoomMergeOptions) {
    .has_range = merge->options->has_range, .range = merge->options->range, .maps = maps, .sources = merge->wanted
  };
  smdebug.sweep = loom_kway_merge_new (merge->timeline, merge->places, &smdebug.sweep_options);
  loom_export_put (merge, "[");
  gboolean good = count_counters (&smdebug, error) && put_events (&smdebug, error);
  loom_export_put (merge, "\n]\n");
  clear (&smdebug, maps);
  return good;
}
