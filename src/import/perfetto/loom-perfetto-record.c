/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds events, counter samples and links to a Perfetto trace from the messages in its packets.
 */
#include "loom-perfetto-fields.h"
#include "loom-perfetto-groups.h"

#include "loom-time.h"

#include <string.h>

enum { GPU_LAUNCHES = 1, GPU_AWAITS };

typedef struct {
  guint phase; /* phase of a legacy event; 0: the event is not a legacy event */
  gboolean has_legacy, has_pid, has_tid;
  gint64 legacy_us;
  gint64 pid, tid;
} Legacy;

typedef struct {
  gint64 delta_us, absolute_us;
  guint64 value;
  gboolean has_delta, has_absolute, has_value, has_real_value;
} Numbers;

/* The fields of a track event. */
typedef struct {
  guint64 type, track;
  gboolean has_track, has_track_field, is_told, has_name;
  Legacy legacy;
  Numbers numbers;
  LoomPerfettoParts parts;
} Event;

/* Clears the members one after the other: compilers clear a large structure as a whole with an instruction that takes
 * longer than reading a usual event. */
static inline void
clear_event (Event *event)
{
  event->type = event->track = 0;
  event->has_track = event->has_track_field = event->is_told = event->has_name = FALSE;
  event->legacy = (Legacy) { 0 };
  event->numbers = (Numbers) { 0 };
  event->parts = (LoomPerfettoParts) { 0 };
}

void
loom_perfetto_trace_lose (LoomPerfettoTrace *self, LoomPerfettoLoss loss, guint64 place)
{
  if (self->losses[loss]++ == 0)
    self->first_loss[loss] =
      place != G_MAXUINT64 ? loom_perfetto_packets_find_offset (self->packets, place) : G_MAXUINT64;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

void
loom_perfetto_walk_add_sample (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint32 track, guint64 value,
                               gboolean is_real)
{
  LoomPerfettoSample sample = {
    .time_ns = head->time_ns, .track = track, .is_real = is_real, .context = head->context
  };
  if (track == LOOM_PERFETTO_NO_TRACK) {
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_TOO_MANY_TRACKS, head->place);
    return;
  }
  if (is_real)
    sample.value.real = loom_proto_to_double (value);
  else
    sample.value.integer = (gint64) value;
  g_array_append_val (self->trace->samples, sample);
}

/* Adds the values of additional counters that an event contains. `is_real`: TRUE adds the values that are doubles;
 * FALSE adds the values that are integers. The value with index i belongs to the track with index i in a list of
 * tracks: the list in the event or, if the event has none, the list of its sequence. */
static void
add_extra (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomProtoField *message, gboolean is_real)
{
  guint tracks = is_real ? LOOM_PERFETTO_EVENT_EXTRA_REAL_TRACKS : LOOM_PERFETTO_EVENT_EXTRA_TRACKS,
        values = is_real ? LOOM_PERFETTO_EVENT_EXTRA_REAL_VALUES : LOOM_PERFETTO_EVENT_EXTRA_VALUES;
  const GArray *uuids = is_real ? head->sequence->extra_real : head->sequence->extra;
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_set_size (self->values, 0);
  while (loom_proto_next (&p, end, &field))
    if (field.number == tracks)
      loom_perfetto_walk_append_numbers (own, &field, LOOM_PROTO_VARINT);
    else if (field.number == values)
      loom_perfetto_walk_append_numbers (self->values, &field, is_real ? LOOM_PROTO_FIXED64 : LOOM_PROTO_VARINT);
  uuids = own->len > 0 ? own : uuids;
  for (guint i = 0; uuids != NULL && i < self->values->len && i < uuids->len; i++)
    loom_perfetto_walk_add_sample (self, head,
                                   loom_perfetto_tracks_find (self->trace->tracks, g_array_index (uuids, guint64, i)),
                                   g_array_index (self->values, guint64, i), is_real);
}

/* --- links -------------------------------------------------------------------------------------------------------- */

void
loom_perfetto_walk_add_links (LoomPerfettoWalk *self, LoomPerfettoLinkKind kind, const LoomProtoField *field,
                              guint wire)
{
  g_array_set_size (self->values, 0);
  loom_perfetto_walk_append_numbers (self->values, field, wire);
  for (guint i = 0; i < self->values->len; i++) {
    LoomPerfettoLink link = { .id = g_array_index (self->values, guint64, i),
                              .event = self->trace->events.len,
                              .kind = kind };
    g_array_append_val (self->trace->links, link);
  }
}

