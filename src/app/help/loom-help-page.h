/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows a page of the user guide. Pages use a subset of Markdown: "# title", "## heading", "- item" and
 * paragraphs, with **strong** and `typed` text. Each paragraph, heading and item is a label, so that screen readers
 * read them one by one, and the user can select text. The labels are added over several iterations of the main loop,
 * because the layout of all of them takes long. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

GtkWidget *loom_help_page_new (const char *text);
/* Scrolls the page to the item that begins with `title` in **strong** text, when its labels are there. Does nothing if
 * there is no such item. */
void loom_help_page_show_item (GtkWidget *page, const char *title);
