/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads an SQLite database that is cut off or damaged. SQLite itself stops reading a table at
 * the first damaged page. Here the trees of all tables are walked first, leaves to which no page refers any more are
 * searched for, and SQLite reads the rows that remain through a repaired view of the file. The program and library of
 * SQLite for this purpose (sqlite3_recover, the table sqlite_dbpage) are not part of the library that distributions
 * install.
 */
#pragma once

#include "loom-salvage-strays.h"
#include "loom-salvage-vfs.h"

typedef struct _LoomSalvage LoomSalvage;

/* Result of recovering rows from damaged tables. */
typedef struct {
  guint n_tables;    /* number of damaged tables */
  char *names;       /* names of the first damaged tables, separated by commas */
  guint64 n_kept;    /* number of readable rows in damaged tables */
  guint64 n_found;   /* how many of the `n_kept` rows are on pages to which no page refers any more */
  guint64 n_lost;    /* number of rows that cannot be read; assumes that row ids are consecutive */
  gboolean has_more; /* TRUE: an unknown number of further rows may be missing at the beginnings or ends of tables */
  guint64 first_at;  /* lowest offset at which a table is damaged */
  LoomUnusedLeaves unused;
} LoomSalvageReport;

/* Reads all pages of all tables: O(file). Takes ownership of `pages`. Returns NULL with `error` if the list of tables
 * cannot be read, or if cancelled. */
LoomSalvage *loom_salvage_new (LoomDatabasePages *pages, GCancellable *cancellable, GError **error);
void loom_salvage_free (LoomSalvage *self);

/* Opens the database with its repaired pages. The handle must be closed before `self` is freed. */
sqlite3 *loom_salvage_open (LoomSalvage *self, GError **error);

/* Borrowed. */
const LoomSalvageReport *loom_salvage_get_report (const LoomSalvage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSalvage, loom_salvage_free)
