/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes SQL queries over a small run: any text of a query gives rows or a message, with bounded time and memory. A
 * second thread cancels queries that run longer than PATIENCE_US; a cancelled query must end within MOST_US.
 */
#include "fuzz.h"

#include "job-run.h"
#include "loom-query.h"

#include <sqlite3.h>

#define PATIENCE_US (100 * 1000)
#define MEMORY_BYTES (32 * LOOM_MIB)

/* Maximum time for preparing a query, or for one instruction of SQLite's virtual machine, which cannot be cancelled.
 * Long, because sanitizers slow it down. */
#define MOST_US (20 * G_USEC_PER_SEC)

static LoomTimeline *
new_timeline (void)
{
  JobRank rank = job_rank_begin (0, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 20; i++) {
    job_rank_step (&rank, "step", i * 1000, i * 1000 + 900);
    job_rank_step (&rank, "inner", i * 1000 + 10, i * 1000 + 100);
    job_rank_work (&rank, "kernel", i * 1000 + 50, i * 1000 + 500);
    job_rank_mark (&rank, "mark", i * 1000 + 7);
  }
  LoomTrace *traces[] = { job_rank_end (&rank) };
  g_autoptr (LoomRun) run = job_run_new (traces, 1);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_AUTO, NULL, 0);
  return loom_timeline_new (run, alignment);
}

typedef struct {
  GMutex lock;
  GCond changed;
  gboolean done;
  GCancellable *cancellable;
} Watch;

static gpointer
watch_query (gpointer data)
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

static void
read_rows (LoomQuery *query, GError **error)
{
  while (loom_query_next (query, error) == LOOM_QUERY_ROW)
    for (guint i = 0; i < loom_query_get_n_columns (query); i++) {
      const char *text = loom_query_get_text (query, i, NULL), *name = loom_query_get_column_name (query, i);
      fuzz_check (text != NULL && g_utf8_validate (text, -1, NULL), "a value is no text");
      fuzz_check (name != NULL, "a column has no name");
      loom_query_get_type (query, i);
    }
}

static void
ask (LoomQueryRun *run, const char *sql, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomQuery) query = loom_query_new (run, sql, MEMORY_BYTES, cancellable, &error);
  fuzz_check ((query == NULL) == (error != NULL), "a query that cannot be prepared has no message");
  if (query != NULL)
    read_rows (query, &error);
  fuzz_check (error == NULL || g_utf8_validate (error->message, -1, NULL), "the message is no text");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static LoomTimeline *timeline;
  if (timeline == NULL)
    timeline = new_timeline ();
  g_autofree char *sql = g_strndup ((const char *) data, size);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Watch watch = { .cancellable = cancellable };
  gint64 begin_us = g_get_monotonic_time (), before = sqlite3_memory_used ();
  g_mutex_init (&watch.lock);
  g_cond_init (&watch.changed);
  GThread *thread = g_thread_new ("watch", watch_query, &watch);
  sqlite3_memory_highwater (1);
  LoomQueryRun *run = loom_query_run_new (timeline); /* created for each text, because it keeps a connection that an
                                                      * earlier text could have changed */
  ask (run, sql, cancellable);
  loom_query_run_unref (run);
  g_mutex_lock (&watch.lock);
  watch.done = TRUE;
  g_cond_signal (&watch.changed);
  g_mutex_unlock (&watch.lock);
  g_thread_join (thread);
  fuzz_check (g_get_monotonic_time () - begin_us < MOST_US, "the query takes too long");
  fuzz_check (sqlite3_memory_used () == before, "memory is left");
  fuzz_check (sqlite3_memory_highwater (0) <= before + (gint64) (MEMORY_BYTES + LOOM_QUERY_RESERVE_BYTES),
              "the query takes too much memory");
  return 0;
}
