/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: writes the ranks layout, the layout of Traceloom's own merged JSON files, with several
 * threads. One thread (the one that exports) merges the events of all tracks in order of time and divides them into
 * batches. All threads of a pool, including this one, format batches as lines. The worker whose batch is the next in
 * order writes it to the file.
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

/* Lengths in bytes of a name and of its category. */
typedef struct {
  guint32 text, category;
} LoomRankLengths;

/* The beginning of the line of a span, up to its time, prepared for one name:
 * ,\n{"name":"forward","cat":"op","ph":"X","ts": */
typedef struct {
  const char *text; /* at least LOOM_STRICT_EVENT_PADDING bytes after the text are readable */
  guint32 length;
  guint32 category; /* a hash of the category; hashes of different categories are nearly always different */
} LoomRankHead;

/* Cached data of a trace that is needed for every event of the trace. */
typedef struct {
  const LoomTrace *trace;
  const LoomName *names;
  LoomByteSource **texts; /* array indexed by source of the trace: text of the source's file; NULL: no text */
  guint n_sources, first_source;
  LoomRankPlace *places;    /* array indexed by track of the trace: JSON text with its pid and tid */
  gboolean *uneven;         /* array indexed by track: TRUE for a counter whose events have different series */
  LoomRankLengths *lengths; /* array indexed by name id: lengths of the name and its category */
  /* array indexed by name id: the beginning of the line of a span with this name; NULL: the trace has more than
   * MAX_HEADS names */
  LoomRankHead *heads;
} LoomRankTrace;

/* Data that all threads of an export share. It does not change while the threads run. */
typedef struct {
  LoomExport *merge;
  gint64 origin_ns;
  gboolean prefix_ids;
  gboolean rename_frames; /* TRUE: stack frames get new ids, because several sources may use the same ids */
  guint n_traces;
  LoomRankTrace *traces;
  GStringChunk *heads;          /* texts of LoomRankHead; each text is kept once, because ranks use the same names */
  LoomSharedBlockCache *blocks; /* texts of all sources, by the index of the source in the run */
  gint64 next_stray;  /* next id for a process or thread without tracks; greater than all pids and tids of tracks */
  guint batch_events; /* maximum number of events in a batch, which one thread formats at once */
} LoomRanks;

/* Returns the index in the run of the source whose file contains the event's text; G_MAXUINT if the event has no
 * text. */
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
  guint64 number;         /* position of the batch in the file, from 0 */
  LoomRankEntry *entries; /* the events of the batch; flow events with the same time are in the same batch */
  guint n_entries, n_room;
  GArray *samples;               /* LoomMergeSample: the samples of the counter events in `entries` */
  LoomSharedBlockWindow *window; /* keeps the texts of all events of the batch in memory while the batch is formatted */
  /* The members below are the result of formatting: */
  GString *lines;               /* the formatted events; each begins with ",\n" */
  LoomParallelDeflate *deflate; /* compressor of the thread that formats the batch; NULL: no compression */
  GByteArray *packed;
  guint32 checksum;
  guint n_events, n_repaired, n_synthesised;
  LoomRange extent;
  GError *error;
} LoomRanksBatch;

/* --- copying one event -------------------------------------------------------------------------------------------- */

/* Appends ",\n" and the line of an event that is copied from its text. Returns FALSE and appends nothing if the event
 * cannot be copied and must be written by loom_trace_event_writer_append(). `text`: the text of the event, of which
 * `available` bytes are in memory; LOOM_SHARED_BLOCK_PADDING bytes after these are also readable. */
gboolean loom_ranks_copy (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item,
                          const char *text, gsize available, LoomRanksBatch *batch);

/* Like loom_ranks_copy(), for a span or flow event with a hint (loom-event-ref-hint.h). Parses only the part of the
 * event's text that the hint locates. */
gboolean loom_rank_copy_hinted (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item,
                                const char *text, gsize available, LoomRanksBatch *batch);

/* Moves flow events within entries that have the same time. If other spans of its track start at the same time, a flow
 * event is moved behind the span to which it belongs. So readers that bind a flow event to the last span before it in
 * the file find this span. Only flow events of sources that state the span (LoomSource.flows_follow_spans) are moved.
 * O(n). */
void loom_ranks_order_flows (const LoomRanks *ranks, LoomRankEntry *entries, guint n);

/* --- formatting a batch ------------------------------------------------------------------------------------------- */

/* A pool of threads that format batches. Processes and threads without tracks get their ids in the order of their
 * events in the file. Therefore only the thread that formats the batch that is written next may assign such ids. A
 * thread that needs such an id for a later batch waits until its batch is next. */
typedef struct _LoomRanksWorkers LoomRanksWorkers;

typedef struct _LoomRankWriter LoomRankWriter;

LoomRankWriter *loom_rank_writer_new (const LoomRanks *ranks, LoomRanksWorkers *crew);
void loom_rank_writer_free (LoomRankWriter *writer);

/* Formats the events of a batch (LoomRanksBatch) as lines, and stores the lines in the batch. On failure sets
 * batch->error. */
void loom_rank_writer_run (LoomRankWriter *writer, LoomRanksBatch *batch);

/* --- the pool of threads ------------------------------------------------------------------------------------------ */

LoomRanksWorkers *loom_ranks_workers_new (const LoomRanks *ranks);

/* Returns an empty batch of events; NULL after an error; the caller should then finish. If all batches are in use,
 * formats waiting batches or waits until one has been written. */
LoomRanksBatch *loom_ranks_workers_get_batch (LoomRanksWorkers *crew);

/* Gives a full batch of events to the workers; batches must be given in the order of the file. */
void loom_ranks_workers_give_batch (LoomRanksWorkers *crew, LoomRanksBatch *batch);

/* Called by a writer: waits until all batches before `batch` were written. */
void loom_ranks_workers_wait_for_turn (LoomRanksWorkers *crew, const LoomRanksBatch *batch);

/* Called by a writer: when all batches before `batch` have been written, writes the lines of `batch` that are formatted
 * so far. Keeps memory bounded for long events and for many events with the same time. */
void loom_ranks_workers_write_part (LoomRanksWorkers *crew, LoomRanksBatch *batch);

/* Called by the writer whose batch is the next to be written (loom_ranks_workers_wait_for_turn()). Returns the id of a
 * process or thread without tracks; assigns an id at its first use. */
gint64 loom_ranks_workers_get_stray (LoomRanksWorkers *crew, guint trace, const char *pid, const char *tid);

/* Waits until all batches are written, and frees the pool of threads. Returns FALSE with `error` if an event could not
 * be written. */
gboolean loom_ranks_workers_finish (LoomRanksWorkers *crew, GError **error);

/* Frees the pool of threads without writing the remaining batches. */
void loom_ranks_workers_cancel (LoomRanksWorkers *crew);
