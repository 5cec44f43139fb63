/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads all packets of a Perfetto trace for the first time. The interface is described in loom-perfetto-walk.h.
 */
#include "loom-perfetto-walk.h"

#include "loom-perfetto-damage.h"
#include "loom-perfetto-fields.h"
#include "loom-perfetto-ids.h"
#include "loom-perfetto-usual.h"

#include <gio/gio.h>

enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { CLOCKS_CLOCK = 1 };
enum { CLOCK_ID = 1, CLOCK_TIME, CLOCK_INCREMENTAL, CLOCK_UNIT };
enum { THREAD_REFERENCE = 6 };
enum { STATS_BUFFER = 1, BUFFER_OVERWRITTEN = 13, BUFFER_LOST = 19 };
enum { ENTRY_NUMBER = 1, ENTRY_TEXT };
enum {
  INTERNED_CATEGORY = 1,
  INTERNED_EVENT_NAME = 2,
  INTERNED_ARG_NAME = 3,
  INTERNED_SOURCE = 4,
  INTERNED_LOG_MESSAGE = 20,
  INTERNED_GPU_CONTEXT = 23,
  INTERNED_GPU_SPECIFICATION = 24,
  INTERNED_ARG_TEXT = 29,
  INTERNED_CORRELATION = 43,
  INTERNED_GPU_COUNTERS = 47,
  INTERNED_KERNEL = 1000,
  INTERNED_KERNEL_ARG = 1001,
};
enum { SOURCE_FILE = 2, SOURCE_FUNCTION, SOURCE_LINE };
enum { GPU_COUNTERS_DESCRIPTOR = 2, GPU_COUNTERS_GPU };
enum { KERNEL_SYMBOL = 2, KERNEL_NAME };

/* Number of packets after which the memory budget is checked again. As packets are read in runs, up to twice as many
 * may be read between two checks. */
#define LOOK_PACKETS 65536

/* --- sequences ---------------------------------------------------------------------------------------------------- */

static void
clear_state (LoomPerfettoWalk *self, LoomPerfettoSequence *sequence)
{
  sequence->generation = loom_perfetto_texts_add_generation (self->trace->texts);
  sequence->has_context = sequence->has_default_track = FALSE;
  sequence->default_clock = 0;
  sequence->reference_us = 0;
  g_clear_pointer (&sequence->extra, g_array_unref);
  g_clear_pointer (&sequence->extra_real, g_array_unref);
}

static void
free_sequence (gpointer data)
{
  LoomPerfettoSequence *sequence = data;
  g_clear_pointer (&sequence->extra, g_array_unref);
  g_clear_pointer (&sequence->extra_real, g_array_unref);
  g_slice_free (LoomPerfettoSequence, sequence);
}

static LoomPerfettoSequence *
find_sequence (LoomPerfettoWalk *self, guint64 id)
{
  if (G_LIKELY (self->last_sequence != NULL && self->last_sequence->id == id))
    return self->last_sequence;
  LoomPerfettoSequence *sequence = loom_perfetto_ids_find (self->sequences, id, 0, 0);
  if (sequence == NULL) {
    sequence = g_slice_new0 (LoomPerfettoSequence);
    sequence->id = id;
    sequence->n_gaps = self->n_gaps;
    clear_state (self, sequence);
    loom_perfetto_ids_insert (self->sequences, id, 0, 0, sequence);
  }
  return self->last_sequence = sequence;
}

guint32
loom_perfetto_walk_find_context (LoomPerfettoWalk *self, LoomPerfettoSequence *sequence, guint64 clock,
                                 gboolean is_soft)
{
  if (G_LIKELY (sequence->has_context && sequence->context_clock == clock && sequence->is_soft == is_soft))
    return sequence->context;
  LoomPerfettoContext context = { sequence->generation,
                                  loom_perfetto_clocks_find (self->trace->clocks, clock, sequence->id), is_soft };
  g_array_append_val (self->trace->contexts, context);
  sequence->has_context = TRUE;
  sequence->is_soft = is_soft;
  sequence->context_clock = clock;
  return sequence->context = self->trace->contexts->len - 1;
}

