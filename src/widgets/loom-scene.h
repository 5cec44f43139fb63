/* SPDX-License-Identifier: Apache-2.0
 *
 * What all parts of the timeline paint from: one draw list and one ruler for the state's view, one text cache, one
 * theme. Rebuilt when they are asked for after a change, so a frame in which nothing moved costs only its painting.
 * Main thread only.
 */
#pragma once

#include "loom-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_SCENE (loom_scene_get_type ())
G_DECLARE_FINAL_TYPE (LoomScene, loom_scene, LOOM, SCENE, GObject)

LoomScene *loom_scene_new (LoomViewState *state);

LoomViewState *loom_scene_get_state (LoomScene *scene);

/* Colours; a copy is kept. Emits "changed". */
void loom_scene_set_theme (LoomScene *scene, LoomThemeKind kind, LoomColor accent, LoomColor background);
const LoomTheme *loom_scene_get_theme (LoomScene *scene);

/* The desktop's font and text scaling. Emits "changed". */
void loom_scene_set_font (LoomScene *scene, const char *family, double scaling);

/* Up to date and borrowed until the next change of the state. */
const LoomDrawList *loom_scene_get_list (LoomScene *scene);
const LoomRuler *loom_scene_get_ruler (LoomScene *scene);

/* For what grows as a whole with the text: the text as it is without scaling, borrowed, and how much it is to grow. */
LoomTextCache *loom_scene_get_plain_text (LoomScene *scene);
double loom_scene_get_text_scaling (LoomScene *scene);

/* Ready to paint with, for a widget of that scale factor. */
void loom_scene_init_options (LoomScene *scene, LoomPaintOptions *options, GtkWidget *widget);

G_END_DECLS
