/* SPDX-License-Identifier: Apache-2.0
 *
 * A result table: sorted by a click on a column, filtered by a text, its rows copied as TSV (those selected, else all
 * that are shown) or saved as CSV. Main thread.
 *
 * Signals: "row-activated" (guint row of the table) by a double click or Enter; "save-requested" when the person wants a
 * file: whoever can ask for a name answers it with loom_table_view_dup_csv(); "selection-changed".
 */
#pragma once

#include "loom-result-table.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_TABLE_VIEW (loom_table_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableView, loom_table_view, LOOM, TABLE_VIEW, GtkBox)

GtkWidget *loom_table_view_new (void);
/* Takes a reference. The order and filter that a person chose are kept while the columns are the same. */
void loom_table_view_set_table (LoomTableView *self, LoomResultTable *table);
LoomResultTable *loom_table_view_get_table (LoomTableView *self); /* borrowed */
/* TRUE: the view fills its place and scrolls its rows. FALSE: it is as high as its rows, but at most twelve. */
void loom_table_view_set_fills (LoomTableView *self, gboolean fills);
void loom_table_view_set_filter (LoomTableView *self, const char *text);
/* A row of the table; the first selected row, G_MAXUINT: none. A row that the filter hides cannot be selected. */
guint loom_table_view_get_selected (LoomTableView *self);
void loom_table_view_select (LoomTableView *self, guint row);
guint loom_table_view_get_n_shown (LoomTableView *self);

/* The selected rows, else all shown rows, in the order shown. Owned. */
char *loom_table_view_dup_tsv (LoomTableView *self);
char *loom_table_view_dup_csv (LoomTableView *self);
