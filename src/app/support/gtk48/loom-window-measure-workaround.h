/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the content of a window only once per layout. If the height of a window depends on its width, GTK searches
 * for the smallest size of the window after each change. For this, it measures the whole content about a dozen times,
 * and each time it measures every wrapping label about a dozen times. This takes much longer than layout and drawing.
 * Main thread only.
 */
#pragma once

#include <adwaita.h>

/* Must be called in the class_init function of a window class. After that, the minimum height of the windows of this
 * class is measured only for their current width. */
void loom_window_measure_workaround_install (GtkWidgetClass *klass);

/* Makes an AdwWindow whose minimum height is measured only for its current width, see
 * loom_window_measure_workaround_install(). */
GtkWidget *loom_window_measure_workaround_window_new (void);
