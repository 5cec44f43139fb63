/* SPDX-License-Identifier: Apache-2.0
 *
 * A button with the thresholds of the analyses behind it, and a way back to the usual ones. Main thread.
 *
 * Signal: "changed" when the person set another one.
 */
#pragma once

#include "loom-analysis-thresholds.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_THRESHOLD_BUTTON (loom_threshold_button_get_type ())
G_DECLARE_FINAL_TYPE (LoomThresholdButton, loom_threshold_button, LOOM, THRESHOLD_BUTTON, GtkWidget)

/* Sets the thresholds without emitting a signal. */
void loom_threshold_button_set (LoomThresholdButton *self, LoomAnalysisThresholds thresholds);
LoomAnalysisThresholds loom_threshold_button_get (LoomThresholdButton *self);
/* Resets to LOOM_THRESHOLDS, as a click on the reset button does. */
void loom_threshold_button_reset (LoomThresholdButton *self);
