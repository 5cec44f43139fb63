/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures how long handlers block the main loop: the CPU time of the main thread in one iteration, so that other
 * processes do not matter. Layout and drawing of frames are excluded: they are GTK's work and slower here, with the
 * software renderer, than on a screen.
 */
#pragma once

#include "fixture.h"

#include "loom-main-loop-watchdog.h"

#define LIMIT_MS 8
#define LIMIT_US (LIMIT_MS * 1000)

/* Returns the limit for one iteration. Benchmark: LIMIT_US, scaled up on machines that are slow to open an empty About
 * window. Tests: a quarter of a second. */
gint64 stalls_limit_us (void);
/* Returns the limit for something that is shown for the first time, twice the usual one: even an empty About window
 * takes 10 to 16 ms. */
gint64 stalls_first_limit_us (void);
/* Runs `play` several times. Returns the shortest time of the runs; the time of a run is that of its longest handler.
 * Stops at the first run of at most `enough_us`. */
gint64 stalls_least_us (void (*play) (gconstpointer data), gconstpointer data, gint64 enough_us);
/* Like stalls_least_us(), but returns the median of the runs instead of the minimum. Used for reference values, where
 * one measurement that is too low would make all comparisons fail. */
gint64 stalls_middle_us (void (*play) (gconstpointer data), gconstpointer data);

/* stalls_init() opens the window; stalls_run() runs the tests that were added. */
void stalls_init (int *argc, char ***argv);
int stalls_run (void);

LoomWindow *stalls_window (void);
/* stalls_renew() replaces the window by an empty one; stalls_load() opens the sample in a new window. */
void stalls_renew (void);
void stalls_load (gconstpointer data);
/* Waits until the main loop is idle and the worker threads are too. */
void stalls_settle (void);
/* Closes all other windows. */
void stalls_close_others (void);

/* Scrolls right after a frame: GTK 4.8 warns when it scrolls to rows that are not laid out yet. */
void stalls_scroll_to (GtkAdjustment *adjustment, double value);

typedef void (*StallsPlay) (gconstpointer data);

/* Runs `play` several times and closes other windows after each try. Fails if every try exceeds the
 * limit, and prints the functions that took the time: slow code is slow in every try, a busy
 * processor only in some. */
void stalls_check (const char *what, StallsPlay play, gconstpointer data);
/* Runs `play` for each name, each try in a new window, with twice the limit because widgets are built for the first
 * time. */
void stalls_check_firsts (const char *const *names, guint n, StallsPlay play);

/* Resolves a line of loom_main_loop_watchdog_dup_worst() to "function at file" if it belongs to this program. The
 * caller owns the result. */
char *stalls_dup_named (const char *line);
