/* SPDX-License-Identifier: Apache-2.0
 *
 * What a search wants of the args of an event: that there is one of a name, or what its value is. Letter case aside. Immutable when
 * made, any thread.
 */
#pragma once

#include "loom-json-slice.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_ARG_EXISTS,
  LOOM_ARG_HAS, /* the value contains the text, or matches the expression */
  LOOM_ARG_IS,  /* the same text, or the same number */
  LOOM_ARG_IS_NOT,
  LOOM_ARG_LESS, /* these of numbers, also in quotes */
  LOOM_ARG_AT_MOST,
  LOOM_ARG_MORE,
  LOOM_ARG_AT_LEAST,
} LoomArgTest;

typedef struct {
  char *
    key; /* "Input Dims", with dots into what is nested: "data.size"; NULL: any, and its name counts as its value does */
  LoomArgTest test;
  char *value;   /* folded; NULL where the test needs none */
  GRegex *regex; /* of LOOM_ARG_HAS; NULL: the value as a text */
  double number; /* the value, NaN when it is none */
} LoomArgFilter;

/* All are taken over. NULL, and they are freed, when the test needs a number and the value is none. */
LoomArgFilter *loom_arg_filter_new (char *key, LoomArgTest test, char *value, GRegex *regex);
void loom_arg_filter_free (LoomArgFilter *filter);

/* Whether one of the args, or of what is nested in one that is called so, is what is wanted. `args`: the value of the event's
 * member, absent where it has none; `room` is written over. O(length). */
gboolean loom_arg_filter_matches (const LoomArgFilter *filter, LoomJsonSlice args, GString *room);

G_END_DECLS
