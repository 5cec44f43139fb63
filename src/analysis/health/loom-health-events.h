/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: reads from the files the args of events that the checks of loom-health-checks.h need,
 * because args are not kept in memory. One thread.
 */
#pragma once

#include "loom-timeline.h"

typedef enum {
  LOOM_HEALTH_EVENT_DEVICE,     /* kernel or copy on a device */
  LOOM_HEALTH_EVENT_CALL,       /* call of a function of the CUDA runtime or driver */
  LOOM_HEALTH_EVENT_WAIT,       /* span “Stream Wait Event” of category cuda_sync: a stream waits for an event */
  LOOM_HEALTH_EVENT_EVENT_SYNC, /* span “Event Sync” of category cuda_sync: cudaEventSynchronize */
  LOOM_HEALTH_EVENT_SYNC,       /* span “Stream Sync” of category cuda_sync: cudaStreamSynchronize */
  LOOM_HEALTH_EVENT_COLLECTIVE, /* span “record_param_comms”: a collective */
  LOOM_HEALTH_EVENT_BACKWARD,   /* span “autograd::engine::evaluate_function…”: a function of the backward pass */
} LoomHealthEventKind;

/* Value of a member of LoomHealthEvent if the event in the file does not state the number. All times are ns on the
 * trace's own clock. */
#define LOOM_HEALTH_NONE G_MININT64

typedef struct {
  guint32 span, name_id, source, process;
  guint8 kind;
  guint8 is_kernel;    /* TRUE if the event has the category “kernel” */
  guint8 is_launch;    /* TRUE for calls of cudaLaunchKernel */
  guint8 is_record;    /* TRUE for calls of cudaEventRecord and its variants */
  guint8 lacks_fields; /* TRUE for a collective whose args are incomplete */
  gint64 begin_ns, end_ns;
  gint64 correlation, external;
  gint64 device, stream;
  gint64 record;   /* for a wait for an event: correlation id of the call that recorded the awaited event */
  gint64 sequence; /* for a backward function: its sequence number */
} LoomHealthEvent;

typedef struct {
  GArray *events; /* LoomHealthEvent, in the order of the file */
  /* number of events that the checks need but that were not read, because the trace has too many events of this
   * kind */
  guint64 n_left;
} LoomHealthEvents;

/* Reads the args of at most `most` events of each kind. */
void loom_health_events_init (LoomHealthEvents *events, const LoomTrace *trace, guint most, GCancellable *cancellable);
void loom_health_events_clear (LoomHealthEvents *events);
