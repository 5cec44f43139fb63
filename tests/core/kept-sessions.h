/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers for tests of automatically saved sessions. They examine the files in the folder of the sessions, and start
 * and kill other processes of the test program.
 */
#pragma once

#include "run-fixture.h"

/* Writes a run with `n` spans; the caller owns the returned path. */
char *kept_sessions_write_run (const char *folder, const char *name, guint n);
/* Returns the number of crashed sessions, which are offered to the user. */
guint kept_sessions_count_lost (void);
/* Returns the number of files with this ending in the folder of sessions. */
guint kept_sessions_count_files (const char *suffix);

/* Starts this program with three arguments and with the folder of sessions in LOOM_TEST_STATE. */
GPid kept_sessions_start_victim (const char *what, const char *first, const char *second);
/* Sends a signal and waits until the process has ended. SIGKILL ends it without giving it a chance to save. */
void kept_sessions_end_victim (GPid pid, int number);
