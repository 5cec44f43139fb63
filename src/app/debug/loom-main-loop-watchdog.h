/* SPDX-License-Identifier: Apache-2.0
 *
 * Watches the main loop for turns that take too long. On when LOOM_WATCH_STALLS is set: to a number of milliseconds,
 * or to anything else for 50. Each stall is a line on standard error, and below it who called whom when the processor had computed
 * that long in the turn: names of libraries' functions, and for those of the program what addr2line -f -e wants.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Starts watching the default main context if the environment asks for it. Call once, from the main thread. */
void loom_main_loop_watchdog_watch (void);
gboolean loom_main_loop_watchdog_are_watched (void);

/* Counts from here on, the rest of the turn under way included. */
void loom_main_loop_watchdog_reset (void);

/* Names what the main thread is about to do, for the message; static text, NULL for nothing in particular. */
void loom_main_loop_watchdog_note (const char *what);

/* The longest turn of the main loop so far, and the most CPU time that the main thread used in one turn, which does not depend
 * on how busy the machine is. */
gint64 loom_main_loop_watchdog_get_longest_us (void);
gint64 loom_main_loop_watchdog_get_longest_cpu_us (void);

/* From here on the laying out and drawing that GTK does of this window, and of those that come after it, are not the handlers'. */
void loom_main_loop_watchdog_leave_out_drawing (GdkSurface *surface);
/* The most that handlers of events, timers and idles computed in one turn, and lines of who called whom in that turn, innermost
 * first; "" when it was below the limit. Owned. */
gint64 loom_main_loop_watchdog_get_longest_handler_us (void);
char *loom_main_loop_watchdog_dup_worst (void);

G_END_DECLS
