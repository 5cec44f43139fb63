/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a source as a list: sorted by the column view's sorter, filtered by a text. The list is an array of row
 * numbers; a row becomes an object only while it is shown. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The functions by which a model reads its rows; `rows` is immutable and counted by ref and unref. Static storage. */
typedef struct {
  gpointer (*ref) (gpointer rows);
  void (*unref) (gpointer rows);
  guint (*get_n_rows) (gpointer rows);
  /* Whether a row holds the text; `needle` is from g_utf8_casefold(), "" matches all. */
  gboolean (*matches) (gpointer rows, guint row, const char *needle);
  /* Whether a row shows the same in both; NULL: a change of rows replaces all of them. */
  gboolean (*is_same_row) (gpointer old, gpointer rows, guint row);
} LoomRowSource;

#define LOOM_TYPE_TABLE_ITEM (loom_table_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableItem, loom_table_item, LOOM, TABLE_ITEM, GObject)

gpointer loom_table_model_item_get_rows (LoomTableItem *item); /* borrowed */
guint loom_table_model_item_get_row (LoomTableItem *item);     /* of the source */

#define LOOM_TYPE_TABLE_MODEL (loom_table_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableModel, loom_table_model, LOOM, TABLE_MODEL, GObject)

/* `sorter` compares LoomTableItems. `at_once`: the list counts all rows from the start; else see loom-incremental-rows.h. */
LoomTableModel *loom_table_model_new (const LoomRowSource *source, GtkSorter *sorter, gboolean at_once);
/* A reference is taken; NULL: empty. O(n · log n). */
void loom_table_model_set_rows (LoomTableModel *model, gpointer rows);
gpointer loom_table_model_get_rows (LoomTableModel *model); /* borrowed, may be NULL */
void loom_table_model_set_filter (LoomTableModel *model, const char *text);
/* All that pass the filter. As a list it counts no more than were shown so far. */
guint loom_table_model_get_n_rows (LoomTableModel *model);
/* The position of a row of the source, which is there from now on; G_MAXUINT: it does not pass the filter. */
guint loom_table_model_show_row (LoomTableModel *model, guint row);
/* The row of the source at a position. */
guint loom_table_model_get_row (LoomTableModel *model, guint position);

G_END_DECLS
