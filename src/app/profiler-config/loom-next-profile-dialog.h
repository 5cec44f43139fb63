/* SPDX-License-Identifier: Apache-2.0
 *
 * The dialog “Profile this range next time”. It shows a configuration for profiling the steps (or seconds) of a range
 * in the next run. The configuration can be for SageMaker (request, profilerconfig.json or Python), for PyTorch or for
 * Composer; the user can copy or save it. Called on the main thread.
 *
 * Signal: "edit" (gpointer LoomProfilerPlanRange) when the user wants to open the editor with all settings; the dialog
 * then closes.
 */
#pragma once

#include "loom-profiler-plan-write.h"
#include "loom-steps.h"

#include <adwaita.h>

#define LOOM_TYPE_NEXT_PROFILE_DIALOG (loom_next_profile_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomNextProfileDialog, loom_next_profile_dialog, LOOM, NEXT_PROFILE_DIALOG, AdwWindow)

/* Makes a dialog; call gtk_window_present() to show it. `steps`: steps of the run; NULL if unknown. */
LoomNextProfileDialog *loom_next_profile_dialog_new (GtkWindow *parent, LoomSteps *steps, LoomRange range);
