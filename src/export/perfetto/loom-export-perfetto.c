/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the layout PERFETTO: everything that the timeline shows, as track events of Perfetto's protobuf format
 * (track_event.proto). A span is a begin event, directly followed by an end event. This is valid although the end event
 * has a later time than the events after it, because readers sort by time, and keep the order of the file for equal
 * times. Arrows and async spans are written as "legacy events" with the phases and ids of Chrome's format, so that
 * readers match their ids as in a Chrome trace.
 */
#include <string.h>

#include "loom-export-head.h"
#include "loom-export-private.h"
#include "loom-flow-id.h"
#include "loom-import-losses.h"
#include "loom-parse-time.h"
#include "loom-perfetto-annotations.h"
#include "loom-perfetto-layout-tracks.h"

enum {
  EVENT_CATEGORY_ID = 3,
  EVENT_ARG = 4,
  EVENT_LEGACY = 6,
  EVENT_TYPE = 9,
  EVENT_NAME_ID = 10,
  EVENT_TRACK = 11,
  EVENT_VALUE = 30,
  EVENT_REAL_VALUE = 44,
};
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };
enum {
  LEGACY_PHASE = 2,
  LEGACY_UNSCOPED_ID = 6,
  LEGACY_SCOPE = 7,
  LEGACY_BIND_ID = 8,
  LEGACY_LOCAL_ID = 10,
  LEGACY_GLOBAL_ID = 11,
  LEGACY_BIND_TO_ENCLOSING = 12,
  LEGACY_DIRECTION = 13,
  LEGACY_INSTANT_SCOPE = 14,
};
enum { DIRECTION_IN = 1, DIRECTION_OUT = 2 };
enum { SCOPE_GLOBAL = 1, SCOPE_PROCESS = 2, SCOPE_THREAD = 3 };

/* Every whole number up to this one can be represented exactly by a double. */
#define MOST_WHOLE ((double) (G_GUINT64_CONSTANT (1) << 53))

typedef struct {
  LoomExport *merge;
  LoomKwayMerge *sweep;
  LoomExportEventReader *reader;
  LoomPerfettoStream *stream;
  LoomPerfettoLayoutTracks *tracks;
  LoomPerfettoAnnotations annotations;
  gint64 shift_ns; /* added to all times, so that only events with implausible times can have negative times */
  /* TRUE if the format cannot represent a time of the current event, so that the nearest possible time was written */
  gboolean is_moved;
  gboolean is_single; /* TRUE if the run has only one trace: the ids of events are then not changed */
  GArray *flows;      /* LoomMergeItem: flow events with the same time, which are written together */
  GString *event, *args;
} Perfetto;

static const LoomTrace *
get_trace (const Perfetto *self, const LoomMergeItem *item)
{
  return loom_run_get_trace (self->merge->run, item->trace);
}

static void
put_event (Perfetto *self, gint64 time_ns)
{
  gint64 shifted_ns = loom_time_add (time_ns, self->shift_ns);
  self->is_moved |= shifted_ns < 0 || loom_time_is_saturated (shifted_ns);
  loom_perfetto_stream_put (self->stream, LOOM_PERFETTO_STREAM_TRACK_EVENT, MAX (shifted_ns, 0), self->event);
}

/* --- parts of events ---------------------------------------------------------------------------------------------- */

static void
append_name (Perfetto *self, const char *name, const char *category)
{
  if (category != NULL && *category != '\0')
    loom_perfetto_message_put_number (
      self->event, EVENT_CATEGORY_ID,
      loom_perfetto_stream_intern (self->stream, LOOM_PERFETTO_STREAM_CATEGORY, category));
  loom_perfetto_message_put_number (self->event, EVENT_NAME_ID,
                                    loom_perfetto_stream_intern (self->stream, LOOM_PERFETTO_STREAM_NAME, name));
}

/* Begins an event on a track. `type`: type of the track event; 0: the type is omitted, and put_phase() writes a phase
 * of Chrome's format instead. */
static void
begin_event (Perfetto *self, guint type, guint64 track)
{
  g_string_truncate (self->event, 0);
  if (type != 0)
    loom_perfetto_message_put_number (self->event, EVENT_TYPE, type);
  loom_perfetto_message_put_number (self->event, EVENT_TRACK, track);
}

