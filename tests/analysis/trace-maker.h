/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds small runs by hand for the tests of analyses. Times are in ns after MAKER_BEGIN. A maker builds one source,
 * and must be finished before the next one is used.
 */
#pragma once

#include "loom-timeline.h"
#include "loom-trace-builder.h"

#include <string.h>

#define MAKER_BEGIN LOOM_TIME_PLAUSIBLE_MIN

typedef struct {
  LoomTraceBuilder *builder;
} Maker;

static inline Maker
maker_new (const char *path, const char *format)
{
  Maker maker = { loom_trace_builder_new () };
  guint clock = loom_trace_builder_add_clock (maker.builder);
  LoomSource *source = loom_source_new (path);
  source->format = format;
  loom_trace_builder_get_clock (maker.builder, clock)->state = LOOM_CLOCK_EXACT;
  loom_trace_builder_add_source (maker.builder, source, clock);
  return maker;
}

/* Adds a thread. rank −1: unknown. The process is found by its label. */
static inline guint32
maker_thread (Maker *maker, const char *process_label, gint rank, const char *tid, guint flags)
{
  guint32 process = loom_trace_builder_process (maker->builder, 0, process_label, strlen (process_label));
  loom_trace_builder_process_set_label (maker->builder, process, process_label);
  loom_trace_builder_process_set_place (maker->builder, process, NULL, rank);
  guint32 thread = loom_trace_builder_thread (maker->builder, process, tid, strlen (tid));
  loom_trace_builder_thread_set_label (maker->builder, thread, tid);
  loom_trace_builder_thread_add_flags (maker->builder, thread, flags);
  return thread;
}

static inline void
maker_flagged_span (Maker *maker, guint32 thread, const char *name, const char *category, gint64 start, gint64 dur,
                    guint flags)
{
  guint32 id = loom_trace_builder_name (maker->builder, name, strlen (name), category, strlen (category), "", 0);
  loom_trace_builder_span (maker->builder, thread, MAKER_BEGIN + start, dur, id,
                           loom_source_ref_make (0, flags, loom_trace_builder_get_n_events (maker->builder)));
}

static inline void
maker_span (Maker *maker, guint32 thread, const char *name, const char *category, gint64 start, gint64 dur)
{
  maker_flagged_span (maker, thread, name, category, start, dur, 0);
}

/* Adds a flow from a span around `from` on a thread to a span around `to` on another thread. */
static inline void
maker_flow (Maker *maker, const char *name, guint32 host, gint64 from, guint32 other, gint64 to, guint64 id)
{
  guint32 number = loom_trace_builder_name (maker->builder, name, strlen (name), name, strlen (name), "", 0);
  LoomRef ref = loom_source_ref_make (0, 0, loom_trace_builder_get_n_events (maker->builder));
  loom_trace_builder_flow (maker->builder, host, 's', FALSE, MAKER_BEGIN + from, id, number, ref);
  loom_trace_builder_flow (maker->builder, other, 'f', TRUE, MAKER_BEGIN + to, id, number, ref);
}

/* Adds a Kineto "ac2g" flow from a call at `from` on the host thread to a kernel at `to` on the stream. */
static inline void
maker_launch_flow (Maker *maker, guint32 host, gint64 from, guint32 stream, gint64 to, guint64 id)
{
  maker_flow (maker, "ac2g", host, from, stream, to, id);
}

/* Builds a timeline and frees the makers; `second` may be NULL. */
static inline LoomTimeline *
maker_timeline (Maker *first, Maker *second)
{
  Maker *makers[] = { first, second };
  LoomTrace *traces[2];
  guint n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (makers[i] != NULL)
      traces[n++] = loom_trace_builder_freeze (makers[i]->builder, 1, NULL);
  LoomRun *run = loom_run_new (traces, n);
  LoomAlignment *alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  LoomTimeline *timeline = loom_timeline_new (run, alignment);
  loom_alignment_unref (alignment);
  loom_run_unref (run);
  while (n > 0)
    loom_trace_unref (traces[--n]);
  return timeline;
}

static inline LoomRange
maker_range (gint64 begin, gint64 end)
{
  return (LoomRange) { MAKER_BEGIN + begin, MAKER_BEGIN + end };
}
