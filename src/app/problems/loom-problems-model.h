/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything a load has to report, as a list: files that failed, problems of sources, files that were left alone; sorted
 * and filtered. Rows are made when they are looked at, so a folder of a hundred thousand other files costs a few
 * pointers each, and so many are sorted and filtered in a worker: then the rows before stay until it is done (“items-changed”).
 * Main thread.
 */
#pragma once

#include "loom-problems-sorter.h"
#include "loom-source-overrides.h"

G_BEGIN_DECLS

#define LOOM_TYPE_PROBLEMS_MODEL (loom_problems_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemsModel, loom_problems_model, LOOM, PROBLEMS_MODEL, GObject)

/* `run` may be NULL. Worst first, then as the run has them. */
LoomProblemsModel *loom_problems_model_new (LoomRun *run);
/* What sources are called by hand; copied, NULL: nothing. Once, before anything is asked. */
void loom_problems_model_set_names (LoomProblemsModel *model, const LoomSourceOverrides *names);

/* LOOM_N_PROBLEM_COLUMNS: as at first. */
void loom_problems_model_sort (LoomProblemsModel *model, LoomProblemColumn column, gboolean descending);

/* Leaves the rows whose severity has its bit (1 << severity) in `severities`, that contain every one of the words (letter
 * case aside; "" or NULL: any), and that are of one of the files (NULL: any). */
void loom_problems_model_filter (LoomProblemsModel *model, guint severities, const char *words,
                                 const char *const *paths);

/* A worker is at what was asked last. */
gboolean loom_problems_model_is_working (LoomProblemsModel *model);

/* Rows of that severity before words and severities are looked at, of the files that are. */
guint loom_problems_model_count (LoomProblemsModel *model, LoomSeverity severity);
guint loom_problems_model_get_n_all (LoomProblemsModel *model);

/* What is shown, as lines of loom_problem_item_facts_append(), with the texts at the places, in a worker. */
void loom_problems_model_dup_text_async (LoomProblemsModel *model, GCancellable *cancellable, GAsyncReadyCallback ready,
                                         gpointer user_data);
char *loom_problems_model_dup_text_finish (GAsyncResult *result);

G_END_DECLS
