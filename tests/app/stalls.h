/* SPDX-License-Identifier: Apache-2.0
 *
 * What counts is the processor time of the main thread in one turn of its loop, so that a busy machine changes nothing; laying out and
 * drawing a frame is left out, which is GTK's work and, with the software renderer of the tests, slower than on a screen.
 */
#pragma once

#include "fixture.h"

#include "loom-main-loop-watchdog.h"

#define LIMIT_MS 8
#define LIMIT_US (LIMIT_MS * 1000)

/* In the benchmark LIMIT_US, and on a machine that takes longer for a window of libadwaita's own as much more; in the test a quarter of
 * a second. */
gint64 stalls_limit_us (void);
/* Of what is shown for the first time: an empty window About takes 10 to 16 ms, whatever else the two threads of a core do. */
gint64 stalls_first_limit_us (void);
/* The least of some tries, of which the first that is no more than `enough_us` is the last. */
gint64 stalls_least_us (void (*play) (gconstpointer data), gconstpointer data, gint64 enough_us);
/* The middle one of some tries: for what others are compared with, where one try that measured too little would make all of them fail. */
gint64 stalls_middle_us (void (*play) (gconstpointer data), gconstpointer data);

/* The tests that were added; opens the window first. */
void stalls_init (int *argc, char ***argv);
int stalls_run (void);

LoomWindow *stalls_window (void);
/* Another one, with nothing opened; the sample in another one. */
void stalls_renew (void);
void stalls_load (gconstpointer data);
/* Until there is nothing more to do for the main loop, nor for workers it will hear of. */
void stalls_settle (void);
/* Whatever stands beside the window is closed. */
void stalls_close_others (void);

typedef void (*StallsPlay) (gconstpointer data);

/* What was opened beside the window is closed after each try. Fails when no try keeps below the limit, and tells who it was: what is slow is slow each time, what the processor was slow at only
 * once. */
void stalls_check (const char *what, StallsPlay play, gconstpointer data);
/* The same of each of the names, for the first time in a window, which may take twice as long: each try is with a window of its own. */
void stalls_check_firsts (const char *const *names, guint n, StallsPlay play);

/* "function at file" of a line of loom_main_loop_watchdog_dup_worst() that is the program's own. Owned. */
char *stalls_dup_named (const char *line);
