/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides whether the number in the name of a SageMaker file or folder is a rank or a process id. SageMaker uses the
 * rank or, if no launcher set a rank, the process id, and does not state which. SageMaker wrote such files only for
 * jobs of limited size, so a greater number is considered a process id.
 */
#pragma once

#include <glib.h>

/* For formats that do not say whether a number is a rank or a process id: a number below this is considered a rank. */
#define LOOM_RANK_LABEL_LEAST_PROCESS 128

/* Returns TRUE if the number `rank`, which a source of this format states as its rank, is considered a process id. */
gboolean loom_rank_label_is_process (const char *format, gint rank);

/* Returns the translated name of a rank: "rank 3" or "process 88359". Owned by the caller. */
char *loom_rank_label_dup_words (const char *format, gint rank);
