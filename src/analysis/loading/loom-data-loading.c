/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-data-loading.h"

#include <string.h>

#include "loom-block-cache.h"
#include "loom-parse-time.h"
#include "loom-statistics.h"
#include "loom-string-pool.h"
#include "loom-work-kind.h"

/* A span of a data loader: its row in the LoomDataFrame, and values from its args. */
typedef struct {
  guint32 row;
  guint64 pid; /* hash of the text of the process id; equal for all rows without a process id */
  gint64 worker_id, n_workers;
  const char *pin_memory;
} Call;

typedef struct {
  const LoomDataFrame *frame;
  const LoomDataFrameRows *rows;
  LoomBlockCache *events;
  GArray *initializations, *workers, *get_next; /* Call: the spans found so far, one array for each kind */
} Finder;

/* --- finding the spans of data loading ---------------------------------------------------------------------------- */

static gint64
int_member (LoomJsonSlice args, const char *name)
{
  LoomJsonSlice value = loom_json_slice_member (args, name);
  gint64 number;
  return value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &number) ? number : -1;
}

static void
read_args (Finder *finder, Call *call)
{
  LoomSpanId id = finder->rows->span[call->row];
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (finder->frame->timeline), id.trace);
  LoomRef ref = loom_trace_get_spans (trace)->ref[id.span];
  LoomEvent event;
  call->worker_id = call->n_workers = -1;
  call->pin_memory = "NA";
  if (ref == LOOM_REF_NONE)
    return;
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (ref));
  if (source->text == NULL ||
      !loom_block_cache_read (finder->events, source->text, loom_source_ref_offset (ref), &event, NULL))
    return;
  LoomJsonSlice args = event.member[LOOM_MEMBER_ARGS], pid = loom_json_slice_member (args, "pid"),
                pin = loom_json_slice_member (args, "pin_memory");
  if (pid.text == NULL)
    pid = event.member[LOOM_MEMBER_PID];
  if (pid.text != NULL)
    call->pid = loom_string_pool_hash (pid.text, pid.length);
  call->worker_id = int_member (args, "worker_id");
  call->n_workers = int_member (args, "num_workers");
  if (pin.text != NULL)
    call->pin_memory = loom_json_slice_equal (pin, "true") ? "True" : "False";
}

gboolean
loom_data_loading_is_worker (const char *name)
{
  return strstr (name, "DataLoaderWorker") != NULL;
}

enum { IS_GET_NEXT = 1, IS_INITIALIZATION = 2, IS_WORKER = 4 };

static guint
kinds_of (const char *name)
{
  if (strstr (name, "DataLoader") == NULL)
    return 0;
  return (loom_work_kind_is_get_next (name) ? IS_GET_NEXT : 0) |
         (strstr (name, "DataLoaderIterInitialize") != NULL ? IS_INITIALIZATION : 0) |
         (loom_data_loading_is_worker (name) ? IS_WORKER : 0);
}

static void
find_calls (Finder *finder)
{
  guint32 n_texts = loom_data_frame_get_n_texts (finder->frame);
  g_autofree guint8 *kinds = g_new (guint8, n_texts + 1);
  gboolean any = FALSE;
  for (guint32 i = 0; i < n_texts; i++)
    any |= (kinds[i] = (guint8) kinds_of (loom_data_frame_get_text (finder->frame, i))) != 0;
  for (guint32 i = 0; any && i < finder->rows->n; i++) {
    guint kind = kinds[finder->rows->metric[i]] | kinds[finder->rows->process[i]];
    Call call = { .row = i };
    if (kind == 0)
      continue;
    read_args (finder, &call);
    if ((kind & IS_GET_NEXT) != 0)
      g_array_append_val (finder->get_next, call);
    if ((kind & IS_INITIALIZATION) != 0)
      g_array_append_val (finder->initializations, call);
    if ((kind & IS_WORKER) != 0)
      g_array_append_val (finder->workers, call);
  }
}

