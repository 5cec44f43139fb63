/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows whose content is measured once for a layout. For a window whose height depends on its width, GTK looks for the smallest
 * one of the same proportions, at every change within it: its whole content is measured a dozen times, and each text that wraps
 * as often again for each of these, which takes many times as long as to lay it out and draw it.
 */
#pragma once

#include <adwaita.h>

/* Call from the class_init of a window class: its minimum height is then measured at the window's current width. */
void loom_window_measure_workaround_install (GtkWidgetClass *klass);

/* An AdwWindow with that measure(). */
GtkWidget *loom_window_measure_workaround_window_new (void);
