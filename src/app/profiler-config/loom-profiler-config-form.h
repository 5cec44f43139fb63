/* SPDX-License-Identifier: Apache-2.0
 *
 * A form to edit a SageMaker profiler configuration. Its rows are the arguments of the classes ProfilerConfig,
 * FrameworkProfile (with its five metric configurations) and Profiler in the SageMaker Python SDK. An empty row means
 * "not given"; its title states the default. An error that the SDK would report is shown in the row that causes the
 * error. A few rows are made per iteration of the main loop; functions that need all rows make the missing ones at
 * once. Called on the main thread.
 *
 * Signal: "changed" when all rows are made, and when the user changed a value.
 */
#pragma once

#include "loom-profiler-plan.h"

#include <adwaita.h>

#define LOOM_TYPE_PROFILER_CONFIG_FORM (loom_profiler_config_form_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfilerConfigForm, loom_profiler_config_form, LOOM, PROFILER_CONFIG_FORM, GtkBox)

/* Copies the plan's values into the rows, without emitting "changed". */
void loom_profiler_config_form_set_plan (LoomProfilerConfigForm *self, const LoomProfilerPlan *plan);
/* Sets the plan from the rows; the caller must clear the plan after use. A text that is not a number becomes a value
 * that the SageMaker Python SDK refuses. */
void loom_profiler_config_form_get_plan (LoomProfilerConfigForm *self, LoomProfilerPlan *plan);

/* Marks the rows of the settings for which `notes` contains a warning or an error about the plan. */
void loom_profiler_config_form_show_notes (LoomProfilerConfigForm *self, GPtrArray *notes);

/* For tests: returns the row of the setting with this key; NULL if no row has the key. Keys of a range, such as
 * "StartStep", are preceded by the key of the metric and a dot. */
GtkWidget *loom_profiler_config_form_find_row (LoomProfilerConfigForm *self, const char *key);
