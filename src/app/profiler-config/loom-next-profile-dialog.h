/* SPDX-License-Identifier: Apache-2.0
 *
 * “Profile this range next time”: the steps (or seconds) of a range as the configuration of the next profile, for SageMaker
 * (request, profilerconfig.json, Python), PyTorch and Composer; to be copied or saved. Main thread.
 *
 * Signal: "edit" (gpointer LoomProfilerPlanRange), when more is to be set than the range; the dialog closes.
 */
#pragma once

#include "loom-profiler-plan-write.h"
#include "loom-steps.h"

#include <adwaita.h>

#define LOOM_TYPE_NEXT_PROFILE_DIALOG (loom_next_profile_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomNextProfileDialog, loom_next_profile_dialog, LOOM, NEXT_PROFILE_DIALOG, AdwWindow)

/* `steps` NULL: the run's steps are unknown. Show the dialog with gtk_window_present(). */
LoomNextProfileDialog *loom_next_profile_dialog_new (GtkWindow *parent, LoomSteps *steps, LoomRange range);
