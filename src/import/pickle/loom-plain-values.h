/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of plain values: the numbers, texts, lists and dicts of a Python pickle or a JSON file. Used for files that
 * PyTorch writes either as a pickle or as JSON. One thread fills the table; then any number of threads may read it.
 * Memory: 24 bytes per value, and 4 bytes per item of a list or dict.
 */
#pragma once

#include <json-glib/json-glib.h>

typedef enum {
  LOOM_PLAIN_NONE,
  LOOM_PLAIN_BOOL, /* a truth value, stored as the integer 0 or 1 */
  LOOM_PLAIN_INT,
  LOOM_PLAIN_FLOAT,
  LOOM_PLAIN_TEXT, /* text or bytes; need not be UTF-8 */
  LOOM_PLAIN_LIST, /* a list or tuple */
  LOOM_PLAIN_DICT, /* dict; its items are alternately keys and values */
} LoomPlainType;

typedef struct {
  LoomPlainType type;
  guint32 length; /* length of a text in bytes */
  union {
    gint64 integer;
    double number;
    const char *text; /* the bytes of a text, `length` of them, without a NUL at the end */
    /* guint32: items of a list or dict, as indices in LoomPlainValues.values; owned by LoomPlainValues; NULL: no
     * items */
    GArray *items;
  };
} LoomPlainValue;

typedef struct {
  GArray *values; /* LoomPlainValue: all values; lists and dicts refer to their items by the index in this array */
  guint32 top;    /* index of the outermost value; G_MAXUINT32: none */
  /* owned; the bytes into which the texts of values point. NULL: the texts point into the caller's bytes, or into
   * `texts` */
  char *bytes;
  GStringChunk *texts;
} LoomPlainValues;

/* Maximum nesting of values. Deeper values are treated as absent. The limit is also needed for lists that contain
 * themselves. */
#define LOOM_PLAIN_MAX_DEPTH 64

LoomPlainValues *loom_plain_values_new (void);
void loom_plain_values_free (LoomPlainValues *self);

/* Adds a value and returns its index. A new list or dict has no items. */
guint32 loom_plain_values_add (LoomPlainValues *self, LoomPlainValue value);

/* Appends an item to a list. For a dict, must be called twice per item: first with the key, then with the value. */
void loom_plain_values_append (LoomPlainValues *self, guint32 container, guint32 value);

/* Adds a copy of a JSON value and of all values in it, down to LOOM_PLAIN_MAX_DEPTH. Returns the index of the copy.
 * Takes O(number of values). */
guint32 loom_plain_values_add_json (LoomPlainValues *self, JsonNode *node);

/* The functions below return borrowed values, which are valid until another value is added. They return NULL if a
 * value is absent, and accept NULL for an absent value. */
const LoomPlainValue *loom_plain_values_get_top (const LoomPlainValues *self);
/* Returns the number of items of a list, or of keys of a dict; 0 for other values. */
guint loom_plain_values_get_n (const LoomPlainValue *value);
const LoomPlainValue *loom_plain_values_get_item (const LoomPlainValues *self, const LoomPlainValue *list, guint i);
const LoomPlainValue *loom_plain_values_get_key (const LoomPlainValues *self, const LoomPlainValue *dict, guint i);
const LoomPlainValue *loom_plain_values_get_value (const LoomPlainValues *self, const LoomPlainValue *dict, guint i);
/* Returns the value of a key in a dict. If the key occurs several times, returns its last value; if it does not occur,
 * returns NULL. Takes O(number of keys). */
const LoomPlainValue *loom_plain_values_find (const LoomPlainValues *self, const LoomPlainValue *dict, const char *key);

/* Converts an integer, a text of digits or a float without fraction to an integer. Returns `fallback` for other
 * values. */
gint64 loom_plain_values_to_int (const LoomPlainValue *value, gint64 fallback);
/* Returns a copy of a text, made valid UTF-8; for an integer, its digits; NULL for other values. Owned by the
 * caller. */
char *loom_plain_values_dup_text (const LoomPlainValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPlainValues, loom_plain_values_free)
