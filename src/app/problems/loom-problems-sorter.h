/* SPDX-License-Identifier: Apache-2.0
 *
 * Which problems are shown, and in which order: a question that any one thread at a time may answer. What it asks about is
 * shared and never changes.
 */
#pragma once

#include "loom-problem-item.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_PROBLEM_SEVERITY,
  LOOM_PROBLEM_FILE,
  LOOM_PROBLEM_CODE,
  LOOM_PROBLEM_COUNT,
  LOOM_PROBLEM_OFFSET,
  LOOM_PROBLEM_MESSAGE,
  LOOM_PROBLEM_TEXT, /* what stands there: not sorted by */
  LOOM_N_PROBLEM_COLUMNS
} LoomProblemColumn;

typedef struct {
  LoomRun *run;             /* lends the facts; NULL for none */
  GArray *all;              /* LoomProblemFacts */
  LoomProblemColumn column; /* LOOM_N_PROBLEM_COLUMNS: as in `all` */
  gboolean descending;
  guint severities;  /* 1 << severity */
  char **words;      /* all of them; NULL for none */
  GHashTable *paths; /* char *; NULL: any */
  GArray *sorted;    /* guint: numbers in `all`; NULL before it is known. Not changed once it is */
  GArray *shown;     /* guint: the answer; NULL before */
} LoomProblemsSorter;

LoomProblemsSorter *loom_problems_sorter_new (LoomRun *run, GArray *all);
LoomProblemsSorter *loom_problems_sorter_copy (const LoomProblemsSorter *order); /* without the answer */
void loom_problems_sorter_free (LoomProblemsSorter *order);

/* Sorts, unless that is known, and filters: O(n · log n), O(n). FALSE when cancelled. */
gboolean loom_problems_sorter_work (LoomProblemsSorter *order, GCancellable *cancellable);

gboolean loom_problems_sorter_has_file (const LoomProblemsSorter *order, const LoomProblemFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProblemsSorter, loom_problems_sorter_free)

G_END_DECLS
