/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What a builder holds, for the files that fill it and for freeze, which consumes it.
 */
#pragma once

#include "loom-builder.h"
#include "loom-chunks.h"
#include "loom-keys.h"
#include "loom-names.h"

G_BEGIN_DECLS

typedef struct {
  guint64 offset;  /* LoomBuilder.offset when it was added; so below */
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
  LoomChunks instants; /* LoomRecord */
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
  LoomChunks spans;       /* LoomRecord */
  LoomChunks instants;    /* LoomRecord */
  LoomChunks samples;     /* LoomRecord; instants of phase P, which have a lane of their own */
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
  LoomChunks samples; /* LoomSample */
} LoomSeriesEntry;

typedef struct {
  LoomSource *source;
  LoomChunks instants; /* LoomRecord; global ones */
} LoomSourceEntry;

/* Events of one owner follow one another: the key asked for last is mostly the next one too. */
typedef struct {
  const char *key; /* NULL before */
  gsize length;
  guint32 owner, id;
} LoomLastKey;

struct _LoomBuilder {
  GArray *sources;   /* LoomSourceEntry */
  GArray *clocks;    /* LoomClockDecl * : pointers stay valid */
  LoomNames names;
  LoomStrings *labels;
  LoomKeys keys; /* of async */
  /* Composite keys: the owner's number in four bytes, then the text. Id of the entry = id of the key − 1. */
  LoomStrings *process_keys, *thread_keys, *counter_keys, *series_keys;
  LoomLastKey last_process, last_thread;
  GArray *processes; /* LoomProcessEntry */
  GArray *threads;   /* LoomThreadEntry */
  GArray *counters;  /* LoomCounterEntry */
  GArray *series;    /* LoomSeriesEntry */
  LoomChunks flows;  /* LoomFlowRecord */
  LoomChunks async;  /* LoomAsyncRecord */
  GArray *meetings;  /* LoomMeeting; `track` is a thread */
  LoomStrings *meeting_texts;
  GPtrArray *remaps; /* LoomRemap * */
  guint64 n_events;
  guint64 offset;    /* of the event that is fed now, for what is told of it; LOOM_OFFSET_NONE */
  guint most_tracks; /* of each kind */
  gboolean no_arrows;
};

/* What stands for all tracks beyond the limit is called so; owned. */
char *loom_builder_dup_rest_label (const LoomBuilder *builder);

static inline LoomProcessEntry *
loom_builder_peek_process (const LoomBuilder *builder, guint32 process)
{
  return &g_array_index (builder->processes, LoomProcessEntry, process);
}

static inline LoomThreadEntry *
loom_builder_peek_thread (const LoomBuilder *builder, guint32 thread)
{
  return &g_array_index (builder->threads, LoomThreadEntry, thread);
}

static inline LoomCounterEntry *
loom_builder_peek_counter (const LoomBuilder *builder, guint32 counter)
{
  return &g_array_index (builder->counters, LoomCounterEntry, counter);
}

static inline LoomSeriesEntry *
loom_builder_peek_series (const LoomBuilder *builder, guint32 series)
{
  return &g_array_index (builder->series, LoomSeriesEntry, series);
}

static inline LoomSourceEntry *
loom_builder_peek_source (const LoomBuilder *builder, guint source)
{
  return &g_array_index (builder->sources, LoomSourceEntry, source);
}

/* The source an event belongs to: its ref's, or its owner's when it has none. */
static inline guint
loom_builder_source_of (const LoomBuilder *builder, LoomRef ref, guint owner)
{
  guint source = loom_ref_source (ref);
  return source < builder->sources->len ? source : owner;
}

void loom_builder_init_entities (LoomBuilder *builder);
void loom_builder_clear_entities (LoomBuilder *builder);

/* What the indices of a frozen trace can number. */
#define LOOM_MOST_EVENTS (G_MAXUINT32 - 1)
void loom_builder_log_full (LoomBuilder *builder, guint source, guint64 n);

/* Takes a source over without asking for a clock: the caller's indices already agree. */
void loom_builder_append_source (LoomBuilder *builder, LoomSource *source);

G_END_DECLS
