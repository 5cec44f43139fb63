/* SPDX-License-Identifier: Apache-2.0
 *
 * Meaning of a worker's number. SageMaker names files and folders after "the rank or, if no launcher gave one, the
 * process id", without saying which. A number above the ranks of any job of that time must be a process id.
 */
#pragma once

#include <glib.h>

/* For formats that do not say whether a number is a rank or a process id: a number below this is considered a rank. */
#define LOOM_RANK_LABEL_LEAST_PROCESS 128

/* Returns TRUE if `rank` is a process id. `format`: format of its source. */
gboolean loom_rank_label_is_process (const char *format, gint rank);

/* Returns the translated name of a rank: "rank 3" or "process 88359". Owned by the caller. */
char *loom_rank_label_dup_words (const char *format, gint rank);
