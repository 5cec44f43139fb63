/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of the list of analysis pages: the title of the page, a number such as the number of findings, and, if the run
 * has no data for the page, the reason. Called on the main thread.
 */
#pragma once

#include "loom-page-index.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PAGE_ROW (loom_page_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomPageRow, loom_page_row, LOOM, PAGE_ROW, GtkListBoxRow)

/* Makes a row for a page. `page` must be static. */
GtkWidget *loom_page_row_new (const LoomPageIndex *page);
const LoomPageIndex *loom_page_row_get_page (LoomPageRow *self);
/* Shows a number in the row, such as the number of findings; 0: shows no number. */
void loom_page_row_set_badge (LoomPageRow *self, guint n);
/* Shows the translated reason why the run lacks data for the page, below the title, and dims the row, which can still
 * be chosen. NULL: the run has data; the row is not dimmed. */
void loom_page_row_set_reason (LoomPageRow *self, const char *reason);
/* Returns TRUE if the row shows a reason why the run lacks data for the page. */
gboolean loom_page_row_has_reason (LoomPageRow *self);
