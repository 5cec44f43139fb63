/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the frame: its struct, and the two halves that fill it.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-string-pool.h"

G_BEGIN_DECLS

struct _LoomDataFrame {
  gatomicrefcount refs;
  LoomDataFrame *base; /* of a range: what is shared stands there; else NULL */
  LoomTimeline *timeline;
  LoomNumberConvention numbers;
  gint64 origin_ns;
  LoomRange range;       /* what it was cut to, both ends included; of a whole frame all of time */
  LoomStringPool *texts; /* metrics, processes, and the texts of workers and series */
  GArray *workers;       /* LoomWorker */
  GPtrArray *hosts;      /* borrowed from `texts` */
  GArray *series;        /* LoomSampleSeries */
  GPtrArray *columns;    /* owned blocks that series point into */
  GHashTable *cut_ns;    /* key of a span → what cutting to whole µs took from its duration; as written */
  LoomDataFrameRows rows;
  gpointer row_columns[8];
};

static inline gpointer
loom_data_frame_span_key (LoomSpanId span)
{
  return (gpointer) (gsize) (((guint64) span.trace << 32 | span.span) + 1);
}

/* Index of a host in the frame; NULL is "". */
guint32 loom_data_frame_intern_host (LoomDataFrame *frame, const char *host);
const char *loom_data_frame_intern (LoomDataFrame *frame, const char *text);

/* Room for n rows, set to `rows`. */
void loom_data_frame_alloc_rows (LoomDataFrame *frame, guint32 n);

/* FALSE when cancelled. */
gboolean loom_data_frame_fill_series (LoomDataFrame *frame, GCancellable *cancellable);
gboolean loom_data_frame_fill_rows (LoomDataFrame *frame, GCancellable *cancellable);

G_END_DECLS