/* Appends the names of a call stack as an array. */
static void
append_stack (Perfetto *self, const char *name, const LoomEventStack *stack, LoomEventStackSide side,
              const LoomEvent *event, const LoomStackFrames *frames)
{
  g_string_assign (self->args, "{");
  loom_event_stack_append_names (self->args, name, stack, side, event, frames);
  g_string_append_c (self->args, '}');
  loom_perfetto_annotations_append (&self->annotations, self->event, EVENT_ARG,
                                    (LoomJsonSlice) { self->args->str, self->args->len });
}

static void
append_stacks (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  static const char *const names[LOOM_N_EVENT_STACKS] = { "stack", "end_stack" };
  LoomEventStack stack;
  gboolean has_stack = drawn->has_event && loom_event_stack_find (&drawn->event, &stack);
  if (!has_stack)
    stack = (LoomEventStack) { 0 };
  loom_event_stack_take_end (&stack, &drawn->end);
  for (guint side = 0; side < LOOM_N_EVENT_STACKS; side++)
    if (drawn->has_event && (stack.frame[side].text != NULL || stack.list[side].text != NULL))
      append_stack (self, names[side], &stack, side, &drawn->event,
                    loom_trace_get_source (get_trace (self, item), loom_source_ref_source (item->ref))->stacks);
}

/* Appends the mark "open" if the span never ended, or "suspect" if the times of the event are implausible. */
static void
append_mark (Perfetto *self, const LoomMergeItem *item)
{
  guint flags = item->ref != LOOM_REF_NONE ? loom_source_ref_flags (item->ref) : 0;
  const char *mark = (flags & LOOM_REF_OPEN) == 0      ? (flags & LOOM_REF_SUSPECT) != 0 ? "suspect" : NULL
                     : (flags & LOOM_REF_SUSPECT) != 0 ? "open suspect"
                                                       : "open";
  if (mark != NULL)
    loom_perfetto_annotations_append_text (&self->annotations, self->event, EVENT_ARG, "traceloom", mark);
}

static void
append_args (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  g_string_truncate (self->args, 0);
  loom_export_event_reader_append_args (drawn, self->args);
  if (self->args->len > 0)
    loom_perfetto_annotations_append (&self->annotations, self->event, EVENT_ARG,
                                      (LoomJsonSlice) { self->args->str, self->args->len });
  append_stacks (self, item, drawn);
  append_mark (self, item);
}

/* --- ids of async spans and flows --------------------------------------------------------------------------------- */

static void
append_id (Perfetto *self, guint field, LoomJsonSlice id, guint trace)
{
  loom_perfetto_message_put_number (self->event, field, loom_flow_id_of (id, trace));
}

/* Appends the id that the event has in its file. Returns FALSE if the event has no id, or if the id cannot identify a
 * flow (loom_flow_id_correlates()). */
static gboolean
append_own_id (Perfetto *self, const LoomMergeItem *item, const LoomEvent *event)
{
  guint trace = self->is_single ? LOOM_FLOW_ID_ALONE : item->trace;
  LoomJsonSlice id2 = event->member[LOOM_MEMBER_ID2], id = event->member[LOOM_MEMBER_ID];
  LoomJsonSlice local = loom_json_slice_member (id2, "local"), global = loom_json_slice_member (id2, "global");
  if (loom_flow_id_correlates (local))
    append_id (self, LEGACY_LOCAL_ID, local, LOOM_FLOW_ID_ALONE);
  else if (loom_flow_id_correlates (global))
    append_id (self, LEGACY_GLOBAL_ID, global, trace);
  else if (loom_flow_id_correlates (id))
    append_id (self, LEGACY_UNSCOPED_ID, id, trace);
  else
    return FALSE;
  return TRUE;
}

/* Appends a new unique id. Used for a span without an id, and for an end event without a begin event. With the id of
 * its file, such an end event would end another span with this id. */
static void
append_made_id (Perfetto *self, const LoomMergeItem *item)
{
  char text[24] = "~";
  guint64 number = item->ref != LOOM_REF_NONE ? loom_source_ref_offset (item->ref) : item->index;
  gsize length = 1 + loom_time_write_int ((gint64) number, text + 1);
  append_id (self, LEGACY_UNSCOPED_ID, (LoomJsonSlice) { text, length }, item->trace);
}

static void
append_ids (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  gboolean is_span = item->kind == LOOM_KWAY_MERGE_ASYNC || item->kind == LOOM_KWAY_MERGE_ASYNC_END;
  gboolean is_alone = !drawn->has_event || (is_span && loom_event_phase (&drawn->event) == 'e');
  if (is_alone || !append_own_id (self, item, &drawn->event))
    append_made_id (self, item);
  if (!drawn->has_event || drawn->event.member[LOOM_MEMBER_SCOPE].text == NULL)
    return;
  g_autofree char *scope = loom_json_slice_dup_plain (drawn->event.member[LOOM_MEMBER_SCOPE]);
  loom_perfetto_message_put_text (self->event, LEGACY_SCOPE, scope);
}

