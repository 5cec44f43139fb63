/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows a call tree as an icicle chart: a box for each node, below the box of its caller. Hovering shows
 * a tooltip, a click chooses a function, a double click (or Return) zooms to a node, Escape zooms out; the arrow keys
 * move between callers and callees. A scroll bar next to the widget can use its adjustment.
 *
 * If nodes can be activated (loom_icicle_view_set_activates()), a click (or Space) zooms to a node instead, and a
 * double click (or Return) activates it. Signals: "function-chosen" (guint function of the tree), "node-activated"
 * (guint node). Called on the main thread.
 */
#pragma once

#include "loom-icicle.h"
#include "loom-render-context.h"

#define LOOM_TYPE_ICICLE_VIEW (loom_icicle_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomIcicleView, loom_icicle_view, LOOM, ICICLE_VIEW, GtkWidget)

/* Sets the scene, which provides the colours and the font. Must be called once, before the widget is shown. */
void loom_icicle_view_set_scene (LoomIcicleView *self, LoomRenderContext *scene);

/* Sets the call tree to show and takes a reference; if `tree` is NULL, the widget is empty. */
void loom_icicle_view_set_tree (LoomIcicleView *self, LoomCallTree *tree);

/* Outlines all boxes of a function; with G_MAXUINT32, no boxes are outlined. */
void loom_icicle_view_set_function (LoomIcicleView *self, guint32 function);

/* Sets whether the user can activate nodes, which "node-activated" reports; at first, the user cannot. */
void loom_icicle_view_set_activates (LoomIcicleView *self, gboolean activates);

/* Searches for functions whose names contain the text, ignoring case; all other boxes are painted faintly. "" or
 * another tree ends the search. */
void loom_icicle_view_search (LoomIcicleView *self, const char *text);

GtkAdjustment *loom_icicle_view_get_adjustment (LoomIcicleView *self); /* vertical scroll position; borrowed */

/* Returns the data that the widget draws, for tests; borrowed. */
LoomIcicle *loom_icicle_view_get_icicle (LoomIcicleView *self);

/* Returns a description of a node as a few lines of plain text; NULL if there is no such node. Owned by the caller. */
char *loom_icicle_view_dup_words (LoomIcicleView *self, guint32 number);
