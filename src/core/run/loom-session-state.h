/* SPDX-License-Identifier: Apache-2.0
 *
 * What of an open run is kept in a session, and how it comes back: paths, view, rows, marks, dismissed findings, the page of
 * the panel and its range.
 * Main thread.
 */
#pragma once

#include "loom-run-state.h"
#include "loom-session-file.h"

/* Temporary marks are left out. Owned by the caller. */
LoomSession *loom_session_state_collect (LoomRunState *run);

/* Applies rows, marks, dismissed findings and, unless something else was selected or chosen since the run was opened, the
 * selected range and the panels' range. A session that is searched for may be found long after the run is shown. Call it
 * once per opening. */
void loom_session_state_apply (const LoomSession *session, LoomRunState *run);
/* The page below the timeline. FALSE while it is not among the tabs: what it shows may be still to come. */
gboolean loom_session_state_show_page (const LoomSession *session, LoomRunState *run);
/* The view; again while files still arrive, as it is cut to what is there. FALSE when nothing of it is there. */
gboolean loom_session_state_show_view (const LoomSession *session, LoomRunState *run);

/* Everything in view, no marks, every row as at first, no row filter, nothing dismissed, no files of rules, panels
 * that show all. */
void loom_session_state_forget (LoomRunState *run);
