/* SPDX-License-Identifier: Apache-2.0
 *
 * Declares groups of test cases that are run by the program of another test file, so that the window system starts once
 * for several files. Each function adds the test cases of its file.
 */
#pragma once

#include "fixture.h"

/* These groups of test cases run in the test program app/window. */
void groups_add_toasts (void);
void groups_add_task_notification (void);
void groups_add_measure_once (void);
void groups_add_panes (void);
void groups_add_dim_sign (void);
void groups_add_query (void);
void groups_add_hang_bar (void);
void groups_add_icon_theme (void);

/* This group of test cases runs in the test program app/loading. Its function puts a replacement
 * for the aws command into PATH. */
void groups_add_location (void);

/* These groups of test cases run in the test program app/tabs. */
void groups_add_close (void);
void groups_add_session_autosave (void);
/* If the arguments request it, opens runs in tabs until a signal ends the process; otherwise returns FALSE. The cases
 * of session-autosave start such a process and kill it. */
gboolean groups_run_as_victim (int argc, char **argv);

/* This group of test cases runs in the test program app/export. */
void groups_add_read_range (void);

/* This group of test cases runs in the test program app/sources. */
void groups_add_problem_list (void);

/* These groups of test cases run in the test program app/stalls. */
void groups_add_stalls_firsts (void);
void groups_add_stalls_query (void);

/* This group of test cases runs in the test program app/panels-elements. */
void groups_add_panels_selection (void);

/* This group of test cases runs in the test program app/panels. */
void groups_add_page_list (void);

/* These groups of test cases run in the test programs app/hands and app/keys, on the run of hands-run.h. */
void groups_add_rows (void);
void groups_add_search_keys (void);
void groups_add_query_keys (void);
