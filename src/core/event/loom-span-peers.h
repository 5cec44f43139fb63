/* SPDX-License-Identifier: Apache-2.0
 *
 * A yardstick for the duration of a span: the medians of the spans of the same name, on its own rank and on the others.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-worker.h"

typedef struct {
  gint64 duration_ns;                     /* duration of the span itself */
  guint64 n_own, n_others;                /* spans of its name on its rank, including itself, and on other ranks */
  double own_median_ns, others_median_ns; /* NAN without such spans; at most 0.05 % off */
} LoomSpanPeers;

/* Compares spans of devices only with spans of devices, and those of hosts with hosts. If the rank is unknown, the
 * spans of its trace count as spans of the same rank, and there are no spans of other ranks. Blocks: O(spans of the
 * run), so call it in a worker. Needs about 900 KB, whatever the number of spans. Returns FALSE if cancelled, and for
 * an instant. */
gboolean loom_span_peers_measure (LoomTimeline *timeline, LoomSpanId span, GCancellable *cancellable,
                                  LoomSpanPeers *peers);

/* "0.99 × the median of 34.7 ms; other ranks 28.0 ms"; NULL if no other span has the name. Translated. Owned by the
 * caller. */
char *loom_span_peers_describe (const LoomSpanPeers *peers);

/* Runs loom_span_peers_measure() and loom_span_peers_describe() in a worker (see loom_worker_start()); `done` receives
 * the text and owns it; NULL: there is none. */
void loom_span_peers_describe_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span,
                                     LoomWorkerDone done, gpointer owner);
