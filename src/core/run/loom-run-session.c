/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-run-session.h: reads a session file, opens its paths and restores its state, in this order. Also
 * makes the messages about clocks.
 */
#include "loom-run-session.h"

#include "loom-clock-commands.h"
#include "loom-input-files.h"
#include "loom-pending-session.h"
#include "loom-run-warnings.h"
#include "loom-session-autosave.h"
#include "loom-settings.h"

#include <glib/gi18n.h>

struct _LoomRunSession {
  GObject parent;
  LoomRunState *run;
  LoomDocument *document; /* the document of the run; borrowed */
  LoomSessionAutosave *autosave;
  char *path;            /* path of the session file that is open; NULL: no session file is open */
  LoomInputFiles *input; /* the file at `path`, registered so that no export can replace it */
  /* text of the session file without the members for the view (see dup_text()); the present state is compared with it
   * to find unsaved changes. NULL: not known yet */
  char *text;
  /* the number of fitted clocks, and the number of clocks whose fit was refused, when the user was last told about
   * them */
  guint n_announced, n_refused;
  gboolean told_apart; /* TRUE if the user was told that the files belong to different runs */
  gboolean noted_fit;  /* TRUE if the undo stack has a step for the fit of the clocks */
  /* cancels reading a session file; not NULL while a session file is read, and until the user has answered the question
   * about the locations in the file */
  GCancellable *reading;
  GCancellable *finding; /* cancels the search for the saved session of the open paths; NULL: no search is running */
  /* TRUE while a session file is read, and while the user is asked about the locations in it. Afterwards the session is
   * opened, unless reading failed or the user refused. */
  gboolean opening;
  char *opened;  /* path of the session file that was opened last; NULL: none was opened */
  gboolean adds; /* TRUE if the files of the session are added to the run; FALSE if they replace the run */
  /* char **: paths of files that are to be added when the session file has been read; NULL: there are none */
  GPtrArray *waiting;
  struct {
    LoomSession *session; /* the session about whose locations the user is being asked; NULL: no question is open */
    guint number;         /* number sent with the last "asks-locations"; answers with earlier numbers are ignored */
  } asked;
  LoomPendingSession pending;
};

G_DEFINE_FINAL_TYPE (LoomRunSession, loom_run_session, G_TYPE_OBJECT)

enum { CHANGED, SAVED, FAILED, RESTORED, ASKS_LOCATIONS, CLOCKS_FITTED, CLOCKS_REFUSED, RUNS_DIFFER, N_SIGNALS };
static guint signals[N_SIGNALS];

static void announce_fit (LoomRunSession *self);

