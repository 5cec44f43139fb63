/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions of a tab: opened like any other file, saved on request, kept by themselves from one time to the next. They are
 * read in workers.
 */
#include "loom-autosave.h"
#include "loom-location-question.h"
#include "loom-session-state.h"
#include "loom-settings.h"
#include "loom-shown-text.h"
#include "loom-tab-private.h"

#include <glib/gi18n.h>

/* --- what was kept comes back -------------------------------------------------------------------------------------- */

static void
drop_pending (LoomTab *self)
{
  g_clear_pointer (&self->pending.session, loom_session_free);
  self->pending.is_applied = self->pending.is_placed = self->pending.is_paged = FALSE;
  self->pending.page = NULL;
}

static void
drop_task (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

void
loom_tab_drop_reading (LoomTab *self)
{
  drop_task (&self->reading);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  self->opening = FALSE;
}

void
loom_tab_drop_session (LoomTab *self)
{
  drop_pending (self);
  drop_task (&self->finding);
  loom_tab_drop_reading (self);
}

static void
await (LoomTab *self, LoomSession *session, gboolean own)
{
  drop_pending (self);
  self->pending.session = session;
  self->pending.is_own = own;
  self->n_announced = session->n_told;
}

static void
offer_afresh (LoomTab *self)
{
  const LoomToast toast = { _ ("Shown as you left it"), _ ("Show _Everything"), "win.forget-view", 0 };
  loom_tab_show_toast (self, "restored", &toast);
}

static LoomViewState *
state_of (LoomTab *self)
{
  return loom_timeline_view_get_state (loom_run_view_get_timeline_view (loom_tab_get_run_view (self)));
}

static gboolean
has_moved (LoomTab *self)
{
  return self->pending.is_placed && loom_view_state_get_n_moves (state_of (self)) != self->pending.n_moves;
}

/* While files arrive the view is cut to what is there: it is set again until somebody moves. */
static void
place_view (LoomTab *self)
{
  if (has_moved (self))
    return;
  self->pending.is_placed = loom_session_state_show_view (self->pending.session, loom_tab_get_run_view (self));
  self->pending.n_moves = loom_view_state_get_n_moves (state_of (self));
}

/* Until somebody turns to another one. */
static void
place_page (LoomTab *self)
{
  LoomRunView *view = loom_tab_get_run_view (self);
  GtkStack *pages = loom_panels_get_stack (loom_run_view_get_panels (view));
  gconstpointer shown = gtk_stack_get_visible_child (pages);
  if (self->pending.is_paged)
    return;
  gboolean turned = self->pending.page != NULL && self->pending.page != shown;
  self->pending.page = shown;
  self->pending.is_paged = turned || loom_session_state_show_page (self->pending.session, view);
}

/* What is still to come of a session that is brought back stands in the next one as it was, until it came: who saves or ends in
 * the middle loses nothing of it. */
static void
carry_over (LoomTab *self, LoomSession *session)
{
  const LoomSession *before = self->pending.session;
  if (before == NULL)
    return;
  if (!has_moved (self)) {
    session->has_view = before->has_view;
    session->view = before->view;
    session->scroll_px = before->scroll_px;
  }
  if (!self->pending.is_paged) {
    g_free (session->panel);
    session->panel = g_strdup (before->panel);
  }
}

static LoomSession *
collect (LoomTab *self)
{
  LoomSession *session = loom_session_state_collect (self->document, loom_tab_get_run_view (self));
  carry_over (self, session);
  session->n_told = self->n_announced;
  return session;
}

LoomSession *
loom_tab_collect_kept (gpointer data)
{
  LoomTab *self = data;
  return self->finding == NULL && loom_document_get_timeline (self->document) != NULL ? collect (self) : NULL;
}

/* What a session file of the tab would say, without where one looks, which is no work of anybody's. */
static char *
dup_text (LoomTab *self)
{
  g_autoptr (LoomSession) session = loom_session_state_collect (self->document, loom_tab_get_run_view (self));
  gsize length;
  session->has_view = FALSE;
  session->scroll_px = 0;
  session->selection = (LoomRange) { 0, 0 };
  g_clear_pointer (&session->panel, g_free);
  return loom_session_to_text (session, G_DIR_SEPARATOR_S, &length);
}

static void
take_text (LoomTab *self, char *text)
{
  g_free (self->session_text);
  self->session_text = text;
}

gboolean
loom_tab_is_unsaved (LoomTab *self)
{
  g_return_val_if_fail (LOOM_IS_TAB (self), FALSE);
  if (self->session_path == NULL || self->session_text == NULL || loom_document_get_timeline (self->document) == NULL)
    return FALSE;
  g_autofree char *text = dup_text (self);
  return !g_str_equal (text, self->session_text);
}

void
loom_tab_discard_session (LoomTab *self)
{
  g_return_if_fail (LOOM_IS_TAB (self));
  take_text (self, dup_text (self));
}

void
loom_tab_follow_session (LoomTab *self)
{
  LoomSession *session = self->pending.session;
  if (session == NULL || loom_document_get_timeline (self->document) == NULL)
    return;
  if (!self->pending.is_applied) {
    loom_session_state_apply (session, loom_tab_get_run_view (self));
    if (!self->pending.is_own && (session->has_view || session->marks->len > 0 || session->selection.end_ns > session->selection.begin_ns || session->rows != NULL))
      offer_afresh (self);
    self->pending.is_applied = TRUE;
  }
  place_page (self);
  place_view (self);
  if (loom_document_is_loading (self->document))
    return;
  if (self->pending.is_own)
    take_text (self, dup_text (self));
  drop_pending (self);
}

void
loom_tab_forget_view (LoomTab *self)
{
  drop_pending (self);
  loom_session_state_forget (loom_tab_get_run_view (self));
}

/* --- opening ------------------------------------------------------------------------------------------------------- */

/* What a session says of sources and clocks holds for what is being read. */
static void
take_edits (LoomTab *self, const LoomSession *session)
{
  if (!loom_source_edits_is_empty (session->sources))
    loom_document_set_source_edits (self->document, session->sources);
  loom_document_set_clock_edits (self->document, session->clocks);
  self->noted_fit = FALSE; /* nothing can be taken back any more */
}

static void
kept_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  LoomTab *self = LOOM_TAB (source);
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (LoomSession) session = loom_autosave_find_finish (result);
  if (cancellable != self->finding) /* something else was opened meanwhile, or it was closed */
    return;
  g_clear_object (&self->finding);
  if (session != NULL) {
    take_edits (self, session);
    await (self, g_steal_pointer (&session), FALSE);
    loom_tab_follow_session (self);
  }
  if (!loom_document_is_loading (self->document))
    loom_tab_announce_fit (self);
  loom_autosave_changed (self->autosave);
  loom_tab_tell_changed (self);
}

