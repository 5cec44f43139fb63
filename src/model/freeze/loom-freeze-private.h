/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The steps of freeze, in the order they run, and the data they pass on.
 */
#pragma once

#include "loom-parallel.h"
#include "loom-trace-private.h"

/* A future track, with the lane or the counter from which it is made. */
typedef struct {
  LoomTrack track;
  LoomLane *lane;  /* NULL for counters; owned by LoomFreeze */
  guint32 counter; /* counter of the builder, for counter tracks */
  guint32 thread;  /* thread of the builder, or LOOM_ID_NONE */
  /* The positions below are sort keys for the order of display. */
  guint32 process_position; /* 0 for global tracks, else from 1 */
  guint32 thread_position;  /* 0 for process-wide tracks, else from 1 */
  guint32 serial;
} LoomTrackDraft;

/* Flow events, sorted by time. */
typedef struct {
  GPtrArray *chunks;    /* LoomChunk * of the builder */
  gint n_left;          /* number of blocks of chunks that are not sorted yet */
  GArray *stretches;    /* LoomFlowStretch; NULL until all blocks are sorted */
  LoomFlowRecord *flat; /* the records of all stretches; NULL: the records are in the chunks */
  guint32 n;
} LoomSortedFlows;

typedef struct {
  LoomTraceBuilder *builder;
  LoomTrace *trace;
  LoomProgress *progress;
  guint n_threads;
  GPtrArray *lanes;         /* LoomLane *, owned */
  GArray *drafts;           /* LoomTrackDraft, in order of display once sorted */
  GArray *series;           /* guint32: [series of the trace] index of the builder's series from which it is made */
  guint32 *track_of_thread; /* [thread of the builder] index of the thread's track of spans; G_MAXUINT32: none */
  LoomSortedFlows flows;
  LoomProblemCounts tally;
} LoomFreeze;

/* loom-freeze-lanes.c: arranges lanes of spans, async spans and instants in rows. Returns FALSE if cancelled. */
gboolean loom_freeze_arrange (LoomFreeze *freeze);

/* loom-freeze-tracks.c: sorts the tracks, numbers the rows, allocates the columns. */
void loom_freeze_place (LoomFreeze *freeze);

/* loom-freeze-columns.c: copies lanes and samples into the columns, makes summaries and extents, and sorts flows
 * meanwhile. Returns FALSE if cancelled. */
gboolean loom_freeze_fill (LoomFreeze *freeze);

/* loom-freeze-flows.c: sorts flow events by time, block by block, on any threads. Does not use other parts of the
 * freeze. loom_freeze_list_flows() returns the number of blocks. */
guint loom_freeze_list_flows (LoomFreeze *freeze);
void loom_freeze_sort_flows (LoomFreeze *freeze, guint block);
void loom_freeze_clear_flows (LoomFreeze *freeze);

/* loom-freeze-flows.c: makes arrows and flow points. Returns FALSE if cancelled. */
gboolean loom_freeze_bind_flows (LoomFreeze *freeze);

/* loom-sync-event.c: sorts the synchronisation events and sets the tracks of their threads. */
void loom_freeze_take_meetings (LoomFreeze *freeze);

/* Functions that several steps use. */
void loom_freeze_add_draft (LoomFreeze *freeze, LoomTrackKind kind, LoomLane *lane, guint source, guint32 process,
                            guint32 thread);
LoomTrackDraft *loom_freeze_last_draft (LoomFreeze *freeze);
gboolean loom_freeze_is_anchored (const LoomFreeze *freeze, guint source);
