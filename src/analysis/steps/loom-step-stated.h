/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: reads the number and the mode of a step from the name and the args of its span, and packs
 * both into the integer that an index file stores. Any thread.
 */
#pragma once

#include "loom-json-slice.h"
#include "loom-steps.h"

/* What a span states about the step that it records. */
typedef struct {
  gint64 number; /* −1 if not stated */
  gint mode;     /* LoomStepMode; −1 if not stated */
} LoomStepStated;

/* Finds the mode in the name that a user gave to a step. Returns the mode (LoomStepMode) of the first word that
 * means training, evaluation or prediction, such as "eval" in "EvalStep 3"; −1 if there is no such word. Keras names
 * the steps of evaluate() "test", which means evaluation. O(length). */
gint loom_step_stated_find_mode (const char *text);

/* Returns the number with which a text begins; −1 if the text does not begin with a number. */
gint64 loom_step_stated_parse_number (const char *text);

/* Returns the number at the start of a text. If the text does not start with a number, returns the last number in the
 * text, such as 20 in "train 20"; −1 if the text contains no number. */
gint64 loom_step_stated_find_number (const char *text);

/* Packs the number and the mode of a step into one integer, which an index file stores for the span of the step.
 * Returns −1 if the number is negative, or too high to be stored (2⁶⁰ or more). */
gint64 loom_step_stated_pack (gint64 number, LoomStepMode mode);

/* Reads the integer in the member `key` of an event's args. If the member is a text, reads the number and the mode in
 * it. */
LoomStepStated loom_step_stated_parse (LoomJsonSlice args, const char *key);

/* Reads the number and the mode of a step from the member `key` of an event's args. If the source is an index file,
 * which has no args, reads the number and the mode that the index file stores. */
LoomStepStated loom_step_stated_read (const LoomTrace *trace, LoomRef ref, const char *key);
