/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-text.h"

#include "loom-error.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

static const char BEGIN[] = "{\"traceEvents\":[\n";
static const char END[] = "]}\n";

/* Bytes between two places from which text can be made again. */
#define STRIDE (16u * 1024)
/* Bytes made at a time. */
#define WINDOW_BYTES (64u * 1024)

/* A place between two rows. `table` equals the number of tables at the end. */
typedef struct {
  guint64 offset;
  gint64 row_id;  /* the rows from this id on follow; G_MININT64: all of the table */
  guint64 number; /* rows of the table before it */
  guint table;
} Place;

typedef struct {
  LoomByteSource text;
  GMutex lock; /* guards everything below */
  char *path;
  struct stat status; /* of the file when it was opened */
  LoomDatabase *database;
  LoomRowTable *tables;
  guint n_tables;
  sqlite3_stmt **rows; /* one query per table; NULL before its first use */
  LoomRowDamage damage;
  gpointer user_data;
  GDestroyNotify destroy;
  GArray *places;    /* Place, ascending; at least STRIDE bytes apart */
  guint64 known_end; /* text was made up to here at least once */
  GString *window;   /* text from `begin` on */
  guint64 begin;
  Place next;       /* what follows the window */
  gboolean is_open; /* the query of `next.table` stands before the row `next` */
} RowText;

/* Returns the query of a table with its begin bound; NULL if there is no such table. */
static sqlite3_stmt *
start_table (RowText *self, const Place *place)
{
  const LoomRowTable *table = &self->tables[place->table];
  sqlite3_stmt **row = &self->rows[place->table];
  if (*row == NULL)
    *row = loom_database_select (self->database, table->name, table->columns, NULL);
  if (*row != NULL) {
    sqlite3_reset (*row);
    sqlite3_bind_int64 (*row, 1, place->row_id);
  }
  return *row;
}

static void
pass_to_next_table (RowText *self)
{
  if (self->rows[self->next.table] != NULL)
    sqlite3_reset (self->rows[self->next.table]);
  self->next = (Place) { self->next.offset, G_MININT64, 0, self->next.table + 1 };
  self->is_open = FALSE;
}

static void
note_place (RowText *self)
{
  const Place *last = &g_array_index (self->places, Place, self->places->len - 1);
  if (self->next.offset >= last->offset + STRIDE)
    g_array_append_val (self->places, self->next);
}

/* Appends the text of the next row, or goes to the next table. */
static void
make_row (RowText *self)
{
  const LoomRowTable *table = &self->tables[self->next.table];
  gboolean is_first = self->next.offset >= self->known_end;
  sqlite3_stmt *row = self->is_open ? self->rows[self->next.table] : start_table (self, &self->next);
  self->is_open = TRUE;
  int status = row != NULL ? sqlite3_step (row) : SQLITE_DONE;
  if (status != SQLITE_ROW) {
    if (status != SQLITE_DONE && is_first) {
      g_autofree char *message = loom_database_dup_error (self->database);
      self->damage (table, self->next.number, message, self->user_data);
    }
    pass_to_next_table (self);
    return;
  }
  self->next.row_id = sqlite3_column_int64 (row, 0);
  if (is_first)
    note_place (self);
  gsize length = self->window->len;
  table->format (table, row, self->next.number, is_first, self->window, self->user_data);
  self->next.offset += self->window->len - length;
  self->next.number++;
}

/* Fills the window with the text that follows it. Empty at the end of the text. */
static void
make_window (RowText *self)
{
  self->begin = self->next.offset;
  g_string_truncate (self->window, 0);
  if (self->begin == 0) {
    g_string_append_len (self->window, BEGIN, sizeof BEGIN - 1);
    self->next.offset = sizeof BEGIN - 1;
  }
  while (self->window->len < WINDOW_BYTES && self->next.table < self->n_tables)
    make_row (self);
  if (self->window->len < WINDOW_BYTES && self->next.table == self->n_tables) {
    g_string_append_len (self->window, END, sizeof END - 1);
    self->next.offset += sizeof END - 1;
    self->next.table++;
  }
  self->known_end = MAX (self->known_end, self->next.offset);
}

/* Returns the last place at or before the offset. */
static Place
find_place (const RowText *self, guint64 offset)
{
  guint low = 0, high = self->places->len;
  while (high - low > 1) {
    guint middle = (low + high) / 2;
    if (g_array_index (self->places, Place, middle).offset <= offset)
      low = middle;
    else
      high = middle;
  }
  return g_array_index (self->places, Place, low);
}

/* Makes the window contain the offset, unless that is beyond the end of the text. */
static void
move_to (RowText *self, guint64 offset)
{
  gboolean is_behind = offset < self->begin || offset >= self->next.offset + WINDOW_BYTES;
  if (is_behind) {
    if (self->next.table < self->n_tables)
      self->is_open = FALSE;
    self->next = find_place (self, offset);
    self->begin = self->next.offset;
    self->is_open = FALSE;
    g_string_truncate (self->window, 0);
  }
  while (offset >= self->begin + self->window->len && self->next.table <= self->n_tables)
    make_window (self);
}

static gboolean
is_unchanged (const RowText *self, GError **error)
{
  struct stat now;
  if (stat (self->path, &now) == 0 && now.st_ino == self->status.st_ino && now.st_size == self->status.st_size &&
      now.st_mtim.tv_sec == self->status.st_mtim.tv_sec && now.st_mtim.tv_nsec == self->status.st_mtim.tv_nsec)
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” changed while it was read; open it again"), self->path);
  return FALSE;
}

static gssize
row_text_read (LoomByteSource *text, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  RowText *self = (RowText *) text;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  if (!is_unchanged (self, error))
    return -1;
  move_to (self, offset);
  guint64 at = offset - self->begin;
  if (at >= self->window->len)
    return 0;
  gsize n = (gsize) MIN (n_bytes, self->window->len - at);
  memcpy (buffer, self->window->str + at, n);
  return (gssize) n;
}

static void
row_text_finalize (LoomByteSource *text)
{
  RowText *self = (RowText *) text;
  for (guint i = 0; i < self->n_tables; i++)
    sqlite3_finalize (self->rows[i]);
  self->destroy (self->user_data);
  loom_database_free (self->database);
  g_array_unref (self->places);
  g_string_free (self->window, TRUE);
  g_mutex_clear (&self->lock);
  g_free (self->tables);
  g_free (self->rows);
  g_free (self->path);
}

LoomByteSource *
loom_row_text_new (const char *path, LoomDatabase *database, const LoomRowTable *tables, guint n_tables,
                   LoomRowDamage damage, gpointer user_data, GDestroyNotify destroy)
{
  static const LoomByteSourceClass klass = { row_text_read, row_text_finalize };
  RowText *self = (RowText *) loom_byte_source_alloc (&klass, sizeof (RowText));
  g_mutex_init (&self->lock);
  self->path = g_strdup (path);
  stat (path, &self->status);
  self->database = database;
  self->tables = g_memdup2 (tables, n_tables * sizeof *tables);
  self->n_tables = n_tables;
  self->rows = g_new0 (sqlite3_stmt *, n_tables + 1);
  self->damage = damage;
  self->user_data = user_data;
  self->destroy = destroy;
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  self->window = g_string_sized_new (WINDOW_BYTES * 2);
  self->next.row_id = G_MININT64;
  g_array_append_val (self->places, self->next);
  return &self->text;
}
