/* SPDX-License-Identifier: Apache-2.0
 *
 * A thousand ranks are a thousand files: descriptors are kept in a queue of bounded length and reopened by path, after
 * checking that it still is the file that was loaded. pread instead of mapping: a file that shrinks meanwhile is an
 * error message, not a SIGBUS.
 */
#include "loom-file-text.h"

#include "loom-error.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MAX_OPEN 128

typedef struct {
  LoomText text;
  char *path;
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec modified;
  GMutex lock;
  int fd; /* −1 when closed */
} FileText;

static GMutex open_lock;          /* taken before a FileText's lock */
static GQueue open_texts = G_QUEUE_INIT; /* FileText * with fd ≥ 0, oldest first */

static void
close_oldest (void)
{
  FileText *oldest = g_queue_pop_head (&open_texts);
  g_mutex_lock (&oldest->lock);
  close (oldest->fd);
  oldest->fd = -1;
  g_mutex_unlock (&oldest->lock);
}

static gboolean
is_same_file (FileText *file, int fd)
{
  struct stat now;
  if (fstat (fd, &now) != 0 || now.st_dev != file->device || now.st_ino != file->inode || now.st_size < file->size)
    return FALSE;
  /* Growing is fine, anything else that touched it is not. */
  return now.st_size > file->size ||
         (now.st_mtim.tv_sec == file->modified.tv_sec && now.st_mtim.tv_nsec == file->modified.tv_nsec);
}

static gboolean
ensure_open (FileText *file, GError **error)
{
  gboolean good = TRUE;
  g_mutex_lock (&open_lock);
  g_mutex_lock (&file->lock);
  if (file->fd < 0) {
    file->fd = open (file->path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0) {
      loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read the details of", file->path);
      good = FALSE;
    } else if (!is_same_file (file, file->fd)) {
      g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "“%s” changed since it was loaded; reload it", file->path);
      close (file->fd);
      file->fd = -1;
      good = FALSE;
    } else {
      g_queue_push_tail (&open_texts, file);
    }
  }
  g_mutex_unlock (&file->lock);
  while (g_queue_get_length (&open_texts) > MAX_OPEN)
    close_oldest ();
  g_mutex_unlock (&open_lock);
  return good;
}

static gssize
file_text_read (LoomText *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  FileText *file = (FileText *) text;
  for (;;) {
    if (!ensure_open (file, error))
      return -1;
    g_mutex_lock (&file->lock);
    if (file->fd < 0) { /* closed again by another reader's need */
      g_mutex_unlock (&file->lock);
      continue;
    }
    gssize n = pread (file->fd, buffer, n_bytes, (off_t) offset);
    int saved_errno = errno;
    g_mutex_unlock (&file->lock);
    if (n >= 0)
      return n;
    if (saved_errno == EINTR)
      continue;
    loom_error_set_from_errno (error, LOOM_ERROR_READ, saved_errno, "Cannot read", file->path);
    return -1;
  }
}

static void
file_text_finalize (LoomText *text)
{
  FileText *file = (FileText *) text;
  g_mutex_lock (&open_lock);
  if (file->fd >= 0) {
    g_queue_remove (&open_texts, file);
    close (file->fd);
  }
  g_mutex_unlock (&open_lock);
  g_mutex_clear (&file->lock);
  g_free (file->path);
}

LoomText *
loom_file_text_new (const char *path, const struct stat *status)
{
  static const LoomTextClass klass = { file_text_read, file_text_finalize };
  FileText *file = (FileText *) loom_text_alloc (&klass, sizeof (FileText));
  file->path = g_canonicalize_filename (path, NULL);
  file->device = status->st_dev;
  file->inode = status->st_ino;
  file->size = status->st_size;
  file->modified = status->st_mtim;
  g_mutex_init (&file->lock);
  file->fd = -1;
  return &file->text;
}
