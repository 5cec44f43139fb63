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
  /* LoomTraceBuilder.offset when this entry was added; so are the members `offset` of the other structs */
  guint64 offset;
  guint source;
  const char *key; /* stored in `process_keys` */
  char *label;     /* NULL: no label was set */
  char *labels;    /* NULL, or a comma-separated list without duplicates */
  char *path;      /* path of the file that recorded the process before it was merged; NULL: the path of the source */
  char *format;    /* format of the file `path`; NULL: the format of the source */
  char *node;      /* NULL: the node of the source */
  gint rank;
  gboolean has_place, has_sort;
  gboolean is_rest; /* TRUE for the entry that represents all processes beyond the limit */
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
  guint32 next, previous; /* this thread in the next and in the previous file of the same writer; LOOM_ID_NONE: none */
  LoomChunkList spans;    /* LoomRecord */
  LoomChunkList instants; /* LoomRecord */
  LoomChunkList samples;  /* LoomRecord: instants of phase P (samples), which form a separate track */
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

/* The key that was looked up last, with the id that was found. Events that follow each other mostly have the same key,
 * so that comparing it with this one usually saves a look-up. */
typedef struct {
  const char *key; /* NULL at first */
  gsize length;
  guint32 owner, id;
} LoomLastKey;

struct _LoomTraceBuilder {
  GArray *sources; /* LoomSourceEntry */
  GArray *clocks;  /* LoomDeclaredClock *: pointers, which stay valid when the array grows */
  LoomNameInterner names;
  LoomStringPool *labels;
  LoomCorrelationIds keys; /* correlation ids of async events */
  /* Keys of processes, threads, counters and series: the number of the owner in four bytes, then the text. The index of
   * an entry in `processes` … is the id of its key here − 1. */
  LoomStringPool *process_keys, *thread_keys, *counter_keys, *series_keys;
  LoomLastKey last_process, last_thread;
  GArray *processes;   /* LoomProcessEntry */
  GArray *threads;     /* LoomThreadEntry */
  GArray *counters;    /* LoomCounterEntry */
  GArray *series;      /* LoomSeriesEntry */
  LoomChunkList flows; /* LoomFlowRecord */
  LoomChunkList async; /* LoomAsyncRecord */
  GArray *meetings;    /* LoomSyncEvent, whose `track` is a thread of the builder */
  LoomStringPool *meeting_texts;
  GPtrArray *remaps; /* LoomRemap * */
  guint64 n_events;
  guint64 offset;    /* byte offset of the current event, for log entries; LOOM_OFFSET_NONE if unknown */
  guint most_tracks; /* maximum number of entries of each kind: processes, threads, counters, series */
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

/* Returns the source of an event: the source of its ref or, if it has no ref, the source of its owner. */
static inline guint
loom_trace_builder_source_of (const LoomTraceBuilder *builder, LoomRef ref, guint owner)
{
  guint source = loom_source_ref_source (ref);
  return source < builder->sources->len ? source : owner;
}

void loom_trace_builder_init_entities (LoomTraceBuilder *builder);
void loom_trace_builder_clear_entities (LoomTraceBuilder *builder);

/* Maximum number of events, which are counted by 32-bit indices of a frozen trace. */
#define LOOM_MOST_EVENTS (G_MAXUINT32 - 1)
void loom_trace_builder_log_full (LoomTraceBuilder *builder, guint source, guint64 n);

/* Adds a source without checking that its clock exists; the caller must ensure this. Takes ownership. */
void loom_trace_builder_append_source (LoomTraceBuilder *builder, LoomSource *source);
