/* SPDX-License-Identifier: Apache-2.0
 *
 * A file system layer (VFS) that lets SQLite read a damaged database: damaged pages are replaced by valid ones. The
 * interface is described in loom-salvage-vfs.h.
 */
#include "loom-salvage-vfs.h"

#include "loom-error.h"

#include <glib/gi18n.h>
#include <string.h>

#define FILE_HEADER_BYTES 100
/* Maximum size in bytes of an entry for a child in an interior page: pointer to the entry, page, row id. */
#define MOST_CHILD_BYTES (2 + 4 + 9)

struct _LoomSalvageVfs {
  sqlite3_vfs vfs; /* first member, because SQLite's functions receive a pointer to it */
  char *name;
  LoomDatabasePages *pages;
  GHashTable *made; /* number of a page → guint8 *: content that replaces that of the file */
  GArray *lost;     /* LoomLostRow, sorted: rows to remove from leaves */
  guint32 n_pages;  /* number of pages of the database, including missing and added pages */
  /* page number that add_page() returned last. Added pages come after the last page of the file. If none was added
   * yet: page number of the last page of the file */
  guint32 last_added;
};

typedef struct {
  sqlite3_file file; /* must be the first member, because SQLite's functions receive a pointer to it */
  LoomSalvageVfs *vfs;
} File;

/* --- content of pages --------------------------------------------------------------------------------------------- */

