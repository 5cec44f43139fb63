/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-session-autosave.h: the files, their locks, and the thread that writes them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* declares F_OFD_SETLK and F_OFD_GETLK in fcntl.h */
#endif
#include "loom-session-autosave.h"

#include "loom-archive-path.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define DELAY_S 1
#define LOCK_SUFFIX ".open"

struct _LoomSessionAutosave {
  LoomRunState *run;
  LoomSessionAutosaveCollect collect;
  gpointer data;
  char *path;  /* path of the session file; NULL: the session is not being saved */
  char *saved; /* text of the session that was saved last */
  int lock;    /* file descriptor of the lock file; −1: no lock is held */
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
    g_autofree char *full =
      loom_session_file_is_location (paths[i]) ? g_strdup (paths[i]) : g_canonicalize_filename (paths[i], NULL);
    g_checksum_update (sum, (const guchar *) full, (gssize) strlen (full) + 1);
  }
  g_autofree char *folder = dup_folder ();
  g_autofree char *name = g_strconcat (g_checksum_get_string (sum), LOOM_SESSION_SUFFIX, NULL);
  return g_build_filename (folder, name, NULL);
}

/* --- lock of the session file ------------------------------------------------------------------------------------- */

/* Returns the description of a lock on the whole file. Such a lock belongs to the open file description, not to the
 * process, because two tabs of this process must not share a lock. */
static struct flock
whole_file (void)
{
  return (struct flock) { .l_type = F_WRLCK, .l_whence = SEEK_SET };
}

/* Creates the lock file under a temporary name, locks it, and then gives it its final name. Without the temporary name,
 * another process could find the lock file before it is locked, and would take the session for that of a crashed
 * process. Returns the file descriptor; −1 if the lock file exists, or if it cannot be created, for example because the
 * file system has no hard links. */
static int
create_locked (const char *name)
{
  g_autofree char *fresh = g_strconcat (name, ".XXXXXX", NULL);
  int lock = g_mkstemp_full (fresh, O_RDWR | O_CLOEXEC, 0600);
  struct flock whole = whole_file ();
  if (lock < 0)
    return -1;
  gboolean done = fcntl (lock, F_OFD_SETLK, &whole) == 0 && link (fresh, name) == 0;
  g_unlink (fresh);
  if (done)
    return lock;
  g_close (lock, NULL);
  return -1;
}

/* Locks the lock file of `path`. `flags`: O_CREAT if a missing lock file is to be created, else 0. Returns the file
 * descriptor of the lock file; −1 if the file cannot be opened or another process has locked it. */
static int
take_lock (const char *path, int flags)
{
  g_autofree char *name = g_strconcat (path, LOCK_SUFFIX, NULL);
  int created = (flags & O_CREAT) != 0 ? create_locked (name) : -1;
  if (created >= 0)
    return created;
  int lock = g_open (name, O_RDWR | O_CLOEXEC | flags, 0600);
  struct flock whole = whole_file ();
  if (lock >= 0 && fcntl (lock, F_OFD_SETLK, &whole) == 0)
    return lock;
  if (lock >= 0)
    g_close (lock, NULL);
  return -1;
}

/* Returns TRUE if no process holds the lock. Tests the lock without taking it; otherwise another process that tests or
 * takes the lock at the same time would find it held. */
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

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Returns the text of the session to save; NULL if it is equal to the text saved last, or if no session can be saved
 * yet. */
static char *
dup_news (LoomSessionAutosave *self)
{
  g_autoptr (LoomSession) session = self->collect (self->data);
  g_autofree char *folder = dup_folder ();
  gsize length;
  if (session == NULL)
    return NULL;
  g_autofree char *text = loom_session_file_to_text (session, folder, &length);
  if (g_strcmp0 (text, self->saved) == 0)
    return NULL;
  g_free (self->saved);
  self->saved = g_strdup (text);
  return g_steal_pointer (&text);
}

/* Thread pool that writes session files. It has only one thread, so that texts are written in the order in which they
 * were made. */
static GThreadPool *writer;

