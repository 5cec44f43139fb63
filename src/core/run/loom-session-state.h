/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the state of an open run into a session, and restores this state. The state consists of the paths, the view,
 * the rows, the marks, the dismissed findings, the page below the timeline and the range of the panels. Called on the
 * main thread.
 */
#pragma once

#include "loom-run-state.h"
#include "loom-session-file.h"

/* Returns the present state of the run as a session, without temporary marks. Owned by the caller. */
LoomSession *loom_session_state_collect (LoomRunState *run);

/* Applies the rows, marks and dismissed findings of a session to the run. Also applies the session's selected range and
 * the range whose data the panels show. Does not replace a range that the user has changed since the run was opened,
 * which is possible while the session is still being read. Must be called once per opened run. */
void loom_session_state_apply (const LoomSession *session, LoomRunState *run);
/* Shows the page that was visible when the session was saved, even if its data are not loaded yet. Returns FALSE if the
 * run does not list this page yet. */
gboolean loom_session_state_show_page (const LoomSession *session, LoomRunState *run);
/* Shows the view of the session, limited to the loaded range. Must be called again when more of the run is loaded.
 * Returns FALSE if no part of the session's view is loaded. */
gboolean loom_session_state_show_view (const LoomSession *session, LoomRunState *run);

/* Resets the run. The view shows everything, all rows have their initial state, and the panels show the whole run.
 * Removes marks, the row filter, dismissals of findings, and rule files. */
void loom_session_state_forget (LoomRunState *run);
