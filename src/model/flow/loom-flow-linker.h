/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Links flow events that have the same key; a link between two events is called a hop.
 */
#pragma once

#include "loom-flow-arrows.h"
#include "loom-parallel.h"
#include "loom-problem-counts.h"
#include "loom-trace-private.h"

/* Maximum number of records in a LoomFlowStretch. */
#define LOOM_FLOW_STRETCH_RECORDS 4096

/* All flow events of a trace are sorted by time and divided into stretches. This is one stretch. */
typedef struct {
  /* Records in order of time; at equal times, starts come before ends. loom_flow_linker_deal() overwrites them in place
   * with elements of type LoomFlowEvent, sorted by partition. */
  LoomFlowRecord *records;
  guint32 n;
  guint32 first; /* index of records[0] among the records of all stretches */
} LoomFlowStretch;

/* A flow event after it was bound to a span. It is in the memory of the LoomFlowRecord from which it was made. */
typedef struct {
  guint64 key; /* key of the flow, as in LoomFlowRecord; 0: the event is not linked to others */
  LoomRef ref;
  /* span to which the event is bound, as an index in the columns of the trace's spans; G_MAXUINT32: none */
  guint32 span;
  guint32 name_id;
  guint32 thread; /* index, in the builder, of the event's thread */
  guint8 phase, marks;
} LoomFlowEvent;

G_STATIC_ASSERT (sizeof (LoomFlowEvent) <= sizeof (LoomFlowRecord));

typedef struct {
  LoomTraceBuilder *builder;
  const LoomFlowStretch *stretches; /* stretches in order of time */
  guint n_stretches;
  guint32 n;  /* number of records in all stretches */
  guint bits; /* number of leading bits of the key that choose the partition (“hand”) */
  /* two-dimensional array indexed by stretch and partition: index, in the stretch, of the first event of the partition.
   * Each stretch has one additional element: the number of its events */
  guint16 *first;
} LoomFlowLinker;

/* Prepares the linker for `n` flow events, and chooses the number of partitions. `stretches` (borrowed) contains these
 * events. */
void loom_flow_linker_init (LoomFlowLinker *chains, LoomTraceBuilder *builder, const LoomFlowStretch *stretches,
                            guint n_stretches, guint32 n);
void loom_flow_linker_clear (LoomFlowLinker *chains);

/* Replaces the records of the LoomFlowStretch with the index `stretch` by events, sorted into partitions by key.
 * `spans`: the span to which each record is bound. `room`: memory for LOOM_FLOW_STRETCH_RECORDS events. May be called
 * on any thread. */
void loom_flow_linker_deal (LoomFlowLinker *chains, guint stretch, const guint32 *spans, LoomFlowEvent *room);

/* Links events with equal key and name, then the remaining events with equal key. Must be called after
 * loom_flow_linker_deal() was called for all stretches. Returns the links between spans in no particular order, as
 * LoomArrows, which loom_flow_arrows_free() frees. Counts in `tally` the events that are not linked. Returns NULL if
 * cancelled. */
GArray *loom_flow_linker_link (LoomFlowLinker *chains, LoomProblemCounts *tally, guint n_threads,
                               LoomProgress *progress);
