/* SPDX-License-Identifier: Apache-2.0
 *
 * Detects iterations of the main loop that take too long (stalls). The environment variable LOOM_WATCH_STALLS enables
 * it; its value is the limit in ms; if the value is not a number, the limit is 50 ms. For each stall, prints a line to
 * standard error and a backtrace that was recorded during the stall. The backtrace has function names for libraries,
 * and addresses for `addr2line -f -e` for the program itself.
 */
#pragma once

#include <gtk/gtk.h>

/* Starts measuring the iterations of the default main context if LOOM_WATCH_STALLS is set. Must be called once, on
 * the main thread. */
void loom_main_loop_watchdog_watch (void);
gboolean loom_main_loop_watchdog_are_watched (void);

/* Resets the longest times and the backtrace that the functions below return. The current iteration of the main loop
 * is measured only from this call on. */
void loom_main_loop_watchdog_reset (void);

/* Sets a static text about the current work of the main thread, which is printed if the work causes a stall. With
 * NULL, no text is printed. */
void loom_main_loop_watchdog_note (const char *what);

/* The next two functions return the longest duration of an iteration of the main loop, and the most CPU time that the
 * main thread used in one iteration. CPU time does not depend on the load of the machine. */
gint64 loom_main_loop_watchdog_get_longest_us (void);
gint64 loom_main_loop_watchdog_get_longest_cpu_us (void);

/* From now on, the CPU time in which GTK lays out and draws a window does not count as time of handlers. This
 * applies to the window of `surface` and to all windows that are created later. */
void loom_main_loop_watchdog_leave_out_drawing (GdkSurface *surface);
/* The next two functions return the most CPU time that handlers of events, timers and idles used in one iteration, and
 * the backtrace of that iteration, innermost function first; "" if the time was below the limit. The backtrace is owned
 * by the caller. */
gint64 loom_main_loop_watchdog_get_longest_handler_us (void);
char *loom_main_loop_watchdog_dup_worst (void);
