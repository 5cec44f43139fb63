/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of LoomTraceBuilder that append events. Each event becomes one record in a list of chunks (LoomChunkList).
 * There is one list for each thread, process and series, one for all flow events, and one for all async events.
 */
#include "loom-trace-builder-private.h"

#include <glib/gi18n.h>
#include <math.h>

static void
clear_source_entry (gpointer data)
{
  LoomSourceEntry *entry = data;
  loom_source_free (entry->source);
  loom_chunk_list_clear (&entry->instants);
}

static void
clear_clock (gpointer data)
{
  LoomDeclaredClock **decl = data;
  if (*decl == NULL)
    return;
  loom_declared_clock_clear (*decl);
  g_free (*decl);
}

static void
free_remap (gpointer data)
{
  LoomRemap *remap = data;
  g_free (remap->names);
  g_free (remap->keys);
  g_free (remap->processes);
  g_free (remap->threads);
  g_free (remap);
}

LoomTraceBuilder *
loom_trace_builder_new (void)
{
  LoomTraceBuilder *builder = g_new0 (LoomTraceBuilder, 1);
  builder->sources = g_array_new (FALSE, TRUE, sizeof (LoomSourceEntry));
  g_array_set_clear_func (builder->sources, clear_source_entry);
  builder->clocks = g_array_new (FALSE, TRUE, sizeof (LoomDeclaredClock *));
  g_array_set_clear_func (builder->clocks, clear_clock);
  builder->meetings = g_array_new (FALSE, FALSE, sizeof (LoomSyncEvent));
  builder->meeting_texts = loom_string_pool_new ();
  builder->remaps = g_ptr_array_new_with_free_func (free_remap);
  loom_correlation_ids_init (&builder->keys);
  loom_name_interner_init (&builder->names);
  loom_trace_builder_init_entities (builder);
  builder->offset = LOOM_OFFSET_NONE;
  return builder;
}

void
loom_trace_builder_set_offset (LoomTraceBuilder *builder, guint64 offset)
{
  builder->offset = offset;
}

void
loom_trace_builder_free (LoomTraceBuilder *builder)
{
  if (builder == NULL)
    return;
  loom_trace_builder_clear_entities (builder);
  loom_chunk_list_clear (&builder->flows);
  loom_chunk_list_clear (&builder->async);
  loom_name_interner_clear (&builder->names);
  loom_correlation_ids_clear (&builder->keys);
  g_array_unref (builder->sources);
  g_array_unref (builder->clocks);
  g_array_unref (builder->meetings);
  loom_string_pool_free (builder->meeting_texts);
  g_ptr_array_unref (builder->remaps);
  g_free (builder);
}

guint
loom_trace_builder_add_clock (LoomTraceBuilder *builder)
{
  LoomDeclaredClock *decl = g_new0 (LoomDeclaredClock, 1);
  decl->sync_error_ns = -1;
  g_array_append_val (builder->clocks, decl);
  return builder->clocks->len - 1;
}

LoomDeclaredClock *
loom_trace_builder_get_clock (LoomTraceBuilder *builder, guint clock)
{
  g_return_val_if_fail (clock < builder->clocks->len, NULL);
  return g_array_index (builder->clocks, LoomDeclaredClock *, clock);
}

void
loom_trace_builder_append_source (LoomTraceBuilder *builder, LoomSource *source)
{
  LoomSourceEntry entry = { .source = source };
  g_array_append_val (builder->sources, entry);
}

guint
loom_trace_builder_add_source (LoomTraceBuilder *builder, LoomSource *source, guint clock)
{
  g_return_val_if_fail (source != NULL && clock < builder->clocks->len, 0);
  g_return_val_if_fail (builder->sources->len < LOOM_REF_MAX_SOURCES - 1, 0);
  source->clock = clock;
  loom_trace_builder_append_source (builder, source);
  return builder->sources->len - 1;
}

LoomSource *
loom_trace_builder_get_source (LoomTraceBuilder *builder, guint source)
{
  g_return_val_if_fail (source < builder->sources->len, NULL);
  return loom_trace_builder_peek_source (builder, source)->source;
}

