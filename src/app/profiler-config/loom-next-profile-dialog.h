/* SPDX-License-Identifier: Apache-2.0
 *
 * The dialog “Profile this range next time”: shows a configuration that profiles the steps (or seconds) of a range in
 * the next run, for SageMaker (request, profilerconfig.json, Python), PyTorch and Composer, to be copied or saved.
 * Called on the main thread.
 *
 * Signal: "edit" (gpointer LoomProfilerPlanRange) when the user wants the editor with all settings; the dialog closes.
 */
#pragma once

#include "loom-profiler-plan-write.h"
#include "loom-steps.h"

#include <adwaita.h>

#define LOOM_TYPE_NEXT_PROFILE_DIALOG (loom_next_profile_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomNextProfileDialog, loom_next_profile_dialog, LOOM, NEXT_PROFILE_DIALOG, AdwWindow)

/* Makes a dialog; show it with gtk_window_present(). `steps`: steps of the run; NULL: unknown. */
LoomNextProfileDialog *loom_next_profile_dialog_new (GtkWindow *parent, LoomSteps *steps, LoomRange range);
