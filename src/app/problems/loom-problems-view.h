/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget with the table of the problems that occurred while a run was loaded. The table can be sorted by columns and
 * filtered by severity, words and files. Below the table are the details of the selected problem, with the text of the
 * file at the problem's offset. Called on the main thread.
 */
#pragma once

#include "loom-problem-list.h"

#include <adwaita.h>

#define LOOM_TYPE_PROBLEMS_VIEW (loom_problems_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemsView, loom_problems_view, LOOM, PROBLEMS_VIEW, GtkWidget)

/* Makes a view of the problems of a run, which may be NULL. `paths`: only the problems of these files are shown
 * until the user clicks the button to show all problems. If `paths` is NULL, the problems of all files are shown. */
GtkWidget *loom_problems_view_new (LoomRun *run, const LoomSourceOverrides *names, const char *const *paths);

gboolean loom_problems_view_has_any (LoomProblemsView *self);

/* loom_problems_view_copy_row() copies the selected row to the clipboard, loom_problems_view_copy_all() all shown
 * rows. */
void loom_problems_view_copy_row (LoomProblemsView *self);
void loom_problems_view_copy_all (LoomProblemsView *self);

/* Moves the keyboard focus to the rows of the table, if there are any. */
void loom_problems_view_start (LoomProblemsView *self);
/* Moves the keyboard focus to the entry of the filter. */
void loom_problems_view_search (LoomProblemsView *self);

/* Returns the name of the visible page: "list", "none" (there are no problems) or "no-match" (no problem passes the
 * filter). For tests. */
const char *loom_problems_view_get_page (LoomProblemsView *self);
