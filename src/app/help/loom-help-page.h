/* SPDX-License-Identifier: Apache-2.0
 *
 * A page of the guide on screen. Pages are a little Markdown: "# title", "## heading", "- item", paragraphs, and within them **strong**
 * and `typed`. Each block becomes a label, so that a screen reader walks through them and text can be selected; blocks come a few
 * per turn of the main loop, for each is laid out by itself. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

GtkWidget *loom_help_page_new (const char *text);
