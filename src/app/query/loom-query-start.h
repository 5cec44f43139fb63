/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of the page Query before the first query has run: a list of example queries and a list of tables. A
 * click on an item runs a query. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Adds the lists of queries and of tables to the box. A row of a query activates the action "query.take" with the name
 * of the query; a row of a table activates "query.take-table" with the name of the table. `named`: queries
 * (LoomNamedQuery); only queries that come with the program are listed. */
void loom_query_start_fill (GtkBox *box, const GPtrArray *named);
