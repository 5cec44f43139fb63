/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the duration of a span with the durations of the same call in other steps. A program often calls a function
 * many times in each step, with inputs of different sizes, so that a comparison with all spans of the name says little.
 *
 * The call number of a span is its position among the spans of its name (loom-same-name.h) that its rank launches or
 * begins in the same step, ordered by time: a kernel or copy counts with the start of the call on the host that
 * launched it, because kernels run asynchronously, often after the end of the step; a span on a host counts with its
 * own start. Two spans are the same call if they have the same call number, and their steps have equally many spans of
 * the name.
 *
 * Only those steps count that have the same format and the same kind of mode as the steps of the time ruler
 * (LoomSteps.reference): all are training steps, or all are steps of other modes. A rank is identified by its node and
 * its number (loom-rank-key.h). If the job is a pipeline, only ranks of the same stage are compared, because stages make
 * equally many calls, but in another order.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-steps.h"

typedef struct {
  guint32 number;          /* the call number of the span; the first call of a step is 0 */
  guint32 n_per_step;      /* number of spans of the name in the step of the span */
  guint32 n_own;           /* number of other steps of the span's rank in which the same call was found */
  guint32 n_others;        /* number of steps of other ranks in which the same call was found */
  double own_median_ns;    /* median duration of the same call in the `n_own` other steps, in ns */
  double others_median_ns; /* the same for the `n_others` steps of other ranks; NAN if n_others is 0 */
  gboolean of_stage;       /* TRUE: the other ranks are only those in the same stage of a pipeline */
} LoomSameCalls;

/* Compares a span, which must not be an instant, with the same call in other steps. Returns FALSE if the same call is
 * unknown: if the span is in no step, the launch of a kernel or copy is unknown, a rank has more than 4 million spans of
 * the name, or the number of spans of the name varies too much: at least half of the steps of the rank, and at least 3,
 * must have equally many spans of the name as the step of the span. Also returns FALSE if cancelled, or if the args of
 * more than 262,144 events must be read from the files to find launches (loom-launch-ids.h). `steps` may be NULL.
 * `collectives` are those of the run, and state the stages of pipelines; NULL: all ranks are compared. Any thread.
 *
 * O(steps + spans of the run + n · log n), where n is the number of spans of the name; up to 36 bytes for each span of
 * the name on one rank. The first call for a trace also finds its launches: O(kernels) and, if they must be read from
 * the file, 1 µs for each launch. The first call for `collectives` finds the stages (loom-parallel-axes.h). */
gboolean loom_same_calls_measure (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives,
                                  LoomSpanId span, GCancellable *cancellable, LoomSameCalls *calls);