/* --- times of the events of data loading -------------------------------------------------------------------------- */

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const LoomLoaderEvent *x = a, *y = b;
  if (x->dur_ns != y->dur_ns)
    return x->dur_ns > y->dur_ns ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* Sets `times` to the statistics of the events. Takes ownership of `events`. `as_written`: TRUE if numbers are computed
 * as smdebug does; then events of exactly twice the median are outliers, too. */
static void
times_init (LoomLoaderTimes *times, GArray *events, gboolean as_written)
{
  g_autofree double *durations = g_new (double, events->len + 1);
  const LoomLoaderEvent *at = (const LoomLoaderEvent *) events->data;
  *times = (LoomLoaderTimes) { .n = events->len };
  for (guint i = 0; i < events->len; i++) {
    durations[i] = (double) at[i].dur_ns;
    if (i == 0 || at[i].dur_ns > times->longest.dur_ns)
      times->longest = at[i];
  }
  times->max_ns = times->longest.dur_ns;
  if (events->len > 0)
    times->median_ns = loom_statistics_median (durations, events->len);
  GArray *outliers = g_array_new (FALSE, FALSE, sizeof (LoomLoaderEvent));
  double limit = LOOM_LOADER_OUTLIER_FACTOR * times->median_ns;
  for (guint i = 0; i < events->len; i++)
    if ((double) at[i].dur_ns > limit || (as_written && (double) at[i].dur_ns >= limit))
      g_array_append_vals (outliers, &at[i], 1);
  g_array_sort (outliers, compare_events);
  times->n_outliers = outliers->len;
  times->outliers = (LoomLoaderEvent *) g_array_free (outliers, FALSE);
  g_array_unref (events);
}

static void
add_event (const Finder *finder, const Call *call, GArray *events)
{
  gint64 begin_ns = finder->rows->start_ns[call->row], end_ns = finder->rows->end_ns[call->row];
  LoomLoaderEvent event = { call->row, begin_ns, end_ns, end_ns - begin_ns, call->worker_id };
  g_array_append_val (events, event);
}

static GArray *
events_of (const Finder *finder, const GArray *calls)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LoomLoaderEvent));
  for (guint i = 0; i < calls->len; i++)
    add_event (finder, &g_array_index (calls, Call, i), events);
  return events;
}

/* --- times between the batches of a process ----------------------------------------------------------------------- */

/* Compares calls by worker, process and end. */
static int
compare_calls (gconstpointer a, gconstpointer b, gpointer data)
{
  const Finder *finder = data;
  const Call *x = a, *y = b;
  guint32 worker = finder->rows->worker[x->row], other = finder->rows->worker[y->row];
  gint64 end_ns = finder->rows->end_ns[x->row], other_end_ns = finder->rows->end_ns[y->row];
  if (worker != other)
    return worker < other ? -1 : 1;
  if (x->pid != y->pid)
    return x->pid < y->pid ? -1 : 1;
  if (end_ns != other_end_ns)
    return end_ns < other_end_ns ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static GArray *
batches_of (Finder *finder)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LoomLoaderEvent));
  g_array_sort_with_data (finder->get_next, compare_calls, finder);
  for (guint i = 1; i < finder->get_next->len; i++) {
    const Call *call = &g_array_index (finder->get_next, Call, i), *before = call - 1;
    if (finder->rows->worker[call->row] != finder->rows->worker[before->row] || call->pid != before->pid)
      continue;
    gint64 begin_ns = finder->rows->start_ns[before->row], end_ns = finder->rows->start_ns[call->row];
    LoomLoaderEvent event = { call->row, begin_ns, end_ns, end_ns - begin_ns, call->worker_id };
    g_array_append_val (events, event);
  }
  return events;
}

/* --- iterators and processes -------------------------------------------------------------------------------------- */

