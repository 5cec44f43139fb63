/* SPDX-License-Identifier: Apache-2.0
 *
 * A window to write profiler configurations in: the fields of the SDK's classes, what the SDK refuses and what the reader in
 * the container makes of the rest, the text of every kind. A file that is there can be opened; what no field knows stays in
 * it. Main thread.
 */
#pragma once

#include "loom-profiler-config-form.h"
#include "loom-profiler-config-output.h"

G_BEGIN_DECLS

#define LOOM_TYPE_PROFILER_CONFIG_EDITOR (loom_profiler_config_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfilerConfigEditor, loom_profiler_config_editor, LOOM, PROFILER_CONFIG_EDITOR, AdwWindow)

/* With every default. Show it with gtk_window_present(). */
LoomProfilerConfigEditor *loom_profiler_config_editor_new (GtkWindow *parent);

/* Both without a question: what a person does instead, and closing, asks about what was changed and not saved. */
void loom_profiler_config_editor_open (LoomProfilerConfigEditor *self, const char *path);
/* Instead of what is there; copied. */
void loom_profiler_config_editor_set_plan (LoomProfilerConfigEditor *self, const LoomProfilerPlan *plan);

LoomProfilerConfigForm *loom_profiler_config_editor_get_form (LoomProfilerConfigEditor *self);
LoomProfilerConfigOutput *loom_profiler_config_editor_get_text (LoomProfilerConfigEditor *self);
gboolean loom_profiler_config_editor_is_changed (LoomProfilerConfigEditor *self);
gboolean loom_profiler_config_editor_is_busy (LoomProfilerConfigEditor *self);

/* For tests: lines of what is said of the file as it was opened, of what would be written, and what that does. */
char *loom_profiler_config_editor_dup_opened (LoomProfilerConfigEditor *self);
char *loom_profiler_config_editor_dup_notes (LoomProfilerConfigEditor *self);
char *loom_profiler_config_editor_dup_effect (LoomProfilerConfigEditor *self);

G_END_DECLS
