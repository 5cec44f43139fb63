/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What a builder holds, for the files that fill it and for freeze, which consumes it.
 */
#pragma once

#include "loom-chunk-list.h"
#include "loom-correlation-ids.h"
#include "loom-name-interner.h"
#include "loom-trace-builder.h"

G_BEGIN_DECLS

typedef struct {
  guint64 offset; /* LoomTraceBuilder.offset when it was added; so below */
  guint source;
  const char *key; /* in `process_keys` */
  char *label;     /* NULL before */
  char *labels;    /* NULL, or comma-separated, each once */
  char *node;      /* NULL: as the source says */
  gint rank;
  gboolean has_place, has_sort;
  gboolean is_rest; /* stands for all that came when there were too many */
  gint64 sort;
  guint flags;
  LoomChunkList instants; /* LoomRecord */
} LoomProcessEntry;

typedef struct {
  guint64 offset;
  guint32 process;
  const char *key; /* in `thread_keys` */
  char *label;
  gint64 sort;
  gboolean has_sort;
  gboolean is_rest;
  guint flags;
  guint32 next, previous; /* of a lane that goes on in the next file; LOOM_ID_NONE */
  LoomChunkList spans;    /* LoomRecord */
  LoomChunkList instants; /* LoomRecord */
  LoomChunkList samples;  /* LoomRecord; instants of phase P, which have a lane of their own */
} LoomThreadEntry;

typedef struct {
  guint64 offset;
  guint32 process;
  guint32 category, name, id; /* in `labels` */
} LoomCounterEntry;

typedef struct {
  guint64 offset;
  guint32 counter;
  const char *name; /* in `series_keys` */
  char *unit;
  LoomChunkList samples; /* LoomSample */
} LoomSeriesEntry;

typedef struct {
  LoomSource *source;
  LoomChunkList instants; /* LoomRecord; global ones */
} LoomSourceEntry;

/* Events of one owner follow one another: the key asked for last is mostly the next one too. */
typedef struct {
  const char *key; /* NULL before */
  gsize length;
  guint32 owner, id;
} LoomLastKey;

struct _LoomTraceBuilder {
  GArray *sources; /* LoomSourceEntry */
  GArray *clocks;  /* LoomDeclaredClock * : pointers stay valid */
  LoomNameInterner names;
  LoomStringPool *labels;
  LoomCorrelationIds keys; /* of async */
  /* Composite keys: the owner's number in four bytes, then the text. Id of the entry = id of the key − 1. */
  LoomStringPool *process_keys, *thread_keys, *counter_keys, *series_keys;
  LoomLastKey last_process, last_thread;
  GArray *processes;   /* LoomProcessEntry */
  GArray *threads;     /* LoomThreadEntry */
  GArray *counters;    /* LoomCounterEntry */
  GArray *series;      /* LoomSeriesEntry */
  LoomChunkList flows; /* LoomFlowRecord */
  LoomChunkList async; /* LoomAsyncRecord */
  GArray *meetings;    /* LoomSyncEvent; `track` is a thread */
  LoomStringPool *meeting_texts;
  GPtrArray *remaps; /* LoomRemap * */
  guint64 n_events;
  guint64 offset;    /* of the event that is fed now, for what is told of it; LOOM_OFFSET_NONE */
  guint most_tracks; /* of each kind */
  gboolean no_arrows;
};

/* What stands for all tracks beyond the limit is called so; owned. */
char *loom_trace_builder_dup_rest_label (const LoomTraceBuilder *builder);

static inline LoomProcessEntry *
loom_trace_builder_peek_process (const LoomTraceBuilder *builder, guint32 process)
{
  return &g_array_index (builder->processes, LoomProcessEntry, process);
}

static inline LoomThreadEntry *
loom_trace_builder_peek_thread (const LoomTraceBuilder *builder, guint32 thread)
{
  return &g_array_index (builder->threads, LoomThreadEntry, thread);
}

static inline LoomCounterEntry *
loom_trace_builder_peek_counter (const LoomTraceBuilder *builder, guint32 counter)
{
  return &g_array_index (builder->counters, LoomCounterEntry, counter);
}

static inline LoomSeriesEntry *
loom_trace_builder_peek_series (const LoomTraceBuilder *builder, guint32 series)
{
  return &g_array_index (builder->series, LoomSeriesEntry, series);
}

static inline LoomSourceEntry *
loom_trace_builder_peek_source (const LoomTraceBuilder *builder, guint source)
{
  return &g_array_index (builder->sources, LoomSourceEntry, source);
}

/* The source an event belongs to: its ref's, or its owner's when it has none. */
static inline guint
loom_trace_builder_source_of (const LoomTraceBuilder *builder, LoomRef ref, guint owner)
{
  guint source = loom_source_ref_source (ref);
  return source < builder->sources->len ? source : owner;
}

void loom_trace_builder_init_entities (LoomTraceBuilder *builder);
void loom_trace_builder_clear_entities (LoomTraceBuilder *builder);

/* What the indices of a frozen trace can number. */
#define LOOM_MOST_EVENTS (G_MAXUINT32 - 1)
void loom_trace_builder_log_full (LoomTraceBuilder *builder, guint source, guint64 n);

/* Takes a source over without asking for a clock: the caller's indices already agree. */
void loom_trace_builder_append_source (LoomTraceBuilder *builder, LoomSource *source);

G_END_DECLS
