/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the server of the Model Context Protocol over a small run. The input is lines of the protocol; every answer is
 * one line of strict JSON of bounded size that repeats the id of its request. A second thread stops calls that run
 * longer than PATIENCE_US.
 */
#include "fuzz.h"

#include <string.h>

#include "job-run.h"
#include "loom-json-slice.h"
#include "loom-mcp-server.h"

#define PATIENCE_US (100 * 1000)

/* Maximum size of an answer: quotes are escaped up to three times, and a batch has fifty answers. Pictures have the
 * same limit as texts. */
#define MOST_BYTES (50 * 4 * (gsize) LOOM_MCP_TOOLS_TEXT_BYTES)

static LoomMcpTools *
new_tools (void)
{
  JobRank rank = job_rank_begin (0, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 20; i++) {
    job_rank_step (&rank, "step", i * 1000, i * 1000 + 900);
    job_rank_work (&rank, "kernel", i * 1000 + 50, i * 1000 + 500);
    job_rank_mark (&rank, "mark", i * 1000 + 7);
  }
  LoomTrace *traces[] = { job_rank_end (&rank) };
  g_autoptr (LoomRun) run = job_run_new (traces, 1);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  return loom_mcp_tools_new (timeline, NULL);
}

typedef struct {
  GMutex lock;
  GCond changed;
  gboolean done;
  GCancellable *cancellable;
} Watch;

static gpointer
watch_call (gpointer data)
{
  Watch *watch = data;
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  g_mutex_lock (&watch->lock);
  while (!watch->done && g_cond_wait_until (&watch->changed, &watch->lock, until_us))
    ;
  g_mutex_unlock (&watch->lock);
  g_cancellable_cancel (watch->cancellable);
  return NULL;
}

static char *
answer (LoomMcpTools *tools, const char *line, gsize length)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watch = { .cancellable = cancellable };
  g_mutex_init (&watch.lock);
  g_cond_init (&watch.changed);
  GThread *thread = g_thread_new ("watch", watch_call, &watch);
  char *text = loom_mcp_server_answer (tools, line, length, cancellable);
  g_mutex_lock (&watch.lock);
  watch.done = TRUE;
  g_cond_signal (&watch.changed);
  g_mutex_unlock (&watch.lock);
  g_thread_join (thread);
  return text;
}

static void
check_answer (const char *text, const char *id)
{
  gsize length = strlen (text);
  LoomJsonSlice value = { text, length };
  fuzz_check (length < MOST_BYTES, "the answer is too long");
  fuzz_check (strchr (text, '\n') == NULL, "the answer has several lines");
  fuzz_check (loom_json_slice_is_strict (text, length), "the answer is no JSON");
  if (text[0] == '[')
    return;
  fuzz_check (loom_json_slice_equal (loom_json_slice_member (value, "jsonrpc"), "\"2.0\""),
              "the answer has no version");
  fuzz_check ((loom_json_slice_member (value, "result").text != NULL) !=
                (loom_json_slice_member (value, "error").text != NULL),
              "the answer has neither a result nor an error");
  fuzz_check (loom_json_slice_equal (loom_json_slice_member (value, "id"), id != NULL ? id : "null"),
              "the answer has another id");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static LoomMcpTools *tools;
  if (tools == NULL)
    tools = new_tools ();
  const char *line = (const char *) data, *end = line + size;
  while (line < end) {
    const char *stop = memchr (line, '\n', (gsize) (end - line));
    gsize length = stop != NULL ? (gsize) (stop - line) : (gsize) (end - line);
    g_autofree char *text = answer (tools, line, length), *id = loom_mcp_server_dup_id (line, length),
                    *cancelled = loom_mcp_server_dup_cancelled_id (line, length);
    if (text != NULL)
      check_answer (text, id);
    fuzz_check (cancelled == NULL || text == NULL, "a notification is answered");
    line += length + 1;
  }
  return 0;
}
