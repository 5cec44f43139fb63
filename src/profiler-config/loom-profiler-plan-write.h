/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints a plan: the ProfilerConfig of a request, profilerconfig.json for the container, Python for the SageMaker SDK,
 * or a schedule for PyTorch's or Composer's own profiler that profiles the same steps. Any thread.
 */
#pragma once

#include "loom-profiler-plan.h"

typedef enum {
  LOOM_PROFILER_PLAN_KIND_REQUEST,
  LOOM_PROFILER_PLAN_KIND_CONTAINER,
  LOOM_PROFILER_PLAN_KIND_PYTHON,
  LOOM_PROFILER_PLAN_KIND_PYTORCH,
  LOOM_PROFILER_PLAN_KIND_COMPOSER,
} LoomProfilerPlanKind;

/* Converts "request", "container", "python", "pytorch" or "composer". Returns FALSE for other words. */
gboolean loom_profiler_plan_write_kind_from_string (const char *word, LoomProfilerPlanKind *kind);

/* Returns the text of a plan, which must have been checked, with a line feed at the end. `base` (may be NULL) is used
 * only for the request and the container: its keys that plans don't have are kept at every level. Returns NULL with
 * LOOM_ERROR_RANGE if a schedule is wanted, but the plan gives times instead of steps. Owned by the caller. */
char *loom_profiler_plan_write_print (const LoomProfilerPlan *plan, LoomProfilerPlanKind kind,
                                      const LoomProfilerConfig *base, GError **error);
