/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of LoomTraceBuilder that move events which were added already. Importers call them at the end of a file,
 * when they know, for example, that a thread of the file is really two threads, or that a series belongs to another
 * counter.
 */
#include "loom-int64-hash.h"
#include "loom-trace-builder-private.h"

#include <string.h>

guint32
loom_trace_builder_get_n_names (LoomTraceBuilder *builder)
{
  return builder->names.entries->len;
}

const char *
loom_trace_builder_name_get_category (LoomTraceBuilder *builder, guint32 name)
{
  g_return_val_if_fail (name < builder->names.entries->len, "");
  return loom_name_interner_get (&builder->names, name)->category;
}

const char *
loom_trace_builder_name_get_text (LoomTraceBuilder *builder, guint32 name)
{
  g_return_val_if_fail (name < builder->names.entries->len, "");
  return loom_name_interner_get (&builder->names, name)->text;
}

void
loom_trace_builder_process_copy (LoomTraceBuilder *builder, guint32 process, guint32 from)
{
  g_return_if_fail (process < builder->processes->len && from < builder->processes->len);
  const LoomProcessEntry *entry = loom_trace_builder_peek_process (builder, from);
  loom_trace_builder_process_set_label (builder, process, entry->label);
  loom_trace_builder_process_add_labels (builder, process, entry->labels);
  loom_trace_builder_process_add_flags (builder, process, entry->flags);
  loom_trace_builder_process_set_recorder (builder, process, entry->path, entry->format);
  if (entry->has_sort)
    loom_trace_builder_process_set_sort (builder, process, entry->sort);
}

void
loom_trace_builder_thread_set_process (LoomTraceBuilder *builder, guint32 thread, guint32 process)
{
  g_return_if_fail (thread < builder->threads->len && process < builder->processes->len);
  loom_trace_builder_peek_thread (builder, thread)->process = process;
}

/* Returns the records of a chunk. If another builder assigned the ids in these records, first replaces them by ids of
 * this builder. */
static LoomRecord *
own_records (LoomChunk *chunk)
{
  LoomRecord *records = loom_chunk_list_data (chunk);
  for (guint32 i = 0; chunk->remap != NULL && i < chunk->n; i++)
    records[i].name_id = chunk->remap->names[records[i].name_id];
  chunk->remap = NULL;
  return records;
}

guint
loom_trace_builder_thread_get_kinds (LoomTraceBuilder *builder, guint32 thread, const guint8 *kind_of_name)
{
  g_return_val_if_fail (thread < builder->threads->len, 0);
  LoomThreadEntry *entry = loom_trace_builder_peek_thread (builder, thread);
  const LoomChunkList *lists[] = { &entry->spans, &entry->instants };
  guint kinds = 0;
  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    for (LoomChunk *chunk = lists[list]->first; chunk != NULL; chunk = chunk->next) {
      const LoomRecord *records = own_records (chunk);
      for (guint32 i = 0; i < chunk->n; i++)
        kinds |= kind_of_name[records[i].name_id];
    }
  return kinds;
}

static void
move_records (LoomChunkList *from, LoomChunkList *to, const guint8 *kind_of_name, guint kind)
{
  for (LoomChunk *chunk = from->first; chunk != NULL; chunk = chunk->next) {
    LoomRecord *records = own_records (chunk);
    guint32 n_kept = 0;
    for (guint32 i = 0; i < chunk->n; i++) {
      if (kind_of_name[records[i].name_id] == kind)
        *(LoomRecord *) loom_chunk_list_append (to, sizeof *records) = records[i];
      else
        records[n_kept++] = records[i];
    }
    from->n -= chunk->n - n_kept;
    chunk->n = n_kept;
  }
}

void
loom_trace_builder_thread_move_kind (LoomTraceBuilder *builder, guint32 thread, guint32 to, const guint8 *kind_of_name,
                                     guint kind)
{
  g_return_if_fail (thread < builder->threads->len && to < builder->threads->len && thread != to);
  LoomThreadEntry *from = loom_trace_builder_peek_thread (builder, thread),
                  *target = loom_trace_builder_peek_thread (builder, to);
  move_records (&from->spans, &target->spans, kind_of_name, kind);
  move_records (&from->instants, &target->instants, kind_of_name, kind);
}

static void
settle_flows (LoomChunk *chunk)
{
  LoomFlowRecord *records = loom_chunk_list_data (chunk);
  for (guint32 i = 0; chunk->remap != NULL && i < chunk->n; i++) {
    records[i].name_id = chunk->remap->names[records[i].name_id];
    records[i].thread = chunk->remap->threads[records[i].thread];
  }
  chunk->remap = NULL;
}

