/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads usual packets of a Perfetto trace. The interface is described in loom-perfetto-usual.h. The functions that are
 * called for each packet are inline to save calls: a trace contains two packets per span.
 */
#include "loom-perfetto-usual.h"

#include "loom-made-json.h"
#include "loom-perfetto-args.h"
#include "loom-perfetto-damage.h"
#include "loom-perfetto-fields.h"
#include "loom-perfetto-groups.h"

/* number of slots of the cache of looks (loom-perfetto-looks.h); a power of two; the slots take 128 KiB */
#define N_SLOTS 4096
#define SLOT_BITS 12
#define NO_NUMBER G_MAXUINT32
/* Numbers of names of args below this one have an element in LoomPerfettoUsual.n_name_bytes. */
#define N_ARG_NAMES 64
/* Maximum length in bytes of args that are read here. Longer args are read by loom-perfetto-record.c. */
#define MOST_ARGS_BYTES 65536

#define KEY(number, wire) ((number) << 3 | (wire))
#define VARINT(number) KEY (number, LOOM_PROTO_VARINT)
#define BYTES(number) KEY (number, LOOM_PROTO_BYTES)
/* The key of the field with a packet's clock id. This key takes two bytes. */
#define CLOCK_KEY_LOW (VARINT (LOOM_PERFETTO_PACKET_CLOCK) % 128 | 128)
#define CLOCK_KEY_HIGH (VARINT (LOOM_PERFETTO_PACKET_CLOCK) / 128)

/* A look (loom-perfetto-looks.h), and the numbers in the packet from which the look was found. */
typedef struct {
  guint64 uuid;               /* of the track */
  guint32 name, category;     /* numbers of the texts in the file; NO_NUMBER: the event has no such text */
  guint32 context, n_changed; /* n_changed: see loom_perfetto_texts_get_n_changed() */
  guint32 look;
  gboolean is_used;
} Slot;

struct _LoomPerfettoUsual {
  Slot slots[N_SLOTS];
  /* The members below apply to the sequence of the last packet; begin_run() sets them. */
  gboolean is_plain; /* TRUE: timestamps of the clock of the sequence are ns since the zero of the clock */
  guint32 generation, n_changed;
  /* array indexed by the number of an arg's name: length of the name in bytes, including its quotes; 0: unknown. The
   * lengths apply to `generation`, and as long as loom_perfetto_texts_get_n_changed() returns `n_changed` */
  guint32 n_name_bytes[N_ARG_NAMES];
};

/* The fields of a packet and of its event. */
typedef struct {
  guint64 time, clock, sequence, flags;
  gboolean has_time, has_clock, has_event, has_track, has_args;
  const guint8 *event, *event_end;
  guint64 type, track;
  guint64 name, category; /* NO_NUMBER: none */
  gsize n_args;
} Fields;

LoomPerfettoUsual *
loom_perfetto_usual_new (void)
{
  return g_new0 (LoomPerfettoUsual, 1);
}

void
loom_perfetto_usual_free (LoomPerfettoUsual *self)
{
  g_free (self);
}

/* --- fields ------------------------------------------------------------------------------------------------------- */

/* Reads the length of a field with bytes, and moves `*p` to the end of the field. Returns FALSE if the message ends
 * before the field does. */
static inline gboolean
read_bytes (const guint8 **p, const guint8 *end, const guint8 **content)
{
  guint64 length;
  if (!loom_proto_read_varint (p, end, &length) || length > (guint64) (end - *p))
    return FALSE;
  *content = *p;
  *p += length;
  return TRUE;
}

/* Reads the fields of a usual packet. Returns FALSE if the packet contains any other field. */
static inline gboolean
read_packet (const guint8 *p, const guint8 *end, Fields *fields)
{
  while (p < end) {
    gboolean good;
    switch (*p++) {
    case VARINT (LOOM_PERFETTO_PACKET_TIME):
      good = fields->has_time = loom_proto_read_varint (&p, end, &fields->time);
      break;
    case VARINT (LOOM_PERFETTO_PACKET_SEQUENCE): good = loom_proto_read_varint (&p, end, &fields->sequence); break;
    case VARINT (LOOM_PERFETTO_PACKET_FLAGS): good = loom_proto_read_varint (&p, end, &fields->flags); break;
    case CLOCK_KEY_LOW:
      good = fields->has_clock = p < end && *p++ == CLOCK_KEY_HIGH && loom_proto_read_varint (&p, end, &fields->clock);
      break;
    case BYTES (LOOM_PERFETTO_PACKET_EVENT):
      good = fields->has_event = read_bytes (&p, end, &fields->event);
      fields->event_end = p;
      break;
    default: good = FALSE;
    }
    if (!good)
      return FALSE;
  }
  return fields->has_time && fields->has_event;
}

