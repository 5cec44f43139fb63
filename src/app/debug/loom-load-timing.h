/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints to standard error how responsive a window is while it loads, if LOOM_WATCH_STALLS is set (see loom-main-loop-watchdog.h):
 * the time from the first source that was ready to the frame that shows it, the longest turn of the main loop, and the longest time
 * between two frames. For the last figure it requests frames all the time while something loads.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Measures every load of the document for as long as the window lives; does nothing without LOOM_WATCH_STALLS.
 * Connect the handlers that show the document before calling this. Main thread. */
void loom_load_timing_start (GtkWidget *window, LoomDocument *document);
