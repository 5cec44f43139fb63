/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path of a run: the chain of work and waits, back from the end of the range to its start, across threads,
 * streams and ranks, that determined when the range ended. Also how much time would be saved if parts of it were
 * faster. loom-path-graph.h describes the graph. The path has no gaps: the durations of its segments (LoomPathStretch)
 * add up to its length. Kinds of segments:
 *
 *   host            the innermost span of the thread that makes the next launch
 *   data loading    like host, but inside a span of data loading
 *   launch          from the start of a launch to the start of its kernel, if the kernel waited only for the launch
 *   pause           from the end of a kernel to the start of the next kernel, if the next kernel waited for the end of
 *                   the first
 *   computation     kernels that compute
 *   copies          copies of memory
 *   transfer        a collective or message, from the arrival of its last rank to its end. Before that, the path runs
 *                   on the last rank, so that the waits of other ranks are not on the path.
 *   communication   a collective or message of which no other rank is in the files: its wait and its transfer cannot be
 *                   distinguished
 *   synchronization from the end of the last kernel for which a call waited to the end of the call
 *
 * A saving is computed by a replay: all times of the graph are computed again, with one part of the work 20 % faster or
 * taking no time. The end of the range usually moves by less than the part gets shorter, because other work becomes
 * critical. So the savings of several parts do not add up. Slack is how much later work could end without moving the
 * end of the range.
 *
 * Savings are also computed for parallel axes and for classes of modules. For an axis, its collectives and messages are
 * faster. For a class of modules, the work launched inside its modules and the time of the host inside them are
 * shorter; this includes the backward pass if flows named "fwdbwd" link it to the forward pass.
 *
 * The computation needs the memory of the graph, plus 16 bytes per node for each processor, plus 13 bytes per node. The
 * result has 32 bytes for each segment. Times are timeline ns. Immutable when made, freed by its owner; any thread.
 * Texts are borrowed from the run.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-parallel-axis.h"
#include "loom-path-slack.h"
#include "loom-recording-advice.h"
#include "loom-steps.h"

#define LOOM_CRITICAL_PATH_MOST_CHANGES 12 /* maximum number of names and of modules whose savings are computed */

typedef enum {
  LOOM_PATH_KIND_HOST,
  LOOM_PATH_KIND_DATA,
  LOOM_PATH_KIND_LAUNCH,
  LOOM_PATH_KIND_PAUSE,
  LOOM_PATH_KIND_COMPUTE,
  LOOM_PATH_KIND_MEMORY,
  LOOM_PATH_KIND_TRANSFER,
  LOOM_PATH_KIND_COMMUNICATION,
  LOOM_PATH_KIND_SYNC,
  LOOM_N_PATH_KINDS,
} LoomPathKind;

/* Returns the untranslated name of a kind for JSON output and SQL: "host", "data_loading" … The names never change. */
const char *loom_critical_path_kind_to_string (LoomPathKind kind);

typedef enum {
  LOOM_PATH_CHANGE_FASTER, /* the changed work takes 80 % of the time that it takes in the recorded run */
  LOOM_PATH_CHANGE_FREE,
  LOOM_N_PATH_CHANGES,
} LoomPathChange;

typedef struct {
  LoomPathKind kind;
  guint32 name; /* index in LoomCriticalPath.names */
  /* the span of this segment; for a launch or pause, the kernel after it; LOOM_SPAN_ID_NONE: the segment is time of the
   * host between spans */
  LoomSpanId span;
  LoomRange range;
} LoomPathStretch;

/* All segments (LoomPathStretch) of the path with one kind and name. */
typedef struct {
  LoomPathKind kind;
  const char *name; /* name of the spans; "": time of the host between spans */
  guint64 n;        /* number of segments */
  gint64 path_ns;   /* total time of the segments with this kind and name */
  guint32 longest;  /* index in LoomCriticalPath.stretches of the longest segment with this kind and name */
  /* TRUE if the members below are set; they are set only for the names with the most time on the path */
  gboolean is_known;
  gint64 saving_ns[LOOM_N_PATH_CHANGES];
  /* mean slack of all work with this name and kind, on the path and elsewhere; −1: such work does not run on a
   * device */
  gint64 slack_ns;
} LoomPathName;

/* The time that one parallel axis, or one class of modules, takes on the path. */
typedef struct {
  /* for an axis, the result of loom_parallel_axis_to_string(), such as "tensor"; for a class of modules, the name of
   * the class, such as "Linear" for the modules "nn.Module: Linear_0" and "nn.Module: Linear_1" */
  const char *name;
  LoomParallelAxis axis; /* LOOM_PARALLEL_AXIS_UNKNOWN for modules */
  gint64 path_ns;
  /* TRUE if saving_ns is set; it is set for all axes, but only for the modules with the most time on the path */
  gboolean is_known;
  gint64 saving_ns[LOOM_N_PATH_CHANGES];
} LoomPathShare;

