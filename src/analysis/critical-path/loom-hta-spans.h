/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/critical-path: the spans of a trace in the form that Holistic Trace Analysis (HTA) uses. One
 * thread.
 */
#pragma once

#include "loom-trace.h"

typedef enum {
  LOOM_HTA_SPAN_OTHER, /* span of the host that has no nodes in the graph; it counts only as a part of the call stack */
  LOOM_HTA_SPAN_HOST,  /* span of category cpu_op, cuda_runtime or cuda_driver: it has nodes in the graph */
  LOOM_HTA_SPAN_DEVICE, /* kernels and copies */
  LOOM_HTA_SPAN_SYNC,   /* wait that is recorded with category cuda_sync */
} LoomHtaSpanClass;

typedef enum {
  /* the call takes a lock, so it cannot run at the same time as a call of another thread that takes this lock */
  LOOM_HTA_CALL_LOCKS = 1 << 0,
  LOOM_HTA_CALL_BLOCKS = 1 << 1,
  LOOM_HTA_CALL_LAUNCHES = 1 << 2,
  LOOM_HTA_NAME_COMMUNICATES = 1 << 3,
  LOOM_HTA_NAME_FORWARD = 1 << 4,
  LOOM_HTA_NAME_AUTOGRAD = 1 << 5,
} LoomHtaNameFlags;

#define LOOM_HTA_NONE G_MAXUINT32

typedef struct {
  gint64 start_ns, end_ns;
  LoomRef ref;   /* position in the file, by which the spans are sorted */
  gint64 stream; /* number of the stream of device work; −1: the span has no stream */
  guint32 span, track;
  /* for device work: index of the call that launched it; for a wait: index of the waiting call; for a call: index of
   * the device work that the call launched; LOOM_HTA_NONE: unknown */
  guint32 link;
  /* for a wait for an event: index of the last launch before the event was recorded; LOOM_HTA_NONE: none */
  guint32 recorded;
  guint32 released; /* for a wait of a stream: index of the next launch on this stream; LOOM_HTA_NONE: none */
  guint16 klass, flags;
  /* number of kernels and copies in the stream's queue after this launch, or after this work has started; −1:
   * unknown */
  gint32 queue;
} LoomHtaSpan;

typedef enum {
  LOOM_HTA_WAIT_STREAM_EVENT,
  LOOM_HTA_WAIT_EVENT,
  LOOM_HTA_WAIT_STREAM,
  LOOM_HTA_WAIT_CONTEXT,
} LoomHtaWait;

typedef struct {
  const LoomTrace *trace;
  GArray *spans; /* LoomHtaSpan, in the order of the file; does not contain instants and spans of category Trace */
  /* [index of a span in the trace] index of this span in `spans`; LOOM_HTA_NONE: the span is not in `spans` */
  guint32 *of_span;
  guint8 *classes, *flags; /* [name id of the trace] LoomHtaSpanClass and LoomHtaNameFlags of spans with this name */
} LoomHtaSpans;

void loom_hta_spans_init (LoomHtaSpans *self, const LoomTrace *trace);
void loom_hta_spans_clear (LoomHtaSpans *self);

static inline LoomHtaSpan *
loom_hta_spans_get (const LoomHtaSpans *self, guint32 index)
{
  return &g_array_index (self->spans, LoomHtaSpan, index);
}

/* Returns the kind of wait of a span of category cuda_sync. */
LoomHtaWait loom_hta_spans_get_wait (const LoomHtaSpans *self, guint32 index);
