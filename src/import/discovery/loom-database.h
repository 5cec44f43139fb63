/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: opens and reads an SQLite database that a profiler wrote. Neither creates files next to the
 * database nor executes SQL text from it: queries consist of constants of Traceloom and checked names. Must be used by
 * one thread at a time.
 */
#pragma once

#include "loom-progress.h"
#include "loom-salvage.h"
#include "loom-source-location.h"
#include "loom-stream-reader.h"

#include <gio/gio.h>
#include <sqlite3.h>

typedef struct _LoomDatabase LoomDatabase;

/* Returns TRUE if a file that begins with these bytes is an SQLite database. */
gboolean loom_database_recognise (const char *bytes, gsize n_bytes);

/* Opens the file at `path`, read-only and without locks. Returns NULL with LOOM_ERROR_FORMAT if it is not a database,
 * or so damaged that its list of tables cannot be read. Cost: O(columns). */
LoomDatabase *loom_database_open (const char *path, GError **error);
/* Like loom_database_open(), for a file in the cache of Traceloom. Such a file is never changed, but it may be touched
 * or deleted. The database can still be read after the file was deleted, because the file stays open. */
LoomDatabase *loom_database_open_cached (const char *path, gboolean salvages, LoomProgress *progress, GError **error);
/* Like loom_database_open(), for the bytes at a location (`origin` NULL: the file at `path`). If the bytes are
 * compressed, or a part of another file, they are unpacked into memory. Fails with LOOM_ERROR_LIMIT if they are more
 * than LOOM_DATABASE_MOST_UNPACKED bytes. `salvages` TRUE: the database is damaged, so rows that SQLite does not find
 * are searched for (loom-salvage.h). This is also done if the database is shorter than its header says. */
LoomDatabase *loom_database_open_at (const char *path, LoomSourceLocation *origin, gboolean salvages,
                                     LoomProgress *progress, GError **error);
#define LOOM_DATABASE_MOST_UNPACKED (1024u * 1024 * 1024)
void loom_database_free (LoomDatabase *self);

/* Returns how unpacking the database into memory ended. For a database that was not unpacked, the result states no
 * damage. Borrowed. */
const LoomStreamEnd *loom_database_get_end (const LoomDatabase *self);
/* Returns the path of the file that is read; NULL if the database is in memory. Borrowed. */
const char *loom_database_get_path (const LoomDatabase *self);

/* Returns TRUE if the file is in the cache of Traceloom. Its content then never changes, even if the result of stat()
 * does. */
gboolean loom_database_is_cached (const LoomDatabase *self);

/* Returns TRUE if the database has a table of this name. Views and virtual tables do not count. */
gboolean loom_database_has_table (const LoomDatabase *self, const char *table);
gboolean loom_database_has_view (const LoomDatabase *self, const char *name);
gboolean loom_database_has_column (const LoomDatabase *self, const char *table, const char *column);
/* Returns TRUE if the ids of rows that loom_database_select() returns are the values of `column`, or if the table does
 * not have this column. FALSE: the ids are other numbers, for example in a table that another program has copied; rows
 * must then be found by the values of the column. */
gboolean loom_database_is_row_id (const LoomDatabase *self, const char *table, const char *column);
/* The next functions return the number of tables, and the name of a table; tables are in the order of the file.
 * Names are borrowed and may contain any characters. */
guint loom_database_get_n_tables (const LoomDatabase *self);
const char *loom_database_get_table (const LoomDatabase *self, guint i);
/* Returns the names of the first tables, at most `n`, separated by commas. Owned by the caller. */
char *loom_database_dup_tables (const LoomDatabase *self, guint n);

/* Prepares a query for the rows of a table in the order of their ids. The query has the parameter ?1 and returns only
 * rows whose id is at least ?1; at first, ?1 is the lowest id. Column 0 of the result is the id of the row; for a table
 * WITHOUT ROWID, the id is the only column of its primary key. The columns named in `columns` (ends with NULL) follow.
 * Their names must be constants; a column that the table does not have is NULL. Returns NULL with LOOM_ERROR_FORMAT in
 * three cases: there is no such table; its name contains other characters than letters, digits and _; it is WITHOUT
 * ROWID, and its primary key is not a single integer. */
sqlite3_stmt *loom_database_select (LoomDatabase *self, const char *table, const char *const *columns, GError **error);

/* Moves to the next row of a query. Returns the result of sqlite3_step(). */
int loom_database_step (LoomDatabase *self, sqlite3_stmt *row);
/* Returns TRUE if a query failed, and more rows may be found if the database is opened again with `salvages` TRUE. */
gboolean loom_database_wants_salvage (const LoomDatabase *self);
/* Returns how many rows of a damaged database were recovered; NULL: the database was opened without searching for rows.
 * Borrowed. */
const LoomSalvageReport *loom_database_get_salvage (const LoomDatabase *self);

/* Returns TRUE if the database has a table of this name, and the name contains only letters, digits and _, as
 * loom_database_select() requires. */
gboolean loom_database_can_select (const LoomDatabase *self, const char *table);

/* Returns SQLite's message if the list of tables is damaged, so that tables of the file may be missing. NULL: the list
 * is complete, or the file is truncated. Borrowed. */
const char *loom_database_get_schema_error (const LoomDatabase *self);

/* Returns the number of rows of a table; 0 if the table does not exist or cannot be read. Takes O(number of pages). */
guint64 loom_database_count (LoomDatabase *self, const char *table);

/* Returns how many bytes the file at `path` lacks according to its header; 0 if it is complete or cannot be read. */
guint64 loom_database_count_missing_bytes (const char *path);
/* Returns TRUE if there is a journal next to the database file. In this case, the program that wrote the database
 * did not complete its last changes. */
gboolean loom_database_has_journal (const char *path);

/* Returns SQLite's message about its last error. Owned by the caller. */
char *loom_database_dup_error (const LoomDatabase *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDatabase, loom_database_free)
