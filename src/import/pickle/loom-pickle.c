/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Python pickles of plain data (numbers, texts, lists, tuples, dicts), protocols 0 to 5 (opcodes: CPython,
 * Lib/pickletools.py). The interface is described in loom-pickle.h.
 */
#include "loom-pickle.h"

#include "loom-error.h"
#include "loom-parse-time.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Maximum length in bytes of an integer in a pickle. The longest that PyTorch writes are addresses with nine bytes. */
#define MAX_LONG_BYTES 64

/* Number of values after which the memory budget is checked again. */
#define VALUES_PER_LOOK 65536

typedef enum {
  DONE, /* the outermost value is complete: reading ends successfully */
  GOES_ON,
  CUT,     /* the bytes end in the middle of an opcode */
  WRONG,   /* the values on the stack are not those that the opcode needs */
  FOREIGN, /* the opcode builds other things than numbers, texts, lists, tuples and dicts */
  FULL,    /* the number of values exceeds LOOM_PICKLE_MAX_VALUES or the memory budget */
} Outcome;

typedef struct {
  const guint8 *bytes;
  gsize n, at;
  LoomPlainValues *values;
  GArray *stack; /* guint32: the stack; each element is the number of a value in `values` */
  /* guint32: the marks that are set; each element is the length that the stack had when the mark was set */
  GArray *marks;
  GHashTable *memo; /* index in the memo → number of the value there */
  LoomMemoryBudget *budget;
  guint64 cut_frame; /* offset of the first pickle frame that extends beyond the end of the bytes; G_MAXUINT64: none */
} Pickle;

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static gboolean
has (const Pickle *self, guint64 n)
{
  return self->n - self->at >= n;
}

/* Reads an unsigned little-endian number of `n` bytes. The caller must have checked that `n` bytes are left. */
static guint64
take (Pickle *self, guint n)
{
  guint64 value = 0;
  for (guint i = 0; i < n; i++)
    value |= (guint64) self->bytes[self->at + i] << (8 * i);
  self->at += n;
  return value;
}

/* --- stack -------------------------------------------------------------------------------------------------------- */

static Outcome
push_number (Pickle *self, guint32 number)
{
  g_array_append_val (self->stack, number);
  return GOES_ON;
}

static Outcome
push (Pickle *self, LoomPlainValue value)
{
  return push_number (self, loom_plain_values_add (self->values, value));
}

static Outcome
push_int (Pickle *self, gint64 value)
{
  return push (self, (LoomPlainValue) { LOOM_PLAIN_INT, 0, .integer = value });
}

static Outcome
push_text (Pickle *self, guint64 n)
{
  if (!has (self, n) || n > G_MAXUINT32)
    return CUT;
  const char *text = (const char *) self->bytes + self->at;
  self->at += n;
  return push (self, (LoomPlainValue) { LOOM_PLAIN_TEXT, (guint32) n, .text = text });
}

/* Pushes a text. In the pickle, the length of the text precedes it, as a number of `n_length` bytes. */
static Outcome
push_counted (Pickle *self, guint n_length)
{
  return has (self, n_length) ? push_text (self, take (self, n_length)) : CUT;
}

/* Returns the number of values that were on the stack when the last mark was set. Opcodes after the mark must not
 * remove them. */
static guint
get_floor (const Pickle *self)
{
  return self->marks->len > 0 ? g_array_index (self->marks, guint32, self->marks->len - 1) : 0;
}

static guint32
get_number (const Pickle *self, guint at)
{
  return g_array_index (self->stack, guint32, at);
}

static gboolean
is_type (const Pickle *self, guint at, LoomPlainType type)
{
  return g_array_index (self->values->values, LoomPlainValue, get_number (self, at)).type == type;
}

/* Replaces the values on the stack from index `first` on by one value: a list, tuple or dict that contains them. */
static Outcome
collect (Pickle *self, LoomPlainType type, guint first)
{
  if (type == LOOM_PLAIN_DICT && (self->stack->len - first) % 2 != 0)
    return WRONG;
  guint32 container = loom_plain_values_add (self->values, (LoomPlainValue) { type, 0, .items = NULL });
  for (guint i = first; i < self->stack->len; i++)
    loom_plain_values_append (self->values, container, get_number (self, i));
  g_array_set_size (self->stack, first);
  return push_number (self, container);
}

