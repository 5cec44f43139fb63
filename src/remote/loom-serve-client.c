/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-serve-client.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "loom-complaints.h"
#include "loom-error.h"
#include "loom-limits.h"
#include "loom-remote-range.h"
#include "loom-serve-frame.h"
#include "loom-subprocess.h"

#define RECEIVE_BYTES (256u * 1024)
/* Minimum and maximum number of bytes per request. The first request at an offset is small, because the client may need
 * only a few bytes. A request that begins where the previous one ended is for twice as many bytes. */
#define LEAST_BYTES (32u * 1024)
#define MOST_BYTES LOOM_SERVE_FRAME_BODY_BYTES
#define END_MS 500 /* time in ms that a program has to end after SIGTERM */
/* More than this number of bytes of a frame must arrive in each period of LOOM_LIMIT_ANSWER_SECONDS. Over a slow
 * connection, a frame may take several periods; a frame of the maximum length takes at most 33 periods. */
#define LEAST_PROGRESS_BYTES (32u * 1024)
/* A program that writes more than this number of bytes to standard error before it sends its greeting is terminated. */
#define MOST_COMPLAINTS_BYTES (1024u * 1024)

struct _LoomServeClient {
  gatomicrefcount refs;
  char **argv;
  /* the location whose files are read with loom_remote_range_open(); NULL: files are read through a command */
  LoomRemoteLocation *location;
  GMutex lock; /* protects the members below */
  /* number of leading folders that were omitted from the path of the last file that was found. loom_remote_range_open()
   * first tries to omit the same number from the path of the next file. */
  guint n_dropped;
  GSubprocess *process; /* the running program; NULL: it is not running */
  LoomServeParser *parser;
  LoomComplaints complaints;
  /* Number of times that the program was started. A file that was opened before the last start must be opened again */
  guint run;
  gint64 id;       /* id of the request that was sent last */
  gint64 answered; /* id of the last request that was answered since the program was last started */
  guint64 n_received;
  /* Time of the monotonic clock, in µs, by which more than LEAST_PROGRESS_BYTES must have been received. −1: there is
   * no limit, because the program has sent nothing yet, and may be asking the user for a password. */
  gint64 end_us;
  guint64 n_window; /* number of bytes received since `end_us` was set */
  char *host;       /* name of the machine on which the program runs, from its greeting; NULL: unknown */
};

LoomServeClient *
loom_serve_client_new (const char *command, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (LoomRemoteLocation) location = NULL;
  char **argv = NULL;
  gboolean is_location = loom_remote_location_is_remote (command);
  if (is_location && (location = loom_remote_location_new (command, error)) == NULL)
    return NULL;
  if (!is_location && !g_shell_parse_argv (command, NULL, &argv, &problem)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s” is not a command: %s"), command, problem->message);
    return NULL;
  }
  LoomServeClient *self = g_new0 (LoomServeClient, 1);
  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  self->argv = argv;
  self->location = g_steal_pointer (&location);
  self->complaints = (LoomComplaints) LOOM_COMPLAINTS_INIT;
  return self;
}

/* --- starting, ending and talking to the program ------------------------------------------------------------------ */

/* Ends the program. First closes its standard input, which makes the program and its child processes end. Then sends
 * SIGTERM, and waits up to END_MS, so that the program can restore the settings of the terminal. Finally kills it. */
static void
end_process (GSubprocess *process)
{
  GInputStream *output = g_subprocess_get_stdout_pipe (process);
  GPollFD hung_up = { .fd = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (output)) };
  g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
  g_subprocess_send_signal (process, SIGTERM);
  g_poll (&hung_up, 1, END_MS);
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
}

static void
stop (LoomServeClient *self)
{
  if (self->process == NULL)
    return;
  end_process (self->process);
  loom_complaints_clear (&self->complaints);
  g_clear_object (&self->process);
  g_clear_pointer (&self->parser, loom_serve_frame_parser_free);
  g_clear_pointer (&self->host, g_free);
}

