/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a trace can be believed: records that contradict each other or are missing. The checks of waits, collectives and
 * backward are those of PyTorch's validator (torch/profiler/_trace_validator.py).
 *
 * Each check counts per trace. A finding is *alarming* if figures drawn from the trace are wrong, beyond the limits below;
 * other findings only say what a trace lacks. Most checks are for files in the Chrome trace format, as PyTorch writes them.
 * Checks that need args read at most LOOM_TRACE_HEALTH_MOST_READ events of each kind from all files together. Immutable; any
 * thread. Times are ns of the trace's own clock.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

#define LOOM_TRACE_HEALTH_MOST_READ 50000
#define LOOM_TRACE_HEALTH_TOLERANCE_NS 1000 /* files round times to microseconds */
#define LOOM_TRACE_HEALTH_OVERLAP_NS \
  10000 /* newer GPUs begin a kernel a few µs before the one that it depends on ends */
#define LOOM_TRACE_HEALTH_MOST_LOST 0.01   /* share of kernels or launches whose counterpart is missing */
#define LOOM_TRACE_HEALTH_MOST_WRONG 0.005 /* share of spans that overlap or are nested wrongly */
#define LOOM_TRACE_HEALTH_JUMP_NS 1000000  /* smallest jump of a clock that is found */
/* multiple of the median of the other steps from which first steps count as warm-up */
#define LOOM_TRACE_HEALTH_WARM_UP 1.5
#define LOOM_TRACE_HEALTH_OVERHEAD 0.01 /* share of the recorded time that the profiler takes for itself */

typedef enum {
  LOOM_HEALTH_EARLY_KERNELS, /* kernels that begin before their cudaLaunchKernel; pairs are found by External id */
  LOOM_HEALTH_KERNELS_WITHOUT_LAUNCH,  /* kernels with a correlation id that no call of the host has */
  LOOM_HEALTH_LAUNCHES_WITHOUT_KERNEL, /* launches without a kernel, if other launches of the same name have one */
  LOOM_HEALTH_STREAM_OVERLAPS,         /* work of one stream that begins before the work before it ends */
  LOOM_HEALTH_NESTING,                 /* spans of a thread that end after the span in which they began */
  LOOM_HEALTH_MIXED_RANKS,             /* correlation ids that work of several processes in one file has */
  LOOM_HEALTH_CLOCK_JUMP,              /* from some time on collectives end earlier or later than on the other ranks */
  LOOM_HEALTH_CUT_OFF,                 /* the file ends early, or has fewer steps than those of other ranks */
  LOOM_HEALTH_WAITS_WITHOUT_RECORD,    /* waits for an event that don't state the event */
  LOOM_HEALTH_RECORDS_MISSING,         /* the event was recorded by a call that is not in the file */
  LOOM_HEALTH_RECORDS_LATER,           /* the event was recorded after the wait */
  LOOM_HEALTH_KERNELS_AT_SYNC,         /* kernels that run when a synchronisation of their stream begins */
  LOOM_HEALTH_COLLECTIVE_FIELDS,       /* collectives without kind, type, sizes or group */
  LOOM_HEALTH_BACKWARD_NUMBERS,        /* sequence numbers of several backward functions */
  LOOM_HEALTH_WARM_UP,                 /* first steps that take longer than the others */
  LOOM_HEALTH_OVERHEAD,                /* time that the profiler took for itself */
  LOOM_N_HEALTH,
} LoomHealthCheck;

typedef struct {
  LoomHealthCheck check;
  guint trace;
  gint rank;       /* rank of the trace; −1: unknown */
  guint64 n, n_of; /* number of violations, and of records that were examined */
  gint64 worst_ns; /* 0: the check has no times */
  LoomSpanId span; /* the first violation, or the worst; LOOM_SPAN_ID_NONE */
  gboolean is_alarming;
} LoomHealthRow;

typedef struct {
  GArray *rows; /* LoomHealthRow: for each trace all checks, by trace, then check */
  guint n_traces;
  guint64 n_left; /* events whose args were not read */
} LoomTraceHealth;

/* O(spans + args read). NULL only when cancelled. */
LoomTraceHealth *loom_trace_health_new (LoomTimeline *timeline, GCancellable *cancellable);
/* The health of the timeline's run, computed on the first call and kept with the run. Borrowed. NULL only when cancelled. */
const LoomTraceHealth *loom_trace_health_get_shared (LoomTimeline *timeline, GCancellable *cancellable);
void loom_trace_health_free (LoomTraceHealth *health);

const LoomHealthRow *loom_trace_health_get (const LoomTraceHealth *health, guint trace, LoomHealthCheck check);
/* Number of alarming rows. */
guint loom_trace_health_count_alarms (const LoomTraceHealth *health);

/* Stable names for documents: "early-kernels" … */
const char *loom_trace_health_to_string (LoomHealthCheck check);
/* For people, translated, static: what was found, and what that means for figures and what to record differently. */
const char *loom_trace_health_get_title (LoomHealthCheck check);
const char *loom_trace_health_get_meaning (LoomHealthCheck check);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTraceHealth, loom_trace_health_free)
