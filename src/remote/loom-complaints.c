/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-complaints.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <string.h>
#include <unistd.h>

#define KEPT_BYTES 4096
/* maximum number of bytes that one call of take() reads; a limit is necessary, because a program may write endlessly */
#define TAKEN_BYTES (256u * 1024)
#define TICK_MS 50

void
loom_complaints_begin (LoomComplaints *complaints, GSubprocess *process)
{
  loom_complaints_clear (complaints);
  complaints->fd = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stderr_pipe (process)));
  complaints->last = g_string_new (NULL);
  fcntl (complaints->fd, F_SETFL, fcntl (complaints->fd, F_GETFL) | O_NONBLOCK);
}

void
loom_complaints_clear (LoomComplaints *complaints)
{
  if (complaints->last != NULL)
    g_string_free (complaints->last, TRUE);
  *complaints = (LoomComplaints) LOOM_COMPLAINTS_INIT;
}

static void
add (LoomComplaints *complaints, const char *bytes, gsize n_bytes)
{
  GString *last = complaints->last;
  complaints->n_bytes += n_bytes;
  g_string_append_len (last, bytes, (gssize) n_bytes);
  if (last->len > KEPT_BYTES)
    g_string_erase (last, 0, (gssize) (last->len - KEPT_BYTES));
}

/* Reads the bytes that are in the pipe now; does not wait for more. */
static void
take (LoomComplaints *complaints)
{
  char bytes[KEPT_BYTES];
  for (gsize n_taken = 0; complaints->fd >= 0 && n_taken < TAKEN_BYTES;) {
    gssize n = read (complaints->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EAGAIN)
      return;
    if (n == 0 || (n < 0 && errno != EINTR))
      complaints->fd = -1;
    if (n > 0)
      add (complaints, bytes, (gsize) n);
    n_taken += (gsize) MAX (n, 0);
  }
}

/* Returns the time in ms, rounded up, that remains until `end_us`; −1 if `end_us` is −1, that is, if there is no
 * limit. */
static gint
get_rest_ms (gint64 end_us)
{
  gint64 rest_us = end_us - g_get_monotonic_time ();
  return end_us < 0 ? -1 : (gint) CLAMP ((rest_us + 999) / 1000, 0, G_MAXINT);
}

gboolean
loom_complaints_wait (LoomComplaints *complaints, int fd, gint64 end_us, guint64 most_bytes, GCancellable *cancellable,
                      GError **error)
{
  GPollFD polled[3] = { { .fd = fd, .events = G_IO_IN }, { .events = G_IO_IN } };
  gboolean has_cancel = cancellable != NULL && g_cancellable_make_pollfd (cancellable, &polled[2]), good = FALSE,
           goes_on = TRUE;
  while (goes_on && !good) {
    polled[1].fd = complaints->fd;
    gint rest_ms = get_rest_ms (end_us);
    int n_ready = g_poll (polled, has_cancel ? 3 : 2, rest_ms);
    /* `good` is also FALSE if a signal interrupted the wait; the loop then waits again */
    good = n_ready > 0 && polled[0].revents != 0;
    if (n_ready > 0 && polled[1].revents != 0)
      take (complaints);
    goes_on = rest_ms != 0 && complaints->n_bytes <= most_bytes && !g_cancellable_is_cancelled (cancellable);
  }
  if (has_cancel)
    g_cancellable_release_fd (cancellable);
  return !g_cancellable_set_error_if_cancelled (cancellable, error) && good;
}

void
loom_complaints_wait_end (LoomComplaints *complaints, GSubprocess *process)
{
  while (complaints->fd >= 0 && g_subprocess_get_identifier (process) != NULL) {
    GPollFD polled = { .fd = complaints->fd, .events = G_IO_IN };
    /* waits at most TICK_MS: if the program has child processes, the pipe may stay open after the program has ended */
    g_poll (&polled, 1, TICK_MS);
    take (complaints);
  }
  g_subprocess_wait (process, NULL, NULL);
}

char *
loom_complaints_dup_last (LoomComplaints *complaints)
{
  take (complaints);
  if (complaints->last == NULL)
    return NULL;
  g_autofree char *text = g_utf8_make_valid (complaints->last->str, (gssize) complaints->last->len);
  g_strchomp (text);
  const char *line = strrchr (text, '\n');
  line = line != NULL ? line + 1 : text;
  return line[0] != '\0' ? g_strdup (line) : NULL;
}
