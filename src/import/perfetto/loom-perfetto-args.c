/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the args of Perfetto's events as members of a JSON object. The interface is described in loom-perfetto-args.h.
 */
#include "loom-perfetto-args.h"

#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-made-json.h"
#include "loom-perfetto-fields.h"

#define MOST_TEXT_BYTES (1024u * 1024)
#define MOST_DEPTH 64

enum { NESTED_TYPE = 1, NESTED_KEY, NESTED_VALUE, NESTED_ELEMENT, NESTED_INT, NESTED_REAL, NESTED_BOOL, NESTED_TEXT };
enum { TYPE_DICTIONARY = 1, TYPE_ARRAY };
enum { LOG_SOURCE_ID = 1, LOG_BODY_ID };
enum { SOURCE_FILE = 2, SOURCE_FUNCTION, SOURCE_LINE };
enum { EXTRA_NAME = 1, EXTRA_VALUE };
enum { LAUNCH_GRID = 1, LAUNCH_BLOCK, LAUNCH_ARG };
enum { KERNEL_ARG_NAME_ID = 1, KERNEL_ARG_NAME, KERNEL_ARG_INT, KERNEL_ARG_UNSIGNED, KERNEL_ARG_REAL, KERNEL_ARG_TEXT };

/* --- values ------------------------------------------------------------------------------------------------------- */

static void
append_string (GString *text, const LoomProtoField *field)
{
  loom_json_slice_append_string (text, (const char *) field->bytes, (gsize) MIN (field->value, MOST_TEXT_BYTES));
}

static void
append_unsigned (GString *text, guint64 value)
{
  char digits[24];
  if (value <= G_MAXINT64) {
    loom_made_json_append_int (text, (gint64) value);
    return;
  }
  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value);
  loom_made_json_append (text, digits);
}

void
loom_perfetto_args_append_real (GString *text, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (value - value != 0) { /* TRUE if `value` is infinite or NaN */
    loom_made_json_append (text, "null");
    return;
  }
  g_ascii_formatd (digits, sizeof digits, "%.15g", value);
  if (g_ascii_strtod (digits, NULL) != value)
    g_ascii_dtostr (digits, sizeof digits, value);
  loom_made_json_append (text, digits);
}

static void
append_comma (GString *text)
{
  if (text->str[text->len - 1] != '{' && text->str[text->len - 1] != '[')
    loom_made_json_append (text, ",");
}

static void
append_text_member (GString *text, const char *name, const LoomProtoField *field)
{
  loom_made_json_append_key (text, name);
  append_string (text, field);
}

void
loom_perfetto_args_append_text (const LoomPerfettoArgs *self, LoomPerfettoTextKind kind, guint64 number, GString *text)
{
  const char *known = loom_perfetto_texts_get (self->trace->texts, self->generation, kind, number, self->place);
  /* A text above LOOM_LIMIT_EVENT_BYTES is not extended: a packet of few bytes can refer to a long text many times, and
   * the scanner skips events above this limit anyway. */
  if (text->len - self->begin > LOOM_LIMIT_EVENT_BYTES)
    return;
  if (known != NULL) {
    loom_made_json_append (text, known);
    return;
  }
  loom_made_json_append (text, "#");
  append_unsigned (text, number);
  if (self->is_first)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_UNNAMED, self->place);
}

static void
append_known_text (const LoomPerfettoArgs *self, LoomPerfettoTextKind kind, guint64 number, GString *text)
{
  loom_made_json_append (text, "\"");
  loom_perfetto_args_append_text (self, kind, number, text);
  loom_made_json_append (text, "\"");
}

/* Counts the args of the packet as damaged if parsing stopped at `p`, before the end of the message. Does so only when
 * the packet is read for the first time. */
static void
note_rest (const LoomPerfettoArgs *self, const guint8 *p, const guint8 *end)
{
  if (G_UNLIKELY (p != end) && self->is_first)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_DAMAGED_ARGS, self->place);
}

static void
append_deep (const LoomPerfettoArgs *self, GString *text)
{
  loom_made_json_append (text, "\"…\"");
  if (self->is_first)
    loom_perfetto_trace_lose (self->trace, LOOM_PERFETTO_DEEP, self->place);
}

/* --- debug annotations -------------------------------------------------------------------------------------------- */

