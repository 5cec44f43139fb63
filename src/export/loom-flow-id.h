/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: ids of flows as numbers. Perfetto takes numbers and hexadecimal texts alone, Catapult any JSON value, so
 * a number is what both read. Equal texts give equal numbers, those of different traces different ones. All are below 2^53,
 * which a reader with doubles keeps apart.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-string-pool.h"

G_BEGIN_DECLS

#define LOOM_FLOW_ID_MAX_LENGTH 16 /* decimal digits of 2^53 */

/* In place of the number of a trace: there is one trace, whose ids stay what they are where they are numbers below 2^53. */
#define LOOM_FLOW_ID_ALONE G_MAXUINT

/* An id of several traces below 2^32 has the trace above it, at most so many traces. */
#define LOOM_FLOW_ID_TRACE_AT 32u
#define LOOM_FLOW_ID_MAX_TRACES (1u << 20)

/* Ids that are no such numbers are hashed to 52 bits, above which this bit is set. */
#define LOOM_FLOW_ID_HASHED (G_GUINT64_CONSTANT (1) << 52)

/* FALSE: null, an object or an array, which correlate nothing and stay what they are. */
static inline gboolean
loom_flow_id_correlates (LoomJsonSlice id)
{
  return id.length > 0 && *id.text != '{' && *id.text != '[' && !loom_json_slice_equal (id, "null");
}

/* The number that `text` spells without leading zeros; 0 when it is none below 2^53. Catapult takes 0 for no id. */
static inline guint64
loom_flow_id_parse (const char *text, gsize length)
{
  guint64 number = 0;
  if (length == 0 || length > LOOM_FLOW_ID_MAX_LENGTH || *text == '0')
    return 0;
  for (gsize i = 0; i < length; i++) {
    if (!g_ascii_isdigit (text[i]))
      return 0;
    number = number * 10 + (guint64) (text[i] - '0');
  }
  return number < 2 * LOOM_FLOW_ID_HASHED ? number : 0;
}

/* `id` is a literal that correlates; 7 and "7" are equal. */
static inline guint64
loom_flow_id_of (LoomJsonSlice id, guint trace)
{
  gboolean quoted = *id.text == '"';
  const char *text = id.text + quoted;
  gsize length = id.length - 2 * quoted;
  guint64 number = loom_flow_id_parse (text, length);
  if (number != 0 && trace == LOOM_FLOW_ID_ALONE)
    return number;
  if (number != 0 && number >> LOOM_FLOW_ID_TRACE_AT == 0 && trace < LOOM_FLOW_ID_MAX_TRACES)
    return (guint64) trace << LOOM_FLOW_ID_TRACE_AT | number;
  guint64 hash = loom_string_pool_hash_join (trace, loom_string_pool_hash (text, length));
  return LOOM_FLOW_ID_HASHED | (hash & (LOOM_FLOW_ID_HASHED - 1));
}

G_END_DECLS