void
loom_perfetto_walk_append_numbers (GArray *values, const LoomProtoField *field, guint wire)
{
  guint64 value;
  if (field->wire == wire) {
    g_array_append_val (values, field->value);
    return;
  }
  const guint8 *p = field->bytes, *end = p + (field->wire == LOOM_PROTO_BYTES ? field->value : 0);
  while (
    field->wire == LOOM_PROTO_BYTES && p < end &&
    (wire == LOOM_PROTO_VARINT ? loom_proto_read_varint (&p, end, &value) : loom_proto_read_fixed (&p, end, 8, &value)))
    g_array_append_val (values, value);
}

/* Appends the numbers in a field to `values`. If `is_first` is TRUE, first removes the numbers of an earlier message,
 * or creates the array. */
static void
add_extra_tracks (GArray **values, gboolean is_first, const LoomProtoField *field)
{
  if (*values == NULL)
    *values = g_array_new (FALSE, FALSE, sizeof (guint64));
  else if (is_first)
    g_array_set_size (*values, 0);
  loom_perfetto_walk_append_numbers (*values, field, LOOM_PROTO_VARINT);
}

static void
take_event_defaults (LoomPerfettoSequence *sequence, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  gboolean has_extra = FALSE, has_extra_real = FALSE;
  while (loom_proto_next (&p, end, &field)) {
    if (field.number == LOOM_PERFETTO_EVENT_TRACK && field.wire != LOOM_PROTO_BYTES) {
      sequence->default_track = field.value;
      sequence->has_default_track = field.value != 0;
    } else if (field.number == LOOM_PERFETTO_EVENT_EXTRA_TRACKS) {
      add_extra_tracks (&sequence->extra, !has_extra, &field);
      has_extra = TRUE;
    } else if (field.number == LOOM_PERFETTO_EVENT_EXTRA_REAL_TRACKS) {
      add_extra_tracks (&sequence->extra_real, !has_extra_real, &field);
      has_extra_real = TRUE;
    }
  }
}

static void
take_defaults (LoomPerfettoSequence *sequence, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == LOOM_PERFETTO_PACKET_CLOCK && field.wire == LOOM_PROTO_VARINT)
      sequence->default_clock = field.value;
    else if (field.number == LOOM_PERFETTO_PACKET_EVENT && field.wire == LOOM_PROTO_BYTES)
      take_event_defaults (sequence, &field);
}

/* --- texts and the numbers that packets use for them -------------------------------------------------------------- */

typedef struct {
  LoomPerfettoTexts *texts;
  guint32 generation;
  guint64 place;
  guint64 number;
} Entry;

static void
add_text (const Entry *entry, LoomPerfettoTextKind kind, const LoomProtoField *text)
{
  if (text->wire == LOOM_PROTO_BYTES && text->bytes != NULL)
    loom_perfetto_texts_add (entry->texts, entry->generation, kind, entry->number, entry->place,
                             (const char *) text->bytes, (gsize) text->value);
}

/* Reads the fields 1 to 4 of a message. A missing field gets the wire type G_MAXUINT, which no field in a file has. */
static void
read_entry (const LoomProtoField *message, LoomProtoField fields[5])
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  for (guint i = 0; i < 5; i++)
    fields[i] = (LoomProtoField) { .wire = G_MAXUINT };
  while (loom_proto_next (&p, end, &field))
    if (field.number < 5)
      fields[field.number] = field;
}

