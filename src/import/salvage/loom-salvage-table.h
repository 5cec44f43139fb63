/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: walks the tree of one table of a damaged SQLite database. Collects the leaves whose rows can
 * be read, the rows that are lost, and the ranges of row ids whose pages are missing.
 */
#pragma once

#include "loom-salvage-walk.h"

/* A range of row ids, including both ends. */
typedef struct {
  gint64 first, last;
} LoomRowIdRange;

/* A leaf with at least one row that can be read. */
typedef struct {
  guint32 page;
  gboolean is_stray;   /* no page refers to this leaf; it was found by searching the file */
  LoomRowIdRange rows; /* first and last row that can be read */
  guint32 n_rows;      /* number of rows that can be read */
} LoomSalvageLeaf;

typedef struct {
  char *name;
  guint32 root; /* page of the root of the tree */
  /* array indexed by column, of those that are stored: the kinds of values that the column can have, LOOM_VALUE_… */
  GByteArray *kinds;
  guint least_columns; /* least number of values in a row; less than in `kinds` if columns were added later */
  GArray *leaves;      /* LoomSalvageLeaf, in the order of the tree */
  GArray *gaps;        /* LoomRowIdRange: rows whose pages are missing */
  guint n_missing;     /* number of pages of the tree that are missing, each perhaps with pages below it */
  guint64 n_lost;      /* number of rows in leaves that cannot be read */
  guint64 damaged_at;  /* lowest offset in the file at which the table is damaged; G_MAXUINT64: it is not damaged */
  gboolean needs_tree; /* the tree must be made again, because pages are missing or were found */
} LoomSalvageTable;

LoomSalvageTable *loom_salvage_table_new (const char *name, guint32 root);
void loom_salvage_table_free (LoomSalvageTable *self);

/* Walks the tree of a table. Each page is read once, also if the pages of a hostile file refer to each other in
 * circles: O(pages of the table). */
void loom_salvage_table_walk (LoomSalvageTable *self, LoomSalvageWalk *walk);

/* Adds the leaf `number`, whose rows must be in `rows`, and claims it and the pages that its rows continue on. Returns
 * FALSE if it is not a leaf of the table with at least one row that can be read. */
gboolean loom_salvage_table_add_leaf (LoomSalvageTable *self, LoomSalvageWalk *walk, guint32 number,
                                      LoomRowIdRange rows, gboolean is_stray);

/* Sorts the leaves by their rows. */
void loom_salvage_table_sort (LoomSalvageTable *self);

/* Returns the number of row ids for which there is no row in the gaps, after the leaves were sorted. These are the rows
 * that are missing if the ids are consecutive, as profilers write them. Sets `has_more` if rows may be missing
 * at the beginning or the end of the table, whose number is unknown; else does not change it. */
guint64 loom_salvage_table_count_missing (const LoomSalvageTable *self, gboolean *has_more);
