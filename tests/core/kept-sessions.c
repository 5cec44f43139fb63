/* SPDX-License-Identifier: Apache-2.0 */
#include "kept-sessions.h"

#include "loom-session-autosave.h"

#include <signal.h>
#include <sys/wait.h>

char *
kept_sessions_write_run (const char *folder, const char *name, guint n)
{
  g_autoptr (GString) text = g_string_new ("[\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":500,\"name\":\"%s %u\"},\n",
                            i * 1000, name, i);
  return fixture_file (folder, name, text->str);
}

guint
kept_sessions_count_lost (void)
{
  g_autoptr (GPtrArray) lost = loom_session_autosave_list_lost ();
  return lost->len;
}

guint
kept_sessions_count_files (const char *suffix)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "traceloom", "sessions", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_suffix (name, suffix);
  return n;
}

GPid
kept_sessions_start_victim (const char *what, const char *first, const char *second)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) env = g_get_environ ();
  GPid pid;
  env = g_environ_setenv (env, "LOOM_TEST_STATE", g_get_user_state_dir (), TRUE);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  const char *args[] = { self, what, first, second, NULL };
  g_assert_true (g_spawn_async (NULL, (char **) args, env, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error));
  return pid;
}

void
kept_sessions_end_victim (GPid pid, int number)
{
  int status;
  g_assert_cmpint (kill (pid, number), ==, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (WIFSIGNALED (status), ==, number == SIGKILL);
}
