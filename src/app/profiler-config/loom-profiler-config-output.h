/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows a profiling plan (LoomProfilerPlan) as the text of a file, for example of profilerconfig.json.
 * The user chooses the kind of file, and can copy and save the text. Called on the main thread.
 *
 * Property: "has-text", FALSE if the plan cannot be written as text.
 *
 * Signals: "kind-changed" when another kind of file is chosen; "saving" before the file chooser opens; "saved" when the
 * file is written.
 */
#pragma once

#include "loom-profiler-plan-write.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PROFILER_CONFIG_OUTPUT (loom_profiler_config_output_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfilerConfigOutput, loom_profiler_config_output, LOOM, PROFILER_CONFIG_OUTPUT, GtkBox)

/* Shows the plan as text. Members of `base` (may be NULL) that the plan does not set are kept in the text. `refused`:
 * TRUE if the SageMaker SDK would refuse the plan; then no text is shown. Returns NULL if a text is shown; otherwise
 * returns the reason, owned by the caller. */
char *loom_profiler_config_output_show (LoomProfilerConfigOutput *self, const LoomProfilerPlan *plan,
                                        const LoomProfilerConfig *base, gboolean refused);

LoomProfilerPlanKind loom_profiler_config_output_get_kind (LoomProfilerConfigOutput *self);
void loom_profiler_config_output_set_kind (LoomProfilerConfigOutput *self, LoomProfilerPlanKind kind);
/* Returns the text that is shown; owned by the caller. */
char *loom_profiler_config_output_dup (LoomProfilerConfigOutput *self);

/* Copies the text to the clipboard. The window around this widget has a button that calls this function while
 * "has-text" is TRUE. */
void loom_profiler_config_output_copy (LoomProfilerConfigOutput *self);
/* Shows a file dialog and saves the text; does nothing while there is no text. The window around this widget has a
 * button "Save" that also calls this function. */
void loom_profiler_config_output_save (LoomProfilerConfigOutput *self);
gboolean loom_profiler_config_output_has_text (LoomProfilerConfigOutput *self);
/* Sets the path that the file dialog suggests. With NULL, it suggests a file name that depends on the kind of
 * output, and no folder. */
void loom_profiler_config_output_set_path (LoomProfilerConfigOutput *self, const char *path);
