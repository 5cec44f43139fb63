/* SPDX-License-Identifier: Apache-2.0
 *
 * The contents of the page Query before the first query has run: lists of the example queries and of the tables; a
 * click on an item runs a query. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Adds the lists to the box. Rows activate the actions "query.take" (name of a query) and "query.take-table" (name of a
 * table). `named`: queries (LoomNamedQuery); only those that come with the program are listed. */
void loom_query_start_fill (GtkBox *box, const GPtrArray *named);
