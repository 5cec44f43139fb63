/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-subprocess.h"

#include "loom-complaints.h"
#include "loom-error.h"

#include <gio/gunixinputstream.h>
#include <glib/gi18n.h>
#include <signal.h>

#define BLOCK_BYTES (256u * 1024)

/* Unblocks all signals. Runs in the child process, between fork() and exec(). */
static void
unblock_signals (gpointer user_data)
{
  sigset_t none;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

GSubprocessLauncher *
loom_subprocess_new_launcher (GSubprocessFlags flags)
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (flags);
  g_subprocess_launcher_set_child_setup (launcher, unblock_signals, NULL, NULL);
  return launcher;
}

static gboolean
pass_on (GSubprocess *process, LoomComplaints *complaints, LoomSubprocessSink sink, gpointer user_data,
         GCancellable *cancellable, GError **error)
{
  GInputStream *output = g_subprocess_get_stdout_pipe (process);
  int fd = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (output));
  g_autofree char *block = g_malloc (BLOCK_BYTES);
  gssize n;
  do {
    if (!loom_complaints_wait (complaints, fd, -1, G_MAXUINT64, cancellable, error))
      return FALSE;
    n = g_input_stream_read (output, block, BLOCK_BYTES, cancellable, error);
  } while (n > 0 && sink (block, (gsize) n, user_data, error));
  return n == 0;
}

static gboolean
check_end (GSubprocess *process, const char *name, LoomComplaints *complaints, GError **error)
{
  if (g_subprocess_get_successful (process))
    return TRUE;
  g_autofree char *complaint = loom_complaints_dup_last (complaints);
  if (complaint != NULL)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s reports: %s"), name, complaint);
  else if (g_subprocess_get_if_signaled (process))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s was ended by signal %d (%s)"), name,
                 g_subprocess_get_term_sig (process), g_strsignal (g_subprocess_get_term_sig (process)));
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s ended with status %d and without an error message"), name,
                 g_subprocess_get_exit_status (process));
  return FALSE;
}

gboolean
loom_subprocess_run (const char *const *argv, LoomSubprocessSink sink, gpointer user_data, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
    loom_subprocess_new_launcher (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  LoomComplaints complaints = LOOM_COMPLAINTS_INIT;
  g_subprocess_launcher_setenv (launcher, "AWS_PAGER", "", TRUE);
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (process == NULL)
    return FALSE;
  loom_complaints_begin (&complaints, process);
  gboolean good = pass_on (process, &complaints, sink, user_data, cancellable, error);
  if (!good)
    g_subprocess_force_exit (process);
  loom_complaints_wait_end (&complaints, process);
  good = good && check_end (process, argv[0], &complaints, error);
  loom_complaints_clear (&complaints);
  return good;
}
