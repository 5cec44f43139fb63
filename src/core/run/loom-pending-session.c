/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-pending-session.h: decides which parts of a session can be restored already.
 */
#include "loom-pending-session.h"

void
loom_pending_session_clear (LoomPendingSession *self)
{
  g_clear_pointer (&self->session, loom_session_file_free);
  self->is_applied = self->is_placed = self->is_paged = FALSE;
  self->page = NULL;
}

void
loom_pending_session_set (LoomPendingSession *self, LoomSession *session, gboolean is_own)
{
  loom_pending_session_clear (self);
  self->session = session;
  self->is_own = is_own;
}

static gboolean
has_moved (const LoomPendingSession *self, LoomRunState *run)
{
  return self->is_placed && loom_timeline_state_get_n_moves (loom_run_state_get_view (run)) != self->n_moves;
}

/* Restores the view of the session. While files load, only the loaded range can be shown, so the view is set again
 * whenever more is loaded, until the user moves it. */
static void
place_view (LoomPendingSession *self, LoomRunState *run)
{
  if (has_moved (self, run))
    return;
  self->is_placed = loom_session_state_show_view (self->session, run);
  self->n_moves = loom_timeline_state_get_n_moves (loom_run_state_get_view (run));
}

/* Restores the page of the session, unless the user has selected another page. */
static void
place_page (LoomPendingSession *self, LoomRunState *run)
{
  const char *shown = g_intern_string (loom_run_state_get_page (run));
  if (self->is_paged)
    return;
  gboolean turned = self->page != NULL && self->page != shown;
  self->page = shown;
  self->is_paged = turned || loom_session_state_show_page (self->session, run);
}

static gboolean
is_seen (const LoomSession *session)
{
  return session->has_view || session->marks->len > 0 || session->selection.end_ns > session->selection.begin_ns ||
         session->rows != NULL;
}

gboolean
loom_pending_session_show (LoomPendingSession *self, LoomRunState *run)
{
  gboolean applies = !self->is_applied;
  if (applies)
    loom_session_state_apply (self->session, run);
  self->is_applied = TRUE;
  place_page (self, run);
  place_view (self, run);
  return applies && is_seen (self->session);
}

void
loom_pending_session_carry_over (const LoomPendingSession *self, LoomRunState *run, LoomSession *session)
{
  const LoomSession *before = self->session;
  if (before == NULL)
    return;
  if (!has_moved (self, run)) {
    session->has_view = before->has_view;
    session->view = before->view;
    session->scroll_px = before->scroll_px;
  }
  if (!self->is_paged) {
    g_free (session->panel);
    session->panel = g_strdup (before->panel);
  }
}
