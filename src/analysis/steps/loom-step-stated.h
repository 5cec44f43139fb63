/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: what the name and the args of a span state about the step that the span records, and how an
 * index file stores this. Any thread.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-steps.h"

/* What a span states about the step that it records. */
typedef struct {
  gint64 number; /* −1: not stated */
  gint mode;     /* LoomStepMode; −1: not stated */
} LoomStepStated;

/* Finds the mode in the name that a user gave to a step. Returns the mode (LoomStepMode) of the first word that means
 * training, evaluation or prediction, such as "eval" in "EvalStep 3"; −1: there is no such word. Keras names the steps
 * of evaluate() "test", which means evaluation. O(length). */
gint loom_step_stated_find_mode (const char *text);

/* Returns the number with which a text begins; −1: none. */
gint64 loom_step_stated_parse_number (const char *text);

/* Returns the number with which a text begins or, if it begins otherwise, the last number in it: 20 for "train 20"; −1
 * if there is none. */
gint64 loom_step_stated_find_number (const char *text);

/* Packs the number and the mode of a step into one integer, which an index file stores for the span of the step.
 * Returns −1 if the number is negative, or too high to be stored (2⁶⁰ or more). */
gint64 loom_step_stated_pack (gint64 number, LoomStepMode mode);

/* Reads the integer in the member `key` of an event's args. If the member is a text, reads the number and the mode in
 * it. */
LoomStepStated loom_step_stated_parse (LoomJsonSlice args, const char *key);

/* Reads a member of an event's args from the source. The source of an index file has no args, but stores the numbers
 * and modes of steps. */
LoomStepStated loom_step_stated_read (const LoomTrace *trace, LoomRef ref, const char *key);
