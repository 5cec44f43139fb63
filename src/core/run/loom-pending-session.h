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
  gboolean is_own;      /* TRUE if the user opened the session; FALSE if it was saved automatically */
  /* TRUE if rows and marks (`is_applied`), the view (`is_placed`), the page (`is_paged`) have been restored */
  gboolean is_applied, is_placed, is_paged;
  guint n_moves; /* loom_timeline_state_get_n_moves() when the view was last restored */
  /* interned name of the page that was visible when the session's page could not be restored yet; NULL: none */
  const char *page;
} LoomPendingSession;

/* Replaces the session, and takes ownership of the new one. */
void loom_pending_session_set (LoomPendingSession *self, LoomSession *session, gboolean is_own);
void loom_pending_session_clear (LoomPendingSession *self);

/* Restores everything that the loaded part of the run allows. The run must have a timeline, and a session must be set.
 * Returns TRUE if this is the first call that restored something visible. */
gboolean loom_pending_session_show (LoomPendingSession *self, LoomRunState *run);
/* Copies the parts that are not restored yet into a newer session of the run, so that they are not lost if the session
 * is saved while the run loads. */
void loom_pending_session_carry_over (const LoomPendingSession *self, LoomRunState *run, LoomSession *session);
