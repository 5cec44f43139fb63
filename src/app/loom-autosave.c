/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* locks of open files */
#endif
#include "loom-autosave.h"

#include "loom-path.h"
#include "loom-recent.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define DELAY_S 1
#define LOCK_SUFFIX ".open"

struct _LoomAutosave {
  LoomRunView *view;
  LoomAutosaveCollect collect;
  gpointer data;
  char *path;  /* of the session file; NULL while nothing is kept */
  char *saved; /* its text */
  int lock;    /* -1: none */
  guint timer;
};

static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "traceloom", "sessions", NULL);
}

static char *
dup_path (const char *const *paths)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (guint i = 0; paths[i] != NULL; i++) {
    g_autofree char *full = loom_session_is_location (paths[i]) ? g_strdup (paths[i]) : g_canonicalize_filename (paths[i], NULL);
    g_checksum_update (sum, (const guchar *) full, (gssize) strlen (full) + 1);
  }
  g_autofree char *folder = dup_folder ();
  g_autofree char *name = g_strconcat (g_checksum_get_string (sum), LOOM_SESSION_SUFFIX, NULL);
  return g_build_filename (folder, name, NULL);
}

/* --- the lock ------------------------------------------------------------------------------------------------------ */

/* Of the open file, not of the process: another tab of it holds one too. */
static struct flock
whole_file (void)
{
  return (struct flock) { .l_type = F_WRLCK, .l_whence = SEEK_SET };
}

/* -1 when there is none, or somebody holds it. */
static int
take_lock (const char *path, int flags)
{
  g_autofree char *name = g_strconcat (path, LOCK_SUFFIX, NULL);
  int lock = g_open (name, O_RDWR | O_CLOEXEC | flags, 0600);
  struct flock whole = whole_file ();
  if (lock >= 0 && fcntl (lock, F_OFD_SETLK, &whole) == 0)
    return lock;
  if (lock >= 0)
    g_close (lock, NULL);
  return -1;
}

/* Asked without taking it: whoever asks or takes it at the same moment finds it as it is. */
static gboolean
is_left (const char *lock_name)
{
  int lock = g_open (lock_name, O_RDWR | O_CLOEXEC, 0);
  struct flock whole = whole_file ();
  gboolean left = lock >= 0 && fcntl (lock, F_OFD_GETLK, &whole) == 0 && whole.l_type == F_UNLCK;
  if (lock >= 0)
    g_close (lock, NULL);
  return left;
}

static void
remove_lock (const char *path, int lock)
{
  g_autofree char *name = g_strconcat (path, LOCK_SUFFIX, NULL);
  if (lock < 0)
    return;
  g_unlink (name);
  g_close (lock, NULL);
}

/* --- writing ------------------------------------------------------------------------------------------------------- */

/* What is open as text; NULL when that is what was saved last, or not known yet. */
static char *
dup_news (LoomAutosave *self)
{
  g_autoptr (LoomSession) session = self->collect (self->data);
  g_autofree char *folder = dup_folder ();
  gsize length;
  if (session == NULL)
    return NULL;
  g_autofree char *text = loom_session_to_text (session, folder, &length);
  if (g_strcmp0 (text, self->saved) == 0)
    return NULL;
  g_free (self->saved);
  self->saved = g_strdup (text);
  return g_steal_pointer (&text);
}

/* One thread, so that the later text is written later. */
static GThreadPool *writer;

