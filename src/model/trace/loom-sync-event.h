/* SPDX-License-Identifier: Apache-2.0
 *
 * Sync events: events that correspond to events on other clocks, such as collectives, messages and clock syncs. Those
 * of their args that are needed to compare clocks are stored here, so that they need not be read from the file. In
 * names of the code, a sync event is called a meeting.
 */
#pragma once

#include "loom-parallel-axis.h"
#include "loom-source.h"

typedef enum {
  LOOM_SYNC_EVENT_COLLECTIVE, /* a collective that all ranks leave at nearly the same time */
  /* a collective that some ranks may leave before others enter it: broadcast, reduce, gather, scatter */
  LOOM_SYNC_EVENT_ROOTED,
  LOOM_SYNC_EVENT_HOST, /* a collective on CPUs, where ranks poll and therefore notice its end late */
  LOOM_SYNC_EVENT_SEND,
  LOOM_SYNC_EVENT_RECEIVE,
  LOOM_SYNC_EVENT_CLOCK_SYNC,
  /* a span of the host that passes a collective to a device: it identifies the collective, but its times are not those
   * of the collective */
  LOOM_SYNC_EVENT_CALL,
  /* The last two kinds do not correspond to events on other clocks. DEVICE_WAIT: a device waits for an event or for a
   * synchronizing call (CUDA: the rows of category cuda_sync). DEVICE_CALL: a call of the host that records an event,
   * lets a stream wait for an event, or synchronizes. `name` is the name of the span. */
  LOOM_SYNC_EVENT_DEVICE_WAIT,
  LOOM_SYNC_EVENT_DEVICE_CALL,
} LoomSyncEventKind;

#define LOOM_SEQUENCE_NONE G_MININT64

typedef struct {
  /* start and end in ns of local time. A clock sync starts at its issue_ts and ends at its own time; without issue_ts,
   * start and end are its own time */
  gint64 start_ns, end_ns;
  LoomRef ref;
  /* number of the event among the events of its group; LOOM_SEQUENCE_NONE: unknown. For DEVICE_WAIT: the value of
   * `call` of the DEVICE_CALL that recorded the awaited event */
  gint64 sequence;
  /* size of a transfer in bytes: of the input or, for a gather, of the output; 0: unknown. For DEVICE_WAIT: number of
   * the stream for which the device waits; −1 or 4294967295 (−1 as 32 bits): unknown */
  gint64 bytes;
  /* number that device work has in common with the call that launched it, unique within one source; 0: unknown */
  gint64 call;
  /* ids of texts (loom_trace_get_sync_event_text()); the text is "" if it is unknown. The name of a message has the
   * form "from>to" */
  guint32 group, name;
  guint32 track; /* index of the track that contains this event as a span; G_MAXUINT32: none (a clock sync) */
  guint8 kind;   /* LoomSyncEventKind of the event */
  guint8 axis;   /* LoomParallelAxis that the description of the group states */
  /* number of ranks in the group, as the event states it; 0: unknown, or too large for this member */
  guint16 n_ranks;
} LoomSyncEvent;
