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

/* The range in the form a plan has: the numbers of the training steps that overlap it, or its seconds if steps have
 * no numbers. */
LoomProfilerPlanRange loom_next_profile_dialog_range (LoomSteps *steps, LoomRange range);

void loom_next_profile_dialog_set_kind (LoomNextProfileDialog *self, LoomProfilerPlanKind kind);
/* The text that would be copied; owned. And the message about it. For tests. */
char *loom_next_profile_dialog_dup_text (LoomNextProfileDialog *self);
const char *loom_next_profile_dialog_get_words (LoomNextProfileDialog *self);
