/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything a load has to report, as a list: files that failed, problems of sources, files that were left alone. Rows
 * are made when they are looked at, so a folder of a hundred thousand other files costs nothing. Main thread.
 */
#pragma once

#include "loom-run.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PROBLEM_ITEM (loom_problem_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemItem, loom_problem_item, LOOM, PROBLEM_ITEM, GObject)

LoomSeverity loom_problem_item_get_severity (LoomProblemItem *item);
const char *loom_problem_item_get_path (LoomProblemItem *item);
/* A sentence, with count and place where there are any. */
const char *loom_problem_item_get_message (LoomProblemItem *item);

#define LOOM_TYPE_PROBLEMS_MODEL (loom_problems_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemsModel, loom_problems_model, LOOM, PROBLEMS_MODEL, GObject)

/* `run` may be NULL. */
LoomProblemsModel *loom_problems_model_new (LoomRun *run);

/* All of it as text, for the clipboard. */
char *loom_problems_model_dup_text (LoomProblemsModel *model);

G_END_DECLS
