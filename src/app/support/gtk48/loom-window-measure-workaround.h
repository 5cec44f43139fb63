/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows whose content is measured once for a layout. For a window whose height depends on its width, GTK looks for the smallest
 * one of the same proportions, at every change within it: its whole content is measured a dozen times, and each text that wraps
 * as often again for each of these, which takes many times as long as to lay it out and draw it.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* For the class of a window, from its class_init: the smallest height is that at the width the window has. */
void loom_window_measure_workaround_install (GtkWidgetClass *klass);

/* An AdwWindow that does. */
GtkWidget *loom_window_measure_workaround_window_new (void);

G_END_DECLS
