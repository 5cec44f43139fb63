/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace builder with one source and one thread for tests of the model, and functions that read events from a short
 * text and print the resulting trace as text.
 */
#pragma once

#include "loom-trace-builder.h"

typedef struct {
  LoomTraceBuilder *builder;
  guint source, clock;
  guint32 process, thread;
  LoomTrace *trace; /* the frozen trace, set by fixture_freeze() */
  guint64 n_fed;    /* number of events added so far, which is also the file offset in the ref of the next event */
} Fixture;

void fixture_init (Fixture *fixture);
void fixture_clear (Fixture *fixture);

/* Returns a builder like that of a fixture: one clock, source "a.json", process 7, thread 1. */
LoomTraceBuilder *fixture_new_builder (void);

/* Returns the name id of a text in the form "text" or "category:text". */
guint32 fixture_name (Fixture *fixture, const char *text);
LoomRef fixture_ref (Fixture *fixture);

/* Adds the events of a text, separated by ';', with times in ns. "X a 0 10": a span of duration 10. "X a 0 open": a
 * span without an end. "B a 0": a begin event. "E a 5", "E - 5", "E+ a 5": end events, without a name, and with
 * args. */
void fixture_feed (Fixture *fixture, guint32 thread, const char *script);

void fixture_freeze (Fixture *fixture);

/* Returns the rows of a track as text, such as "0.0: a[0+10] | 0.1: b[2+3]!": lane.depth, name, start+duration, and !
 * for a span without an end. The caller owns the result. */
char *fixture_draw (const LoomTrace *trace, guint track);
/* Returns the track of kind `kind` whose thread has the key `thread_key`, or, if `thread_key` is NULL, whose name is
 * `name`. Aborts if the trace has no such track. */
guint fixture_find (const LoomTrace *trace, LoomTrackKind kind, const char *thread_key, const char *name);

guint64 fixture_count (const LoomTrace *trace, const char *code);

#define fixture_assert_spans(fixture, expected)                  \
  G_STMT_START                                                   \
  {                                                              \
    g_autofree char *drawn = fixture_draw ((fixture)->trace, 0); \
    g_assert_cmpstr (drawn, ==, (expected));                     \
  }                                                              \
  G_STMT_END