static void
add_source (const Entry *entry, const LoomProtoField *fields)
{
  const LoomProtoField *file = &fields[SOURCE_FILE], *line = &fields[SOURCE_LINE];
  gboolean has_file = file->wire == LOOM_PROTO_BYTES, has_line = line->wire == LOOM_PROTO_VARINT;
  g_autofree char *name = has_file ? g_strndup ((const char *) file->bytes, (gsize) MIN (file->value, 4096)) : NULL;
  g_autofree char *place = name != NULL && has_line ? g_strdup_printf ("%s:%u", name, (guint) line->value) : NULL;
  LoomProtoField text = { .wire = LOOM_PROTO_BYTES, .bytes = (const guint8 *) (place != NULL ? place : name) };
  text.value = text.bytes != NULL ? strlen ((const char *) text.bytes) : 0;
  add_text (entry, LOOM_PERFETTO_TEXT_SOURCE_FILE, &text);
  add_text (entry, LOOM_PERFETTO_TEXT_SOURCE_FUNCTION, &fields[SOURCE_FUNCTION]);
}

static void
add_gpu_context (const Entry *entry, const LoomProtoField *fields)
{
  char digits[24];
  if (fields[2].wire != LOOM_PROTO_VARINT)
    return;
  g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, (gint64) fields[2].value);
  LoomProtoField text = { .wire = LOOM_PROTO_BYTES, .bytes = (const guint8 *) digits, .value = strlen (digits) };
  add_text (entry, LOOM_PERFETTO_TEXT_GPU_CONTEXT, &text);
}

static void
take_interned_entry (LoomPerfettoWalk *self, Entry *entry, const LoomProtoField *message)
{
  static const struct {
    guint number;
    LoomPerfettoTextKind kind;
  } plain[] = { { INTERNED_CATEGORY, LOOM_PERFETTO_TEXT_CATEGORY },
                { INTERNED_EVENT_NAME, LOOM_PERFETTO_TEXT_EVENT_NAME },
                { INTERNED_ARG_NAME, LOOM_PERFETTO_TEXT_ARG_NAME },
                { INTERNED_ARG_TEXT, LOOM_PERFETTO_TEXT_ARG_TEXT },
                { INTERNED_LOG_MESSAGE, LOOM_PERFETTO_TEXT_LOG_MESSAGE },
                { INTERNED_CORRELATION, LOOM_PERFETTO_TEXT_CORRELATION },
                { INTERNED_GPU_SPECIFICATION, LOOM_PERFETTO_TEXT_GPU_SPECIFICATION },
                { INTERNED_KERNEL_ARG, LOOM_PERFETTO_TEXT_KERNEL_ARG } };
  LoomProtoField fields[5];
  read_entry (message, fields);
  entry->number = fields[ENTRY_NUMBER].wire == LOOM_PROTO_VARINT ? fields[ENTRY_NUMBER].value : 0;
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (plain[i].number == message->number)
      add_text (entry, plain[i].kind, &fields[ENTRY_TEXT]);
  switch (message->number) {
  case INTERNED_SOURCE: add_source (entry, fields); break;
  case INTERNED_GPU_CONTEXT: add_gpu_context (entry, fields); break;
  case INTERNED_KERNEL:
    add_text (entry, LOOM_PERFETTO_TEXT_KERNEL_SYMBOL, &fields[KERNEL_SYMBOL]);
    add_text (entry, LOOM_PERFETTO_TEXT_KERNEL,
              fields[KERNEL_NAME].wire == LOOM_PROTO_BYTES ? &fields[KERNEL_NAME] : &fields[KERNEL_SYMBOL]);
    break;
  case INTERNED_GPU_COUNTERS:
    if (fields[GPU_COUNTERS_DESCRIPTOR].wire == LOOM_PROTO_BYTES)
      loom_perfetto_walk_take_gpu_descriptor (
        self, entry->generation, entry->number,
        fields[GPU_COUNTERS_GPU].wire == LOOM_PROTO_VARINT ? fields[GPU_COUNTERS_GPU].value : 0,
        &fields[GPU_COUNTERS_DESCRIPTOR]);
    break;
  default: break;
  }
}