static Outcome
collect_last (Pickle *self, guint n)
{
  return self->stack->len - get_floor (self) >= n ? collect (self, LOOM_PLAIN_LIST, self->stack->len - n) : WRONG;
}

static Outcome
collect_marked (Pickle *self, LoomPlainType type)
{
  if (self->marks->len == 0)
    return WRONG;
  Outcome outcome = collect (self, type, get_floor (self));
  if (outcome == GOES_ON)
    g_array_set_size (self->marks, self->marks->len - 1);
  return outcome;
}

/* Moves the values on the stack from index `first` on into the list or dict at `first` − 1. */
static Outcome
append_from (Pickle *self, LoomPlainType type, guint first)
{
  gboolean fits = first > 0 && is_type (self, first - 1, type);
  if (!fits || (type == LOOM_PLAIN_DICT && (self->stack->len - first) % 2 != 0))
    return WRONG;
  for (guint i = first; i < self->stack->len; i++)
    loom_plain_values_append (self->values, get_number (self, first - 1), get_number (self, i));
  g_array_set_size (self->stack, first);
  return GOES_ON;
}

static Outcome
append_last (Pickle *self, LoomPlainType type, guint n)
{
  return self->stack->len - get_floor (self) > n ? append_from (self, type, self->stack->len - n) : WRONG;
}

/* Moves the values after the last mark to the list or dict before the mark, and removes the mark. On failure keeps
 * the mark, so that salvage() finds the list or dict. */
static Outcome
append_marked (Pickle *self, LoomPlainType type)
{
  if (self->marks->len == 0)
    return WRONG;
  guint first = get_floor (self), n_marks = self->marks->len - 1;
  guint floor = n_marks > 0 ? g_array_index (self->marks, guint32, n_marks - 1) : 0;
  Outcome outcome = first > floor ? append_from (self, type, first) : WRONG;
  if (outcome == GOES_ON)
    g_array_set_size (self->marks, n_marks);
  return outcome;
}

static Outcome
pop (Pickle *self)
{
  if (self->stack->len > get_floor (self))
    g_array_set_size (self->stack, self->stack->len - 1);
  else if (self->marks->len > 0)
    g_array_set_size (self->marks, self->marks->len - 1);
  else
    return WRONG;
  return GOES_ON;
}

static Outcome
pop_to_mark (Pickle *self)
{
  if (self->marks->len == 0)
    return WRONG;
  g_array_set_size (self->stack, get_floor (self));
  g_array_set_size (self->marks, self->marks->len - 1);
  return GOES_ON;
}

/* --- memo --------------------------------------------------------------------------------------------------------- */

static Outcome
store (Pickle *self, guint64 key)
{
  if (self->stack->len <= get_floor (self) || key > G_MAXUINT32)
    return WRONG;
  g_hash_table_insert (self->memo, GUINT_TO_POINTER ((guint) key),
                       GUINT_TO_POINTER (get_number (self, self->stack->len - 1)));
  return GOES_ON;
}

static Outcome
fetch (Pickle *self, guint64 key)
{
  gpointer value;
  if (key > G_MAXUINT32 || !g_hash_table_lookup_extended (self->memo, GUINT_TO_POINTER ((guint) key), NULL, &value))
    return WRONG;
  return push_number (self, GPOINTER_TO_UINT (value));
}

