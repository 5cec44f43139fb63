/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-temp.h: a VFS of SQLite whose files are in memory.
 */
#include "loom-query-temp.h"

#include <glib.h>
#include <sqlite3.h>
#include <string.h>

#include "loom-limits.h"

#define NAME "loom-memory"
#define BLOCK_BYTES LOOM_MIB
#define FIRST_ROOM 16

/* A temporary file in memory. Its blocks do not move while the file grows. */
typedef struct {
  sqlite3_file base;
  char **blocks; /* blocks of BLOCK_BYTES each, allocated by SQLite, so that they count towards SQLite's memory limit */
  gsize n_blocks, room;
  gint64 size;
} File;

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
drop_blocks (File *file, gsize n_left)
{
  while (file->n_blocks > n_left)
    sqlite3_free (file->blocks[--file->n_blocks]);
}

static int
close_file (sqlite3_file *base)
{
  File *file = (File *) base;
  drop_blocks (file, 0);
  sqlite3_free (file->blocks);
  file->blocks = NULL;
  return SQLITE_OK;
}

static gboolean
add_block (File *file)
{
  if (file->n_blocks == file->room) {
    gsize room = MAX (2 * file->room, FIRST_ROOM);
    char **blocks = sqlite3_realloc64 (file->blocks, room * sizeof *blocks);
    if (blocks == NULL)
      return FALSE;
    file->blocks = blocks;
    file->room = room;
  }
  char *block = sqlite3_malloc64 (BLOCK_BYTES);
  if (block == NULL)
    return FALSE;
  memset (block, 0, BLOCK_BYTES);
  file->blocks[file->n_blocks++] = block;
  return TRUE;
}

/* Copies `n` bytes at `offset` of the file to `bytes` or, if `write` is TRUE, from `bytes` to the file. The blocks must
 * exist. */
static void
copy (File *file, char *bytes, gsize n, gint64 offset, gboolean write)
{
  while (n > 0) {
    gsize at = (gsize) (offset % (gint64) BLOCK_BYTES), part = MIN (n, BLOCK_BYTES - at);
    char *place = file->blocks[offset / (gint64) BLOCK_BYTES] + at;
    memcpy (write ? place : bytes, write ? bytes : place, part);
    bytes += part;
    offset += (gint64) part;
    n -= part;
  }
}

/* Reads bytes. Bytes beyond the end of the file are set to zero, as SQLite requires. */
static int
read_file (sqlite3_file *base, void *bytes, int n, sqlite3_int64 offset)
{
  File *file = (File *) base;
  gsize wanted = (gsize) n, there = (gsize) CLAMP (file->size - offset, 0, (gint64) n);
  copy (file, bytes, there, offset, FALSE);
  memset ((char *) bytes + there, 0, wanted - there);
  return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int
write_file (sqlite3_file *base, const void *bytes, int n, sqlite3_int64 offset)
{
  File *file = (File *) base;
  while ((gint64) (file->n_blocks * BLOCK_BYTES) < offset + n)
    if (!add_block (file))
      return SQLITE_IOERR_NOMEM;
  copy (file, (char *) bytes, (gsize) n, offset, TRUE);
  file->size = MAX (file->size, offset + n);
  return SQLITE_OK;
}

static int
truncate_file (sqlite3_file *base, sqlite3_int64 size)
{
  File *file = (File *) base;
  if (size >= file->size)
    return SQLITE_OK;
  gsize n_left = (gsize) ((size + (gint64) BLOCK_BYTES - 1) / (gint64) BLOCK_BYTES), at = (gsize) size % BLOCK_BYTES;
  drop_blocks (file, n_left);
  if (at > 0)
    memset (file->blocks[n_left - 1] + at, 0, BLOCK_BYTES - at);
  file->size = size;
  return SQLITE_OK;
}

static int
sync_file (sqlite3_file *base, int flags)
{
  return SQLITE_OK;
}

static int
get_size (sqlite3_file *base, sqlite3_int64 *size)
{
  *size = ((File *) base)->size;
  return SQLITE_OK;
}

static int
lock_file (sqlite3_file *base, int kind)
{
  return SQLITE_OK;
}

static int
is_reserved (sqlite3_file *base, int *result)
{
  *result = 0;
  return SQLITE_OK;
}

static int
control_file (sqlite3_file *base, int operation, void *argument)
{
  return SQLITE_NOTFOUND;
}

static int
get_sector_size (sqlite3_file *base)
{
  return 4096;
}

static int
get_characteristics (sqlite3_file *base)
{
  return SQLITE_IOCAP_ATOMIC | SQLITE_IOCAP_SAFE_APPEND | SQLITE_IOCAP_SEQUENTIAL;
}

static const sqlite3_io_methods methods = {
  .iVersion = 1, /* version 1 of the interface, which has no functions for shared memory and mapped files */
  .xClose = close_file,
  .xRead = read_file,
  .xWrite = write_file,
  .xTruncate = truncate_file,
  .xSync = sync_file,
  .xFileSize = get_size,
  .xLock = lock_file,
  .xUnlock = lock_file,
  .xCheckReservedLock = is_reserved,
  .xFileControl = control_file,
  .xSectorSize = get_sector_size,
  .xDeviceCharacteristics = get_characteristics,
};

/* --- the VFS: opening, deleting and finding files ----------------------------------------------------------------- */

/* Opens a temporary file, which has no name; refuses files with names. */
static int
open_file (sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out_flags)
{
  memset (base, 0, sizeof (File));
  if (name != NULL)
    return SQLITE_CANTOPEN;
  base->pMethods = &methods;
  if (out_flags != NULL)
    *out_flags = flags;
  return SQLITE_OK;
}

static int
delete_file (sqlite3_vfs *vfs, const char *name, int sync)
{
  return SQLITE_OK;
}

static int
has_file (sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
  *result = 0;
  return SQLITE_OK;
}

static int
get_full_name (sqlite3_vfs *vfs, const char *name, int room, char *full)
{
  sqlite3_snprintf (room, full, "%s", name);
  return SQLITE_OK;
}

static gboolean
register_vfs (void)
{
  static sqlite3_vfs vfs;
  /* the default VFS; its functions for times and random numbers are used here, too */
  const sqlite3_vfs *common = sqlite3_vfs_find (NULL);
  if (common == NULL)
    return FALSE;
  vfs = *common;
  vfs.iVersion = MIN (vfs.iVersion, 2);
  vfs.szOsFile = sizeof (File);
  vfs.zName = NAME;
  vfs.pNext = NULL;
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  vfs.xAccess = has_file;
  vfs.xFullPathname = get_full_name;
  return sqlite3_vfs_register (&vfs, 0) == SQLITE_OK;
}

const char *
loom_query_temp_get_vfs (void)
{
  static gsize state = 0;
  if (g_once_init_enter (&state))
    g_once_init_leave (&state, register_vfs () ? 1 : 2);
  return state == 1 ? NAME : NULL;
}
