/* SPDX-License-Identifier: Apache-2.0
 *
 * What the number of a worker is. SageMaker's files and folders are called by "the rank, or where no launcher gave one the id of
 * the process", and do not say which: a number no job of that time had ranks for is an id.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ranks of such a job are below this; ids of processes seldom are. */
#define LOOM_RANK_LABEL_LEAST_PROCESS 128

/* `format`: that of its source. */
gboolean loom_rank_label_is_process (const char *format, gint rank);

/* "rank 3", "process 88359", in the language of the person. Owned. */
char *loom_rank_label_dup_words (const char *format, gint rank);

G_END_DECLS