/* Replaces the run. Rows, marks, colors and findings belong to the run that was open, whose session was saved by
 * loom_autosave_stop(); they are reset while there is no timeline, so that no row is laid out for it. */
static void
open_document (LoomTab *self, const char *const *paths)
{
  loom_document_open (self->document, paths);
  loom_session_state_forget (loom_tab_get_run_view (self));
}

/* Files, folders and locations, shown as they were last. */
static void
open_run (LoomTab *self, const char *const *paths)
{
  loom_autosave_stop (self->autosave);
  loom_tab_drop_session (self);
  g_clear_pointer (&self->session_path, g_free);
  take_text (self, NULL);
  open_document (self, paths);
  if (!loom_autosave_start (self->autosave, paths, NULL, NULL) || !loom_settings_get_boolean (LOOM_SETTING_RESTORE))
    return;
  self->finding = g_cancellable_new ();
  loom_autosave_find_async (paths, self->finding, self, kept_found);
}

static void
open_read (LoomTab *self, LoomSession *session, const char *path)
{
  g_ptr_array_add (session->paths, NULL);
  g_auto (GStrv) paths = g_strdupv ((GStrv) session->paths->pdata);
  g_ptr_array_set_size (session->paths, (gint) session->paths->len - 1);
  loom_autosave_stop (self->autosave);
  drop_task (&self->finding);
  take_text (self, NULL);
  g_free (self->session_path);
  self->session_path = loom_autosave_is_own (path) ? NULL : g_strdup (path);
  loom_autosave_start (self->autosave, (const char *const *) paths, session, path);
  open_document (self, (const char *const *) paths);
  take_edits (self, session);
  await (self, session, TRUE);
}

static void
add_read (LoomTab *self, LoomSession *session)
{
  g_ptr_array_add (session->paths, NULL);
  loom_document_add (self->document, (const char *const *) session->paths->pdata);
  loom_session_free (session);
}

typedef struct {
  char *path;
  gboolean add;
} Reading;

static void
reading_free (gpointer data)
{
  g_free (((Reading *) data)->path);
  g_free (data);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  LoomSession *session = loom_session_read (((Reading *) data)->path, &error);
  if (session != NULL)
    g_task_return_pointer (task, session, (GDestroyNotify) loom_session_free);
  else
    g_task_return_error (task, error);
}

/* What came while it was read. */
static void
add_waiting (LoomTab *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);
  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    loom_tab_open_paths (self, waiting->pdata[i], TRUE);
}

/* `session` is taken over; NULL: none is opened. */
static void
end_reading (LoomTab *self, LoomSession *session, const Reading *reading)
{
  g_clear_object (&self->reading);
  self->opening = FALSE;
  if (session != NULL && reading->add)
    add_read (self, session);
  else if (session != NULL)
    open_read (self, session, reading->path);
  add_waiting (self);
  loom_tab_tell_changed (self);
}

/* A session that waits for an answer. */
typedef struct {
  LoomTab *tab;
  LoomSession *session;
  Reading reading;
  GCancellable *cancellable; /* the tab's own as long as nothing else is opened */
} Asking;

