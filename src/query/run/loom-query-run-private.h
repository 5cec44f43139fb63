/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: the numbers and analyses of a run that the tables read.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-critical-path.h"
#include "loom-query-run.h"
#include "loom-steps.h"

typedef struct {
  guint trace;
  guint track; /* first track of the process, number in the trace */
} LoomQueryProcess;

struct _LoomQueryRun {
  gatomicrefcount refs;
  LoomTimeline *timeline;
  LoomRun *run; /* borrowed from the timeline */
  guint n_traces;
  /* [trace] → number of its first track, process, counter, arrow in the run; the last element is the total */
  guint *first_track, *first_process, *first_counter;
  guint64 *first_flow;
  GArray *processes; /* LoomQueryProcess */
  GArray *counters;  /* guint: [counter] → number of its track in the trace */
  guint64 n_spans, n_instants, n_samples;
  GMutex lock; /* guards what follows */
  LoomSteps *steps;
  LoomCollectives *collectives;
  GPtrArray *findings; /* LoomRuleResult */
  LoomCriticalPath *path;
  guint8 **kinds[2];   /* [device][trace] → LoomWorkKind by name id; made for a trace when first needed */
  gpointer connection; /* LoomQueryConnection that no query uses; NULL: none */
  GDestroyNotify close_connection;
};

/* Returns the trace that has the element `number`; `first` is one of the arrays above. O(log traces). */
guint loom_query_run_find_trace (const LoomQueryRun *run, const guint *first, guint number);

/* Keeps one connection that is not in use, or closes it; take returns it, or NULL. */
void loom_query_run_keep_connection (LoomQueryRun *run, gpointer connection, GDestroyNotify close);
gpointer loom_query_run_take_connection (LoomQueryRun *run);

/* Results of analyses; borrowed, NULL only when cancelled. The first call makes them. */
const LoomSteps *loom_query_run_get_steps (LoomQueryRun *run, GCancellable *cancellable);
const LoomCollectives *loom_query_run_get_collectives (LoomQueryRun *run, GCancellable *cancellable);
const GPtrArray *loom_query_run_get_findings (LoomQueryRun *run, GCancellable *cancellable);
/* The critical path of the whole run. */
const LoomCriticalPath *loom_query_run_get_path (LoomQueryRun *run, GCancellable *cancellable);
/* LoomWorkKind by name id of the trace, for spans on devices or hosts; borrowed. */
const guint8 *loom_query_run_get_kinds (LoomQueryRun *run, guint trace, gboolean device);
