/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the pages of an SQLite database directly. The interface is described in loom-database-pages.h.
 */
#include "loom-database-pages.h"

#include "loom-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_BYTES 100

/* --- file --------------------------------------------------------------------------------------------------------- */

/* Reads the header of the file. Returns FALSE if it is damaged. */
static gboolean
read_header (LoomDatabasePages *self)
{
  static const char magic[16] = "SQLite format 3";
  guint8 head[HEADER_BYTES];
  if (loom_database_pages_read (self, 0, head, sizeof head) < sizeof head || memcmp (head, magic, sizeof magic) != 0)
    return FALSE;
  guint32 stated = loom_database_pages_get_16 (head + 16);
  self->page_bytes = stated == 1 ? 65536 : stated;
  self->usable_bytes = self->page_bytes - head[20];
  self->n_stated = MIN (loom_database_pages_get_32 (head + 28), LOOM_DATABASE_PAGES_MOST);
  if (self->page_bytes < 512 || (self->page_bytes & (self->page_bytes - 1)) != 0 || self->usable_bytes < 480)
    return FALSE;
  guint64 n_pages = (self->n_bytes + self->page_bytes - 1) / self->page_bytes;
  self->n_pages = (guint32) MIN (n_pages, LOOM_DATABASE_PAGES_MOST);
  return TRUE;
}

static LoomDatabasePages *
check_header (LoomDatabasePages *self, GError **error)
{
  if (read_header (self))
    return self;
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("The header of the database is damaged"));
  loom_database_pages_free (self);
  return NULL;
}

LoomDatabasePages *
loom_database_pages_new (const char *path, GError **error)
{
  struct stat status;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0 || fstat (fd, &status) != 0) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_READ, g_strerror (errno));
    if (fd >= 0)
      close (fd);
    return NULL;
  }
  LoomDatabasePages *self = g_new0 (LoomDatabasePages, 1);
  self->fd = fd;
  self->n_bytes = (guint64) status.st_size;
  return check_header (self, error);
}

LoomDatabasePages *
loom_database_pages_new_from_bytes (guint8 *bytes, gsize n_bytes, GDestroyNotify free_bytes, GError **error)
{
  LoomDatabasePages *self = g_new0 (LoomDatabasePages, 1);
  *self = (LoomDatabasePages) { .fd = -1, .bytes = bytes, .n_bytes = n_bytes, .free_bytes = free_bytes };
  return check_header (self, error);
}

void
loom_database_pages_free (LoomDatabasePages *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  if (self->free_bytes != NULL)
    self->free_bytes (self->bytes);
  g_free (self);
}

static gsize
read_file (int fd, guint64 offset, guint8 *buffer, gsize n_bytes)
{
  gsize done = 0;
  while (done < n_bytes) {
    gssize n = pread (fd, buffer + done, n_bytes - done, (off_t) (offset + done));
    if (n == 0 || (n < 0 && errno != EINTR))
      break;
    done += n > 0 ? (gsize) n : 0;
  }
  return done;
}

