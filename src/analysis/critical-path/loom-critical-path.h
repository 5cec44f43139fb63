/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path of a run: what the end of the range waited for, back to its start, across threads, streams and ranks,
 * and what would be saved if parts of it were faster. How the graph is made: loom-path-graph.h. The path has no holes: its
 * stretches add up to its length.
 *
 *   host          the innermost span of the thread that launches next
 *   data loading  the same, inside a span of data loading
 *   launch        from the start of a launch to that of its kernel, which waited for nothing else
 *   pause         between the end of a kernel and the start of the next one that waited for it
 *   computation, copies
 *   transfer      of a collective or message, from the arrival of its last member on; the wait before it is on the path of
 *                 that member
 *   communication alone: its other members are not there, so that waiting and transfer cannot be told apart
 *   synchronization  from the end of the last awaited kernel to the end of the call
 *
 * Savings are replays of the whole graph with a part 20 % faster or free: the end moves less than the part gets shorter as
 * soon as something else becomes critical. Savings of several parts do not add up. Slack is how much later work could end
 * without moving the end.
 *
 * Memory while it is computed: see loom-path-graph.h, and 10 bytes for each node; the result has 32 bytes for each stretch.
 * Times are timeline ns. Immutable when made, freed by its owner; any thread. Texts are borrowed from the run.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-path-slack.h"
#include "loom-steps.h"

#define LOOM_CRITICAL_PATH_MOST_CHANGES 12 /* names whose savings are computed */

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

/* Returns a stable name for documents: "host", "data_loading" … */
const char *loom_critical_path_kind_to_string (LoomPathKind kind);

typedef enum {
  LOOM_PATH_CHANGE_FASTER, /* takes 80 % of its time */
  LOOM_PATH_CHANGE_FREE,
  LOOM_N_PATH_CHANGES,
} LoomPathChange;

typedef struct {
  LoomPathKind kind;
  guint32 name;    /* index in LoomCriticalPath.names */
  LoomSpanId span; /* LOOM_SPAN_ID_NONE: the host between spans. For a launch or pause: the kernel after it */
  LoomRange range;
} LoomPathStretch;

/* All stretches of one kind and name. */
typedef struct {
  LoomPathKind kind;
  const char *name;  /* "": between spans */
  guint64 n;         /* stretches */
  gint64 path_ns;    /* time on the path */
  guint32 longest;   /* index of the longest stretch */
  gboolean is_known; /* the following members are known: only for the names with most time on the path */
  gint64 saving_ns[LOOM_N_PATH_CHANGES];
  gint64 slack_ns; /* mean slack of the work with this name, on the path or not; −1: it is not work of a device */
} LoomPathName;

typedef struct {
  gint rank;
  gint64 path_ns;
} LoomPathRank;

/* The path of one step alone, from the end of its last rank back to its start. */
typedef struct {
  gint64 number;
  gint begin_rank, end_rank;
  LoomRange range; /* range of the path */
  gint64 kinds_ns[LOOM_N_PATH_KINDS];
} LoomPathStep;

typedef struct {
  LoomRange range;   /* range of the path; both 0 if there is no path */
  GArray *stretches; /* LoomPathStretch, by time */
  gint64 kinds_ns[LOOM_N_PATH_KINDS];
  gint64 kind_saving_ns[LOOM_N_PATH_KINDS][LOOM_N_PATH_CHANGES];
  GArray *names;               /* LoomPathName, most time first */
  GArray *ranks;               /* LoomPathRank, most time first */
  GArray *steps;               /* LoomPathStep, by number; only those that lie in the range */
  guint64 n_works, n_launched; /* kernels and copies, and those with a launch in the file */
  guint64 n_joins;             /* collectives and messages across ranks */
  gboolean has_index;          /* a trace of the run is an index, which keeps no launches */
  /* number of waits that are inferred; number of members that end before the last one arrives */
  guint64 n_inferred, n_unjoined;
} LoomCriticalPath;

/* O(spans of the hosts + kernels · log), and a replay of O(kernels) for each kind and each of the names on top, on all
 * processors. NULL only when cancelled. `collectives` (of at least the range) and `steps` may be NULL. */
LoomCriticalPath *loom_critical_path_new (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                                          const LoomSteps *steps, GCancellable *cancellable);
/* Like loom_critical_path_new(), but only the stretches, sums of kinds and counts are filled, without replays: for drawing the
 * path. `slack`: owned by the caller, for the spans of the range; NULL: not wanted. Set only if there is a path. */
LoomCriticalPath *loom_critical_path_new_stretches (LoomTimeline *timeline, LoomRange range,
                                                    const LoomCollectives *collectives, const LoomSteps *steps,
                                                    LoomPathSlack **slack, GCancellable *cancellable);
/* Like loom_critical_path_new(), but without steps, savings and slack: no replays. */
LoomCriticalPath *loom_critical_path_new_plain (LoomTimeline *timeline, LoomRange range,
                                                const LoomCollectives *collectives, GCancellable *cancellable);
void loom_critical_path_free (LoomCriticalPath *path);

/* Returns NULL if there is a path, else a translated sentence with what is missing. Static. */
const char *loom_critical_path_get_missing (const LoomCriticalPath *path);

static inline gint64
loom_critical_path_get_length (const LoomCriticalPath *path)
{
  return path->range.end_ns - path->range.begin_ns;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCriticalPath, loom_critical_path_free)
