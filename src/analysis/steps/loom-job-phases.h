/* SPDX-License-Identifier: Apache-2.0
 *
 * The phases of the job: initialisation, training loop and finalisation. If a range is given, the phases of the whole
 * run are computed and then clipped to the range. Exception: with LOOM_NUMBER_CONVENTION_SMDEBUG, the phases are
 * computed only from the rows in the range. Pure, any thread, O(rows of the whole run).
 */
#pragma once

#include "loom-data-frame.h"

typedef struct {
  gboolean has_samples; /* TRUE if there are samples; if FALSE, the start and the end of the job are unknown (0) */
  gboolean has_loop;    /* FALSE: there are no training steps, or is_loose is TRUE */
  /* TRUE: there are steps, but has_loop is FALSE, because the clock of the steps cannot be compared with the clock of
   * the samples */
  gboolean is_loose;
  gboolean is_loop_outside; /* TRUE if the whole training loop is before or after the range */
  gint64 job_begin_ns, job_end_ns;
  /* if is_loop_outside is TRUE, both members are the instant 1 ns before or 1 ns after the range */
  gint64 loop_begin_ns, loop_end_ns;
  /* Time before the training loop, counted from the first sample or, if numbers are computed as smdebug does, from
   * LoomDataFrame.origin_ns. */
  gint64 initialization_ns;
  gint64 training_loop_ns;
  gint64 finalization_ns;
} LoomJobPhases;

LoomJobPhases loom_job_phases_compute (const LoomDataFrame *frame);

/* Returns TRUE if an instant is in the training loop; FALSE if it is not, or if there is no loop. Usually, the first
 * and the last instant of the loop count as inside; if numbers are computed as smdebug does, they count as outside. */
gboolean loom_job_phases_in_loop (const LoomJobPhases *phases, LoomNumberConvention numbers, gint64 time_ns);