static void append_nested (const LoomPerfettoArgs *self, const LoomProtoField *message, guint depth, GString *text);
static void append_arg (const LoomPerfettoArgs *self, const LoomProtoField *message, gboolean is_named, guint depth,
                        GString *text);

/* Appends all fields of the message that have this number: as a JSON object if `is_named` is TRUE, otherwise as a JSON
 * array. */
static void
append_list (const LoomPerfettoArgs *self, const LoomProtoField *message, guint number, gboolean is_named, guint depth,
             GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  if (depth >= MOST_DEPTH) {
    append_deep (self, text);
    return;
  }
  loom_made_json_append (text, is_named ? "{" : "[");
  while (loom_proto_next (&p, end, &field))
    if (field.number == number && field.wire == LOOM_PROTO_BYTES)
      append_arg (self, &field, is_named, depth + 1, text);
  loom_made_json_append (text, is_named ? "}" : "]");
}

/* Appends JSON text that the traced program has written; repairs the text if it is not valid JSON. */
static void
append_json (const LoomProtoField *field, GString *text)
{
  loom_json_slice_append_strict (text, (const char *) field->bytes, (gsize) MIN (field->value, MOST_TEXT_BYTES));
}

static void
append_pointer (guint64 value, GString *text)
{
  char digits[24];
  g_snprintf (digits, sizeof digits, "\"0x%" G_GINT64_MODIFIER "x\"", value);
  loom_made_json_append (text, digits);
}

/* Appends the value of a debug annotation. `value`: the field of the annotation `message` that contains the value. */
static void
append_value (const LoomPerfettoArgs *self, const LoomProtoField *message, const LoomProtoField *value, guint depth,
              GString *text)
{
  gboolean is_bytes = value->wire == LOOM_PROTO_BYTES;
  gboolean wants_bytes = value->number == LOOM_PERFETTO_ARG_TEXT || value->number == LOOM_PERFETTO_ARG_JSON ||
                         value->number == LOOM_PERFETTO_ARG_NESTED || value->number == LOOM_PERFETTO_ARG_DICTIONARY ||
                         value->number == LOOM_PERFETTO_ARG_ARRAY;
  if (is_bytes != wants_bytes) {
    loom_made_json_append (text, "null");
    return;
  }
  switch (value->number) {
  case LOOM_PERFETTO_ARG_BOOL: loom_made_json_append (text, value->value != 0 ? "true" : "false"); break;
  case LOOM_PERFETTO_ARG_UNSIGNED: append_unsigned (text, value->value); break;
  case LOOM_PERFETTO_ARG_SIGNED: loom_made_json_append_int (text, (gint64) value->value); break;
  case LOOM_PERFETTO_ARG_REAL: loom_perfetto_args_append_real (text, loom_proto_to_double (value->value)); break;
  case LOOM_PERFETTO_ARG_TEXT: append_string (text, value); break;
  case LOOM_PERFETTO_ARG_TEXT_ID: append_known_text (self, LOOM_PERFETTO_TEXT_ARG_TEXT, value->value, text); break;
  case LOOM_PERFETTO_ARG_POINTER: append_pointer (value->value, text); break;
  case LOOM_PERFETTO_ARG_JSON: append_json (value, text); break;
  case LOOM_PERFETTO_ARG_NESTED: append_nested (self, value, depth, text); break;
  case LOOM_PERFETTO_ARG_DICTIONARY:
    append_list (self, message, LOOM_PERFETTO_ARG_DICTIONARY, TRUE, depth, text);
    break;
  case LOOM_PERFETTO_ARG_ARRAY: append_list (self, message, LOOM_PERFETTO_ARG_ARRAY, FALSE, depth, text); break;
  default: loom_made_json_append (text, "null"); break;
  }
}

static gboolean
is_value (guint number)
{
  return (number >= LOOM_PERFETTO_ARG_BOOL && number <= LOOM_PERFETTO_ARG_JSON) ||
         number == LOOM_PERFETTO_ARG_DICTIONARY || number == LOOM_PERFETTO_ARG_ARRAY ||
         number == LOOM_PERFETTO_ARG_TEXT_ID;
}

