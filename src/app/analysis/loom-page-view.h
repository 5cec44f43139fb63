/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows a page of results (LoomPageContent) as widgets. The content is a list of blocks such as charts, figures and
 * tables. Charts and figures are placed side by side if the page is wide enough, tables one below the other. New
 * content with the same kinds of blocks reuses the widgets, which keeps the scroll position, the focus, the sort order
 * and the filter. Called on the main thread.
 *
 * Signals: "place-activated" (guint block, guint element) when the user activates an element of a chart or a row of a
 * table, if it has a place on the timeline; "whole-run-requested" when the user clicks the button “Show Whole Run”.
 */
#pragma once

#include "loom-chart-view.h"
#include "loom-page-content.h"
#include "loom-table-view.h"

#define LOOM_TYPE_PAGE_VIEW (loom_page_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomPageView, loom_page_view, LOOM, PAGE_VIEW, GtkWidget)

GtkWidget *loom_page_view_new (LoomRenderContext *scene);
/* If `grows` is TRUE, the view requests the height of its whole content, so that it can be placed in a scrolled
 * window. */
void loom_page_view_set_grows (LoomPageView *self, gboolean grows);
/* Adds a widget below the main figures and above all other blocks. Must be called at most once, before
 * loom_page_view_set_content(). */
void loom_page_view_set_inset (LoomPageView *self, GtkWidget *inset);
/* Shows a sentence above all blocks, or none if it is NULL. */
void loom_page_view_set_headline (LoomPageView *self, const char *text);
/* Sets whether titles of pages in notes become links (loom-page-links.h). Links need a parent window with the action
 * "win.show-page". Must be called before loom_page_view_set_content(). */
void loom_page_view_set_has_links (LoomPageView *self, gboolean has_links);
/* Sets whether a page that only says which data are missing has a button “Show Whole Run”. Must be called before
 * loom_page_view_set_content(). */
void loom_page_view_set_offers_whole_run (LoomPageView *self, gboolean offers);
/* Sets the content and takes a reference to it. With NULL, the view is empty. The widgets of the blocks are made in
 * the next iterations of the main loop, a few in each. */
void loom_page_view_set_content (LoomPageView *self, LoomPageContent *sheet);
LoomPageContent *loom_page_view_get_content (LoomPageView *self); /* returns a borrowed object */
gboolean loom_page_view_is_filling (LoomPageView *self);
/* Returns the widget of a block: a LoomChartView, a LoomTableView, a label or a grid of labels; NULL if the widget
 * is not made yet. Borrowed. */
GtkWidget *loom_page_view_get_block (LoomPageView *self, guint block);

/* Handlers for the signal "save-requested". They open a file dialog, and save the chart as a picture or the table as
 * CSV. */
void loom_page_view_save_chart (LoomChartView *chart);
void loom_page_view_save_table (LoomTableView *table);
