/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that say of themselves that others on other clocks belong to them: collectives, messages, clock syncs. What they
 * say is kept beside the columns, so that nobody has to read their args to compare the clocks of a run.
 */
#pragma once

#include "loom-source.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_SYNC_EVENT_COLLECTIVE, /* all members leave it at nearly the same moment */
  LOOM_SYNC_EVENT_ROOTED, /* a collective that members may leave before others arrive: broadcast, reduce, gather, scatter */
  LOOM_SYNC_EVENT_HOST, /* a collective of the processors, which notice its end when they look */
  LOOM_SYNC_EVENT_SEND,
  LOOM_SYNC_EVENT_RECEIVE,
  LOOM_SYNC_EVENT_CLOCK_SYNC,
  LOOM_SYNC_EVENT_CALL, /* the processor's own record of a collective it hands to a device: it tells what that is, not when */
} LoomSyncEventKind;

#define LOOM_SEQUENCE_NONE G_MININT64

typedef struct {
  gint64 start_ns, end_ns; /* local; of a clock sync with issue_ts from there to its own time, else equal */
  LoomRef ref;
  gint64 sequence;     /* its number in its group, LOOM_SEQUENCE_NONE where it has none */
  gint64 call;         /* equal for what a device does and the call it comes from, in one source; 0 unknown */
  guint32 group, name; /* texts: "" unknown; of messages the name is "from>to" */
  guint32 track;       /* the spans track it stands on, G_MAXUINT32 for none (a clock sync) */
  guint32 kind;        /* LoomSyncEventKind */
} LoomSyncEvent;

G_END_DECLS
