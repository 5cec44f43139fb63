/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-loader-processes.h"

#include <math.h>

#include "loom-data-loading.h"
#include "loom-int64-hash.h"
#include "loom-statistics.h"
#include "loom-string-pool.h"

/* The evidence by which a process was recognised as one that loads data, from weakest to strongest. */
typedef enum {
  /* calls that fetch batches come from this process; there are no events of worker processes, and no calls state a
   * worker */
  EVIDENCE_CALLER,
  EVIDENCE_WORKER_ID, /* calls that fetch batches state that this process is their worker */
  EVIDENCE_WORKER,    /* the process is a worker process that has events of its own */
} Evidence;

typedef struct {
  guint32 host_id, writer;
  Evidence evidence;
  gint64 begin_ns, end_ns;
} Life;

/* --- lifetimes of the processes ----------------------------------------------------------------------------------- */

/* Sets `evidence` to the kind of evidence with which a call shows that a process loads data. Returns FALSE if the call
 * does not show it. */
static gboolean
find_evidence (const LoomDataFrame *frame, const LoomLoaderCall *call, Evidence *evidence)
{
  const LoomRun *run = loom_timeline_get_run (frame->timeline);
  if (call->kind == LOOM_LOADER_WORKER)
    *evidence = EVIDENCE_WORKER;
  else
    *evidence = call->worker_id >= 0 ? EVIDENCE_WORKER_ID : EVIDENCE_CALLER;
  /* an index file does not contain args, so it is unknown whether the call stated a worker */
  if (*evidence == EVIDENCE_CALLER && loom_trace_is_index (loom_run_get_trace (run, frame->rows.span[call->row].trace)))
    return FALSE;
  /* in an initialisation, the training process only creates the iterator and does not load data */
  return call->kind != LOOM_LOADER_INITIALIZATION;
}

static void
add_to_life (GArray *lives, GHashTable *known, const LoomDataFrameRows *rows, const LoomLoaderCall *call,
             Evidence evidence)
{
  /* calls may lack a process id, so the id of the worker is also part of the key */
  guint64 worker = evidence == EVIDENCE_CALLER ? 0 : (guint64) call->worker_id + 1;
  guint64 key = loom_string_pool_hash_join (loom_string_pool_hash_join (call->process, evidence), worker);
  gint64 begin_ns = rows->start_ns[call->row], end_ns = rows->end_ns[call->row];
  gpointer index;
  if (g_hash_table_lookup_extended (known, &key, NULL, &index)) {
    Life *life = &g_array_index (lives, Life, GPOINTER_TO_UINT (index));
    life->begin_ns = MIN (life->begin_ns, begin_ns);
    life->end_ns = MAX (life->end_ns, end_ns);
    return;
  }
  Life life = { call->host_id, rows->worker[call->row], evidence, begin_ns, end_ns };
  g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (lives->len));
  g_array_append_val (lives, life);
}

/* Removes processes with weak evidence: for each worker of the LoomDataFrame, keeps only the processes with the
 * strongest evidence that this worker has. Clips the lifetimes of the processes to the range of the LoomDataFrame. */
static void
keep_strongest (GArray *lives, const LoomDataFrame *frame)
{
  LoomRange range = frame->range;
  guint kept = 0;
  g_autofree Evidence *strongest = g_new0 (Evidence, frame->n_workers + 1);
  Life *items = (Life *) (gpointer) lives->data;
  for (guint i = 0; i < lives->len; i++)
    strongest[items[i].writer] = MAX (strongest[items[i].writer], items[i].evidence);
  for (guint i = 0; i < lives->len; i++) {
    Life life = items[i];
    life.begin_ns = MAX (life.begin_ns, range.begin_ns);
    life.end_ns = MIN (life.end_ns, range.end_ns);
    if (life.evidence == strongest[life.writer] && life.begin_ns <= life.end_ns)
      items[kept++] = life;
  }
  g_array_set_size (lives, kept);
}

static int
compare_lives (gconstpointer a, gconstpointer b)
{
  const Life *x = a, *y = b;
  return x->host_id < y->host_id ? -1 : x->host_id > y->host_id;
}

static GArray *
list_lives (const LoomDataFrame *frame)
{
  GArray *lives = g_array_new (FALSE, FALSE, sizeof (Life));
  g_autoptr (GArray) calls = loom_data_loading_list_calls (frame);
  g_autoptr (GHashTable) known = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < calls->len; i++) {
    const LoomLoaderCall *call = &g_array_index (calls, LoomLoaderCall, i);
    Evidence evidence;
    if (find_evidence (frame, call, &evidence))
      add_to_life (lives, known, &frame->rows, call, evidence);
  }
  keep_strongest (lives, frame);
  g_array_sort (lives, compare_lives);
  return lives;
}

/* --- number of processes of a host in each second ----------------------------------------------------------------- */

typedef struct {
  gint64 second;
  /* change of the number of running processes at the start of this second: 1 for a process that begins in this second;
   * −1 for a process that ended in the second before */
  int change;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;
  return x->second < y->second ? -1 : x->second > y->second;
}

