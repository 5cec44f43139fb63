/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes all results that are derived from spans alone (not from samples), by calling src/analysis, and writes them:
 * how the devices of each rank spent their time, how busy each device was, the time by kind of work and by kernel,
 * waits for data, and the results of the members below. Can be used for runs of PyTorch, Composer, TensorFlow and XLA.
 * Every part of the results contains its sources, or the reason why it is empty. The functions may be called on any
 * thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-critical-path.h"
#include "loom-data-frame.h"
#include "loom-data-waits.h"
#include "loom-efficiency.h"
#include "loom-expert-load.h"
#include "loom-gpu-utilization.h"
#include "loom-hang.h"
#include "loom-idle-time.h"
#include "loom-memory-use.h"
#include "loom-operators.h"
#include "loom-parallel-axes.h"
#include "loom-pipeline-bubbles.h"
#include "loom-rank-breakdown.h"
#include "loom-slowdown.h"
#include "loom-stragglers.h"
#include "loom-time-by-work-kind.h"
#include "loom-trace-health.h"
#include "loom-transfers.h"

#define LOOM_SPAN_ANALYSIS_BUCKETS 100

/* The results of all analyses of spans. No member is NULL. The struct owns all members that are not const. */
typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  LoomRankBreakdown *ranks;
  LoomGpuUtilization *busy;
  const LoomIdleTime *idle;
  const LoomIdleTime *counted; /* `idle` with the waits of devices for their first work, see loom-idle-start.h */
  LoomTimeByWorkKind *times;
  LoomOperators *operators;
  LoomSteps *steps;
  LoomEfficiency *efficiency;
  LoomDataWaits *waits;
  LoomMemoryUse *memory;
  LoomStragglers *stragglers;
  LoomCollectives *collectives;
  const LoomTransfers *transfers; /* borrowed from `collectives`, like all const members except `health` */
  const LoomParallelAxes *axes;
  const LoomBubbles *bubbles;
  LoomExpertLoad *experts;
  LoomCriticalPath *critical;
  const LoomSlowdown *slowdown;
  LoomHang *hang;
  const LoomTraceHealth *health; /* borrowed from the run */
} LoomSpanAnalysis;

/* Computes all members. `range`: NULL means the whole run. `frame`: any data frame of the run, whatever its range.
 * `peaks`: peaks of devices that the user set. O(spans in range · log rows). Returns NULL only when cancelled. */
LoomSpanAnalysis *loom_span_analysis_new (LoomDataFrame *frame, const LoomRange *range, const LoomPeakSettings *peaks,
                                          GCancellable *cancellable);
void loom_span_analysis_free (LoomSpanAnalysis *computed);

/* Adds an object with these members: "range", "ranks", "devices", "idle", "work", "kernels", "operators", "efficiency",
 * "data_loading", "memory", "collectives", "transfers", "parallel", "critical_path", "slowdown", "hang", "health". If
 * there is no data for a member, it contains the reason as "missing". Sources are indices into the sources of the run.
 * Times are timeline ns. */
void loom_span_analysis_build (const LoomSpanAnalysis *computed, JsonBuilder *builder);
/* Appends the members that loom_span_analysis_build() adds to a JSON text, as members of an object of this depth
 * (loom_json_util_print_members()). At any time, only a part of the members is in memory as nodes of JSON. */
void loom_span_analysis_print (const LoomSpanAnalysis *computed, guint depth, GString *out);

/* Returns a name without control characters, and shortened to at most 60 characters with an ellipsis at the end. Owned
 * by the caller. */
char *loom_span_analysis_dup_name (const char *name);

/* Appends all results as text for a terminal. `frame`: any data frame of the run. If computed->slowdown cannot be used
 * (loom_slowdown_fits()), for example because the range has too few steps, also computes the slowdown of the whole run,
 * unless it was computed before. */
void loom_span_analysis_write (const LoomSpanAnalysis *computed, LoomDataFrame *frame, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSpanAnalysis, loom_span_analysis_free)
