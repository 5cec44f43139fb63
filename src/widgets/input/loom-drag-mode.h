/* SPDX-License-Identifier: Apache-2.0
 *
 * The function of a plain drag over the tracks, and the button in the timeline's corner that shows and changes it.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  LOOM_DRAG_MODE_SELECT,
  LOOM_DRAG_MODE_PAN,
  LOOM_DRAG_MODE_ZOOM,   /* dragging up zooms in at the pointer */
  LOOM_DRAG_MODE_TIMING, /* dragging selects a range, whose duration, number of spans and rate are shown */
  LOOM_N_DRAG_MODES,
} LoomDragMode;

/* Returns the word of the mode that the action "timeline.mode" uses, static: "select", "pan", "zoom", "timing". */
const char *loom_drag_mode_get_word (LoomDragMode mode);
/* Returns the mode for a word; LOOM_DRAG_MODE_SELECT for unknown words. */
LoomDragMode loom_drag_mode_from_word (const char *word);

/* Gives a GtkMenuButton a menu of the modes, whose items activate "timeline.mode". */
void loom_drag_mode_button_set_menu (GtkWidget *button);
void loom_drag_mode_button_show (GtkWidget *button, LoomDragMode mode);
