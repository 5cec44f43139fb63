/* SPDX-License-Identifier: Apache-2.0
 *
 * A builder with one source and one thread, and a text form of the result, so that a test case needs three lines.
 */
#pragma once

#include "loom-trace-builder.h"

typedef struct {
  LoomTraceBuilder *builder;
  guint source, clock;
  guint32 process, thread;
  LoomTrace *trace; /* set by fixture_freeze() */
  guint64 n_fed;    /* number of events so far; used as the offset of the next ref */
} Fixture;

void fixture_init (Fixture *fixture);
void fixture_clear (Fixture *fixture);

/* Returns a builder like the fixture's own: one clock, source "a.json", process 7, thread 1. */
LoomTraceBuilder *fixture_new_builder (void);

guint32 fixture_name (Fixture *fixture, const char *text); /* text: "text" or "category:text" */
LoomRef fixture_ref (Fixture *fixture);

/* Adds events from a text separated by ';': "X a 0 10", "B a 0", "E a 5", "E - 5" (without name), "E+ a 5" (with args),
 * "X a 0 open". */
void fixture_feed (Fixture *fixture, guint32 thread, const char *script);

void fixture_freeze (Fixture *fixture);

/* Returns the rows of a track, such as "0.0: a[0+10] | 0.1: b[2+3]!", as lane.depth, start+duration, and ! for OPEN.
 * The caller owns the result. */
char *fixture_draw (const LoomTrace *trace, guint track);
/* Returns the track of that kind with that thread key, or with that name if `thread_key` is NULL; aborts if there is
 * none. */
guint fixture_find (const LoomTrace *trace, LoomTrackKind kind, const char *thread_key, const char *name);

guint64 fixture_count (const LoomTrace *trace, const char *code);

#define fixture_assert_spans(fixture, expected)                  \
  G_STMT_START                                                   \
  {                                                              \
    g_autofree char *drawn = fixture_draw ((fixture)->trace, 0); \
    g_assert_cmpstr (drawn, ==, (expected));                     \
  }                                                              \
  G_STMT_END
