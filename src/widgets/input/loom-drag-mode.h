/* SPDX-License-Identifier: Apache-2.0
 *
 * The drag mode determines what dragging over the tracks without a modifier key does (select, pan, zoom or timing).
 * These functions also set up the button in the corner of the timeline that shows and changes the mode.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  LOOM_DRAG_MODE_SELECT,
  LOOM_DRAG_MODE_PAN,
  LOOM_DRAG_MODE_ZOOM,   /* dragging upwards zooms in at the pointer */
  LOOM_DRAG_MODE_TIMING, /* dragging shows the duration of the range, the number of spans in it, and their rate */
  LOOM_N_DRAG_MODES,
} LoomDragMode;

/* Returns the word that represents the mode in the action "timeline.mode": "select", "pan", "zoom" or "timing".
 * Static. */
const char *loom_drag_mode_get_word (LoomDragMode mode);
/* Returns the mode for a word; LOOM_DRAG_MODE_SELECT for unknown words. */
LoomDragMode loom_drag_mode_from_word (const char *word);

/* Gives a GtkMenuButton a menu of the modes, whose items activate "timeline.mode". */
void loom_drag_mode_button_set_menu (GtkWidget *button);
void loom_drag_mode_button_show (GtkWidget *button, LoomDragMode mode);
