/* SPDX-License-Identifier: Apache-2.0
 *
 * Hands on the window of a test: keys, buttons and wheel that come from the X server, as from devices (XTest).
 */
#pragma once

#include "fixture.h"

/* FALSE where there is no X server that takes such input: the process should skip its tests. */
gboolean hands_init (LoomWindow *window);

/* To a point of a widget, in logical pixels. */
void hands_move (GtkWidget *widget, double x, double y);
/* 1 primary, 2 middle, 3 secondary, 4 and 5 wheel up and down, 6 and 7 wheel left and right. */
void hands_button (guint button, gboolean down);
void hands_click (guint button);
void hands_double_click (guint button);
/* So quickly that the button is up again before the frame after the press lays the window out. */
void hands_tap (guint button);
void hands_key (guint keyval, gboolean down);
/* A modifier (a keyval, 0 for none) is held during what the key does. */
void hands_type (guint modifier, guint keyval);
/* From one point of a widget to another, in steps; the button is let go at the end. */
void hands_drag (GtkWidget *widget, guint button, double x0, double y0, double x1, double y1);