static void
take_interned (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  Entry entry = { self->trace->texts, head->sequence->generation, head->place, 0 };
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.wire == LOOM_PROTO_BYTES)
      take_interned_entry (self, &entry, &field);
}

/* --- clocks, threads, statistics ---------------------------------------------------------------------------------- */

static void
take_clock (LoomPerfettoWalk *self, guint64 sequence, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  guint64 values[CLOCK_UNIT + 1] = { 0 };
  while (loom_proto_next (&p, end, &field))
    if (field.number <= CLOCK_UNIT && field.wire == LOOM_PROTO_VARINT)
      values[field.number] = field.value;
  guint clock = loom_perfetto_clocks_find (self->trace->clocks, values[CLOCK_ID], sequence);
  loom_perfetto_clocks_add_reading (self->trace->clocks, clock, values[CLOCK_TIME], MAX (values[CLOCK_UNIT], 1),
                                    values[CLOCK_INCREMENTAL] != 0);
}

static void
take_clocks (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  loom_perfetto_clocks_begin_snapshot (self->trace->clocks);
  while (loom_proto_next (&p, end, &field))
    if (field.number == CLOCKS_CLOCK && field.wire == LOOM_PROTO_BYTES)
      take_clock (self, head->sequence->id, &field);
}

static void
take_thread (LoomPerfettoWalk *self, LoomPerfettoSequence *sequence, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  loom_perfetto_tracks_read_thread (self->trace->tracks, message, &sequence->pid, &sequence->tid);
  sequence->thread = loom_perfetto_tracks_find_thread (self->trace->tracks, sequence->pid, sequence->tid);
  sequence->has_thread = sequence->thread != LOOM_PERFETTO_NO_TRACK;
  while (loom_proto_next (&p, end, &field))
    if (field.number == THREAD_REFERENCE && field.wire == LOOM_PROTO_VARINT)
      sequence->reference_us = (gint64) field.value;
}

/* Reads a track descriptor. If it describes a thread, legacy events that follow in the sequence and have no track
 * belong to this thread. */
static void
take_track (LoomPerfettoWalk *self, LoomPerfettoSequence *sequence, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  guint64 uuid = 0;
  loom_perfetto_tracks_read_descriptor (self->trace->tracks, message);
  while (loom_proto_next (&p, end, &field))
    if (field.number == 1 && field.wire != LOOM_PROTO_BYTES)
      uuid = field.value;
  guint32 index = loom_perfetto_tracks_find (self->trace->tracks, uuid);
  const LoomPerfettoTrack *track =
    index != LOOM_PERFETTO_NO_TRACK ? loom_perfetto_tracks_get (self->trace->tracks, index) : NULL;
  if (track == NULL) {
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_TOO_MANY_TRACKS, G_MAXUINT64);
  } else if (track->has_thread) {
    sequence->has_thread = TRUE;
    sequence->thread = index;
    sequence->pid = track->pid;
    sequence->tid = track->tid;
  }
}

static void
take_buffer (LoomPerfettoTrace *trace, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == BUFFER_OVERWRITTEN && field.wire == LOOM_PROTO_VARINT)
      trace->n_overwritten_bytes += field.value;
    else if (field.number == BUFFER_LOST && field.wire == LOOM_PROTO_VARINT)
      trace->n_lost_packets += field.value;
}

/* Reads the statistics of the recorder. The statistics are totals since the recorder was started, so later ones replace
 * earlier ones. */
static void
take_stats (LoomPerfettoTrace *trace, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  trace->n_lost_packets = trace->n_overwritten_bytes = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == STATS_BUFFER && field.wire == LOOM_PROTO_BYTES)
      take_buffer (trace, &field);
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

/* The fields of a packet that the functions below use. If the packet does not have a field, the field has no bytes and
 * the value 0. */
typedef struct {
  guint64 time, clock, sequence, flags, dropped;
  gboolean has_time, has_clock, is_cleared;
  /* `message`: the content of the packet; its field number is the kind of the packet */
  LoomProtoField interned, defaults, message;
  LoomProtoField thread, process; /* descriptors of a thread and of a process, which a packet may contain */
} Fields;

