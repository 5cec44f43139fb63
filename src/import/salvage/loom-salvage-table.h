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
  LoomRowIdRange rows; /* row ids of the first and the last row that can be read */
  guint32 n_rows;      /* number of rows that can be read */
} LoomSalvageLeaf;

typedef struct {
  char *name;
  guint32 root; /* page of the root of the tree */
  /* array indexed by stored column: kinds of values (LOOM_VALUE_…) that the column can have. A column that is the row
   * id counts as a stored column */
  GByteArray *kinds;
  guint least_columns; /* minimum number of values in a row; less than the length of `kinds` if columns were added to
                        * the table later */
  GArray *leaves;      /* LoomSalvageLeaf, in the order of the tree */
  GArray *gaps;        /* LoomRowIdRange elements: ranges of row ids whose pages are missing */
  guint n_missing;     /* number of pages of the tree that are missing; pages below a missing page are not counted */
  guint64 n_lost;      /* number of rows that are in readable leaves, but cannot be read themselves */
  guint64 damaged_at;  /* lowest offset in the file at which the table is damaged; G_MAXUINT64: it is not damaged */
  gboolean needs_tree; /* TRUE: the tree must be built again, because pages are missing or stray leaves were added */
} LoomSalvageTable;

LoomSalvageTable *loom_salvage_table_new (const char *name, guint32 root);
void loom_salvage_table_free (LoomSalvageTable *self);

/* Walks the tree of a table. Each page is read once, even if the pages of a hostile file refer to each other in
 * circles: O(pages of the table). */
void loom_salvage_table_walk (LoomSalvageTable *self, LoomSalvageWalk *walk);

/* Adds page `number` as a leaf of the table. Its rows must have ids in `rows`. Claims the page and the overflow pages
 * of its rows (loom_salvage_walk_claim()). Returns FALSE if the page is not a leaf of the table, or if none of its rows
 * can be read. */
gboolean loom_salvage_table_add_leaf (LoomSalvageTable *self, LoomSalvageWalk *walk, guint32 number,
                                      LoomRowIdRange rows, gboolean is_stray);

/* Sorts the leaves by their rows. */
void loom_salvage_table_sort (LoomSalvageTable *self);

/* Returns the number of row ids in `self->gaps` for which no row was found. If profilers write consecutive ids, this is
 * the number of missing rows. The leaves must be sorted. If an unknown number of rows may be missing at the beginning
 * or end of the table, sets `has_more` to TRUE; otherwise does not change it. */
guint64 loom_salvage_table_count_missing (const LoomSalvageTable *self, gboolean *has_more);
