/* SPDX-License-Identifier: Apache-2.0
 *
 * Presses that GTK gives up although they were clicks. When widgets were laid out it asks the X server where the pointer is; a button
 * that is up there by then ends the press, for its release is still under way. A hand is that quick where a frame takes long.
 */
#pragma once

#include <gtk/gtk.h>

/* The press that is under way, or was the last. */
typedef struct {
  guint button;
  double x, y;
} LoomClickWorkaround;

/* In a handler that is told that a press begins at x, y. */
void loom_click_workaround_begin (LoomClickWorkaround *press, GtkGesture *gesture, double x, double y);

/* In a handler of "cancel" of a gesture of one button: the button is up, so what was pressed was let go there. */
gboolean loom_click_workaround_was_let_go (const LoomClickWorkaround *press, GtkGesture *gesture);
