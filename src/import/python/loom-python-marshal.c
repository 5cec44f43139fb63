/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Python's marshal format. Containers (tuples, dicts, …) that are being read are on a stack of fixed depth. Their
 * items are collected in one array, `pending`, and moved to the table when the container is complete. Thus memory
 * depends on the items that were read, not on the number of items that the data states.
 */
#include "loom-python-marshal.h"

#include "loom-error.h"

#include <glib/gi18n.h>
#include <string.h>

#define FLAG_REFERENCE 0x80
#define LONG_DIGIT_BITS 15
/* Maximum number of items in a tuple of a profile. If a dump states more, it is invalid. If it states an allowed
 * number, but has too few bytes for so many items, it was truncated. */
#define MAX_TUPLE_ITEMS 5
#define CUT "it is truncated: it ends in the middle of a value; dump the profile again"
#define TOO_DEEP "values are nested more than 16 deep"

struct _LoomPythonMarshal {
  GArray *values; /* LoomPythonMarshalValue: all values that were read */
  GArray *items;  /* guint32: items of all containers, one container after the other, as indices of values */
  guint32 top;
};

typedef struct {
  guint32 value;   /* index of the container in Reader.values */
  guint32 pending; /* index of the container's first item in Reader.pending */
  /* number of items of the container that have not been read; not used for a dict, which ends with a mark */
  guint32 left;
} Level;

typedef struct {
  LoomPythonMarshal *marshal;
  const char *bytes;
  gsize length, at;
  GArray *references; /* guint32 elements, indexed by the number in an 'r' reference: index of the value to which the
                       * reference refers */
  GArray *interned;   /* guint32 elements, indexed by the number in an 'R' reference (Python 2): index of the value to
                       * which the reference refers */
  /* guint32: indices of the values that were read for tuples, lists and other containers whose last item was not read
   * yet; a stack, because containers are nested */
  GArray *pending;
  Level stack[LOOM_PYTHON_MARSHAL_MAX_DEPTH];
  guint depth;
  GError *error;
  gsize error_offset;
} Reader;

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static gboolean
fail (Reader *reader, LoomError code, gsize offset, const char *what)
{
  reader->error_offset = offset;
  if (reader->error == NULL)
    g_set_error (&reader->error, LOOM_ERROR, code, _ ("not a readable Python profile: %s"), what);
  return FALSE;
}

static gboolean
take (Reader *reader, gsize n_bytes, const guint8 **taken)
{
  if (n_bytes > reader->length - reader->at)
    return fail (reader, LOOM_ERROR_FORMAT, reader->length, CUT);
  *taken = (const guint8 *) reader->bytes + reader->at;
  reader->at += n_bytes;
  return TRUE;
}

static gboolean
take_u32 (Reader *reader, guint32 *value)
{
  const guint8 *b;
  if (!take (reader, 4, &b))
    return FALSE;
  *value = (guint32) b[0] | (guint32) b[1] << 8 | (guint32) b[2] << 16 | (guint32) b[3] << 24;
  return TRUE;
}

static gboolean
take_u64 (Reader *reader, guint64 *value)
{
  guint32 low, high;
  if (!take_u32 (reader, &low) || !take_u32 (reader, &high))
    return FALSE;
  *value = (guint64) high << 32 | low;
  return TRUE;
}

static LoomPythonMarshalValue *
value_at (Reader *reader, guint32 index)
{
  return &g_array_index (reader->marshal->values, LoomPythonMarshalValue, index);
}

static gboolean
add_value (Reader *reader, LoomPythonMarshalValue value, guint32 *index)
{
  if (reader->marshal->values->len >= LOOM_PYTHON_MARSHAL_MAX_VALUES)
    return fail (reader, LOOM_ERROR_LIMIT, value.offset, _ ("the profile contains more than 8,388,608 values"));
  *index = reader->marshal->values->len;
  g_array_append_val (reader->marshal->values, value);
  return TRUE;
}

/* --- reading single values ---------------------------------------------------------------------------------------- */

