/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders the records of a memory history by device, and computes what the snapshot does not state: the allocated and
 * reserved bytes after each record, and the times at which blocks were freed. The interface is described in
 * loom-memory-records.h.
 */
#include "loom-memory-records.h"

#include "loom-int64-hash.h"
#include "loom-time.h"

#include <inttypes.h>

typedef struct {
  LoomMemoryHistory *history;
  LoomImportLog *log;
  GHashTable *live; /* const guint64 *: address on the current device → index + 1 of the record that allocates it */
  guint64 n_replaced;
} Arrangement;

/* --- levels ------------------------------------------------------------------------------------------------------- */

static gint64
get_change (const LoomMemoryRecord *record)
{
  return record->action == LOOM_MEMORY_ALLOC ? record->size : record->action == LOOM_MEMORY_FREE ? -record->size : 0;
}

static gint64
get_segment_change (const LoomMemoryRecord *record)
{
  return record->action == LOOM_MEMORY_SEGMENT_ALLOC  ? record->size
         : record->action == LOOM_MEMORY_SEGMENT_FREE ? -record->size
                                                      : 0;
}

/* Logs a note if two results for the number of bytes that were allocated before the first event differ. `computed`: the
 * bytes at the end minus all changes by events; `summed`: sum of the sizes of the blocks that were allocated before the
 * first event. The results can differ because some versions of PyTorch round up the sizes of blocks, but not the sizes
 * in events. */
static void
note_start (Arrangement *self, guint32 device, gint64 computed, gint64 summed)
{
  if (computed != summed)
    loom_import_log_printf (
      self->log, LOOM_SEVERITY_INFO, "start-level", LOOM_OFFSET_NONE,
      "GPU %u: according to the memory in use at the end and the recorded events, %" PRId64
      " bytes were allocated before the first event, but the blocks that existed then add up to %" PRId64 " bytes",
      device, computed, summed);
}

/* Sets the allocated and reserved bytes after each record. As PyTorch overwrites the oldest events, the file does not
 * state the bytes before the first remaining event. They are computed as the bytes at the end minus all changes by
 * events. If events are missing at the end of the file, this difference is unknown. In this case, the sum of the sizes
 * of the blocks that are known to have existed before the first event is used; it is a lower bound. */
static void
set_levels (Arrangement *self, LoomMemoryRecord *records, guint n, const LoomMemoryPool *pool)
{
  gint64 start = pool->active, reserved = pool->reserved, waiting = 0, existing = 0;
  for (guint i = 0; i < n; i++) {
    start -= get_change (&records[i]);
    reserved -= get_segment_change (&records[i]);
    existing += records[i].action == LOOM_MEMORY_EXISTING ? records[i].size : 0;
  }
  if (self->history->is_partial) {
    start = existing;
    reserved = 0;
  }
  note_start (self, pool->device, start, existing);
  gint64 allocated = start - existing;
  for (guint i = 0; i < n; i++) {
    LoomMemoryRecord *record = &records[i];
    allocated += record->action == LOOM_MEMORY_EXISTING ? record->size : get_change (record);
    reserved += get_segment_change (record);
    if (record->action == LOOM_MEMORY_FREE_REQUESTED)
      waiting += record->size;
    else if (record->action == LOOM_MEMORY_FREE)
      waiting = MAX (waiting - record->size, 0);
    record->allocated = allocated;
    record->reserved = MAX (reserved, 0);
    record->waiting = waiting;
  }
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void
end_block (Arrangement *self, LoomMemoryRecord *records, const LoomMemoryRecord *at)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->live, &at->address));
  if (index == 0)
    return;
  records[index - 1].end_ns = at->time_ns;
  g_hash_table_remove (self->live, &at->address);
}

/* Sets the ends of the blocks that the events of one device allocate. A block that no event frees lasts until the end
 * of the history. */
static void
end_blocks (Arrangement *self, LoomMemoryRecord *records, guint n)
{
  g_hash_table_remove_all (self->live);
  for (guint i = 0; i < n; i++) {
    if (records[i].action == LOOM_MEMORY_ALLOC) {
      self->n_replaced += g_hash_table_contains (self->live, &records[i].address);
      end_block (self, records, &records[i]);
      g_hash_table_insert (self->live, &records[i].address, GUINT_TO_POINTER (i + 1));
    } else if (records[i].action == LOOM_MEMORY_FREE)
      end_block (self, records, &records[i]);
  }
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, self->live);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    records[GPOINTER_TO_UINT (value) - 1].end_ns =
      MAX (self->history->end_ns, records[GPOINTER_TO_UINT (value) - 1].time_ns);
}

