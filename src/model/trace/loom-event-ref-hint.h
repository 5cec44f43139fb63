/* SPDX-License-Identifier: Apache-2.0
 *
 * A hint says of an event that all of it is known but for one value of its text, and about where that stands: the args of
 * a complete event, or the id of a flow event. It was written as most are, so that a copy of it is put together of what is
 * kept, and of that value; nothing else has to be read.
 *
 * Of a span: how far its args are from where the event begins, in units of LOOM_HINT_ARGS_UNIT. Of a flow event: the same
 * of its id in units of LOOM_HINT_ID_UNIT, and above it what it is. 0: there is none.
 */
#pragma once

#include "loom-source.h"

G_BEGIN_DECLS

/* One of so many bytes is the brace, and no other: the key and a colon stand before it. */
#define LOOM_HINT_ARGS_UNIT 4u
/* One of so many bytes begins the id, and before it is a colon, a blank, a tab or a line end. */
#define LOOM_HINT_ID_UNIT 2u
#define LOOM_HINT_ID_BITS 6u

typedef enum {
  LOOM_HINT_START,     /* s */
  LOOM_HINT_STEP,      /* t */
  LOOM_HINT_END,       /* f */
  LOOM_HINT_END_INSIDE /* f, and behind the id "bp": "e" */
} LoomHintFlow;

static inline LoomRef
loom_event_ref_hint_make (guint hint)
{
  return (LoomRef) hint << LOOM_REF_HINT_AT;
}

static inline guint
loom_event_ref_hint_of (LoomRef ref)
{
  return ref == LOOM_REF_NONE ? 0 : (guint) (ref >> LOOM_REF_HINT_AT & G_MAXUINT8);
}

/* None when they are too far away. */
static inline LoomRef
loom_event_ref_hint_args (gsize distance)
{
  return distance / LOOM_HINT_ARGS_UNIT > G_MAXUINT8
           ? 0
           : loom_event_ref_hint_make ((guint) (distance / LOOM_HINT_ARGS_UNIT));
}

static inline LoomRef
loom_event_ref_hint_flow (gsize distance, LoomHintFlow flow)
{
  gsize n = distance / LOOM_HINT_ID_UNIT;
  return n == 0 || n >> LOOM_HINT_ID_BITS != 0
           ? 0
           : loom_event_ref_hint_make ((guint) flow << LOOM_HINT_ID_BITS | (guint) n);
}

static inline gsize
loom_event_ref_hint_get_args (guint hint)
{
  return hint * (gsize) LOOM_HINT_ARGS_UNIT;
}

static inline gsize
loom_event_ref_hint_get_id (guint hint)
{
  return (hint & ((1u << LOOM_HINT_ID_BITS) - 1)) * (gsize) LOOM_HINT_ID_UNIT;
}

static inline LoomHintFlow
loom_event_ref_hint_get_flow (guint hint)
{
  return (LoomHintFlow) (hint >> LOOM_HINT_ID_BITS);
}

static inline char
loom_event_ref_hint_get_phase (guint hint)
{
  return "stff"[loom_event_ref_hint_get_flow (hint)];
}

G_END_DECLS
