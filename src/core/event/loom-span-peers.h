/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the duration of a span with the durations of the other spans of the same name: with their median on its own
 * rank, and with their median on the other ranks.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-worker.h"

typedef struct {
  gint64 duration_ns; /* duration of the examined span */
  /* numbers of spans that have the same name as the span: `n_own` on its rank, including the span itself; `n_others` on
   * other ranks */
  guint64 n_own, n_others;
  /* median of the durations of the `n_own` spans, and of the `n_others` spans, in ns, at most 0.05 % off; NAN: there
   * are no such spans */
  double own_median_ns, others_median_ns;
} LoomSpanPeers;

/* Compares the duration of a span with the durations of other spans of the same name. A collective or message is
 * compared only with those of the same name, size and number of ranks. Spans of devices are compared only with spans of
 * devices, and spans of hosts only with spans of hosts. If the rank is unknown, all spans of the same trace count as
 * spans of the same rank, and there are no spans of other ranks. Blocks: O(spans of the run), so call it in a worker.
 * Needs about 900 KB, independently of the number of spans. Returns FALSE if cancelled, or if the span is an
 * instant. */
gboolean loom_span_peers_measure (LoomTimeline *timeline, LoomSpanId span, GCancellable *cancellable,
                                  LoomSpanPeers *peers);

/* Returns a translated text that compares the durations, for example "0.99 × the median of 34.7 ms; median of other
 * ranks: 28.0 ms". NULL if no other span has the name. Owned by the caller. */
char *loom_span_peers_describe (const LoomSpanPeers *peers);

/* Runs loom_span_peers_measure() and loom_span_peers_describe() in a worker (see loom_worker_start()). `done` receives
 * the description and owns it; it is NULL if no other span has the same name. */
void loom_span_peers_describe_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span,
                                     LoomWorkerDone done, gpointer owner);
