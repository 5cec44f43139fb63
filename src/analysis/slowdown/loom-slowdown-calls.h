/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the kernels of one trace and the calls of its host, in order of time. They are the input of
 * a replay (loom-slowdown.h). Finds for which earlier kernels and calls each kernel and call waited. Times are on the
 * timeline's clock.
 */
#pragma once

#include "loom-slowdown-replay.h"

/* tolerance for comparisons of times; needed because files round times to microseconds */
#define LOOM_SLOWDOWN_CLOCK_ERROR_NS 2000

typedef struct {
  /* times on the timeline; launch_ns is LOOM_TIME_NONE if the launch is not recorded in the file */
  gint64 begin_ns, end_ns, launch_ns;
  guint32 span, launch, name_id;
  guint32 stream;
  guint32 call; /* index of the launch in LoomSlowdownCalls.events; LOOM_SLOWDOWN_NONE: unknown */
  guint32 step;
  guint8 work;  /* LoomWorkKind of the kernel */
  guint8 aside; /* TRUE if the kernel was not launched by the thread with the step spans, but by another thread */
} LoomSlowdownKernel;

/* Types of events of the host. Events at the same time are sorted in the order of these values: a call returns before
 * its step ends, and a step begins before the calls in it. */
typedef enum {
  LOOM_SLOWDOWN_CALL_RETURNS,
  LOOM_SLOWDOWN_STEP_ENDS,
  LOOM_SLOWDOWN_BARRIER,
  LOOM_SLOWDOWN_BARRIER_ENDS,
  LOOM_SLOWDOWN_STEP_BEGINS,
  LOOM_SLOWDOWN_CALL, /* start of a call that launches work or waits for the device */
} LoomSlowdownCallType;

/* The start or the end of a call, a barrier or a step on the host. */
typedef struct {
  gint64 time_ns;  /* on the timeline */
  gint64 since_ns; /* start of the call; only for LOOM_SLOWDOWN_CALL_RETURNS */
  guint32 type;
  guint32 span; /* span of the call or barrier; LOOM_SLOWDOWN_NONE: the event is the start or end of a step */
  guint32 step; /* index of the step in LoomSlowdownModel.steps; LOOM_SLOWDOWN_NONE: the event is outside of steps */
  /* index in LoomSlowdownCalls.kernels of the copy that the call made; only for LOOM_SLOWDOWN_CALL_RETURNS;
   * LOOM_SLOWDOWN_NONE: the call made no copy */
  guint32 kernel;
} LoomSlowdownCall;

typedef struct {
  GArray *kernels;    /* LoomSlowdownKernel, sorted by start */
  GPtrArray *streams; /* [stream] GArray of guint32: indices in `kernels`, sorted by start */
  GArray *events;     /* LoomSlowdownCall, sorted by time */
  /* `first_kernel`: index in LoomSlowdownReplay.operations of the operation that belongs to kernels[0]; `first_event`:
   * index of the operation that belongs to events[0] */
  guint32 first_kernel, first_event;
  gint64 least_launch_ns, least_gap_ns, least_return_ns;
} LoomSlowdownCalls;

void loom_slowdown_calls_init (LoomSlowdownCalls *calls);
void loom_slowdown_calls_clear (LoomSlowdownCalls *calls);
LoomSlowdownKernel *loom_slowdown_calls_get_kernel (const LoomSlowdownCalls *calls, guint32 i);

/* Adds the waits of all kernels and events to the replay, which must already have an operation for each of them.
 * O(kernels · streams + calls · log kernels). */
void loom_slowdown_calls_connect (LoomSlowdownCalls *calls, LoomSlowdownReplay *replay);
