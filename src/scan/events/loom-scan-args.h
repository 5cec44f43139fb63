/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds members of an event's args in one pass over the text of the event. With loom_event_parse() and
 * loom_json_slice_members(), args would be read twice, because loom_event_parse() must find their end. The functions
 * may be called on any thread.
 */
#pragma once

#include "loom-json-slice.h"

/* Initializer of a LoomJsonSlice for the key of a member. The slice includes the quotes around the key, because it is
 * compared with the text of the event. `name`: the key without quotes; a string literal. */
#define LOOM_SCAN_ARGS_KEY(name)    \
  {                                 \
    "\"" name "\"", sizeof name + 1 \
  }

/* Finds members of the args of an event. `text` must begin with the opening brace of the event. Sets values[i] to the
 * value of the first member with the key keys[i]; the text of the value is NULL if there is no such member. A key that
 * is written with escapes is never found. The search ends when all keys are found, so errors after them are not
 * noticed. Returns FALSE if the text before this point cannot be parsed or is incomplete; `values` are then undefined.
 * O(length + members · n). */
gboolean loom_scan_args_find (const char *text, gsize length, const LoomJsonSlice *keys, guint n,
                              LoomJsonSlice *values);
