/* SPDX-License-Identifier: Apache-2.0
 *
 * Which profiles an interval asks for: formats/python-profiles.md §2 "Interval queries". Any thread.
 */
#pragma once

#include "loom-python-profile.h"

G_BEGIN_DECLS

/* Any overlap with the window, its ends included; a profile without times never. */
gboolean loom_python_profile_query_touches (const LoomPythonProfile *profile, LoomRange window);

typedef struct {
  gint64 first, last;         /* steps, both included */
  LoomPythonProfileMode mode; /* of both ends; NONE: any, as long as both are the same */
  LoomStepPart from, to;      /* the parts of the first and the last step that are asked for */
} LoomStepQuery;

/* From the start of `first` to the end of `last`. */
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

/* The node of the earliest profile: what "any node" means. NULL when there is none. Borrowed. */
const char *loom_python_profile_query_first_node (LoomPythonProfile *const *profiles, guint n);

G_END_DECLS
