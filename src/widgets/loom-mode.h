/* SPDX-License-Identifier: Apache-2.0
 *
 * What a plain drag over the tracks does, and the button in the timeline's corner that shows it and changes it.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_MODE_SELECT,
  LOOM_MODE_PAN,
  LOOM_MODE_ZOOM,   /* up is nearer, at the pointer */
  LOOM_MODE_TIMING, /* selects, and the figures of the selection stay in sight */
  LOOM_N_MODES,
} LoomMode;

/* The word of an action's target, static: "select", "pan", "zoom", "timing". */
const char *loom_mode_get_word (LoomMode mode);
/* LOOM_MODE_SELECT for a word that is none. */
LoomMode loom_mode_from_word (const char *word);

/* A button with a menu of the modes; they activate "timeline.mode". */
GtkWidget *loom_mode_button_new (void);
void loom_mode_button_show (GtkWidget *button, LoomMode mode);

G_END_DECLS