static gboolean
read_text (Reader *reader, gboolean short_count, LoomPythonMarshalValue *value)
{
  const guint8 *b;
  guint32 n;
  if (short_count) {
    if (!take (reader, 1, &b))
      return FALSE;
    n = b[0];
  } else if (!take_u32 (reader, &n)) {
    return FALSE;
  }
  if (n > LOOM_PYTHON_MARSHAL_MAX_STRING)
    return fail (reader, LOOM_ERROR_LIMIT, value->offset, _ ("a string is longer than 1,048,576 bytes"));
  if (!take (reader, n, &b))
    return FALSE;
  value->type = LOOM_PYTHON_MARSHAL_TEXT;
  value->text = (const char *) b;
  value->length = n;
  return TRUE;
}

static gboolean
read_float_text (Reader *reader, LoomPythonMarshalValue *value)
{
  char digits[256], *end;
  LoomPythonMarshalValue text = { .offset = value->offset };
  if (!read_text (reader, TRUE, &text))
    return FALSE;
  memcpy (digits, text.text, text.length);
  digits[text.length] = '\0';
  value->type = LOOM_PYTHON_MARSHAL_FLOAT;
  value->number = g_ascii_strtod (digits, &end);
  return (end != digits && end == digits + text.length) ||
         fail (reader, LOOM_ERROR_FORMAT, value->offset, _ ("a number cannot be read"));
}

static gboolean
read_float (Reader *reader, LoomPythonMarshalValue *value)
{
  guint64 bits;
  if (!take_u64 (reader, &bits))
    return FALSE;
  value->type = LOOM_PYTHON_MARSHAL_FLOAT;
  memcpy (&value->number, &bits, sizeof bits);
  return TRUE;
}

static gboolean
read_int (Reader *reader, LoomPythonMarshalValue *value, gboolean wide)
{
  guint64 bits;
  guint32 low;
  if (wide ? !take_u64 (reader, &bits) : !take_u32 (reader, &low))
    return FALSE;
  value->type = LOOM_PYTHON_MARSHAL_INT;
  value->integer = wide ? (gint64) bits : (gint64) (gint32) low;
  return TRUE;
}

/* Reads a long integer: digits of 15 bits, the lowest first. Its sign is the sign of the number of digits. Returns
 * FALSE if the integer is damaged or incomplete. */
static gboolean
read_long (Reader *reader, LoomPythonMarshalValue *value)
{
  guint32 count;
  const guint8 *b;
  if (!take_u32 (reader, &count))
    return FALSE;
  gboolean negative = (gint32) count < 0;
  gsize n = negative ? (gsize) (-(gint64) (gint32) count) : count;
  if (!take (reader, n * 2, &b))
    return FALSE;
  double rough = 0;
  gint64 exact = 0;
  gboolean fits = TRUE;
  for (gsize i = n; i-- > 0;) {
    guint digit = (guint) b[2 * i] | (guint) b[2 * i + 1] << 8;
    if (digit >= 1u << LONG_DIGIT_BITS)
      return fail (reader, LOOM_ERROR_FORMAT, value->offset, _ ("a digit of a long number is out of range"));
    rough = rough * (1 << LONG_DIGIT_BITS) + digit;
    fits = fits && !__builtin_mul_overflow (exact, 1 << LONG_DIGIT_BITS, &exact) &&
           !__builtin_add_overflow (exact, (gint64) digit, &exact);
  }
  value->type = fits ? LOOM_PYTHON_MARSHAL_INT : LOOM_PYTHON_MARSHAL_FLOAT;
  if (fits)
    value->integer = negative ? -exact : exact;
  else
    value->number = negative ? -rough : rough;
  return TRUE;
}

/* Reads an 'r' or 'R' reference. The value to which it refers must have been read completely; otherwise a container
 * could contain itself. The nesting of this value counts towards the maximum depth. Returns FALSE if the reference is
 * not valid, or if the values would be nested too deeply. */
static gboolean
read_reference (Reader *reader, const GArray *list, gsize offset, guint32 *index)
{
  guint32 number;
  if (!take_u32 (reader, &number))
    return FALSE;
  if (number >= list->len)
    return fail (reader, LOOM_ERROR_FORMAT, offset, _ ("a reference to something that was not read"));
  *index = g_array_index (list, guint32, number);
  const LoomPythonMarshalValue *value = value_at (reader, *index);
  if (value->open)
    return fail (reader, LOOM_ERROR_FORMAT, offset, _ ("a container that contains itself"));
  return reader->depth + value->height <= LOOM_PYTHON_MARSHAL_MAX_DEPTH ||
         fail (reader, LOOM_ERROR_LIMIT, offset, TOO_DEEP);
}

