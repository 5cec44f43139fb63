/* SPDX-License-Identifier: Apache-2.0
 *
 * The widgets of a page of the analysis that has no results: a title in the middle of the page says which data are
 * missing, and notes below it say how to record these data. Texts are plain text, not markup. Called on the main
 * thread.
 */
#pragma once

#include "loom-page-content.h"

#include <adwaita.h>

/* Returns TRUE if the page has no results: its first block is a sentence that says which data are missing, and all
 * other blocks are text. */
gboolean loom_empty_page_is (const LoomPageContent *sheet);

/* Makes a button “Show Whole Run”. A click calls `clicked` with `data` as the first argument. */
GtkWidget *loom_empty_page_new_button (GCallback clicked, gpointer data);
/* Returns a box with `sentence`, which says which data are missing, and `button` below it. Used on pages that also
 * have other blocks. If `button` is NULL, returns `sentence`. */
GtkWidget *loom_empty_page_put_button (GtkWidget *sentence, GtkWidget *button);

/* Makes the widget of the page's first block: an icon and a title that says which data are missing. `button`: shown
 * below the title; may be NULL. It is not an AdwStatusPage, because the scrolled window in such a page measures its
 * height without regard to its width, so that the second line of a title was cut off. */
GtkWidget *loom_empty_page_new (const char *title, GtkWidget *button);
/* Makes the widget of a block after the first one: a note that says how to record the missing data. */
GtkWidget *loom_empty_page_new_note (const char *text);
/* Returns TRUE if `widget` was made by loom_empty_page_new(). */
gboolean loom_empty_page_is_title (GtkWidget *widget);
void loom_empty_page_set_title (GtkWidget *page, const char *title);
