/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the questions before a window, a tab or the program closes, and the effect of each answer.
 */
#include "groups.h"

#include "loom-window-private.h"

#include <string.h>

static char *
write_run (const char *folder, const char *name)
{
  return fixture_file (folder, name, "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
}

static LoomWindow *
open_one (const char *folder)
{
  g_autofree char *path = write_run (folder, "one.json");
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  return window;
}

static LoomWindow *
open_two (const char *folder)
{
  LoomWindow *window = open_one (folder);
  g_autofree char *path = write_run (folder, "two.json");
  loom_window_add_tab (window, TRUE);
  fixture_open (window, path);
  return window;
}

static gboolean
is_asked (gpointer window)
{
  return fixture_question (window) != NULL;
}

static gboolean
is_not_asked (gpointer window)
{
  return fixture_question (window) == NULL;
}

static gboolean
is_gone (gpointer pointer)
{
  return *(gpointer *) pointer == NULL;
}

/* Asserts that closing shows a question and that the window stays open until it is answered. */
static void
assert_asks (LoomWindow *window)
{
  gtk_window_close (GTK_WINDOW (window));
  g_assert_true (fixture_wait (is_asked, window));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window)));
}

static void
assert_closes (LoomWindow *window, const char *response)
{
  gpointer weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  fixture_answer (window, response);
  g_assert_true (fixture_wait (is_gone, &weak));
}

static void
assert_stays (LoomWindow *window)
{
  fixture_answer (window, "cancel");
  g_assert_true (fixture_wait (is_not_asked, window));
  fixture_spin (50);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window)));
}

/* A window with one run, or with one run and an empty tab, closes without a question. */
static void
test_runs (void)
{
  g_autofree char *folder = fixture_folder ();
  LoomWindow *window = open_one (folder);
  loom_window_add_tab (window, TRUE); /* an empty tab */
  gpointer weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_close (GTK_WINDOW (window));
  g_assert_true (fixture_wait (is_gone, &weak));
  window = open_two (folder);
  assert_asks (window);
  g_assert_cmpstr (loom_alert_dialog_get_heading (fixture_question (window)), ==, "Close 2 Runs?");
  gtk_window_close (GTK_WINDOW (window)); /* closing the window again keeps the question that is shown */
  assert_stays (window);
  assert_asks (window);
  g_autoptr (GObject) question = g_object_ref (G_OBJECT (fixture_question (window)));
  assert_closes (window, "close");
#if !LOOM_HAS_ADW_DIALOG
  /* while an event still holds the question, it must not refer to the window, which is freed */
  g_assert_null (gtk_window_get_transient_for (GTK_WINDOW (question)));
#endif
}

/* An export is stopped only after the user confirmed it. */
static void
test_writing (void)
{
  g_autofree char *folder = fixture_folder ();
  LoomWindow *window = open_one (folder);
  loom_window_begin_saving (window, "out.json");
  g_autoptr (GCancellable) cancellable = g_object_ref (window->saving_cancellable);
  assert_asks (window);
  assert_stays (window);
  g_assert_false (g_cancellable_is_cancelled (cancellable));
  assert_asks (window);
  assert_closes (window, "close");
  g_assert_true (g_cancellable_is_cancelled (cancellable));
}

/* If the export finishes before the question is answered, the question disappears and the window stays open. */
static void
test_written (void)
{
  g_autofree char *folder = fixture_folder ();
  LoomWindow *window = open_one (folder);
  loom_window_begin_saving (window, "out.json");
  assert_asks (window);
  gpointer question = fixture_question (window);
  g_object_add_weak_pointer (G_OBJECT (question), &question);
  g_assert_true (loom_window_end_saving (window));
  g_assert_true (fixture_wait (is_gone, &question));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window)));
  fixture_close (window);
}

typedef struct {
  LoomWindow *window;
  LoomAlertDialog *answered;
} Next;

static gboolean
is_asked_next (gpointer data)
{
  const Next *next = data;
  LoomAlertDialog *question = fixture_question (next->window);
  return question != NULL && question != next->answered;
}

