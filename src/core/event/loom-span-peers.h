/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the duration of a span with the durations of other spans: with the median on the span's own rank, and with
 * the median on the other ranks. The other spans are the same call in other steps (loom-same-calls.h) or, if that is
 * unknown, all spans of the same name.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-steps.h"
#include "loom-timeline.h"
#include "loom-worker.h"

typedef struct {
  gint64 duration_ns; /* duration of the examined span */
  /* Numbers of spans with which the span is compared. `n_own`: on the rank of the examined span. `n_others`: on other
   * ranks. If the span is compared by name, `n_own` includes the examined span itself; if it is compared with the same
   * call in other steps, it does not. */
  guint64 n_own, n_others;
  /* Medians of durations in ns. `own_median_ns`: of the `n_own` spans; NAN if `n_own` is 0. `others_median_ns`: of the
   * `n_others` spans; NAN if `n_others` is 0. If the span is compared by name, the error is at most 0.05 %. */
  double own_median_ns, others_median_ns;
  /* If the span is compared with the same call in other steps: which call of its step it is, from 1, and the number of
   * spans of the name in this step. `n_calls` is 0 if the span is compared by name. */
  guint32 call, n_calls;
  gboolean of_stage; /* TRUE: the other ranks are only those in the same stage of a pipeline */
} LoomSpanPeers;

/* Compares the duration of a span with the durations of the same call in other steps; if this call is unknown, or
 * `steps` is NULL, with those of all spans of the same name (loom-same-name.h). `collectives` state the stages of
 * pipelines, see loom-same-calls.h; may be NULL. By name, a collective or message is
 * compared only with those of the same name, size and number of ranks. If the rank of the span is unknown, the span is
 * compared only with spans of unknown rank in the same trace, which count as spans of its own rank. Blocks: O(spans of
 * the run), and n · log n for the n spans of the name, so call it in a worker. By name, it needs about 900 KB,
 * independently of the number of spans; for the same call, see loom-same-calls.h. Returns FALSE if cancelled, or if the
 * span is an instant. */
gboolean loom_span_peers_measure (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives,
                                  LoomSpanId span, GCancellable *cancellable, LoomSpanPeers *peers);

/* Returns a translated text that compares the durations, for example "0.99 × the median of 34.7 ms; median of other
 * ranks: 28.0 ms" for spans of the same name. For the same call, the text has two lines, such as "1.40 × the median of
 * 71.0 µs in other steps" and "Median of other ranks: 70.9 µs"; the second line is omitted if there are no other ranks.
 * NULL if there is no other span. Owned by the caller. */
char *loom_span_peers_describe (const LoomSpanPeers *peers);

/* Runs loom_span_peers_measure() in a worker (see loom_worker_start()). `steps` and `collectives` may be NULL. `done` receives a
 * LoomSpanPeers, and frees it with g_free(); NULL if the span is an instant. */
void loom_span_peers_measure_async (GCancellable **running, LoomTimeline *timeline, LoomSteps *steps,
                                    LoomCollectives *collectives, LoomSpanId span, LoomWorkerDone done, gpointer owner);