static void
write_text (gpointer data, gpointer user_data)
{
  g_auto (GStrv) texts = data; /* elements: path, text */
  g_autoptr (GError) error = NULL;
  if (!g_file_set_contents_full (texts[0], texts[1], -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    g_info ("the view is not kept: %s", error->message);
}

void
loom_session_autosave_flush (void)
{
  if (writer != NULL)
    g_thread_pool_free (g_steal_pointer (&writer), FALSE, TRUE);
}

static void
save (LoomSessionAutosave *self)
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
  LoomSessionAutosave *self = data;
  self->timer = 0;
  save (self);
  return G_SOURCE_REMOVE;
}

void
loom_session_autosave_changed (LoomSessionAutosave *self)
{
  if (self->timer == 0 && self->path != NULL)
    self->timer = g_timeout_add_seconds (DELAY_S, save_later, self);
}

/* --- life --------------------------------------------------------------------------------------------------------- */

LoomSessionAutosave *
loom_session_autosave_new (LoomRunState *run, LoomSessionAutosaveCollect collect, gpointer data)
{
  LoomSessionAutosave *self = g_new0 (LoomSessionAutosave, 1);
  *self = (LoomSessionAutosave) { .run = g_object_ref (run), .collect = collect, .data = data, .lock = -1 };
  static const char *const signals[] = { "view-changed", "rows-changed", "selection-changed", "overlay-changed" };
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_swapped (loom_run_state_get_view (run), signals[i], G_CALLBACK (loom_session_autosave_changed),
                              self);
  g_signal_connect_swapped (loom_run_state_get_analysis (run), "range-changed",
                            G_CALLBACK (loom_session_autosave_changed), self);
  g_signal_connect_swapped (loom_run_state_get_path (run), "notify::shown", G_CALLBACK (loom_session_autosave_changed),
                            self);
  g_signal_connect_swapped (run, "notify::page", G_CALLBACK (loom_session_autosave_changed), self);
  g_signal_connect_swapped (loom_run_state_get_rules (run), "notify", G_CALLBACK (loom_session_autosave_changed), self);
  g_signal_connect_swapped (loom_run_state_get_query (run), "notify::text", G_CALLBACK (loom_session_autosave_changed),
                            self);
  g_signal_connect_swapped (loom_run_state_get_query (run), "notify::chart", G_CALLBACK (loom_session_autosave_changed),
                            self);
  g_signal_connect_swapped (loom_run_state_get_lanes (run), "changed", G_CALLBACK (loom_session_autosave_changed),
                            self);
  g_signal_connect_swapped (loom_run_state_get_saved_queries (run), "changed",
                            G_CALLBACK (loom_session_autosave_changed), self);
  return self;
}

void
loom_session_autosave_stop (LoomSessionAutosave *self)
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
loom_session_autosave_free (LoomSessionAutosave *self)
{
  if (self == NULL)
    return;
  loom_session_autosave_stop (self);
  g_signal_handlers_disconnect_by_data (loom_run_state_get_view (self->run), self);
  g_signal_handlers_disconnect_by_data (loom_run_state_get_analysis (self->run), self);
  g_signal_handlers_disconnect_by_data (loom_run_state_get_rules (self->run), self);
  g_signal_handlers_disconnect_by_data (loom_run_state_get_query (self->run), self);
  g_signal_handlers_disconnect_by_data (loom_run_state_get_lanes (self->run), self);
  g_signal_handlers_disconnect_by_data (loom_run_state_get_saved_queries (self->run), self);
  g_signal_handlers_disconnect_by_data (loom_run_state_get_path (self->run), self);
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_object_unref (self->run);
  g_free (self);
}

static LoomSession *
session_of_paths (const char *const *paths)
{
  LoomSession *session = loom_session_file_new ();
  for (guint i = 0; paths[i] != NULL; i++)
    loom_session_file_add_path (session, paths[i]);
  return session;
}

/* Writes a first session file before the run is loaded, so that the run can be restored after a crash during loading.
 * The file is small enough to be written in the main thread. */
static void
keep_first (LoomSessionAutosave *self, const char *const *paths, const LoomSession *session, const char *folder)
{
  g_autoptr (LoomSession) bare = session == NULL ? session_of_paths (paths) : NULL;
  gsize length;
  g_autofree char *text = loom_session_file_to_text (session != NULL ? session : bare, folder, &length);
  /* a worker may still be writing the session that was open before to the same path; wait for the worker, because the
   * text of that session would otherwise replace the new file */
  loom_session_autosave_flush ();
  g_file_set_contents_full (self->path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

/* `left`: path of the session file of a crashed process. This file is unlocked only after the new session file has been
 * written and locked, so that the session cannot be lost. If a session was already saved for these paths, it is
 * overwritten only if `session` is not NULL and comes from another file. */
gboolean
loom_session_autosave_start (LoomSessionAutosave *self, const char *const *paths, const LoomSession *session,
                             const char *left)
{
  loom_session_autosave_stop (self);
  g_autofree char *folder = dup_folder ();
  g_mkdir_with_parents (folder, 0700);
  self->path = dup_path (paths);
  gboolean same = g_strcmp0 (self->path, left) == 0, was_kept = g_file_test (self->path, G_FILE_TEST_EXISTS);
  if (!was_kept || (session != NULL && !same))
    keep_first (self, paths, session, folder);
  self->lock = take_lock (self->path, O_CREAT);
  if (left != NULL && !same)
    loom_session_autosave_forget_lost (left);
  loom_session_autosave_changed (self);
  return was_kept;
}

static LoomSession *
find_in_thread (char *path, GCancellable *cancellable, GError **error)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) ? loom_session_file_read (path, NULL) : NULL;
}

void
loom_session_autosave_find_async (GCancellable **running, const char *const *paths, LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) find_in_thread, g_free,
                                       (GDestroyNotify) loom_session_file_free };
  loom_worker_start (running, &kind, dup_path (paths), done, owner);
}

