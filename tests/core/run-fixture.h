/* SPDX-License-Identifier: Apache-2.0
 *
 * An open run in a test, without a window: temporary folders, a main loop that waits with a limit, the state of a run.
 */
#pragma once

#include "loom-run-session.h"

/* Sets settings in memory, a home folder of its own and a limit of CPU time for the process. */
void run_fixture_init (int *argc, char ***argv);
/* Runs the tests and removes the folders; the exit status. */
int run_fixture_run (void);
void run_fixture_remove_folders (void);

/* Turns the main loop until `condition` holds; FALSE when it does not within a minute. */
typedef gboolean (*Condition) (gpointer data);
gboolean fixture_wait (Condition condition, gpointer data);
/* Turns the main loop for so many milliseconds. Proves nothing about what happened meanwhile: the machine may have been busy. */
void fixture_spin (guint ms);

/* A new folder that is removed with the process, and a file in it. The path is owned by the caller. */
char *fixture_folder (void);
char *fixture_file (const char *folder, const char *name, const char *text);
/* The sample run. */
const char *fixture_sample (void);

/* Opens a file or folder and waits until it is loaded; the view is 1000 by 600 pixels. */
LoomRunState *run_fixture_open (const char *path);
void run_fixture_wait_loaded (LoomRunState *run);
/* Drops the only reference, and asserts that it was. */
void run_fixture_close (LoomRunState *run);

/* A run session as a tab has it, with nothing open; the view is 1000 by 600 pixels. */
LoomRunSession *run_fixture_session (void);
/* Opens a file, folder or session file and waits until it is loaded. */
void run_fixture_session_open (LoomRunSession *session, const char *path);
void run_fixture_session_wait (LoomRunSession *session);
/* Closes it, drops the reference, and asserts that it is gone as soon as what it saves is written. */
void run_fixture_session_close (LoomRunSession *session);
/* The document and the view of its run. Borrowed. */
LoomDocument *run_fixture_document (LoomRunSession *session);
LoomTimelineState *run_fixture_view (LoomRunSession *session);

/* The number of marks, and of selected spans. */
guint run_fixture_count_marks (LoomTimelineState *state);
guint run_fixture_count_selected (LoomTimelineState *state);

/* A small trace in Chrome's JSON: thread 1 has four ticks and a span whose flows lead to two spans of other threads, thread 2 ticks
 * once, and there is a counter. The args of each span contain its time. */
extern const char RUN_FIXTURE_TRACE[];
/* The nth span of that name in the first trace, in the trace's order; ends the test if there is none. Its range on the timeline. */
LoomSpanId run_fixture_find_span (LoomRunState *run, const char *name, guint nth);
LoomRange run_fixture_range_of (LoomRunState *run, LoomSpanId span);
