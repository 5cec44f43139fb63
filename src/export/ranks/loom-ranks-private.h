/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: the ranks layout, written by several threads. One sweeps and cuts what comes into batches, a
 * crew, which it is one of, turns batches into lines, and whoever of the crew has the next one in order writes it.
 */
#pragma once

#include "loom-event-template.h"
#include "loom-export-private.h"
#include "loom-parallel-deflate.h"

G_BEGIN_DECLS

/* ,"pid":1,"tid":2 as far as a track has them. */
typedef struct {
  guint length;
  char text[64];
} LoomRankPlace;

/* Of a name, in bytes. */
typedef struct {
  guint32 text, category;
} LoomRankLengths;

/* The line of a span of that name up to its time: ,\n{"name":"forward","cat":"op","ph":"X","ts": */
typedef struct {
  const char *text; /* LOOM_STRICT_EVENT_PADDING more bytes behind it can be read */
  guint32 length;
  guint32 category; /* another number for another category, nearly always */
} LoomRankHead;

/* What is asked for every event, at hand. */
typedef struct {
  const LoomTrace *trace;
  const LoomName *names;
  LoomByteSource **texts; /* per source; NULL where there is none */
  guint n_sources, first_source;
  LoomRankPlace *places;    /* per track */
  gboolean *uneven;         /* per track: a counter whose events do not all have the same series */
  LoomRankLengths *lengths; /* per name */
  LoomRankHead *heads;      /* per name; NULL where there are too many */
} LoomRankTrace;

/* What all threads share; nothing changes while they run. */
typedef struct {
  LoomExport *merge;
  gint64 origin_ns;
  gboolean prefix_ids;
  gboolean rename_frames; /* of sources that have some */
  guint n_traces;
  LoomRankTrace *traces;
  GStringChunk *heads;          /* texts of the heads: ranks say the same names */
  LoomSharedBlockCache *blocks; /* of all texts, by the number of the source in the run */
  gint64 next_stray;            /* beyond every pid and tid of the places */
  guint batch_events;           /* at most so many in a batch */
} LoomRanks;

/* The number in the run of the source of an event's text; G_MAXUINT when there is no text. */
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
  LoomSharedBlock *block;        /* its text begins in; NULL: it has none */
  guint first_sample, n_samples; /* of a counter, in the batch */
} LoomRankEntry;

typedef struct {
  guint64 number;         /* from 0, in the order of the file */
  LoomRankEntry *entries; /* flow events of one instant are never in two batches */
  guint n_entries, n_room;
  GArray *samples;               /* LoomMergeSample */
  LoomSharedBlockWindow *window; /* with the texts of all of them */
  /* What becomes of it: */
  GString *lines;               /* each ",\n" and an event */
  LoomParallelDeflate *deflate; /* of the thread that makes it; NULL: not packed */
  GByteArray *packed;
  guint32 checksum;
  guint n_events, n_repaired, n_synthesised;
  LoomRange extent;
  GError *error;
} LoomRanksBatch;

LoomRanksBatch *loom_rank_batch_new (void);
void loom_rank_batch_free (LoomRanksBatch *batch);
void loom_rank_batch_clear (LoomRanksBatch *batch);

/* --- one event ----------------------------------------------------------------------------------------------------- */

/* Whether the item is a flow end without "bp":"e" that binds to a span starting at its own time. It is written with
 * "bp":"e", which leads to the same span: without it Catapult and Perfetto bind the end to the next span in the order of the
 * file, and flow events stand behind the spans of their time there. O(rows of the track) for a flow end, else O(1). */
gboolean loom_ranks_binds_inside (const LoomRanks *ranks, const LoomMergeItem *item);

/* Appends ",\n" and the line of an event that can be copied from its text as it stands; FALSE, with nothing appended,
 * when it takes the long way. `text` is followed by LOOM_SHARED_BLOCK_PADDING. */
gboolean loom_ranks_copy (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item,
                          const char *text, gsize available, LoomRanksBatch *batch);

/* The same of a span or flow event with a hint (loom-event-ref-hint.h). */
gboolean loom_rank_copy_hinted (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item,
                                const char *text, gsize available, LoomRanksBatch *batch);

/* --- a batch ------------------------------------------------------------------------------------------------------- */

/* Processes and threads that draw nothing get ids in the order of their events, so only the batch that is next to be
 * written gives them out: the crew is asked to wait for that. */
typedef struct _LoomRanksWorkers LoomRanksWorkers;

typedef struct _LoomRankWriter LoomRankWriter;

LoomRankWriter *loom_rank_writer_new (const LoomRanks *ranks, LoomRanksWorkers *crew);
void loom_rank_writer_free (LoomRankWriter *writer);

/* Makes the lines; on failure batch->error says why. */
void loom_rank_writer_run (LoomRankWriter *writer, LoomRanksBatch *batch);

/* --- the crew ------------------------------------------------------------------------------------------------------ */

LoomRanksWorkers *loom_ranks_workers_new (const LoomRanks *ranks);

/* An empty batch; NULL when something went wrong and it is time to finish. Makes others, or waits, until one is
 * written. */
LoomRanksBatch *loom_ranks_workers_get_batch (LoomRanksWorkers *crew);

/* Takes the batch, full; batches come in the order of the file. */
void loom_ranks_workers_give_batch (LoomRanksWorkers *crew, LoomRanksBatch *batch);

/* For writers: waits until all batches before this one are written. */
void loom_ranks_workers_wait_for_turn (LoomRanksWorkers *crew, const LoomRanksBatch *batch);

/* For writers: writes the lines made so far, when it is the batch's turn, so that memory stays bounded however long events
 * are and however many of them are kept together. */
void loom_ranks_workers_write_part (LoomRanksWorkers *crew, LoomRanksBatch *batch);

/* For writers, after waiting: the id of a stray process or thread. */
gint64 loom_ranks_workers_get_stray (LoomRanksWorkers *crew, guint trace, const char *pid, const char *tid);

/* Waits for everything that was given and frees the crew. FALSE with `error` when an event could not be written. */
gboolean loom_ranks_workers_finish (LoomRanksWorkers *crew, GError **error);

/* The same without what is not written yet. */
void loom_ranks_workers_cancel (LoomRanksWorkers *crew);

G_END_DECLS
