/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions that are saved automatically, as tests see them: files in their folder, and processes of the test's own program that are ended in
 * the middle.
 */
#pragma once

#include "run-fixture.h"

/* Writes a run with so many spans; the path is owned by the caller. */
char *kept_sessions_write_run (const char *folder, const char *name, guint n);
/* The number of sessions that are offered, because their program did not end by itself. */
guint kept_sessions_count_lost (void);
/* The number of files in the folder of sessions that end so. */
guint kept_sessions_count_files (const char *suffix);

/* Starts this program with three arguments, and with the folder of sessions in LOOM_TEST_STATE. */
GPid kept_sessions_start_victim (const char *what, const char *first, const char *second);
/* Sends the signal and waits for the end, which SIGKILL alone brings without the program's help. */
void kept_sessions_end_victim (GPid pid, int number);
