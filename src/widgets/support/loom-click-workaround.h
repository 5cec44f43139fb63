/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises clicks that GTK cancels. After a layout GTK asks the X server for the state of the pointer; if the button
 * is up by then, GTK cancels the press although its release event is still on the way. This happens with fast clicks
 * during slow frames.
 */
#pragma once

#include <gtk/gtk.h>

/* The current or the last press. */
typedef struct {
  guint button;
  double x, y;
} LoomClickWorkaround;

/* Call it from a handler of a press, with its position. */
void loom_click_workaround_begin (LoomClickWorkaround *press, GtkGesture *gesture, double x, double y);

/* Call it from a "cancel" handler of a gesture for one button. Returns TRUE if the button is already up, so that the
 * click was completed. */
gboolean loom_click_workaround_was_let_go (const LoomClickWorkaround *press, GtkGesture *gesture);
