/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds counters of the memory that a session of a rocpd database has allocated on each GPU and on the host. The
 * interface is described in loom-rocpd-memory.h.
 */
#include "loom-rocpd-memory.h"

#include "loom-int64-hash.h"

#include <string.h>

#define HOST (-1)

/* An allocation or a release of memory. */
typedef struct {
  gint64 time_ns, address, n_bytes; /* `address`: the address in memory, joined with the process, because addresses of
                                     * different processes may be equal */
  gint64 gpu;                       /* index of the GPU to which the memory belongs; HOST: memory of the host */
  gboolean is_free;
  guint number; /* index of the change in the order of the rows; keeps changes of the same time in this order */
} Change;

/* Memory that is allocated. */
typedef struct {
  gint64 gpu, n_bytes;
} Block;

typedef struct {
  LoomRocmReader *reader;
  GHashTable *gpus;
  GArray *changes;    /* Change elements: the allocations and releases of the session */
  GHashTable *blocks; /* address, joined with the process → Block */
  GHashTable *sums;   /* GPU index, or HOST → gint64 *, number of allocated bytes */
  guint64 n_hidden;
} Work;

static gint64
find_gpu (const Work *work, sqlite3_stmt *row, int column)
{
  gint64 agent = sqlite3_column_int64 (row, column);
  const gint64 *gpu = g_hash_table_lookup (work->gpus, &agent);
  return gpu != NULL ? *gpu : HOST;
}

static gboolean
is_word (sqlite3_stmt *row, int column, const char *word)
{
  return g_strcmp0 ((const char *) sqlite3_column_text (row, column), word) == 0;
}

static void
take_row (Work *work, sqlite3_stmt *row)
{
  enum { TYPE = 1, LEVEL, START, END, ADDRESS, SIZE, AGENT, PROCESS };
  gint64 start_ns, end_ns;
  gboolean is_free = is_word (row, TYPE, "FREE");
  if (!is_word (row, LEVEL, "REAL") || (!is_free && !is_word (row, TYPE, "ALLOC") && !is_word (row, TYPE, "REALLOC"))) {
    work->n_hidden++;
    return;
  }
  if (!loom_rocm_take_times (work->reader, row, START, TRUE, &start_ns, &end_ns))
    return;
  const Change change = { .time_ns = end_ns,
                          .address = (gint64) ((guint64) sqlite3_column_int64 (row, PROCESS) * 1000003 +
                                               (guint64) sqlite3_column_int64 (row, ADDRESS)),
                          .n_bytes = MAX (sqlite3_column_int64 (row, SIZE), 0),
                          .gpu = find_gpu (work, row, AGENT),
                          .is_free = is_free,
                          .number = work->changes->len };
  g_array_append_val (work->changes, change);
}

static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *x = a, *y = b;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Adds `n_bytes` to the number of allocated bytes of a GPU. Returns the sum. */
static gint64
add_bytes (Work *work, gint64 gpu, gint64 n_bytes)
{
  gint64 *sum = g_hash_table_lookup (work->sums, &gpu);
  if (sum == NULL) {
    sum = g_new0 (gint64, 1);
    g_hash_table_insert (work->sums, g_memdup2 (&gpu, sizeof gpu), sum);
  }
  return *sum = (gint64) ((guint64) *sum + (guint64) n_bytes);
}

static void
add_sample (LoomChromeImporter *chrome, const char *session, gint64 gpu, gint64 time_ns, gint64 n_bytes)
{
  g_autofree char *key = gpu != HOST ? g_strdup_printf ("\"GPU %" G_GINT64_FORMAT "%s\"", gpu, session)
                                     : g_strdup_printf ("\"counters%s\"", session);
  const char *name = gpu != HOST ? "GPU memory" : "host memory";
  LoomTraceBuilder *builder = chrome->builder;
  guint32 process = loom_trace_builder_process (builder, chrome->source, key, strlen (key)),
          counter = loom_trace_builder_counter (builder, process, "", 0, name, strlen (name), "", 0),
          series = loom_trace_builder_series (builder, counter, "bytes", strlen ("bytes"));
  loom_trace_builder_series_set_unit (builder, series, "B");
  loom_trace_builder_sample (builder, series, time_ns, (double) n_bytes, LOOM_REF_NONE);
  chrome->info->n_events++;
  chrome->info->n_counters++;
}

/* Applies an allocation or a release. Sets `gpu` to the GPU to which the memory belongs, and `sum` to the number of
 * bytes that are allocated on this GPU afterwards. The profiler states neither the size nor the agent (device) of a
 * release, so both are taken from the allocation at the same address. Returns FALSE if this allocation is not in the
 * file. */
static gboolean
apply (Work *work, const Change *change, gint64 *gpu, gint64 *sum)
{
  const Block *known = g_hash_table_lookup (work->blocks, &change->address);
  if (known == NULL && change->is_free)
    return FALSE;
  *gpu = known != NULL ? known->gpu : change->gpu;
  *sum = known != NULL ? add_bytes (work, known->gpu, -known->n_bytes) : 0;
  if (change->is_free)
    return g_hash_table_remove (work->blocks, &change->address);
  const Block block = { change->gpu, change->n_bytes };
  g_hash_table_insert (work->blocks, g_memdup2 (&change->address, sizeof change->address),
                       g_memdup2 (&block, sizeof block));
  *gpu = change->gpu;
  *sum = add_bytes (work, change->gpu, change->n_bytes);
  return TRUE;
}

static void
read_rows (Work *work, const char *table)
{
  static const char *const columns[] = { "type", "level", "start", "end", "address", "size", "agent_id", "pid", NULL };
  sqlite3_stmt *row = loom_database_select (work->reader->database, table, columns, NULL);
  while (row != NULL && loom_database_step (work->reader->database, row) == SQLITE_ROW)
    take_row (work, row);
  sqlite3_finalize (row);
  g_array_sort (work->changes, compare_changes);
}

guint64
loom_rocpd_memory_add (LoomRocmReader *reader, const char *table, GHashTable *gpus, const char *session,
                       LoomChromeImporter *chrome)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_autoptr (GHashTable) blocks = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free),
                         sums = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free);
  Work work = { .reader = reader, .gpus = gpus, .changes = changes, .blocks = blocks, .sums = sums };
  read_rows (&work, table);
  for (guint i = 0; i < changes->len; i++) {
    const Change *change = &g_array_index (changes, Change, i);
    gint64 gpu, sum;
    if (apply (&work, change, &gpu, &sum))
      add_sample (chrome, session, gpu, change->time_ns, sum);
    else
      work.n_hidden++;
  }
  return work.n_hidden;
}
