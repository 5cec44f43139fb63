/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks events that were read from damaged parts of a file with LOOM_REF_SUSPECT. Such events may be garbage. They are
 * shown, but excluded from measurements.
 */
#include "loom-trace-builder-private.h"

typedef struct {
  guint source;
  guint64 from;
  gboolean only_open;
  guint64 n;
} Doubt;

static gboolean
is_meant (const Doubt *doubt, LoomRef ref)
{
  return ref != LOOM_REF_NONE && loom_source_ref_source (ref) == doubt->source &&
         loom_source_ref_offset (ref) >= doubt->from;
}

static void
doubt_instants (Doubt *doubt, const LoomChunkList *chunks)
{
  for (LoomChunk *chunk = chunks->first; chunk != NULL; chunk = chunk->next) {
    LoomRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      if (!is_meant (doubt, records[i].ref))
        continue;
      doubt->n++;
      if (!doubt->only_open)
        records[i].ref |= loom_source_ref_make (0, LOOM_REF_SUSPECT, 0);
    }
  }
}

/* Turns spans without an end into spans of length 0. The ends may have been lost in the corrupt data, so these spans
 * must not last until the end of the thread. */
static void
doubt_spans (Doubt *doubt, const LoomChunkList *chunks)
{
  doubt_instants (doubt, chunks);
  for (LoomChunk *chunk = chunks->first; chunk != NULL; chunk = chunk->next) {
    LoomRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      if (records[i].kind != LOOM_RECORD_SPAN || records[i].dur_ns >= 0 || !is_meant (doubt, records[i].ref))
        continue;
      records[i].dur_ns = 0;
      records[i].ref |= loom_source_ref_make (0, LOOM_REF_SUSPECT, 0);
    }
  }
}

guint64
loom_trace_builder_doubt (LoomTraceBuilder *builder, guint source, guint64 offset, gboolean only_open)
{
  Doubt doubt = { source, offset, only_open, 0 };
  for (guint i = 0; i < builder->threads->len; i++) {
    LoomThreadEntry *thread = &g_array_index (builder->threads, LoomThreadEntry, i);
    doubt_spans (&doubt, &thread->spans);
    doubt_instants (&doubt, &thread->instants);
  }
  for (guint i = 0; i < builder->processes->len; i++)
    doubt_instants (&doubt, &loom_trace_builder_peek_process (builder, i)->instants);
  for (guint i = 0; i < builder->sources->len; i++)
    doubt_instants (&doubt, &g_array_index (builder->sources, LoomSourceEntry, i).instants);
  return doubt.n;
}

guint64
loom_trace_builder_find_open (LoomTraceBuilder *builder, guint source, guint64 offset)
{
  const Doubt doubt = { source, offset, FALSE, 0 };
  guint64 first = G_MAXUINT64;
  for (guint t = 0; t < builder->threads->len; t++)
    for (LoomChunk *chunk = g_array_index (builder->threads, LoomThreadEntry, t).spans.first; chunk != NULL;
         chunk = chunk->next) {
      const LoomRecord *records = loom_chunk_list_data (chunk);
      for (guint32 i = 0; i < chunk->n; i++)
        if (records[i].kind == LOOM_RECORD_SPAN && records[i].dur_ns == LOOM_DUR_OPEN &&
            is_meant (&doubt, records[i].ref))
          first = MIN (first, loom_source_ref_offset (records[i].ref));
    }
  return first;
}
