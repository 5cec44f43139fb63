/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows a call tree as an icicle chart: a box for each node, below the box of its caller. Hovering shows
 * a tooltip, a click chooses a function, a double click (or Return) zooms to a node, and Escape zooms out. The arrow
 * keys move between callers and callees. A scroll bar next to the widget can use the adjustment of the widget.
 *
 * If nodes can be activated (loom_icicle_view_set_activates()), a click (or Space) zooms to a node instead, and a
 * double click (or Return) activates it. Signals: "function-chosen" (guint function of the tree), "node-activated"
 * (guint node). The functions must be called on the main thread.
 */
#pragma once

#include "loom-icicle.h"
#include "loom-render-context.h"

#define LOOM_TYPE_ICICLE_VIEW (loom_icicle_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomIcicleView, loom_icicle_view, LOOM, ICICLE_VIEW, GtkWidget)

/* Sets the scene, from which the widget takes the colours and the font. Must be called once, before the widget is
 * shown. */
void loom_icicle_view_set_scene (LoomIcicleView *self, LoomRenderContext *scene);

/* Sets the call tree to show, and takes a reference to it. If `tree` is NULL, the widget is empty. */
void loom_icicle_view_set_tree (LoomIcicleView *self, LoomCallTree *tree);

/* Draws an outline around all boxes of a function; G_MAXUINT32: around none. */
void loom_icicle_view_set_function (LoomIcicleView *self, guint32 function);

/* Sets whether the user can activate nodes, which emits "node-activated". The default is FALSE. */
void loom_icicle_view_set_activates (LoomIcicleView *self, gboolean activates);

/* Searches for functions whose names contain the text, ignoring case. The boxes of all other functions are painted in
 * pale colours. The search ends if `text` is "", or if another tree is set. */
void loom_icicle_view_search (LoomIcicleView *self, const char *text);

GtkAdjustment *loom_icicle_view_get_adjustment (LoomIcicleView *self); /* vertical scroll position; borrowed */

/* Returns the data that the widget draws, for tests; borrowed. */
LoomIcicle *loom_icicle_view_get_icicle (LoomIcicleView *self);

/* Returns a description of a node as a few lines of plain text; NULL if there is no such node. Owned by the caller. */
char *loom_icicle_view_dup_words (LoomIcicleView *self, guint32 number);
