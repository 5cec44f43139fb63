/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <glib.h>

/* The folder of the sample run: installed, or of the source tree when the program runs from its build folder. NULL when
 * there is none. Owned by the caller. */
char *loom_sample_run_dup_folder (void);
