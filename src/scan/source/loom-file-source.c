/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of an uncompressed file as a LoomByteSource. A job with a thousand ranks has a thousand files, so only a
 * limited number of files is kept open. A closed file is opened again by its path, after a check that it is still the
 * file that was loaded. Every read also checks this, because an open file may be overwritten. Single details are read
 * with pread(); callers that read the whole text map the file.
 */
#include "loom-file-source.h"

#include "loom-error.h"
#include "loom-mapped-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <unistd.h>

#define MAX_OPEN 128

/* Maximum number of files that are mapped at a time. Each of them takes two of the 65,530 mappings that a process may
 * have; malloc() needs some mappings, too. */
#define MOST_MAPS 8192

typedef struct {
  LoomByteSource text;
  char *path;
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec modified;
  GMutex lock;
  int fd; /* descriptor of the open file; −1: the file is closed */
  guint n_holders;
  /* mapping of the file; NULL if it is not mapped: because loom_file_source_hold() was not called, or
   * loom_file_source_release() was called after it, or the file cannot be mapped */
  LoomMappedFile *map;
} FileText;

/* protects open_texts; a thread that needs this lock and the lock of a FileText takes this lock first */
static GMutex open_lock;
/* FileText pointers: the texts whose file is open (fd ≥ 0), in the order in which the files were opened */
static GQueue open_texts = G_QUEUE_INIT;

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
is_file (const FileText *file, const struct stat *now)
{
  return now->st_dev == file->device && now->st_ino == file->inode;
}

/* Returns TRUE if the file has not changed, or has only grown, since it was opened for loading. */
static gboolean
is_untouched (const FileText *file, const struct stat *now)
{
  return now->st_size > file->size || (now->st_size == file->size && now->st_mtim.tv_sec == file->modified.tv_sec &&
                                       now->st_mtim.tv_nsec == file->modified.tv_nsec);
}

static gboolean
is_same_file (const FileText *file, int fd)
{
  struct stat now;
  return fstat (fd, &now) == 0 && is_file (file, &now) && is_untouched (file, &now);
}

static void
set_changed (const FileText *file, GError **error)
{
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” changed since it was loaded; reload it"), file->path);
}

static gboolean
ensure_open (FileText *file, GError **error)
{
  gboolean good = TRUE;
  g_mutex_lock (&open_lock);
  g_mutex_lock (&file->lock);
  if (file->fd < 0) {
    /* O_NONBLOCK: a pipe may have replaced the file since it was loaded, and opening a pipe would wait for a writer */
    file->fd = open (file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->fd < 0) {
      loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot open “%s” again to read the details of events",
                                 file->path);
      good = FALSE;
    } else if (!is_same_file (file, file->fd)) {
      set_changed (file, error);
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

/* Makes sure that the file of the text is open, and locks the text. If the file cannot be opened, returns FALSE with
 * `error` and without the lock. */
static gboolean
lock_open (FileText *file, GError **error)
{
  do {
    g_mutex_lock (&file->lock);
    if (file->fd >= 0)
      return TRUE;
    g_mutex_unlock (&file->lock); /* the file was not opened yet, or another thread closed it meanwhile */
  } while (ensure_open (file, error));
  return FALSE;
}

static gssize
file_text_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  FileText *file = (FileText *) text;
  while (lock_open (file, error)) {
    gssize n = pread (file->fd, buffer, n_bytes, (off_t) offset);
    int saved_errno = errno;
    /* checked only now, because the file may also have been replaced between an earlier check and the read */
    gboolean same = is_same_file (file, file->fd);
    g_mutex_unlock (&file->lock);
    if (same && n >= 0)
      return n;
    if (same && saved_errno == EINTR)
      continue;
    if (same)
      loom_error_set_from_errno (error, LOOM_ERROR_READ, saved_errno, "Cannot read “%s”", file->path);
    else
      set_changed (file, error);
    return -1;
  }
  return -1;
}

static void
file_text_finalize (LoomByteSource *text)
{
  FileText *file = (FileText *) text;
  g_mutex_lock (&open_lock);
  if (file->fd >= 0) {
    g_queue_remove (&open_texts, file);
    close (file->fd);
  }
  g_mutex_unlock (&open_lock);
  g_assert (file->n_holders == 0);
  g_mutex_clear (&file->lock);
  g_free (file->path);
}

static const LoomByteSourceClass klass = { file_text_read, file_text_finalize };

LoomByteSource *
loom_file_source_new (const char *path, const struct stat *status)
{
  FileText *file = (FileText *) loom_byte_source_alloc (&klass, sizeof (FileText));
  file->path = g_canonicalize_filename (path, NULL);
  file->device = status->st_dev;
  file->inode = status->st_ino;
  file->size = status->st_size;
  file->modified = status->st_mtim;
  g_mutex_init (&file->lock);
  file->fd = -1;
  return &file->text;
}

/* --- mapped files ------------------------------------------------------------------------------------------------- */

/* Structs of closed mappings. They are used again and never freed: in a bus error, a thread reads the struct of the
 * mapping that it used last, even if this mapping is closed. */
static GMutex spare_lock;
static GQueue spare_maps = G_QUEUE_INIT; /* LoomMappedFile pointers: the structs of closed mappings */
static guint n_maps;                     /* number of mappings that are open now */

static LoomMappedFile *
take_spare (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&spare_lock);
  if (n_maps >= MOST_MAPS)
    return NULL;
  n_maps++;
  LoomMappedFile *map = g_queue_pop_head (&spare_maps);
  return map != NULL ? map : g_new0 (LoomMappedFile, 1);
}

