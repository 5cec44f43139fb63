/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli serve`: answers requests for parts of files over standard input and output, until the
 * input ends. The requests come from a Traceloom on another machine. That Traceloom starts this command on the machine
 * with the files, usually through ssh, so neither a daemon nor an open port is needed. src/remote/README.md describes
 * the protocol.
 */
#include <errno.h>
#include <glib/gi18n.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "loom-cli.h"
#include "loom-disk-space.h"
#include "loom-serve-files.h"

#define READ_BYTES 65536
#define TICK_MS 200

typedef struct {
  LoomServeFiles *files;
  LoomServeParser *parser;
  GByteArray *out;
  GCancellable *cancellable; /* cancelled when a signal ends the program */
} Service;

/* Waits until the file descriptor is ready. Returns FALSE if the service was cancelled during the wait: the wait must
 * end then, because the descriptor may never become ready. */
static gboolean
wait_for (const Service *service, int fd, short events)
{
  struct pollfd polled = { fd, events, 0 };
  while (poll (&polled, 1, TICK_MS) <= 0)
    if (g_cancellable_is_cancelled (service->cancellable))
      return FALSE;
  return !g_cancellable_is_cancelled (service->cancellable);
}

/* Writes `out` to standard output and empties it. Returns FALSE if the reader of the pipe has closed it. Writes at
 * most PIPE_BUF bytes at a time, because a pipe that is ready accepts that many bytes without blocking. */
static gboolean
flush (Service *service)
{
  gboolean good = TRUE;
  for (guint at = 0; good && at < service->out->len; at += PIPE_BUF)
    good = wait_for (service, STDOUT_FILENO, POLLOUT) &&
           loom_disk_space_write (STDOUT_FILENO, service->out->data + at, MIN (service->out->len - at, PIPE_BUF));
  g_byte_array_set_size (service->out, 0);
  return good;
}

/* Answers all requests that have been received completely. Returns FALSE if no more requests can be answered, otherwise
 * TRUE. If the received bytes are not a request, sets `error` and returns FALSE. */
static gboolean
answer_all (Service *service, GError **error)
{
  GError *problem = NULL;
  gboolean good = TRUE;
  g_auto (LoomServeFrame) request = { 0 };
  while (good && loom_serve_frame_parser_next (service->parser, &request, &problem)) {
    loom_serve_files_answer (service->files, &request, service->out);
    loom_serve_frame_clear (&request);
    good = flush (service);
  }
  if (problem != NULL)
    g_propagate_error (error, problem);
  return good && problem == NULL;
}

/* Reads available bytes of requests. Returns FALSE at the end of the input, or if the service was cancelled. */
static gboolean
read_some (Service *service)
{
  char bytes[READ_BYTES];
  if (!wait_for (service, STDIN_FILENO, POLLIN))
    return FALSE;
  gssize n = read (STDIN_FILENO, bytes, sizeof bytes);
  if (n > 0)
    loom_serve_frame_parser_add (service->parser, bytes, (gsize) n);
  return n > 0 || (n < 0 && errno == EINTR);
}

static gboolean
run_service (Service *service, GError **error)
{
  loom_serve_files_greet (service->out);
  if (!flush (service))
    return TRUE;
  while (read_some (service))
    if (!answer_all (service, error))
      break;
  return *error == NULL;
}

static LoomExitStatus
serve (const char *const *paths)
{
  GError *error = NULL;
  LoomCliWatch *watch = loom_cli_watch_start (FALSE);
  Service service = { .files = loom_serve_files_new (paths, &error),
                      .parser = loom_serve_frame_parser_new (LOOM_SERVE_FRAME_PATH_BYTES),
                      .out = g_byte_array_new (),
                      .cancellable = loom_progress_get_cancellable (loom_cli_watch_begin (watch, "Serving")) };
  gboolean good = service.files != NULL && run_service (&service, &error);
  if (!good)
    loom_cli_message_failure (error, error->message);
  g_clear_error (&error);
  g_clear_pointer (&service.files, loom_serve_files_free);
  loom_serve_frame_parser_free (service.parser);
  g_byte_array_unref (service.out);
  loom_cli_watch_stop (watch);
  return good ? LOOM_EXIT_STATUS_DONE : LOOM_EXIT_STATUS_FAILED;
}

LoomExitStatus
loom_cli_serve (int argc, char **argv)
{
  gboolean over_stdio = FALSE;
  g_auto (GStrv) paths = NULL;
  const GOptionEntry entries[] = {
    { "stdio", 0, 0, G_OPTION_ARG_NONE, &over_stdio,
      N_ ("Read requests from standard input until it ends, and write answers to standard output"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, NULL, "PATH…" },
    { NULL }
  };
  if (
    !loom_cli_options_parse_entries (
      "serve", "--stdio PATH…",
      N_ (
        "Sends parts of the traces in PATH to Traceloom on another machine. That machine starts this command, usually with ssh."),
      entries, NULL, argc, argv))
    return LOOM_EXIT_STATUS_USAGE;
  if (!over_stdio || paths == NULL) {
    loom_cli_usage_error ("serve", over_stdio ? "a file or folder is missing" : "--stdio is missing");
    return LOOM_EXIT_STATUS_USAGE;
  }
  return serve ((const char *const *) paths);
}
