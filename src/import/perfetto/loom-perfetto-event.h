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
  LOOM_PERFETTO_STATE, /* a state of a track, which lasts until the track's next state */
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
  guint64 place : 55; /* place of the packet (loom-perfetto-packets.h) */
  guint64 kind : 4;   /* kind of the event: a LoomPerfettoKind */
  /* set for a begin event whose end event was found, and for an end event whose begin event was found */
  guint64 is_paired : 1;
  guint64 has_tail : 1; /* set if the end event of the span has args; the place of the end event's packet is then in
                         * LoomPerfettoTrace.tails */
  guint64 has_arrows : 1;
  guint64 is_told : 1; /* for an end event: set if it has args; for a state: set if it has a name */
  guint64 : 1;
  guint32 look; /* index in LoomPerfettoTrace.looks; the element contains the event's track and context */
  /* if the length of the args is known: the number of bytes of their JSON text without braces, plus 1; otherwise 0 */
  guint32 args_length;
} LoomPerfettoEvent;
