/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures how responsive a window is while it loads a run, if LOOM_WATCH_STALLS is set (see
 * loom-main-loop-watchdog.h). Prints to standard error: the time from when the first source is ready to the frame that
 * shows it, the longest iteration of the main loop, and the longest time between two frames. Requests frames
 * continuously during the load, to measure the time between frames.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Measures each load of the document as long as the window exists; does nothing if LOOM_WATCH_STALLS is not set.
 * Must be called after the handlers that show the document are connected. Called on the main thread. */
void loom_load_timing_start (GtkWidget *window, LoomDocument *document);