/* --- sessions of crashed processes -------------------------------------------------------------------------------- */

static void
lost_free (gpointer data)
{
  LoomCrashedSession *lost = data;
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
  g_autofree char *name = loom_archive_path_dup_printable (base);
  return session->paths->len == 1 ? g_steal_pointer (&name)
                                  : g_strdup_printf ("%s + %u", name, session->paths->len - 1);
}

/* Returns the session that belongs to this lock file; NULL if a process holds the lock or the session contains no
 * paths. */
static LoomCrashedSession *
find_lost (const char *folder, const char *lock_name)
{
  g_autofree char *lock_path = g_build_filename (folder, lock_name, NULL);
  g_autofree char *path = g_strndup (lock_path, strlen (lock_path) - strlen (LOCK_SUFFIX));
  if (!is_left (lock_path))
    return NULL;
  g_autoptr (LoomSession) session = loom_session_file_read (path, NULL);
  g_autofree char *shown = session != NULL ? dup_name (session) : NULL;
  if (shown == NULL) {
    remove_lock (path, take_lock (path, 0));
    return NULL;
  }
  LoomCrashedSession *lost = g_new0 (LoomCrashedSession, 1);
  *lost = (LoomCrashedSession) { g_steal_pointer (&path), g_steal_pointer (&shown),
                                 loom_archive_path_dup_place (session->paths->pdata[0]) };
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
  gint64 x = changed_at ((*(LoomCrashedSession *const *) a)->path),
         y = changed_at ((*(LoomCrashedSession *const *) b)->path);
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
  if (paths->len <= LOOM_SESSION_AUTOSAVE_MAX)
    return;
  g_ptr_array_sort (paths, compare_age);
  for (guint i = 0; i < paths->len - LOOM_SESSION_AUTOSAVE_MAX; i++)
    g_unlink (paths->pdata[i]);
}

GPtrArray *
loom_session_autosave_list_lost (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (lost_free);
  g_autoptr (GPtrArray) sessions = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = dup_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    if (g_str_has_suffix (name, LOOM_SESSION_SUFFIX))
      g_ptr_array_add (sessions, g_build_filename (folder, name, NULL));
    LoomCrashedSession *lost = g_str_has_suffix (name, LOCK_SUFFIX) ? find_lost (folder, name) : NULL;
    if (lost != NULL)
      g_ptr_array_add (list, lost);
  }
  remove_oldest (sessions);
  g_ptr_array_sort (list, compare_lost);
  return list;
}

static GPtrArray *
list_in_thread (gpointer input, GCancellable *cancellable, GError **error)
{
  return loom_session_autosave_list_lost ();
}

void
loom_session_autosave_list_lost_async (LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) list_in_thread, NULL, (GDestroyNotify) g_ptr_array_unref };
  loom_worker_run (NULL, &kind, NULL, done, owner);
}

gboolean
loom_session_autosave_is_own (const char *path)
{
  g_autofree char *folder = dup_folder ();
  g_autofree char *parent = g_path_get_dirname (path);
  return g_str_equal (folder, parent);
}

void
loom_session_autosave_forget_lost (const char *path)
{
  if (loom_session_autosave_is_own (path))
    remove_lock (path, take_lock (path, 0));
}
