/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers for tests of the program's windows: they run the application without D-Bus, and run the main loop until a
 * condition is true, with a time limit.
 */
#pragma once

#include "loom-alert-dialog.h"
#include "loom-window.h"
#include "run-fixture.h"

/* Initialises GTK, the test data folders and the time limit of the whole process. If there is no display, prints a TAP
 * skip and ends the process. */
void fixture_init (int *argc, char ***argv);
int fixture_run (void);

/* Returns a presented window. fixture_close() closes it, even with runs in its tabs, and asserts that it is freed. */
LoomWindow *fixture_window (void);
void fixture_close (LoomWindow *window);
/* Returns the message dialog of the window, or NULL; borrowed. */
LoomAlertDialog *fixture_question (LoomWindow *window);
/* Responds to the dialog like a click on the button of that response. */
void fixture_answer (LoomWindow *window, const char *response);

/* Runs the main loop until the window has drawn two frames. By then all earlier events are handled and widgets are laid
 * out. */
void fixture_frames (LoomWindow *window);
void fixture_frames_of (GtkWidget *window); /* for a window of any class */

/* Resizes the window and waits until it has the width. Repeats the request if nothing happens, because an X server
 * without a window manager can lose a request that is sent while it answers the previous one. */
void fixture_resize (LoomWindow *window, int width, int height);
/* Runs the main loop until the view of the timeline has stopped moving. */
void fixture_rest (LoomWindow *window);

/* Opens a path and waits until loading has finished. */
void fixture_open (LoomWindow *window, const char *path);
void fixture_wait_loaded (LoomWindow *window);
/* Waits until the overview and the steps include everything that is loaded. While a run is being loaded, they are
 * computed again and again for the parts that are already loaded. */
void fixture_wait_facts (LoomWindow *window);

/* Returns the first widget of a type among the widget and its descendants, or NULL. */
GtkWidget *fixture_find_type (GtkWidget *widget, GType type);

/* Returns the source list of the selected run. */
GtkWidget *fixture_sources (LoomWindow *window);

/* Returns the widget's event controller of a type; borrowed. */
GtkEventController *fixture_controller (gpointer widget, GType type);

/* Emits a key press or release as GTK does; `keycode` is the hardware key code. Returns TRUE if a handler consumed the
 * event. */
gboolean fixture_press (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers);
void fixture_release (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers);
gboolean fixture_type (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers);

LoomTimelineState *fixture_state (LoomWindow *window);
LoomViewport fixture_view (LoomWindow *window);
