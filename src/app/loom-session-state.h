/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a window is kept in a session, and how it comes back: paths, view, rows, marks, dismissed findings, the page of
 * the panel.
 * Main thread.
 */
#pragma once

#include "loom-document.h"
#include "loom-run-view.h"
#include "loom-session.h"

G_BEGIN_DECLS

/* Temporary marks are left out. Owned by the caller. */
LoomSession *loom_session_state_collect (LoomDocument *document, LoomRunView *view);

/* Rows, marks and dismissed findings; once per opening. */
void loom_session_state_apply (const LoomSession *session, LoomRunView *view);
/* The page below the timeline. FALSE while it is not among the tabs: what it shows may be still to come. */
gboolean loom_session_state_show_page (const LoomSession *session, LoomRunView *view);
/* The view; again while files still arrive, as it is cut to what is there. FALSE when nothing of it is there. */
gboolean loom_session_state_show_view (const LoomSession *session, LoomRunView *view);

/* Everything in view, no marks, every row as at first, no row filter, nothing dismissed and no files of rules. */
void loom_session_state_forget (LoomRunView *view);

G_END_DECLS
