/* SPDX-License-Identifier: Apache-2.0
 *
 * What an index keeps of a trace. analysis/index decides it, loom-index-writer.h writes it.
 */
#pragma once

#include "loom-trace.h"

typedef struct {
  gint64 start_ns, dur_ns; /* local to the clock of the track */
  guint32 name_id;         /* name id of the trace */
  LoomRef ref;             /* as in the trace; LOOM_REF_NONE: the span is a sum */
} LoomIndexSpan;

/* A track of spans or of a counter; for a counter all samples are kept, or the extremes of LOOM_INDEX_BUCKETS buckets. */
typedef struct {
  guint32 track; /* index of the track in the trace */
  GArray *spans; /* LoomIndexSpan; a span comes after those that enclose it */
} LoomIndexTrack;

/* All spans of one name, whether they are kept or not. */
typedef struct {
  guint32 name_id;
  gboolean on_device;
  guint64 n;
  gint64 total_ns, least_ns, most_ns;
} LoomIndexSum;

/* A series with at most twice as many samples is kept completely. For a longer one, the smallest and the largest sample of
 * each bucket are kept, with their own times. */
#define LOOM_INDEX_BUCKETS 1024u

typedef struct {
  LoomTrace *trace;     /* a reference */
  GPtrArray *tracks;    /* LoomIndexTrack */
  GArray *meetings;     /* guint32: indices of the meetings that are kept */
  GArray *sums;         /* LoomIndexSum */
  GByteArray *restarts; /* owned; places in the gzip file of a trace of one source: loom-gzip-restarts.h; NULL: none */
} LoomIndexContent;

LoomIndexContent *loom_index_content_alloc (LoomTrace *trace);
LoomIndexTrack *loom_index_content_add_track (LoomIndexContent *content, guint32 track); /* borrowed */
void loom_index_content_free (LoomIndexContent *content);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexContent, loom_index_content_free)