/* Clears only the members that say whether a packet has a field, because clearing the whole structure takes longer than
 * reading a usual packet. */
static inline void
clear_fields (Fields *fields)
{
  fields->time = fields->clock = fields->sequence = fields->flags = fields->dropped = 0;
  fields->has_time = fields->has_clock = fields->is_cleared = FALSE;
  fields->message.number = 0;
  fields->message.bytes = fields->interned.bytes = fields->defaults.bytes = NULL;
  fields->thread.bytes = fields->process.bytes = NULL;
}

static gboolean
read_fields (const LoomPerfettoPacket *packet, Fields *fields)
{
  const guint8 *p = packet->bytes, *end = p + packet->n_bytes;
  LoomProtoField field;
  clear_fields (fields);
  while (loom_proto_next (&p, end, &field))
    switch (field.number) {
    case LOOM_PERFETTO_PACKET_TIME:
      fields->time = field.value;
      fields->has_time = TRUE;
      break;
    case LOOM_PERFETTO_PACKET_CLOCK:
      fields->clock = field.value;
      fields->has_clock = TRUE;
      break;
    case LOOM_PERFETTO_PACKET_SEQUENCE: fields->sequence = field.value; break;
    case LOOM_PERFETTO_PACKET_FLAGS: fields->flags = field.value; break;
    case LOOM_PERFETTO_PACKET_CLEARED: fields->is_cleared |= field.value != 0; break;
    case LOOM_PERFETTO_PACKET_DROPPED: fields->dropped = field.value; break;
    case LOOM_PERFETTO_PACKET_INTERNED: fields->interned = field; break;
    case LOOM_PERFETTO_PACKET_DEFAULTS: fields->defaults = field; break;
    case LOOM_PERFETTO_PACKET_THREAD: fields->thread = field; break;
    case LOOM_PERFETTO_PACKET_PROCESS: fields->process = field; break;
    case LOOM_PERFETTO_PACKET_EVENT:
    case LOOM_PERFETTO_PACKET_STAGE:
    case LOOM_PERFETTO_PACKET_TRACK:
    case LOOM_PERFETTO_PACKET_CLOCKS:
    case LOOM_PERFETTO_PACKET_GPU_COUNTERS:
    case LOOM_PERFETTO_PACKET_PROCESS_TREE:
    case LOOM_PERFETTO_PACKET_STATS:
    case LOOM_PERFETTO_PACKET_COMPRESSED:
    case LOOM_PERFETTO_PACKET_ZSTD: fields->message = field; break;
    default:
      if (field.wire == LOOM_PROTO_BYTES && fields->message.bytes == NULL)
        fields->message = field;
    }
  return p == end;
}

static gboolean
is_message (const LoomProtoField *field)
{
  return field->bytes != NULL && field->wire == LOOM_PROTO_BYTES;
}

static void
unpack (LoomPerfettoWalk *self, const LoomPerfettoPacket *packet, const LoomProtoField *message, guint64 next)
{
  if (packet->is_unpacked) {
    loom_perfetto_damage_lose_packet (self, LOOM_PERFETTO_NESTED_PACKED, packet->place, next);
    return;
  }
  LoomPerfettoUnpacking result = loom_perfetto_packets_unpack (self->trace->packets, packet, next, message,
                                                               message->number == LOOM_PERFETTO_PACKET_ZSTD);
  if (result == LOOM_PERFETTO_PACKED_DAMAGED)
    loom_perfetto_damage_lose_rest (self, packet->place, next);
  else if (result == LOOM_PERFETTO_PACKED_TOO_LARGE)
    loom_perfetto_damage_lose_packet (self, LOOM_PERFETTO_LARGE_PACKED, packet->place, next);
}

