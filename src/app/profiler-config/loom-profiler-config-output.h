/* SPDX-License-Identifier: Apache-2.0
 *
 * A planned configuration as the text that would be written: which kind, the text, and ways to copy and save it. Main
 * thread.
 *
 * Signals: "kind-changed"; "saving" before a place is asked for; "saved" once the text is there.
 */
#pragma once

#include "loom-profiler-plan-write.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PROFILER_CONFIG_OUTPUT (loom_profiler_config_output_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfilerConfigOutput, loom_profiler_config_output, LOOM, PROFILER_CONFIG_OUTPUT, GtkBox)

/* Prints the plan, keeping what `base` (may be NULL) has besides; nothing when the plan is refused. NULL, or why there is no text.
 * Owned. */
char *loom_profiler_config_output_show (LoomProfilerConfigOutput *self, const LoomProfilerPlan *plan,
                                        const LoomProfilerConfig *base, gboolean refused);

LoomProfilerPlanKind loom_profiler_config_output_get_kind (LoomProfilerConfigOutput *self);
void loom_profiler_config_output_set_kind (LoomProfilerConfigOutput *self, LoomProfilerPlanKind kind);
/* What would be copied; owned. */
char *loom_profiler_config_output_dup (LoomProfilerConfigOutput *self);

/* What buttons of the window around do, which are sensitive while "has-text": to the clipboard; to a place that is asked for. */
void loom_profiler_config_output_copy (LoomProfilerConfigOutput *self);
/* Nothing while there is no text. */
void loom_profiler_config_output_save (LoomProfilerConfigOutput *self);
gboolean loom_profiler_config_output_has_text (LoomProfilerConfigOutput *self);
/* The name that is proposed, and the folder; NULL: by the kind, any. */
void loom_profiler_config_output_set_path (LoomProfilerConfigOutput *self, const char *path);

G_END_DECLS
