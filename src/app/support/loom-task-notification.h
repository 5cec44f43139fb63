/* SPDX-License-Identifier: Apache-2.0
 *
 * Prevents the machine from sleeping during long work, and sends a notification if the work ends while the window is
 * not active. A click on the notification brings the program to the front. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Minimum duration in seconds; when shorter work ends, no notification is sent. */
#define LOOM_TASK_NOTIFICATION_MIN_S 10

typedef struct _LoomTaskNotification LoomTaskNotification;

/* Begins a task. `reason`: says why the machine must not sleep during the task; NULL: it may sleep. The window is
 * borrowed. */
LoomTaskNotification *loom_task_notification_begin (GtkWindow *window, const char *reason);
/* Ends the task, frees it and sends a notification. `title`: NULL to send none. Returns TRUE if a notification was
 * sent. */
gboolean loom_task_notification_end (LoomTaskNotification *self, const char *title, const char *body);

/* For tests: moves the start of the task `seconds` into the past. */
void loom_task_notification_backdate (LoomTaskNotification *self, guint seconds);
