/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures how responsive a window is while it loads, if LOOM_WATCH_STALLS is set (see loom-main-loop-watchdog.h).
 * Prints to standard error: the time from when the first source was ready to the frame that shows it, the longest
 * iteration of the main loop, and the longest time between two frames. For the last value it requests frames
 * continuously during the load.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Measures every load of the document for as long as the window lives; does nothing without LOOM_WATCH_STALLS.
 * Connect the handlers that show the document before calling this. Called on the main thread. */
void loom_load_timing_start (GtkWidget *window, LoomDocument *document);
