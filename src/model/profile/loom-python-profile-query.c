/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-python-profile-query.h"

gboolean
loom_python_profile_query_has_steps (const LoomPythonProfile *profile, const LoomStepQuery *query)
{
  const LoomPythonProfilePoint *start = &profile->start, *end = &profile->end;
  if (start->step == LOOM_STEP_NONE || end->step == LOOM_STEP_NONE || start->mode != end->mode)
    return FALSE;
  if (query->mode != LOOM_MODE_NONE && start->mode != query->mode)
    return FALSE;
  if (query->first < start->step && query->last > end->step)
    return TRUE;
  if (query->first > start->step || query->last < end->step)
    return FALSE;
  gboolean from_later = query->from == LOOM_PART_FORWARD_PASS_END || query->from == LOOM_PART_STEP_END;
  if (start->step == query->first && from_later && start->part != query->from)
    return FALSE;
  return !(end->step == query->last && query->to == LOOM_PART_STEP_START && end->part != query->to);
}

LoomJobPhase
loom_python_profile_query_get_job_phase (const LoomPythonProfile *profile)
{
  if (profile->start.mode == LOOM_MODE_PRE_STEP_ZERO)
    return LOOM_JOB_PHASE_INITIALISATION;
  return profile->end.mode == LOOM_MODE_POST_HOOK_CLOSE ? LOOM_JOB_PHASE_FINALISATION : LOOM_JOB_PHASE_TRAINING;
}