/* Appends the flow of a span that states its flow in the older form. This form has no flow events, but two members of
 * the span: an id (bind_id) and a direction. */
static void
append_bound_flow (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  const LoomJsonSlice *member = drawn->event.member;
  if (!drawn->has_event || !loom_flow_id_correlates (member[LOOM_MEMBER_BIND_ID]))
    return;
  guint direction = (loom_json_slice_equal (member[LOOM_MEMBER_FLOW_IN], "true") ? DIRECTION_IN : 0) |
                    (loom_json_slice_equal (member[LOOM_MEMBER_FLOW_OUT], "true") ? DIRECTION_OUT : 0);
  if (direction == 0)
    return;
  gsize place = loom_perfetto_message_begin (self->event, EVENT_LEGACY);
  append_id (self, LEGACY_BIND_ID, member[LOOM_MEMBER_BIND_ID], self->is_single ? LOOM_FLOW_ID_ALONE : item->trace);
  loom_perfetto_message_put_number (self->event, LEGACY_DIRECTION, direction);
  loom_perfetto_message_end (self->event, place);
}

/* --- packets of events -------------------------------------------------------------------------------------------- */

static void
put_span (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  guint64 track = loom_perfetto_layout_tracks_use_lane (self->tracks, item);
  begin_event (self, TYPE_BEGIN, track);
  append_name (self, drawn->name, drawn->category);
  append_args (self, item, drawn);
  append_bound_flow (self, item, drawn);
  put_event (self, item->start_ns);
  begin_event (self, TYPE_END, track);
  put_event (self, item->end_ns);
}

static guint64
find_place (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  if (item->track != G_MAXUINT)
    return loom_perfetto_layout_tracks_use_place (self->tracks, item->trace, item->track);
  g_autofree char *pid = loom_json_slice_dup_plain (drawn->event.member[LOOM_MEMBER_PID]),
                  *tid = loom_json_slice_dup_plain (drawn->event.member[LOOM_MEMBER_TID]);
  return loom_perfetto_layout_tracks_use_stray (self->tracks, item->trace, pid, tid);
}

static gboolean
binds_to_enclosing (const Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  return loom_export_binds_inside (get_trace (self, item), item) ||
         (drawn->has_event && loom_json_slice_equal (drawn->event.member[LOOM_MEMBER_BP], "\"e\""));
}

/* Returns the name of the event in its file, owned by the caller. For a step within an async span, this differs from
 * the name on the timeline. The timeline shows a name from the args of the step, but in the file the step has the name
 * of the span. */
static char *
dup_own_name (const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  gboolean is_step =
    item->kind == LOOM_KWAY_MERGE_INSTANT && drawn->has_event && (drawn->phase == 'T' || drawn->phase == 'p');
  return is_step ? loom_json_slice_dup_plain (drawn->event.member[LOOM_MEMBER_NAME]) : g_strdup (drawn->name);
}

/* Writes an event with a phase and an id: the begin or end of an async span, an instant within one, or a flow event. */
static void
put_phase (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  g_autofree char *name = dup_own_name (item, drawn);
  begin_event (self, 0, find_place (self, item, drawn));
  append_name (self, name, drawn->category);
  gsize place = loom_perfetto_message_begin (self->event, EVENT_LEGACY);
  loom_perfetto_message_put_number (self->event, LEGACY_PHASE, (guint64) drawn->phase);
  append_ids (self, item, drawn);
  if (item->kind == LOOM_KWAY_MERGE_FLOW && binds_to_enclosing (self, item, drawn))
    loom_perfetto_message_put_number (self->event, LEGACY_BIND_TO_ENCLOSING, 1);
  loom_perfetto_message_end (self->event, place);
  append_args (self, item, drawn);
  put_event (self, item->kind == LOOM_KWAY_MERGE_ASYNC_END ? item->end_ns : item->start_ns);
}