LoomServeClient *
loom_serve_client_ref (LoomServeClient *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
loom_serve_client_unref (LoomServeClient *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  stop (self);
  g_mutex_clear (&self->lock);
  g_strfreev (self->argv);
  loom_remote_location_free (self->location);
  g_free (self);
}

/* Sets an error with the reason why the program stopped sending. Ends the program. Returns FALSE. */
static gboolean
fail (LoomServeClient *self, GError **error)
{
  g_autofree char *complaint = loom_complaints_dup_last (&self->complaints);
  if (complaint != NULL)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ,
                 /* Translators: the name of a command, and the last line of its error output */
                 _ ("%s reports: %s"), self->argv[0], complaint);
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s ended before it answered"), self->argv[0]);
  stop (self);
  return FALSE;
}

static gboolean
fail_format (LoomServeClient *self, GError *problem, GError **error)
{
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
               /* Translators: %s is a command such as “ssh”, then the reason */
               _ ("%s cannot be used: %s"), self->argv[0],
               problem != NULL ? problem->message : _ ("the answer does not match the request"));
  g_clear_error (&problem);
  stop (self);
  return FALSE;
}

/* Starts a new period in which LEAST_PROGRESS_BYTES must be received. */
static void
renew_patience (LoomServeClient *self)
{
  self->end_us = g_get_monotonic_time () + (gint64) loom_limit (LOOM_LIMIT_ANSWER_SECONDS) * G_USEC_PER_SEC;
  self->n_window = 0;
}

static void
set_timed_out (const LoomServeClient *self, GError **error)
{
  guint seconds = (guint) loom_limit (LOOM_LIMIT_ANSWER_SECONDS);
  g_autofree char *size = g_format_size (self->n_window);
  if (self->n_window == 0)
    g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
      ngettext ("the command sent nothing for %u second", "the command sent nothing for %u seconds", seconds), seconds);
  else
    g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
      /* Translators: %s is a size. */
      ngettext ("the command sent only %2$s in %1$u second", "the command sent only %2$s in %1$u seconds", seconds),
      seconds, size);
}

/* Receives some bytes and returns their number; returns 0 if the program has ended its output. Returns −1 with
 * G_IO_ERROR_TIMED_OUT if the program sends too slowly, or with another error. */
static gssize
receive_some (LoomServeClient *self, void *bytes, gsize n_bytes, GCancellable *cancellable, GError **error)
{
  GInputStream *output = g_subprocess_get_stdout_pipe (self->process);
  guint64 most_bytes = self->end_us < 0 ? MOST_COMPLAINTS_BYTES : G_MAXUINT64;
  GError *problem = NULL;
  gboolean is_there =
    loom_complaints_wait (&self->complaints, g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (output)), self->end_us,
                          most_bytes, cancellable, &problem);
  if (!is_there && problem == NULL && self->end_us < 0)
    return 0; /* not an error here: fail() reports the last line that the program wrote to standard error */
  if (!is_there && problem == NULL)
    set_timed_out (self, &problem);
  if (problem != NULL) {
    g_propagate_error (error, problem);
    return -1;
  }
  gssize n = g_input_stream_read (output, bytes, n_bytes, cancellable, error);
  self->n_received += (guint64) MAX (n, 0);
  self->n_window += (guint64) MAX (n, 0);
  if (self->end_us < 0 || self->n_window > LEAST_PROGRESS_BYTES)
    renew_patience (self);
  return n;
}

/* Receives one frame. When cancelled, the received part of the frame stays in the parser, and the next call continues
 * with the rest of the frame. */
static gboolean
receive (LoomServeClient *self, LoomServeFrame *frame, GCancellable *cancellable, GError **error)
{
  g_autofree char *bytes = g_malloc (RECEIVE_BYTES);
  GError *problem = NULL;
  if (self->end_us >= 0)
    renew_patience (self);
  while (!loom_serve_frame_parser_next (self->parser, frame, &problem)) {
    if (problem != NULL)
      return fail_format (self, problem, error);
    gssize n = receive_some (self, bytes, RECEIVE_BYTES, cancellable, &problem);
    if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
      g_propagate_error (error, problem);
      return FALSE;
    }
    if (g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
      return fail_format (self, problem, error);
    g_clear_error (&problem);
    if (n <= 0)
      return fail (self, error);
    loom_serve_frame_parser_add (self->parser, bytes, (gsize) n);
  }
  return TRUE;
}

