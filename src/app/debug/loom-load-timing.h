/* SPDX-License-Identifier: Apache-2.0
 *
 * Says how a window fares while it loads, when LOOM_WATCH_STALLS is set (see loom-main-loop-watchdog.h): how long the first source
 * that was ready waited for the picture that shows it, the longest turn of the main loop, the longest time between two
 * frames. Frames then follow each other while something loads, whether or not anything moves. Lines on standard error.
 */
#pragma once

#include "loom-document.h"

#include <gtk/gtk.h>

/* Measures every load of the document for as long as the window lives; does nothing without LOOM_WATCH_STALLS.
 * Connect the handlers that show the document before calling this. Main thread. */
void loom_load_timing_start (GtkWidget *window, LoomDocument *document);