/* Appends a debug annotation: if `is_named` is TRUE as a member of an object, otherwise as an element of an array. */
static void
append_arg (const LoomPerfettoArgs *self, const LoomProtoField *message, gboolean is_named, guint depth, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, name = { 0 }, value = { 0 };
  while (loom_proto_next (&p, end, &field))
    if ((field.number == LOOM_PERFETTO_ARG_NAME && field.wire == LOOM_PROTO_BYTES) ||
        field.number == LOOM_PERFETTO_ARG_NAME_ID)
      name = field;
    else if (is_value (field.number))
      value = field;
  note_rest (self, p, end);
  append_comma (text);
  if (is_named) {
    if (name.number == LOOM_PERFETTO_ARG_NAME_ID)
      append_known_text (self, LOOM_PERFETTO_TEXT_ARG_NAME, name.value, text);
    else
      append_string (text, &name);
    loom_made_json_append (text, ":");
  }
  append_value (self, message, &value, depth, text);
}

/* --- values of debug annotations in the old nested form ----------------------------------------------------------- */

static void
append_nested_scalar (const LoomProtoField *field, GString *text)
{
  gboolean is_bytes = field->wire == LOOM_PROTO_BYTES;
  if (field->number == NESTED_TEXT && is_bytes)
    append_string (text, field);
  else if (field->number == NESTED_INT && !is_bytes)
    loom_made_json_append_int (text, (gint64) field->value);
  else if (field->number == NESTED_REAL && !is_bytes)
    loom_perfetto_args_append_real (text, loom_proto_to_double (field->value));
  else if (field->number == NESTED_BOOL && !is_bytes)
    loom_made_json_append (text, field->value != 0 ? "true" : "false");
  else
    loom_made_json_append (text, "null");
}

static void
append_nested_array (const LoomPerfettoArgs *self, const LoomProtoField *message, guint depth, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  loom_made_json_append (text, "[");
  while (loom_proto_next (&p, end, &field)) {
    if (field.number != NESTED_ELEMENT || field.wire != LOOM_PROTO_BYTES)
      continue;
    append_comma (text);
    append_nested (self, &field, depth + 1, text);
  }
  loom_made_json_append (text, "]");
}

/* Appends a dictionary. The message contains it as a list of keys and a list of values; both lists have the same
 * length. */
static void
append_nested_dictionary (const LoomPerfettoArgs *self, const LoomProtoField *message, guint depth, GString *text)
{
  const guint8 *keys = message->bytes, *values = keys, *end = keys + message->value;
  LoomProtoField key, value;
  gboolean has_key, has_value;
  loom_made_json_append (text, "{");
  do {
    while ((has_key = loom_proto_next (&keys, end, &key)) &&
           (key.number != NESTED_KEY || key.wire != LOOM_PROTO_BYTES)) {
    }
    while ((has_value = loom_proto_next (&values, end, &value)) &&
           (value.number != NESTED_VALUE || value.wire != LOOM_PROTO_BYTES)) {
    }
    if (!has_key || !has_value)
      break;
    append_comma (text);
    append_string (text, &key);
    loom_made_json_append (text, ":");
    append_nested (self, &value, depth + 1, text);
  } while (TRUE);
  loom_made_json_append (text, "}");
}

static void
append_nested (const LoomPerfettoArgs *self, const LoomProtoField *message, guint depth, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, value = { 0 };
  guint64 type = 0;
  while (loom_proto_next (&p, end, &field))
    if (field.number == NESTED_TYPE && field.wire == LOOM_PROTO_VARINT)
      type = field.value;
    else
      value = field;
  note_rest (self, p, end);
  if (depth >= MOST_DEPTH)
    append_deep (self, text);
  else if (type == TYPE_DICTIONARY)
    append_nested_dictionary (self, message, depth, text);
  else if (type == TYPE_ARRAY)
    append_nested_array (self, message, depth, text);
  else
    append_nested_scalar (&value, text);
}

/* --- other args of track events ----------------------------------------------------------------------------------- */

static void
append_source_id (const LoomPerfettoArgs *self, guint64 number, GString *text)
{
  const char *function = loom_perfetto_texts_get (self->trace->texts, self->generation,
                                                  LOOM_PERFETTO_TEXT_SOURCE_FUNCTION, number, self->place);
  loom_made_json_append_key (text, "source");
  append_known_text (self, LOOM_PERFETTO_TEXT_SOURCE_FILE, number, text);
  if (function != NULL) {
    loom_made_json_append_key (text, "function");
    append_known_text (self, LOOM_PERFETTO_TEXT_SOURCE_FUNCTION, number, text);
  }
}

