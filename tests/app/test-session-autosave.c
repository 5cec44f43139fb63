/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests recovery of sessions: after a kill at any moment the next start offers the runs that were open; a termination
 * signal closes the program normally.
 */
#include "groups.h"
#include "kept-sessions.h"

#include "loom-session-autosave.h"
#include "loom-window-private.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

static void
forget_all (void)
{
  g_autoptr (GPtrArray) lost = loom_session_autosave_list_lost ();
  for (guint i = 0; i < lost->len; i++)
    loom_session_autosave_forget_lost (((const LoomCrashedSession *) lost->pdata[i])->path);
}

/* --- the process that is killed --- */

/* Runs the main loop until SIGKILL ends this process, or SIGTERM closes the window. */
static void
live (LoomWindow *window)
{
  gpointer weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  while (weak != NULL)
    g_main_context_iteration (NULL, TRUE);
  loom_session_autosave_flush ();
}

static void
have_tabs (const char *first, const char *second)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, first);
  loom_tab_open_paths (loom_window_add_tab (window, TRUE), (const char *const[]) { second, NULL }, FALSE);
  live (window);
}

/* --- several open runs --- */

static gboolean
are_held (gpointer n_before)
{
  return kept_sessions_count_files (".traceloom") == GPOINTER_TO_UINT (n_before) + 2 &&
         kept_sessions_count_files (".open") == 2;
}

static gboolean
has_row (gpointer widget)
{
  if (ADW_IS_ACTION_ROW (widget) && gtk_widget_get_mapped (widget))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_row (child))
      return TRUE;
  return FALSE;
}

/* Opens a window and asserts that it offers the sessions of the killed process. The row of a run in the home folder
 * shows the folder as “~”. This is narrower than the “…” of a shortened label, and must not make GTK warn. */
static void
assert_offered (void)
{
  LoomWindow *window = fixture_window ();
  g_assert_true (fixture_wait (has_row, window));
  fixture_frames (window);
  fixture_close (window);
  loom_session_autosave_flush ();
}

/* Covers documented rows: ../README.md §tabs after a start the program offers to restore the runs that were open */
static void
test_ended (gconstpointer data)
{
  int number = GPOINTER_TO_INT (data);
  g_autofree char *folder = fixture_folder ();
  /* each round uses a new name, because sessions of earlier rounds still exist */
  g_autofree char *name = g_strdup_printf ("first-%d.json", number);
  g_autofree char *first = kept_sessions_write_run (g_get_home_dir (), name, 3),
                  *second = kept_sessions_write_run (folder, "second.json", 5);
  GPid pid = kept_sessions_start_victim ("--tabs", first, second);
  g_assert_true (fixture_wait (are_held, GUINT_TO_POINTER (kept_sessions_count_files (".traceloom"))));
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0); /* a running process locks its sessions: none has crashed */
  kept_sessions_end_victim (pid, number);
  g_assert_cmpuint (kept_sessions_count_lost (), ==,
                    number == SIGKILL ? 2 : 0); /* SIGTERM closes the program normally, so nothing is lost */
  if (number == SIGKILL)
    assert_offered ();
  forget_all ();
  g_unlink (first);
}

static void
share_state (void)
{
  const char *state = g_getenv ("LOOM_TEST_STATE");
  if (state != NULL)
    g_setenv ("XDG_STATE_HOME", state, TRUE);
}

gboolean
groups_run_as_victim (int argc, char **argv)
{
  if (argc != 4 || strcmp (argv[1], "--tabs") != 0)
    return FALSE;
  int n = 1;
  fixture_init (&n, &argv);
  share_state ();
  have_tabs (argv[2], argv[3]);
  return TRUE;
}

void
groups_add_session_autosave (void)
{
  share_state ();
  g_test_add_data_func ("/app/session-autosave/tabs", GINT_TO_POINTER (SIGKILL), test_ended);
  g_test_add_data_func ("/app/session-autosave/told-to-end", GINT_TO_POINTER (SIGTERM), test_ended);
}
