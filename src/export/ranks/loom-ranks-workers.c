/* SPDX-License-Identifier: Apache-2.0
 *
 * The pool of threads that format batches as lines, one thread per processor. The thread that makes the batches is one
 * of them: it formats a batch whenever it finds no empty one. Batches are taken in order, so that the oldest unwritten
 * batch never waits for a later one. The number of batches is fixed, which limits memory.
 */
#include "loom-parallel-deflate.h"
#include "loom-ranks-private.h"

#define MAX_THREADS 8

struct _LoomRanksWorkers {
  const LoomRanks *ranks;
  LoomExport *merge;
  GThread *threads[MAX_THREADS];
  guint n_threads;        /* number of worker threads, without the thread that makes batches */
  LoomRankWriter *writer; /* writer of the thread that makes batches */
  LoomParallelDeflate *deflate;
  /* "trace\npid[\ntid]" of a process or thread without tracks → its id (gint64 *); accessed only by the writer of the
   * batch that is written next */
  GHashTable *strays;
  gint64 next_stray;

  GMutex lock;
  GCond work, progress;  /* `work` is signalled when the queue `waiting` gets a batch, `progress` when a batch has
                          * been written */
  GQueue waiting;        /* LoomRanksBatch *: full batches that no thread has taken yet */
  GPtrArray *idle;       /* LoomRanksBatch *: batches without events, which the thread that makes batches can fill */
  LoomRanksBatch **done; /* formatted batches that are not written yet; index: LoomRanksBatch.number modulo n_batches */
  guint n_batches;
  guint64 next_given, next_written;
  gboolean writing, closed, stopped;
  GError *error;
};

/* --- memory of batches -------------------------------------------------------------------------------------------- */

/* Empties the buffers of a batch that was written, and resets its counts. */
static void
clear_lines (LoomRanksBatch *batch)
{
  g_string_truncate (batch->lines, 0);
  g_byte_array_set_size (batch->packed, 0);
  batch->n_events = batch->n_repaired = batch->n_synthesised = 0;
  batch->extent = (LoomRange) { G_MAXINT64, G_MININT64 };
}

static void
batch_clear (LoomRanksBatch *batch)
{
  batch->n_entries = 0;
  g_array_set_size (batch->samples, 0);
  loom_shared_block_cache_clear (batch->window);
  clear_lines (batch);
  g_clear_error (&batch->error);
}

static LoomRanksBatch *
batch_new (void)
{
  LoomRanksBatch *batch = g_new0 (LoomRanksBatch, 1);
  batch->samples = g_array_new (FALSE, FALSE, sizeof (LoomMergeSample));
  batch->window = loom_shared_block_cache_new_window ();
  batch->lines = g_string_new (NULL);
  batch->packed = g_byte_array_new ();
  batch_clear (batch);
  return batch;
}

static void
batch_free (LoomRanksBatch *batch)
{
  g_free (batch->entries);
  g_array_unref (batch->samples);
  loom_shared_block_cache_free_window (batch->window);
  g_string_free (batch->lines, TRUE);
  g_byte_array_unref (batch->packed);
  g_clear_error (&batch->error);
  g_free (batch);
}

/* --- writing the batches in order; one thread at a time ----------------------------------------------------------- */

static void
add_to_result (LoomExport *merge, const LoomRanksBatch *batch)
{
  LoomExportResult *result = merge->result;
  result->n_events += batch->n_events;
  result->n_repaired += batch->n_repaired;
  result->n_synthesised += batch->n_synthesised;
  result->extent.begin_ns = MIN (result->extent.begin_ns, batch->extent.begin_ns);
  result->extent.end_ns = MAX (result->extent.end_ns, batch->extent.end_ns);
  loom_progress_add_done (merge->progress, batch->n_events);
}

static void
write_batch (LoomExport *merge, const LoomRanksBatch *batch)
{
  if (batch->lines->len == 0)
    return;
  if (loom_output_file_is_compressed (merge->output))
    loom_output_file_append_packed (merge->output, batch->packed, batch->checksum, batch->lines->len);
  else
    loom_output_file_append (merge->output, batch->lines->str, batch->lines->len);
  add_to_result (merge, batch);
}

