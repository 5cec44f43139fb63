/* SPDX-License-Identifier: Apache-2.0
 *
 * Presses that GTK gives up although they were clicks. When widgets were laid out it asks the X server where the pointer is; a button
 * that is up there by then ends the press, for its release is still under way. A hand is that quick where a frame takes long.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* In a handler of "cancel" of a gesture of one button: the button is up, so what was pressed was let go there. */
gboolean loom_press_was_let_go (GtkGesture *gesture, guint button);

G_END_DECLS
