/* SPDX-License-Identifier: Apache-2.0
 *
 * A window in a test: the program's own application without a bus, a main loop that waits for something with a limit.
 */
#pragma once

#include "loom-window.h"
#include "run-fixture.h"

/* Sets up GTK, test data folders and the time limit of the whole process; ends the process with a TAP skip when there
 * is no display. */
void fixture_init (int *argc, char ***argv);
int fixture_run (void);

/* A presented window; fixture_close() closes it, whatever runs it has in its tabs, and asserts that it is gone for good. */
LoomWindow *fixture_window (void);
void fixture_close (LoomWindow *window);
/* What the window asks; NULL. Borrowed. */
AdwMessageDialog *fixture_question (LoomWindow *window);
/* As if the button of that response was pressed. */
void fixture_answer (LoomWindow *window, const char *response);

/* Turns the main loop until the window was drawn twice: events that had arrived are handled by then, and widgets laid out. */
void fixture_frames (LoomWindow *window);
void fixture_frames_of (GtkWidget *window); /* any window */
/* Turns the main loop until the view of the timeline moves no more. */
void fixture_rest (LoomWindow *window);

/* Opens and waits until loading ended. */
void fixture_open (LoomWindow *window, const char *path);
void fixture_wait_loaded (LoomWindow *window);
/* Waits for the overview and the steps of all that is loaded; while it loads those of a part come. */
void fixture_wait_facts (LoomWindow *window);

/* The first widget of the type, the widget itself or below it; NULL. */
GtkWidget *fixture_find_type (GtkWidget *widget, GType type);

/* The list of sources of the selected run. */
GtkWidget *fixture_sources (LoomWindow *window);

/* Controllers of a widget, by type. */
GtkEventController *fixture_controller (gpointer widget, GType type);

/* Presses and lets go a key as GTK would tell; `keycode` is the hardware's. TRUE when somebody took it. */
gboolean fixture_press (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers);
void fixture_release (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers);
gboolean fixture_type (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers);

LoomTimelineState *fixture_state (LoomWindow *window);
LoomViewport fixture_view (LoomWindow *window);
