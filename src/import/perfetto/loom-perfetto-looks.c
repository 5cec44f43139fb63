/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of a Perfetto trace are read as JSON text that is made from their packets (loom-made-text.h). This file
 * computes the lengths of this text from the packets, without making the text. The lengths must be exactly those of the
 * text that loom-perfetto-events.c and loom-perfetto-args.c write, because the args of spans are later read at offsets
 * in this text. Lengths are not computed for events with rare fields.
 */
#include "loom-perfetto-looks.h"

#include "loom-made-json.h"
#include "loom-perfetto-args.h"
#include "loom-perfetto-fields.h"
#include "loom-seeded-hash.h"

#define LEAST_SLOTS 256
#define MOST_TEXT_BYTES 4096
/* Maximum length of the args that are measured. The text of events with longer args, which are rare, is made and
 * scanned instead: the scanner finds the spans that are too large to be read later, skips them, and logs this. */
#define MOST_ARGS_BYTES (1024u * 1024)

LoomPerfettoLooks *
loom_perfetto_looks_new (void)
{
  LoomPerfettoLooks *self = g_new0 (LoomPerfettoLooks, 1);
  self->looks = g_array_new (FALSE, FALSE, sizeof (LoomPerfettoLook));
  self->seed = loom_seeded_hash_get_seed ();
  self->n_slots = LEAST_SLOTS;
  self->slots = g_new0 (guint32, self->n_slots);
  return self;
}

void
loom_perfetto_looks_free (LoomPerfettoLooks *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->looks);
  g_free (self->slots);
  g_free (self);
}

static inline gsize
hash_look (const LoomPerfettoLooks *self, const LoomPerfettoLook *look)
{
  guint64 hash = ((guint64) (guintptr) look->name >> 3) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) +
                 ((guint64) (guintptr) look->category >> 3) * G_GUINT64_CONSTANT (0xC2B2AE3D27D4EB4F) +
                 (((guint64) look->context << 32 | look->track) ^ self->seed) * G_GUINT64_CONSTANT (0x165667B19E3779F9);
  return (gsize) (hash ^ hash >> 32);
}

static inline gboolean
is_equal (const LoomPerfettoLook *a, const LoomPerfettoLook *b)
{
  return a->name == b->name && a->category == b->category && a->track == b->track && a->context == b->context;
}

static void
grow (LoomPerfettoLooks *self)
{
  g_free (self->slots);
  self->n_slots *= 2;
  self->slots = g_new0 (guint32, self->n_slots);
  for (guint32 i = 0; i < self->looks->len; i++) {
    gsize slot = hash_look (self, loom_perfetto_looks_get (self, i)) & (self->n_slots - 1);
    while (self->slots[slot] != 0)
      slot = (slot + 1) & (self->n_slots - 1);
    self->slots[slot] = i + 1;
  }
}

guint32
loom_perfetto_looks_find (LoomPerfettoLooks *self, const LoomPerfettoLook *look)
{
  gsize slot = hash_look (self, look) & (self->n_slots - 1);
  for (; self->slots[slot] != 0; slot = (slot + 1) & (self->n_slots - 1))
    if (is_equal (loom_perfetto_looks_get (self, self->slots[slot] - 1), look))
      return self->slots[slot] - 1;
  g_array_append_val (self->looks, *look);
  self->slots[slot] = self->looks->len;
  if (self->looks->len > self->n_slots / 2)
    grow (self);
  return self->looks->len - 1;
}

/* --- fields of events --------------------------------------------------------------------------------------------- */

static const char *
get_text (const LoomPerfettoOrigin *from, LoomPerfettoTextKind kind, guint64 number)
{
  return loom_perfetto_texts_get (from->texts, from->generation, kind, number, from->place);
}

/* Returns the length in bytes of a text including its quotes; 0 if the text needs escapes or has more than
 * MOST_TEXT_BYTES bytes. */
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
measure_known_text (const LoomPerfettoOrigin *from, LoomPerfettoTextKind kind, const LoomProtoField *field)
{
  gsize length;
  gboolean is_known =
    field->wire == LOOM_PROTO_VARINT &&
    loom_perfetto_texts_get_length (from->texts, from->generation, kind, field->value, from->place, &length);
  return is_known ? length + 2 : 0;
}

static gsize
measure_int (gint64 value)
{
  return value < 0 ? loom_made_json_count_digits (-(guint64) value) + 1 : loom_made_json_count_digits ((guint64) value);
}

static gsize
measure_value (const LoomPerfettoOrigin *from, const LoomProtoField *field)
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

gsize
loom_perfetto_looks_measure_arg (const LoomPerfettoOrigin *from, const LoomProtoField *message)
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

static void
add_arg (LoomPerfettoParts *parts, const LoomPerfettoOrigin *from, const LoomProtoField *field)
{
  gsize n = field->wire == LOOM_PROTO_BYTES ? loom_perfetto_looks_measure_arg (from, field) : 0;
  parts->n_args += n + (parts->n_args > 0); /* the comma between the args is counted, too */
  parts->is_rare |= n == 0 || parts->n_args > MOST_ARGS_BYTES;
}

/* Returns the text of the name or category that `field` refers to by number. Returns NULL if the field does not refer
 * to a text by number, or if the event has an earlier field of this kind (`before` is not NULL). */
static const char *
find_only_text (const LoomPerfettoOrigin *from, LoomPerfettoTextKind kind, const char *before,
                const LoomProtoField *field)
{
  return before == NULL && field->wire == LOOM_PROTO_VARINT ? get_text (from, kind, field->value) : NULL;
}

void
loom_perfetto_looks_add_field (LoomPerfettoParts *parts, const LoomPerfettoOrigin *from, const LoomProtoField *field)
{
  if (parts->is_rare)
    return;
  switch (field->number) {
  case LOOM_PERFETTO_EVENT_NAME_ID:
    parts->name = find_only_text (from, LOOM_PERFETTO_TEXT_EVENT_NAME, parts->name, field);
    parts->is_rare = parts->name == NULL;
    break;
  case LOOM_PERFETTO_EVENT_CATEGORY_ID:
    parts->category = find_only_text (from, LOOM_PERFETTO_TEXT_CATEGORY, parts->category, field);
    parts->is_rare = parts->category == NULL;
    break;
  case LOOM_PERFETTO_EVENT_ARG: add_arg (parts, from, field); break;
  default: parts->is_rare = TRUE;
  }
}
