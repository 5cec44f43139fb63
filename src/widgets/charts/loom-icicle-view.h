/* SPDX-License-Identifier: Apache-2.0
 *
 * The icicle chart of a call tree as a widget: hovering tells, a click chooses a function, a double click (or Return) lets
 * a node fill the width, Escape goes back; the arrow keys walk along calls. Its adjustment is for a scroll bar beside it.
 * Where nodes can be activated, a click (or Space) lets a node fill the width, and a double click (or Return) activates it.
 * Signals: "function-chosen" (guint function of the tree), "node-activated" (guint node). Main thread.
 */
#pragma once

#include "loom-icicle.h"
#include "loom-render-context.h"

#define LOOM_TYPE_ICICLE_VIEW (loom_icicle_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomIcicleView, loom_icicle_view, LOOM, ICICLE_VIEW, GtkWidget)

/* Where colours and letters come from; once. */
void loom_icicle_view_set_scene (LoomIcicleView *self, LoomRenderContext *scene);

/* The tree to show, kept; NULL: none. */
void loom_icicle_view_set_tree (LoomIcicleView *self, LoomCallTree *tree);

/* Outlines all calls of a function; G_MAXUINT32: none. */
void loom_icicle_view_set_function (LoomIcicleView *self, guint32 function);

/* Whether nodes can be activated; FALSE when new. */
void loom_icicle_view_set_activates (LoomIcicleView *self, gboolean activates);

/* Paints the names that contain the text, ignoring case, in full colour and the others faint; "" ends the search, and so does
 * another tree. */
void loom_icicle_view_search (LoomIcicleView *self, const char *text);

GtkAdjustment *loom_icicle_view_get_adjustment (LoomIcicleView *self); /* borrowed */

/* What the widget draws from, for tests; borrowed. */
LoomIcicle *loom_icicle_view_get_icicle (LoomIcicleView *self);

/* One node in words, as plain text of a few lines; NULL for none. Owned. */
char *loom_icicle_view_dup_words (LoomIcicleView *self, guint32 number);