static void
add_gpu_links (LoomPerfettoWalk *self, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + (message->wire == LOOM_PROTO_BYTES ? message->value : 0);
  LoomProtoField field;
  while (message->wire == LOOM_PROTO_BYTES && loom_proto_next (&p, end, &field))
    if (field.number == GPU_LAUNCHES)
      loom_perfetto_walk_add_links (self, LOOM_PERFETTO_LINK_LAUNCHES, &field, LOOM_PROTO_VARINT);
    else if (field.number == GPU_AWAITS)
      loom_perfetto_walk_add_links (self, LOOM_PERFETTO_LINK_AWAITS, &field, LOOM_PROTO_VARINT);
}

/* --- reading track events ----------------------------------------------------------------------------------------- */

static void
read_legacy (const LoomProtoField *message, Event *event)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  event->legacy.has_legacy = TRUE;
  while (loom_proto_next (&p, end, &field)) {
    if (field.wire != LOOM_PROTO_VARINT)
      continue;
    switch (field.number) {
    case LOOM_PERFETTO_LEGACY_PHASE: event->legacy.phase = field.value < 128 ? (guint) field.value : 127; break;
    case LOOM_PERFETTO_LEGACY_DURATION_US: event->legacy.legacy_us = (gint64) field.value; break;
    case LOOM_PERFETTO_LEGACY_PID:
      event->legacy.pid = (gint32) field.value;
      event->legacy.has_pid = TRUE;
      break;
    case LOOM_PERFETTO_LEGACY_TID:
      event->legacy.tid = (gint32) field.value;
      event->legacy.has_tid = TRUE;
      break;
    default: break;
    }
  }
}

static void
read_event_number (const LoomProtoField *field, Event *event)
{
  switch (field->number) {
  case LOOM_PERFETTO_EVENT_DELTA_US:
    event->numbers.delta_us = (gint64) field->value;
    event->numbers.has_delta = TRUE;
    break;
  case LOOM_PERFETTO_EVENT_ABSOLUTE_US:
    event->numbers.absolute_us = (gint64) field->value;
    event->numbers.has_absolute = TRUE;
    break;
  case LOOM_PERFETTO_EVENT_VALUE:
    event->numbers.value = field->value;
    event->numbers.has_value = TRUE;
    break;
  case LOOM_PERFETTO_EVENT_REAL_VALUE:
    event->numbers.value = field->value;
    event->numbers.has_real_value = TRUE;
    break;
  default: break;
  }
}

/* Reads a field that few events have. */
static void
read_rare_field (LoomPerfettoWalk *self, const LoomProtoField *field, Event *event, gboolean *extra)
{
  event->parts.is_rare = TRUE;
  switch (field->number) {
  case LOOM_PERFETTO_EVENT_FLOWS:
  case LOOM_PERFETTO_EVENT_OLD_FLOWS:
    loom_perfetto_walk_add_links (self, LOOM_PERFETTO_LINK_FLOW, field,
                                  field->number == LOOM_PERFETTO_EVENT_FLOWS ? LOOM_PROTO_FIXED64 : LOOM_PROTO_VARINT);
    break;
  case LOOM_PERFETTO_EVENT_LAST_FLOWS:
  case LOOM_PERFETTO_EVENT_OLD_LAST_FLOWS:
    loom_perfetto_walk_add_links (self, LOOM_PERFETTO_LINK_LAST_FLOW, field,
                                  field->number == LOOM_PERFETTO_EVENT_LAST_FLOWS ? LOOM_PROTO_FIXED64
                                                                                  : LOOM_PROTO_VARINT);
    break;
  case LOOM_PERFETTO_EVENT_GPU: add_gpu_links (self, field); break;
  case LOOM_PERFETTO_EVENT_EXTRA_VALUES:
  case LOOM_PERFETTO_EVENT_EXTRA_REAL_VALUES: *extra = TRUE; break;
  case LOOM_PERFETTO_EVENT_LOG:
  case LOOM_PERFETTO_EVENT_SOURCE:
  case LOOM_PERFETTO_EVENT_SOURCE_ID: event->is_told = TRUE; break;
  case LOOM_PERFETTO_EVENT_NAME: event->has_name = TRUE; break;
  case LOOM_PERFETTO_EVENT_LEGACY:
    if (field->wire == LOOM_PROTO_BYTES)
      read_legacy (field, event);
    break;
  default:
    if (field->wire != LOOM_PROTO_BYTES)
      read_event_number (field, event);
  }
}

static void
read_track (const LoomProtoField *field, Event *event)
{
  event->track = field->value;
  event->has_track_field = TRUE;
  event->has_track = field->value != 0;
}

