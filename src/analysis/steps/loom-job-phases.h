/* SPDX-License-Identifier: Apache-2.0
 *
 * Phases of the job: when it initialised, trained and finished. For a range, the phases of the whole run are cut to the
 * range; with LOOM_NUMBER_CONVENTION_SMDEBUG, they are computed from the rows in the range alone. Pure, any thread,
 * O(rows of the whole run).
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  gboolean has_samples; /* TRUE if there are samples; otherwise start and end of the job are unknown (0) */
  gboolean has_loop;    /* FALSE: there are no training steps, or is_loose is TRUE */
  /* TRUE if has_loop is FALSE although there are steps, because the clock of the steps cannot be compared with the
   * clock of the samples */
  gboolean is_loose;
  gboolean is_loop_outside; /* TRUE if the whole training loop is before or after the range */
  gint64 job_begin_ns, job_end_ns;
  gint64 loop_begin_ns, loop_end_ns; /* if is_loop_outside, both are 1 ns before or after the range */
  /* time before the training loop, counted from the first sample or, if numbers are computed as smdebug does, from
   * LoomDataFrame.origin_ns */
  gint64 initialization_ns;
  gint64 training_loop_ns;
  gint64 finalization_ns;
} LoomJobPhases;

LoomJobPhases loom_job_phases_compute (const LoomDataFrame *frame);

/* Returns TRUE if an instant is in the training loop. Both ends belong to the loop or, if numbers are computed as
 * smdebug does, neither of them. FALSE if there is no loop. */
gboolean loom_job_phases_in_loop (const LoomJobPhases *phases, LoomNumberConvention numbers, gint64 time_ns);
