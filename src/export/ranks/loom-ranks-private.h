/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: the ranks layout, written by several threads. One thread sweeps and divides the items into
 * batches; a pool of workers, including the sweeping thread, formats batches as lines; the worker that has the next
 * batch in order writes it.
 */
#pragma once

#include "loom-event-template.h"
#include "loom-export-private.h"
#include "loom-parallel-deflate.h"

/* JSON text that all events of a track have in common, for example `,"pid":1,"tid":2`. If the track has no pid or no
 * tid, that member is omitted. */
typedef struct {
  guint length;
  char text[64];
} LoomRankPlace;

/* Lengths in bytes of a name's text and category. */
typedef struct {
  guint32 text, category;
} LoomRankLengths;

/* The beginning of the line of a span with one name, up to the time: ,\n{"name":"forward","cat":"op","ph":"X","ts": */
typedef struct {
  const char *text; /* at least LOOM_STRICT_EVENT_PADDING bytes after the text are readable */
  guint32 length;
  guint32 category; /* a hash of the category; hashes of different categories are nearly always different */
} LoomRankHead;

/* Cached data of a trace that every event needs. */
typedef struct {
  const LoomTrace *trace;
  const LoomName *names;
  LoomByteSource **texts; /* [source of the trace] text of the source's file; NULL: no text */
  guint n_sources, first_source;
  LoomRankPlace *places;    /* per track */
  gboolean *uneven;         /* [track]: TRUE for a counter whose events have different series */
  LoomRankLengths *lengths; /* per name */
  LoomRankHead *heads;      /* per name: beginning of a line; NULL: the trace has too many names */
} LoomRankTrace;

/* Data shared by all threads; constant while they run. */
typedef struct {
  LoomExport *merge;
  gint64 origin_ns;
  gboolean prefix_ids;
  gboolean rename_frames; /* TRUE if stack frames get new ids */
  guint n_traces;
  LoomRankTrace *traces;
  GStringChunk *heads;          /* texts of LoomRankHead; each text is kept once, because ranks use the same names */
  LoomSharedBlockCache *blocks; /* texts of all sources, by the index of the source in the run */
  gint64 next_stray;  /* next id for a process or thread without tracks; greater than all pids and tids of tracks */
  guint batch_events; /* maximum number of events in a batch */
} LoomRanks;

/* Returns the index in the run of the source with the event's text; G_MAXUINT if there is no text. */
static inline guint
loom_ranks_source_of (const LoomRanks *ranks, guint trace_number, LoomRef ref)
{
  const LoomRankTrace *trace = &ranks->traces[trace_number];
  guint source = loom_source_ref_source (ref);
  if (ref == LOOM_REF_NONE || source >= trace->n_sources || trace->texts[source] == NULL)
    return G_MAXUINT;
  return trace->first_source + source;
}

typedef struct {
  LoomMergeItem item;
  LoomSharedBlock *block; /* block in which the event's text begins; NULL: no text */
  /* the samples of a counter event: elements [first_sample, first_sample + n_samples) of LoomRanksBatch.samples */
  guint first_sample, n_samples;
} LoomRankEntry;

typedef struct {
  guint64 number;         /* number of batches before this one in the file */
  LoomRankEntry *entries; /* flow events with the same time are in the same batch */
  guint n_entries, n_room;
  GArray *samples;               /* LoomMergeSample */
  LoomSharedBlockWindow *window; /* keeps the texts of all entries in memory while the batch is formatted */
  /* The result: */
  GString *lines;               /* each line is ",\n" and an event */
  LoomParallelDeflate *deflate; /* compressor of the thread that formats the batch; NULL: no compression */
  GByteArray *packed;
  guint32 checksum;
  guint n_events, n_repaired, n_synthesised;
  LoomRange extent;
  GError *error;
} LoomRanksBatch;

/* --- copying one event -------------------------------------------------------------------------------------------- */

/* Appends ",\n" and the line of an event that can be copied from its text; returns FALSE, with nothing appended, if the
 * event needs the slow path. LOOM_SHARED_BLOCK_PADDING bytes follow `text`. */
gboolean loom_ranks_copy (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item,
                          const char *text, gsize available, LoomRanksBatch *batch);

/* Like loom_ranks_copy(), for a span or flow event with a hint (loom-event-ref-hint.h). */
gboolean loom_rank_copy_hinted (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item,
                                const char *text, gsize available, LoomRanksBatch *batch);

/* --- formatting a batch ------------------------------------------------------------------------------------------- */

/* A pool of threads that format batches. Processes and threads without tracks get their ids in the order of their
 * events. Therefore only the batch that is written next assigns such ids; other batches wait until they are next. */
typedef struct _LoomRanksWorkers LoomRanksWorkers;

typedef struct _LoomRankWriter LoomRankWriter;

LoomRankWriter *loom_rank_writer_new (const LoomRanks *ranks, LoomRanksWorkers *crew);
void loom_rank_writer_free (LoomRankWriter *writer);

/* Formats the lines of a batch; on failure batch->error is set. */
void loom_rank_writer_run (LoomRankWriter *writer, LoomRanksBatch *batch);

/* --- the pool of threads ------------------------------------------------------------------------------------------ */

LoomRanksWorkers *loom_ranks_workers_new (const LoomRanks *ranks);

/* Returns an empty batch; NULL after an error, when the caller should finish. If none is empty, formats other batches
 * or waits until one is written. */
LoomRanksBatch *loom_ranks_workers_get_batch (LoomRanksWorkers *crew);

/* Gives a full batch to the workers; batches must be given in the order of the file. */
void loom_ranks_workers_give_batch (LoomRanksWorkers *crew, LoomRanksBatch *batch);

/* For writers: waits until all earlier batches were written. */
void loom_ranks_workers_wait_for_turn (LoomRanksWorkers *crew, const LoomRanksBatch *batch);

/* For writers: writes the lines formatted so far as soon as all previous batches are written, so that memory stays
 * bounded for long events and for many events with the same time. */
void loom_ranks_workers_write_part (LoomRanksWorkers *crew, LoomRanksBatch *batch);

/* For writers, after waiting for their turn: returns the id of a process or thread without tracks, or assigns one. */
gint64 loom_ranks_workers_get_stray (LoomRanksWorkers *crew, guint trace, const char *pid, const char *tid);

/* Waits for all given batches and frees the pool. Returns FALSE with `error` if an event could not be written. */
gboolean loom_ranks_workers_finish (LoomRanksWorkers *crew, GError **error);

/* Frees the pool without writing the remaining batches. */
void loom_ranks_workers_cancel (LoomRanksWorkers *crew);
