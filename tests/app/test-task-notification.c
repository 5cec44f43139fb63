/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the notification after a long operation finished while the window was not visible.
 */
#include "groups.h"

#include "loom-task-notification.h"

static gboolean
ends_told (LoomWindow *window, guint seconds, const char *title)
{
  LoomTaskNotification *unseen = loom_task_notification_begin (GTK_WINDOW (window), "a test");
  loom_task_notification_backdate (unseen, seconds);
  return loom_task_notification_end (unseen, title, "body");
}

static gboolean
is_active (gpointer window)
{
  return gtk_window_is_active (window);
}

static void
test_long_work (void)
{
  LoomWindow *window = fixture_window ();
  gboolean seen = is_active (window);
  g_assert_cmpint (ends_told (window, LOOM_TASK_NOTIFICATION_MIN_S, "Done"), ==, !seen);
  g_assert_false (ends_told (window, 0, "Done"));
  g_assert_false (ends_told (window, LOOM_TASK_NOTIFICATION_MIN_S, NULL));
  fixture_close (window);
}

static void
test_no_application (void)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  LoomTaskNotification *unseen = loom_task_notification_begin (window, "a test");
  loom_task_notification_backdate (unseen, LOOM_TASK_NOTIFICATION_MIN_S);
  g_assert_false (loom_task_notification_end (unseen, "Done", NULL));
  gtk_window_destroy (window);
}

void
groups_add_task_notification (void)
{
  g_test_add_func ("/app/task-notification/long-work", test_long_work);
  g_test_add_func ("/app/task-notification/no-application", test_no_application);
}
