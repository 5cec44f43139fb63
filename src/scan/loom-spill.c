/* SPDX-License-Identifier: Apache-2.0
 *
 * One file for all texts, handed out in blocks; blocks of a freed text are used again.
 */
#include "loom-spill.h"

#include "loom-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define BLOCK_BYTES (256u * 1024)

typedef struct {
  LoomText text;
  GMutex lock;
  GArray *blocks; /* guint64: block numbers in the file */
  guint64 n_bytes;
} SpillText;

static struct {
  GMutex lock;
  int fd;
  guint64 n_blocks;
  GArray *free_blocks; /* guint64 */
  char *folder;
} spill = { .fd = -1 };

static int
open_unlinked (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "traceloom-XXXXXX", NULL);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return -1;
  int fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    g_unlink (path);
  return fd;
}

/* With spill.lock held. */
static gboolean
ensure_file (GError **error)
{
  if (spill.fd >= 0)
    return TRUE;
  const char *const folders[] = { g_get_user_cache_dir (), g_get_tmp_dir () };
  for (guint i = 0; i < G_N_ELEMENTS (folders) && spill.fd < 0; i++) {
    spill.fd = open_unlinked (folders[i]);
    g_free (spill.folder);
    spill.folder = g_strdup (folders[i]);
  }
  if (spill.fd < 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot make a temporary file in", spill.folder);
    return FALSE;
  }
  spill.free_blocks = g_array_new (FALSE, FALSE, sizeof (guint64));
  return TRUE;
}

/* With spill.lock held. */
static gboolean
has_room (GError **error)
{
  struct statvfs disk;
  if (fstatvfs (spill.fd, &disk) != 0)
    return TRUE;
  if ((guint64) disk.f_bavail * disk.f_frsize >= LOOM_SPILL_KEEP_FREE)
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, "Less than 256 MiB free in “%s”, where unpacked text is kept",
               spill.folder);
  return FALSE;
}

static gboolean
take_block (guint64 *block, GError **error)
{
  g_mutex_lock (&spill.lock);
  gboolean good = ensure_file (error);
  if (good && spill.free_blocks->len > 0) {
    *block = g_array_index (spill.free_blocks, guint64, spill.free_blocks->len - 1);
    g_array_set_size (spill.free_blocks, spill.free_blocks->len - 1);
  } else if (good && (good = spill.n_blocks % 64 != 0 || has_room (error))) {
    *block = spill.n_blocks++;
  }
  g_mutex_unlock (&spill.lock);
  return good;
}

static gboolean
write_whole (const char *bytes, gsize n_bytes, guint64 offset, GError **error)
{
  while (n_bytes > 0) {
    gssize n = pwrite (spill.fd, bytes, n_bytes, (off_t) offset);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      loom_error_set_from_errno (error, LOOM_ERROR_WRITE, n < 0 ? errno : ENOSPC, "Cannot keep unpacked text in",
                                 spill.folder);
      return FALSE;
    }
    bytes += n, n_bytes -= (gsize) n, offset += (guint64) n;
  }
  return TRUE;
}

gboolean
loom_spill_append (LoomText *text, const char *bytes, gsize n_bytes, GError **error)
{
  SpillText *spilled = (SpillText *) text;
  while (n_bytes > 0) {
    gsize within = (gsize) (spilled->n_bytes % BLOCK_BYTES);
    if (within == 0) {
      guint64 block;
      if (!take_block (&block, error))
        return FALSE;
      g_mutex_lock (&spilled->lock);
      g_array_append_val (spilled->blocks, block);
      g_mutex_unlock (&spilled->lock);
    }
    gsize n = MIN (n_bytes, BLOCK_BYTES - within);
    guint64 block = g_array_index (spilled->blocks, guint64, spilled->blocks->len - 1);
    if (!write_whole (bytes, n, block * BLOCK_BYTES + within, error))
      return FALSE;
    g_mutex_lock (&spilled->lock);
    spilled->n_bytes += n;
    g_mutex_unlock (&spilled->lock);
    bytes += n, n_bytes -= n;
  }
  return TRUE;
}

static gssize
spill_read (LoomText *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  SpillText *spilled = (SpillText *) text;
  g_mutex_lock (&spilled->lock);
  guint64 left = offset < spilled->n_bytes ? spilled->n_bytes - offset : 0;
  guint64 block = left > 0 ? g_array_index (spilled->blocks, guint64, offset / BLOCK_BYTES) : 0;
  g_mutex_unlock (&spilled->lock);
  gsize within = (gsize) (offset % BLOCK_BYTES), n = (gsize) MIN (MIN (left, n_bytes), BLOCK_BYTES - within);
  gssize n_read;
  do
    n_read = n == 0 ? 0 : pread (spill.fd, buffer, n, (off_t) (block * BLOCK_BYTES + within));
  while (n_read < 0 && errno == EINTR);
  if (n_read < 0)
    loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read unpacked text in", spill.folder);
  return n_read;
}

static void
spill_finalize (LoomText *text)
{
  SpillText *spilled = (SpillText *) text;
  g_mutex_lock (&spill.lock);
  if (spilled->blocks->len > 0)
    g_array_append_vals (spill.free_blocks, spilled->blocks->data, spilled->blocks->len);
  g_mutex_unlock (&spill.lock);
  g_array_unref (spilled->blocks);
  g_mutex_clear (&spilled->lock);
}

LoomText *
loom_spill_new (void)
{
  static const LoomTextClass klass = { spill_read, spill_finalize };
  SpillText *spilled = (SpillText *) loom_text_alloc (&klass, sizeof (SpillText));
  g_mutex_init (&spilled->lock);
  spilled->blocks = g_array_new (FALSE, FALSE, sizeof (guint64));
  return &spilled->text;
}
