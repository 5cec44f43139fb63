/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers for tests that open runs without a window: temporary folders, waiting in the main loop with a time limit, and
 * access to the state of a run.
 */
#pragma once

#include "loom-run-session.h"

/* Initialises settings in memory, a separate home folder, and a limit of CPU time for the process. */
void run_fixture_init (int *argc, char ***argv);
/* Runs the tests, removes the folders and returns the exit status. */
int run_fixture_run (void);
void run_fixture_remove_folders (void);

/* Runs the main loop until `condition` returns TRUE; returns FALSE if that takes more than a minute. */
typedef gboolean (*Condition) (gpointer data);
gboolean fixture_wait (Condition condition, gpointer data);
/* Runs the main loop for `ms` milliseconds. Does not guarantee that pending work is finished, because the machine may
 * be busy. */
void fixture_spin (guint ms);

/* These functions return a new folder that is removed when the process ends, and the path of a new
 * file in a folder. The caller owns the path. */
char *fixture_folder (void);
char *fixture_file (const char *folder, const char *name, const char *text);
/* Returns the number of entries of a folder. */
guint fixture_count_files (const char *folder);
/* Returns the path of the sample run. */
const char *fixture_sample (void);

/* Opens a file or folder and waits until it is loaded. The view is 1000 × 600 pixels. */
LoomRunState *run_fixture_open (const char *path);
void run_fixture_wait_loaded (LoomRunState *run);
/* Waits until the search of the run has `n` hits. Returns FALSE if it does not within the time of fixture_wait(). */
gboolean run_fixture_wait_hits (LoomRunState *run, gsize n);
/* Drops the reference of the test, and asserts that it was the last one. */
void run_fixture_close (LoomRunState *run);

/* Returns an empty run session like that of a tab. The view is 1000 × 600 pixels. */
LoomRunSession *run_fixture_session (void);
/* Opens a file, folder or session file and waits until it is loaded. */
void run_fixture_session_open (LoomRunSession *session, const char *path);
void run_fixture_session_wait (LoomRunSession *session);
/* Saves and closes the session, drops the reference, and asserts that this frees the session. */
void run_fixture_session_close (LoomRunSession *session);
/* These functions return the document and the view of the session's run; borrowed. */
LoomDocument *run_fixture_document (LoomRunSession *session);
LoomTimelineState *run_fixture_view (LoomRunSession *session);

/* These functions return the number of marks and the number of selected spans. */
guint run_fixture_count_marks (LoomTimelineState *state);
guint run_fixture_count_selected (LoomTimelineState *state);

/* A small trace in Chrome's JSON format: thread 1 has four spans named tick and a span with flows to two spans of other
 * threads; thread 2 has one tick; there is a counter. The args of each span contain its time. */
extern const char RUN_FIXTURE_TRACE[];
/* These functions return the nth span of that name in the first trace, in trace order, and its
 * range on the timeline. They fail if there is none. */
LoomSpanId run_fixture_find_span (LoomRunState *run, const char *name, guint nth);
LoomRange run_fixture_range_of (LoomRunState *run, LoomSpanId span);
