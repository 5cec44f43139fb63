/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli mcp`: an assistant (a language model) queries the run. Messages of the Model Context
 * Protocol are exchanged over standard input and output, one message per line. A second thread reads the lines, so that
 * a request can be cancelled while it is being answered. This thread also cancels requests that take longer than
 * LOOM_MCP_SERVER_CALL_SECONDS.
 */
#include <errno.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loom-cli.h"
#include "loom-mcp-server.h"

#define TICK_MS 200
#define READ_BYTES 65536
/* Maximum number of requests in the queue. If it is full, the program stops reading input, so that the client must
 * wait. */
#define MOST_LINES 64

typedef struct {
  char *text; /* text of the request; NULL if the line was too long */
  gsize length;
  char *id;              /* id of the request, as JSON; NULL if the line is not a request */
  gboolean is_cancelled; /* protected by the lock of the channel */
  GCancellable *cancellable;
} Line;

typedef struct {
  GMutex lock; /* protects the members from `lines` to `is_closed` */
  GCond changed;
  GQueue lines; /* Line *: requests to answer, oldest first */
  Line *current;
  gint64 until_us; /* monotonic time, in µs, at which `current` is cancelled if it has not been answered */
  gboolean has_ended;
  gboolean is_closed; /* TRUE if no more requests are answered */
  /* The members below are used only by the thread that reads lines. */
  GCancellable *program; /* cancelled when a signal ends the program */
  GByteArray *part;      /* the bytes of the current line that have been read */
  gboolean is_skipping;  /* TRUE if the current line is too long, so that the rest of it is skipped */
} Channel;

/* --- lines -------------------------------------------------------------------------------------------------------- */

static void
free_line (Line *line)
{
  g_free (line->text);
  g_free (line->id);
  g_object_unref (line->cancellable);
  g_free (line);
}

static void
push_line (Channel *channel, const char *text, gsize length)
{
  Line *line = g_new0 (Line, 1);
  line->text = text != NULL ? g_strndup (text, length) : NULL;
  line->length = length;
  line->id = text != NULL ? loom_mcp_server_dup_id (text, length) : NULL;
  line->cancellable = g_cancellable_new ();
  g_mutex_lock (&channel->lock);
  g_queue_push_tail (&channel->lines, line);
  g_cond_signal (&channel->changed);
  g_mutex_unlock (&channel->lock);
}

static void
cancel_line (Channel *channel, Line *line, const char *id)
{
  if (line != NULL && g_strcmp0 (line->id, id) == 0) {
    line->is_cancelled = TRUE;
    g_cancellable_cancel (line->cancellable);
  }
}

static void
take_line (Channel *channel, const char *text, gsize length)
{
  g_autofree char *cancelled = loom_mcp_server_dup_cancelled_id (text, length);
  if (cancelled == NULL) {
    push_line (channel, text, length);
    return;
  }
  g_mutex_lock (&channel->lock);
  cancel_line (channel, channel->current, cancelled);
  for (GList *item = channel->lines.head; item != NULL; item = item->next)
    cancel_line (channel, item->data, cancelled);
  g_mutex_unlock (&channel->lock);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static void
end_line (Channel *channel)
{
  if (channel->is_skipping)
    push_line (channel, NULL, 0);
  else
    take_line (channel, (const char *) channel->part->data, channel->part->len);
  channel->is_skipping = FALSE;
  g_byte_array_set_size (channel->part, 0);
}

static void
take_bytes (Channel *channel, const char *bytes, gsize n)
{
  while (n > 0) {
    const char *end = memchr (bytes, '\n', n);
    gsize length = end != NULL ? (gsize) (end - bytes) : n;
    channel->is_skipping |= channel->part->len + length > LOOM_MCP_SERVER_LINE_BYTES;
    if (!channel->is_skipping)
      g_byte_array_append (channel->part, (const guint8 *) bytes, (guint) length);
    if (end == NULL)
      return;
    end_line (channel);
    bytes = end + 1;
    n -= length + 1;
  }
}

/* Cancels the current request if it takes too long, or if the program must end. If the program must end, also sets
 * `has_ended`. Returns TRUE if the queue has space for more lines, otherwise FALSE. */
static gboolean
look_around (Channel *channel)
{
  g_mutex_lock (&channel->lock);
  if (g_cancellable_is_cancelled (channel->program))
    channel->has_ended = TRUE;
  if (channel->current != NULL &&
      (g_cancellable_is_cancelled (channel->program) || g_get_monotonic_time () > channel->until_us))
    g_cancellable_cancel (channel->current->cancellable);
  gboolean has_room = g_queue_get_length (&channel->lines) < MOST_LINES;
  g_mutex_unlock (&channel->lock);
  return has_room;
}

/* Reads available bytes from standard input. Returns FALSE at the end of the input. */
static gboolean
read_some (Channel *channel)
{
  char bytes[READ_BYTES];
  struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
  if (!look_around (channel)) {
    g_usleep (TICK_MS * 1000);
    return TRUE;
  }
  if (poll (&input, 1, TICK_MS) <= 0)
    return TRUE;
  gssize n = read (STDIN_FILENO, bytes, sizeof bytes);
  if (n > 0)
    take_bytes (channel, bytes, (gsize) n);
  return n > 0 || (n < 0 && errno == EINTR);
}

static gpointer
read_lines (gpointer data)
{
  Channel *channel = data;
  while (!g_cancellable_is_cancelled (channel->program) && read_some (channel))
    ;
  if (channel->part->len > 0 || channel->is_skipping)
    end_line (channel);
  g_mutex_lock (&channel->lock);
  channel->has_ended = TRUE;
  g_cond_signal (&channel->changed);
  g_mutex_unlock (&channel->lock);
  /* the input has ended; wait until all requests in the queue are answered, and cancel those that take too long */
  for (gboolean more = TRUE; more;) {
    look_around (channel);
    g_usleep (TICK_MS * 1000);
    g_mutex_lock (&channel->lock);
    more = !channel->is_closed && (channel->current != NULL || !g_queue_is_empty (&channel->lines));
    g_mutex_unlock (&channel->lock);
  }
  return NULL;
}

/* --- answering ---------------------------------------------------------------------------------------------------- */

/* Returns the next line of the queue; waits until there is one. Returns NULL at the end of the input. Owned by the
 * caller. */
static Line *
pop_line (Channel *channel)
{
  g_mutex_lock (&channel->lock);
  channel->current = NULL;
  while (g_queue_is_empty (&channel->lines) && !channel->has_ended)
    g_cond_wait (&channel->changed, &channel->lock);
  if (!g_cancellable_is_cancelled (channel->program))
    channel->current = g_queue_pop_head (&channel->lines);
  channel->until_us = g_get_monotonic_time () + LOOM_MCP_SERVER_CALL_SECONDS * G_USEC_PER_SEC;
  Line *line = channel->current;
  g_mutex_unlock (&channel->lock);
  return line;
}

/* Returns TRUE if the thread that reads lines has cancelled this line. This may happen even while the line is being
 * answered. */
static gboolean
is_cancelled (Channel *channel, const Line *line)
{
  g_mutex_lock (&channel->lock);
  gboolean cancelled = line->is_cancelled;
  g_mutex_unlock (&channel->lock);
  return cancelled;
}

/* Answers a line, unless it is a request that was cancelled. Returns FALSE if standard output is closed. */
static gboolean
answer_line (Channel *channel, LoomMcpTools *tools, const Line *line)
{
  g_autofree char *answer = is_cancelled (channel, line) ? NULL
                            : line->text == NULL
                              ? loom_mcp_server_refuse_line ()
                              : loom_mcp_server_answer (tools, line->text, line->length, line->cancellable);
  if (answer == NULL || is_cancelled (channel, line))
    return TRUE;
  return fputs (answer, stdout) >= 0 && fputc ('\n', stdout) != EOF && fflush (stdout) == 0;
}

static void
answer_lines (Channel *channel, LoomMcpTools *tools)
{
  Line *line;
  gboolean good = TRUE;
  while (good && (line = pop_line (channel)) != NULL) {
    good = answer_line (channel, tools, line);
    g_mutex_lock (&channel->lock);
    channel->current = NULL;
    g_mutex_unlock (&channel->lock);
    free_line (line);
  }
  g_mutex_lock (&channel->lock);
  channel->current = NULL;
  channel->is_closed = TRUE;
  while ((line = g_queue_pop_head (&channel->lines)) != NULL)
    free_line (line);
  g_mutex_unlock (&channel->lock);
  if (!good)
    g_cancellable_cancel (channel->program);
}

static LoomExitStatus
serve (LoomCliJob *job, gpointer own)
{
  Channel channel = { .program = loom_progress_get_cancellable (loom_cli_watch_begin (job->watch, "Serving")) };
  g_autoptr (LoomMcpTools) tools = loom_mcp_tools_new (job->timeline, job->edits);
  g_mutex_init (&channel.lock);
  g_cond_init (&channel.changed);
  g_queue_init (&channel.lines);
  channel.part = g_byte_array_new ();
  GThread *thread = g_thread_new ("mcp-reader", read_lines, &channel);
  answer_lines (&channel, tools);
  g_thread_join (thread);
  for (Line *line; (line = g_queue_pop_head (&channel.lines)) != NULL;)
    free_line (line);
  g_byte_array_unref (channel.part);
  g_cond_clear (&channel.changed);
  g_mutex_clear (&channel.lock);
  return LOOM_EXIT_STATUS_DONE;
}

LoomExitStatus
loom_cli_mcp (int argc, char **argv)
{
  static const LoomCliVerb verb = { NULL,
                                    N_ ("Answers an assistant’s questions about the run (Model Context Protocol)."),
                                    FALSE, NULL, serve };
  LoomCliJob job = { 0 };
  return loom_cli_job_run (&job, &verb, NULL, NULL, argc, argv);
}