static void
iterator_init (LoomLoaderIterator *iterator, const char *name, const Finder *finder, gboolean as_written)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (LoomLoaderEvent));
  iterator->name = name;
  iterator->pin_memory = g_ptr_array_new ();
  iterator->n_workers = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < finder->initializations->len; i++) {
    const Call *call = &g_array_index (finder->initializations, Call, i);
    gboolean known = FALSE;
    if (strcmp (loom_data_frame_get_text (finder->frame, finder->rows->metric[call->row]), name) != 0)
      continue;
    add_event (finder, call, events);
    if (!g_ptr_array_find (iterator->pin_memory, call->pin_memory, NULL))
      g_ptr_array_add (iterator->pin_memory, (gpointer) call->pin_memory);
    for (guint k = 0; k < iterator->n_workers->len; k++)
      known |= g_array_index (iterator->n_workers, gint64, k) == call->n_workers;
    if (!known)
      g_array_append_val (iterator->n_workers, call->n_workers);
  }
  times_init (&iterator->times, events, as_written);
}

/* Returns a number that identifies the process of a call. In index files, rows of worker processes lack a process id.
 * Each of these rows gets a different number, because each row lasts as long as its process: two rows are two
 * processes. */
static guint64
get_process (const Call *call, gboolean is_worker)
{
  return is_worker && call->pid == 0 ? loom_string_pool_hash_join (1, call->row) : call->pid;
}

/* A row of the LoomDataFrame that matches two kinds of calls is listed twice, once for each kind. */
GArray *
loom_data_loading_list_calls (const LoomDataFrame *frame)
{
  g_autoptr (LoomBlockCache) events = loom_block_cache_new ();
  g_autoptr (GArray) initializations = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autoptr (GArray) get_next = g_array_new (FALSE, FALSE, sizeof (Call));
  const GArray *const all[] = {
    [LOOM_LOADER_INITIALIZATION] = initializations, [LOOM_LOADER_WORKER] = workers, [LOOM_LOADER_GET_NEXT] = get_next
  };
  Finder finder = { frame, &frame->rows, events, initializations, workers, get_next };
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (LoomLoaderCall));
  find_calls (&finder);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint k = 0; k < all[i]->len; k++) {
      const Call *call = &g_array_index (all[i], Call, k);
      guint32 worker = finder.rows->worker[call->row];
      LoomLoaderCall one = { (LoomLoaderKind) i, call->row, frame->workers[worker].host_id, call->worker_id,
                             get_process (call, i == LOOM_LOADER_WORKER) ^ ((guint64) worker << 48) };
      g_array_append_val (calls, one);
    }
  return calls;
}

void
loom_data_loading_init (LoomDataLoading *loading, const LoomDataFrame *frame)
{
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  g_autoptr (LoomBlockCache) events = loom_block_cache_new ();
  g_autoptr (GArray) initializations = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (Call));
  g_autoptr (GArray) get_next = g_array_new (FALSE, FALSE, sizeof (Call));
  Finder finder = { frame, &frame->rows, events, initializations, workers, get_next };
  *loading = (LoomDataLoading) { .n_initializations = 0 };
  find_calls (&finder);
  loading->n_initializations = initializations->len;
  iterator_init (&loading->iterators[0], "_MultiProcessingDataLoaderIter.__init__", &finder, as_written);
  iterator_init (&loading->iterators[1], "_SingleProcessDataLoaderIter.__init__", &finder, as_written);
  times_init (&loading->workers, events_of (&finder, workers), as_written);
  times_init (&loading->get_next, events_of (&finder, get_next), as_written);
  times_init (&loading->batches, batches_of (&finder), as_written);
}

void
loom_data_loading_clear (LoomDataLoading *loading)
{
  for (guint i = 0; i < G_N_ELEMENTS (loading->iterators); i++) {
    g_clear_pointer (&loading->iterators[i].times.outliers, g_free);
    g_clear_pointer (&loading->iterators[i].pin_memory, g_ptr_array_unref);
    g_clear_pointer (&loading->iterators[i].n_workers, g_array_unref);
  }
  g_clear_pointer (&loading->workers.outliers, g_free);
  g_clear_pointer (&loading->get_next.outliers, g_free);
  g_clear_pointer (&loading->batches.outliers, g_free);
}
