/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that edits SageMaker profiler configurations. It has the form, the errors that the SageMaker SDK would
 * report, the effect of the configuration in the training container, and the text of each kind of file. Settings of an
 * opened file that have no row in the form are kept. Called on the main thread.
 */
#pragma once

#include "loom-profiler-config-form.h"
#include "loom-profiler-config-output.h"

#define LOOM_TYPE_PROFILER_CONFIG_EDITOR (loom_profiler_config_editor_get_type ())
G_DECLARE_FINAL_TYPE (LoomProfilerConfigEditor, loom_profiler_config_editor, LOOM, PROFILER_CONFIG_EDITOR, AdwWindow)

/* Makes an editor in which all settings have their defaults. Call gtk_window_present() to show it. */
LoomProfilerConfigEditor *loom_profiler_config_editor_new (GtkWindow *parent);

/* Replaces the contents with those of a file, without asking about unsaved changes. (The editor asks when the user
 * opens a file or closes the window.) */
void loom_profiler_config_editor_open (LoomProfilerConfigEditor *self, const char *path);
/* Replaces the contents with a plan, which is copied, without asking about unsaved changes. */
void loom_profiler_config_editor_set_plan (LoomProfilerConfigEditor *self, const LoomProfilerPlan *plan);

gboolean loom_profiler_config_editor_is_changed (LoomProfilerConfigEditor *self);
