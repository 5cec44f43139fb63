/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The steps of freeze, in the order they run, and what they hand to one another.
 */
#pragma once

#include "loom-parallel.h"
#include "loom-trace-private.h"

G_BEGIN_DECLS

/* A track that will be, with what fills it. */
typedef struct {
  LoomTrack track;
  LoomLane *lane;  /* NULL for counters; owned by the freeze */
  guint32 counter; /* of a counter track */
  guint32 thread;  /* of the builder, or LOOM_ID_NONE */
  /* Order of display. */
  guint32 process_position; /* 0 for global ones, else from 1 */
  guint32 thread_position;  /* 0 for process-wide ones, else from 1 */
  guint32 serial;
} LoomTrackDraft;

/* Flow events in order of time. */
typedef struct {
  GPtrArray *chunks;    /* LoomChunk *, of the builder */
  gint n_left;          /* blocks of them that are not sorted yet */
  GArray *stretches;    /* LoomFlowStretch; NULL until all are */
  LoomFlowRecord *flat; /* what they point into, unless it is the chunks */
  guint32 n;
} LoomSortedFlows;

typedef struct {
  LoomTraceBuilder *builder;
  LoomTrace *trace;
  LoomProgress *progress;
  guint n_threads;
  GPtrArray *lanes;         /* LoomLane *, owned */
  GArray *drafts;           /* LoomTrackDraft, in order of display once sorted */
  GArray *series;           /* guint32 per trace series: series of the builder */
  guint32 *track_of_thread; /* spans track of each thread of the builder, or G_MAXUINT32 */
  LoomSortedFlows flows;
  LoomProblemCounts tally;
} LoomFreeze;

/* loom-freeze-lanes.c: lanes of spans, async and instants, arranged in rows. FALSE when cancelled. */
gboolean loom_freeze_arrange (LoomFreeze *freeze);

/* loom-freeze-tracks.c: tracks in order, rows numbered, columns allocated. */
void loom_freeze_place (LoomFreeze *freeze);

/* loom-freeze-columns.c: lanes and samples into the columns, summaries, extents; flows are sorted beside it. FALSE when
 * cancelled. */
gboolean loom_freeze_fill (LoomFreeze *freeze);

/* loom-flow-lines.c: flow events in order, block by block on any threads; needs and changes nothing else of the freeze. The first
 * returns how many blocks there are. */
guint loom_freeze_list_flows (LoomFreeze *freeze);
void loom_freeze_sort_flows (LoomFreeze *freeze, guint block);
void loom_freeze_clear_flows (LoomFreeze *freeze);

/* loom-flow-lines.c: arrows and flow points. FALSE when cancelled. */
gboolean loom_freeze_bind_flows (LoomFreeze *freeze);

/* loom-sync-event.c: meetings in order, on the tracks of their threads. */
void loom_freeze_take_meetings (LoomFreeze *freeze);

/* For those steps. */
void loom_freeze_add_draft (LoomFreeze *freeze, LoomTrackKind kind, LoomLane *lane, guint source, guint32 process,
                            guint32 thread);
LoomTrackDraft *loom_freeze_last_draft (LoomFreeze *freeze);
gboolean loom_freeze_is_anchored (const LoomFreeze *freeze, guint source);

G_END_DECLS
