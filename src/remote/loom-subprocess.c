/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-subprocess.h"

#include "loom-error.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES (256u * 1024)
#define MESSAGE_BYTES 4096

/* Runs in the child, between fork() and exec(). */
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

int
loom_subprocess_open_complaints (void)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("traceloom-XXXXXX", &path, NULL);
  if (fd < 0)
    return -1;
  g_unlink (path);
  fcntl (fd, F_SETFD, FD_CLOEXEC);
  return fd;
}

char *
loom_subprocess_dup_complaint (int complaints)
{
  char bytes[MESSAGE_BYTES + 1];
  off_t end = complaints >= 0 ? lseek (complaints, 0, SEEK_END) : 0;
  gssize n = end > 0 ? pread (complaints, bytes, MESSAGE_BYTES, MAX (end - MESSAGE_BYTES, 0)) : 0;
  g_autofree char *text = g_utf8_make_valid (bytes, MAX (n, 0));
  g_strchomp (text);
  const char *line = strrchr (text, '\n');
  line = line != NULL ? line + 1 : text;
  return line[0] != '\0' ? g_strdup (line) : NULL;
}

static gboolean
pass_on (GInputStream *output, LoomSubprocessSink sink, gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autofree char *block = g_malloc (BLOCK_BYTES);
  gssize n;
  while ((n = g_input_stream_read (output, block, BLOCK_BYTES, cancellable, error)) > 0)
    if (!sink (block, (gsize) n, user_data, error))
      return FALSE;
  return n == 0;
}

static gboolean
check_end (GSubprocess *process, const char *name, int complaints, GError **error)
{
  if (g_subprocess_get_successful (process))
    return TRUE;
  g_autofree char *complaint = loom_subprocess_dup_complaint (complaints);
  if (complaint != NULL)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s says: %s"), name, complaint);
  else if (g_subprocess_get_if_signaled (process))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s was ended by signal %d (%s)"), name,
                 g_subprocess_get_term_sig (process), g_strsignal (g_subprocess_get_term_sig (process)));
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s ended with status %d and did not say why"), name,
                 g_subprocess_get_exit_status (process));
  return FALSE;
}

gboolean
loom_subprocess_run (const char *const *argv, LoomSubprocessSink sink, gpointer user_data, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = loom_subprocess_new_launcher (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  int complaints = loom_subprocess_open_complaints ();
  g_subprocess_launcher_setenv (launcher, "AWS_PAGER", "", TRUE);
  if (complaints >= 0)
    g_subprocess_launcher_take_stderr_fd (launcher, fcntl (complaints, F_DUPFD_CLOEXEC, 3));
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (launcher, argv, error);
  gboolean good = process != NULL;
  if (good) {
    good = pass_on (g_subprocess_get_stdout_pipe (process), sink, user_data, cancellable, error);
    if (!good)
      g_subprocess_force_exit (process);
    g_subprocess_wait (process, NULL, NULL);
    good = good && check_end (process, argv[0], complaints, error);
  }
  if (complaints >= 0)
    close (complaints);
  return good;
}
