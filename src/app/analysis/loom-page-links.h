/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns titles of pages into links: in the sentence "see the “Stragglers” page", a click on the title opens the page.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns the text as markup. Each title of a page of the analysis in quotation marks becomes a link whose target is
 * the name of the page. All other text is escaped. Returns NULL if the text contains no such title. Owned by the
 * caller. */
char *loom_page_links_dup_markup (const char *text);

/* Shows a text in a label. Titles of pages in quotation marks become links, which open the page with the action
 * "win.show-page". May be called again with another text. */
void loom_page_links_set_label (GtkLabel *label, const char *text);
