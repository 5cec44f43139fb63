/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads the pages of an SQLite database directly, for databases that are too damaged for the
 * library of SQLite. The format is described at https://sqlite.org/fileformat2.html. Nothing in a file is trusted: each
 * number is checked before it is used. Must be used by one thread at a time.
 */
#pragma once

#include <gio/gio.h>

/* Maximum length in bytes of a value in a database. A row with more bytes than this is not read. */
#define LOOM_DATABASE_PAGES_MOST_VALUE (64 * 1024 * 1024)
/* Greatest number of a page that SQLite accepts. */
#define LOOM_DATABASE_PAGES_MOST 1073741823u

typedef struct {
  guint32 page_bytes;   /* size of a page: a power of two from 512 to 65,536 */
  guint32 usable_bytes; /* size of a page without the bytes at its end that SQLite does not use */
  guint32 n_pages;      /* number of pages in the file; the last one may be incomplete */
  guint32 n_stated;     /* number of pages according to the header of the file */
  guint64 n_bytes;      /* length of the file */
  int fd;               /* the file; −1: the database is in memory */
  guint8 *bytes;        /* the database in memory; used if `fd` is −1 */
  GDestroyNotify free_bytes;
} LoomDatabasePages;

/* Opens the file at `path`. Returns NULL with LOOM_ERROR_FORMAT if it does not begin with the header of a database. */
LoomDatabasePages *loom_database_pages_new (const char *path, GError **error);
/* Like loom_database_pages_new(), for a database in memory. Takes ownership of `bytes`, also on failure. */
LoomDatabasePages *loom_database_pages_new_from_bytes (guint8 *bytes, gsize n_bytes, GDestroyNotify free_bytes,
                                                       GError **error);
void loom_database_pages_free (LoomDatabasePages *self);

/* Reads bytes of the file. Returns how many of them exist; the rest of `buffer` is set to 0. */
gsize loom_database_pages_read (const LoomDatabasePages *self, guint64 offset, guint8 *buffer, gsize n_bytes);

static inline guint64
loom_database_pages_offset_of (const LoomDatabasePages *self, guint32 number)
{
  return (guint64) (number - 1) * self->page_bytes;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDatabasePages, loom_database_pages_free)

/* --- content of a page
 * --------------------------------------------------------------------------------------------- */

#define LOOM_PAGE_INTERIOR 0x05
#define LOOM_PAGE_LEAF 0x0D

/* A page of the tree of a table. */
typedef struct {
  guint8 *bytes;   /* content of the page; borrowed */
  guint32 number;  /* number of the page, from 1 */
  guint32 n_bytes; /* number of bytes of the page that exist in the file and that SQLite uses */
  guint32 begin;   /* offset of the page's header in the page: 100 on page 1, which begins with the header of the file;
                    * otherwise 0 */
  guint8 kind;     /* LOOM_PAGE_INTERIOR or LOOM_PAGE_LEAF */
  guint32 n_cells;
  guint32 last_child; /* number of the page that is the last child of an interior page; 0: there is none */
} LoomDatabasePage;

/* Reads a page into `buffer`, which has room for it. Returns FALSE if it is not an interior page or a leaf of a table.
 */
gboolean loom_database_pages_read_page (const LoomDatabasePages *self, guint32 number, guint8 *buffer,
                                        LoomDatabasePage *page);

/* An entry of an interior page, which refers to a child page. */
typedef struct {
  guint32 child;
  gint64 key; /* greatest row id in the child */
} LoomPageChild;

/* Reads the cell `i` of an interior page. Returns FALSE if the cell is damaged or incomplete. */
gboolean loom_database_pages_read_child (const LoomDatabasePages *self, const LoomDatabasePage *page, guint32 i,
                                         LoomPageChild *child);

/* A row in a leaf page. */
typedef struct {
  gint64 row_id;
  guint64 n_bytes;       /* length of the row in bytes */
  guint32 n_local;       /* number of bytes of the row that are in the leaf */
  const guint8 *content; /* the bytes of the row that are in the leaf; borrowed from the page */
  /* number of the first page that contains the other bytes of the row; 0: all its bytes are in the leaf */
  guint32 overflow;
} LoomPageRow;

/* Reads the cell `i` of a leaf. Returns FALSE if the cell is damaged or incomplete. */
gboolean loom_database_pages_read_row (const LoomDatabasePages *self, const LoomDatabasePage *page, guint32 i,
                                       LoomPageRow *row);

/* Bits for the kinds of values in a column. */
enum {
  LOOM_VALUE_NULL = 1,
  LOOM_VALUE_INTEGER = 2,
  LOOM_VALUE_REAL = 4,
  LOOM_VALUE_TEXT = 8,
  LOOM_VALUE_BLOB = 16,
};

/* Maximum number of columns of a table whose rows are searched for in the file. SQLite allows 2000 by default. */
#define LOOM_DATABASE_PAGES_MOST_COLUMNS 2000

/* Sets `kinds`, which has room for LOOM_DATABASE_PAGES_MOST_COLUMNS elements, to the kinds of the values in a row, and
 * `n_columns` to their number. Returns FALSE if the row is damaged. If the header of the row does not fit into the
 * leaf, sets `n_columns` to 0 and returns TRUE. */
gboolean loom_database_pages_read_kinds (const LoomPageRow *row, guint8 *kinds, guint *n_columns);

/* Writes a number in the variable-length format of SQLite. Returns the number of bytes, at most 9. */
guint loom_database_pages_write_number (guint8 *bytes, guint64 number);

static inline guint32
loom_database_pages_get_16 (const guint8 *bytes)
{
  return (guint32) bytes[0] << 8 | bytes[1];
}

static inline guint32
loom_database_pages_get_32 (const guint8 *bytes)
{
  return loom_database_pages_get_16 (bytes) << 16 | loom_database_pages_get_16 (bytes + 2);
}

static inline void
loom_database_pages_put_16 (guint8 *bytes, guint32 number)
{
  bytes[0] = (guint8) (number >> 8);
  bytes[1] = (guint8) number;
}

static inline void
loom_database_pages_put_32 (guint8 *bytes, guint32 number)
{
  loom_database_pages_put_16 (bytes, number >> 16);
  loom_database_pages_put_16 (bytes + 2, number & 0xFFFF);
}
