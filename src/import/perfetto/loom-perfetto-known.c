/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything that is measured here must have exactly the length that loom-perfetto-events.c and loom-perfetto-args.c write,
 * because the args of spans are read at these offsets later. For whatever is rare no length is computed.
 */
#include "loom-perfetto-known.h"

#include "loom-chrome-event.h"
#include "loom-made-json.h"
#include "loom-perfetto-args.h"
#include "loom-perfetto-events.h"
#include "loom-perfetto-fields.h"

#define N_SLOTS 4096
/* Number of slots, one after the other, that are searched for a name. */
#define N_TRIES 8
#define MOST_TEXT_BYTES 4096
/* Longer args are rare. Their text is made and scanned, so that a span that is too large to be read later is skipped and
 * logged. */
#define MOST_ARGS_BYTES (1024u * 1024)

/* Properties of the spans of a track with this name and category. */
typedef struct {
  const char *name, *category; /* borrowed from LoomPerfettoTexts, where equal texts are the same pointer */
  guint32 track;
  gboolean is_usable;
  LoomChromeKnownSpan span;
} Slot;

typedef struct {
  LoomPerfettoTrace *trace;
  LoomChromeImporter *chrome;
  LoomMadeTextShortcut shortcut;
  Slot *slots;
  Slot *slot; /* slot of the item that was measured last */
  const LoomPerfettoEvent *event;
  gsize args; /* distance of the args of this item from its beginning */
} Known;

/* The fields of an event that its text depends on. */
typedef struct {
  const char *name, *category;
  gsize n_args; /* length of the args without braces */
} Parts;

static const char *
get_text (const LoomPerfettoArgs *from, LoomPerfettoTextKind kind, guint64 number)
{
  return loom_perfetto_texts_get (from->trace->texts, from->generation, kind, number, from->place);
}

/* Returns the length of a text with quotes; 0 if it needs escapes or is long. */
static gsize
measure_string (const LoomProtoField *field)
{
  if (field->wire != LOOM_PROTO_BYTES || field->value > MOST_TEXT_BYTES)
    return 0;
  for (guint64 i = 0; i < field->value; i++) {
    guint8 byte = field->bytes[i];
    if (byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\')
      return 0;
  }
  return (gsize) field->value + 2;
}

static gsize
measure_known_text (const LoomPerfettoArgs *from, LoomPerfettoTextKind kind, const LoomProtoField *field)
{
  const char *text = field->wire == LOOM_PROTO_VARINT ? get_text (from, kind, field->value) : NULL;
  return text != NULL ? strlen (text) + 2 : 0;
}

static gsize
measure_int (gint64 value)
{
  return value < 0 ? loom_made_json_count_digits (-(guint64) value) + 1 : loom_made_json_count_digits ((guint64) value);
}

static gsize
measure_value (const LoomPerfettoArgs *from, const LoomProtoField *field)
{
  if (field->number == LOOM_PERFETTO_ARG_TEXT)
    return measure_string (field);
  if (field->wire != LOOM_PROTO_VARINT)
    return 0;
  switch (field->number) {
  case LOOM_PERFETTO_ARG_BOOL: return field->value != 0 ? strlen ("true") : strlen ("false");
  case LOOM_PERFETTO_ARG_UNSIGNED: return loom_made_json_count_digits (field->value);
  case LOOM_PERFETTO_ARG_SIGNED: return measure_int ((gint64) field->value);
  case LOOM_PERFETTO_ARG_TEXT_ID: return measure_known_text (from, LOOM_PERFETTO_TEXT_ARG_TEXT, field);
  default: return 0;
  }
}

/* Returns the length of an arg: its name, a colon and its value. Returns 0 if it is not an arg with one name and one
 * value. */
static gsize
measure_arg (const LoomPerfettoArgs *from, const LoomProtoField *message)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField name, value;
  if (!loom_proto_next (&p, end, &name) || !loom_proto_next (&p, end, &value) || p != end)
    return 0;
  gsize n_name = name.number == LOOM_PERFETTO_ARG_NAME_ID
                   ? measure_known_text (from, LOOM_PERFETTO_TEXT_ARG_NAME, &name)
                 : name.number == LOOM_PERFETTO_ARG_NAME ? measure_string (&name)
                                                         : 0,
        n_value = measure_value (from, &value);
  return n_name > 0 && n_value > 0 ? n_name + 1 + n_value : 0;
}

static gboolean
take_arg (const LoomPerfettoArgs *from, const LoomProtoField *field, Parts *parts)
{
  gsize n = field->wire == LOOM_PROTO_BYTES ? measure_arg (from, field) : 0;
  parts->n_args += n + (parts->n_args > 0); /* a comma before it */
  return n > 0 && parts->n_args <= MOST_ARGS_BYTES;
}