static void
put_instant (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  guint scope = drawn->scope == 'g' ? SCOPE_GLOBAL : drawn->scope == 'p' ? SCOPE_PROCESS : SCOPE_THREAD;
  begin_event (self, TYPE_INSTANT, find_place (self, item, drawn));
  append_name (self, drawn->name, drawn->category);
  append_args (self, item, drawn);
  if (scope != SCOPE_THREAD) {
    gsize place = loom_perfetto_message_begin (self->event, EVENT_LEGACY);
    loom_perfetto_message_put_number (self->event, LEGACY_PHASE, 'i');
    loom_perfetto_message_put_number (self->event, LEGACY_INSTANT_SCOPE, scope);
    loom_perfetto_message_end (self->event, place);
  }
  put_event (self, item->start_ns);
}

/* Appends the value of a sample. If it is a whole number in the file, it is written exactly, even if a double cannot
 * represent it. */
static void
append_value (Perfetto *self, const LoomSeries *series, double value)
{
  LoomJsonSlice literal = loom_json_slice_member ((LoomJsonSlice) { self->args->str, self->args->len }, series->name);
  gint64 whole;
  if (literal.text != NULL && memchr (literal.text, '.', literal.length) == NULL &&
      loom_parse_time_parse_int (literal.text, literal.length, &whole))
    loom_perfetto_message_put_number (self->event, EVENT_VALUE, (guint64) whole);
  else if (value >= -MOST_WHOLE && value <= MOST_WHOLE && value == (double) (gint64) value)
    loom_perfetto_message_put_number (self->event, EVENT_VALUE, (guint64) (gint64) value);
  else
    loom_perfetto_message_put_double (self->event, EVENT_REAL_VALUE, value);
}

static void
put_samples (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  guint n;
  const LoomMergeSample *samples = loom_kway_merge_get_samples (self->sweep, &n);
  g_string_truncate (self->args, 0);
  loom_export_event_reader_append_args (drawn, self->args);
  for (guint i = 0; i < n; i++) {
    const LoomSeries *series = loom_trace_get_series (get_trace (self, item), samples[i].series);
    begin_event (self, TYPE_COUNTER,
                 loom_perfetto_layout_tracks_use_series (self->tracks, item->trace, item->track, samples[i].series));
    append_value (self, series, series->value[samples[i].position]);
    put_event (self, item->start_ns);
  }
}

static void
put_item (Perfetto *self, const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  switch (item->kind) {
  case LOOM_KWAY_MERGE_SPAN: put_span (self, item, drawn); return;
  case LOOM_KWAY_MERGE_COUNTER: put_samples (self, item, drawn); return;
  case LOOM_KWAY_MERGE_INSTANT:
    if (strchr ("nTp", drawn->phase) == NULL)
      put_instant (self, item, drawn);
    else
      put_phase (self, item, drawn);
    return;
  case LOOM_KWAY_MERGE_ASYNC:
  case LOOM_KWAY_MERGE_ASYNC_END:
  case LOOM_KWAY_MERGE_FLOW:
  default: put_phase (self, item, drawn); return;
  }
}

/* Writes an item. `phase` '\0': writes the item in any case. Otherwise writes the item only if it is a flow event of
 * this phase. A flow that is stated by members of a span (bind_id) was written with the span; its item has another
 * phase and is thus skipped. */
static gboolean
take_item (Perfetto *self, const LoomMergeItem *item, char phase, GError **error)
{
  LoomExportEvent drawn;
  if (!loom_export_event_reader_read (self->reader, self->sweep, item, &drawn, error))
    return FALSE;
  if (phase != '\0' && phase != drawn.phase)
    return TRUE;
  guint part = loom_perfetto_stream_begin_event (self->stream, loom_perfetto_layout_tracks_get_n (self->tracks));
  loom_perfetto_layout_tracks_set_part (self->tracks, part);
  self->is_moved = FALSE;
  put_item (self, item, &drawn);
  self->merge->result->n_moved += self->is_moved;
  self->merge->result->n_events++;
  self->merge->result->n_repaired += drawn.repaired;
  self->merge->result->n_synthesised += !drawn.has_event;
  return loom_export_count (self->merge, item->start_ns, item->end_ns, error);
}

/* Writes the flow events of one instant: starts first, ends last, because readers sort flow events of equal time in
 * this order. */
static gboolean
put_flows (Perfetto *self, GError **error)
{
  static const char phases[] = { 's', 't', 'f' };
  gboolean good = TRUE;
  for (guint pass = 0; pass < G_N_ELEMENTS (phases); pass++)
    for (guint i = 0; good && i < self->flows->len; i++)
      good = take_item (self, &g_array_index (self->flows, LoomMergeItem, i), phases[pass], error);
  g_array_set_size (self->flows, 0);
  return good;
}

