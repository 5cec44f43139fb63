/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints a plan: the ProfilerConfig of a request, profilerconfig.json for the container, Python for the SageMaker SDK,
 * or a schedule for PyTorch's or Composer's own profiler that profiles the same steps. The functions may be called on
 * any thread.
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

/* Converts the name of a kind, for example "request". Returns FALSE for other words. */
gboolean loom_profiler_plan_write_kind_from_string (const char *word, LoomProfilerPlanKind *kind);

/* Returns the text of a plan, with a line feed at the end; owned by the caller. The plan must have been checked. `base`
 * (may be NULL) is used only for the kinds REQUEST and CONTAINER: keys of `base` that a plan cannot express are kept,
 * also in nested objects. Returns NULL with LOOM_ERROR_RANGE if `kind` needs a schedule of steps, but the plan gives
 * times. */
char *loom_profiler_plan_write_print (const LoomProfilerPlan *plan, LoomProfilerPlanKind kind,
                                      const LoomProfilerConfig *base, GError **error);