/* Writes to the input of a program that may have ended. Blocks the signal SIGPIPE, because it would end this
 * process. */
static gssize
write_quietly (int fd, const void *bytes, gsize n_bytes)
{
  sigset_t pipe_signal, before, pending;
  const struct timespec at_once = { 0, 0 };
  sigemptyset (&pipe_signal);
  sigaddset (&pipe_signal, SIGPIPE);
  sigpending (&pending);
  pthread_sigmask (SIG_BLOCK, &pipe_signal, &before);
  gssize n = write (fd, bytes, n_bytes);
  if (n < 0 && errno == EPIPE && !sigismember (&pending, SIGPIPE))
    sigtimedwait (&pipe_signal, NULL, &at_once);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return n;
}

/* Sends a request, and returns before it is answered. Blocks only if the program at the other end does not read: a
 * request has at most 8 KiB, and the pipe holds 64 KiB. */
static gboolean
send_request (LoomServeClient *self, const char *head, const char *body, GError **error)
{
  g_autoptr (GByteArray) frame = g_byte_array_new ();
  int fd = g_unix_output_stream_get_fd (G_UNIX_OUTPUT_STREAM (g_subprocess_get_stdin_pipe (self->process)));
  loom_serve_frame_append (frame, head, body, body != NULL ? strlen (body) : 0);
  return write_quietly (fd, frame->data, frame->len) == (gssize) frame->len || fail (self, error);
}

static gboolean
spawn (LoomServeClient *self, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = loom_subprocess_new_launcher (
    G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) problem = NULL;
  self->process = g_subprocess_launcher_spawnv (launcher, (const char *const *) self->argv, &problem);
  if (self->process == NULL) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s cannot be started: %s"), self->argv[0], problem->message);
    return FALSE;
  }
  self->parser = loom_serve_frame_parser_new (LOOM_SERVE_FRAME_BODY_BYTES);
  loom_complaints_begin (&self->complaints, self->process);
  self->end_us = -1;
  self->answered = self->id;
  self->run++;
  int fd = g_unix_output_stream_get_fd (G_UNIX_OUTPUT_STREAM (g_subprocess_get_stdin_pipe (self->process)));
  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
  return TRUE;
}

/* Starts the program if it isn't running, and reads its greeting. */
static gboolean
start (LoomServeClient *self, GCancellable *cancellable, GError **error)
{
  g_auto (LoomServeFrame) frame = { 0 };
  if (self->host != NULL)
    return TRUE;
  if ((self->process == NULL && !spawn (self, error)) || !receive (self, &frame, cancellable, error))
    return FALSE;
  gint64 protocol = loom_serve_frame_get_number (&frame, "protocol");
  self->host = loom_serve_frame_dup_text (&frame, "host");
  if (self->host != NULL && protocol == LOOM_SERVE_FRAME_PROTOCOL)
    return TRUE;
  if (self->host == NULL || protocol < 0)
    return fail_format (self, loom_serve_frame_new_error (frame.head, frame.n_head), error);
  return fail_format (
    self,
    g_error_new_literal (
      LOOM_ERROR, LOOM_ERROR_FORMAT,
      _ ("the command uses the protocol of another version of Traceloom; install the same version on both machines")),
    error);
}

/* Sends a request to close a file. Called when the file's LoomByteSource is freed, or if the request that opened the
 * file was cancelled. A later call of receive_answer() skips the answer. */
static gboolean
send_close (LoomServeClient *self, gint64 file, GError **error)
{
  g_autofree char *head = g_strdup_printf (
    "{\"id\":%" G_GINT64_FORMAT ",\"request\":\"close\",\"file\":%" G_GINT64_FORMAT "}", ++self->id, file);
  return send_request (self, head, NULL, error);
}