guint
loom_trace_builder_get_n_sources (LoomTraceBuilder *builder)
{
  return builder->sources->len;
}

guint32
loom_trace_builder_name (LoomTraceBuilder *builder, const char *text, gsize length, const char *category,
                         gsize category_length, const char *cname, gsize cname_length)
{
  return loom_name_interner_intern (&builder->names, text, length, category, category_length, cname, cname_length);
}

/* Returns TRUE and logs a problem if the 32-bit indices of the columns leave no room for more events. */
static inline gboolean
is_full (LoomTraceBuilder *builder, LoomRef ref)
{
  if (G_LIKELY (builder->n_events < LOOM_MOST_EVENTS))
    return FALSE;
  loom_trace_builder_log_full (builder, loom_trace_builder_source_of (builder, ref, 0), 1);
  return TRUE;
}

static inline void
append_record (LoomTraceBuilder *builder, LoomChunkList *chunks, gint64 time_ns, gint64 dur_ns, LoomRef ref,
               guint32 name_id, guint32 kind)
{
  if (is_full (builder, ref))
    return;
  LoomRecord *record = loom_chunk_list_append (chunks, sizeof *record);
  *record = (LoomRecord) { time_ns, dur_ns, ref, name_id, kind };
  builder->n_events++;
}

void
loom_trace_builder_log_full (LoomTraceBuilder *builder, guint source, guint64 n)
{
  if (source < builder->sources->len)
    loom_import_log_add_n (loom_trace_builder_peek_source (builder, source)->source->log, LOOM_SEVERITY_ERROR,
                           "too-many-events", LOOM_OFFSET_NONE, n,
                           "The trace has more than 4 billion events; further events were skipped");
}

static void
log_event (LoomTraceBuilder *builder, guint32 process, LoomRef ref, const char *code, const char *message)
{
  guint source =
    loom_trace_builder_source_of (builder, ref, loom_trace_builder_peek_process (builder, process)->source);
  if (source < builder->sources->len)
    loom_import_log_add (loom_trace_builder_peek_source (builder, source)->source->log, LOOM_SEVERITY_WARNING, code,
                         ref == LOOM_REF_NONE ? LOOM_OFFSET_NONE : loom_source_ref_offset (ref), message);
}

void
loom_trace_builder_span (LoomTraceBuilder *builder, guint32 thread, gint64 start_ns, gint64 dur_ns, guint32 name_id,
                         LoomRef ref)
{
  g_return_if_fail (thread < builder->threads->len);
  LoomThreadEntry *entry = loom_trace_builder_peek_thread (builder, thread);
  if (G_UNLIKELY (dur_ns < 0 && dur_ns != LOOM_DUR_OPEN && dur_ns != LOOM_DUR_TO_NEXT)) {
    log_event (builder, entry->process, ref, "negative-duration", N_ ("A span ends before it starts and was skipped"));
    return;
  }
  if (G_UNLIKELY (start_ns > 0 && dur_ns > G_MAXINT64 - start_ns))
    dur_ns = G_MAXINT64 - start_ns;
  builder->has_open |= dur_ns < 0;
  append_record (builder, &entry->spans, start_ns, dur_ns, ref, name_id, LOOM_RECORD_SPAN);
}

void
loom_trace_builder_begin (LoomTraceBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref)
{
  g_return_if_fail (thread < builder->threads->len);
  builder->has_open = TRUE;
  append_record (builder, &loom_trace_builder_peek_thread (builder, thread)->spans, time_ns, 0, ref, name_id,
                 LOOM_RECORD_BEGIN);
}

void
loom_trace_builder_end (LoomTraceBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref,
                        gboolean has_args)
{
  g_return_if_fail (thread < builder->threads->len);
  append_record (builder, &loom_trace_builder_peek_thread (builder, thread)->spans, time_ns, 0, ref, name_id,
                 has_args ? LOOM_RECORD_END_WITH_ARGS : LOOM_RECORD_END);
}

