/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Links flow events of equal key into hops.
 */
#pragma once

#include "loom-flow-arrows.h"
#include "loom-parallel.h"
#include "loom-problem-counts.h"
#include "loom-trace-private.h"

G_BEGIN_DECLS

/* At most, in a stretch. */
#define LOOM_FLOW_STRETCH_RECORDS 4096

typedef struct {
  LoomFlowRecord *records; /* by time; at equal time beginnings before ends. Once dealt: LoomFlowEvent, hand by hand */
  guint32 n;
  guint32 first; /* number of the first one */
} LoomFlowStretch;

/* What is left of a record that is bound. It takes the place of the record. */
typedef struct {
  guint64 key; /* 0 joins nothing */
  LoomRef ref;
  guint32 span; /* G_MAXUINT32 when it is bound to none */
  guint32 name_id;
  guint32 thread; /* of the builder */
  guint8 phase, marks;
} LoomFlowEvent;

G_STATIC_ASSERT (sizeof (LoomFlowEvent) <= sizeof (LoomFlowRecord));

typedef struct {
  LoomTraceBuilder *builder;
  const LoomFlowStretch *stretches; /* by time */
  guint n_stretches;
  guint32 n;      /* records of all of them */
  guint bits;     /* of the key, that choose the hand */
  guint16 *first; /* per stretch and hand, and one more per stretch: the hand's first event */
} LoomFlowLinker;

/* Borrows the stretches. */
void loom_flow_linker_init (LoomFlowLinker *chains, LoomTraceBuilder *builder, const LoomFlowStretch *stretches,
                            guint n_stretches, guint32 n);
void loom_flow_linker_clear (LoomFlowLinker *chains);

/* Deals a stretch out: `spans` per record, what it is bound to. `room` for LOOM_FLOW_STRETCH_RECORDS events. Any thread. */
void loom_flow_linker_deal (LoomFlowLinker *chains, guint stretch, const guint32 *spans, LoomFlowEvent *room);

/* Once all are dealt: links by key and name, then what is left by key. The hops in no order, LoomArrows for
 * loom_flow_arrows_free (); events that are no end of one between two spans are added to the tally. NULL when cancelled. */
GArray *loom_flow_linker_link (LoomFlowLinker *chains, LoomProblemCounts *tally, guint n_threads,
                               LoomProgress *progress);

G_END_DECLS
