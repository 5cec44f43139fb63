/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions of a tab: opened like any other file, saved on request, kept by themselves from one time to the next. They are
 * read in workers.
 */
#include "loom-ellipsize.h"
#include "loom-location-consent-dialog.h"
#include "loom-session-autosave.h"
#include "loom-session-state.h"
#include "loom-settings.h"
#include "loom-tab-private.h"

#include <glib/gi18n.h>

/* --- restoring a session ------------------------------------------------------------------------------------------- */

static void
drop_pending (LoomTab *self)
{
  g_clear_pointer (&self->pending.session, loom_session_file_free);
  self->pending.is_applied = self->pending.is_placed = self->pending.is_paged = FALSE;
  self->pending.page = NULL;
}

void
loom_tab_drop_reading (LoomTab *self)
{
  loom_worker_cancel (&self->reading);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  self->opening = FALSE;
}

void
loom_tab_drop_session (LoomTab *self)
{
  drop_pending (self);
  loom_worker_cancel (&self->finding);
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

static gboolean
has_moved (LoomTab *self)
{
  return self->pending.is_placed &&
         loom_timeline_state_get_n_moves (loom_run_state_get_view (self->run)) != self->pending.n_moves;
}

/* While files load the view is limited to the loaded range, so it is set again until the person moves it. */
static void
place_view (LoomTab *self)
{
  if (has_moved (self))
    return;
  self->pending.is_placed = loom_session_state_show_view (self->pending.session, self->run);
  self->pending.n_moves = loom_timeline_state_get_n_moves (loom_run_state_get_view (self->run));
}

/* Restores the session's panel page, unless the person has turned to another page. */
static void
place_page (LoomTab *self)
{
  const char *shown = g_intern_string (loom_run_state_get_page (self->run));
  if (self->pending.is_paged)
    return;
  gboolean turned = self->pending.page != NULL && self->pending.page != shown;
  self->pending.page = shown;
  self->pending.is_paged = turned || loom_session_state_show_page (self->pending.session, self->run);
}

/* Copies what has not been restored yet of the previous session into the new one, so that saving or quitting while a
 * run loads loses nothing. */
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
  LoomSession *session = loom_session_state_collect (self->run);
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

/* The text of a session file of the tab, without the view, selection and panel: changes of these need no saving. */
static char *
dup_text (LoomTab *self)
{
  g_autoptr (LoomSession) session = loom_session_state_collect (self->run);
  gsize length;
  session->has_view = FALSE;
  session->scroll_px = 0;
  session->selection = (LoomRange) { 0, 0 };
  g_clear_pointer (&session->panel, g_free);
  g_clear_pointer (&session->range, g_free);
  return loom_session_file_to_text (session, G_DIR_SEPARATOR_S, &length);
}

static void
take_text (LoomTab *self, char *text)
{
  g_free (self->session_text);
  self->session_text = text;
}

void
loom_tab_set_session_path (LoomTab *self, const char *path)
{
  g_clear_pointer (&self->session_input, loom_input_files_free);
  g_free (self->session_path);
  self->session_path = g_strdup (path);
  self->session_input = path != NULL ? loom_input_files_new_of_kind (path, LOOM_INPUT_FILES_SESSION) : NULL;
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
    loom_session_state_apply (session, self->run);
    if (!self->pending.is_own && (session->has_view || session->marks->len > 0 ||
                                  session->selection.end_ns > session->selection.begin_ns || session->rows != NULL))
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
  loom_session_state_forget (self->run);
}

/* --- opening ------------------------------------------------------------------------------------------------------- */

/* Applies the session's edits of sources and clocks to the run that is being read. */
static void
take_edits (LoomTab *self, const LoomSession *session)
{
  if (!loom_source_overrides_is_empty (session->sources))
    loom_document_set_source_edits (self->document, session->sources);
  loom_document_set_clock_edits (self->document, session->clocks);
  self->noted_fit = FALSE; /* the undo history is empty now */
}

static void
kept_found (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomTab *self = owner;
  g_autoptr (LoomSession) session = result;
  if (session != NULL) {
    take_edits (self, session);
    await (self, g_steal_pointer (&session), FALSE);
    loom_tab_follow_session (self);
  }
  if (!loom_document_is_loading (self->document))
    loom_tab_announce_fit (self);
  loom_session_autosave_changed (self->autosave);
  loom_tab_tell_changed (self);
}

/* Opens other files. Rows, marks, colors and findings belong to the previous run, whose session
 * loom_session_autosave_stop() has saved; they are reset while there is no timeline, so that no rows are laid out
 * for that. */
static void
open_document (LoomTab *self, const char *const *paths)
{
  loom_document_open (self->document, paths);
  loom_session_state_forget (self->run);
}

/* Opens files, folders and locations, with the view they had when last closed. */
static void
open_run (LoomTab *self, const char *const *paths)
{
  loom_session_autosave_stop (self->autosave);
  loom_tab_drop_session (self);
  loom_tab_set_session_path (self, NULL);
  take_text (self, NULL);
  open_document (self, paths);
  if (!loom_session_autosave_start (self->autosave, paths, NULL, NULL) ||
      !loom_settings_get_boolean (LOOM_SETTING_RESTORE))
    return;
  loom_session_autosave_find_async (&self->finding, paths, kept_found, self);
}

static void
open_read (LoomTab *self, LoomSession *session, const char *path)
{
  g_ptr_array_add (session->paths, NULL);
  g_auto (GStrv) paths = g_strdupv ((GStrv) session->paths->pdata);
  g_ptr_array_set_size (session->paths, (gint) session->paths->len - 1);
  loom_session_autosave_stop (self->autosave);
  loom_worker_cancel (&self->finding);
  take_text (self, NULL);
  loom_tab_set_session_path (self, loom_session_autosave_is_own (path) ? NULL : path);
  loom_session_autosave_start (self->autosave, (const char *const *) paths, session, path);
  open_document (self, (const char *const *) paths);
  take_edits (self, session);
  await (self, session, TRUE);
}

static void
add_read (LoomTab *self, LoomSession *session)
{
  g_ptr_array_add (session->paths, NULL);
  loom_document_add (self->document, (const char *const *) session->paths->pdata);
  loom_session_file_free (session);
}

typedef struct {
  char *path;
  gboolean add;
} ReadInput;

static void
read_input_free (ReadInput *input)
{
  g_free (input->path);
  g_free (input);
}

static LoomSession *
read_in_thread (ReadInput *input, GCancellable *cancellable, GError **error)
{
  return loom_session_file_read (input->path, error);
}

/* Adds the files that were dropped or opened while a session was being read. */
static void
add_waiting (LoomTab *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);
  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    loom_tab_open_paths (self, waiting->pdata[i], TRUE);
}

