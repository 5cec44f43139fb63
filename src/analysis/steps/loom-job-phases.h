/* SPDX-License-Identifier: Apache-2.0
 *
 * When the job initialised, trained and finished: formats/analysis.md §3. In a range these are the phases of the whole run,
 * cut to the range; as written they are made from what lies in the range. Pure, any thread, O(rows of the whole run).
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

typedef struct {
  gboolean has_samples;     /* else the job's begin and end are unknown (0) */
  gboolean has_loop;        /* else there are no training steps to go by */
  gboolean is_loose;        /* steps there are, on a clock that cannot be laid over the samples: has_loop is FALSE */
  gboolean is_loop_outside; /* there is a loop, and all of it lies before or behind the range */
  gint64 job_begin_ns, job_end_ns;
  gint64 loop_begin_ns,
    loop_end_ns;            /* of a loop outside of the range: equal, 1 ns off the end of the range next to it */
  gint64 initialization_ns; /* as written: from the origin, not from the first sample */
  gint64 training_loop_ns;
  gint64 finalization_ns;
} LoomJobPhases;

LoomJobPhases loom_job_phases_compute (const LoomDataFrame *frame);

/* Whether an instant is in the loop: with both ends, as written without them. FALSE when there is no loop. */
gboolean loom_job_phases_in_loop (const LoomJobPhases *phases, LoomNumberConvention numbers, gint64 time_ns);

G_END_DECLS
