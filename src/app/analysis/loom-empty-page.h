/* SPDX-License-Identifier: Apache-2.0
 *
 * The widgets of a page of results that only says which data are missing: a title in the middle of the page, and below
 * it notes that say how to record these data. Texts are plain text, not markup. Called on the main thread.
 */
#pragma once

#include "loom-page-content.h"

#include <adwaita.h>

/* Returns TRUE if the page only says which data are missing: its first block says this, and only blocks of text
 * follow. */
gboolean loom_empty_page_is (const LoomPageContent *sheet);

/* Makes a button “Show Whole Run”, which calls `clicked` with `data` as its first argument. */
GtkWidget *loom_empty_page_new_button (GCallback clicked, gpointer data);
/* Returns a box with the sentence and a button below it, for a page that has more than this sentence. `button` NULL:
 * returns the sentence. */
GtkWidget *loom_empty_page_put_button (GtkWidget *sentence, GtkWidget *button);

/* Makes the widget of the first block, an AdwStatusPage. `button`: shown below the title; NULL: there is none. */
GtkWidget *loom_empty_page_new (const char *title, GtkWidget *button);
/* Makes the widget of a block after the first one: a note that says how to record the missing data. */
GtkWidget *loom_empty_page_new_note (const char *text);
void loom_empty_page_set_title (AdwStatusPage *page, const char *title);
