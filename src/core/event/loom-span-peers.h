/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the duration of a span with the durations of the other spans of the same name: with the median on the span's
 * own rank, and with the median on the other ranks.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-worker.h"

typedef struct {
  gint64 duration_ns; /* duration of the examined span */
  /* numbers of spans with the name of the examined span. `n_own`: on the rank of the examined span, including the
   * examined span itself; `n_others`: on other ranks */
  guint64 n_own, n_others;
  /* Medians of durations in ns, with an error of at most 0.05 %. `own_median_ns`: of the `n_own` spans; NAN if `n_own`
   * is 0. `others_median_ns`: of the `n_others` spans; NAN if `n_others` is 0. */
  double own_median_ns, others_median_ns;
} LoomSpanPeers;

/* Compares the duration of a span with the durations of other spans of the same name. A collective or message is
 * compared only with those of the same name, size and number of ranks. Spans on devices are compared only with spans on
 * devices, and spans on hosts only with spans on hosts. If the rank of the span is unknown, the span is compared only
 * with spans of unknown rank in the same trace, which count as spans of its own rank. Blocks: O(spans of the run), so
 * call it in a worker. Needs about 900 KB, independently of the number of spans. Returns FALSE if cancelled, or if the
 * span is an instant. */
gboolean loom_span_peers_measure (LoomTimeline *timeline, LoomSpanId span, GCancellable *cancellable,
                                  LoomSpanPeers *peers);

/* Returns a translated text that compares the durations, for example "0.99 × the median of 34.7 ms; median of other
 * ranks: 28.0 ms". NULL if no other span has the name. Owned by the caller. */
char *loom_span_peers_describe (const LoomSpanPeers *peers);

/* Runs loom_span_peers_measure() and loom_span_peers_describe() in a worker (see loom_worker_start()). `done` receives
 * the description and owns it; it is NULL if no other span has the same name. */
void loom_span_peers_describe_async (GCancellable **running, LoomTimeline *timeline, LoomSpanId span,
                                     LoomWorkerDone done, gpointer owner);
