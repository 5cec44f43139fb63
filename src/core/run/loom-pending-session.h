/* SPDX-License-Identifier: Apache-2.0
 *
 * A session that is restored while its files load: rows and marks as soon as there is a timeline, the page once the run has it, and
 * the view as far as it is loaded, unless the person turns to another page or moves the view meanwhile. Main thread.
 */
#pragma once

#include "loom-session-state.h"

typedef struct {
  LoomSession *session;                     /* NULL: nothing to restore */
  gboolean is_own;                          /* TRUE: the user opened the session; FALSE: it was saved automatically */
  gboolean is_applied, is_placed, is_paged; /* TRUE: rows and marks, the view, the page below are restored */
  guint n_moves;                            /* number of moves of the view when the view was last restored */
  const char *page; /* interned: the page shown until the session's page is there; NULL: not set */
} LoomPendingSession;

/* Sets the session, which is taken over, in place of the previous one. */
void loom_pending_session_set (LoomPendingSession *self, LoomSession *session, gboolean is_own);
void loom_pending_session_clear (LoomPendingSession *self);

/* Restores what the timeline has by now, for a session and a run with a timeline. Returns TRUE when the first call restored something
 * that a person sees. */
gboolean loom_pending_session_show (LoomPendingSession *self, LoomRunState *run);
/* Copies what has not been restored yet into a newer session of the run, so that saving or quitting while a run loads loses nothing. */
void loom_pending_session_carry_over (const LoomPendingSession *self, LoomRunState *run, LoomSession *session);