static void
changed (LoomRunSession *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* --- restoring a session, and finding unsaved changes ------------------------------------------------------------- */

static void
drop_reading (LoomRunSession *self)
{
  loom_worker_cancel (&self->reading);
  g_clear_pointer (&self->asked.session, loom_session_file_free);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  self->opening = FALSE;
}

static void
drop_session (LoomRunSession *self)
{
  loom_pending_session_clear (&self->pending);
  loom_worker_cancel (&self->finding);
  drop_reading (self);
}

static void
await (LoomRunSession *self, LoomSession *session, gboolean own)
{
  loom_pending_session_set (&self->pending, session, own);
  self->n_announced = session->n_told;
}

static LoomSession *
collect (LoomRunSession *self)
{
  LoomSession *session = loom_session_state_collect (self->run);
  loom_pending_session_carry_over (&self->pending, self->run, session);
  session->n_told = self->n_announced;
  return session;
}

/* Returns the session to save automatically; NULL: nothing may be saved yet, because there is no timeline, or because
 * the automatically saved session of the opened paths is still being searched for. */
static LoomSession *
collect_kept (gpointer data)
{
  LoomRunSession *self = data;
  return self->finding == NULL && loom_document_get_timeline (self->document) != NULL ? collect (self) : NULL;
}

/* Returns the text of a session file, without the members for the view, the selection and the open page. Such texts are
 * compared to find unsaved changes; changes of these members do not count. */
static char *
dup_text (LoomRunSession *self)
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
take_text (LoomRunSession *self, char *text)
{
  g_free (self->text);
  self->text = text;
}

static void
set_path (LoomRunSession *self, const char *path)
{
  g_clear_pointer (&self->input, loom_input_files_free);
  g_free (self->path);
  self->path = g_strdup (path);
  self->input = path != NULL ? loom_input_files_new_of_kind (path, LOOM_INPUT_FILES_SESSION) : NULL;
}

gboolean
loom_run_session_is_unsaved (LoomRunSession *self)
{
  if (self->path == NULL || self->text == NULL || loom_document_get_timeline (self->document) == NULL)
    return FALSE;
  g_autofree char *text = dup_text (self);
  return !g_str_equal (text, self->text);
}

void
loom_run_session_discard (LoomRunSession *self)
{
  take_text (self, dup_text (self));
}

/* Restores those parts of the saved session for which the run has loaded enough. */
static void
follow_document (LoomRunSession *self)
{
  if (self->pending.session == NULL || loom_document_get_timeline (self->document) == NULL)
    return;
  if (loom_pending_session_show (&self->pending, self->run) && !self->pending.is_own)
    g_signal_emit (self, signals[RESTORED], 0);
  if (loom_document_is_loading (self->document))
    return;
  if (self->pending.is_own)
    take_text (self, dup_text (self));
  loom_pending_session_clear (&self->pending);
}

void
loom_run_session_forget_view (LoomRunSession *self)
{
  loom_pending_session_clear (&self->pending);
  loom_session_state_forget (self->run);
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* Applies the session's edits of sources and clocks to the run that is being read. */
static void
take_edits (LoomRunSession *self, const LoomSession *session)
{
  if (!loom_source_overrides_is_empty (session->sources))
    loom_document_set_source_edits (self->document, session->sources);
  loom_document_set_clock_edits (self->document, session->clocks);
  self->noted_fit = FALSE; /* the undo stack was cleared, so its step for the fit of the clocks is gone */
}

static void
kept_found (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomRunSession *self = owner;
  g_autoptr (LoomSession) session = result;
  if (session != NULL) {
    take_edits (self, session);
    await (self, g_steal_pointer (&session), FALSE);
    follow_document (self);
  }
  if (!loom_document_is_loading (self->document))
    announce_fit (self);
  loom_session_autosave_changed (self->autosave);
  changed (self);
}

/* Opens other files. loom_session_autosave_stop() has already saved the session of the previous run. Resets rows,
 * marks, colors and findings only after the document has dropped its timeline; otherwise the rows of that timeline
 * would be laid out again. */
static void
open_document (LoomRunSession *self, const char *const *paths)
{
  loom_document_open (self->document, paths);
  loom_session_state_forget (self->run);
}

/* Opens files, folders and locations. If the settings say so, also restores the state from the session that was saved
 * automatically for these paths. */
static void
open_run (LoomRunSession *self, const char *const *paths)
{
  loom_session_autosave_stop (self->autosave);
  drop_session (self);
  set_path (self, NULL);
  take_text (self, NULL);
  open_document (self, paths);
  if (!loom_session_autosave_start (self->autosave, paths, NULL, NULL) ||
      !loom_settings_get_boolean (LOOM_SETTING_RESTORE))
    return;
  loom_session_autosave_find_async (&self->finding, paths, kept_found, self);
}

static void
open_read (LoomRunSession *self, LoomSession *session, const char *path)
{
  g_ptr_array_add (session->paths, NULL);
  g_auto (GStrv) paths = g_strdupv ((GStrv) session->paths->pdata);
  g_ptr_array_set_size (session->paths, (gint) session->paths->len - 1);
  loom_session_autosave_stop (self->autosave);
  loom_worker_cancel (&self->finding);
  take_text (self, NULL);
  set_path (self, loom_session_autosave_is_own (path) ? NULL : path);
  loom_session_autosave_start (self->autosave, (const char *const *) paths, session, path);
  open_document (self, (const char *const *) paths);
  take_edits (self, session);
  await (self, session, TRUE);
}

static void
add_read (LoomRunSession *self, LoomSession *session)
{
  g_ptr_array_add (session->paths, NULL);
  loom_document_add (self->document, (const char *const *) session->paths->pdata);
  loom_session_file_free (session);
}

static LoomSession *
read_in_thread (char *path, GCancellable *cancellable, GError **error)
{
  return loom_session_file_read (path, error);
}

/* Adds the files that the user opened, or dragged onto the window, while a session was being read. */
static void
add_waiting (LoomRunSession *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);
  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    loom_run_session_open_paths (self, waiting->pdata[i], TRUE);
}

/* Must be called when a session file has been read and the user has answered the question about its locations. Opens
 * `session` or adds its files to the run, and takes ownership of `session`; NULL: nothing is opened. Then adds the
 * files that the user opened, or dragged onto the window, while the session was being read. */
static void
end_reading (LoomRunSession *self, LoomSession *session)
{
  g_clear_object (&self->reading);
  self->opening = FALSE;
  if (session != NULL && self->adds)
    add_read (self, session);
  else if (session != NULL)
    open_read (self, session, self->opened);
  add_waiting (self);
  changed (self);
}

void
loom_run_session_answer_locations (LoomRunSession *self, guint number, gboolean may_fetch)
{
  if (self->asked.session == NULL || number != self->asked.number)
    return;
  g_autoptr (LoomSession) session = g_steal_pointer (&self->asked.session);
  end_reading (self, may_fetch ? g_steal_pointer (&session) : NULL);
}

/* Opens a session. If it contains remote locations, first asks the user, because the session file may come from
 * anybody. A session that the program saved automatically is opened without this question, because it contains only
 * locations that the user opened before. */
static void
open_agreed (LoomRunSession *self, LoomSession *session)
{
  g_autofree const char **locations = loom_session_file_find_locations (session);
  if (locations[0] == NULL || loom_session_autosave_is_own (self->opened)) {
    end_reading (self, session);
    return;
  }
  self->asked.session = session;
  g_signal_emit (self, signals[ASKS_LOCATIONS], 0, locations, ++self->asked.number);
}

static void
session_read (gpointer owner, gpointer result, const GError *error, gpointer path)
{
  LoomRunSession *self = owner;
  g_autoptr (LoomSession) session = result;
  if (session != NULL && session->paths->len > 0) {
    open_agreed (self, g_steal_pointer (&session));
    return;
  }
  g_signal_emit (self, signals[FAILED], 0, error != NULL ? error->message : _ ("The session contains no files"),
                 _ ("Open the files themselves, or another session."));
  end_reading (self, NULL);
}

static void
open_session (LoomRunSession *self, const char *path, gboolean add)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_in_thread, g_free,
                                       (GDestroyNotify) loom_session_file_free };
  drop_reading (self);
  self->reading = g_cancellable_new ();
  self->opening = TRUE;
  g_free (self->opened);
  self->opened = g_strdup (path);
  self->adds = add;
  loom_worker_run (self->reading, &kind, g_strdup (path), session_read, self);
}

