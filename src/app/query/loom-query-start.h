/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of the page Query before the first query has run: a list of example queries and a list of tables. A
 * click on an item runs a query. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Adds both lists to the box. Their rows activate the actions "query.take" (name of a query) and "query.take-table"
 * (name of a table). `named`: queries (LoomNamedQuery); only queries that come with the program are listed. */
void loom_query_start_fill (GtkBox *box, const GPtrArray *named);
