/* SPDX-License-Identifier: Apache-2.0
 *
 * The scene: data that all widgets of the timeline share for painting. It has one draw list and one ruler for the
 * current view, one text cache, and one theme. After a change, the data is not computed at once, but when a widget
 * requests it the next time. In a frame without changes, nothing is computed. The functions must be called on the main
 * thread.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_RENDER_CONTEXT (loom_render_context_get_type ())
G_DECLARE_FINAL_TYPE (LoomRenderContext, loom_render_context, LOOM, RENDER_CONTEXT, GObject)

LoomRenderContext *loom_render_context_new (LoomTimelineState *state);

LoomTimelineState *loom_render_context_get_state (LoomRenderContext *self);

/* Sets the theme of all painters from the kind of theme and two colours of the desktop, and emits "changed". */
void loom_render_context_set_theme (LoomRenderContext *self, LoomThemeKind kind, LoomColor accent,
                                    LoomColor background);
const LoomTheme *loom_render_context_get_theme (LoomRenderContext *self);

/* Sets the desktop's font and its text scaling, and emits "changed". */
void loom_render_context_set_font (LoomRenderContext *self, const char *family, double scaling);

/* These functions return the draw list and the ruler of the current state; borrowed, and valid until the state
 * changes. */
const LoomDrawList *loom_render_context_get_list (LoomRenderContext *self);
const LoomRuler *loom_render_context_get_ruler (LoomRenderContext *self);

/* Returns the text cache for painters, with the window's font and text scaling. Borrowed. */
LoomTextCache *loom_render_context_get_text (LoomRenderContext *self);
/* These functions return the text cache without the desktop's text scaling (borrowed), and the factor of this scaling.
 * They are used for pictures that are scaled as a whole, including their text. */
LoomTextCache *loom_render_context_get_plain_text (LoomRenderContext *self);
double loom_render_context_get_text_scaling (LoomRenderContext *self);

/* Initialises paint options for a widget: the colours, the text cache, and the scale factor of the widget. */
void loom_render_context_init_options (LoomRenderContext *self, LoomPaintOptions *options, GtkWidget *widget);
