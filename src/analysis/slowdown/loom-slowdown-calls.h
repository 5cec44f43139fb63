/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the kernels of one trace and the host's calls in order of time, as input of a replay
 * (loom-slowdown.h). Finds for which earlier kernels or calls each of them waited. Times are on the timeline's clock.
 */
#pragma once

#include "loom-slowdown-replay.h"

/* tolerance for comparisons of times, because files round times to microseconds */
#define LOOM_SLOWDOWN_CLOCK_ERROR_NS 2000

typedef struct {
  /* on the timeline; if the launch is not in the file, launch_ns is LOOM_TIME_NONE */
  gint64 begin_ns, end_ns, launch_ns;
  guint32 span, launch, name_id;
  guint32 stream;
  guint32 call; /* index of the launch in LoomSlowdownCalls.events; LOOM_SLOWDOWN_NONE: unknown */
  guint32 step;
  guint8 work;  /* LoomWorkKind of the kernel */
  guint8 aside; /* TRUE if the kernel was launched by another thread than the one with the step spans */
} LoomSlowdownKernel;

/* Types of events of the host, in the order in which events with equal times are sorted: a call returns before its step
 * ends, and the next step begins before the calls in it. */
typedef enum {
  LOOM_SLOWDOWN_CALL_RETURNS,
  LOOM_SLOWDOWN_STEP_ENDS,
  LOOM_SLOWDOWN_BARRIER,
  LOOM_SLOWDOWN_BARRIER_ENDS,
  LOOM_SLOWDOWN_STEP_BEGINS,
  LOOM_SLOWDOWN_CALL, /* start of a launch, or of a call that waits */
} LoomSlowdownCallType;

/* The start or the end of a call, a barrier or a step on the host. */
typedef struct {
  gint64 time_ns;  /* on the timeline */
  gint64 since_ns; /* for LOOM_SLOWDOWN_CALL_RETURNS: start of the call */
  guint32 type;
  guint32 span; /* span of the call or barrier; LOOM_SLOWDOWN_NONE: the event belongs to a step */
  guint32 step; /* index of the step in LoomSlowdownModel.steps; LOOM_SLOWDOWN_NONE: the event is outside of steps */
  /* if the event is LOOM_SLOWDOWN_CALL_RETURNS of a call that copies, index of the copy in LoomSlowdownCalls.kernels */
  guint32 kernel;
} LoomSlowdownCall;

typedef struct {
  GArray *kernels;    /* LoomSlowdownKernel, sorted by start */
  GPtrArray *streams; /* [stream] GArray of guint32: indices in `kernels`, sorted by start */
  GArray *events;     /* LoomSlowdownCall, sorted by time */
  /* index in LoomSlowdownReplay.operations of the first kernel's operation, and of the first event's operation */
  guint32 first_kernel, first_event;
  gint64 least_launch_ns, least_gap_ns, least_return_ns;
} LoomSlowdownCalls;

void loom_slowdown_calls_init (LoomSlowdownCalls *calls);
void loom_slowdown_calls_clear (LoomSlowdownCalls *calls);
LoomSlowdownKernel *loom_slowdown_calls_get_kernel (const LoomSlowdownCalls *calls, guint32 i);

/* Adds the waits of all kernels and events to a replay that already has an operation for each of them. O(kernels ·
 * streams + calls · log kernels). */
void loom_slowdown_calls_connect (LoomSlowdownCalls *calls, LoomSlowdownReplay *replay);