static void
append_source (const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == SOURCE_FILE && field.wire == LOOM_PROTO_BYTES) {
      append_text_member (text, "source", &field);
    } else if (field.number == SOURCE_FUNCTION && field.wire == LOOM_PROTO_BYTES) {
      append_text_member (text, "function", &field);
    } else if (field.number == SOURCE_LINE && field.wire == LOOM_PROTO_VARINT) {
      loom_made_json_append_key (text, "line");
      append_unsigned (text, field.value);
    }
}

static void
append_log (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field))
    if (field.number == LOG_BODY_ID && field.wire == LOOM_PROTO_VARINT) {
      loom_made_json_append_key (text, "message");
      append_known_text (self, LOOM_PERFETTO_TEXT_LOG_MESSAGE, field.value, text);
    } else if (field.number == LOG_SOURCE_ID && field.wire == LOOM_PROTO_VARINT) {
      append_source_id (self, field.value, text);
    }
}

static void
append_gpu_api (guint64 api, GString *text)
{
  static const char *const names[] = { "undefined", "OpenGL", "Vulkan", "OpenCL", "CUDA", "HIP" };
  loom_made_json_append_key (text, "gpu_api");
  if (api >= G_N_ELEMENTS (names)) {
    append_unsigned (text, api);
    return;
  }
  loom_made_json_append (text, "\"");
  loom_made_json_append (text, names[api]);
  loom_made_json_append (text, "\"");
}

static void
append_number_arg (const LoomPerfettoArgs *self, const LoomProtoField *field, GString *text)
{
  switch (field->number) {
  case LOOM_PERFETTO_EVENT_SOURCE_ID: append_source_id (self, field->value, text); break;
  case LOOM_PERFETTO_EVENT_GPU_API: append_gpu_api (field->value, text); break;
  case LOOM_PERFETTO_EVENT_CORRELATION:
    loom_made_json_append_key (text, "correlation_id");
    append_unsigned (text, field->value);
    break;
  case LOOM_PERFETTO_EVENT_CORRELATION_ID:
    loom_made_json_append_key (text, "correlation_id");
    append_known_text (self, LOOM_PERFETTO_TEXT_CORRELATION, field->value, text);
    break;
  default: break;
  }
}

void
loom_perfetto_args_append_event (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field)) {
    if (field.wire != LOOM_PROTO_BYTES)
      append_number_arg (self, &field, text);
    else if (field.number == LOOM_PERFETTO_EVENT_ARG)
      append_arg (self, &field, TRUE, 0, text);
    else if (field.number == LOOM_PERFETTO_EVENT_LOG)
      append_log (self, &field, text);
    else if (field.number == LOOM_PERFETTO_EVENT_SOURCE)
      append_source (&field, text);
    else if (field.number == LOOM_PERFETTO_EVENT_CORRELATION_TEXT)
      append_text_member (text, "correlation_id", &field);
  }
}

/* --- args of GPU work --------------------------------------------------------------------------------------------- */

static void
append_triple (const LoomPerfettoArgs *self, const char *name, const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  guint64 sizes[4] = { 0, 1, 1, 1 };
  while (loom_proto_next (&p, end, &field))
    if (field.number < G_N_ELEMENTS (sizes) && field.wire == LOOM_PROTO_VARINT)
      sizes[field.number] = field.value;
  note_rest (self, p, end);
  loom_made_json_append_key (text, name);
  for (guint i = 1; i < G_N_ELEMENTS (sizes); i++) {
    loom_made_json_append (text, i == 1 ? "[" : ",");
    append_unsigned (text, sizes[i]);
  }
  loom_made_json_append (text, "]");
}

static void
append_kernel_value (const LoomProtoField *field, GString *text)
{
  if (field->number == KERNEL_ARG_TEXT && field->wire == LOOM_PROTO_BYTES)
    append_string (text, field);
  else if (field->number == KERNEL_ARG_REAL && field->wire != LOOM_PROTO_BYTES)
    loom_perfetto_args_append_real (text, loom_proto_to_double (field->value));
  else if (field->number == KERNEL_ARG_INT && field->wire != LOOM_PROTO_BYTES)
    loom_made_json_append_int (text, (gint64) field->value);
  else if (field->wire != LOOM_PROTO_BYTES)
    append_unsigned (text, field->value);
  else
    loom_made_json_append (text, "null");
}