static gboolean
read_plain (Reader *reader, guint8 type, LoomPythonMarshalValue *value)
{
  switch (type) {
  case 'z':
  case 'Z': return read_text (reader, TRUE, value);
  case 'a':
  case 'A':
  case 'u':
  case 't':
  case 's': return read_text (reader, FALSE, value);
  case 'i': return read_int (reader, value, FALSE);
  case 'I': return read_int (reader, value, TRUE);
  case 'l': return read_long (reader, value);
  case 'g': return read_float (reader, value);
  case 'f': return read_float_text (reader, value);
  default: return fail (reader, LOOM_ERROR_FORMAT, value->offset, _ ("a kind of value that profiles do not have"));
  }
}

/* --- containers --------------------------------------------------------------------------------------------------- */

static gboolean
read_count (Reader *reader, guint8 type, gsize offset, guint32 *count)
{
  const guint8 *b;
  *count = G_MAXUINT32;
  if (type == '{')
    return TRUE;
  if (type == ')') {
    if (!take (reader, 1, &b))
      return FALSE;
    *count = b[0];
  } else if (!take_u32 (reader, count)) {
    return FALSE;
  }
  if (*count > reader->length - reader->at && *count <= MAX_TUPLE_ITEMS)
    return fail (reader, LOOM_ERROR_FORMAT, reader->length, CUT);
  return *count <= reader->length - reader->at ||
         fail (reader, LOOM_ERROR_FORMAT, offset,
               _ ("the profile claims to contain more items than there are bytes left"));
}

static void
open_container (Reader *reader, guint32 index, guint32 count)
{
  value_at (reader, index)->open = TRUE;
  reader->stack[reader->depth++] = (Level) { index, reader->pending->len, count };
}

static void
close_container (Reader *reader)
{
  const Level *level = &reader->stack[--reader->depth];
  LoomPythonMarshalValue *value = value_at (reader, level->value);
  value->open = FALSE;
  value->first_item = reader->marshal->items->len;
  value->length = reader->pending->len - level->pending;
  if (value->length > 0)
    g_array_append_vals (reader->marshal->items, &g_array_index (reader->pending, guint32, level->pending),
                         value->length);
  value->height = 1;
  for (guint32 i = level->pending; i < reader->pending->len; i++)
    value->height = MAX (value->height, value_at (reader, g_array_index (reader->pending, guint32, i))->height + 1);
  g_array_set_size (reader->pending, level->pending);
}

static gboolean
is_container (guint8 type)
{
  return type == '{' || type == ')' || type == '(' || type == '[';
}

static gboolean
read_container (Reader *reader, guint8 type, gboolean flag, gsize offset, guint32 *index)
{
  LoomPythonMarshalValue value = { .offset = offset,
                                   .type = type == '{'   ? LOOM_PYTHON_MARSHAL_DICT
                                           : type == '[' ? LOOM_PYTHON_MARSHAL_LIST
                                                         : LOOM_PYTHON_MARSHAL_TUPLE };
  guint32 count;
  if (!read_count (reader, type, offset, &count) || !add_value (reader, value, index))
    return FALSE;
  if (flag)
    g_array_append_val (reader->references, *index);
  if (reader->depth >= LOOM_PYTHON_MARSHAL_MAX_DEPTH)
    return fail (reader, LOOM_ERROR_LIMIT, offset, TOO_DEEP);
  open_container (reader, *index, count);
  return TRUE;
}

/* Reads one value, or the beginning of a container. Sets `index` to the index of the value in Reader.values. Returns
 * FALSE if the data is damaged or exceeds a limit. */
