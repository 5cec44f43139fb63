/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that correspond to events on other clocks: collectives, messages and clock syncs. The relevant args are kept in
 * addition to the columns, so that comparing the clocks of a run needs no args.
 */
#pragma once

#include "loom-parallel-axis.h"
#include "loom-source.h"

typedef enum {
  LOOM_SYNC_EVENT_COLLECTIVE, /* a collective that all ranks leave at nearly the same time */
  /* a collective that ranks may leave before others enter it: broadcast, reduce, gather, scatter */
  LOOM_SYNC_EVENT_ROOTED,
  LOOM_SYNC_EVENT_HOST, /* a collective on CPUs, whose end ranks notice only when they poll */
  LOOM_SYNC_EVENT_SEND,
  LOOM_SYNC_EVENT_RECEIVE,
  LOOM_SYNC_EVENT_CLOCK_SYNC,
  /* the host's record that it passed a collective to a device: identifies the collective, but not its time */
  LOOM_SYNC_EVENT_CALL,
  /* Not an event between clocks: a device that waits for an event, or a synchronising call (CUDA: the rows of
   * category cuda_sync); and calls of the host that record an event, let a stream wait for it or synchronise. `name`
   * is the name of the span. */
  LOOM_SYNC_EVENT_DEVICE_WAIT,
  LOOM_SYNC_EVENT_DEVICE_CALL,
} LoomSyncEventKind;

#define LOOM_SEQUENCE_NONE G_MININT64

typedef struct {
  /* local ns; a clock sync extends from its issue_ts to its own time; without issue_ts, both are equal */
  gint64 start_ns, end_ns;
  LoomRef ref;
  gint64
    /* number of the event in its group; LOOM_SEQUENCE_NONE: unknown; for a wait: `call` of the call that recorded
     * the event */
    sequence;
  /* bytes of a transfer: of the input, for a gather of the output; 0: unknown. For a wait: number of the stream for
   * which it waits; −1, which may be written as 4294967295: unknown */
  gint64 bytes;
  /* a number that device work and the call that launched it have in common, within one source; 0: unknown */
  gint64 call;
  guint32 group, name; /* text ids; the text is "" if unknown; for messages the name is "from>to" */
  guint32 track;       /* track of spans that has the event; G_MAXUINT32: none (a clock sync) */
  guint16 kind;        /* LoomSyncEventKind */
  guint16 axis;        /* LoomParallelAxis that the description of the group states */
} LoomSyncEvent;
