/* SPDX-License-Identifier: Apache-2.0
 *
 * The row of the list of analysis pages that shows and hides the rows of pages for which the run has no data.
 */
#pragma once

#include <gtk/gtk.h>

#define LOOM_TYPE_PAGES_FOLD_ROW (loom_pages_fold_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomPagesFoldRow, loom_pages_fold_row, LOOM, PAGES_FOLD_ROW, GtkListBoxRow)

GtkWidget *loom_pages_fold_row_new (void);
/* Shows the number of pages without data; 0 hides the row. */
void loom_pages_fold_row_set_n (LoomPagesFoldRow *self, guint n);
void loom_pages_fold_row_set_expanded (LoomPagesFoldRow *self, gboolean expanded);
gboolean loom_pages_fold_row_is_expanded (LoomPagesFoldRow *self);
