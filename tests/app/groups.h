/* SPDX-License-Identifier: Apache-2.0
 *
 * Cases of one subject that share a program, and the window system's start, with others. Each function adds the cases of its file.
 */
#pragma once

#include "fixture.h"

/* In the program app/window. */
void groups_add_toasts (void);
void groups_add_task_notification (void);
void groups_add_measure_once (void);

/* In the program app/loading; puts a command in place of aws into PATH. */
void groups_add_location (void);

/* In the program app/tabs. */
void groups_add_close (void);
void groups_add_session_autosave (void);
/* Opens runs in tabs until a signal ends the process, if the arguments ask for it; else returns FALSE. For the process that
 * is killed by the cases of session-autosave. */
gboolean groups_run_as_victim (int argc, char **argv);

/* In the program app/sources. */
void groups_add_problem_list (void);

/* In the program app/stalls. */
void groups_add_stalls_firsts (void);

/* In the program app/panels-elements. */
void groups_add_panels_selection (void);

/* In the programs app/hands and app/keys, on the run of hands-run.h. */
void groups_add_rows (void);
void groups_add_search_keys (void);
