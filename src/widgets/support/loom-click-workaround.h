/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises clicks that GTK cancels. After a layout GTK asks the X server for the state of the pointer; if the button
 * is up by then, GTK cancels the press although its release event is still on the way. This happens with fast clicks
 * during slow frames.
 */
#pragma once

#include <gtk/gtk.h>

/* The button and position of the press that is going on, or of the last one. */
typedef struct {
  guint button;
  double x, y;
} LoomClickWorkaround;

/* Stores the button and the position of a press. Call it from the handler of the press. */
void loom_click_workaround_begin (LoomClickWorkaround *press, GtkGesture *gesture, double x, double y);

/* Returns TRUE if the button is up already: the click was completed, although the gesture was cancelled. Call it from a
 * handler of "cancel" of a gesture for one button. */
gboolean loom_click_workaround_was_let_go (const LoomClickWorkaround *press, GtkGesture *gesture);
