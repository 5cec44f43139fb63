/* SPDX-License-Identifier: Apache-2.0
 *
 * What all parts of the timeline paint from: one draw list and one ruler for the state's view, one text cache, one
 * theme. Rebuilt when they are asked for after a change, so a frame in which nothing moved costs only its painting.
 * Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_RENDER_CONTEXT (loom_render_context_get_type ())
G_DECLARE_FINAL_TYPE (LoomRenderContext, loom_render_context, LOOM, RENDER_CONTEXT, GObject)

LoomRenderContext *loom_render_context_new (LoomTimelineState *state);

LoomTimelineState *loom_render_context_get_state (LoomRenderContext *self);

/* Colours; a copy is kept. Emits "changed". */
void loom_render_context_set_theme (LoomRenderContext *self, LoomThemeKind kind, LoomColor accent,
                                    LoomColor background);
const LoomTheme *loom_render_context_get_theme (LoomRenderContext *self);

/* The desktop's font and text scaling. Emits "changed". */
void loom_render_context_set_font (LoomRenderContext *self, const char *family, double scaling);

/* Up to date and borrowed until the next change of the state. */
const LoomDrawList *loom_render_context_get_list (LoomRenderContext *self);
const LoomRuler *loom_render_context_get_ruler (LoomRenderContext *self);

/* For what grows as a whole with the text: the text as it is without scaling, borrowed, and how much it is to grow. */
LoomTextCache *loom_render_context_get_plain_text (LoomRenderContext *self);
double loom_render_context_get_text_scaling (LoomRenderContext *self);

/* Ready to paint with, for a widget of that scale factor. */
void loom_render_context_init_options (LoomRenderContext *self, LoomPaintOptions *options, GtkWidget *widget);