/* Returns the length in bytes of the name of an arg, including its quotes; 0 if the number has no name. */
static inline gsize
measure_arg_name (LoomPerfettoUsual *self, const LoomPerfettoOrigin *from, guint number)
{
  guint32 *n = &self->n_name_bytes[number];
  gsize length;
  if (G_UNLIKELY (*n == 0) &&
      loom_perfetto_texts_get_length (from->texts, from->generation, LOOM_PERFETTO_TEXT_ARG_NAME, number, from->place,
                                      &length))
    *n = (guint32) length + 2;
  return *n;
}

/* Returns the same length as loom_perfetto_looks_measure_arg() for the most frequent kind of arg, an integer whose name
 * is a number of one byte; 0 for other args. */
static inline gsize
measure_integer (LoomPerfettoUsual *self, const LoomPerfettoOrigin *from, const guint8 *p, const guint8 *end)
{
  guint64 value;
  if (end - p < 4 || p[0] != VARINT (LOOM_PERFETTO_ARG_NAME_ID) || p[1] >= N_ARG_NAMES ||
      (p[2] != VARINT (LOOM_PERFETTO_ARG_SIGNED) && p[2] != VARINT (LOOM_PERFETTO_ARG_UNSIGNED)))
    return 0;
  gsize n_name = measure_arg_name (self, from, p[1]);
  gboolean is_signed = p[2] == VARINT (LOOM_PERFETTO_ARG_SIGNED);
  p += 3;
  if (n_name == 0 || !loom_proto_read_varint (&p, end, &value) || p != end)
    return 0;
  return n_name + strlen (":") +
         (is_signed ? loom_made_json_measure_int ((gint64) value) : loom_made_json_count_digits (value));
}

/* Adds the length of an arg's JSON text to the length of all args, `fields->n_args`. Returns FALSE if the length cannot
 * be computed, or if all args together are longer than MOST_ARGS_BYTES. */
static inline gboolean
read_arg (LoomPerfettoUsual *self, const guint8 **p, const guint8 *end, const LoomPerfettoOrigin *from, Fields *fields)
{
  const guint8 *content;
  if (!read_bytes (p, end, &content))
    return FALSE;
  gsize n = measure_integer (self, from, content, *p);
  if (G_UNLIKELY (n == 0)) {
    const LoomProtoField field = { LOOM_PERFETTO_EVENT_ARG, LOOM_PROTO_BYTES, (guint64) (*p - content), content };
    n = loom_perfetto_looks_measure_arg (from, &field);
  }
  fields->n_args += n + fields->has_args; /* the comma between the args is counted, too */
  fields->has_args = TRUE;
  return n > 0 && fields->n_args <= MOST_ARGS_BYTES;
}

/* Reads a number that an event may have only once. Returns FALSE if the event already has this number, or if the number
 * is damaged or too large. */
static inline gboolean
read_only (const guint8 **p, const guint8 *end, guint64 *number)
{
  return *number == NO_NUMBER && loom_proto_read_varint (p, end, number) && *number < NO_NUMBER;
}

/* Reads the fields of a usual event. Returns FALSE if the event contains any other field. */
static inline gboolean
read_event (LoomPerfettoUsual *self, const LoomPerfettoOrigin *from, Fields *fields)
{
  const guint8 *p = fields->event, *end = fields->event_end;
  while (p < end) {
    gboolean good;
    switch (*p++) {
    case VARINT (LOOM_PERFETTO_EVENT_TYPE): good = loom_proto_read_varint (&p, end, &fields->type); break;
    case VARINT (LOOM_PERFETTO_EVENT_TRACK):
      good = fields->has_track = loom_proto_read_varint (&p, end, &fields->track);
      break;
    case VARINT (LOOM_PERFETTO_EVENT_NAME_ID): good = read_only (&p, end, &fields->name); break;
    case VARINT (LOOM_PERFETTO_EVENT_CATEGORY_ID): good = read_only (&p, end, &fields->category); break;
    case BYTES (LOOM_PERFETTO_EVENT_ARG): good = read_arg (self, &p, end, from, fields); break;
    default: good = FALSE;
    }
    if (!good)
      return FALSE;
  }
  return TRUE;
}