/* Reads the argument of an opcode, a number of `n_bytes` bytes, and calls `what` with this number. */
static Outcome
with_number (Pickle *self, guint n_bytes, Outcome (*what) (Pickle *self, guint64 key))
{
  return has (self, n_bytes) ? what (self, take (self, n_bytes)) : CUT;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* Pushes an integer in two's complement. In the pickle, its length in bytes precedes it, as a number of `n_length`
 * bytes. An integer that does not fit into gint64 is pushed as a text with its bytes. */
static Outcome
push_long (Pickle *self, guint n_length)
{
  if (!has (self, n_length))
    return CUT;
  guint64 n = take (self, n_length);
  if (!has (self, n))
    return CUT;
  if (n > MAX_LONG_BYTES)
    return WRONG;
  if (n > sizeof (gint64))
    return push_text (self, n);
  guint64 value = take (self, (guint) n);
  if (n > 0 && n < sizeof (gint64) && (self->bytes[self->at - 1] & 0x80) != 0)
    value |= G_MAXUINT64 << (8 * n);
  return push_int (self, (gint64) value);
}

static Outcome
push_double (Pickle *self)
{
  if (!has (self, sizeof (double)))
    return CUT;
  /* GUINT64_SWAP_LE_BE() may evaluate its argument eight times, but take() must be called only once. */
  guint64 value = take (self, sizeof (double));
  guint64 bits = GUINT64_SWAP_LE_BE (value);
  double number;
  memcpy (&number, &bits, sizeof number);
  return push (self, (LoomPlainValue) { LOOM_PLAIN_FLOAT, 0, .number = number });
}

/* Reads the text up to the end of the line. Returns FALSE if the line has no end. */
static gboolean
take_line (Pickle *self, const char **text, gsize *length)
{
  *text = (const char *) self->bytes + self->at;
  const char *end = memchr (*text, '\n', self->n - self->at);
  if (end == NULL)
    return FALSE;
  *length = (gsize) (end - *text);
  self->at += *length + 1;
  return TRUE;
}

/* Pushes a decimal integer of pickle protocol 0: "7" or "7L"; "00" and "01" mean False and True. */
static Outcome
push_decimal (Pickle *self)
{
  const char *text;
  gsize length;
  gint64 value;
  if (!take_line (self, &text, &length))
    return CUT;
  if (length == 2 && text[0] == '0' && (text[1] == '0' || text[1] == '1'))
    return push (self, (LoomPlainValue) { LOOM_PLAIN_BOOL, 0, .integer = text[1] - '0' });
  length -= length > 0 && text[length - 1] == 'L';
  if (!loom_parse_time_parse_int (text, length, &value))
    return WRONG;
  return push_int (self, value);
}

static Outcome
push_float_line (Pickle *self)
{
  const char *text;
  gsize length;
  if (!take_line (self, &text, &length))
    return CUT;
  g_autofree char *digits = g_strndup (text, MIN (length, MAX_LONG_BYTES));
  return push (self, (LoomPlainValue) { LOOM_PLAIN_FLOAT, 0, .number = g_ascii_strtod (digits, NULL) });
}

static Outcome
with_line (Pickle *self, Outcome (*what) (Pickle *self, guint64 key))
{
  const char *text;
  gsize length;
  gint64 key;
  if (!take_line (self, &text, &length))
    return CUT;
  return loom_parse_time_parse_int (text, length, &key) && key >= 0 ? what (self, (guint64) key) : WRONG;
}

/* --- opcodes ------------------------------------------------------------------------------------------------------ */

/* Runs an opcode that pushes a number, a constant or a text. */
static Outcome
run_scalar (Pickle *self, guint8 opcode)
{
  switch (opcode) {
  case 'N': return push (self, (LoomPlainValue) { LOOM_PLAIN_NONE, 0, .integer = 0 });
  case 0x88: return push (self, (LoomPlainValue) { LOOM_PLAIN_BOOL, 0, .integer = TRUE });
  case 0x89: return push (self, (LoomPlainValue) { LOOM_PLAIN_BOOL, 0, .integer = FALSE });
  case 'K': return has (self, 1) ? push_int (self, (gint64) take (self, 1)) : CUT;
  case 'M': return has (self, 2) ? push_int (self, (gint64) take (self, 2)) : CUT;
  case 'J': return has (self, 4) ? push_int (self, (gint32) take (self, 4)) : CUT;
  case 0x8A: return push_long (self, 1);
  case 0x8B: return push_long (self, 4);
  case 'I':
  case 'L': return push_decimal (self);
  case 'G': return push_double (self);
  case 'F': return push_float_line (self);
  case 'U':
  case 'C':
  case 0x8C: return push_counted (self, 1);
  case 'X':
  case 'T':
  case 'B': return push_counted (self, 4);
  case 0x8D:
  case 0x8E: return push_counted (self, 8);
  default: return FOREIGN;
  }
}

/* Runs an opcode that builds a list, tuple or dict; passes other opcodes to run_scalar(). */
static Outcome
run_container (Pickle *self, guint8 opcode)
{
  switch (opcode) {
  case '(': g_array_append_val (self->marks, self->stack->len); return GOES_ON;
  case '0': return pop (self);
  case '1': return pop_to_mark (self);
  case ']':
  case ')': return collect (self, LOOM_PLAIN_LIST, self->stack->len);
  case '}': return collect (self, LOOM_PLAIN_DICT, self->stack->len);
  case 'a': return append_last (self, LOOM_PLAIN_LIST, 1);
  case 's': return append_last (self, LOOM_PLAIN_DICT, 2);
  case 'e': return append_marked (self, LOOM_PLAIN_LIST);
  case 'u': return append_marked (self, LOOM_PLAIN_DICT);
  case 'l':
  case 't': return collect_marked (self, LOOM_PLAIN_LIST);
  case 'd': return collect_marked (self, LOOM_PLAIN_DICT);
  case 0x85: return collect_last (self, 1);
  case 0x86: return collect_last (self, 2);
  case 0x87: return collect_last (self, 3);
  default: return run_scalar (self, opcode);
  }
}

/* Skips the length of a frame (pickle opcode FRAME). Only programs that read streams need this length. Does not check
 * this length, so that the readable part of a truncated frame is read, too. */
static Outcome
skip_frame (Pickle *self, guint64 length)
{
  if (!has (self, length) && self->cut_frame == G_MAXUINT64)
    self->cut_frame = self->at - sizeof length - 1;
  return GOES_ON;
}

static Outcome
skip_protocol (Pickle *self, guint64 number)
{
  return GOES_ON;
}

static Outcome
run (Pickle *self)
{
  if (!has (self, 1))
    return CUT;
  guint8 opcode = self->bytes[self->at++];
  switch (opcode) {
  case '.': return self->stack->len > 0 ? DONE : WRONG;
  case 0x80: return with_number (self, 1, skip_protocol);
  case 0x95: return with_number (self, 8, skip_frame);
  case 'q': return with_number (self, 1, store);
  case 'r': return with_number (self, 4, store);
  case 0x94: return store (self, g_hash_table_size (self->memo));
  case 'h': return with_number (self, 1, fetch);
  case 'j': return with_number (self, 4, fetch);
  case 'p': return with_line (self, store);
  case 'g': return with_line (self, fetch);
  default: return run_container (self, opcode);
  }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static gboolean
is_container (const Pickle *self, guint at)
{
  return is_type (self, at, LOOM_PLAIN_LIST) || is_type (self, at, LOOM_PLAIN_DICT);
}

/* Repairs the items of a dict if reading ended early. The items are on the stack from index `first` on, keys and values
 * alternately. For a list with one item, a pickle pushes an empty list, pushes the item, and then appends the item to
 * the list. If reading ended before the last step, list and item are the last two values on the stack, and one of them
 * is at the position of a key. As lists and dicts cannot be keys, this is recognised if the item is a list or dict; the
 * item is then appended to the list. */
static void
salvage_single_items (Pickle *self, guint first)
{
  for (guint n = self->stack->len - first; n >= 2; n = self->stack->len - first) {
    guint last = self->stack->len - 1;
    gboolean is_key = n % 2 != 0 ? is_container (self, last) : is_container (self, last - 1);
    if (!is_key || !is_container (self, last) || !is_type (self, last - 1, LOOM_PLAIN_LIST))
      return;
    append_from (self, LOOM_PLAIN_LIST, last);
  }
}

/* Repairs a pickle that is not read to its end: moves the values that are still on the stack into the lists and dicts
 * to which they belong. */
static void
salvage (Pickle *self)
{
  while (self->marks->len > 0) {
    guint first = get_floor (self);
    gboolean is_dict = first > 0 && is_type (self, first - 1, LOOM_PLAIN_DICT);
    if (is_dict)
      salvage_single_items (self, first);
    if (is_dict && (self->stack->len - first) % 2 != 0)
      g_array_set_size (self->stack, self->stack->len - 1);
    if (append_marked (self, is_dict ? LOOM_PLAIN_DICT : LOOM_PLAIN_LIST) != GOES_ON)
      pop_to_mark (self);
  }
}

void
loom_pickle_fail (const LoomPickleEnd *end, GError **error)
{
  if (end->stop == LOOM_PICKLE_FOREIGN)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_UNSUPPORTED,
                 _ ("The file contains Python objects (opcode 0x%02x at byte %" PRIu64 "); only plain data is read"),
                 (guint) end->opcode, end->at);
  else if (end->stop == LOOM_PICKLE_FULL)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT,
                 _ ("The file contains more values than fit into the allowed memory"));
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
                 _ ("The file is not a valid Python pickle: byte %" PRIu64 " is invalid"), end->at);
}

