/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows a plan as the text of a kind that the user chooses, and copies and saves this text. Called on the main thread.
 *
 * Property: "has-text", FALSE while the plan cannot be written.
 *
 * Signals: "kind-changed"; "saving" before the file chooser opens; "saved" once the file is written.
 */
#pragma once

#include "loom-profiler-plan-write.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PROFILER_CONFIG_OUTPUT (loom_profiler_config_output_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfilerConfigOutput, loom_profiler_config_output, LOOM, PROFILER_CONFIG_OUTPUT, GtkBox)

/* Shows the plan as text, keeping the other members of `base` (may be NULL); shows no text if the plan is refused.
 * Returns NULL, or why there is no text. Owned. */
char *loom_profiler_config_output_show (LoomProfilerConfigOutput *self, const LoomProfilerPlan *plan,
                                        const LoomProfilerConfig *base, gboolean refused);

LoomProfilerPlanKind loom_profiler_config_output_get_kind (LoomProfilerConfigOutput *self);
void loom_profiler_config_output_set_kind (LoomProfilerConfigOutput *self, LoomProfilerPlanKind kind);
/* The text that would be copied; owned. */
char *loom_profiler_config_output_dup (LoomProfilerConfigOutput *self);

/* For buttons of the surrounding window, which are enabled while "has-text" is TRUE: the first function copies the text
 * to the clipboard, the second asks for a file name and saves the text. */
void loom_profiler_config_output_copy (LoomProfilerConfigOutput *self);
/* Does nothing while there is no text. */
void loom_profiler_config_output_save (LoomProfilerConfigOutput *self);
gboolean loom_profiler_config_output_has_text (LoomProfilerConfigOutput *self);
/* Sets the suggested file name and folder; NULL: the name of the kind, and any folder. */
void loom_profiler_config_output_set_path (LoomProfilerConfigOutput *self, const char *path);
