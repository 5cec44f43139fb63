/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plain drag over the tracks does, and the button in the timeline's corner that shows it and changes it.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  LOOM_DRAG_MODE_SELECT,
  LOOM_DRAG_MODE_PAN,
  LOOM_DRAG_MODE_ZOOM,   /* up is nearer, at the pointer */
  LOOM_DRAG_MODE_TIMING, /* selects, and the figures of the selection stay in sight */
  LOOM_N_DRAG_MODES,
} LoomDragMode;

/* The word of an action's target, static: "select", "pan", "zoom", "timing". */
const char *loom_drag_mode_get_word (LoomDragMode mode);
/* LOOM_DRAG_MODE_SELECT for a word that is none. */
LoomDragMode loom_drag_mode_from_word (const char *word);

/* Gives a GtkMenuButton the menu of the modes, which activate "timeline.mode". */
void loom_drag_mode_button_set_menu (GtkWidget *button);
void loom_drag_mode_button_show (GtkWidget *button, LoomDragMode mode);