/* If two questions are needed, the second is shown after the first is answered. */
static void
test_both (void)
{
  g_autofree char *folder = fixture_folder ();
  LoomWindow *window = open_two (folder);
  loom_window_begin_saving (window, "out.json");
  assert_asks (window);
  LoomAlertDialog *first = fixture_question (window);
  g_assert_cmpstr (loom_alert_dialog_get_heading (first), ==, "Cancel Saving?");
  fixture_answer (window, "close");
  g_assert_true (fixture_wait (is_asked_next, &(Next) { window, first }));
  assert_stays (window);
  assert_asks (window); /* closing the window again starts with the first question */
  first = fixture_question (window);
  g_assert_cmpstr (loom_alert_dialog_get_heading (first), ==, "Cancel Saving?");
  fixture_answer (window, "close");
  g_assert_true (fixture_wait (is_asked_next, &(Next) { window, first }));
  assert_closes (window, "close");
}

/* --- sessions ------------------------------------------------------------------------------------------------------ */

static gboolean
has_session (gpointer window)
{
  return loom_run_session_get_path (loom_tab_get_session (loom_window_get_tab (window))) != NULL;
}

static LoomWindow *
open_saved (const char *folder, const char *session)
{
  LoomWindow *window = open_one (folder);
  loom_run_session_save (loom_tab_get_session (loom_window_get_tab (window)), session);
  g_assert_true (fixture_wait (has_session, window));
  return window;
}

static gboolean
says (const char *path, const char *text)
{
  g_autofree char *whole = NULL;
  g_assert_true (g_file_get_contents (path, &whole, NULL, NULL));
  return strstr (whole, text) != NULL;
}

static void
mark (LoomWindow *window)
{
  loom_timeline_state_add_mark (fixture_state (window), 3000, "look here");
}

static void
test_session (void)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomWindow *window = open_saved (folder, path);
  mark (window);
  assert_asks (window);
  assert_stays (window);
  assert_asks (window);
  assert_closes (window, "discard");
  g_assert_false (says (path, "look here"));
  window = fixture_window ();
  fixture_open (window, path);
  mark (window);
  assert_asks (window);
  assert_closes (window, "save");
  g_assert_true (says (path, "look here"));
}

static gboolean
has_one_tab (gpointer window)
{
  return loom_window_get_n_tabs (window) == 1;
}

/* Closing a tab with unsaved changes asks a question and closes only that tab. */
static void
test_tab (void)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomWindow *window = open_saved (folder, path);
  mark (window);
  loom_window_add_tab (window, FALSE);
  g_action_group_activate_action (G_ACTION_GROUP (window), "close-tab", NULL);
  g_assert_true (fixture_wait (is_asked, window));
  assert_stays (window);
  g_assert_cmpuint (loom_window_get_n_tabs (window), ==, 2);
  g_action_group_activate_action (G_ACTION_GROUP (window), "close-tab", NULL);
  g_assert_true (fixture_wait (is_asked, window));
  fixture_answer (window, "save");
  g_assert_true (fixture_wait (has_one_tab, window));
  g_assert_true (says (path, "look here"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window)));
  fixture_close (window);
}

/* --- the program --------------------------------------------------------------------------------------------------- */

/* Quitting asks in every window before the first window closes. */
static void
test_quit (void)
{
  g_autofree char *folder = fixture_folder ();
  LoomWindow *first = open_one (folder), *second = open_two (folder);
  GActionGroup *application = G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (first)));
  g_action_group_activate_action (application, "quit", NULL);
  g_assert_true (fixture_wait (is_asked, second));
  assert_stays (second);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (first)));
  assert_asks (second); /* the second window asks again */
  assert_stays (second);
  gpointer weak_first = first, weak_second = second;
  g_object_add_weak_pointer (G_OBJECT (first), &weak_first);
  g_object_add_weak_pointer (G_OBJECT (second), &weak_second);
  g_action_group_activate_action (application, "quit", NULL);
  g_assert_true (fixture_wait (is_asked, second));
  fixture_answer (second, "close");
  g_assert_true (fixture_wait (is_gone, &weak_second));
  g_assert_true (fixture_wait (is_gone, &weak_first));
}

void
groups_add_close (void)
{
  g_test_add_func ("/app/close/runs", test_runs);
  g_test_add_func ("/app/close/writing", test_writing);
  g_test_add_func ("/app/close/written", test_written);
  g_test_add_func ("/app/close/both", test_both);
  g_test_add_func ("/app/close/session", test_session);
  g_test_add_func ("/app/close/tab", test_tab);
  g_test_add_func ("/app/close/quit", test_quit);
}
