/* SPDX-License-Identifier: Apache-2.0
 *
 * A session that is restored while its files load. Rows and marks are restored as soon as there is a timeline. The
 * page is restored as soon as the run has the data that the page shows. The view is restored as far as the run is
 * loaded. A page or a view that the user has selected meanwhile is not replaced. Called on the main thread.
 */
#pragma once

#include "loom-session-state.h"

typedef struct {
  LoomSession *session; /* the session; NULL: nothing is to be restored */
  gboolean is_own;      /* TRUE if the user opened the session; FALSE if it was saved automatically */
  /* `is_applied`: rows and marks have been restored; `is_placed`: the view has been restored; `is_paged`: the page has
   * been restored */
  gboolean is_applied, is_placed, is_paged;
  guint n_moves; /* result of loom_timeline_state_get_n_moves() when the view was last restored */
  /* Name of the page that was visible at the last attempt to restore the page of the session; NULL: no attempt yet. If
   * another page is visible at the next attempt, the user has selected it, and the page of the session is not restored.
   * The name is interned, so that addresses can be compared. */
  const char *page;
} LoomPendingSession;

/* Replaces the session, and takes ownership of the new one. */
void loom_pending_session_set (LoomPendingSession *self, LoomSession *session, gboolean is_own);
void loom_pending_session_clear (LoomPendingSession *self);

/* Restores those parts of the session for which the run has loaded enough. The run must have a timeline, and a session
 * must be set. Returns TRUE if this is the first call that restored something visible. */
gboolean loom_pending_session_show (LoomPendingSession *self, LoomRunState *run);
/* Copies the parts that are not restored yet into `session`, which was made from the present state of the run.
 * Otherwise these parts would be lost if `session` is saved while the run loads. */
void loom_pending_session_carry_over (const LoomPendingSession *self, LoomRunState *run, LoomSession *session);
