/* SPDX-License-Identifier: Apache-2.0
 *
 * Watches the main loop for turns that take too long. On when LOOM_WATCH_STALLS is set: to a number of milliseconds,
 * or to anything else for 50. Each stall is a line on standard error, followed by the backtrace at the moment when the turn had
 * used that much CPU time: names of functions of libraries, and addresses for addr2line -f -e for those of the program.
 */
#pragma once

#include <gtk/gtk.h>

/* Starts to watch the default main context if the environment asks for it. Call once, from the main thread. */
void loom_main_loop_watchdog_watch (void);
gboolean loom_main_loop_watchdog_are_watched (void);

/* Resets the maxima; the rest of the current turn counts. */
void loom_main_loop_watchdog_reset (void);

/* Names what the main thread is about to do, for the message about a stall; static text, NULL: nothing in
 * particular. */
void loom_main_loop_watchdog_note (const char *what);

/* The duration of the longest turn of the main loop so far, and the most CPU time that the main thread used in one
 * turn; the latter does not depend on how busy the machine is. */
gint64 loom_main_loop_watchdog_get_longest_us (void);
gint64 loom_main_loop_watchdog_get_longest_cpu_us (void);

/* From now on the time in which GTK lays out and draws this window, and windows made later, is not counted as
 * handlers' time. */
void loom_main_loop_watchdog_leave_out_drawing (GdkSurface *surface);
/* The most CPU time that handlers of events, timers and idles used in one turn, and the backtrace of that turn,
 * innermost function first; "" if it was below the limit. Owned. */
gint64 loom_main_loop_watchdog_get_longest_handler_us (void);
char *loom_main_loop_watchdog_dup_worst (void);
