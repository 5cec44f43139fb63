/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget with the table of the problems that occurred while a run was loaded. The table can be sorted by columns and
 * filtered by severity, words and files; below it are the details of the selected problem, with the text at its offset.
 * Called on the main thread.
 */
#pragma once

#include "loom-problem-list.h"

#include <adwaita.h>

#define LOOM_TYPE_PROBLEMS_VIEW (loom_problems_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemsView, loom_problems_view, LOOM, PROBLEMS_VIEW, GtkWidget)

/* Makes a view of the problems of a run, which may be NULL. `paths`: the view shows only the problems of these files,
 * until the user asks for all problems; NULL: it shows the problems of all files. */
GtkWidget *loom_problems_view_new (LoomRun *run, const LoomSourceOverrides *names, const char *const *paths);

gboolean loom_problems_view_has_any (LoomProblemsView *self);

/* Copies the chosen row, or all shown rows, to the clipboard. */
void loom_problems_view_copy_row (LoomProblemsView *self);
void loom_problems_view_copy_all (LoomProblemsView *self);

/* Moves the keyboard focus to the rows, if there are any. */
void loom_problems_view_start (LoomProblemsView *self);
/* Moves the keyboard focus to the entry of the filter. */
void loom_problems_view_search (LoomProblemsView *self);

/* Returns the name of the visible page: "list", "none" (there are no problems) or "no-match". For tests. */
const char *loom_problems_view_get_page (LoomProblemsView *self);
