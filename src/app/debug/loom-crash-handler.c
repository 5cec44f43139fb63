/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-crash-handler.h"

#include "loom-archive-path.h"
#include "loom-installed.h"

#include <execinfo.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define N_NOTES 24
#define NOTE_BYTES 160
#define OPEN_BYTES 4096
#define PATH_BYTES 1024
#define N_FRAMES 64
#define STACK_BYTES (64 * 1024)
#define MOST_BYTES (256 * 1024) /* maximum number of bytes of a report that are shown */
#define NEW ".crash"
#define TOLD ".told"

/* Data for the report. They are static, because a signal handler must not allocate memory. A note may be incomplete
 * in the report if one thread crashes while another writes the note. */
static struct {
  char path[PATH_BYTES];
  char open[OPEN_BYTES];
  char notes[N_NOTES][NOTE_BYTES];
  guint n_notes;
  char stack[STACK_BYTES];
} crash;

static const struct {
  int number;
  const char *words;
} causes[] = {
  { SIGSEGV, "SIGSEGV: memory that is not there" },
  { SIGBUS, "SIGBUS: memory that cannot be read" },
  { SIGILL, "SIGILL: no instruction" },
  { SIGFPE, "SIGFPE: arithmetic" },
  { SIGABRT, "SIGABRT: the program gave up" },
  { SIGTRAP, "SIGTRAP: GLib gave up" },
};

/* --- the handler: nothing but write(), open(), close() and backtrace_symbols_fd() --------------------------------- */

static void
put (int fd, const char *text)
{
  for (gsize n = strlen (text), done = 0; done < n;) {
    gssize one = write (fd, text + done, n - done);
    if (one <= 0)
      return;
    done += (gsize) one;
  }
}

static void
put_line (int fd, const char *text)
{
  put (fd, text);
  put (fd, "\n");
}

static void
put_cause (int fd, int number)
{
  for (guint i = 0; i < G_N_ELEMENTS (causes); i++)
    if (causes[i].number == number)
      put_line (fd, causes[i].words);
}

static void
put_notes (int fd)
{
  guint first = crash.n_notes > N_NOTES ? crash.n_notes - N_NOTES : 0;
  for (guint i = first; i < crash.n_notes; i++)
    put_line (fd, crash.notes[i % N_NOTES]);
}

/* Writes the report, and raises the signal again. The second signal ends the program, because the handler was installed
 * with SA_RESETHAND. The system then writes a core dump if it is configured to do so. */
static void
caught (int number)
{
  void *frames[N_FRAMES];
  int fd = open (crash.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd >= 0) {
    put_line (fd, "Traceloom " LOOM_VERSION " ended unexpectedly.");
    put_cause (fd, number);
    put (fd, "\nOpen:\n");
    put_line (fd, crash.open);
    put (fd, "\nDone last:\n");
    put_notes (fd);
    put (fd, "\nStack:\n");
    backtrace_symbols_fd (frames, backtrace (frames, N_FRAMES), fd);
    close (fd);
  }
  raise (number);
}

/* --- before ------------------------------------------------------------------------------------------------------- */

static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "traceloom", "crashes", NULL);
}

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  for (gsize i = 0; (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) != 0 && i < n_fields;
       i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0 && fields[i].length < 0)
      loom_crash_handler_note (fields[i].value);
  return g_log_writer_default (level, fields, n_fields, data);
}

void
loom_crash_handler_catch (void)
{
  void *frames[1];
  g_autofree char *folder = dup_folder (), *path = g_strdup_printf ("%s/%d" NEW, folder, (int) getpid ());
  if (strlen (path) >= sizeof crash.path || g_mkdir_with_parents (folder, 0700) != 0)
    return;
  g_strlcpy (crash.path, path, sizeof crash.path);
  backtrace (frames, G_N_ELEMENTS (frames));
  stack_t stack = { .ss_sp = crash.stack, .ss_size = sizeof crash.stack };
  /* run the handler on a separate stack, because after a stack overflow the thread's stack is full */
  sigaltstack (&stack, NULL);
  struct sigaction action = { .sa_handler = caught, .sa_flags = (int) SA_RESETHAND | SA_ONSTACK | SA_NODEFER };
  sigemptyset (&action.sa_mask);
  for (guint i = 0; i < G_N_ELEMENTS (causes); i++)
    sigaction (causes[i].number, &action, NULL);
  g_log_set_writer_func (write_log, NULL, NULL);
}

/* The lock is needed because any thread may log a warning, and warnings are stored as notes. */
void
loom_crash_handler_note (const char *what)
{
  static GMutex lock;
  g_mutex_lock (&lock);
  g_strlcpy (crash.notes[crash.n_notes % N_NOTES], what, NOTE_BYTES);
  crash.n_notes++;
  g_mutex_unlock (&lock);
}

void
loom_crash_handler_set_open (const char *what)
{
  g_strlcpy (crash.open, what, sizeof crash.open);
}

/* --- afterwards --------------------------------------------------------------------------------------------------- */

static gint64
time_of (const char *path)
{
  GStatBuf info;
  return g_stat (path, &info) == 0 ? (gint64) info.st_mtime : -1;
}

/* Returns the path of the newest report, provided that the user has not been offered this report yet. Removes all older
 * reports. */
static char *
find_last (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  char *last = NULL;
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_str_has_suffix (name, TOLD))
      g_unlink (path);
    if (!g_str_has_suffix (name, NEW))
      continue;
    if (last == NULL || time_of (path) > time_of (last)) {
      char *before = last;
      last = g_steal_pointer (&path);
      path = before;
    }
    if (path != NULL)
      g_unlink (path);
  }
  return last;
}

/* Only the first call in a process returns a report; later calls return NULL. The file of the report remains until
 * find_last() removes it at the next start of the program. */
char *
loom_crash_handler_take_last (char **path)
{
  static gboolean is_asked;
  if (is_asked)
    return NULL;
  is_asked = TRUE;
  g_autofree char *folder = dup_folder (), *last = find_last (folder), *bytes = NULL;
  gsize n = 0;
  if (last == NULL)
    return NULL;
  *path = g_strconcat (last, TOLD, NULL);
  g_rename (last, *path);
  if (!g_file_get_contents (*path, &bytes, &n, NULL) || n == 0) {
    g_clear_pointer (path, g_free);
    return NULL;
  }
  return g_utf8_make_valid (bytes, (gssize) MIN (n, MOST_BYTES));
}
