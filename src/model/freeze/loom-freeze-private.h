/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. The functions that loom_trace_builder_freeze() calls to make a trace from a builder, in the
 * order of the calls; and the data that these functions share.
 */
#pragma once

#include "loom-parallel.h"
#include "loom-trace-private.h"

/* A future track of the trace, with the lane or the counter from which it is made. */
typedef struct {
  LoomTrack track;
  LoomLane *lane;  /* lane from which the track is made, owned by LoomFreeze; NULL for counter tracks */
  guint32 counter; /* for counter tracks: index of the counter in the builder */
  guint32 thread;  /* index of the thread in the builder; LOOM_ID_NONE: the track belongs to no single thread */
  /* The next members are the keys by which the tracks are sorted in the order of display. */
  guint32 process_position; /* position of the process, from 1; 0 for global tracks */
  guint32 thread_position;  /* position of the thread, from 1; 0 for tracks of a whole process */
  guint32 serial;
} LoomTrackDraft;

/* The flow events of the builder, which several threads sort by time. */
typedef struct {
  GPtrArray *chunks;    /* LoomChunk *: the chunks of the builder's flow events */
  gint n_left;          /* number of blocks that are still to be sorted; a block consists of chunks */
  GArray *stretches;    /* LoomFlowStretch elements: all flow events in order of time; NULL until all blocks are
                         * sorted */
  LoomFlowRecord *flat; /* array of the records, if they were copied from the chunks; NULL: the records are still in the
                         * chunks */
  guint32 n;
} LoomSortedFlows;

typedef struct {
  LoomTraceBuilder *builder;
  LoomTrace *trace;
  LoomProgress *progress;
  guint n_threads;
  GPtrArray *lanes; /* LoomLane *: all lanes; owned */
  GArray *drafts;   /* LoomTrackDraft, in order of display once sorted */
  /* guint32 elements, indexed by series of the trace: index of the builder's series from which this series is made */
  GArray *series;
  guint32 *track_of_thread; /* array indexed by thread of the builder: index of its track of spans; G_MAXUINT32: none */
  /* array indexed by source: end of the recording (loom_recording_ends_find()); owned; NULL: no span is extended until
   * the end of its source */
  gint64 *recording_ends_ns;
  LoomSortedFlows flows;
  LoomProblemCounts tally;
} LoomFreeze;

/* Defined in loom-freeze-lanes.c: arranges lanes of spans, async spans and instants in rows. Returns FALSE if
 * cancelled. */
gboolean loom_freeze_arrange (LoomFreeze *freeze);

/* Defined in loom-freeze-tracks.c: sorts the tracks, numbers the rows, allocates the columns. */
void loom_freeze_place (LoomFreeze *freeze);

/* Defined in loom-freeze-columns.c: copies lanes and samples into the columns, makes summaries and extents, and sorts
 * flow events at the same time. Returns FALSE if cancelled. */
gboolean loom_freeze_fill (LoomFreeze *freeze);

/* Defined in loom-freeze-flows.c: loom_freeze_list_flows() divides the flow events into blocks and returns the number
 * of blocks; loom_freeze_sort_flows() sorts one block by time. loom_freeze_sort_flows() may be called on any thread,
 * because it uses no other data of `freeze`. */
guint loom_freeze_list_flows (LoomFreeze *freeze);
void loom_freeze_sort_flows (LoomFreeze *freeze, guint block);
void loom_freeze_clear_flows (LoomFreeze *freeze);

/* Defined in loom-freeze-flows.c: makes arrows and flow points. Returns FALSE if cancelled. */
gboolean loom_freeze_bind_flows (LoomFreeze *freeze);

/* Defined in loom-sync-event.c: sorts the synchronization events and sets the tracks of their threads. */
void loom_freeze_take_meetings (LoomFreeze *freeze);

/* Functions that several steps use. loom_freeze_add_draft() adds a LoomTrackDraft, and loom_freeze_last_draft() returns
 * the one that was added last. loom_freeze_is_anchored() returns TRUE if the times of a source count from 1970
 * (LoomLane.anchored). */
void loom_freeze_add_draft (LoomFreeze *freeze, LoomTrackKind kind, LoomLane *lane, guint source, guint32 process,
                            guint32 thread);
LoomTrackDraft *loom_freeze_last_draft (LoomFreeze *freeze);
gboolean loom_freeze_is_anchored (const LoomFreeze *freeze, guint source);
