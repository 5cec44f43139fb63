/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes windows measure their content once per layout. If the height of a window depends on its width, GTK searches for
 * the smallest size of the window after every change: it measures the whole content about a dozen times, and during
 * each of these measurements every wrapping label about a dozen times. This takes much longer than layout and drawing.
 */
#pragma once

#include <adwaita.h>

/* Must be called from the class_init of a window class. The minimum height of its windows is then measured only for
 * their current width. */
void loom_window_measure_workaround_install (GtkWidgetClass *klass);

/* Makes an AdwWindow whose content is measured once per layout, as loom_window_measure_workaround_install() does for
 * other classes. */
GtkWidget *loom_window_measure_workaround_window_new (void);
