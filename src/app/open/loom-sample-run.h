/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the sample run: a small recorded training job, which the user can open from the welcome page.
 */
#pragma once

#include <glib.h>

/* Returns the folder of the sample run: the installed folder, or the folder in the source tree if the program runs
 * from its build folder. NULL if neither exists. Owned by the caller. */
char *loom_sample_run_dup_folder (void);
