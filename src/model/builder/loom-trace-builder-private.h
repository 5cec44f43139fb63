/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The data of a builder, for the files that fill it and for freeze, which consumes it.
 */
#pragma once

#include "loom-chunk-list.h"
#include "loom-correlation-ids.h"
#include "loom-name-interner.h"
#include "loom-trace-builder.h"

typedef struct {
  guint64 offset; /* LoomTraceBuilder.offset when the entry was added; also in the entries below */
  guint source;
  const char *key; /* stored in `process_keys` */
  char *label;     /* NULL if none was set */
  char *labels;    /* NULL, or a comma-separated list without duplicates */
  char *path;      /* of the file that recorded the process before it was merged; NULL: the source */
  char *format;    /* format of that file; NULL: that of the source */
  char *node;      /* NULL: that of the source */
  gint rank;
  gboolean has_place, has_sort;
  gboolean is_rest; /* represents all processes beyond the limit */
  gint64 sort;
  guint flags;
  LoomChunkList instants; /* LoomRecord */
} LoomProcessEntry;

typedef struct {
  guint64 offset;
  guint32 process;
  const char *key; /* stored in `thread_keys` */
  char *label;
  gint64 sort;
  gboolean has_sort;
  gboolean is_rest;
  guint flags;
  guint32 next, previous; /* threads of the files before and after that this lane continues; LOOM_ID_NONE if none */
  LoomChunkList spans;    /* LoomRecord */
  LoomChunkList instants; /* LoomRecord */
  LoomChunkList samples;  /* LoomRecord; instants of phase P, which form a track of their own */
} LoomThreadEntry;

typedef struct {
  guint64 offset;
  guint32 process;
  guint32 category, name, id; /* ids in `labels` */
} LoomCounterEntry;

typedef struct {
  guint64 offset;
  guint32 counter;
  const char *name; /* stored in `series_keys` */
  char *unit;
  LoomChunkList samples; /* LoomSample */
} LoomSeriesEntry;

typedef struct {
  LoomSource *source;
  LoomChunkList instants; /* LoomRecord; global instants */
} LoomSourceEntry;

/* The most recently used key. Consecutive events mostly have the same key, so comparing with it usually saves the
 * look-up. */
typedef struct {
  const char *key; /* NULL at first */
  gsize length;
  guint32 owner, id;
} LoomLastKey;

struct _LoomTraceBuilder {
  GArray *sources; /* LoomSourceEntry */
  GArray *clocks;  /* LoomDeclaredClock *; not stored in the array itself, so that pointers stay valid */
  LoomNameInterner names;
  LoomStringPool *labels;
  LoomCorrelationIds keys; /* correlation ids of async events */
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
  guint64 offset;    /* byte offset of the current event, for log entries; LOOM_OFFSET_NONE if unknown */
  guint most_tracks; /* limit for each kind of track */
  gboolean no_arrows;
};

/* Returns the label of the track that represents all tracks beyond the limit; owned. */
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

/* Returns the source of an event: that of its ref, or its owner's if it has no ref. */
static inline guint
loom_trace_builder_source_of (const LoomTraceBuilder *builder, LoomRef ref, guint owner)
{
  guint source = loom_source_ref_source (ref);
  return source < builder->sources->len ? source : owner;
}

void loom_trace_builder_init_entities (LoomTraceBuilder *builder);
void loom_trace_builder_clear_entities (LoomTraceBuilder *builder);

/* Largest number of events that the indices of a frozen trace allow. */
#define LOOM_MOST_EVENTS (G_MAXUINT32 - 1)
void loom_trace_builder_log_full (LoomTraceBuilder *builder, guint source, guint64 n);

/* Takes over a source without checking its clock: the caller's indices already agree. */
void loom_trace_builder_append_source (LoomTraceBuilder *builder, LoomSource *source);
