/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the record of an event of a Perfetto trace in memory. Its name, category and args are not
 * stored, but are read again from its packet when needed.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_PERFETTO_SPAN,
  LOOM_PERFETTO_INSTANT,
  LOOM_PERFETTO_STATE, /* a state that a track has until its next state */
  LOOM_PERFETTO_STAGE, /* work on a GPU (“render stage” in Perfetto) */
  LOOM_PERFETTO_PHASE, /* a legacy event with a phase of the Chrome trace format */
  LOOM_PERFETTO_BEGIN, /* a begin event; it is paired with its end event later, which makes it a SPAN */
  LOOM_PERFETTO_END,
  LOOM_PERFETTO_REMOVED,
} LoomPerfettoKind;

#define LOOM_PERFETTO_OPEN G_MAXINT64

typedef struct {
  gint64 start_ns;
  /* time at which the event ends, in ns; LOOM_PERFETTO_OPEN: the span has not ended. A paired end event
   * (LOOM_PERFETTO_END) has here the index of its begin event instead of a time */
  gint64 end_ns;
  union {
    struct {
      guint64 place : 55; /* place of the packet with the event (loom-perfetto-packets.h) */
      guint64 kind : 4;   /* kind of the event: a LoomPerfettoKind */
      /* set for a begin event whose end event was found, and for an end event whose begin event was found */
      guint64 is_paired : 1;
      guint64 has_tail : 1; /* set if the end event of the span has args; the place of the end event's packet is then in
                             * LoomPerfettoTrace.tails */
      guint64 has_arrows : 1;
      guint64 is_told : 1; /* for an end event: set if it has args; for a state: set if it has a name */
      guint64 : 1;
    };
    guint64 bits; /* the members above in a single number, see loom_perfetto_event_join_bits() */
  };
  /* index in LoomPerfettoTrace.looks of the look of the event: its name, category, track and context
   * (loom-perfetto-looks.h) */
  guint32 look;
  /* if the length of the args is known: the number of bytes of their JSON text without braces, plus 1; otherwise 0 */
  guint32 args_length;
} LoomPerfettoEvent;

/* Returns the value that the member `bits` of an event has if the bit fields have these values. Setting the bit fields
 * one by one and then reading `bits` gives the same value, but makes the processor wait for the writes; this wait took
 * a third of the time of reading a usual packet. */
static inline guint64
loom_perfetto_event_join_bits (guint64 place, LoomPerfettoKind kind, gboolean is_told)
{
#if G_BYTE_ORDER == G_LITTLE_ENDIAN && defined(__GNUC__)
  enum { KIND_SHIFT = 55, IS_TOLD_SHIFT = 62 };
  return (place & ((G_GUINT64_CONSTANT (1) << KIND_SHIFT) - 1)) | (guint64) kind << KIND_SHIFT |
         (guint64) (is_told != FALSE) << IS_TOLD_SHIFT;
#else
  const LoomPerfettoEvent event = { .place = place, .kind = kind, .is_told = is_told != FALSE };
  return event.bits;
#endif
}
