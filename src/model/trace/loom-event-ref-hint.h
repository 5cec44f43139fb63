/* SPDX-License-Identifier: Apache-2.0
 *
 * A hint in the reference to an event (LoomRef) gives the approximate place of one value in the text of the event: the
 * args of a complete event, or the id of a flow event. Only events whose text has the usual form get a hint. An exact
 * copy of such an event can be made from the columns and this value, without reading the rest of the text.
 *
 * For a span, the hint is the distance of its args from the beginning of the event's text, in units of
 * LOOM_HINT_ARGS_UNIT. For a flow event, it is the distance of its id in units of LOOM_HINT_ID_UNIT, and a LoomHintFlow
 * in the higher bits. 0: there is no hint.
 */
#pragma once

#include "loom-source.h"

/* The distance of the args from the start of an event's text is stored in units of this many bytes. The exact position
 * can still be found, because exactly one byte of the unit is a "{" that follows the key "args" and a colon. */
#define LOOM_HINT_ARGS_UNIT 4u
/* The distance of the id from the start of an event's text is stored in units of this many bytes. The exact position
 * can still be found, because the id begins at the byte of the unit that follows a colon, space, tab or line end. */
#define LOOM_HINT_ID_UNIT 2u
#define LOOM_HINT_ID_BITS 6u

typedef enum {
  LOOM_HINT_START,     /* a flow event with the phase s */
  LOOM_HINT_STEP,      /* a flow event with the phase t */
  LOOM_HINT_END,       /* a flow event with the phase f, but without "bp": "e" */
  LOOM_HINT_END_INSIDE /* a flow event with the phase f, and with "bp": "e" after the id */
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

/* Returns the hint for args at a distance (in bytes) from the beginning of the event's text; 0 (no hint) if the
 * distance is too great. */
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