static gboolean
is_full (const Pickle *self)
{
  guint n = MAX (self->values->values->len, g_hash_table_size (self->memo));
  return n > LOOM_PICKLE_MAX_VALUES || (n % VALUES_PER_LOOK == 0 && loom_memory_budget_check (self->budget));
}

static Outcome
run_all (Pickle *self, gsize *at)
{
  Outcome outcome = GOES_ON;
  while (outcome == GOES_ON) {
    *at = self->at;
    outcome = is_full (self) ? FULL : run (self);
  }
  return outcome;
}

static void
set_end (const Pickle *self, Outcome outcome, gsize at, LoomPickleEnd *end)
{
  static const LoomPickleStop stops[] = { [DONE] = LOOM_PICKLE_WHOLE,
                                          [CUT] = LOOM_PICKLE_CUT,
                                          [WRONG] = LOOM_PICKLE_DAMAGED,
                                          [FOREIGN] = LOOM_PICKLE_FOREIGN,
                                          [FULL] = LOOM_PICKLE_FULL };
  *end = (LoomPickleEnd) { stops[outcome], at, at < self->n ? self->bytes[at] : 0, self->n - self->at };
  if ((outcome == DONE || outcome == CUT) && self->cut_frame != G_MAXUINT64) {
    end->stop = LOOM_PICKLE_CUT;
    end->at = outcome == DONE ? self->cut_frame : at;
  }
}

