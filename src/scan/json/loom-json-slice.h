/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON as bytes: walking, finding, decoding and repairing values without building a tree. Lenient as
 * formats/README §2 says: NaN and its kin, stray backslashes, control characters, invalid UTF-8, unescaped quotes,
 * doubled and trailing commas. Any thread; nothing here recurses.
 */
#pragma once

#include "loom-limits.h"

#include <string.h>

G_BEGIN_DECLS

/* A stretch of text that belongs to someone else. text NULL: absent. For a string the quotes are included. */
typedef struct {
  const char *text;
  gsize length;
} LoomJsonSlice;

/* What JSON may have between tokens. */
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

/* Inline: asked of every event, with a literal whose length the compiler knows. */
static inline gboolean
loom_json_slice_equal (LoomJsonSlice slice, const char *literal)
{
  gsize length = strlen (literal);
  return slice.length == length && slice.text != NULL && memcmp (slice.text, literal, length) == 0;
}

/* Moves *p from the first byte of a value behind it. FALSE when the text ends first or there is no value; then *p is
 * where that was seen. */
gboolean loom_json_slice_skip_value (const char **p, const char *end);

/* Iterates over the members of an object or the elements of an array. Start with `loom_json_slice_iter_init` on the whole
 * value; `next` returns FALSE at the end (or at what cannot be read). Keys keep their quotes; for arrays key.text is
 * NULL. */
typedef struct {
  const char *p;
  const char *end;
  gboolean object;
} LoomJsonIter;

gboolean loom_json_slice_iter_init (LoomJsonIter *iter, LoomJsonSlice value);
gboolean loom_json_slice_iter_next (LoomJsonIter *iter, LoomJsonSlice *key, LoomJsonSlice *value);

/* The value of the last member of that name, absent slice when there is none or `object` is no object. `key` without
 * quotes; keys with escapes do not match. O(length). */
LoomJsonSlice loom_json_slice_member (LoomJsonSlice object, const char *key);

/* Decodes a string literal (with its quotes) into valid UTF-8, appended to `out`: escapes resolved, bad bytes and lone
 * surrogates as U+FFFD, \u0000 and raw control characters as their control pictures (raw tabs and line feeds too).
 * For a value that is no string its text is appended with the same cleaning. */
void loom_json_slice_decode (LoomJsonSlice literal, GString *out);
/* The same of as much as gives `n_bytes`, cut at a character and marked by an ellipsis where there is more: then TRUE. */
gboolean loom_json_slice_decode_cut (LoomJsonSlice literal, gsize n_bytes, GString *out);
char *loom_json_slice_dup_decoded (LoomJsonSlice literal);
/* The text of an id or a name: a string or a bare word decoded, cut at LOOM_LIMIT_NAME_BYTES; "" for null, objects, arrays and
 * what is absent. 2 and "2" give the same. */
char *loom_json_slice_dup_plain (LoomJsonSlice value);

/* TRUE when the text is one strict JSON value (RFC 8259), UTF-8, no deeper than LOOM_LIMIT_DEPTH, without the escape of a lone
 * surrogate (RFC 7493, section 2.1). */
gboolean loom_json_slice_is_strict (const char *text, gsize length);
/* The same of a document: blanks around the value are no part of it. */
gboolean loom_json_slice_is_strict_document (const char *text, gsize length);
/* The byte of a document at which the first token begins that cannot stand there: a string that does not end, a comma that nothing
 * follows is told by what stands in its place, or by the end of the text. G_MAXSIZE: it is strict. */
gsize loom_json_slice_find_fault (const char *text, gsize length);

/* Appends the value as strict JSON: byte for byte when it is strict, else repaired (bare NaN, Infinity, N/A become
 * strings of the same letters; bad bytes and lone surrogates U+FFFD; stray backslashes doubled; missing ends closed; too deep parts become
 * strings). Line feeds between tokens become blanks, so one value is one line. Blanks around the value are left out; a text of
 * blanks alone becomes null. */
void loom_json_slice_append_strict (GString *out, const char *text, gsize length);

/* Appends `text` (any bytes) as a strict JSON string literal. */
void loom_json_slice_append_string (GString *out, const char *text, gsize length);

G_END_DECLS