/* Stores paths of files that are to be added to the run of a session, until the session file has been read and
 * opened. */
static void
wait_with (LoomRunSession *self, const char *const *paths)
{
  if (self->waiting == NULL)
    self->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_ptr_array_add (self->waiting, g_strdupv ((GStrv) paths));
}

void
loom_run_session_open_paths (LoomRunSession *self, const char *const *paths, gboolean add)
{
  g_return_if_fail (LOOM_IS_RUN_SESSION (self) && paths != NULL);
  if (paths[0] == NULL)
    return;
  add = add && !loom_run_session_is_empty (self);
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
loom_run_session_is_opening (LoomRunSession *self)
{
  return self->reading != NULL || self->finding != NULL;
}

/* --- saving ------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomSession *session;
  char *path;
  char *text; /* result of dup_text() when saving began */
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
  g_autoptr (LoomRunSession) self = owner;
  WriteInput *input = data;
  if (error != NULL) {
    g_signal_emit (self, signals[FAILED], 0, error->message, _ ("Choose another location and save again."));
    g_signal_emit (self, signals[SAVED], 0, FALSE);
    return;
  }
  set_path (self, input->path);
  take_text (self, g_steal_pointer (&input->text));
  g_signal_emit (self, signals[SAVED], 0, TRUE);
}

void
loom_run_session_save (LoomRunSession *self, const char *path)
{
  g_return_if_fail (LOOM_IS_RUN_SESSION (self) && path != NULL);
  static const LoomWorkerKind kind = { (LoomWorkerFunc) write_in_thread, (GDestroyNotify) write_input_free, NULL };
  WriteInput *input = LOOM_WORKER_INPUT (WriteInput, collect (self), g_strdup (path), dup_text (self));
  loom_worker_run (NULL, &kind, input, written, g_object_ref (self));
}

const char *
loom_run_session_get_path (LoomRunSession *self)
{
  return self->path;
}

/* --- messages about what the load did to the clocks --------------------------------------------------------------- */

static void
warn_if_runs_differ (LoomRunSession *self)
{
  LoomTimeline *timeline = loom_document_get_timeline (self->document);
  g_autofree char *text =
    timeline != NULL
      ? loom_run_warnings_dup_words (timeline, _ ("Open one run at a time, or several in tabs to compare them."))
      : NULL;
  if (text != NULL && !self->told_apart)
    g_signal_emit (self, signals[RUNS_DIFFER], 0, text);
  self->told_apart = text != NULL;
}

/* Tells the user how many clocks a load fitted, and how many fits it refused. Repeats this only when one of the numbers
 * has changed. Tells nothing while the saved session is being searched for, because the session contains the numbers
 * that the user was told before. */
