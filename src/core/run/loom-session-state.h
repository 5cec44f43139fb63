/* SPDX-License-Identifier: Apache-2.0
 *
 * Collects the state of an open run into a session and restores it: paths, view, rows, marks, dismissed findings, the page below
 * the timeline and the range of the panels. Main thread.
 */
#pragma once

#include "loom-run-state.h"
#include "loom-session-file.h"

/* The session of the run, without temporary marks. Owned by the caller. */
LoomSession *loom_session_state_collect (LoomRunState *run);

/* Applies rows, marks, dismissed findings and, unless the person has selected or chosen something since the run was opened, the
 * selected range and the panels' range: a session may be found long after the run is shown. Call once per opening. */
void loom_session_state_apply (const LoomSession *session, LoomRunState *run);
/* Shows the session's page below the timeline. FALSE while the run has no such page; its data may not be loaded yet. */
gboolean loom_session_state_show_page (const LoomSession *session, LoomRunState *run);
/* Shows the session's view, limited to the range that is loaded; call again when more is loaded. FALSE while none of it is
 * loaded. */
gboolean loom_session_state_show_view (const LoomSession *session, LoomRunState *run);

/* Resets the run: everything in view, no marks, all rows in their first state, no row filter, no dismissed findings, no rule files,
 * panels that show the whole run. */
void loom_session_state_forget (LoomRunState *run);
