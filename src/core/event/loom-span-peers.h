/* SPDX-License-Identifier: Apache-2.0
 *
 * A yardstick for the duration of a span: the medians of the spans of the same name, on its own rank and on the others.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-worker.h"

typedef struct {
  gint64 duration_ns; /* duration of the span itself */
  /* numbers of spans with its name: on its rank, including the span itself, and on other ranks */
  guint64 n_own, n_others;
  double own_median_ns, others_median_ns; /* medians in ns, at most 0.05 % off; NAN if there are no such spans */
} LoomSpanPeers;

/* Compares a span of a device only with spans of devices, and a span of a host only with spans of hosts. If the rank
 * is unknown, the spans of its trace count as spans of the same rank, and there are no spans of other ranks. Blocks:
 * O(spans of the run), so call it in a worker. Needs about 900 KB, whatever the number of spans. Returns FALSE if
 * cancelled, and if the span is an instant. */
gboolean loom_span_peers_measure (LoomTimeline *timeline, LoomSpanId span, GCancellable *cancellable,
                                  LoomSpanPeers *peers);

/* Returns a translated text, for example "0.99 × the median of 34.7 ms; other ranks 28.0 ms". NULL if no other span
 * has the name. Owned by the caller. */
char *loom_span_peers_describe (const LoomSpanPeers *peers);

/* Runs loom_span_peers_measure() and loom_span_peers_describe() in a worker (see loom_worker_start()); `done` receives
 * the text and owns it; NULL: there is none. */
void loom_span_peers_describe_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span,
                                     LoomWorkerDone done, gpointer owner);