static void
announce_fit (LoomRunSession *self)
{
  gint64 most_ns;
  guint n = loom_clock_commands_count_fitted (self->document, &most_ns),
        n_refused = loom_clock_commands_count_refused (self->document);
  if (n > 0 && !self->noted_fit)
    loom_clock_commands_note_fit (self->document);
  self->noted_fit |= n > 0;
  if (self->finding != NULL)
    return;
  if (n > 0 && n != self->n_announced)
    g_signal_emit (self, signals[CLOCKS_FITTED], 0, n, most_ns);
  if (n_refused > 0 && n_refused != self->n_refused)
    g_signal_emit (self, signals[CLOCKS_REFUSED], 0, n_refused);
  if (n != self->n_announced)
    loom_session_autosave_changed (self->autosave);
  self->n_announced = n;
  self->n_refused = n_refused;
}

/* --- signals of the document -------------------------------------------------------------------------------------- */

static void
timeline_changed (LoomRunSession *self)
{
  if (loom_document_get_timeline (self->document) == NULL) {
    self->n_announced = self->n_refused = 0;
    self->told_apart = self->noted_fit = FALSE;
  }
  follow_document (self);
  changed (self);
}

static void
loading_changed (LoomRunSession *self)
{
  if (!loom_document_is_loading (self->document) && !loom_document_is_quiet (self->document)) {
    follow_document (self);
    warn_if_runs_differ (self);
    announce_fit (self);
  }
  changed (self);
}

static void
sources_edited (LoomRunSession *self)
{
  loom_session_autosave_changed (self->autosave);
  changed (self);
}

gboolean
loom_run_session_is_empty (LoomRunSession *self)
{
  return !self->opening && loom_document_get_timeline (self->document) == NULL &&
         !loom_document_is_loading (self->document);
}

const char *
loom_run_session_get_stage (LoomRunSession *self)
{
  if (loom_document_get_timeline (self->document) != NULL)
    return "run";
  if (loom_document_is_loading (self->document))
    return "reading";
  return loom_document_get_paths (self->document)[0] != NULL && !loom_document_was_cancelled (self->document)
           ? "nothing"
           : "empty";
}

/* --- closing, freeing and creating the session -------------------------------------------------------------------- */

void
loom_run_session_close (LoomRunSession *self)
{
  loom_session_autosave_stop (self->autosave);
  drop_session (self); /* cancel reading a session file, which would otherwise be opened in the closed tab */
  loom_run_state_set_follows_files (self->run, FALSE);
  loom_document_cancel (self->document);
}

static void
finalize (GObject *object)
{
  LoomRunSession *self = LOOM_RUN_SESSION (object);
  loom_session_autosave_free (self->autosave);
  drop_session (self);
  set_path (self, NULL);
  g_free (self->text);
  g_free (self->opened);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_object_unref (self->run);
  G_OBJECT_CLASS (loom_run_session_parent_class)->finalize (object);
}

static void
add_signal (guint id, const char *name, guint n_args, GType first, GType second)
{
  signals[id] = g_signal_new (name, LOOM_TYPE_RUN_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, n_args,
                              first, second);
}

static void
loom_run_session_class_init (LoomRunSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  add_signal (CHANGED, "changed", 0, 0, 0);
  add_signal (SAVED, "saved", 1, G_TYPE_BOOLEAN, 0);
  add_signal (FAILED, "failed", 2, G_TYPE_STRING, G_TYPE_STRING);
  add_signal (RESTORED, "restored", 0, 0, 0);
  add_signal (ASKS_LOCATIONS, "asks-locations", 2, G_TYPE_STRV, G_TYPE_UINT);
  add_signal (CLOCKS_FITTED, "clocks-fitted", 2, G_TYPE_UINT, G_TYPE_INT64);
  add_signal (CLOCKS_REFUSED, "clocks-refused", 1, G_TYPE_UINT, 0);
  add_signal (RUNS_DIFFER, "runs-differ", 1, G_TYPE_STRING, 0);
}

static void
loom_run_session_init (LoomRunSession *self)
{
}

LoomRunSession *
loom_run_session_new (LoomRunState *run)
{
  const GConnectFlags after = G_CONNECT_SWAPPED | G_CONNECT_AFTER;
  g_return_val_if_fail (LOOM_IS_RUN_STATE (run), NULL);
  LoomRunSession *self = g_object_new (LOOM_TYPE_RUN_SESSION, NULL);
  self->run = g_object_ref (run);
  self->document = loom_run_state_get_document (run);
  self->autosave = loom_session_autosave_new (run, collect_kept, self);
  g_signal_connect_data (self->document, "timeline-changed", G_CALLBACK (timeline_changed), self, NULL, after);
  g_signal_connect_data (self->document, "loading-changed", G_CALLBACK (loading_changed), self, NULL, after);
  g_signal_connect_data (self->document, "sources-edited", G_CALLBACK (sources_edited), self, NULL, after);
  g_signal_connect_data (run, "steps-changed", G_CALLBACK (changed), self, NULL, after);
  return self;
}

LoomRunState *
loom_run_session_get_run_state (LoomRunSession *self)
{
  return self->run;
}
