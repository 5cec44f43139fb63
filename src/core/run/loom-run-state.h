/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of an open run: the document, and its view, the animator of the view, the search, the analysis, the Python profiles
 * and the visible page, which the run state creates and owns. The view shows the timeline, the names and the sources that the
 * document has. Widgets show the state and change it; a session is made from it. Main thread only.
 *
 * Properties: "page", the name of the visible page (loom-page-index.h), NULL before one is; "follows-files", whether files
 * that grow are read again, TRUE at first; "follows-end", whether the view moves along with the end of a run that grows, FALSE
 * at first and again as soon as a person moves the view away from the end; "shows-sidebar" and "shows-details", whether the list of
 * sources beside the timeline and the pages below it are unfolded, TRUE at first.
 *
 * Signals: "names-changed" after the document's names of sources changed the rows of the view; "sources-shown" after the view
 * began to show other sources; "steps-changed" when the undo history of the document has another last step, made or joined by the view,
 * the marks or the rows. Moves of the view, marks and edits of rows by a person are steps of that history.
 */
#pragma once

#include "loom-document.h"
#include "loom-findings-state.h"
#include "loom-python-profiles.h"
#include "loom-search-state.h"

#define LOOM_TYPE_RUN_STATE (loom_run_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunState, loom_run_state, LOOM, RUN_STATE, GObject)

/* Takes a reference to the document. */
LoomRunState *loom_run_state_new (LoomDocument *document);

/* Borrowed. */
LoomDocument *loom_run_state_get_document (LoomRunState *self);
LoomAnalysisContext *loom_run_state_get_analysis (LoomRunState *self);
LoomFindingsState *loom_run_state_get_findings (LoomRunState *self);
LoomPythonProfiles *loom_run_state_get_profiles (LoomRunState *self);
LoomTimelineState *loom_run_state_get_view (LoomRunState *self);
LoomViewAnimator *loom_run_state_get_flight (LoomRunState *self);
LoomSearchState *loom_run_state_get_search (LoomRunState *self);
LoomRunRules *loom_run_state_get_rules (LoomRunState *self);

/* Whether the view's overview, steps and collectives are those of its whole timeline; those of a part may come before. */
gboolean loom_run_state_has_summaries (LoomRunState *self);
/* Whether bottlenecks are found by a worker after each load, and marked on the timeline. FALSE when new. */
void loom_run_state_set_marks_bottlenecks (LoomRunState *self, gboolean marks);

void loom_run_state_set_follows_files (LoomRunState *self, gboolean follows);
/* TRUE moves the view to the end at once. */
void loom_run_state_set_follows_end (LoomRunState *self, gboolean follows);

void loom_run_state_set_shows_sidebar (LoomRunState *self, gboolean shows);
gboolean loom_run_state_get_shows_sidebar (LoomRunState *self);
void loom_run_state_set_shows_details (LoomRunState *self, gboolean shows);
gboolean loom_run_state_get_shows_details (LoomRunState *self);

/* Names of the pages that can be shown, NULL-terminated, copied; none at first. They come and go with what the run has. */
void loom_run_state_set_pages (LoomRunState *self, const char *const *names);
gboolean loom_run_state_has_page (LoomRunState *self, const char *name);
void loom_run_state_set_page (LoomRunState *self, const char *name);
const char *loom_run_state_get_page (LoomRunState *self); /* borrowed until it changes */
/* Shows a page that a person asked for: unfolds the details, too, if it is one of theirs. */
void loom_run_state_open_page (LoomRunState *self, const char *name);
/* The rows of the table of events, as they are sorted, filtered and selected; NULL before the table is shown. Takes a reference. The
 * getter borrows. */
void loom_run_state_set_event_rows (LoomRunState *self, GListModel *rows);
GListModel *loom_run_state_get_event_rows (LoomRunState *self);
/* Turns from a page of another view to the details below the timeline. */
void loom_run_state_show_timeline (LoomRunState *self);
