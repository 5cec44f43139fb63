/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of the analysis with the call tree of the spans in the analysed range, drawn as an icicle chart: top-down or
 * bottom-up, for all CPU threads, one process or one thread. A click on a node makes the node as wide as the chart; a
 * double click or Return selects the spans of the node on the timeline. The tree is computed only while the panel is
 * visible. Called on the main thread.
 */
#pragma once

#include "loom-icicle-view.h"
#include "loom-run-state.h"
#include "loom-span-tree-page.h"

#include <adwaita.h>

#define LOOM_TYPE_SPAN_TREE_PANEL (loom_span_tree_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomSpanTreePanel, loom_span_tree_panel, LOOM, SPAN_TREE_PANEL, AdwBin)

GtkWidget *loom_span_tree_panel_new (LoomRunState *run, LoomRenderContext *scene);

/* The next two functions return borrowed objects. */
LoomSpanTreePage *loom_span_tree_panel_get_page (LoomSpanTreePanel *self);
LoomIcicleView *loom_span_tree_panel_get_view (LoomSpanTreePanel *self);
