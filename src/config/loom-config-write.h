/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as text: the ProfilerConfig of a request, profilerconfig.json for the container, Python for the SageMaker SDK, and
 * the schedules of PyTorch's and Composer's own profilers that profile the same steps. Any thread.
 */
#pragma once

#include "loom-config-plan.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_CONFIG_KIND_REQUEST,
  LOOM_CONFIG_KIND_CONTAINER,
  LOOM_CONFIG_KIND_PYTHON,
  LOOM_CONFIG_KIND_PYTORCH,
  LOOM_CONFIG_KIND_COMPOSER,
} LoomConfigKind;

/* "request", "container", "python", "pytorch", "composer"; FALSE for another word. */
gboolean loom_config_kind_from_string (const char *word, LoomConfigKind *kind);

/* The text of a checked plan, with a line feed at the end. With `base` (may be NULL; only for the request and the
 * container) its keys that a plan does not know are kept, at every level. NULL with LOOM_ERROR_RANGE when a schedule is
 * wanted of times. The caller owns it. */
char *loom_config_plan_print (const LoomConfigPlan *plan, LoomConfigKind kind, const LoomConfig *base, GError **error);

G_END_DECLS
