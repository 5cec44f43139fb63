/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the Python profiles that belong to an interval of time, or to an interval of training steps. May be called on
 * any thread.
 */
#pragma once

#include "loom-python-profile.h"

typedef struct {
  gint64 first, last; /* numbers of the first and the last step, both included */
  /* wanted mode of the first and the last step; LOOM_MODE_NONE: any mode, but the same for both */
  LoomPythonProfileMode mode;
  /* the part of the first step with which the interval begins, and the part of the last step with which it ends */
  LoomStepPart from, to;
} LoomStepQuery;

/* A query for the interval from the start of step `first` to the end of step `last`. */
#define LOOM_STEP_QUERY(first, last)                                          \
  {                                                                           \
    (first), (last), LOOM_MODE_NONE, LOOM_PART_STEP_START, LOOM_PART_STEP_END \
  }

gboolean loom_python_profile_query_has_steps (const LoomPythonProfile *profile, const LoomStepQuery *query);

typedef enum {
  LOOM_JOB_PHASE_INITIALISATION,
  LOOM_JOB_PHASE_TRAINING,
  LOOM_JOB_PHASE_FINALISATION,
} LoomJobPhase;

LoomJobPhase loom_python_profile_query_get_job_phase (const LoomPythonProfile *profile);