void
loom_trace_builder_move_flows (LoomTraceBuilder *builder, const guint32 *to, guint32 n_threads,
                               gboolean (*moves) (char phase, const char *category))
{
  for (LoomChunk *chunk = builder->flows.first; chunk != NULL; chunk = chunk->next) {
    LoomFlowRecord *records = loom_chunk_list_data (chunk);
    settle_flows (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      guint32 thread = records[i].thread;
      if (thread < n_threads && to[thread] != LOOM_ID_NONE &&
          moves ((char) records[i].phase, loom_trace_builder_name_get_category (builder, records[i].name_id)))
        records[i].thread = to[thread];
    }
  }
}

/* Value that is stored instead of a process index if a flow starts in several processes. */
#define SEVERAL (LOOM_ID_NONE - 1)

static guint32
get_flow_process (const LoomTraceBuilder *builder, const LoomFlowRecord *record)
{
  return loom_trace_builder_peek_thread (builder, record->thread)->process;
}

/* Adds to `starts` the process in which each flow starts: key → process + 1. */
static void
note_starts (LoomTraceBuilder *builder, GHashTable *starts)
{
  for (LoomChunk *chunk = builder->flows.first; chunk != NULL; chunk = chunk->next) {
    LoomFlowRecord *records = loom_chunk_list_data (chunk);
    settle_flows (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      if (records[i].phase != 's' || records[i].key == 0)
        continue;
      guint32 process = get_flow_process (builder, &records[i]),
              known = GPOINTER_TO_UINT (g_hash_table_lookup (starts, &records[i].key));
      if (known == 0 || known - 1 != process)
        g_hash_table_insert (starts, &records[i].key, GUINT_TO_POINTER ((known == 0 ? process : SEVERAL) + 1));
    }
  }
}

static void
note_origin (guint32 *origin, guint32 process)
{
  *origin = *origin == LOOM_ID_NONE || *origin == process ? process : SEVERAL;
}

void
loom_trace_builder_find_flow_origins (LoomTraceBuilder *builder, guint32 *origins, guint32 n_processes)
{
  g_autoptr (GHashTable) starts = g_hash_table_new (loom_int64_hash, g_int64_equal);
  memset (origins, 0xFF, n_processes * sizeof *origins);
  note_starts (builder, starts);
  for (LoomChunk *chunk = builder->flows.first; chunk != NULL; chunk = chunk->next) {
    LoomFlowRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      guint32 process = get_flow_process (builder, &records[i]),
              start = GPOINTER_TO_UINT (g_hash_table_lookup (starts, &records[i].key));
      if (records[i].phase == 'f' && process < n_processes && start != 0 && start - 1 != SEVERAL &&
          start - 1 != process)
        note_origin (&origins[process], start - 1);
    }
  }
  for (guint32 i = 0; i < n_processes; i++)
    if (origins[i] == SEVERAL)
      origins[i] = LOOM_ID_NONE;
}

/* --- series of counters ------------------------------------------------------------------------------------------- */

guint32
loom_trace_builder_get_n_series (LoomTraceBuilder *builder)
{
  return builder->series->len;
}

guint32
loom_trace_builder_series_get_counter (LoomTraceBuilder *builder, guint32 series)
{
  g_return_val_if_fail (series < builder->series->len, LOOM_ID_NONE);
  return loom_trace_builder_peek_series (builder, series)->counter;
}

const char *
loom_trace_builder_series_get_name (LoomTraceBuilder *builder, guint32 series)
{
  g_return_val_if_fail (series < builder->series->len, "");
  return loom_trace_builder_peek_series (builder, series)->name;
}

guint32
loom_trace_builder_counter_get_process (LoomTraceBuilder *builder, guint32 counter)
{
  g_return_val_if_fail (counter < builder->counters->len, LOOM_ID_NONE);
  return loom_trace_builder_peek_counter (builder, counter)->process;
}

const char *
loom_trace_builder_counter_get_name (LoomTraceBuilder *builder, guint32 counter)
{
  g_return_val_if_fail (counter < builder->counters->len, "");
  return loom_string_pool_get (builder->labels, loom_trace_builder_peek_counter (builder, counter)->name);
}

void
loom_trace_builder_series_take_samples (LoomTraceBuilder *builder, guint32 series, guint32 from)
{
  g_return_if_fail (series < builder->series->len && from < builder->series->len && series != from);
  loom_chunk_list_join (&loom_trace_builder_peek_series (builder, series)->samples,
                        &loom_trace_builder_peek_series (builder, from)->samples, NULL);
}
