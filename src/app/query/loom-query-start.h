/* SPDX-License-Identifier: Apache-2.0
 *
 * What the page Query shows before the first query has run: the example queries and the tables, which run with a click.
 * Main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Adds the lists to the box. Rows activate the actions "query.take" (name of a query) and "query.take-table" (name of a
 * table). `named`: LoomNamedQuery; only the shipped ones are listed. */
void loom_query_start_fill (GtkBox *box, const GPtrArray *named);