static gint64
second_of (gint64 time_ns)
{
  return time_ns / LOOM_NS_PER_S - (time_ns % LOOM_NS_PER_S < 0);
}

static GArray *
list_edges (const Life *lives, guint n)
{
  GArray *edges = g_array_sized_new (FALSE, FALSE, sizeof (Edge), 2 * n);
  for (guint i = 0; i < n; i++) {
    /* the end of a lifetime is exclusive, so its last ns is one ns earlier */
    gint64 last_ns = MAX (lives[i].end_ns - 1, lives[i].begin_ns);
    Edge begin = { second_of (lives[i].begin_ns), 1 }, end = { second_of (last_ns) + 1, -1 };
    g_array_append_val (edges, begin);
    g_array_append_val (edges, end);
  }
  g_array_sort (edges, compare_edges);
  return edges;
}

static GArray *
list_stretches (const Life *lives, guint n)
{
  g_autoptr (GArray) edges = list_edges (lives, n);
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (LoomLoaderStretch));
  int n_living = 0;
  for (guint i = 0; i + 1 < edges->len; i++) {
    const Edge *edge = &g_array_index (edges, Edge, i), *next = edge + 1;
    n_living += edge->change;
    LoomLoaderStretch stretch = { edge->second, next->second - edge->second, (guint) n_living };
    if (stretch.n_seconds > 0)
      g_array_append_val (stretches, stretch);
  }
  return stretches;
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const LoomLoaderStretch *x = a, *y = b;
  return x->n_processes < y->n_processes ? -1 : x->n_processes > y->n_processes;
}

/* Returns the number of processes in the second with the index `position`, if seconds are sorted by their number of
 * processes, ascending. `sorted`: the seconds, joined to intervals (LoomLoaderStretch) and sorted by n_processes.
 * Returns 0 if there are not that many seconds. */
static guint
count_at (const GArray *sorted, gint64 position)
{
  for (guint i = 0; i < sorted->len; i++) {
    const LoomLoaderStretch *stretch = &g_array_index (sorted, LoomLoaderStretch, i);
    if (position < stretch->n_seconds)
      return stretch->n_processes;
    position -= stretch->n_seconds;
  }
  return 0;
}

/* Computes the median number of processes over all seconds in which at least one process runs. Sorts intervals of
 * seconds instead of single seconds, because a damaged file may state that a process runs for centuries. */
static void
take_median (LoomLoaderHost *host)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (LoomLoaderStretch));
  for (guint i = 0; i < host->stretches->len; i++) {
    const LoomLoaderStretch *stretch = &g_array_index (host->stretches, LoomLoaderStretch, i);
    if (stretch->n_processes == 0)
      continue;
    g_array_append_vals (sorted, stretch, 1);
    host->n_seconds += stretch->n_seconds;
  }
  g_array_sort (sorted, compare_counts);
  host->at_a_time =
    ((double) count_at (sorted, (host->n_seconds - 1) / 2) + (double) count_at (sorted, host->n_seconds / 2)) / 2;
}

static LoomLoaderHost *
host_new (const Life *lives, guint n)
{
  LoomLoaderHost *host = g_new0 (LoomLoaderHost, 1);
  host->host_id = lives[0].host_id;
  host->begin_ns = G_MAXINT64;
  host->end_ns = G_MININT64;
  for (guint i = 0; i < n; i++) {
    host->begin_ns = MIN (host->begin_ns, lives[i].begin_ns);
    host->end_ns = MAX (host->end_ns, lives[i].end_ns);
    host->n_workers += lives[i].evidence != EVIDENCE_CALLER;
  }
  host->stretches = list_stretches (lives, n);
  take_median (host);
  return host;
}

static void
host_free (gpointer data)
{
  LoomLoaderHost *host = data;
  g_array_unref (host->stretches);
  g_free (host);
}

GPtrArray *
loom_loader_processes_list_hosts (const LoomDataFrame *frame)
{
  GPtrArray *hosts = g_ptr_array_new_with_free_func (host_free);
  g_autoptr (GArray) lives = list_lives (frame);
  const Life *items = (const Life *) (gpointer) lives->data;
  for (guint first = 0, next; first < lives->len; first = next) {
    for (next = first; next < lives->len && items[next].host_id == items[first].host_id; next++)
      ;
    g_ptr_array_add (hosts, host_new (&items[first], next - first));
  }
  return hosts;
}

LoomLoaderTotals
loom_loader_processes_sum_hosts (const GPtrArray *hosts)
{
  LoomLoaderTotals totals = { 0, 0, 0 };
  for (guint i = 0; i < hosts->len; i++) {
    const LoomLoaderHost *host = g_ptr_array_index (hosts, i);
    double at = floor (host->at_a_time);
    totals.n_workers += host->n_workers;
    totals.fewest = i == 0 ? at : MIN (totals.fewest, at);
    totals.most = MAX (totals.most, at);
  }
  return totals;
}

char *
loom_loader_processes_describe_totals (const LoomLoaderTotals *totals)
{
  return totals->fewest < totals->most ? g_strdup_printf ("%.0f–%.0f", totals->fewest, totals->most)
                                       : g_strdup_printf ("%.0f", totals->most);
}