/* Clears the members one after the other: compilers clear a large structure as a whole with an instruction that takes
 * longer than reading a usual packet. */
static inline void
clear (Fields *fields)
{
  fields->event = fields->event_end = NULL;
  fields->time = fields->clock = fields->sequence = fields->flags = fields->type = fields->track = 0;
  fields->has_time = fields->has_clock = fields->has_event = fields->has_track = fields->has_args = FALSE;
  fields->name = fields->category = NO_NUMBER;
  fields->n_args = 0;
}

/* --- state of the sequence ---------------------------------------------------------------------------------------- */

/* Returns TRUE if the packet belongs to the sequence of the last packet, does not change the state of this sequence,
 * and does not depend on a state that is lost. */
static inline gboolean
has_usual_state (const LoomPerfettoWalk *walk, const LoomPerfettoSequence *sequence, const Fields *fields)
{
  enum { CLEARED = 1, NEEDS_STATE = 2 };
  guint64 clock = fields->has_clock ? fields->clock : sequence->default_clock;
  return sequence->id == fields->sequence && (fields->flags & CLEARED) == 0 &&
         ((fields->flags & NEEDS_STATE) == 0 ||
          (sequence->is_valid && !loom_perfetto_damage_is_behind (walk, sequence))) &&
         sequence->has_context && !sequence->is_soft &&
         sequence->context_clock == (clock != 0 ? clock : LOOM_PERFETTO_BOOTTIME);
}

/* If an event does not state its track, sets its track to the default track of its sequence. Returns FALSE if the
 * sequence has no default track either. */
static inline gboolean
settle_track (const LoomPerfettoSequence *sequence, Fields *fields)
{
  if (!fields->has_track && sequence->has_default_track)
    fields->track = sequence->default_track;
  return fields->track != 0;
}

/* Sets `kind`. Returns FALSE if the event is not usual. This is so if it is neither a begin event, nor an end event,
 * nor an instant; if a begin event or instant has no name; or if an end event has a name or category. */
static inline gboolean
find_kind (const Fields *fields, LoomPerfettoKind *kind)
{
  switch (fields->type) {
  case LOOM_PERFETTO_TYPE_BEGIN: *kind = LOOM_PERFETTO_BEGIN; return fields->name != NO_NUMBER;
  case LOOM_PERFETTO_TYPE_INSTANT: *kind = LOOM_PERFETTO_INSTANT; return fields->name != NO_NUMBER;
  case LOOM_PERFETTO_TYPE_END:
    *kind = LOOM_PERFETTO_END;
    return fields->name == NO_NUMBER && fields->category == NO_NUMBER;
  default: return FALSE;
  }
}

/* --- looks -------------------------------------------------------------------------------------------------------- */

/* Sets `*text` to the text that `number` refers to, or to NULL if the event has no number. Returns FALSE if the number
 * refers to no text. */
static gboolean
find_text (const LoomPerfettoOrigin *from, LoomPerfettoTextKind kind, guint64 number, const char **text)
{
  *text =
    number != NO_NUMBER ? loom_perfetto_texts_get (from->texts, from->generation, kind, number, from->place) : NULL;
  return *text != NULL || number == NO_NUMBER;
}

static gboolean
fill (Slot *slot, LoomPerfettoWalk *walk, const LoomPerfettoOrigin *from)
{
  LoomPerfettoLook look = { .track = loom_perfetto_walk_find_track (walk, slot->uuid), .context = slot->context };
  slot->is_used = look.track != LOOM_PERFETTO_NO_TRACK &&
                  find_text (from, LOOM_PERFETTO_TEXT_EVENT_NAME, slot->name, &look.name) &&
                  find_text (from, LOOM_PERFETTO_TEXT_CATEGORY, slot->category, &look.category);
  if (slot->is_used)
    slot->look = loom_perfetto_looks_find (walk->trace->looks, &look);
  return slot->is_used;
}

/* Sets `*look` to the index of the event's look (loom-perfetto-looks.h). Returns FALSE if a text is unknown, or if
 * there are too many tracks. */
