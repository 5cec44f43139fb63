/* SPDX-License-Identifier: Apache-2.0
 *
 * Titles of pages in sentences as links: in "see the “Stragglers” page", the title opens the page. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns the text as markup in which each title of a page of the analysis between quotation marks is a link to the
 * name of the page. All other text is escaped. NULL: the text contains no such title. Owned by the caller. */
char *loom_page_links_dup_markup (const char *text);

/* Shows a text in a label, with links that open the page with the action "win.show-page". May be called again with
 * another text. */
void loom_page_links_set_label (GtkLabel *label, const char *text);
