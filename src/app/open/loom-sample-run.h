/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the sample run, a small recorded training job that the welcome page offers to open.
 */
#pragma once

#include <glib.h>

/* Returns the folder of the sample run that the welcome page offers: the installed one, or the one of the source tree
 * if the program runs from its build folder. NULL if neither exists. Owned by the caller. */
char *loom_sample_run_dup_folder (void);
