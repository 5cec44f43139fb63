/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of plain values: numbers, texts, lists and dicts, as Python pickles and JSON hold them. Used by the formats
 * that PyTorch writes either as a pickle or as JSON. One writer, then any number of readers. Memory: 24 bytes per
 * value, and 4 bytes per place where a list or dict holds it.
 */
#pragma once

#include <json-glib/json-glib.h>

typedef enum {
  LOOM_PLAIN_NONE,
  LOOM_PLAIN_BOOL, /* integer 0 or 1 */
  LOOM_PLAIN_INT,
  LOOM_PLAIN_FLOAT,
  LOOM_PLAIN_TEXT, /* text or bytes; need not be UTF-8 */
  LOOM_PLAIN_LIST, /* a list or tuple */
  LOOM_PLAIN_DICT, /* items: key, value, key, value … */
} LoomPlainType;

typedef struct {
  LoomPlainType type;
  guint32 length; /* length in bytes, if the value is a text */
  union {
    gint64 integer;
    double number;
    const char *text; /* not NUL-terminated */
    /* guint32: the items, as indices in LoomPlainValues.values; owned by LoomPlainValues; NULL: the value has no
     * items */
    GArray *items;
  };
} LoomPlainValue;

typedef struct {
  GArray *values; /* LoomPlainValue */
  guint32 top;    /* index of the outermost value; G_MAXUINT32: none */
  char *bytes;    /* owned; the texts of values point into it. NULL: they point into the caller's bytes, or `texts` */
  GStringChunk *texts;
} LoomPlainValues;

/* Maximum nesting of values. Values nested deeper are treated as absent; this also ends lists that contain
 * themselves. */
#define LOOM_PLAIN_MAX_DEPTH 64

LoomPlainValues *loom_plain_values_new (void);
void loom_plain_values_free (LoomPlainValues *self);

/* Adds a value; returns its index. A list or dict is added without items. */
guint32 loom_plain_values_add (LoomPlainValues *self, LoomPlainValue value);

/* Appends a value to a list; appends keys and values to a dict in turn. */
void loom_plain_values_append (LoomPlainValues *self, guint32 container, guint32 value);

/* Adds a copy of a JSON value with all values in it, down to `LOOM_PLAIN_MAX_DEPTH`. Returns its index. O(n). */
guint32 loom_plain_values_add_json (LoomPlainValues *self, JsonNode *node);

/* The functions below return borrowed values, which are valid until a value is added. NULL means that a value is
 * absent; the functions also accept NULL as an argument. */
const LoomPlainValue *loom_plain_values_get_top (const LoomPlainValues *self);
/* Returns the number of items of a list, or of keys of a dict; 0 for other values. */
guint loom_plain_values_get_n (const LoomPlainValue *value);
const LoomPlainValue *loom_plain_values_get_item (const LoomPlainValues *self, const LoomPlainValue *list, guint i);
const LoomPlainValue *loom_plain_values_get_key (const LoomPlainValues *self, const LoomPlainValue *dict, guint i);
const LoomPlainValue *loom_plain_values_get_value (const LoomPlainValues *self, const LoomPlainValue *dict, guint i);
/* Returns the value that a dict has for a key; if the key occurs several times, its last value. O(keys). */
const LoomPlainValue *loom_plain_values_find (const LoomPlainValues *self, const LoomPlainValue *dict, const char *key);

/* Returns an integer, a text of digits or a float without fraction as an integer; `fallback` for other values. */
gint64 loom_plain_values_to_int (const LoomPlainValue *value, gint64 fallback);
/* Returns a text, made valid UTF-8, or the digits of an integer; NULL for other values. Owned by the caller. */
char *loom_plain_values_dup_text (const LoomPlainValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPlainValues, loom_plain_values_free)
