/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulates keys, mouse buttons and wheel for a window in a test, through the XTest extension of the X server.
 */
#pragma once

#include "fixture.h"

/* Returns FALSE if there is no X server with XTest; the process should then skip its tests. */
gboolean hands_init (LoomWindow *window);

/* Moves the pointer to a point of the widget, in logical pixels. */
void hands_move (GtkWidget *widget, double x, double y);
/* button: 1 primary, 2 middle, 3 secondary, 4 and 5 wheel up and down, 6 and 7 wheel left and right */
void hands_button (guint button, gboolean down);
void hands_click (guint button);
void hands_double_click (guint button);
/* Clicks so fast that the button is up again before the frame after the press. */
void hands_tap (guint button);
void hands_key (guint keyval, gboolean down);
/* Types a key while a modifier is held (a keyval; 0: none). */
void hands_type (guint modifier, guint keyval);
/* Drags between two points of a widget in several steps and releases the button at the end. */
void hands_drag (GtkWidget *widget, guint button, double x0, double y0, double x1, double y1);