/* Returns TRUE if the text can be the name of a Python module or class. */
static gboolean
is_identifier (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '_' && text[i] != '.')
      return FALSE;
  return length > 0;
}

static gboolean
take_identifier (Pickle *self)
{
  const char *text;
  gsize length;
  return take_line (self, &text, &length) && is_identifier (text, length);
}

static gboolean
holds_identifier (const Pickle *self, guint at)
{
  const LoomPlainValue *value = &g_array_index (self->values->values, LoomPlainValue, get_number (self, at));
  return value->type == LOOM_PLAIN_TEXT && is_identifier (value->text, value->length);
}

/* Returns TRUE if the opcode at `at` names a Python class, so that a Python object begins there, which cannot be read.
 * FALSE: the pickle is damaged at this opcode. */
static gboolean
names_class (Pickle *self, gsize at)
{
  guint n = self->stack->len;
  self->at = at + 1;
  switch (self->bytes[at]) {
  case 'c':
  case 'i': return take_identifier (self) && take_identifier (self);
  case 0x93: return n >= 2 && holds_identifier (self, n - 1) && holds_identifier (self, n - 2);
  default: return FALSE;
  }
}

/* Returns TRUE if the outermost value is a list or dict that is not empty. */
static gboolean
holds_anything (const Pickle *self)
{
  return self->stack->len > 0 && is_container (self, 0) &&
         loom_plain_values_get_n (&g_array_index (self->values->values, LoomPlainValue, get_number (self, 0))) > 0;
}

LoomPlainValues *
loom_pickle_read (const char *bytes, gsize n, LoomMemoryBudget *budget, LoomPickleEnd *end, GError **error)
{
  g_autoptr (LoomPlainValues) values = loom_plain_values_new ();
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32)),
                     marks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) memo = g_hash_table_new (NULL, NULL);
  Pickle self = { (const guint8 *) bytes, n, 0, values, stack, marks, memo, budget, G_MAXUINT64 };
  gsize at;
  Outcome outcome = run_all (&self, &at);
  set_end (&self, outcome, at, end);
  gboolean is_refused = outcome == FOREIGN && names_class (&self, at);
  if (outcome != DONE && !is_refused)
    salvage (&self);
  if (is_refused || (outcome != DONE && outcome != CUT && !holds_anything (&self))) {
    loom_pickle_fail (end, error);
    return NULL;
  }
  values->top = stack->len > 0 ? get_number (&self, outcome == DONE ? stack->len - 1 : 0) : G_MAXUINT32;
  return g_steal_pointer (&values);
}
