/* SPDX-License-Identifier: Apache-2.0
 *
 * Skips, finds, decodes and repairs JSON values in text, without building a tree. Accepts the malformed JSON that some
 * profilers write: NaN and similar words, wrong backslashes, control characters, invalid UTF-8, unescaped quotes,
 * repeated and trailing commas. Not recursive, so deep nesting does not overflow the stack. The functions may be called
 * on any thread.
 */
#pragma once

#include "loom-limits.h"

#include <string.h>

/* A borrowed range of JSON text. `text` is NULL if there is no such value. The range of a string includes its
 * quotes. */
typedef struct {
  const char *text;
  gsize length;
} LoomJsonSlice;

/* Returns TRUE for white space that JSON allows between tokens. */
static inline gboolean
loom_json_slice_is_blank (char c)
{
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline gboolean
loom_json_slice_is_string (LoomJsonSlice slice)
{
  return slice.length >= 2 && slice.text[0] == '"';
}

static inline gboolean
loom_json_slice_is_object (LoomJsonSlice slice)
{
  return slice.length >= 2 && slice.text[0] == '{';
}

/* Returns TRUE if the slice is equal to `literal`. The function is called for every event; it is inline, so that the
 * compiler computes the length of a constant literal. */
static inline gboolean
loom_json_slice_equal (LoomJsonSlice slice, const char *literal)
{
  gsize length = strlen (literal);
  return slice.length == length && slice.text != NULL && memcmp (slice.text, literal, length) == 0;
}

/* Moves `*p` from the first byte of a value to the end of the value. Returns FALSE if there is no complete value; `*p`
 * is then the position of the error. */
gboolean loom_json_slice_skip_value (const char **p, const char *end);

/* Iterates over the members of an object or the elements of an array. Initialize the iterator with
 * loom_json_slice_iter_init() for the whole object or array. loom_json_slice_iter_next() returns FALSE at the end, and
 * at text that cannot be parsed. Keys include their quotes; for arrays, key.text is NULL. */
typedef struct {
  const char *p;
  const char *end;
  gboolean object;
} LoomJsonIter;

gboolean loom_json_slice_iter_init (LoomJsonIter *iter, LoomJsonSlice value);
gboolean loom_json_slice_iter_next (LoomJsonIter *iter, LoomJsonSlice *key, LoomJsonSlice *value);

/* Returns the value of the member `key` of an object; if several members have this key, the value of the last one. If
 * there is no such member, or if `object` is not an object, returns a slice whose text is NULL. `key`: without quotes.
 * A member whose key is written with escapes is never found. O(length). */
LoomJsonSlice loom_json_slice_member (LoomJsonSlice object, const char *key);
/* For each of `n` keys, sets values[i] to the value of the member keys[i], as loom_json_slice_member() does. The keys
 * must be different and not empty. Parses the object only once. O(length + members · n). */
void loom_json_slice_members (LoomJsonSlice object, const char *const *keys, guint n, LoomJsonSlice *values);
/* Does the same as loom_json_slice_members(), but stops when all keys were found; if several members have the same key,
 * uses the first of them. Useful for objects with many other members. */
void loom_json_slice_first_members (LoomJsonSlice object, const char *const *keys, guint n, LoomJsonSlice *values);

/* Appends a string literal (with its quotes) to `out`, as valid UTF-8. Escapes are decoded. Invalid bytes and lone
 * surrogates become U+FFFD. \u0000 and unescaped control characters, including tabs and line feeds, become visible
 * symbols (U+2400 … U+241F). If the value is not a string, its text is appended with the same replacements. */
void loom_json_slice_decode (LoomJsonSlice literal, GString *out);
/* Does the same as loom_json_slice_decode(), but for output files instead of for display: control characters are not
 * replaced, except U+0000, which would end the text. */
void loom_json_slice_decode_exact (LoomJsonSlice literal, GString *out);
/* Does the same as loom_json_slice_decode(), but stops after `n_bytes`. If the text is longer, cuts it at a character,
 * appends an ellipsis and returns TRUE. */
gboolean loom_json_slice_decode_cut (LoomJsonSlice literal, gsize n_bytes, GString *out);
char *loom_json_slice_dup_decoded (LoomJsonSlice literal);
/* Returns the text of an id or a name: a string or bare word, decoded and cut at LOOM_LIMIT_NAME_BYTES. Returns "" for
 * null, objects, arrays, and slices whose text is NULL. For example, 2 and "2" give the same text. */
char *loom_json_slice_dup_plain (LoomJsonSlice value);

/* Returns TRUE if the text is one strict JSON value (RFC 8259) in UTF-8, not deeper than LOOM_LIMIT_DEPTH, without
 * escapes of lone surrogates (RFC 7493, section 2.1). */
gboolean loom_json_slice_is_strict (const char *text, gsize length);
/* Does the same as loom_json_slice_is_strict() for a whole document: blanks before and after the value are allowed. */
gboolean loom_json_slice_is_strict_document (const char *text, gsize length);
/* Returns the offset of the first token that is not allowed at its position; G_MAXSIZE if the document is strict. For a
 * string without an end, this is the beginning of the string. For a comma without a value after it, this is the next
 * token or the end of the text. */
gsize loom_json_slice_find_fault (const char *text, gsize length);

/* Appends the value as strict JSON. A value that is already strict is copied byte for byte. Otherwise it is repaired:
 * bare NaN, Infinity and N/A become strings of the same letters; bad bytes and lone surrogates become U+FFFD; stray
 * backslashes are doubled; missing brackets and quotes are added; parts that are nested too deeply become strings.
 *
 * In both cases, line ends between tokens become spaces, so that the value is on one line, and blanks before and after
 * the value are dropped. A text that consists only of blanks becomes null. */
void loom_json_slice_append_strict (GString *out, const char *text, gsize length);

/* Appends `text` (any bytes) as a strict JSON string literal. */
void loom_json_slice_append_string (GString *out, const char *text, gsize length);
