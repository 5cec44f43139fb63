/* SPDX-License-Identifier: Apache-2.0
 *
 * What the classes of the SageMaker SDK take, as rows to fill in: ProfilerConfig, FrameworkProfile with its five metric
 * configurations, Profiler. An empty row is "not given"; its title says the default. What the SDK refuses is said in its
 * words, in the row it is about. Rows come a few per turn of the main loop; who asks for what they say has all of them at once.
 * Main thread.
 *
 * Signal: "changed" when all rows have come, and when a person changed something.
 */
#pragma once

#include "loom-profiler-plan.h"

#include <adwaita.h>

#define LOOM_TYPE_PROFILER_CONFIG_FORM (loom_profiler_config_form_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfilerConfigForm, loom_profiler_config_form, LOOM, PROFILER_CONFIG_FORM, GtkBox)

/* Copies the plan's values into the rows, without emitting "changed". */
void loom_profiler_config_form_set_plan (LoomProfilerConfigForm *self, const LoomProfilerPlan *plan);
/* Sets the plan from the rows; the caller clears the plan. A text that is no number becomes a value that the SDK
 * refuses. */
void loom_profiler_config_form_get_plan (LoomProfilerConfigForm *self, LoomProfilerPlan *plan);

/* Marks the rows that the notes refer to. */
void loom_profiler_config_form_show_notes (LoomProfilerConfigForm *self, GPtrArray *notes);

/* For tests: the row of a key of the request. "StartStep" and similar keys are preceded by the metric's key and a
 * dot. NULL: none. */
GtkWidget *loom_profiler_config_form_find_row (LoomProfilerConfigForm *self, const char *key);