static gboolean
read_value (Reader *reader, guint32 *index)
{
  gsize offset = reader->at;
  const guint8 *b;
  if (!take (reader, 1, &b))
    return FALSE;
  guint8 type = b[0] & ~FLAG_REFERENCE;
  gboolean flag = (b[0] & FLAG_REFERENCE) != 0;
  LoomPythonMarshalValue value = { .offset = offset };
  if (is_container (type))
    return read_container (reader, type, flag, offset, index);
  if (type == 'r' || type == 'R')
    return read_reference (reader, type == 'r' ? reader->references : reader->interned, offset, index);
  if (type == 'N' || type == 'T' || type == 'F') {
    value.type = type == 'N' ? LOOM_PYTHON_MARSHAL_NONE : LOOM_PYTHON_MARSHAL_BOOL;
    value.integer = type == 'T';
    return add_value (reader, value, index);
  }
  if (!read_plain (reader, type, &value) || !add_value (reader, value, index))
    return FALSE;
  if (flag)
    g_array_append_val (reader->references, *index);
  else if (type == 't')
    g_array_append_val (reader->interned, *index);
  return TRUE;
}

/* Returns TRUE if all items of the innermost container have been read. A dict ends with a 0 instead of a key. */
static gboolean
is_complete (Reader *reader)
{
  const Level *level = &reader->stack[reader->depth - 1];
  guint32 n = reader->pending->len - level->pending;
  if (value_at (reader, level->value)->type != LOOM_PYTHON_MARSHAL_DICT)
    return n == level->left;
  if (n % 2 != 0 || reader->at >= reader->length || reader->bytes[reader->at] != '0')
    return FALSE;
  reader->at++;
  return TRUE;
}

static gboolean
read_all (Reader *reader)
{
  if (!read_value (reader, &reader->marshal->top))
    return FALSE;
  while (reader->depth > 0) {
    guint32 index;
    if (is_complete (reader)) {
      close_container (reader);
      continue;
    }
    /* reserves the element of `pending` for this value before the value is read, because reading a container appends
     * the elements for its items */
    g_array_set_size (reader->pending, reader->pending->len + 1);
    guint32 slot = reader->pending->len - 1;
    guint depth = reader->depth;
    if (!read_value (reader, &index))
      return FALSE;
    g_array_index (reader->pending, guint32, slot) = index;
    g_assert (reader->depth == depth || reader->depth == depth + 1);
  }
  return TRUE;
}

/* --- public ------------------------------------------------------------------------------------------------------- */

gboolean
loom_python_marshal_looks_like_profile (const char *bytes, gsize length)
{
  if (length < 2 || ((guint8) bytes[0] & ~FLAG_REFERENCE) != '{')
    return FALSE;
  guint8 second = (guint8) bytes[1] & ~FLAG_REFERENCE;
  return bytes[1] == '0' || second == '(' || second == ')';
}

LoomPythonMarshal *
loom_python_marshal_read (const char *bytes, gsize length, gsize *n_used, GError **error)
{
  g_autoptr (LoomPythonMarshal) marshal = g_new0 (LoomPythonMarshal, 1);
  marshal->values = g_array_new (FALSE, FALSE, sizeof (LoomPythonMarshalValue));
  marshal->items = g_array_new (FALSE, FALSE, sizeof (guint32));
  Reader reader = { .marshal = marshal,
                    .bytes = bytes,
                    .length = length,
                    .references = g_array_new (FALSE, FALSE, sizeof (guint32)),
                    .interned = g_array_new (FALSE, FALSE, sizeof (guint32)),
                    .pending = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  gboolean good = read_all (&reader);
  g_array_unref (reader.references);
  g_array_unref (reader.interned);
  g_array_unref (reader.pending);
  if (n_used != NULL)
    *n_used = good ? reader.at : reader.error_offset;
  if (good)
    return g_steal_pointer (&marshal);
  g_propagate_error (error, reader.error);
  return NULL;
}

void
loom_python_marshal_free (LoomPythonMarshal *marshal)
{
  if (marshal == NULL)
    return;
  g_array_unref (marshal->values);
  g_array_unref (marshal->items);
  g_free (marshal);
}

const LoomPythonMarshalValue *
loom_python_marshal_get_top (const LoomPythonMarshal *marshal)
{
  return &g_array_index (marshal->values, LoomPythonMarshalValue, marshal->top);
}

const LoomPythonMarshalValue *
loom_python_marshal_get_item (const LoomPythonMarshal *marshal, const LoomPythonMarshalValue *container, guint32 i)
{
  g_return_val_if_fail (container->type >= LOOM_PYTHON_MARSHAL_TUPLE && i < container->length, NULL);
  guint32 index = g_array_index (marshal->items, guint32, container->first_item + i);
  return &g_array_index (marshal->values, LoomPythonMarshalValue, index);
}
