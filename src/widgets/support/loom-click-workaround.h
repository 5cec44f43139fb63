/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognizes clicks that GTK cancels by mistake on X11. After a layout, GTK asks the X server for the state of the
 * pointer. If the button is already released, GTK cancels the press, although it will still receive the release event.
 * This happens with fast clicks during slow frames.
 */
#pragma once

#include <gtk/gtk.h>

/* The button and the position of the press that was stored last. */
typedef struct {
  guint button;
  double x, y;
} LoomClickWorkaround;

/* Stores the button and the position of a press. Must be called from the handler of the press. */
void loom_click_workaround_begin (LoomClickWorkaround *press, GtkGesture *gesture, double x, double y);

/* Returns TRUE if the button is already released. The user has then completed the click, although GTK has cancelled the
 * gesture. Must be called in a handler of the signal "cancel" of a gesture for one button. */
gboolean loom_click_workaround_was_let_go (const LoomClickWorkaround *press, GtkGesture *gesture);
