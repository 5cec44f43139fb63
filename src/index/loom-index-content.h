/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of a trace that an index will contain. The code in analysis/index selects them; loom-index-writer.h writes
 * them to the index file.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  gint64 start_ns, dur_ns; /* start in local time of the track's clock, and duration; both in ns */
  guint32 name_id;         /* id of the span's name in the trace */
  /* LoomRef of the span in the trace; LOOM_REF_NONE: the element is the sum of several spans */
  LoomRef ref;
} LoomIndexSpan;

/* A track of spans or of a counter. The index contains all samples of a short series; of a long one, the smallest and
 * the largest sample of each of LOOM_INDEX_BUCKETS buckets. */
typedef struct {
  guint32 track; /* index of the track in the trace */
  GArray *spans; /* LoomIndexSpan elements; an enclosing span precedes the spans in it */
} LoomIndexTrack;

/* Sums over all spans with one name on hosts, including spans that the index does not contain. */
typedef struct {
  guint32 name_id;
  guint64 n;
  gint64 total_ns, least_ns, most_ns;
} LoomIndexSum;

/* Number of buckets into which the samples of a long series are divided. The index contains the smallest and the
 * largest sample of each bucket, with their times. A series with at most two samples per bucket is kept completely. */
#define LOOM_INDEX_BUCKETS 1024u

typedef struct {
  LoomTrace *trace;  /* the trace from which the index is made; the struct holds a reference */
  GPtrArray *tracks; /* LoomIndexTrack *: the tracks that the index contains */
  GArray *meetings;  /* guint32: indices of the sync events (loom_trace_get_meetings()) that the index contains */
  GArray *sums;      /* LoomIndexSum: sums over the spans of hosts of each name */
  /* key: LoomRef of a span in the index (guint64 *, owned); value: the step number that the args of the span state
   * (gint64 *, owned). Spans whose args state no step number are not in the table */
  GHashTable *step_numbers;
  /* owned; if the trace has only one source, and it is a gzip file: positions from which the file can be unpacked
   * (loom-gzip-restarts.h); NULL: none */
  GByteArray *restarts;
} LoomIndexContent;

/* Returns the number of threads for loom_parallel_for() that make the index of the trace; 0: one per processor. */
guint loom_index_content_get_n_threads (const LoomTrace *trace);
LoomIndexContent *loom_index_content_alloc (LoomTrace *trace);
/* Adds a track of the trace, without spans, to the content. Returns the new element, which is borrowed. */
LoomIndexTrack *loom_index_content_add_track (LoomIndexContent *content, guint32 track);
void loom_index_content_free (LoomIndexContent *content);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexContent, loom_index_content_free)
