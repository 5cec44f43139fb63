/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the frame: its struct, and the two functions that fill it.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-string-pool.h"

struct _LoomDataFrame {
  gatomicrefcount refs;
  LoomDataFrame *base; /* for a frame of a range: the frame that owns the shared data; else NULL */
  LoomTimeline *timeline;
  LoomNumberConvention numbers;
  gint64 origin_ns;
  LoomRange range;       /* the range it was cut to, both ends included; for a whole frame all of time */
  LoomStringPool *texts; /* metrics, processes, and the texts of workers and series */
  GArray *workers;       /* LoomWorker */
  GPtrArray *hosts;      /* borrowed from `texts` */
  GArray *series;        /* LoomSampleSeries */
  GPtrArray *columns;    /* owned blocks that the series point into */
  /* as written: key of a span → ns lost from its duration by cutting its times to whole µs */
  GHashTable *cut_ns;
  LoomDataFrameRows rows;
  gpointer row_columns[8];
};

static inline gpointer
loom_data_frame_span_key (LoomSpanId span)
{
  return (gpointer) (gsize) (((guint64) span.trace << 32 | span.span) + 1);
}

/* Index of a host in the frame; NULL is treated as "". */
guint32 loom_data_frame_intern_host (LoomDataFrame *frame, const char *host);
const char *loom_data_frame_intern (LoomDataFrame *frame, const char *text);

/* Allocates the columns for n rows and sets `rows` to them. */
void loom_data_frame_alloc_rows (LoomDataFrame *frame, guint32 n);

/* Both return FALSE if cancelled. */
gboolean loom_data_frame_fill_series (LoomDataFrame *frame, GCancellable *cancellable);
gboolean loom_data_frame_fill_rows (LoomDataFrame *frame, GCancellable *cancellable);
