/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: names the tables of a database whose rows have a time but are not shown, so that nothing is
 * omitted silently. A log has one entry of each kind; therefore all tables are listed in one message. Used by one
 * thread.
 */
#pragma once

#include "loom-row-text.h"

/* Appends a table to `list`, the list of tables that are not shown; does nothing if `n_rows` is 0. `table` must be a
 * constant, or a name that consists of letters, digits and _. */
void loom_hidden_rows_add (GString *list, const char *table, guint64 n_rows);

/* Appends to `list` each table that has rows and a column of times, but is not among `tables`. `known`: beginnings of
 * the names of tables that the importer reads for other purposes; these are not appended. `others`: names of tables
 * that are appended although they have no column of times. `known` and `others` end with NULL. Takes O(pages of these
 * tables). */
void loom_hidden_rows_add_tables (GString *list, LoomDatabase *database, const LoomRowTable *tables, guint n_tables,
                                  const char *const *known, const char *const *others);

/* Logs the list; does nothing if it is empty. */
void loom_hidden_rows_log (const GString *list, LoomSource *source);