static void
append_kernel_arg (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, name = { 0 }, value = { 0 };
  while (loom_proto_next (&p, end, &field))
    if (field.number == KERNEL_ARG_NAME_ID || (field.number == KERNEL_ARG_NAME && field.wire == LOOM_PROTO_BYTES))
      name = field;
    else if (field.number <= KERNEL_ARG_TEXT)
      value = field;
  note_rest (self, p, end);
  append_comma (text);
  if (name.number == KERNEL_ARG_NAME_ID)
    append_known_text (self, LOOM_PERFETTO_TEXT_KERNEL_ARG, name.value, text);
  else
    append_string (text, &name);
  loom_made_json_append (text, ":");
  append_kernel_value (&value, text);
}

static void
append_launch (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field)) {
    if (field.wire != LOOM_PROTO_BYTES)
      continue;
    if (field.number == LAUNCH_GRID)
      append_triple (self, "grid", &field, text);
    else if (field.number == LAUNCH_BLOCK)
      append_triple (self, "block", &field, text);
    else if (field.number == LAUNCH_ARG)
      append_kernel_arg (self, &field, text);
  }
  note_rest (self, p, end);
}

/* Appends one of the additional values of a GPU stage. All of them are texts in the file; whole numbers are appended
 * as JSON numbers, because the analyses need numbers. */
static void
append_extra (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field, name = { 0 }, value = { 0 };
  while (loom_proto_next (&p, end, &field))
    if (field.number == EXTRA_NAME && field.wire == LOOM_PROTO_BYTES)
      name = field;
    else if (field.number == EXTRA_VALUE && field.wire == LOOM_PROTO_BYTES)
      value = field;
  note_rest (self, p, end);
  gboolean is_number = value.value > 0 && value.value < 18 && (value.bytes[0] != '0' || value.value == 1);
  for (guint64 i = 0; i < value.value && is_number; i++)
    is_number = g_ascii_isdigit (value.bytes[i]);
  append_comma (text);
  append_string (text, &name);
  loom_made_json_append (text, ":");
  if (is_number)
    loom_made_json_append_len (text, (const char *) value.bytes, (gsize) value.value);
  else
    append_string (text, &value);
}

static void
append_stage_number (const LoomPerfettoArgs *self, const LoomProtoField *field, GString *text)
{
  const char *known;
  switch (field->number) {
  case LOOM_PERFETTO_STAGE_SUBMISSION:
    loom_made_json_append_key (text, "submission");
    append_unsigned (text, field->value);
    break;
  case LOOM_PERFETTO_STAGE_CONTEXT:
    known = loom_perfetto_texts_get (self->trace->texts, self->generation, LOOM_PERFETTO_TEXT_GPU_CONTEXT, field->value,
                                     self->place);
    loom_made_json_append_key (text, "context");
    append_unsigned (text, field->value);
    if (known != NULL) {
      loom_made_json_append_key (text, "pid");
      loom_made_json_append (text, known);
    }
    break;
  case LOOM_PERFETTO_STAGE_KERNEL:
    known = loom_perfetto_texts_get (self->trace->texts, self->generation, LOOM_PERFETTO_TEXT_KERNEL_SYMBOL,
                                     field->value, self->place);
    if (known != NULL) {
      loom_made_json_append_key (text, "symbol");
      append_known_text (self, LOOM_PERFETTO_TEXT_KERNEL_SYMBOL, field->value, text);
    }
    break;
  default: break;
  }
}

void
loom_perfetto_args_append_stage (const LoomPerfettoArgs *self, const LoomProtoField *message, GString *text)
{
  const guint8 *p = message->bytes, *end = p + message->value;
  LoomProtoField field;
  while (loom_proto_next (&p, end, &field)) {
    if (field.wire != LOOM_PROTO_BYTES)
      append_stage_number (self, &field, text);
    else if (field.number == LOOM_PERFETTO_STAGE_LAUNCH)
      append_launch (self, &field, text);
    else if (field.number == LOOM_PERFETTO_STAGE_EXTRA)
      append_extra (self, &field, text);
  }
}
