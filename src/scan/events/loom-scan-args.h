/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds members of an event's args in one pass over the text of the event. loom_event_parse() and
 * loom_json_slice_members() read args twice: once to find their end. Any thread.
 */
#pragma once

#include "loom-json-slice.h"

/* Initializer of a LoomJsonSlice with the name of a member. The slice includes the quotes around the name, because
 * keys are compared with the text of the event. `name`: a string literal. */
#define LOOM_SCAN_ARGS_KEY(name)    \
  {                                 \
    "\"" name "\"", sizeof name + 1 \
  }

/* Finds the members of the args of the event whose opening brace is at `text`. Sets values[i] to the value of the first
 * member keys[i]; its text is NULL if the args have no such member, or there are no args. A key that is written with
 * escapes is never found. Ends when all are found, so errors behind them are not noticed. Returns FALSE if the text
 * cannot be parsed up to there, or `length` ends before; `values` are then undefined. O(length + members · n). */
gboolean loom_scan_args_find (const char *text, gsize length, const LoomJsonSlice *keys, guint n,
                              LoomJsonSlice *values);
