/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: converts ids of flows to numbers. Perfetto accepts only numbers and hexadecimal texts as ids,
 * Catapult any JSON value, so numbers are right for both. Equal ids of one trace give equal numbers; ids of different
 * traces give different numbers. All numbers are below 2^53, so that readers that store them as doubles can distinguish
 * them.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-string-pool.h"

#define LOOM_FLOW_ID_MAX_LENGTH 16 /* maximum length of an id that is a number: the decimal digits of 2^53 */

/* Passed as the number of the trace if the file contains only one trace. Ids that are numbers below 2^53 are then not
 * changed. */
#define LOOM_FLOW_ID_ALONE G_MAXUINT

/* If the file contains several traces, an id below 2^32 is combined with the number of its trace, which is stored in
 * the bits from LOOM_FLOW_ID_TRACE_AT on. The number of the trace must be less than LOOM_FLOW_ID_MAX_TRACES. */
#define LOOM_FLOW_ID_TRACE_AT 32u
#define LOOM_FLOW_ID_MAX_TRACES (1u << 20)

/* This bit marks an id that is a hash: bits 0 to 51 contain the hash, and bit 52 is set. An id is replaced by a hash if
 * it can neither be kept nor be combined with the number of its trace. */
#define LOOM_FLOW_ID_HASHED (G_GUINT64_CONSTANT (1) << 52)

/* Returns TRUE if `id` can identify a flow. FALSE for null, objects and arrays, which are written unchanged. */
static inline gboolean
loom_flow_id_correlates (LoomJsonSlice id)
{
  return id.length > 0 && *id.text != '{' && *id.text != '[' && !loom_json_slice_equal (id, "null");
}

/* Returns the number that `text` contains; 0 if `text` is not a number, is 2^53 or greater, or begins with a zero. The
 * number 0 never is an id of a flow, because Catapult ignores such an id. */
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

/* Returns the number that replaces an id in the written file. The id must be one for which loom_flow_id_correlates()
 * returns TRUE. The number 7 and the text "7" give the same result. */
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
