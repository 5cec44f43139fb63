/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes values as JSON. Inline: called several times for every event that is made.
 */
#pragma once

#include <glib.h>
#include <string.h>

/* Appends a text that is valid JSON. Inline, unlike g_string_append_len(), so that copying a text of constant length
 * becomes a few instructions. */
static inline void
loom_made_json_append_len (GString *text, const char *json, gsize length)
{
  if (G_UNLIKELY (text->len + length >= text->allocated_len)) {
    g_string_append_len (text, json, (gssize) length);
    return;
  }
  memcpy (text->str + text->len, json, length);
  text->len += length;
  text->str[text->len] = '\0';
}

static inline void
loom_made_json_append (GString *text, const char *json)
{
  loom_made_json_append_len (text, json, strlen (json));
}

static inline void
loom_made_json_append_int (GString *text, gint64 value)
{
  char digits[24], *at = digits + sizeof digits;
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;
  do
    *--at = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    *--at = '-';
  loom_made_json_append_len (text, at, (gsize) (digits + sizeof digits - at));
}

/* Appends ns as microseconds with three decimals, the exact value. */
static inline void
loom_made_json_append_us (GString *text, gint64 ns)
{
  guint64 size = ns < 0 ? -(guint64) ns : (guint64) ns;
  guint part = (guint) (size % 1000);
  const char decimals[4] = { '.', (char) ('0' + part / 100), (char) ('0' + part / 10 % 10), (char) ('0' + part % 10) };
  if (ns < 0)
    g_string_append_c (text, '-');
  loom_made_json_append_int (text, (gint64) (size / 1000));
  loom_made_json_append_len (text, decimals, sizeof decimals);
}

/* Appends the key of another member of an object; `key` is plain. */
static inline void
loom_made_json_append_key (GString *text, const char *key)
{
  if (text->str[text->len - 1] != '{')
    g_string_append_c (text, ',');
  g_string_append_c (text, '"');
  loom_made_json_append (text, key);
  loom_made_json_append (text, "\":");
}