/* Returns FALSE if the event has fields that are rare. */
static gboolean
read_parts (const LoomPerfettoArgs *from, const LoomProtoField *message, Parts *parts)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  *parts = (Parts) { 0 };
  while (loom_proto_next (&p, end, &field))
    switch (field.number) {
    case LOOM_PERFETTO_EVENT_TYPE:
    case LOOM_PERFETTO_EVENT_TRACK: break;
    case LOOM_PERFETTO_EVENT_NAME_ID:
      if (parts->name != NULL || field.wire != LOOM_PROTO_VARINT)
        return FALSE;
      parts->name = get_text (from, LOOM_PERFETTO_TEXT_EVENT_NAME, field.value);
      break;
    case LOOM_PERFETTO_EVENT_CATEGORY_ID:
      if (parts->category != NULL || field.wire != LOOM_PROTO_VARINT)
        return FALSE;
      parts->category = get_text (from, LOOM_PERFETTO_TEXT_CATEGORY, field.value);
      if (parts->category == NULL)
        return FALSE;
      break;
    case LOOM_PERFETTO_EVENT_ARG:
      if (!take_arg (from, &field, parts))
        return FALSE;
      break;
    default: return FALSE;
    }
  return p == end && parts->name != NULL;
}

static gboolean
is_usual (const LoomPerfettoEvent *event)
{
  return event->kind == LOOM_PERFETTO_SPAN && !event->has_tail && !event->has_arrows && event->start_ns >= 0 &&
         event->end_ns >= event->start_ns && event->end_ns != LOOM_PERFETTO_OPEN;
}

/* Returns the slot of spans with this name and category; if there is none, makes one, and asks for the text of
 * one of them. */
static Slot *
find_slot (Known *self, guint32 track, const Parts *parts)
{
  guint64 hash = ((guint64) (guintptr) parts->name >> 3) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) +
                 ((guint64) (guintptr) parts->category >> 3) * G_GUINT64_CONSTANT (0xC2B2AE3D27D4EB4F) + track;
  Slot *slot = &self->slots[(hash ^ hash >> 32) % N_SLOTS];
  for (guint i = 0; i < N_TRIES; i++) {
    if (slot[i].name == parts->name && slot[i].category == parts->category && slot[i].track == track)
      return self->slot = &slot[i];
    if (slot[i].name == NULL) {
      slot = &slot[i];
      break;
    }
  }
  *slot = (Slot) { .name = parts->name, .category = parts->category, .track = track };
  self->shortcut.wants_text = TRUE;
  return self->slot = slot;
}

static gsize
measure (gpointer data, LoomMadePlace *place)
{
  Known *self = data;
  LoomPerfettoTrace *trace = self->trace;
  LoomProtoField message;
  Parts parts;
  if (place->part != LOOM_PERFETTO_PART_EVENTS || place->number >= trace->events->len)
    return 0;
  const LoomPerfettoEvent *event = self->event = loom_perfetto_trace_get_event (trace, (guint32) place->number);
  LoomPerfettoArgs from = { trace, loom_perfetto_trace_get_context (trace, event->context)->generation, event->place };
  if (!is_usual (event) || !loom_perfetto_events_find_message (trace->begins, event->place, &message) ||
      message.number != LOOM_PERFETTO_PACKET_EVENT || !read_parts (&from, &message, &parts))
    return 0;
  const Slot *slot = find_slot (self, event->track, &parts);
  if (!slot->is_usable)
    return 0;
  place->number++;
  self->args = slot->span.n_bytes + strlen (",\"ts\":") + loom_made_json_measure_us (event->start_ns) +
               strlen (",\"dur\":") + loom_made_json_measure_us (event->end_ns - event->start_ns) +
               strlen (",\"args\":");
  return self->args + strlen ("{") + parts.n_args + strlen ("}},\n");
}

static gboolean
add (gpointer data, guint64 offset)
{
  const Known *self = data;
  return loom_chrome_event_add_known_span (self->chrome, &self->slot->span, offset, self->args, self->event->start_ns,
                                           self->event->end_ns - self->event->start_ns);
}

static void
learn (gpointer data, const char *text, gsize length)
{
  const Known *self = data;
  gsize n = length - MIN (length, strlen (",\n"));
  self->slot->is_usable = loom_chrome_event_learn_span (self->chrome, text, n, &self->slot->span);
}

guint64
loom_perfetto_known_scan (LoomPerfettoTrace *trace, LoomByteSource *text, LoomChromeImporter *chrome,
                          LoomEventScanner *scanner)
{
  Known self = { .trace = trace,
                 .chrome = chrome,
                 .slots = g_new0 (Slot, N_SLOTS + N_TRIES),
                 .shortcut = { .measure = measure, .add = add, .learn = learn, .user_data = &self } };
  guint64 offset = loom_made_text_scan (text, scanner, &self.shortcut, chrome->import->progress);
  g_free (self.slots);
  return offset;
}
