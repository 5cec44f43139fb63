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

G_BEGIN_DECLS

#define LOOM_TYPE_TABLE_VIEW (loom_table_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableView, loom_table_view, LOOM, TABLE_VIEW, GtkBox)

GtkWidget *loom_table_view_new (void);
/* A reference is taken. The order and the filter a person chose stay while the columns do. */
void loom_table_view_set_table (LoomTableView *self, LoomResultTable *table);
LoomResultTable *loom_table_view_get_table (LoomTableView *self); /* borrowed */
/* As high as there is room, scrolled in itself; else it shows its rows as far as twelve go. */
void loom_table_view_set_fills (LoomTableView *self, gboolean fills);
void loom_table_view_set_filter (LoomTableView *self, const char *text);
/* Of the table; the first row selected, G_MAXUINT: none. A row that is filtered out cannot be selected. */
guint loom_table_view_get_selected (LoomTableView *self);
void loom_table_view_select (LoomTableView *self, guint row);
guint loom_table_view_get_n_shown (LoomTableView *self);

/* Of the rows selected, else of all shown, in the order shown. Owned. */
char *loom_table_view_dup_tsv (LoomTableView *self);
char *loom_table_view_dup_csv (LoomTableView *self);

G_END_DECLS