/* Writes all formatted batches that are next in order. Called with the lock held; releases the lock while it writes. */
static void
write_what_is_next (LoomRanksWorkers *crew)
{
  LoomRanksBatch **slot;
  if (crew->writing)
    return;
  crew->writing = TRUE;
  while (*(slot = &crew->done[crew->next_written % crew->n_batches]) != NULL) {
    LoomRanksBatch *batch = g_steal_pointer (slot);
    if (batch->error != NULL && crew->error == NULL)
      crew->error = g_steal_pointer (&batch->error);
    crew->stopped |= crew->error != NULL;
    gboolean good = !crew->stopped;
    g_mutex_unlock (&crew->lock);
    if (good) {
      write_batch (crew->merge, batch);
      good = loom_output_file_is_good (crew->merge->output); /* the error is reported when the file is committed */
    }
    batch_clear (batch);
    g_mutex_lock (&crew->lock);
    crew->stopped |= !good;
    g_ptr_array_add (crew->idle, batch);
    crew->next_written++;
    g_cond_broadcast (&crew->progress);
  }
  crew->writing = FALSE;
}

/* --- threads that format batches ---------------------------------------------------------------------------------- */

/* Removes the comma before the first event of a file that has no metadata before its events. */
static void
drop_first_comma (LoomRanksWorkers *crew, LoomRanksBatch *batch)
{
  if (crew->merge->result->n_metadata > 0 || batch->lines->len == 0)
    return;
  loom_ranks_workers_wait_for_turn (crew, batch);
  if (crew->merge->result->n_events == 0)
    g_string_erase (batch->lines, 0, 1);
}

static void
finish_lines (LoomRanksWorkers *crew, LoomRanksBatch *batch)
{
  drop_first_comma (crew, batch);
  if (batch->deflate == NULL)
    return;
  loom_parallel_deflate_append (batch->deflate, batch->lines->str, batch->lines->len, batch->packed);
  batch->checksum = loom_parallel_deflate_checksum (batch->lines->str, batch->lines->len);
}

static void
make (LoomRanksWorkers *crew, LoomRankWriter *writer, LoomParallelDeflate *deflate, LoomRanksBatch *batch)
{
  batch->deflate = deflate;
  loom_rank_writer_run (writer, batch);
  finish_lines (crew, batch);
}

/* Writes a part of the batch. No other thread writes at the same time, because this batch is the next to be written and
 * is not complete. */
void
loom_ranks_workers_write_part (LoomRanksWorkers *crew, LoomRanksBatch *batch)
{
  loom_ranks_workers_wait_for_turn (crew, batch);
  g_mutex_lock (&crew->lock);
  gboolean stopped = crew->stopped;
  g_mutex_unlock (&crew->lock);
  finish_lines (crew, batch);
  if (!stopped)
    write_batch (crew->merge, batch);
  clear_lines (batch);
}

/* Formats the oldest waiting batch. Returns FALSE if no batch is waiting. Called with the lock held; releases it
 * while the batch is formatted. */
static gboolean
make_next (LoomRanksWorkers *crew, LoomRankWriter *writer, LoomParallelDeflate *deflate)
{
  LoomRanksBatch *batch = g_queue_pop_head (&crew->waiting);
  gboolean stopped = crew->stopped;
  if (batch == NULL)
    return FALSE;
  g_mutex_unlock (&crew->lock);
  if (!stopped)
    make (crew, writer, deflate, batch);
  g_mutex_lock (&crew->lock);
  crew->done[batch->number % crew->n_batches] = batch;
  write_what_is_next (crew);
  return TRUE;
}

static LoomParallelDeflate *
new_deflate (LoomRanksWorkers *crew)
{
  return loom_output_file_is_compressed (crew->merge->output) ? loom_parallel_deflate_new () : NULL;
}

static gpointer
work (gpointer data)
{
  LoomRanksWorkers *crew = data;
  LoomRankWriter *writer = loom_rank_writer_new (crew->ranks, crew);
  g_autoptr (LoomParallelDeflate) deflate = new_deflate (crew);
  g_mutex_lock (&crew->lock);
  do {
    while (g_queue_is_empty (&crew->waiting) && !crew->closed)
      g_cond_wait (&crew->work, &crew->lock);
  } while (make_next (crew, writer, deflate));
  g_mutex_unlock (&crew->lock);
  loom_rank_writer_free (writer);
  return NULL;
}

/* Starts one thread per processor, minus the thread that makes batches; fewer if the system refuses to start more. */
static void
start_threads (LoomRanksWorkers *crew)
{
  guint wanted = CLAMP (g_get_num_processors (), 1, MAX_THREADS) - 1;
  while (crew->n_threads < wanted &&
         (crew->threads[crew->n_threads] = g_thread_try_new ("traceloom-merge", work, crew, NULL)) != NULL)
    crew->n_threads++;
  crew->writer = loom_rank_writer_new (crew->ranks, crew);
  crew->deflate = new_deflate (crew);
}