/* Reads the fields on which the kind and the text of the event depend, and adds the links of the event. Sets `extra` to
 * TRUE if the event has values of additional counters. Returns FALSE if the message is damaged. */
static gboolean
read_event (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomProtoField *message, Event *event,
            gboolean *extra)
{
  const LoomPerfettoOrigin from = { self->trace->texts, head->sequence->generation, head->place };
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    switch (field.number) {
    case LOOM_PERFETTO_EVENT_TYPE:
      if (field.wire != LOOM_PROTO_BYTES)
        event->type = field.value;
      break;
    case LOOM_PERFETTO_EVENT_TRACK:
      if (field.wire != LOOM_PROTO_BYTES)
        read_track (&field, event);
      break;
    case LOOM_PERFETTO_EVENT_ARG:
    case LOOM_PERFETTO_EVENT_NAME_ID:
    case LOOM_PERFETTO_EVENT_CATEGORY_ID:
      event->is_told |= field.number == LOOM_PERFETTO_EVENT_ARG;
      event->has_name |= field.number == LOOM_PERFETTO_EVENT_NAME_ID;
      loom_perfetto_looks_add_field (&event->parts, &from, &field);
      break;
    default: read_rare_field (self, &field, event, extra);
    }
  return p == end;
}

/* Sets the time of a legacy event from its own timestamp, which is in µs of the monotonic clock. Returns FALSE if the
 * event contains no timestamp, or one that is out of range. */
static gboolean
find_old_time (LoomPerfettoWalk *self, LoomPerfettoHead *head, const Event *event)
{
  LoomPerfettoSequence *sequence = head->sequence;
  gint64 time_us = event->numbers.absolute_us;
  if (!event->numbers.has_delta && !event->numbers.has_absolute) {
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_TIMELESS, head->place);
    return FALSE;
  }
  gboolean is_bad =
    event->numbers.has_delta && __builtin_add_overflow (sequence->reference_us, event->numbers.delta_us, &time_us);
  if (is_bad || __builtin_mul_overflow (time_us, LOOM_NS_PER_US, &head->time_ns) || head->time_ns == G_MAXINT64) {
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_BAD_TIME, head->place);
    return FALSE;
  }
  if (event->numbers.has_delta)
    sequence->reference_us = time_us;
  head->context = loom_perfetto_walk_find_context (self, sequence, LOOM_PERFETTO_MONOTONIC, TRUE);
  return head->has_time = TRUE;
}

guint32
loom_perfetto_walk_find_track (LoomPerfettoWalk *self, guint64 uuid)
{
  guint slot = uuid % G_N_ELEMENTS (self->tracks);
  if (G_UNLIKELY (!self->tracks[slot].is_known || self->tracks[slot].uuid != uuid)) {
    self->tracks[slot].track = loom_perfetto_tracks_find (self->trace->tracks, uuid);
    self->tracks[slot].uuid = uuid;
    self->tracks[slot].is_known = TRUE;
  }
  return self->tracks[slot].track;
}

static guint32
find_track (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const Event *event)
{
  LoomPerfettoTracks *tracks = self->trace->tracks;
  const LoomPerfettoSequence *sequence = head->sequence;
  if (event->has_track)
    return loom_perfetto_walk_find_track (self, event->track);
  if (event->legacy.has_pid || event->legacy.has_tid)
    return loom_perfetto_tracks_find_thread (tracks, event->legacy.has_pid ? event->legacy.pid : sequence->pid,
                                             event->legacy.has_tid ? event->legacy.tid : sequence->tid);
  if (!event->has_track_field && sequence->has_default_track)
    return loom_perfetto_walk_find_track (self, sequence->default_track);
  if (sequence->has_thread && (event->legacy.has_legacy || !event->has_track_field))
    return sequence->thread;
  return loom_perfetto_tracks_find (tracks, 0);
}

/* Returns the kind of an event; LOOM_PERFETTO_REMOVED if the type of the event is unknown. */
static LoomPerfettoKind
find_kind (const Event *event)
{
  switch (event->type) {
  case LOOM_PERFETTO_TYPE_BEGIN: return LOOM_PERFETTO_BEGIN;
  case LOOM_PERFETTO_TYPE_END: return LOOM_PERFETTO_END;
  case LOOM_PERFETTO_TYPE_INSTANT: return LOOM_PERFETTO_INSTANT;
  case LOOM_PERFETTO_TYPE_STATE: return LOOM_PERFETTO_STATE;
  default: break;
  }
  switch (event->legacy.phase) {
  case 'B': return LOOM_PERFETTO_BEGIN;
  case 'E': return LOOM_PERFETTO_END;
  case 'X': return LOOM_PERFETTO_SPAN;
  case 'I':
  case 'i':
  case 'R': return LOOM_PERFETTO_INSTANT;
  default:
    return event->legacy.phase != 0 && strchr ("bneSTpFstf", (int) event->legacy.phase) != NULL ? LOOM_PERFETTO_PHASE
                                                                                                : LOOM_PERFETTO_REMOVED;
  }
}

