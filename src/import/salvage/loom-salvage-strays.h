/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: searches a damaged SQLite database for leaves to which no page refers any more, because the
 * page above them is missing, and finds the tables to which they belong.
 *
 * A leaf belongs to a table if all its rows fit into one gap of the table (LoomSalvageTable.gaps), and have the number
 * of columns and the kinds of values of the table. If several leaves are below the same page, all of them must meet
 * this condition for one table. If leaves fit more than one table, or contain the same row ids, they are not used, so
 * that no row is shown in a wrong table.
 */
#pragma once

#include "loom-salvage-table.h"

/* Stray leaves that were found but are not used. */
typedef struct {
  guint n_pages;
  guint64 n_rows;
  guint64 first_at; /* offset in the file of the first unused leaf; G_MAXUINT64: there is none */
} LoomUnusedLeaves;

/* Adds leaves to the tables (LoomSalvageTable) that have gaps (LoomSalvageTable.gaps). The trees of all tables must
 * have been walked before. `is_unsure` TRUE: leaves may have been deleted, or belong to tables that are not in
 * `tables`, so none is used. O(pages), and O(tables with gaps) per leaf. */
void loom_salvage_strays_find (LoomSalvageWalk *walk, const GPtrArray *tables, gboolean is_unsure,
                               LoomUnusedLeaves *unused);