static int
compare_lost (gconstpointer a, gconstpointer b)
{
  const LoomLostRow *x = a, *y = b;
  if (x->page != y->page)
    return x->page < y->page ? -1 : 1;
  return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* Returns the index of the first lost row of a page or, if the page has none, of a later page. */
static guint
find_lost (const LoomSalvageVfs *self, guint32 page)
{
  const LoomLostRow wanted = { page, 0 };
  guint low = 0, high = self->lost->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (compare_lost (&g_array_index (self->lost, LoomLostRow, middle), &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Removes the lost rows from the list of rows in a leaf. */
static void
remove_lost (const LoomSalvageVfs *self, guint32 number, guint8 *bytes)
{
  guint8 *head = bytes + (number == 1 ? FILE_HEADER_BYTES : 0), *cells = head + 8;
  guint32 n = loom_database_pages_get_16 (head + 3), kept = 0;
  guint lost = find_lost (self, number);
  for (guint32 i = 0; i < n; i++) {
    const LoomLostRow *next = lost < self->lost->len ? &g_array_index (self->lost, LoomLostRow, lost) : NULL;
    if (next != NULL && next->page == number && next->cell == i)
      lost++;
    else
      memmove (cells + 2 * kept++, cells + 2 * i, 2);
  }
  loom_database_pages_put_16 (head + 3, kept);
}

static gboolean
has_lost (const LoomSalvageVfs *self, guint32 page)
{
  guint i = find_lost (self, page);
  return i < self->lost->len && g_array_index (self->lost, LoomLostRow, i).page == page;
}

/* Sets members of the header of the file: how many pages there are, and that there is no journal. */
static void
set_header (const LoomSalvageVfs *self, guint8 *bytes)
{
  bytes[18] = bytes[19] = 1;
  loom_database_pages_put_32 (bytes + 28, self->n_pages);
  memcpy (bytes + 92, bytes + 24, 4);
}

/* Sets `bytes` to the content of a page as SQLite must read it: the replacement if there is one, otherwise the bytes in
 * the file without the lost rows. */
static void
read_page (const LoomSalvageVfs *self, guint32 number, guint8 *bytes)
{
  const guint8 *made = g_hash_table_lookup (self->made, GUINT_TO_POINTER (number));
  if (made != NULL) {
    memcpy (bytes, made, self->pages->page_bytes);
  } else {
    loom_database_pages_read (self->pages, loom_database_pages_offset_of (self->pages, number), bytes,
                              self->pages->page_bytes);
    if (has_lost (self, number))
      remove_lost (self, number, bytes);
  }
  if (number == 1)
    set_header (self, bytes);
}

/* --- making trees ------------------------------------------------------------------------------------------------- */

/* An entry of an interior page that is being made. */
typedef struct {
  guint32 page;
  gint64 last; /* greatest row id in the child */
} Child;

static guint8 *
make_page (LoomSalvageVfs *self, guint32 number)
{
  guint8 *bytes = g_malloc0 (self->pages->page_bytes);
  if (number == 1)
    loom_database_pages_read (self->pages, 0, bytes, FILE_HEADER_BYTES);
  g_hash_table_replace (self->made, GUINT_TO_POINTER (number), bytes);
  self->n_pages = MAX (self->n_pages, number);
  return bytes;
}

static void
make_empty_leaf (LoomSalvageVfs *self, guint32 number)
{
  guint8 *head = make_page (self, number) + (number == 1 ? FILE_HEADER_BYTES : 0);
  head[0] = LOOM_PAGE_LEAF;
  loom_database_pages_put_16 (head + 5, self->pages->usable_bytes & 0xFFFF);
}

/* Makes an interior page with these children. `n` must be at most count_most_children(). */
static void
make_interior (LoomSalvageVfs *self, guint32 number, const Child *children, guint n)
{
  guint8 *bytes = make_page (self, number), *head = bytes + (number == 1 ? FILE_HEADER_BYTES : 0);
  guint32 at = self->pages->usable_bytes;
  for (guint i = 0; i + 1 < n; i++) {
    guint8 cell[MOST_CHILD_BYTES];
    loom_database_pages_put_32 (cell, children[i].page);
    guint n_bytes = 4 + loom_database_pages_write_number (cell + 4, (guint64) children[i].last);
    at -= n_bytes;
    memcpy (bytes + at, cell, n_bytes);
    loom_database_pages_put_16 (head + 12 + 2 * i, at);
  }
  head[0] = LOOM_PAGE_INTERIOR;
  loom_database_pages_put_16 (head + 3, n - 1);
  loom_database_pages_put_16 (head + 5, at & 0xFFFF);
  loom_database_pages_put_32 (head + 8, children[n - 1].page);
}

static guint
count_most_children (const LoomSalvageVfs *self, gboolean is_first_page)
{
  guint32 begin = is_first_page ? FILE_HEADER_BYTES : 0;
  return (self->pages->usable_bytes - begin - 12) / MOST_CHILD_BYTES + 1;
}

/* Returns the number of a new page after the end of the file. Skips numbers of the roots of tables, which may be after
 * the end of a truncated file. */
static guint32
add_page (LoomSalvageVfs *self, GHashTable *roots)
{
  do
    self->last_added++;
  while (g_hash_table_contains (roots, GUINT_TO_POINTER (self->last_added)));
  return self->last_added;
}

/* Makes interior pages that refer to `children`, and returns these pages as the next higher level of the tree. Each new
 * page has at least two children, as SQLite requires. */
static GArray *
make_level (LoomSalvageVfs *self, const GArray *children, GHashTable *roots)
{
  GArray *level = g_array_new (FALSE, FALSE, sizeof (Child));
  guint most = count_most_children (self, FALSE), n_pages = (children->len + most - 1) / most;
  for (guint i = 0; i < n_pages; i++) {
    guint first = (guint) ((guint64) children->len * i / n_pages),
          end = (guint) ((guint64) children->len * (i + 1) / n_pages);
    const Child page = { add_page (self, roots), g_array_index (children, Child, end - 1).last };
    make_interior (self, page.page, &g_array_index (children, Child, first), end - first);
    g_array_append_val (level, page);
  }
  return level;
}

/* Makes the root of a tree that has only one leaf. Page 1 becomes an interior page; any other root becomes a copy of
 * the leaf. */
static void
make_single (LoomSalvageVfs *self, guint32 root, const Child *leaf)
{
  if (root == 1) {
    make_interior (self, root, leaf, 1);
    return;
  }
  g_autofree guint8 *bytes = g_malloc (self->pages->page_bytes);
  read_page (self, leaf->page, bytes);
  memcpy (make_page (self, root), bytes, self->pages->page_bytes);
}

static void
make_tree (LoomSalvageVfs *self, const LoomSalvageTable *table, GHashTable *roots)
{
  g_autoptr (GArray) level = g_array_sized_new (FALSE, FALSE, sizeof (Child), table->leaves->len);
  for (guint i = 0; i < table->leaves->len; i++) {
    const LoomSalvageLeaf *leaf = &g_array_index (table->leaves, LoomSalvageLeaf, i);
    const Child child = { leaf->page, leaf->rows.last };
    g_array_append_val (level, child);
  }
  while (level->len > count_most_children (self, table->root == 1)) {
    GArray *above = make_level (self, level, roots);
    g_array_unref (level);
    level = above;
  }
  if (level->len == 0)
    make_empty_leaf (self, table->root);
  else if (level->len == 1)
    make_single (self, table->root, &g_array_index (level, Child, 0));
  else
    make_interior (self, table->root, (const Child *) (gconstpointer) level->data, level->len);
}

void
loom_salvage_vfs_set_tables (LoomSalvageVfs *self, const GPtrArray *tables, const GArray *lost)
{
  g_autoptr (GHashTable) roots = g_hash_table_new (NULL, NULL);
  g_hash_table_remove_all (self->made);
  g_array_set_size (self->lost, 0);
  g_array_append_vals (self->lost, lost->data, lost->len);
  g_array_sort (self->lost, compare_lost);
  self->last_added = self->pages->n_pages;
  /* SQLite refuses a schema in which the root of a table is after the last page */
  self->n_pages = MAX (self->pages->n_pages, self->pages->n_stated);
  for (guint i = 0; i < tables->len; i++)
    g_hash_table_add (roots, GUINT_TO_POINTER (((const LoomSalvageTable *) tables->pdata[i])->root));
  for (guint i = 0; i < tables->len; i++)
    if (((const LoomSalvageTable *) tables->pdata[i])->needs_tree)
      make_tree (self, tables->pdata[i], roots);
}

/* --- interface of SQLite ------------------------------------------------------------------------------------------ */

static int
file_close (sqlite3_file *file)
{
  return SQLITE_OK;
}

static int
file_read (sqlite3_file *file, void *buffer, int n_bytes, sqlite3_int64 offset)
{
  const LoomSalvageVfs *self = ((const File *) file)->vfs;
  guint32 page_bytes = self->pages->page_bytes;
  g_autofree guint8 *page = NULL;
  for (guint64 at = (guint64) offset, end = at + (guint64) n_bytes; at < end;) {
    guint32 number = (guint32) (at / page_bytes) + 1, begin = (guint32) (at % page_bytes),
            n = (guint32) MIN (end - at, page_bytes - begin);
    guint8 *to = (guint8 *) buffer + (at - (guint64) offset);
    if (number > self->n_pages) {
      memset (to, 0, (gsize) (end - at));
      return SQLITE_IOERR_SHORT_READ;
    }
    if (page == NULL)
      page = g_malloc (page_bytes);
    read_page (self, number, n == page_bytes ? to : page);
    if (n < page_bytes)
      memcpy (to, page + begin, n);
    at += n;
  }
  return SQLITE_OK;
}

static int
file_write (sqlite3_file *file, const void *buffer, int n_bytes, sqlite3_int64 offset)
{
  return SQLITE_READONLY;
}

static int
file_truncate (sqlite3_file *file, sqlite3_int64 n_bytes)
{
  return SQLITE_READONLY;
}

static int
file_sync (sqlite3_file *file, int flags)
{
  return SQLITE_OK;
}

static int
file_get_size (sqlite3_file *file, sqlite3_int64 *n_bytes)
{
  const LoomSalvageVfs *self = ((const File *) file)->vfs;
  *n_bytes = (sqlite3_int64) self->n_pages * self->pages->page_bytes;
  return SQLITE_OK;
}

static int
file_lock (sqlite3_file *file, int level)
{
  return SQLITE_OK;
}

static int
file_check_lock (sqlite3_file *file, int *is_reserved)
{
  *is_reserved = 0;
  return SQLITE_OK;
}

static int
file_control (sqlite3_file *file, int operation, void *argument)
{
  return SQLITE_NOTFOUND;
}

static int
file_get_sector_size (sqlite3_file *file)
{
  return 512;
}

static int
file_get_properties (sqlite3_file *file)
{
  return SQLITE_IOCAP_IMMUTABLE;
}

static int
vfs_open (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
  static const sqlite3_io_methods methods = { .iVersion = 1,
                                              .xClose = file_close,
                                              .xRead = file_read,
                                              .xWrite = file_write,
                                              .xTruncate = file_truncate,
                                              .xSync = file_sync,
                                              .xFileSize = file_get_size,
                                              .xLock = file_lock,
                                              .xUnlock = file_lock,
                                              .xCheckReservedLock = file_check_lock,
                                              .xFileControl = file_control,
                                              .xSectorSize = file_get_sector_size,
                                              .xDeviceCharacteristics = file_get_properties };
  File *self = (File *) file;
  gboolean is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  *self = (File) { .file.pMethods = is_database ? &methods : NULL, .vfs = (LoomSalvageVfs *) vfs };
  if (flags_out != NULL)
    *flags_out = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
  return is_database ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int
vfs_delete (sqlite3_vfs *vfs, const char *name, int syncs)
{
  return SQLITE_READONLY;
}

/* No journal exists. */
static int
vfs_access (sqlite3_vfs *vfs, const char *name, int flags, int *is_there)
{
  *is_there = 0;
  return SQLITE_OK;
}

static int
vfs_full_path (sqlite3_vfs *vfs, const char *name, int n_bytes, char *path)
{
  return g_strlcpy (path, name, (gsize) n_bytes) < (gsize) n_bytes ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int
vfs_random (sqlite3_vfs *vfs, int n_bytes, char *bytes)
{
  memset (bytes, 0, (gsize) n_bytes);
  return n_bytes;
}

static int
vfs_sleep (sqlite3_vfs *vfs, int microseconds)
{
  return 0;
}

static int
vfs_get_time (sqlite3_vfs *vfs, double *days)
{
  *days = 0;
  return SQLITE_OK;
}

static int
vfs_get_error (sqlite3_vfs *vfs, int n_bytes, char *message)
{
  return 0;
}

LoomSalvageVfs *
loom_salvage_vfs_new (LoomDatabasePages *pages)
{
  LoomSalvageVfs *self = g_new0 (LoomSalvageVfs, 1);
  self->name = g_strdup_printf ("traceloom-%p", (gpointer) self); /* the address makes the name unique in the process */
  self->vfs = (sqlite3_vfs) { .iVersion = 1,
                              .szOsFile = sizeof (File),
                              .mxPathname = 64,
                              .zName = self->name,
                              .xOpen = vfs_open,
                              .xDelete = vfs_delete,
                              .xAccess = vfs_access,
                              .xFullPathname = vfs_full_path,
                              .xRandomness = vfs_random,
                              .xSleep = vfs_sleep,
                              .xCurrentTime = vfs_get_time,
                              .xGetLastError = vfs_get_error };
  self->pages = pages;
  self->made = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->lost = g_array_new (FALSE, FALSE, sizeof (LoomLostRow));
  self->last_added = pages->n_pages;
  self->n_pages = MAX (pages->n_pages, pages->n_stated);
  sqlite3_vfs_register (&self->vfs, FALSE);
  return self;
}

void
loom_salvage_vfs_free (LoomSalvageVfs *self)
{
  if (self == NULL)
    return;
  sqlite3_vfs_unregister (&self->vfs);
  loom_database_pages_free (self->pages);
  g_hash_table_unref (self->made);
  g_array_unref (self->lost);
  g_free (self->name);
  g_free (self);
}

const LoomDatabasePages *
loom_salvage_vfs_get_pages (const LoomSalvageVfs *self)
{
  return self->pages;
}

sqlite3 *
loom_salvage_vfs_open (LoomSalvageVfs *self, GError **error)
{
  sqlite3 *handle = NULL;
  int status = sqlite3_open_v2 ("file:/database?immutable=1", &handle,
                                SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, self->name);
  if (status == SQLITE_OK)
    return handle;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("not a readable database: %s"), sqlite3_errstr (status));
  sqlite3_close_v2 (handle);
  return NULL;
}