LoomRanksWorkers *
loom_ranks_workers_new (const LoomRanks *ranks)
{
  LoomRanksWorkers *crew = g_new0 (LoomRanksWorkers, 1);
  crew->ranks = ranks;
  crew->merge = ranks->merge;
  crew->strays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  crew->next_stray = ranks->next_stray;
  crew->idle = g_ptr_array_new ();
  crew->n_batches = 2 * CLAMP (g_get_num_processors (), 1, MAX_THREADS) + 2;
  crew->done = g_new0 (LoomRanksBatch *, crew->n_batches);
  for (guint i = 0; i < crew->n_batches; i++)
    g_ptr_array_add (crew->idle, batch_new ());
  start_threads (crew);
  return crew;
}

/* --- handing batches to the pool ---------------------------------------------------------------------------------- */

LoomRanksBatch *
loom_ranks_workers_get_batch (LoomRanksWorkers *crew)
{
  LoomRanksBatch *batch = NULL;
  g_mutex_lock (&crew->lock);
  while (crew->idle->len == 0 && !crew->stopped)
    if (!make_next (crew, crew->writer, crew->deflate))
      g_cond_wait (&crew->progress, &crew->lock);
  if (!crew->stopped)
    batch = g_ptr_array_steal_index_fast (crew->idle, crew->idle->len - 1);
  g_mutex_unlock (&crew->lock);
  return batch;
}

void
loom_ranks_workers_give_batch (LoomRanksWorkers *crew, LoomRanksBatch *batch)
{
  g_mutex_lock (&crew->lock);
  batch->number = crew->next_given++;
  g_queue_push_tail (&crew->waiting, batch);
  g_cond_signal (&crew->work);
  g_mutex_unlock (&crew->lock);
}

void
loom_ranks_workers_wait_for_turn (LoomRanksWorkers *crew, const LoomRanksBatch *batch)
{
  g_mutex_lock (&crew->lock);
  while (crew->next_written != batch->number)
    g_cond_wait (&crew->progress, &crew->lock);
  g_mutex_unlock (&crew->lock);
}

gint64
loom_ranks_workers_get_stray (LoomRanksWorkers *crew, guint trace, const char *pid, const char *tid)
{
  g_autofree char *key =
    tid != NULL ? g_strdup_printf ("%u\n%s\n%s", trace, pid, tid) : g_strdup_printf ("%u\n%s", trace, pid);
  gint64 *id = g_hash_table_lookup (crew->strays, key);
  if (id == NULL) {
    id = g_new (gint64, 1);
    *id = crew->next_stray++;
    g_hash_table_insert (crew->strays, g_steal_pointer (&key), id);
  }
  return *id;
}

/* --- ending the pool ---------------------------------------------------------------------------------------------- */

static void
join (LoomRanksWorkers *crew, gboolean stop)
{
  g_mutex_lock (&crew->lock);
  crew->stopped |= stop;
  crew->closed = TRUE;
  g_cond_broadcast (&crew->work);
  while (make_next (crew, crew->writer, crew->deflate))
    continue;
  g_mutex_unlock (&crew->lock);
  for (guint i = 0; i < crew->n_threads; i++)
    g_thread_join (crew->threads[i]);
}

static void
loom_ranks_workers_free (LoomRanksWorkers *crew)
{
  for (guint i = 0; i < crew->idle->len; i++)
    batch_free (g_ptr_array_index (crew->idle, i));
  g_ptr_array_unref (crew->idle);
  loom_rank_writer_free (crew->writer);
  loom_parallel_deflate_free (crew->deflate);
  g_hash_table_unref (crew->strays);
  g_mutex_clear (&crew->lock);
  g_cond_clear (&crew->work);
  g_cond_clear (&crew->progress);
  g_clear_error (&crew->error);
  g_free (crew->done);
  g_free (crew);
}

gboolean
loom_ranks_workers_finish (LoomRanksWorkers *crew, GError **error)
{
  join (crew, FALSE);
  gboolean good = !crew->stopped;
  if (crew->error != NULL)
    g_propagate_error (error, g_steal_pointer (&crew->error));
  loom_ranks_workers_free (crew);
  return good;
}

void
loom_ranks_workers_cancel (LoomRanksWorkers *crew)
{
  join (crew, TRUE);
  loom_ranks_workers_free (crew);
}
