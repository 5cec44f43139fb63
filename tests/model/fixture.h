/* SPDX-License-Identifier: Apache-2.0
 *
 * A builder with one source and one thread, and a text picture of what comes out, so that a case is three lines.
 */
#pragma once

#include "loom-trace-builder.h"

typedef struct {
  LoomTraceBuilder *builder;
  guint source, clock;
  guint32 process, thread;
  LoomTrace *trace; /* after fixture_freeze() */
  guint64 n_fed;    /* offset of the next event's ref */
} Fixture;

void fixture_init (Fixture *fixture);
void fixture_clear (Fixture *fixture);

/* A builder like the fixture's own: one clock, source "a.json", process 7, thread 1. */
LoomTraceBuilder *fixture_new_builder (void);

guint32 fixture_name (Fixture *fixture, const char *text); /* "text" or "category:text" */
LoomRef fixture_ref (Fixture *fixture);

/* Feeds "X a 0 10", "B a 0", "E a 5", "E - 5" (no name), "E+ a 5" (has args), "X a 0 open", separated by ';'. */
void fixture_feed (Fixture *fixture, guint32 thread, const char *script);

void fixture_freeze (Fixture *fixture);

/* Rows of a track: "0.0: a[0+10] | 0.1: b[2+3]!" with lane.depth, start+dur, ! for OPEN. Owned by the caller. */
char *fixture_draw (const LoomTrace *trace, guint track);
/* The track of that kind and thread key (or, without thread, of that name); aborts when there is none. */
guint fixture_find (const LoomTrace *trace, LoomTrackKind kind, const char *thread_key, const char *name);

guint64 fixture_count (const LoomTrace *trace, const char *code);

#define fixture_assert_spans(fixture, expected)                  \
  G_STMT_START                                                   \
  {                                                              \
    g_autofree char *drawn = fixture_draw ((fixture)->trace, 0); \
    g_assert_cmpstr (drawn, ==, (expected));                     \
  }                                                              \
  G_STMT_END
