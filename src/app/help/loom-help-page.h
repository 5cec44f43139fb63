/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows a page of the user guide. Pages use a subset of Markdown: "# title", "## heading", "- item" and
 * paragraphs, with **strong** and `typed` text. Each block is a label, so that screen readers read blocks one by one
 * and text can be selected. A few blocks are added per iteration of the main loop, because laying out all of them takes
 * long. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

GtkWidget *loom_help_page_new (const char *text);
