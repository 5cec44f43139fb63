/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Links flow events of equal key into hops.
 */
#pragma once

#include "loom-parallel.h"
#include "loom-trace-private.h"

G_BEGIN_DECLS

typedef struct {
  LoomFlowRecord *records;
  guint32 n;
  guint32 first; /* number of the first one */
} LoomFlowStretch;

typedef struct {
  const LoomFlowStretch *stretches; /* records by time; at equal time beginnings before ends */
  guint n_stretches;
  const guint32 *spans;          /* per record: what it is bound to, or G_MAXUINT32 */
  guint32 n;
  const LoomNames *names;
  guint8 *is_drawn;              /* per record: it is an end of a hop between two spans; zero before */
} LoomFlowChains;

/* Links by key and name, then what is left by key. The hops, `n_arrows` of them in no order, for g_free (); NULL when
 * cancelled. */
LoomArrow *loom_flow_chains_link (LoomFlowChains *chains, guint n_threads, guint32 *n_arrows, LoomProgress *progress);

G_END_DECLS
