/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as text: the ProfilerConfig of a request, profilerconfig.json for the container, Python for the SageMaker SDK, and
 * the schedules of PyTorch's and Composer's own profilers that profile the same steps. Any thread.
 */
#pragma once

#include "loom-profiler-plan.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_PROFILER_PLAN_KIND_REQUEST,
  LOOM_PROFILER_PLAN_KIND_CONTAINER,
  LOOM_PROFILER_PLAN_KIND_PYTHON,
  LOOM_PROFILER_PLAN_KIND_PYTORCH,
  LOOM_PROFILER_PLAN_KIND_COMPOSER,
} LoomProfilerPlanKind;

/* "request", "container", "python", "pytorch", "composer"; FALSE for another word. */
gboolean loom_profiler_plan_write_kind_from_string (const char *word, LoomProfilerPlanKind *kind);

/* The text of a checked plan, with a line feed at the end. With `base` (may be NULL; only for the request and the
 * container) its keys that a plan does not know are kept, at every level. NULL with LOOM_ERROR_RANGE when a schedule is
 * wanted of times. The caller owns it. */
char *loom_profiler_plan_write_print (const LoomProfilerPlan *plan, LoomProfilerPlanKind kind,
                                      const LoomProfilerConfig *base, GError **error);

G_END_DECLS
