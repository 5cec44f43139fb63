/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared data for painting all parts of the timeline: one draw list and one ruler for the state's view, one text cache,
 * one theme. After a change they are rebuilt when they are next requested, so a frame without changes costs only the
 * painting. Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_RENDER_CONTEXT (loom_render_context_get_type ())
G_DECLARE_FINAL_TYPE (LoomRenderContext, loom_render_context, LOOM, RENDER_CONTEXT, GObject)

LoomRenderContext *loom_render_context_new (LoomTimelineState *state);

LoomTimelineState *loom_render_context_get_state (LoomRenderContext *self);

/* Sets the colours; copies them. Emits "changed". */
void loom_render_context_set_theme (LoomRenderContext *self, LoomThemeKind kind, LoomColor accent,
                                    LoomColor background);
const LoomTheme *loom_render_context_get_theme (LoomRenderContext *self);

/* Sets the desktop's font and text scaling. Emits "changed". */
void loom_render_context_set_font (LoomRenderContext *self, const char *family, double scaling);

/* Return up-to-date objects, borrowed until the next change of the state. */
const LoomDrawList *loom_render_context_get_list (LoomRenderContext *self);
const LoomRuler *loom_render_context_get_ruler (LoomRenderContext *self);

/* The text cache of the painters, in the font of the window. Borrowed. */
LoomTextCache *loom_render_context_get_text (LoomRenderContext *self);
/* These functions are for pictures that are scaled as a whole together with their text: they return the text cache
 * without the desktop's scaling (borrowed), and the scale factor. */
LoomTextCache *loom_render_context_get_plain_text (LoomRenderContext *self);
double loom_render_context_get_text_scaling (LoomRenderContext *self);

/* Initialises paint options for a widget, with its scale factor. */
void loom_render_context_init_options (LoomRenderContext *self, LoomPaintOptions *options, GtkWidget *widget);