static void
take_message (LoomPerfettoWalk *self, LoomPerfettoHead *head, const LoomProtoField *message)
{
  LoomPerfettoTrace *trace = self->trace;
  switch (message->number) {
  case LOOM_PERFETTO_PACKET_EVENT: loom_perfetto_walk_take_event (self, head, message); break;
  case LOOM_PERFETTO_PACKET_STAGE: loom_perfetto_walk_take_stage (self, head, message); break;
  case LOOM_PERFETTO_PACKET_GPU_COUNTERS: loom_perfetto_walk_take_gpu_counters (self, head, message); break;
  case LOOM_PERFETTO_PACKET_TRACK: take_track (self, head->sequence, message); break;
  case LOOM_PERFETTO_PACKET_CLOCKS: take_clocks (self, head, message); break;
  case LOOM_PERFETTO_PACKET_PROCESS_TREE: loom_perfetto_tracks_read_process_tree (trace->tracks, message); break;
  case LOOM_PERFETTO_PACKET_STATS: take_stats (trace, message); break;
  default: trace->n_unshown[MIN (message->number, G_N_ELEMENTS (trace->n_unshown) - 1)]++; break;
  }
}

/* Changes the state of the packet's sequence as the packet requests. Returns FALSE if the packet depends on a state
 * that is lost. */
static gboolean
take_state (LoomPerfettoWalk *self, const LoomPerfettoHead *head, const Fields *fields)
{
  LoomPerfettoSequence *sequence = head->sequence;
  if (fields->dropped != 0) {
    self->trace->n_dropping_sequences += !sequence->has_dropped;
    sequence->has_dropped = TRUE;
    sequence->is_valid = FALSE;
  }
  if ((fields->flags & FLAG_CLEARED) != 0 || fields->is_cleared) {
    clear_state (self, sequence);
    sequence->is_valid = TRUE;
    sequence->n_gaps = self->n_gaps;
  }
  if (is_message (&fields->interned))
    take_interned (self, head, &fields->interned);
  if (is_message (&fields->defaults))
    take_defaults (sequence, &fields->defaults);
  if (is_message (&fields->process))
    loom_perfetto_tracks_read_process (self->trace->tracks, &fields->process);
  if (is_message (&fields->thread))
    take_thread (self, sequence, &fields->thread);
  return (fields->flags & FLAG_NEEDS_STATE) == 0 ||
         (sequence->is_valid && !loom_perfetto_damage_is_behind (self, sequence));
}

static void
take_time (LoomPerfettoWalk *self, LoomPerfettoHead *head, const Fields *fields)
{
  guint64 clock = fields->has_clock ? fields->clock : head->sequence->default_clock;
  if (!fields->has_time)
    return;
  head->context =
    loom_perfetto_walk_find_context (self, head->sequence, clock != 0 ? clock : LOOM_PERFETTO_BOOTTIME, FALSE);
  head->has_time =
    loom_perfetto_clocks_read (self->trace->clocks, loom_perfetto_trace_get_context (self->trace, head->context)->clock,
                               fields->time, &head->time_ns);
  if (!head->has_time)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_BAD_TIME, head->place);
}

static void
take_packet (LoomPerfettoWalk *self, const LoomPerfettoPacket *packet, const Fields *fields, guint64 next)
{
  if (fields->message.number == LOOM_PERFETTO_PACKET_COMPRESSED ||
      fields->message.number == LOOM_PERFETTO_PACKET_ZSTD) {
    unpack (self, packet, &fields->message, next);
    return;
  }
  LoomPerfettoHead head = { .place = packet->place, .sequence = find_sequence (self, fields->sequence) };
  gboolean is_usable = take_state (self, &head, fields);
  take_time (self, &head, fields);
  if (!is_usable)
    loom_perfetto_trace_lose (self->trace,
                              loom_perfetto_damage_is_behind (self, head.sequence) ? LOOM_PERFETTO_BEHIND_DAMAGE
                                                                                   : LOOM_PERFETTO_STATELESS,
                              packet->place);
  else if (is_message (&fields->message) && (head.has_time || !fields->has_time))
    take_message (self, &head, &fields->message);
}