static void
write_text (gpointer data, gpointer user_data)
{
  g_auto (GStrv) texts = data; /* path, text */
  g_autoptr (GError) error = NULL;
  if (!g_file_set_contents_full (texts[0], texts[1], -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    g_info ("the view is not kept: %s", error->message);
}

void
loom_autosave_flush (void)
{
  if (writer != NULL)
    g_thread_pool_free (g_steal_pointer (&writer), FALSE, TRUE);
}

static void
save (LoomAutosave *self)
{
  g_autofree char *text = self->path != NULL ? dup_news (self) : NULL;
  if (text == NULL)
    return;
  if (writer == NULL)
    writer = g_thread_pool_new (write_text, NULL, 1, FALSE, NULL);
  const char *texts[] = { self->path, text, NULL };
  g_thread_pool_push (writer, g_strdupv ((char **) texts), NULL);
}

static gboolean
save_later (gpointer data)
{
  LoomAutosave *self = data;
  self->timer = 0;
  save (self);
  return G_SOURCE_REMOVE;
}

void
loom_autosave_changed (LoomAutosave *self)
{
  if (self->timer == 0 && self->path != NULL)
    self->timer = g_timeout_add_seconds (DELAY_S, save_later, self);
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static LoomViewState *
state_of (LoomAutosave *self)
{
  return loom_timeline_view_get_state (loom_run_view_get_timeline_view (self->view));
}

LoomAutosave *
loom_autosave_new (LoomRunView *view, LoomAutosaveCollect collect, gpointer data)
{
  LoomAutosave *self = g_new0 (LoomAutosave, 1);
  *self = (LoomAutosave) { .view = view, .collect = collect, .data = data, .lock = -1 };
  static const char *const signals[] = { "view-changed", "rows-changed", "selection-changed", "overlay-changed" };
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_swapped (state_of (self), signals[i], G_CALLBACK (loom_autosave_changed), self);
  g_signal_connect_swapped (loom_panels_get_stack (loom_run_view_get_panels (view)), "notify::visible-child", G_CALLBACK (loom_autosave_changed), self);
  g_signal_connect_swapped (loom_panels_get_findings (loom_run_view_get_panels (view)), "dismissed-changed", G_CALLBACK (loom_autosave_changed), self);
  g_signal_connect_swapped (loom_panels_get_findings (loom_run_view_get_panels (view)), "rules-changed", G_CALLBACK (loom_autosave_changed), self);
  return self;
}

void
loom_autosave_stop (LoomAutosave *self)
{
  save (self);
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->path != NULL)
    remove_lock (self->path, self->lock);
  self->lock = -1;
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->saved, g_free);
}

void
loom_autosave_free (LoomAutosave *self)
{
  if (self == NULL)
    return;
  loom_autosave_stop (self);
  g_signal_handlers_disconnect_by_data (state_of (self), self);
  g_signal_handlers_disconnect_by_data (loom_panels_get_stack (loom_run_view_get_panels (self->view)), self);
  g_signal_handlers_disconnect_by_data (loom_panels_get_findings (loom_run_view_get_panels (self->view)), self);
  g_free (self);
}

static LoomSession *
session_of_paths (const char *const *paths)
{
  LoomSession *session = loom_session_new ();
  for (guint i = 0; paths[i] != NULL; i++)
    loom_session_add_path (session, paths[i]);
  return session;
}

/* What is being read is known from the first moment, however long that takes. Too small to wait for. */
static void
keep_first (LoomAutosave *self, const char *const *paths, const LoomSession *session, const char *folder)
{
  g_autoptr (LoomSession) bare = session == NULL ? session_of_paths (paths) : NULL;
  gsize length;
  g_autofree char *text = loom_session_to_text (session != NULL ? session : bare, folder, &length);
  loom_autosave_flush (); /* what was open may have been of the same path */
  g_file_set_contents_full (self->path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

/* What was left is not lost any more when it is held, not before. What was kept of the paths stays, unless it is another one that
 * was left last. */
gboolean
loom_autosave_start (LoomAutosave *self, const char *const *paths, const LoomSession *session, const char *left)
{
  loom_autosave_stop (self);
  g_autofree char *folder = dup_folder ();
  g_mkdir_with_parents (folder, 0700);
  self->path = dup_path (paths);
  gboolean same = g_strcmp0 (self->path, left) == 0, was_kept = g_file_test (self->path, G_FILE_TEST_EXISTS);
  if (!was_kept || (session != NULL && !same))
    keep_first (self, paths, session, folder);
  self->lock = take_lock (self->path, O_CREAT);
  if (left != NULL && !same)
    loom_autosave_forget_lost (left);
  loom_autosave_changed (self);
  return was_kept;
}

static void
find_in_thread (GTask *task, gpointer source, gpointer path, GCancellable *cancellable)
{
  LoomSession *session = g_file_test (path, G_FILE_TEST_EXISTS) ? loom_session_read (path, NULL) : NULL;
  g_task_return_pointer (task, session, (GDestroyNotify) loom_session_free);
}

void
loom_autosave_find_async (const char *const *paths, GCancellable *cancellable, gpointer source, GAsyncReadyCallback done)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, NULL);
  g_task_set_task_data (task, dup_path (paths), g_free);
  g_task_run_in_thread (task, find_in_thread);
}

LoomSession *
loom_autosave_find_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* --- what was lost ------------------------------------------------------------------------------------------------- */

static void
lost_free (gpointer data)
{
  LoomLost *lost = data;
  g_free (lost->path);
  g_free (lost->name);
  g_free (lost->place);
  g_free (lost);
}

static char *
dup_name (const LoomSession *session)
{
  if (session->paths->len == 0)
    return NULL;
  g_autofree char *base = g_path_get_basename (session->paths->pdata[0]);
  g_autofree char *name = loom_path_dup_printable (base);
  return session->paths->len == 1 ? g_steal_pointer (&name) : g_strdup_printf ("%s + %u", name, session->paths->len - 1);
}

/* The session below the lock of that name, when nobody holds the lock and there is something to show again. */
static LoomLost *
find_lost (const char *folder, const char *lock_name)
{
  g_autofree char *lock_path = g_build_filename (folder, lock_name, NULL);
  g_autofree char *path = g_strndup (lock_path, strlen (lock_path) - strlen (LOCK_SUFFIX));
  if (!is_left (lock_path))
    return NULL;
  g_autoptr (LoomSession) session = loom_session_read (path, NULL);
  g_autofree char *shown = session != NULL ? dup_name (session) : NULL;
  if (shown == NULL) {
    remove_lock (path, take_lock (path, 0));
    return NULL;
  }
  LoomLost *lost = g_new0 (LoomLost, 1);
  *lost = (LoomLost) { g_steal_pointer (&path), g_steal_pointer (&shown),
                       loom_recent_dup_place (session->paths->pdata[0]) };
  return lost;
}

static gint64
changed_at (const char *path)
{
  GStatBuf info;
  return g_stat (path, &info) == 0 ? (gint64) info.st_mtime : 0;
}

static int
compare_lost (gconstpointer a, gconstpointer b)
{
  gint64 x = changed_at ((*(LoomLost *const *) a)->path), y = changed_at ((*(LoomLost *const *) b)->path);
  return (x < y) - (x > y);
}

static int
compare_age (gconstpointer a, gconstpointer b)
{
  gint64 x = changed_at (*(char *const *) a), y = changed_at (*(char *const *) b);
  return (x > y) - (x < y);
}

static void
remove_oldest (GPtrArray *paths)
{
  if (paths->len <= LOOM_AUTOSAVE_MAX)
    return;
  g_ptr_array_sort (paths, compare_age);
  for (guint i = 0; i < paths->len - LOOM_AUTOSAVE_MAX; i++)
    g_unlink (paths->pdata[i]);
}

GPtrArray *
loom_autosave_list_lost (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (lost_free);
  g_autoptr (GPtrArray) sessions = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = dup_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    if (g_str_has_suffix (name, LOOM_SESSION_SUFFIX))
      g_ptr_array_add (sessions, g_build_filename (folder, name, NULL));
    LoomLost *lost = g_str_has_suffix (name, LOCK_SUFFIX) ? find_lost (folder, name) : NULL;
    if (lost != NULL)
      g_ptr_array_add (list, lost);
  }
  remove_oldest (sessions);
  g_ptr_array_sort (list, compare_lost);
  return list;
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, loom_autosave_list_lost (), (GDestroyNotify) g_ptr_array_unref);
}

void
loom_autosave_list_lost_async (GCancellable *cancellable, GAsyncReadyCallback done, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, done, user_data);
  g_task_run_in_thread (task, list_in_thread);
}

GPtrArray *
loom_autosave_list_lost_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

gboolean
loom_autosave_is_own (const char *path)
{
  g_autofree char *folder = dup_folder ();
  g_autofree char *parent = g_path_get_dirname (path);
  return g_str_equal (folder, parent);
}

void
loom_autosave_forget_lost (const char *path)
{
  if (loom_autosave_is_own (path))
    remove_lock (path, take_lock (path, 0));
}