static gboolean
put_events (Perfetto *self, GError **error)
{
  LoomMergeItem item;
  gboolean good = TRUE;
  while (good && loom_kway_merge_next (self->sweep, &item)) {
    gboolean is_flow = item.kind == LOOM_KWAY_MERGE_FLOW;
    if (self->flows->len > 0 && (!is_flow || item.start_ns != g_array_index (self->flows, LoomMergeItem, 0).start_ns))
      good = put_flows (self, error);
    if (is_flow)
      g_array_append_val (self->flows, item);
    else if (good)
      good = take_item (self, &item, '\0', error);
  }
  return good && put_flows (self, error);
}

/* Returns the shift that makes all times of the range at least 0. If the last time would then exceed gint64, returns a
 * smaller shift. */
static gint64
shift_of (LoomRange times)
{
  return times.begin_ns < 0
           ? MIN (loom_time_sub (0, times.begin_ns), loom_time_sub (G_MAXINT64 - 1, MAX (times.end_ns, 0)))
           : 0;
}

/* Returns the shift that is added to all times, because the format has no times before 0. On a timeline with UTC, the
 * shift is chosen so that no time in the extent of the timeline is negative; the extent excludes implausible times, so
 * that one such time does not shift all other events. On a timeline without UTC, the shift is chosen so that no time of
 * any event is negative, unless the last time plus the shift would exceed gint64. */
static gint64
find_shift (LoomExport *merge)
{
  LoomRange times = loom_export_find_times (merge), extent;
  gboolean has_extent = loom_timeline_get_extent (merge->timeline, &extent);
  if (times.begin_ns > times.end_ns)
    return 0;
  gboolean is_near = !loom_time_is_saturated (loom_time_sub (times.end_ns, MIN (times.begin_ns, 0)));
  if (has_extent && (!is_near || loom_timeline_is_anchored (merge->timeline)))
    return shift_of (extent);
  return shift_of (times);
}

/* States in the file which parts of the exported sources are missing, because they could not be read or were
 * skipped. */
static void
put_losses (LoomExport *merge, LoomPerfettoStream *stream)
{
  g_autoptr (GArray) losses = loom_import_losses_new (merge->run);
  for (guint i = 0; i < losses->len; i++) {
    const LoomMissingInput *loss = &g_array_index (losses, LoomMissingInput, i);
    gboolean is_wanted = loss->source != G_MAXUINT ? loom_export_wants (merge, loss->source) : merge->wanted == NULL;
    if (is_wanted && loom_import_losses_is_left_out (loss->code))
      loom_perfetto_stream_add_left_out (stream, loss->code);
    else if (is_wanted)
      loom_perfetto_stream_set_incomplete (stream);
  }
}

gboolean
loom_export_write_perfetto (LoomExport *merge, GError **error)
{
  LoomMergeOptions options = {
    .has_range = merge->options->has_range, .range = merge->options->range, .async_ends = TRUE, .sources = merge->wanted
  };
  Perfetto self = { .merge = merge,
                    .shift_ns = find_shift (merge),
                    .is_single = loom_run_get_n_traces (merge->run) == 1,
                    .flows = g_array_new (FALSE, FALSE, sizeof (LoomMergeItem)),
                    .event = g_string_sized_new (4096),
                    .args = g_string_sized_new (4096) };
  gboolean is_utc = loom_timeline_is_anchored (merge->timeline) && self.shift_ns == 0;
  self.sweep = loom_kway_merge_new (merge->timeline, merge->places, &options);
  self.reader = loom_export_event_reader_new (merge->timeline, TRUE);
  self.stream = loom_perfetto_stream_new (merge->output, 0, is_utc ? 0 : -1);
  g_autofree char *head = loom_export_head_dup_json (merge);
  loom_perfetto_stream_set_head (self.stream, head);
  put_losses (merge, self.stream);
  self.tracks = loom_perfetto_layout_tracks_new (merge, self.stream);
  self.annotations = (LoomPerfettoAnnotations) { self.stream, g_string_new (NULL) };
  gboolean good = put_events (&self, error);
  g_string_free (self.annotations.text, TRUE);
  loom_perfetto_layout_tracks_free (self.tracks);
  loom_perfetto_stream_free (self.stream);
  loom_export_event_reader_free (self.reader);
  loom_kway_merge_free (self.sweep);
  g_string_free (self.event, TRUE);
  g_string_free (self.args, TRUE);
  g_array_unref (self.flows);
  return good;
}