typedef struct {
  gint rank;
  gint64 path_ns;
} LoomPathRank;

/* The critical path of a single step, from the start of the step to the time at which the last rank ends it. */
typedef struct {
  gint64 number;
  gint begin_rank, end_rank;
  LoomRange range; /* from the start of the step to the time at which the last rank ends the step */
  gint64 kinds_ns[LOOM_N_PATH_KINDS];
} LoomPathStep;

typedef struct {
  LoomRange range;   /* from the start to the end of the path; both 0 if there is no path */
  GArray *stretches; /* LoomPathStretch: the segments of the path in order of time */
  gint64 kinds_ns[LOOM_N_PATH_KINDS];
  gint64 kind_saving_ns[LOOM_N_PATH_KINDS][LOOM_N_PATH_CHANGES];
  GArray *names; /* LoomPathName, sorted by time on the path, longest first */
  GArray *axes;  /* LoomPathShare of each parallel axis that has transfers between ranks of the run, sorted by axis */
  /* LoomPathShare of each class of modules on the path, sorted by time, longest first; time inside several nested
   * modules counts for the class of each of them */
  GArray *modules;
  GArray *ranks; /* LoomPathRank, sorted by time on the path, longest first */
  GArray *steps; /* LoomPathStep of each step that lies inside the range of the path, in order of time */
  /* [trace] LoomPathLateEnds of the waits in the range; can be passed to loom_trace_health_get_shared() */
  GArray *late_ends;
  /* n_works: number of kernels and copies; n_launched: number of those kernels and copies whose launch is in the
   * file */
  guint64 n_works, n_launched;
  /* number of collectives and messages in the analyzed range, on the path and elsewhere; counts only those of which the
   * files contain at least two ranks */
  guint64 n_joins;
  /* `has_index`: TRUE if a trace of the run is read from an index file, which contains no launches of kernels */
  LoomRecorder recorder; /* the profiler that recorded the run */
  gboolean has_index;
  /* number of recordings in the range whose work ends before the path begins, for example those of earlier cycles of a
   * profiler. The path does not contain them, because no dependency leads from one recording of a rank to the next. */
  guint n_earlier;
  /* `n_inferred`: number of waits that are inferred because they are not recorded; `n_unjoined`: how often a rank's
   * part in a collective ends before the last rank arrives */
  guint64 n_inferred, n_unjoined;
  GStringChunk *texts; /* private: owns names of modules */
} LoomCriticalPath;

/* Computes the path, the savings and the slack. `collectives` and `steps` may be NULL; `collectives` must cover the
 * range. O(spans of the hosts + kernels · log kernels), plus O(kernels) for each replay. There is one replay for each
 * kind of segment, name, axis and class of modules whose savings are computed; the replays run in parallel on all
 * processors. NULL only when cancelled. */
LoomCriticalPath *loom_critical_path_new (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                                          const LoomSteps *steps, GCancellable *cancellable);
/* Like loom_critical_path_new(), but computes only the data for drawing the path: the segments, the total time of each
 * kind of segment, and the counts. No replays are run. If there is a path and the parameter `slack` is not NULL, stores
 * the slack of the spans in the range there; owned by the caller. */
LoomCriticalPath *loom_critical_path_new_stretches (LoomTimeline *timeline, LoomRange range,
                                                    const LoomCollectives *collectives, const LoomSteps *steps,
                                                    LoomPathSlack **slack, GCancellable *cancellable);
/* Like loom_critical_path_new(), but does not compute paths of steps, savings and slack, and thus runs no replays. */
LoomCriticalPath *loom_critical_path_new_plain (LoomTimeline *timeline, LoomRange range,
                                                const LoomCollectives *collectives, GCancellable *cancellable);
void loom_critical_path_free (LoomCriticalPath *path);

/* Returns NULL if there is a path, else a translated sentence that names what is missing for a path. Static. */
const char *loom_critical_path_get_missing (const LoomCriticalPath *path);
/* Returns how to record what is missing, as a translated text; NULL: nothing is missing, or recording would not help.
 * Static. */
const char *loom_critical_path_get_advice (const LoomCriticalPath *path);

static inline gint64
loom_critical_path_get_length (const LoomCriticalPath *path)
{
  return path->range.end_ns - path->range.begin_ns;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCriticalPath, loom_critical_path_free)
