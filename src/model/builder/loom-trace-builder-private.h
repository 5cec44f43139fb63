/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. The data of a LoomTraceBuilder (loom-trace-builder.h). The files loom-trace-builder*.c fill it;
 * loom_trace_builder_freeze() makes a LoomTrace from it.
 */
#pragma once

#include "loom-chunk-list.h"
#include "loom-correlation-ids.h"
#include "loom-name-interner.h"
#include "loom-trace-builder.h"

typedef struct {
  /* value of LoomTraceBuilder.offset when this entry was added. The members `offset` of the structs below have the same
   * meaning */
  guint64 offset;
  guint source;
  const char *key; /* text of the pid; stored in LoomTraceBuilder.process_keys */
  char *label;     /* label of the process for display; NULL: no label was set */
  char *labels;    /* labels of the process, separated by commas, without duplicates; NULL: none */
  /* for a process in a merged file: path of the file in which the process was recorded; NULL: the path of the source */
  char *path;
  char *format; /* format of the file `path`; NULL: the format of the source */
  char *node;   /* name of the host on which the process ran; NULL: the node of the source */
  gint rank;
  gboolean has_place, has_sort;
  gboolean is_rest; /* TRUE: this entry represents all processes that were added after the limit was reached */
  gint64 sort;
  guint flags;
  LoomChunkList instants; /* LoomRecord: the instants of the whole process */
} LoomProcessEntry;

typedef struct {
  guint64 offset;
  guint32 process;
  const char *key; /* text of the tid; stored in LoomTraceBuilder.thread_keys */
  char *label;
  gint64 sort;
  gboolean has_sort;
  gboolean is_rest;
  guint flags;
  /* ids of the threads that continue this thread in the next and in the previous file of the same writer; LOOM_ID_NONE:
   * there is none */
  guint32 next, previous;
  LoomChunkList spans;    /* LoomRecord: the spans, begin events and end events of the thread */
  LoomChunkList instants; /* LoomRecord: the instants of the thread, except samples */
  LoomChunkList samples;  /* LoomRecord: instants of phase P (samples), which form a separate track */
} LoomThreadEntry;

typedef struct {
  guint64 offset;
  guint32 process;
  guint32 category, name, id; /* ids, in LoomTraceBuilder.labels, of the counter's category, name and id */
} LoomCounterEntry;

typedef struct {
  guint64 offset;
  guint32 counter;
  const char *name; /* name of the series; stored in LoomTraceBuilder.series_keys */
  char *unit;
  gint64 hold_ns;        /* maximum time for which a value is valid (loom_trace_builder_series_set_hold()); 0: no
                          * limit */
  LoomChunkList samples; /* LoomSample: the samples of the series */
} LoomSeriesEntry;

typedef struct {
  LoomSource *source;
  LoomChunkList instants; /* LoomRecord: the global instants of the source */
  gboolean extends_open;  /* `extends_open` and `until_ns`: arguments of loom_trace_builder_source_extend_open() */
  gint64 until_ns;
} LoomSourceEntry;

/* The key that was looked up last, and the id that was found. Consecutive events mostly have the same key, so each key
 * is first compared with this one; this usually saves a look-up. */
typedef struct {
  const char *key; /* NULL: no key was looked up yet */
  gsize length;
  guint32 owner, id;
} LoomLastKey;

struct _LoomTraceBuilder {
  GArray *sources; /* LoomSourceEntry elements, indexed by source */
  GArray *clocks;  /* LoomDeclaredClock *: pointers, which stay valid when the array grows */
  LoomNameInterner names;
  LoomStringPool *labels;
  LoomCorrelationIds keys; /* correlation ids of async events */
  /* Keys of processes, threads, counters and series. A key consists of the number of the owner in four bytes (for a
   * thread, the number of its process) and the text. The keys of a pool have the ids 1, 2 …; the key with the id i
   * belongs to element i − 1 of the array `processes`, `threads`, `counters` or `series`. */
  LoomStringPool *process_keys, *thread_keys, *counter_keys, *series_keys;
  LoomLastKey last_process, last_thread;
  GArray *processes;   /* LoomProcessEntry elements, indexed by the id of the process */
  GArray *threads;     /* LoomThreadEntry elements, indexed by the id of the thread */
  GArray *counters;    /* LoomCounterEntry elements, indexed by the id of the counter */
  GArray *series;      /* LoomSeriesEntry elements, indexed by the id of the series */
  LoomChunkList flows; /* LoomFlowRecord: the flow events of all threads */
  LoomChunkList async; /* LoomAsyncRecord: the async events of all processes */
  GArray *meetings;    /* LoomSyncEvent elements. (In names, a sync event is called a meeting.) Their member `track` is
                        * an index in `threads` */
  LoomStringPool *meeting_texts;
  /* LoomRemap *: the tables that translate the ids of absorbed builders; LoomChunk.remap points to them */
  GPtrArray *remaps;
  guint64 n_events;
  guint64 offset;    /* byte offset of the current event, for log entries; LOOM_OFFSET_NONE if unknown */
  guint most_tracks; /* maximum number of entries of each kind: processes, threads, counters, series */
  gboolean no_arrows;
  gboolean
    has_open; /* TRUE: there may be spans without an end: spans with LOOM_DUR_OPEN, or begin events (phases B and S) */
};

/* Returns the name of the track that represents all further tracks after the limit was reached. Owned by the caller. */
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

/* Returns the source of an event: the source to which its ref refers; `owner` if it has no ref. */
static inline guint
loom_trace_builder_source_of (const LoomTraceBuilder *builder, LoomRef ref, guint owner)
{
  guint source = loom_source_ref_source (ref);
  return source < builder->sources->len ? source : owner;
}

void loom_trace_builder_init_entities (LoomTraceBuilder *builder);
void loom_trace_builder_clear_entities (LoomTraceBuilder *builder);

/* Maximum number of events, because a LoomTrace has 32-bit indices of events. */
#define LOOM_MOST_EVENTS (G_MAXUINT32 - 1)
void loom_trace_builder_log_full (LoomTraceBuilder *builder, guint source, guint64 n);

/* Adds a source. The caller must ensure that its clock exists. Takes ownership of the source. */
void loom_trace_builder_append_source (LoomTraceBuilder *builder, LoomSource *source);