static void
give_back (LoomMappedFile *map)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&spare_lock);
  g_queue_push_head (&spare_maps, map);
  n_maps--;
}

/* Maps a file that is open. Returns NULL if it cannot be mapped or there are too many mappings. */
static LoomMappedFile *
new_map (const FileText *file)
{
  LoomMappedFile *map = take_spare ();
  if (map == NULL || loom_mapped_file_open_whole (map, file->fd, (gsize) file->size))
    return map;
  give_back (map);
  return NULL;
}

static void
free_map (LoomMappedFile *map)
{
  loom_mapped_file_close (map);
  give_back (map);
}

void
loom_file_source_hold (LoomByteSource *text)
{
  FileText *file = (FileText *) text;
  if (text->klass != &klass)
    return;
  gboolean open = lock_open (file, NULL); /* an error is ignored here, because the next read reports it */
  if (!open)
    g_mutex_lock (&file->lock);
  if (open && file->map == NULL && file->size > 0)
    g_atomic_pointer_set (&file->map, new_map (file));
  file->n_holders++;
  g_mutex_unlock (&file->lock);
}

/* Returns TRUE if the file was changed in place. A file that was overwritten, or truncated within its last page, causes
 * no bus error: its mapping then contains other bytes or zeros. */
static gboolean
was_touched (const FileText *file)
{
  struct stat now;
  return stat (file->path, &now) == 0 && is_file (file, &now) && !is_untouched (file, &now);
}

gboolean
loom_file_source_release (LoomByteSource *text, GError **error)
{
  FileText *file = (FileText *) text;
  if (text->klass != &klass)
    return TRUE;
  g_mutex_lock (&file->lock);
  gboolean good = file->map == NULL || (!file->map->is_broken && !was_touched (file));
  if (--file->n_holders == 0)
    g_clear_pointer (&file->map, free_map);
  g_mutex_unlock (&file->lock);
  if (!good)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” changed, or its disk failed, while it was read"),
                 file->path);
  return good;
}

const char *
loom_file_source_peek (LoomByteSource *text, guint64 offset, gsize *length)
{
  FileText *file = (FileText *) text;
  LoomMappedFile *map = text->klass == &klass ? g_atomic_pointer_get (&file->map) : NULL;
  if (map == NULL || offset >= map->length)
    return NULL;
  loom_mapped_file_look_at (map);
  *length = map->length - offset;
  return map->text + offset;
}
