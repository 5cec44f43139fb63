/* SPDX-License-Identifier: Apache-2.0
 *
 * A button that opens a popover, in which the user edits the thresholds of the analyses: CPU and GPU utilization at
 * bottlenecks, duration of outlier steps, and imbalance between GPUs. The popover can also reset them. Called on the
 * main thread.
 *
 * Signal: "changed" when the user changed or reset a threshold.
 */
#pragma once

#include "loom-analysis-thresholds.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_THRESHOLD_BUTTON (loom_threshold_button_get_type ())
G_DECLARE_FINAL_TYPE (LoomThresholdButton, loom_threshold_button, LOOM, THRESHOLD_BUTTON, GtkWidget)

/* Sets the thresholds without emitting a signal. */
void loom_threshold_button_set (LoomThresholdButton *self, LoomAnalysisThresholds thresholds);
LoomAnalysisThresholds loom_threshold_button_get (LoomThresholdButton *self);
/* Resets all thresholds to LOOM_THRESHOLDS, as a click on the reset button does. */
void loom_threshold_button_reset (LoomThresholdButton *self);