/* Receives the answer to the last request. Before this answer, receives and skips the answers to cancelled requests.
 * Each request has one answer, in the order of the requests. Any other answer is an error; otherwise a program could
 * send endless answers that are all skipped. */
static gboolean
receive_answer (LoomServeClient *self, LoomServeFrame *answer, GCancellable *cancellable, GError **error)
{
  gint64 wanted = self->id;
  while (receive (self, answer, cancellable, error)) {
    gint64 id = loom_serve_frame_get_number (answer, "id"), file = loom_serve_frame_get_number (answer, "file");
    if (id != self->answered + 1)
      return fail_format (self, NULL, error);
    self->answered = id;
    if (id == wanted)
      return TRUE;
    loom_serve_frame_clear (answer);
    if (file >= 0 && !send_close (self, file, error))
      return FALSE;
  }
  return FALSE;
}

/* Sets an error and returns FALSE if the answer refuses the request. */
static gboolean
check_answer (const LoomServeClient *self, const LoomServeFrame *answer, const char *path, GError **error)
{
  g_autofree char *code = loom_serve_frame_dup_text (answer, "error"),
                  *words = loom_serve_frame_dup_text (answer, "message");
  if (code == NULL)
    return TRUE;
  if (strcmp (code, "missing") == 0)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ,
                 /* Translators: the path of a file, and the name of a host */
                 _ ("“%s” is not on %s"), path, self->host);
  else if (strcmp (code, "archive") == 0)
    loom_raw_file_set_archive_error (path, error);
  else if (strcmp (code, "refused") == 0)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” is not among the files that %s serves"), path,
                 self->host);
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("Cannot read “%s”: %s"), path, words != NULL ? words : code);
  return FALSE;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomByteSource base;
  LoomServeClient *client;
  GCancellable *cancellable; /* cancels reads of the file; owned, or NULL */
  char *path;
  guint run;
  gint64 file;
  guint64 n_bytes;
  GMutex lock; /* protects the members below */
  guint64 offset;
  guint8 *bytes; /* the bytes of the file that were read last; the first one is at `offset` */
  gsize length, ask_bytes;
} ServedFile;

static gboolean
ask (ServedFile *file, guint64 offset, gsize n_bytes, LoomServeFrame *answer, GError **error)
{
  LoomServeClient *client = file->client;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&client->lock);
  if (client->process == NULL || file->run != client->run) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("%s ended before it answered"), client->argv[0]);
    return FALSE;
  }
  g_autofree char *head =
    g_strdup_printf ("{\"id\":%" G_GINT64_FORMAT ",\"request\":\"read\",\"file\":%" G_GINT64_FORMAT
                     ",\"offset\":%" G_GUINT64_FORMAT ",\"bytes\":%zu}",
                     ++client->id, file->file, offset, n_bytes);
  if (!send_request (client, head, NULL, error) || !receive_answer (client, answer, file->cancellable, error) ||
      !check_answer (client, answer, file->path, error))
    return FALSE;
  return answer->n_body <= n_bytes || fail_format (client, NULL, error);
}

/* Reads bytes of the file, from `offset` on. If `offset` is where the previous request ended, requests twice as many
 * bytes as that request. */
static gboolean
fetch (ServedFile *file, guint64 offset, gsize n_bytes, GError **error)
{
  g_auto (LoomServeFrame) answer = { 0 };
  gboolean goes_on = file->bytes != NULL && offset == file->offset + file->length;
  file->ask_bytes = goes_on ? MIN (2 * file->ask_bytes, MOST_BYTES) : LEAST_BYTES;
  n_bytes = (gsize) MIN (CLAMP (n_bytes, file->ask_bytes, MOST_BYTES), file->n_bytes - offset);
  if (!ask (file, offset, n_bytes, &answer, error))
    return FALSE;
  if (answer.n_body < n_bytes) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” ended early while it was read"), file->path);
    return FALSE;
  }
  g_free (file->bytes);
  file->bytes = g_steal_pointer (&answer.body);
  file->offset = offset;
  file->length = n_bytes;
  return TRUE;
}

