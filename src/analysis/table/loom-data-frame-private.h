/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the files that implement LoomDataFrame: functions that fill its rows and series.
 */
#pragma once

#include "loom-data-frame.h"

static inline gpointer
loom_data_frame_span_key (LoomSpanId span)
{
  return (gpointer) (gsize) (((guint64) span.trace << 32 | span.span) + 1);
}

/* Returns the index of a host in frame->hosts; adds the host if it is new. `host`: NULL is treated as "". */
guint32 loom_data_frame_intern_host (LoomDataFrame *frame, const char *host);
const char *loom_data_frame_intern (LoomDataFrame *frame, const char *text);

/* Allocates the columns for n rows and sets frame->rows to them. */
void loom_data_frame_alloc_rows (LoomDataFrame *frame, guint32 n);

/* The next two functions fill the series and the rows of the LoomDataFrame. They return FALSE if cancelled. */
gboolean loom_data_frame_fill_series (LoomDataFrame *frame, GCancellable *cancellable);
gboolean loom_data_frame_fill_rows (LoomDataFrame *frame, GCancellable *cancellable);