static double
get_weight (const LoomMemoryRecord *record)
{
  return (double) record->size * (double) (record->end_ns - record->time_ns);
}

static int
compare_weights (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x < y) - (x > y);
}

void
loom_memory_records_hide_small_blocks (LoomMemoryHistory *history, LoomImportLog *log)
{
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (double));
  LoomMemoryRecord *records = (LoomMemoryRecord *) (gpointer) history->records->data;
  for (guint i = 0; i < history->records->len; i++)
    if (records[i].end_ns != LOOM_TIME_NONE) {
      double weight = get_weight (&records[i]);
      g_array_append_val (weights, weight);
    }
  if (weights->len <= LOOM_MEMORY_MAX_BLOCKS)
    return;
  g_array_sort (weights, compare_weights);
  double least = g_array_index (weights, double, LOOM_MEMORY_MAX_BLOCKS - 1);
  guint64 n_hidden = 0;
  for (guint i = 0; i < history->records->len; i++)
    if (records[i].end_ns != LOOM_TIME_NONE && get_weight (&records[i]) < least) {
      records[i].end_ns = LOOM_TIME_NONE;
      n_hidden++;
    }
  loom_import_log_add_n (log, LOOM_SEVERITY_INFO, "not-shown", LOOM_OFFSET_NONE, n_hidden,
                         "A small or short-lived block is included in the curve, but not shown as a span");
}

/* --- making the records of one device ----------------------------------------------------------------------------- */

/* If an event frees a block that no event has allocated, the block was allocated before the first event. Adds each such
 * block to `all`. Afterwards, `live` contains the addresses that events allocate and no event frees. */
static void
add_freed (Arrangement *self, GArray *all, const LoomMemoryRecord *events, guint n)
{
  g_hash_table_remove_all (self->live);
  for (guint i = 0; i < n; i++) {
    if (events[i].action == LOOM_MEMORY_ALLOC)
      g_hash_table_insert (self->live, (gpointer) &events[i].address, GUINT_TO_POINTER (i + 1));
    else if (events[i].action == LOOM_MEMORY_FREE && !g_hash_table_remove (self->live, &events[i].address)) {
      const LoomMemoryRecord record = { .time_ns = events[0].time_ns,
                                        .end_ns = LOOM_TIME_NONE,
                                        .address = events[i].address,
                                        .size = events[i].size,
                                        .device = events[i].device,
                                        .action = LOOM_MEMORY_EXISTING };
      g_array_append_val (all, record);
    }
  }
}

/* Returns the records of a device: the blocks that were allocated before its first event, then the events. Owned by the
 * caller. */
static GArray *
list_device (Arrangement *self, const GArray *existing, const LoomMemoryRecord *events, guint n, guint32 device)
{
  GArray *all = g_array_sized_new (FALSE, FALSE, sizeof (LoomMemoryRecord), n + 16);
  gint64 first_ns = n > 0 ? events[0].time_ns : self->history->end_ns;
  add_freed (self, all, events, n);
  for (guint i = 0; (n == 0 || !self->history->is_partial) && i < existing->len; i++) {
    LoomMemoryRecord record = g_array_index (existing, LoomMemoryRecord, i);
    if (record.device != device || g_hash_table_contains (self->live, &record.address))
      continue;
    record.time_ns = first_ns;
    g_array_append_val (all, record);
  }
  g_array_append_vals (all, events, n);
  g_hash_table_remove_all (self->live);
  return all;
}

static void
arrange (Arrangement *self, const GArray *existing, const GArray *events)
{
  GArray *records = self->history->records;
  guint first = 0;
  for (guint i = 0; i < self->history->pools->len; i++) {
    const LoomMemoryPool *pool = &g_array_index (self->history->pools, LoomMemoryPool, i);
    g_autoptr (GArray) own = list_device (self, existing, &g_array_index (events, LoomMemoryRecord, first),
                                          (guint) pool->n_events, pool->device);
    set_levels (self, (LoomMemoryRecord *) (gpointer) own->data, own->len, pool);
    end_blocks (self, (LoomMemoryRecord *) (gpointer) own->data, own->len);
    g_hash_table_remove_all (self->live);
    g_array_append_vals (records, own->data, own->len);
    first += (guint) pool->n_events;
  }
}

guint64
loom_memory_records_arrange (LoomMemoryHistory *history, const GArray *existing, const GArray *events,
                             LoomImportLog *log)
{
  g_autoptr (GHashTable) live = g_hash_table_new (loom_int64_hash, g_int64_equal);
  Arrangement self = { .history = history, .log = log, .live = live };
  arrange (&self, existing, events);
  return self.n_replaced;
}
