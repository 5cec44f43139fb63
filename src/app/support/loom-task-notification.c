/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-task-notification.h"

struct _LoomTaskNotification {
  GtkWindow *window;
  guint cookie; /* result of gtk_application_inhibit(); 0 if the machine may be suspended */
  gint64 begin_us;
};

LoomTaskNotification *
loom_task_notification_begin (GtkWindow *window, const char *reason)
{
  LoomTaskNotification *self = g_new0 (LoomTaskNotification, 1);
  *self = (LoomTaskNotification) { .window = window, .begin_us = g_get_monotonic_time () };
  GtkApplication *application = gtk_window_get_application (window);
  if (reason != NULL && application != NULL)
    self->cookie = gtk_application_inhibit (application, window, GTK_APPLICATION_INHIBIT_SUSPEND, reason);
  return self;
}

static void
notify (GtkWindow *window, const char *title, const char *body)
{
  g_autoptr (GNotification) notification = g_notification_new (title);
  if (body != NULL && *body != '\0')
    g_notification_set_body (notification, body);
  g_autofree char *id = g_strdup_printf ("ended-%p", (void *) window);
  g_application_send_notification (G_APPLICATION (gtk_window_get_application (window)), id, notification);
}

gboolean
loom_task_notification_end (LoomTaskNotification *self, const char *title, const char *body)
{
  if (self == NULL)
    return FALSE;
  GtkApplication *application = gtk_window_get_application (self->window);
  gint64 passed_us = g_get_monotonic_time () - self->begin_us;
  gboolean tells = title != NULL && application != NULL && !gtk_window_is_active (self->window) &&
                   passed_us >= LOOM_TASK_NOTIFICATION_MIN_S * G_USEC_PER_SEC;
  if (self->cookie != 0 && application != NULL)
    gtk_application_uninhibit (application, self->cookie);
  if (tells)
    notify (self->window, title, body);
  g_free (self);
  return tells;
}

void
loom_task_notification_backdate (LoomTaskNotification *self, guint seconds)
{
  self->begin_us -= seconds * G_USEC_PER_SEC;
}