gboolean
loom_perfetto_walk_add_event (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomPerfettoParts *parts,
                              LoomPerfettoKind kind, guint32 track, gint64 end_ns, gboolean is_told)
{
  LoomPerfettoLook look = { .track = track, .context = head->context };
  gboolean is_usual = parts != NULL && parts->name != NULL && !parts->is_rare;
  if (track == LOOM_PERFETTO_NO_TRACK) {
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_TOO_MANY_TRACKS, head->place);
    return FALSE;
  }
  if (is_usual) {
    look.name = parts->name;
    look.category = parts->category;
  }
  const LoomPerfettoEvent event = { .start_ns = head->time_ns,
                                    .end_ns = end_ns,
                                    .place = head->place,
                                    .kind = kind,
                                    .is_told = is_told,
                                    .look = loom_perfetto_looks_find (self->trace->looks, &look),
                                    .args_length = is_usual ? (guint32) parts->n_args + 1 : 0 };
  loom_perfetto_groups_append (self, &event, kind);
  return TRUE;
}

void
loom_perfetto_walk_settle_links (LoomPerfettoWalk *self, const LoomPerfettoHead *head, guint n_links,
                                 gboolean has_event)
{
  GArray *links = self->trace->links;
  if (!has_event)
    g_array_set_size (links, n_links);
  for (guint i = n_links; i < links->len; i++) {
    LoomPerfettoLink *link = &g_array_index (links, LoomPerfettoLink, i);
    link->time_ns = head->time_ns;
    link->context = head->context & ((1u << 28) - 1);
  }
}

static gint64
find_legacy_end (LoomPerfettoWalk *self, const LoomPerfettoHead *head, gint64 duration_us)
{
  gint64 end_ns = loom_time_add (head->time_ns, loom_time_from (MAX (duration_us, 0), LOOM_NS_PER_US));
  if (duration_us < 0)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_BACKWARDS, head->place);
  return end_ns;
}

static gboolean
take_known_event (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const Event *event, guint n_links)
{
  LoomPerfettoKind kind = find_kind (event);
  gint64 end_ns = head->time_ns;
  if (kind == LOOM_PERFETTO_REMOVED) {
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_UNKNOWN_TYPE, head->place);
    return FALSE;
  }
  if (kind == LOOM_PERFETTO_BEGIN) {
    loom_perfetto_groups_note_begin (self, head->sequence, head->time_ns);
    end_ns = LOOM_PERFETTO_OPEN;
  } else if (kind == LOOM_PERFETTO_SPAN) {
    end_ns = find_legacy_end (self, head, event->legacy.legacy_us);
  }
  if (!loom_perfetto_walk_add_event (self, head, &event->parts, kind, find_track (self, head, event), end_ns,
                                     kind == LOOM_PERFETTO_STATE ? event->has_name : event->is_told))
    return FALSE;
  if (kind == LOOM_PERFETTO_END)
    loom_perfetto_groups_note_end (self, head->sequence, n_links);
  return TRUE;
}

void
loom_perfetto_walk_take_event (LoomPerfettoWalk *self, LoomPerfettoHead *head, const LoomProtoField *message)
{
  Event event;
  gboolean has_extra = FALSE, has_event = FALSE;
  guint n_links = self->trace->links->len;
  clear_event (&event);
  if (!read_event (self, head, message, &event, &has_extra)) {
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_DAMAGED, head->place);
  } else if (head->has_time || find_old_time (self, head, &event)) {
    if (has_extra) {
      add_extra (self, head, message, FALSE);
      add_extra (self, head, message, TRUE);
    }
    if (event.type == LOOM_PERFETTO_TYPE_COUNTER && (event.numbers.has_value || event.numbers.has_real_value))
      loom_perfetto_walk_add_sample (self, head, find_track (self, head, &event), event.numbers.value,
                                     event.numbers.has_real_value);
    else if (event.type != LOOM_PERFETTO_TYPE_COUNTER)
      has_event = take_known_event (self, head, &event, n_links);
    else if (!has_extra)
      loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_NO_VALUE, head->place);
  }
  if (self->trace->links->len > n_links)
    loom_perfetto_walk_settle_links (self, head, n_links, has_event);
}
