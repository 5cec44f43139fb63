/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the report about a crash that the program shows at its next start: it lists the open files and the recent
 * actions, and is shown once.
 */
#include "loom-crash-handler.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define STATE "LOOM_TEST_CRASH_STATE"

static void
crash (void)
{
  loom_crash_handler_catch ();
  loom_crash_handler_set_open ("/runs/llama/rank0.json");
  for (guint i = 0; i < 40; i++) {
    g_autofree char *note = g_strdup_printf ("step %u of the person", i);
    loom_crash_handler_note (note);
  }
  g_warning ("something is odd");
  raise (SIGSEGV);
}

static void
test_left (void)
{
  if (g_test_subprocess ()) {
    g_log_set_always_fatal (G_LOG_LEVEL_ERROR);
    crash ();
    return;
  }
  g_autofree char *path = NULL, *again = NULL;
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_autofree char *text = loom_crash_handler_take_last (&path);
  g_assert_nonnull (text);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "SIGSEGV"));
  g_assert_nonnull (strstr (text, "Open:\n/runs/llama/rank0.json\n"));
  g_assert_nonnull (strstr (text, "step 39 of the person\nsomething is odd\n"));
  g_assert_null (strstr (text, "step 3 of the person"));
  const char *stack = strstr (text, "Stack:\n");
  g_assert_nonnull (stack);
  g_assert_nonnull (strstr (stack, "test-app-crash"));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_null (loom_crash_handler_take_last (&again));  /* the crash was shown already */
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS)); /* a second window does not delete the report */
}

int
main (int argc, char **argv)
{
  g_autofree char *state =
    g_getenv (STATE) != NULL ? g_strdup (g_getenv (STATE)) : g_dir_make_tmp ("loom-test-XXXXXX", NULL);
  g_setenv (STATE, state, TRUE); /* the subprocess inherits the folder */
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/crash-handler/left", test_left);
  int status = g_test_run ();
  if (!g_test_subprocess ()) {
    g_autofree char *clean = g_strdup_printf ("rm -r '%s'", state);
    g_spawn_command_line_sync (clean, NULL, NULL, NULL, NULL);
  }
  return status;
}
