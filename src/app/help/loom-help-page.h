/* SPDX-License-Identifier: Apache-2.0
 *
 * A page of the guide on screen. Pages are a subset of Markdown: "# title", "## heading", "- item", paragraphs, and within them
 * **strong** and `typed`. Each block becomes a label, so that a screen reader reads them one by one and text can be selected. A few
 * blocks are added per turn of the main loop, because laying out all of them takes long. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

GtkWidget *loom_help_page_new (const char *text);