/* `session` is taken over; NULL: no session is opened. */
static void
end_reading (LoomTab *self, LoomSession *session, const ReadInput *reading)
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

/* A session that waits for the person's answer. */
typedef struct {
  LoomTab *tab;
  LoomSession *session;
  ReadInput reading;
  GCancellable *cancellable; /* equal to the tab's `reading` until something else is opened */
} Asking;

static void
asking_free (gpointer data)
{
  Asking *asking = data;
  g_clear_pointer (&asking->session, loom_session_file_free);
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

/* A session file may come from anybody, so the person is asked first. Sessions the program saved itself name only
 * files that were opened by hand before. */
static void
open_agreed (LoomTab *self, LoomSession *session, const ReadInput *reading)
{
  g_autofree const char **locations = loom_session_file_find_locations (session);
  if (locations[0] == NULL || loom_session_autosave_is_own (reading->path)) {
    end_reading (self, session, reading);
    return;
  }
  Asking *asking = g_new (Asking, 1);
  *asking =
    (Asking) { g_object_ref (self), session, { g_strdup (reading->path), reading->add }, g_object_ref (self->reading) };
  loom_location_consent_dialog_ask (GTK_WIDGET (self), locations, locations_answered, asking, asking_free);
}

static void
session_read (gpointer owner, gpointer result, const GError *error, gpointer reading)
{
  LoomTab *self = owner;
  g_autoptr (LoomSession) session = result;
  if (session != NULL && session->paths->len > 0) {
    open_agreed (self, g_steal_pointer (&session), reading);
    return;
  }
  loom_tab_show_load_error (self, GTK_MESSAGE_ERROR, error != NULL ? error->message : _ ("The session holds no files"),
                            _ ("Open the files themselves, or another session."), FALSE);
  end_reading (self, NULL, reading);
}

static void
open_session (LoomTab *self, const char *path, gboolean add)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_in_thread, (GDestroyNotify) read_input_free,
                                       (GDestroyNotify) loom_session_file_free };
  loom_tab_drop_reading (self);
  self->reading = g_cancellable_new ();
  self->opening = TRUE;
  loom_worker_run (self->reading, &kind, LOOM_WORKER_INPUT (ReadInput, g_strdup (path), add), session_read, self);
}

/* Keeps the files until the session that they are added to is read. */
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
  loom_tab_get_run_view (self); /* the run view saves and restores the session */
  add = add && !loom_tab_is_empty (self);
  if (add && self->opening)
    wait_with (self, paths);
  else if (paths[1] == NULL && loom_session_file_is_session (paths[0]))
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
  char *text; /* from dup_text() */
} WriteInput;

static void
write_input_free (WriteInput *input)
{
  loom_session_file_free (input->session);
  g_free (input->path);
  g_free (input->text);
  g_free (input);
}

static gpointer
write_in_thread (WriteInput *input, GCancellable *cancellable, GError **error)
{
  loom_session_file_write (input->session, input->path, error);
  return NULL;
}

static void
written (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  g_autoptr (LoomTab) self = owner;
  WriteInput *input = data;
  if (self->document == NULL) /* the tab was closed meanwhile */
    return;
  if (error != NULL) {
    loom_tab_show_load_error (self, GTK_MESSAGE_ERROR, error->message, _ ("Choose another place and save again."),
                              FALSE);
    g_signal_emit_by_name (self, "session-saved", FALSE);
    return;
  }
  loom_tab_set_session_path (self, input->path);
  take_text (self, g_steal_pointer (&input->text));
  g_autofree char *base = g_path_get_basename (input->path);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *escaped = loom_ellipsize_markup (name);
  g_autofree char *text = g_strdup_printf (_ ("Session saved in “%s”"), escaped);
  const LoomToast toast = { .title = text };
  loom_tab_show_toast (self, "saved", &toast);
  g_signal_emit_by_name (self, "session-saved", TRUE);
}

void
loom_tab_save_session (LoomTab *self, const char *path)
{
  g_return_if_fail (LOOM_IS_TAB (self) && path != NULL);
  static const LoomWorkerKind kind = { (LoomWorkerFunc) write_in_thread, (GDestroyNotify) write_input_free, NULL };
  WriteInput *input = LOOM_WORKER_INPUT (WriteInput, collect (self), g_strdup (path), dup_text (self));
  loom_worker_run (NULL, &kind, input, written, g_object_ref (self));
}

const char *
loom_tab_get_session_path (LoomTab *self)
{
  return self->session_path;
}
