/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Links flow events of equal key into hops.
 */
#pragma once

#include "loom-flow-arrows.h"
#include "loom-parallel.h"
#include "loom-problem-counts.h"
#include "loom-trace-private.h"

/* Maximum number of records in a stretch. */
#define LOOM_FLOW_STRETCH_RECORDS 4096

typedef struct {
  /* records in order of time; at equal times starts before ends. After loom_flow_linker_deal() they are LoomFlowEvent,
   * sorted by partition */
  LoomFlowRecord *records;
  guint32 n;
  guint32 first; /* index of the first record among those of all stretches */
} LoomFlowStretch;

/* A bound record. It is stored in place of the LoomFlowRecord. */
typedef struct {
  guint64 key; /* 0: links to nothing */
  LoomRef ref;
  guint32 span; /* G_MAXUINT32 if it is bound to no span */
  guint32 name_id;
  guint32 thread; /* thread of the builder */
  guint8 phase, marks;
} LoomFlowEvent;

G_STATIC_ASSERT (sizeof (LoomFlowEvent) <= sizeof (LoomFlowRecord));

typedef struct {
  LoomTraceBuilder *builder;
  const LoomFlowStretch *stretches; /* stretches in order of time */
  guint n_stretches;
  guint32 n;      /* number of records in all stretches */
  guint bits;     /* number of leading bits of the key that choose the partition (“hand”) */
  guint16 *first; /* per stretch: index of the first event of each partition, and the end of the last one */
} LoomFlowLinker;

/* Borrows the stretches. */
void loom_flow_linker_init (LoomFlowLinker *chains, LoomTraceBuilder *builder, const LoomFlowStretch *stretches,
                            guint n_stretches, guint32 n);
void loom_flow_linker_clear (LoomFlowLinker *chains);

/* Distributes the records of a stretch to partitions by key. `spans`: the span of each record. `room`: memory for
 * LOOM_FLOW_STRETCH_RECORDS events. Any thread. */
void loom_flow_linker_deal (LoomFlowLinker *chains, guint stretch, const guint32 *spans, LoomFlowEvent *room);

/* Call after all stretches were distributed: links events by key and name, then the remaining ones by key. Returns the
 * hops in no particular order, as LoomArrows for loom_flow_arrows_free(); events that are not an end of a hop between two
 * spans are counted in `tally`. Returns NULL if cancelled. */
GArray *loom_flow_linker_link (LoomFlowLinker *chains, LoomProblemCounts *tally, guint n_threads,
                               LoomProgress *progress);
