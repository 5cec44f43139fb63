/* SPDX-License-Identifier: Apache-2.0
 *
 * A condition on the args of events, as a part of a search query. It tests whether an event has an arg with a given
 * name, or how the value of the arg compares with a given value. Ignores case. Immutable, any thread.
 */
#pragma once

#include "loom-json-slice.h"

typedef enum {
  LOOM_ARG_EXISTS,
  LOOM_ARG_HAS, /* the arg contains the filter's text or matches its regular expression */
  LOOM_ARG_IS,  /* the arg is equal to `value` of the filter, as text or as number */
  LOOM_ARG_IS_NOT,
  LOOM_ARG_LESS, /* this test and the next three compare numbers; a number in quotes counts as a number */
  LOOM_ARG_AT_MOST,
  LOOM_ARG_MORE,
  LOOM_ARG_AT_LEAST,
} LoomArgTest;

typedef struct {
  /* name of the arg, for example "Input Dims"; dots separate nested names: "data.size". NULL: any arg is tested, and
   * LOOM_ARG_HAS searches the names of args as well as their values */
  char *key;
  LoomArgTest test;
  char *value;   /* the case-folded text with which args are compared; NULL: the test does not need a text */
  GRegex *regex; /* the regular expression of a LOOM_ARG_HAS test; NULL: `value` is searched as text */
  double number; /* `value` as a number; NaN if it is not a number */
} LoomArgFilter;

/* Makes a filter and takes ownership of all arguments. If the test needs a number, and `value` is not a number, frees
 * the arguments and returns NULL. */
LoomArgFilter *loom_arg_filter_new (char *key, LoomArgTest test, char *value, GRegex *regex);
void loom_arg_filter_free (LoomArgFilter *filter);

/* Returns TRUE if an arg named `key`, or an arg nested in such an arg, passes the test. `args`: the value of the
 * event's member "args", absent if the event has no args; `room`: scratch string, overwritten. O(length of `args`). */
gboolean loom_arg_filter_matches (const LoomArgFilter *filter, LoomJsonSlice args, GString *room);
