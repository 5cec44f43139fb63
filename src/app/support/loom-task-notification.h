/* SPDX-License-Identifier: Apache-2.0
 *
 * Prevents the machine from being suspended during long work. When the work ends while the window is not active, sends
 * a notification; a click on the notification brings the program to the front. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Minimum duration of a task in seconds; no notification is sent for shorter tasks. */
#define LOOM_TASK_NOTIFICATION_MIN_S 10

typedef struct _LoomTaskNotification LoomTaskNotification;

/* Begins a task. `reason`: text for the user about why the machine must not be suspended during the task; NULL if it
 * may be suspended. The window is borrowed. */
LoomTaskNotification *loom_task_notification_begin (GtkWindow *window, const char *reason);
/* Ends the task and frees it. Sends a notification if the task was long and the window is not active. `title`: NULL
 * to send no notification. Returns TRUE if a notification was sent. */
gboolean loom_task_notification_end (LoomTaskNotification *self, const char *title, const char *body);

/* For tests: changes the start of the task to `seconds` earlier. */
void loom_task_notification_backdate (LoomTaskNotification *self, guint seconds);