/* --- walk --------------------------------------------------------------------------------------------------------- */

static gboolean
is_full (LoomPerfettoTrace *trace, LoomMemoryBudget *budget, guint64 place)
{
  if (!loom_memory_budget_check (budget) && trace->events.len < G_MAXUINT32 - 2 * LOOK_PACKETS)
    return FALSE;
  trace->full_at = loom_perfetto_packets_find_offset (trace->packets, place);
  return TRUE;
}

/* Reads packets from `*place` on: if the first packet is usual, a run of at most LOOK_PACKETS usual packets; otherwise
 * only the first packet. Moves `*place` behind these packets, and adds their number to `n`. Returns FALSE at the end of
 * the file, and at damage after which no packet is found. */
static gboolean
take_next (LoomPerfettoWalk *self, LoomPerfettoUsual *usual, LoomPerfettoReader *reader, LoomProgress *progress,
           guint64 *place, guint *n)
{
  LoomPerfettoPacket packet;
  Fields fields;
  guint n_usual = loom_perfetto_usual_take_run (usual, self, reader, place, LOOK_PACKETS);
  *n += MAX (n_usual, 1);
  if (n_usual > 0)
    return TRUE;
  gboolean is_found = loom_perfetto_packets_next (reader, place, &packet);
  loom_perfetto_damage_end_cut (self, is_found ? packet.place : *place);
  if (!is_found)
    return loom_perfetto_damage_skip_part (self, place) ||
           loom_perfetto_damage_skip (self, reader, progress, *place, place);
  if (packet.bytes != NULL && loom_perfetto_usual_take (usual, self, &packet))
    return TRUE;
  if (packet.bytes != NULL && read_fields (&packet, &fields))
    take_packet (self, &packet, &fields, *place);
  else
    loom_perfetto_damage_skip_packet (self, reader, progress, &packet, place);
  return TRUE;
}

static void
walk (LoomPerfettoWalk *self, LoomPerfettoReader *reader, LoomProgress *progress, LoomMemoryBudget *budget)
{
  LoomPerfettoTrace *trace = self->trace;
  guint64 place = 0, done = 0, offset;
  guint n = LOOK_PACKETS; /* packets since the last check of the budget; this value causes a check after the first
                           * packets */
  g_autoptr (LoomPerfettoUsual) usual = loom_perfetto_usual_new ();
  while (take_next (self, usual, reader, progress, &place, &n)) {
    if (n < LOOK_PACKETS && !loom_progress_is_cancelled (progress))
      continue;
    n = 0;
    offset = loom_perfetto_packets_find_offset (trace->packets, place);
    loom_progress_add_done (progress, offset - done);
    done = offset;
    if (loom_progress_is_cancelled (progress) || is_full (trace, budget, place))
      return;
  }
  offset = loom_perfetto_packets_find_offset (trace->packets, place);
  if (offset < trace->n_bytes)
    trace->damage = offset;
}

gboolean
loom_perfetto_walk_run (LoomPerfettoTrace *trace, LoomProgress *progress, LoomMemoryBudget *budget)
{
  g_autoptr (LoomPerfettoReader) reader = loom_perfetto_packets_new_reader (trace->packets);
  LoomPerfettoWalk self = { .trace = trace,
                            .sequences = loom_perfetto_ids_new (free_sequence),
                            .gpu_counters = loom_perfetto_ids_new (NULL),
                            .values = g_array_new (FALSE, FALSE, sizeof (guint64)) };
  loom_perfetto_packets_read_ahead (reader);
  walk (&self, reader, progress, budget);
  loom_perfetto_event_list_end_supply (&trace->events);
  g_hash_table_unref (self.sequences);
  g_hash_table_unref (self.gpu_counters);
  g_array_unref (self.values);
  return !loom_progress_is_cancelled (progress);
}