static gssize
served_file_read (LoomByteSource *base, guint64 offset, void *buffer, gsize n_bytes, GError **error)
{
  ServedFile *file = (ServedFile *) base;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&file->lock);
  if (offset >= file->n_bytes || n_bytes == 0)
    return 0;
  gboolean is_held = file->bytes != NULL && offset >= file->offset && offset - file->offset < file->length;
  if (!is_held && !fetch (file, offset, n_bytes, error))
    return -1;
  gsize at = (gsize) (offset - file->offset);
  n_bytes = MIN (n_bytes, file->length - at);
  memcpy (buffer, file->bytes + at, n_bytes);
  return (gssize) n_bytes;
}

static void
close_file (ServedFile *file)
{
  LoomServeClient *client = file->client;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&client->lock);
  if (client->process != NULL && file->run == client->run)
    send_close (client, file->file, NULL);
}

static void
served_file_finalize (LoomByteSource *base)
{
  ServedFile *file = (ServedFile *) base;
  close_file (file);
  loom_serve_client_unref (file->client);
  g_clear_object (&file->cancellable);
  g_mutex_clear (&file->lock);
  g_free (file->path);
  g_free (file->bytes);
}

static LoomByteSource *
new_served_file (LoomServeClient *client, const char *path, GCancellable *cancellable, const LoomServeFrame *answer)
{
  static const LoomByteSourceClass klass = { served_file_read, served_file_finalize };
  ServedFile *file = (ServedFile *) loom_byte_source_alloc (&klass, sizeof (ServedFile));
  file->client = loom_serve_client_ref (client);
  g_set_object (&file->cancellable, cancellable);
  file->path = g_strdup (path);
  file->run = client->run;
  file->file = loom_serve_frame_get_number (answer, "file");
  file->n_bytes = (guint64) loom_serve_frame_get_number (answer, "bytes");
  g_mutex_init (&file->lock);
  return &file->base;
}

static gboolean
take_file (LoomServeClient *self, const char *path, GCancellable *cancellable, const LoomServeFrame *answer,
           LoomRawFile *file, GError **error)
{
  gint64 n_bytes = loom_serve_frame_get_number (answer, "bytes"),
         modified_s = loom_serve_frame_get_number (answer, "modified_s"),
         modified_us = loom_serve_frame_get_number (answer, "modified_us");
  if (n_bytes < 0 || modified_s < 0 || modified_us < 0 || modified_us >= G_USEC_PER_SEC ||
      loom_serve_frame_get_number (answer, "file") < 0)
    return fail_format (self, NULL, error);
  *file = (LoomRawFile) { .bytes = new_served_file (self, path, cancellable, answer),
                          .n_bytes = (guint64) n_bytes,
                          .modified_s = modified_s,
                          .modified_us = (guint32) modified_us };
  return TRUE;
}

gboolean
loom_serve_client_open (gpointer reach, const char *host, const char *path, GCancellable *cancellable,
                        LoomRawFile *file, GError **error)
{
  LoomServeClient *self = reach;
  g_auto (LoomServeFrame) answer = { 0 };
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  if (self->location != NULL)
    return loom_remote_range_open (self->location, path, &self->n_dropped, cancellable, file, error);
  if (!start (self, cancellable, error))
    return FALSE;
  if (strlen (path) > LOOM_SERVE_FRAME_PATH_BYTES) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” is not on %s"), path, self->host);
    return FALSE;
  }
  g_autofree char *head = g_strdup_printf ("{\"id\":%" G_GINT64_FORMAT ",\"request\":\"open\"}", ++self->id);
  return send_request (self, head, path, error) && receive_answer (self, &answer, cancellable, error) &&
         check_answer (self, &answer, path, error) && take_file (self, path, cancellable, &answer, file, error);
}

guint64
loom_serve_client_count_received (LoomServeClient *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  return self->n_received;
}
