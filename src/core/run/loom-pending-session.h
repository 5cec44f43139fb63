/* SPDX-License-Identifier: Apache-2.0
 *
 * A session that is restored while its files load: rows and marks as soon as there is a timeline, the page when the run
 * has its data, and the view as far as the run is loaded. What the user has changed meanwhile (page, view) is not
 * restored. Called on the main thread.
 */
#pragma once

#include "loom-session-state.h"

typedef struct {
  LoomSession *session; /* NULL: nothing to restore */
  gboolean is_own;      /* TRUE: the user opened the session; FALSE: it was saved automatically */
  /* TRUE: the rows and marks, the view, the details page have been restored */
  gboolean is_applied, is_placed, is_paged;
  guint n_moves;    /* number of moves of the view when the view was last restored */
  const char *page; /* interned: the page shown until the session's page is there; NULL: not set */
} LoomPendingSession;

/* Sets the session, which is taken over, in place of the previous one. */
void loom_pending_session_set (LoomPendingSession *self, LoomSession *session, gboolean is_own);
void loom_pending_session_clear (LoomPendingSession *self);

/* Restores everything that the loaded part of the run allows. The run must have a timeline, and a session must be set.
 * Returns TRUE if this is the first call that restored something visible. */
gboolean loom_pending_session_show (LoomPendingSession *self, LoomRunState *run);
/* Copies what is not restored yet into a newer session of the run, so that it is not lost if the session is saved while
 * the run loads. */
void loom_pending_session_carry_over (const LoomPendingSession *self, LoomRunState *run, LoomSession *session);
