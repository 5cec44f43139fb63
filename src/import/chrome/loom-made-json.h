/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes values as JSON text. The functions are inline, because they are called several times
 * for every event that is made from a database.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-time.h"

#include <string.h>

/* Appends `json`, which must already be valid JSON. Inline, unlike g_string_append_len(), so that copying a text of
 * constant length takes only a few instructions. */
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
  char digits[24];
  loom_made_json_append_len (text, digits, loom_time_write_int (value, digits));
}

/* Appends a time in ns as a number of microseconds, without rounding. */
static inline void
loom_made_json_append_us (GString *text, gint64 ns)
{
  char digits[LOOM_TIME_US_MAX];
  loom_made_json_append_len (text, digits, loom_time_write_us (ns, digits));
}

/* Returns the number of digits of a number. */
static inline gsize
loom_made_json_count_digits (guint64 value)
{
  static const guint64 powers[] = {
    0,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    G_GUINT64_CONSTANT (10000000000),
    G_GUINT64_CONSTANT (100000000000),
    G_GUINT64_CONSTANT (1000000000000),
    G_GUINT64_CONSTANT (10000000000000),
    G_GUINT64_CONSTANT (100000000000000),
    G_GUINT64_CONSTANT (1000000000000000),
    G_GUINT64_CONSTANT (10000000000000000),
    G_GUINT64_CONSTANT (100000000000000000),
    G_GUINT64_CONSTANT (1000000000000000000),
    G_GUINT64_CONSTANT (10000000000000000000),
  };
  /* Estimate from the number of bits. 1233 / 4096 is almost log₁₀ 2, so the estimate is the number of digits or one
   * less. */
  guint n = (guint) (64 - __builtin_clzll (value | 1)) * 1233 >> 12;
  return n + (value >= powers[n]);
}

/* Returns the number of bytes that loom_made_json_append_int() appends. */
static inline gsize
loom_made_json_measure_int (gint64 value)
{
  return value < 0 ? strlen ("-") + loom_made_json_count_digits (-(guint64) value)
                   : loom_made_json_count_digits ((guint64) value);
}

/* Returns the number of bytes that loom_made_json_append_us() appends for a time that is not negative. */
static inline gsize
loom_made_json_measure_us (gint64 ns)
{
  return loom_made_json_count_digits ((guint64) ns / LOOM_NS_PER_US) + (ns % LOOM_NS_PER_US != 0 ? strlen (".000") : 0);
}

/* Appends the key of an object's next member, after a comma if needed. `key` must not need escapes. */
static inline void
loom_made_json_append_key (GString *text, const char *key)
{
  if (text->str[text->len - 1] != '{')
    g_string_append_c (text, ',');
  g_string_append_c (text, '"');
  loom_made_json_append (text, key);
  loom_made_json_append (text, "\":");
}

/* Appends a member with a text value to an object. Appends nothing if the text is empty. */
static inline void
loom_made_json_append_text_member (GString *text, const char *key, const char *value)
{
  if (value[0] == '\0')
    return;
  loom_made_json_append_key (text, key);
  loom_json_slice_append_string (text, value, strlen (value));
}

static inline void
loom_made_json_append_int_member (GString *text, const char *key, gint64 value)
{
  loom_made_json_append_key (text, key);
  loom_made_json_append_int (text, value);
}