static void
asking_free (gpointer data)
{
  Asking *asking = data;
  g_clear_pointer (&asking->session, loom_session_free);
  g_free (asking->reading.path);
  g_object_unref (asking->cancellable);
  g_object_unref (asking->tab);
  g_free (asking);
}

static void
locations_answered (gpointer data, gboolean may_fetch)
{
  Asking *asking = data;
  if (asking->cancellable == asking->tab->reading)
    end_reading (asking->tab, may_fetch ? g_steal_pointer (&asking->session) : NULL, &asking->reading);
}

/* A session file may come from anybody. What the program itself kept names only what was opened by hand before. */
static void
open_agreed (LoomTab *self, LoomSession *session, const Reading *reading)
{
  g_autofree const char **locations = loom_session_find_locations (session);
  if (locations[0] == NULL || loom_autosave_is_own (reading->path)) {
    end_reading (self, session, reading);
    return;
  }
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking) { g_object_ref (self), session, { g_strdup (reading->path), reading->add }, g_object_ref (self->reading) };
  loom_location_question_ask (GTK_WIDGET (self), locations, locations_answered, asking, asking_free);
}

static void
session_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  LoomTab *self = LOOM_TAB (source);
  const Reading *reading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomSession) session = g_task_propagate_pointer (G_TASK (result), &error);
  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    return;
  if (session != NULL && session->paths->len > 0) {
    open_agreed (self, g_steal_pointer (&session), reading);
    return;
  }
  loom_tab_show_trouble (self, GTK_MESSAGE_ERROR, error != NULL ? error->message : _ ("The session holds no files"),
                         _ ("Open the files themselves, or another session."), FALSE);
  end_reading (self, NULL, reading);
}

static void
open_session (LoomTab *self, const char *path, gboolean add)
{
  Reading *reading = g_new (Reading, 1);
  *reading = (Reading) { g_strdup (path), add };
  loom_tab_drop_reading (self);
  self->reading = g_cancellable_new ();
  self->opening = TRUE;
  g_autoptr (GTask) task = g_task_new (self, self->reading, session_read, NULL);
  g_task_set_task_data (task, reading, reading_free);
  g_task_run_in_thread (task, read_in_thread);
}

/* Until it is known what it is added to. */
static void
wait_with (LoomTab *self, const char *const *paths)
{
  if (self->waiting == NULL)
    self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_ptr_array_add (self->waiting, g_strdupv ((GStrv) paths));
}

void
loom_tab_open_paths (LoomTab *self, const char *const *paths, gboolean add)
{
  g_return_if_fail (LOOM_IS_TAB (self) && paths != NULL);
  if (paths[0] == NULL)
    return;
  loom_tab_get_run_view (self); /* what is kept and brought back is its */
  add = add && !loom_tab_is_empty (self);
  if (add && self->opening)
    wait_with (self, paths);
  else if (paths[1] == NULL && loom_session_is_session (paths[0]))
    open_session (self, paths[0], add);
  else if (add)
    loom_document_add (self->document, paths);
  else
    open_run (self, paths);
}

gboolean
loom_tab_is_opening (LoomTab *self)
{
  return self->reading != NULL || self->finding != NULL;
}

/* --- saving -------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomSession *session;
  char *path;
  char *text; /* dup_text() */
} Writing;

static void
writing_free (Writing *writing)
{
  loom_session_free (writing->session);
  g_free (writing->path);
  g_free (writing->text);
  g_free (writing);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Writing *writing = data;
  GError *error = NULL;
  if (loom_session_write (writing->session, writing->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  LoomTab *self = LOOM_TAB (source);
  Writing *writing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  if (self->document == NULL) /* closed meanwhile */
    return;
  if (!done) {
    loom_tab_show_trouble (self, GTK_MESSAGE_ERROR, error->message, _ ("Choose another place and save again."), FALSE);
    g_signal_emit_by_name (self, "session-saved", FALSE);
    return;
  }
  g_free (self->session_path);
  self->session_path = g_strdup (writing->path);
  take_text (self, g_steal_pointer (&writing->text));
  g_autofree char *base = g_path_get_basename (writing->path);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *escaped = loom_shown_text_dup_markup (name);
  g_autofree char *text = g_strdup_printf (_ ("Session saved in “%s”"), escaped);
  const LoomToast toast = { .title = text };
  loom_tab_show_toast (self, "saved", &toast);
  g_signal_emit_by_name (self, "session-saved", TRUE);
}

void
loom_tab_save_session (LoomTab *self, const char *path)
{
  g_return_if_fail (LOOM_IS_TAB (self) && path != NULL);
  Writing *writing = g_new (Writing, 1);
  *writing = (Writing) { collect (self), g_strdup (path), dup_text (self) };
  g_autoptr (GTask) task = g_task_new (self, NULL, written, NULL);
  g_task_set_task_data (task, writing, (GDestroyNotify) writing_free);
  g_task_run_in_thread (task, write_in_thread);
}

const char *
loom_tab_get_session_path (LoomTab *self)
{
  return self->session_path;
}
