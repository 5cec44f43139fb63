/* SPDX-License-Identifier: Apache-2.0
 *
 * Appending: every event becomes one record in the chunks of its thread, process, series or correlation.
 */
#include "loom-builder-private.h"

#include <glib/gi18n.h>
#include <math.h>

static void
clear_source_entry (gpointer data)
{
  LoomSourceEntry *entry = data;
  loom_source_free (entry->source);
  loom_chunks_clear (&entry->instants);
}

static void
clear_clock (gpointer data)
{
  LoomClockDecl **decl = data;
  if (*decl == NULL)
    return;
  loom_clock_decl_clear (*decl);
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

LoomBuilder *
loom_builder_new (void)
{
  LoomBuilder *builder = g_new0 (LoomBuilder, 1);
  builder->sources = g_array_new (FALSE, TRUE, sizeof (LoomSourceEntry));
  g_array_set_clear_func (builder->sources, clear_source_entry);
  builder->clocks = g_array_new (FALSE, TRUE, sizeof (LoomClockDecl *));
  g_array_set_clear_func (builder->clocks, clear_clock);
  builder->meetings = g_array_new (FALSE, FALSE, sizeof (LoomMeeting));
  builder->meeting_texts = loom_strings_new ();
  builder->remaps = g_ptr_array_new_with_free_func (free_remap);
  loom_keys_init (&builder->keys);
  loom_names_init (&builder->names);
  loom_builder_init_entities (builder);
  builder->offset = LOOM_OFFSET_NONE;
  return builder;
}

void
loom_builder_set_offset (LoomBuilder *builder, guint64 offset)
{
  builder->offset = offset;
}

void
loom_builder_free (LoomBuilder *builder)
{
  if (builder == NULL)
    return;
  loom_builder_clear_entities (builder);
  loom_chunks_clear (&builder->flows);
  loom_chunks_clear (&builder->async);
  loom_names_clear (&builder->names);
  loom_keys_clear (&builder->keys);
  g_array_unref (builder->sources);
  g_array_unref (builder->clocks);
  g_array_unref (builder->meetings);
  loom_strings_free (builder->meeting_texts);
  g_ptr_array_unref (builder->remaps);
  g_free (builder);
}

guint
loom_builder_add_clock (LoomBuilder *builder)
{
  LoomClockDecl *decl = g_new0 (LoomClockDecl, 1);
  decl->sync_error_ns = -1;
  g_array_append_val (builder->clocks, decl);
  return builder->clocks->len - 1;
}

LoomClockDecl *
loom_builder_get_clock (LoomBuilder *builder, guint clock)
{
  g_return_val_if_fail (clock < builder->clocks->len, NULL);
  return g_array_index (builder->clocks, LoomClockDecl *, clock);
}

void
loom_builder_append_source (LoomBuilder *builder, LoomSource *source)
{
  LoomSourceEntry entry = { .source = source };
  g_array_append_val (builder->sources, entry);
}

guint
loom_builder_add_source (LoomBuilder *builder, LoomSource *source, guint clock)
{
  g_return_val_if_fail (source != NULL && clock < builder->clocks->len, 0);
  g_return_val_if_fail (builder->sources->len < LOOM_REF_MAX_SOURCES - 1, 0);
  source->clock = clock;
  loom_builder_append_source (builder, source);
  return builder->sources->len - 1;
}

LoomSource *
loom_builder_get_source (LoomBuilder *builder, guint source)
{
  g_return_val_if_fail (source < builder->sources->len, NULL);
  return loom_builder_peek_source (builder, source)->source;
}

guint
loom_builder_get_n_sources (LoomBuilder *builder)
{
  return builder->sources->len;
}

guint32
loom_builder_name (LoomBuilder *builder, const char *text, gsize length, const char *category, gsize category_length,
                   const char *cname, gsize cname_length)
{
  return loom_names_intern (&builder->names, text, length, category, category_length, cname, cname_length);
}

/* TRUE, and logged, when no more events fit the 32-bit indices of the columns. */
static inline gboolean
is_full (LoomBuilder *builder, LoomRef ref)
{
  if (G_LIKELY (builder->n_events < LOOM_MOST_EVENTS))
    return FALSE;
  loom_builder_log_full (builder, loom_builder_source_of (builder, ref, 0), 1);
  return TRUE;
}

static inline void
append_record (LoomBuilder *builder, LoomChunks *chunks, gint64 time_ns, gint64 dur_ns, LoomRef ref, guint32 name_id,
               guint32 kind)
{
  if (is_full (builder, ref))
    return;
  LoomRecord *record = loom_chunks_append (chunks, sizeof *record);
  *record = (LoomRecord) { time_ns, dur_ns, ref, name_id, kind };
  builder->n_events++;
}

void
loom_builder_log_full (LoomBuilder *builder, guint source, guint64 n)
{
  if (source < builder->sources->len)
    loom_log_add_n (loom_builder_peek_source (builder, source)->source->log, LOOM_SEVERITY_ERROR, "too-many-events",
                    LOOM_OFFSET_NONE, n, "A trace holds four thousand million events; the rest were left out");
}

static void
log_event (LoomBuilder *builder, guint32 process, LoomRef ref, const char *code, const char *message)
{
  guint source = loom_builder_source_of (builder, ref, loom_builder_peek_process (builder, process)->source);
  if (source < builder->sources->len)
    loom_log_add (loom_builder_peek_source (builder, source)->source->log, LOOM_SEVERITY_WARNING, code,
                  ref == LOOM_REF_NONE ? LOOM_OFFSET_NONE : loom_ref_offset (ref), message);
}

void
loom_builder_span (LoomBuilder *builder, guint32 thread, gint64 start_ns, gint64 dur_ns, guint32 name_id, LoomRef ref)
{
  g_return_if_fail (thread < builder->threads->len);
  LoomThreadEntry *entry = loom_builder_peek_thread (builder, thread);
  if (G_UNLIKELY (dur_ns < 0 && dur_ns != LOOM_DUR_OPEN && dur_ns != LOOM_DUR_TO_NEXT)) {
    log_event (builder, entry->process, ref, "negative-duration", N_ ("A span ends before it starts and was left out"));
    return;
  }
  if (G_UNLIKELY (start_ns > 0 && dur_ns > G_MAXINT64 - start_ns))
    dur_ns = G_MAXINT64 - start_ns;
  append_record (builder, &entry->spans, start_ns, dur_ns, ref, name_id, LOOM_RECORD_SPAN);
}

void
loom_builder_begin (LoomBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref)
{
  g_return_if_fail (thread < builder->threads->len);
  append_record (builder, &loom_builder_peek_thread (builder, thread)->spans, time_ns, 0, ref, name_id,
                 LOOM_RECORD_BEGIN);
}

void
loom_builder_end (LoomBuilder *builder, guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref, gboolean has_args)
{
  g_return_if_fail (thread < builder->threads->len);
  append_record (builder, &loom_builder_peek_thread (builder, thread)->spans, time_ns, 0, ref, name_id,
                 has_args ? LOOM_RECORD_END_WITH_ARGS : LOOM_RECORD_END);
}

static LoomChunks *
instants_of (LoomBuilder *builder, guint source, guint32 process, guint32 thread, char phase)
{
  if (thread != LOOM_ID_NONE && thread < builder->threads->len) {
    LoomThreadEntry *entry = loom_builder_peek_thread (builder, thread);
    return phase == 'P' ? &entry->samples : &entry->instants;
  }
  if (process != LOOM_ID_NONE && process < builder->processes->len)
    return &loom_builder_peek_process (builder, process)->instants;
  return &loom_builder_peek_source (builder, source)->instants;
}

void
loom_builder_instant (LoomBuilder *builder, guint source, guint32 process, guint32 thread, gint64 time_ns,
                      guint32 name_id, char phase, char scope, LoomRef ref)
{
  g_return_if_fail (source < builder->sources->len);
  gint64 marks = (gint64) (guchar) phase | (gint64) (guchar) scope << 8;
  append_record (builder, instants_of (builder, source, process, thread, phase), time_ns, marks, ref, name_id,
                 LOOM_RECORD_SPAN);
}

void
loom_builder_thread_take_samples (LoomBuilder *builder, guint32 thread, guint32 from)
{
  g_return_if_fail (thread < builder->threads->len && from < builder->threads->len && thread != from);
  loom_chunks_join (&loom_builder_peek_thread (builder, thread)->samples, &loom_builder_peek_thread (builder, from)->samples, NULL);
}

void
loom_builder_sample (LoomBuilder *builder, guint32 series, gint64 time_ns, double value, LoomRef ref)
{
  g_return_if_fail (series < builder->series->len);
  LoomSeriesEntry *entry = loom_builder_peek_series (builder, series);
  if (G_UNLIKELY (!isfinite (value))) {
    log_event (builder, loom_builder_peek_counter (builder, entry->counter)->process, ref, "non-finite-value",
               N_ ("A counter value is not a finite number and was left out"));
    return;
  }
  if (is_full (builder, ref))
    return;
  LoomSample *sample = loom_chunks_append (&entry->samples, sizeof *sample);
  *sample = (LoomSample) { time_ns, value, ref };
  builder->n_events++;
}

guint32
loom_builder_key (LoomBuilder *builder, const char *text, gsize length)
{
  return loom_keys_intern (&builder->keys, text, length);
}

void
loom_builder_flow (LoomBuilder *builder, guint32 thread, char phase, gboolean bind_enclosing, gint64 time_ns,
                   guint64 key, guint32 name_id, LoomRef ref)
{
  g_return_if_fail (thread < builder->threads->len);
  if (is_full (builder, ref))
    return;
  if (phase == 'f' && !bind_enclosing && ref != LOOM_REF_NONE)
    ref |= loom_ref_make (0, LOOM_REF_NEXT, 0);
  LoomFlowRecord *record = loom_chunks_append (&builder->flows, sizeof *record);
  *record = (LoomFlowRecord) { time_ns, ref, key, name_id, thread, (guint8) phase, bind_enclosing != FALSE };
  builder->n_events++;
}

void
loom_builder_async (LoomBuilder *builder, guint32 process, char phase, guint32 key, gint64 time_ns, guint32 name_id,
                    LoomRef ref)
{
  g_return_if_fail (process < builder->processes->len);
  if (is_full (builder, ref))
    return;
  LoomAsyncRecord *record = loom_chunks_append (&builder->async, sizeof *record);
  *record = (LoomAsyncRecord) { time_ns, ref, key, name_id, process, (guchar) phase };
  builder->n_events++;
}

void
loom_builder_leave_out_arrows (LoomBuilder *builder)
{
  builder->no_arrows = TRUE;
}

guint64
loom_builder_get_n_events (LoomBuilder *builder)
{
  return builder->n_events;
}
