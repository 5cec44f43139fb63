/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of the list of analysis pages: the title of the page, a number such as the number of findings and, if the run
 * has no data for the page, the reason for this. Called on the main thread.
 */
#pragma once

#include "loom-page-index.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PAGE_ROW (loom_page_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomPageRow, loom_page_row, LOOM, PAGE_ROW, GtkListBoxRow)

/* Makes a row for a page. `page` must be static. */
GtkWidget *loom_page_row_new (const LoomPageIndex *page);
const LoomPageIndex *loom_page_row_get_page (LoomPageRow *self);
/* Shows a number in the row, such as the number of findings; 0 hides the number. */
void loom_page_row_set_badge (LoomPageRow *self, guint n);
/* Shows a translated text below the title, and dims the row. The text says why the run lacks data for the page. The
 * user can still select the row. If `reason` is NULL, the run has the data: no text is shown, and the row is not
 * dimmed. */
void loom_page_row_set_reason (LoomPageRow *self, const char *reason);
/* Returns TRUE if the row shows a reason why the run lacks data for the page. */
gboolean loom_page_row_has_reason (LoomPageRow *self);