static LoomChunkList *
instants_of (LoomTraceBuilder *builder, guint source, guint32 process, guint32 thread, char phase)
{
  if (thread != LOOM_ID_NONE && thread < builder->threads->len) {
    LoomThreadEntry *entry = loom_trace_builder_peek_thread (builder, thread);
    return phase == 'P' ? &entry->samples : &entry->instants;
  }
  if (process != LOOM_ID_NONE && process < builder->processes->len)
    return &loom_trace_builder_peek_process (builder, process)->instants;
  return &loom_trace_builder_peek_source (builder, source)->instants;
}

void
loom_trace_builder_instant (LoomTraceBuilder *builder, guint source, guint32 process, guint32 thread, gint64 time_ns,
                            guint32 name_id, char phase, char scope, LoomRef ref)
{
  g_return_if_fail (source < builder->sources->len);
  gint64 marks = (gint64) (guchar) phase | (gint64) (guchar) scope << 8;
  append_record (builder, instants_of (builder, source, process, thread, phase), time_ns, marks, ref, name_id,
                 LOOM_RECORD_SPAN);
}

void
loom_trace_builder_thread_take_samples (LoomTraceBuilder *builder, guint32 thread, guint32 from)
{
  g_return_if_fail (thread < builder->threads->len && from < builder->threads->len && thread != from);
  loom_chunk_list_join (&loom_trace_builder_peek_thread (builder, thread)->samples,
                        &loom_trace_builder_peek_thread (builder, from)->samples, NULL);
}

void
loom_trace_builder_sample (LoomTraceBuilder *builder, guint32 series, gint64 time_ns, double value, LoomRef ref)
{
  g_return_if_fail (series < builder->series->len);
  LoomSeriesEntry *entry = loom_trace_builder_peek_series (builder, series);
  if (G_UNLIKELY (!isfinite (value))) {
    log_event (builder, loom_trace_builder_peek_counter (builder, entry->counter)->process, ref, "non-finite-value",
               N_ ("A counter value is not a finite number and was skipped"));
    return;
  }
  if (is_full (builder, ref))
    return;
  LoomSample *sample = loom_chunk_list_append (&entry->samples, sizeof *sample);
  *sample = (LoomSample) { time_ns, value, ref };
  builder->n_events++;
}

guint32
loom_trace_builder_key (LoomTraceBuilder *builder, const char *text, gsize length)
{
  return loom_correlation_ids_intern (&builder->keys, text, length);
}

void
loom_trace_builder_flow (LoomTraceBuilder *builder, guint32 thread, char phase, gboolean bind_enclosing, gint64 time_ns,
                         guint64 key, guint32 name_id, LoomRef ref)
{
  g_return_if_fail (thread < builder->threads->len);
  if (is_full (builder, ref))
    return;
  if (phase == 'f' && !bind_enclosing && ref != LOOM_REF_NONE)
    ref |= loom_source_ref_make (0, LOOM_REF_NEXT, 0);
  LoomFlowRecord *record = loom_chunk_list_append (&builder->flows, sizeof *record);
  *record = (LoomFlowRecord) { time_ns, ref, key, name_id, thread, (guint8) phase, bind_enclosing != FALSE };
  builder->n_events++;
}

void
loom_trace_builder_async (LoomTraceBuilder *builder, guint32 process, char phase, guint32 key, gint64 time_ns,
                          guint32 name_id, LoomRef ref)
{
  g_return_if_fail (process < builder->processes->len);
  if (is_full (builder, ref))
    return;
  builder->has_open |= phase == 'S';
  LoomAsyncRecord *record = loom_chunk_list_append (&builder->async, sizeof *record);
  *record = (LoomAsyncRecord) { time_ns, ref, key, name_id, process, (guchar) phase };
  builder->n_events++;
}

void
loom_trace_builder_source_extend_open (LoomTraceBuilder *builder, guint source, gint64 until_ns)
{
  g_return_if_fail (source < builder->sources->len);
  LoomSourceEntry *entry = loom_trace_builder_peek_source (builder, source);
  entry->extends_open = TRUE;
  entry->until_ns = until_ns;
}

void
loom_trace_builder_leave_out_arrows (LoomTraceBuilder *builder)
{
  builder->no_arrows = TRUE;
}

guint64
loom_trace_builder_get_n_events (LoomTraceBuilder *builder)
{
  return builder->n_events;
}
