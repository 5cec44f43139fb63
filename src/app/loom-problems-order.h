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
  guint severities;         /* 1 << severity */
  char **words;             /* all of them; NULL for none */
  GHashTable *paths;        /* char *; NULL: any */
  GArray *sorted;           /* guint: numbers in `all`; NULL before it is known. Not changed once it is */
  GArray *shown;            /* guint: the answer; NULL before */
} LoomProblemsOrder;

LoomProblemsOrder *loom_problems_order_new (LoomRun *run, GArray *all);
LoomProblemsOrder *loom_problems_order_copy (const LoomProblemsOrder *order); /* without the answer */
void loom_problems_order_free (LoomProblemsOrder *order);

/* Sorts, unless that is known, and filters: O(n · log n), O(n). FALSE when cancelled. */
gboolean loom_problems_order_work (LoomProblemsOrder *order, GCancellable *cancellable);

gboolean loom_problems_order_has_file (const LoomProblemsOrder *order, const LoomProblemFacts *facts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProblemsOrder, loom_problems_order_free)

G_END_DECLS
