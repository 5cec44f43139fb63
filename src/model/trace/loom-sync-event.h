/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that correspond to events on other clocks: collectives, messages and clock syncs. The relevant args are kept in
 * addition to the columns, so that comparing the clocks of a run needs no args.
 */
#pragma once

#include "loom-parallel-axis.h"
#include "loom-source.h"

typedef enum {
  LOOM_SYNC_EVENT_COLLECTIVE, /* all ranks leave it at nearly the same time */
  /* a collective that ranks may leave before others enter it: broadcast, reduce, gather, scatter */
  LOOM_SYNC_EVENT_ROOTED,
  LOOM_SYNC_EVENT_HOST, /* a collective on CPUs, which notice its end only when they poll */
  LOOM_SYNC_EVENT_SEND,
  LOOM_SYNC_EVENT_RECEIVE,
  LOOM_SYNC_EVENT_CLOCK_SYNC,
  /* the CPU's record of handing a collective to a device: identifies the collective, but not its time */
  LOOM_SYNC_EVENT_CALL,
  /* Not between clocks: a device that waits for an event or a synchronising call (CUDA: the rows of category cuda_sync), and
   * the calls of the host that record an event, let a stream wait for it or synchronise. `name` is the name of the span. */
  LOOM_SYNC_EVENT_DEVICE_WAIT,
  LOOM_SYNC_EVENT_DEVICE_CALL,
} LoomSyncEventKind;

#define LOOM_SEQUENCE_NONE G_MININT64

typedef struct {
  /* local ns; a clock sync extends from its issue_ts to its own time; both are equal without issue_ts */
  gint64 start_ns, end_ns;
  LoomRef ref;
  gint64
    sequence; /* number in its group, LOOM_SEQUENCE_NONE if unknown; for a wait: the `call` that recorded the event */
  /* size of a transfer: input bytes, for a gather output bytes; 0: unknown. For a wait: number of the stream that is waited
   * for, −1 if unknown, which may be written as 4294967295 */
  gint64 bytes;
  gint64 call;         /* equal for device work and the call that launched it, in one source; 0: unknown */
  guint32 group, name; /* text ids, "" if unknown; for messages the name is "from>to" */
  guint32 track;       /* spans track of the event, G_MAXUINT32 for none (a clock sync) */
  guint16 kind;        /* LoomSyncEventKind */
  guint16 axis;        /* LoomParallelAxis that the description of the group states */
} LoomSyncEvent;