static inline gboolean
find_look (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoOrigin *from, guint32 context,
           const Fields *fields, guint32 *look)
{
  guint32 name = (guint32) fields->name, category = (guint32) fields->category, n_changed = self->n_changed;
  guint64 hash = (fields->track ^ ((guint64) name << 32 | category)) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  Slot *slot = &self->slots[hash >> (64 - SLOT_BITS)];
  if (G_UNLIKELY (!slot->is_used || slot->uuid != fields->track || slot->name != name || slot->category != category ||
                  slot->context != context || slot->n_changed != n_changed)) {
    *slot = (Slot) { fields->track, name, category, context, n_changed };
    if (!fill (slot, walk, from))
      return FALSE;
  }
  *look = slot->look;
  return TRUE;
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

/* Must be called before usual packets are read after another packet: only other packets change texts, clocks and the
 * sequence of the last packet. */
static void
begin_run (LoomPerfettoUsual *self, const LoomPerfettoWalk *walk)
{
  const LoomPerfettoSequence *sequence = walk->last_sequence;
  guint32 n_changed = loom_perfetto_texts_get_n_changed (walk->trace->texts);
  if (sequence == NULL || !sequence->has_context)
    return;
  if (self->generation != sequence->generation || self->n_changed != n_changed)
    memset (self->n_name_bytes, 0, sizeof self->n_name_bytes);
  self->generation = sequence->generation;
  self->n_changed = n_changed;
  self->is_plain = loom_perfetto_clocks_is_plain (
    walk->trace->clocks, loom_perfetto_trace_get_context (walk->trace, sequence->context)->clock);
}

/* Sets `time_ns` to the time of a packet. Returns FALSE if the time is out of range. */
static inline gboolean
read_time (const LoomPerfettoUsual *self, const LoomPerfettoTrace *trace, guint32 context, guint64 timestamp,
           gint64 *time_ns)
{
  *time_ns = (gint64) timestamp;
  if (G_LIKELY (self->is_plain && timestamp <= G_MAXINT64))
    return TRUE;
  return loom_perfetto_clocks_read (trace->clocks, loom_perfetto_trace_get_context (trace, context)->clock, timestamp,
                                    time_ns);
}

static inline gboolean
take (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoPacket *packet)
{
  LoomPerfettoTrace *trace = walk->trace;
  const LoomPerfettoSequence *sequence = walk->last_sequence;
  Fields fields;
  LoomPerfettoKind kind;
  guint32 look;
  gint64 time_ns;
  clear (&fields);
  if (sequence == NULL || !read_packet (packet->bytes, packet->bytes + packet->n_bytes, &fields) ||
      !has_usual_state (walk, sequence, &fields))
    return FALSE;
  const LoomPerfettoOrigin from = { trace->texts, sequence->generation, packet->place };
  if (!read_event (self, &from, &fields) || !settle_track (sequence, &fields) || !find_kind (&fields, &kind) ||
      !find_look (self, walk, &from, sequence->context, &fields, &look) ||
      !read_time (self, trace, sequence->context, fields.time, &time_ns))
    return FALSE;
  if (kind == LOOM_PERFETTO_BEGIN)
    loom_perfetto_groups_note_begin (walk, sequence, time_ns);
  const LoomPerfettoEvent event = { .start_ns = time_ns,
                                    .end_ns = kind == LOOM_PERFETTO_BEGIN ? LOOM_PERFETTO_OPEN : time_ns,
                                    .bits = loom_perfetto_event_join_bits (packet->place, kind, fields.has_args),
                                    .look = look,
                                    .args_length = kind != LOOM_PERFETTO_END ? (guint32) fields.n_args + 1 : 0 };
  loom_perfetto_groups_append (walk, &event, kind);
  if (kind == LOOM_PERFETTO_END)
    loom_perfetto_groups_note_end (walk, sequence, trace->links->len);
  return TRUE;
}

gboolean
loom_perfetto_usual_take (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoPacket *packet)
{
  begin_run (self, walk);
  return take (self, walk, packet);
}

guint
loom_perfetto_usual_take_run (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoReader *reader,
                              guint64 *place, guint most)
{
  const guint8 *bytes, *p, *end;
  guint n = 0;
  gsize n_bytes = loom_perfetto_packets_peek (reader, *place, &bytes);
  begin_run (self, walk);
  /* The loop ends at a packet whose length takes more than one byte. */
  for (p = bytes, end = n_bytes > 0 ? bytes + n_bytes : bytes; n < most && end - p > 2; n++) {
    const LoomPerfettoPacket packet = { .place = *place + (guint64) (p - bytes), .bytes = p + 2, .n_bytes = p[1] };
    if (p[0] != BYTES (1) || p[1] >= 128 || packet.n_bytes > (gsize) (end - packet.bytes) ||
        !take (self, walk, &packet))
      break;
    p = packet.bytes + packet.n_bytes;
  }
  *place += (guint64) (p - bytes);
  return n;
}