gsize
loom_database_pages_read (const LoomDatabasePages *self, guint64 offset, guint8 *buffer, gsize n_bytes)
{
  gsize wanted = (gsize) MIN (n_bytes, self->n_bytes - MIN (offset, self->n_bytes)), n = wanted;
  if (self->bytes == NULL)
    n = read_file (self->fd, offset, buffer, wanted);
  else if (wanted > 0)
    memcpy (buffer, self->bytes + offset, wanted);
  memset (buffer + n, 0, n_bytes - n);
  return n;
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

static guint32
count_header_bytes (const LoomDatabasePage *page)
{
  return page->kind == LOOM_PAGE_INTERIOR ? 12 : 8;
}

gboolean
loom_database_pages_read_page (const LoomDatabasePages *self, guint32 number, guint8 *buffer, LoomDatabasePage *page)
{
  if (number < 1 || number > self->n_pages)
    return FALSE;
  gsize n = loom_database_pages_read (self, loom_database_pages_offset_of (self, number), buffer, self->page_bytes);
  *page = (LoomDatabasePage) { .bytes = buffer, .number = number, .begin = number == 1 ? HEADER_BYTES : 0 };
  page->n_bytes = (guint32) MIN (n, self->usable_bytes);
  page->kind = buffer[page->begin];
  if (page->begin + 12 > page->n_bytes || (page->kind != LOOM_PAGE_INTERIOR && page->kind != LOOM_PAGE_LEAF))
    return FALSE;
  page->n_cells = loom_database_pages_get_16 (buffer + page->begin + 3);
  if (page->kind == LOOM_PAGE_INTERIOR)
    page->last_child = loom_database_pages_get_32 (buffer + page->begin + 8);
  return page->n_cells <= (self->page_bytes - 8) / 6 &&
         page->begin + count_header_bytes (page) + 2 * page->n_cells <= self->usable_bytes;
}

/* Reads a number of 1 to 9 bytes at `at`. Returns the position after the number; 0: the number does not end before
 * `end`. */
static guint32
read_number (const guint8 *bytes, guint32 at, guint32 end, guint64 *number)
{
  *number = 0;
  for (guint i = 0; i < 9 && at < end; i++, at++) {
    if (i == 8) {
      *number = *number << 8 | bytes[at];
      return at + 1;
    }
    *number = *number << 7 | (bytes[at] & 0x7F);
    if (bytes[at] < 0x80)
      return at + 1;
  }
  return 0;
}

guint
loom_database_pages_write_number (guint8 *bytes, guint64 number)
{
  if (number >> 56 != 0) {
    for (guint i = 0; i < 8; i++)
      bytes[i] = (guint8) (number >> (8 + 7 * (7 - i)) | 0x80);
    bytes[8] = (guint8) number;
    return 9;
  }
  guint n = 1;
  while (number >> (7 * n) != 0)
    n++;
  for (guint i = 0; i < n; i++)
    bytes[i] = (guint8) ((number >> (7 * (n - 1 - i)) & 0x7F) | (i + 1 < n ? 0x80 : 0));
  return n;
}

/* Returns the position of cell `i` in the page; 0 if the page has no such cell, or if the position that the page states
 * for this cell is outside of the page's content. */
static guint32
find_cell (const LoomDatabasePage *page, guint32 i)
{
  guint32 pointers = page->begin + count_header_bytes (page), at = pointers + 2 * i;
  if (i >= page->n_cells || at + 2 > page->n_bytes)
    return 0;
  guint32 cell = loom_database_pages_get_16 (page->bytes + at);
  return cell >= pointers + 2 * page->n_cells && cell < page->n_bytes ? cell : 0;
}

gboolean
loom_database_pages_read_child (const LoomDatabasePages *self, const LoomDatabasePage *page, guint32 i,
                                LoomPageChild *child)
{
  guint64 key;
  guint32 at = find_cell (page, i);
  if (at == 0 || at + 5 > page->n_bytes || read_number (page->bytes, at + 4, page->n_bytes, &key) == 0)
    return FALSE;
  *child = (LoomPageChild) { loom_database_pages_get_32 (page->bytes + at), (gint64) key };
  return TRUE;
}

/* Returns how many bytes of a row of `n_bytes` bytes are stored in its leaf; the rest is on overflow pages. The format
 * of SQLite specifies this formula. */
static guint32
count_local (const LoomDatabasePages *self, guint64 n_bytes)
{
  guint32 most = self->usable_bytes - 35, least = (self->usable_bytes - 12) * 32 / 255 - 23;
  if (n_bytes <= most)
    return (guint32) n_bytes;
  guint32 n = least + (guint32) ((n_bytes - least) % (self->usable_bytes - 4));
  return n <= most ? n : least;
}

gboolean
loom_database_pages_read_row (const LoomDatabasePages *self, const LoomDatabasePage *page, guint32 i, LoomPageRow *row)
{
  guint64 row_id;
  guint32 at = find_cell (page, i);
  if (at == 0 || (at = read_number (page->bytes, at, page->n_bytes, &row->n_bytes)) == 0 ||
      (at = read_number (page->bytes, at, page->n_bytes, &row_id)) == 0 ||
      row->n_bytes > LOOM_DATABASE_PAGES_MOST_VALUE)
    return FALSE;
  row->row_id = (gint64) row_id;
  row->n_local = count_local (self, row->n_bytes);
  row->content = page->bytes + at;
  gboolean overflows = row->n_local < row->n_bytes;
  if (at + row->n_local + (overflows ? 4 : 0) > page->n_bytes)
    return FALSE;
  row->overflow = overflows ? loom_database_pages_get_32 (row->content + row->n_local) : 0;
  return !overflows || row->overflow != 0;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Returns the bit (LOOM_VALUE_…) for the kind of a value, and sets `n_bytes` to the length of the value. `type`: type
 * of the value in the header of its row. Returns 0 if the format has no such type. */
static guint8
find_kind (guint64 type, guint64 *n_bytes)
{
  static const guint8 lengths[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };
  *n_bytes = type < G_N_ELEMENTS (lengths) ? lengths[type] : type < 12 ? 0 : (type - 12) / 2;
  if (type >= 12)
    return type % 2 == 0 ? LOOM_VALUE_BLOB : LOOM_VALUE_TEXT;
  return type == 0 ? LOOM_VALUE_NULL : type == 7 ? LOOM_VALUE_REAL : type < 10 ? LOOM_VALUE_INTEGER : 0;
}

gboolean
loom_database_pages_read_kinds (const LoomPageRow *row, guint8 *kinds, guint *n_columns)
{
  guint64 n_header, type, n_value, n_all;
  guint32 at = read_number (row->content, 0, row->n_local, &n_header);
  guint n = 0;
  *n_columns = 0;
  if (at == 0 || n_header < at || n_header > row->n_bytes)
    return FALSE;
  if (n_header > row->n_local)
    return TRUE;
  for (n_all = n_header; at < n_header; n_all += n_value) {
    if (n == LOOM_DATABASE_PAGES_MOST_COLUMNS ||
        (at = read_number (row->content, at, (guint32) n_header, &type)) == 0 ||
        type > 2 * (guint64) LOOM_DATABASE_PAGES_MOST_VALUE + 13)
      return FALSE;
    guint8 kind = find_kind (type, &n_value);
    if (kind == 0)
      return FALSE;
    kinds[n++] = kind;
  }
  *n_columns = n;
  return n > 0 && n_all == row->n_bytes;
}
