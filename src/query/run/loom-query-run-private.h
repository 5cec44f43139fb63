/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. The members of LoomQueryRun (loom-query-run.h), and the results of analyses (steps,
 * collectives, findings, critical paths) that several tables read.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-critical-path.h"
#include "loom-query-finding.h"
#include "loom-query-run.h"
#include "loom-steps.h"

typedef struct {
  guint trace;
  guint track; /* index, in the trace, of the first track of the process */
} LoomQueryProcess;

/* A name that occurs in a trace, as an element of the sorted list of all names of the run. */
typedef struct {
  const char *text; /* borrowed from the trace */
  guint32 trace, id;
  guint8 tracks; /* kind of the tracks whose events this element represents; LOOM_QUERY_ALL_TRACKS: of all tracks */
} LoomQueryName;

#define LOOM_QUERY_ALL_TRACKS 0xFF

/* The events of a trace, sorted by name. The column indices of the events with the name id i are the elements of
 * `events` from first[i] to first[i + 1] − 1, in ascending order. */
typedef struct {
  guint32 *first, *events;
} LoomQueryNameEvents;

struct _LoomQueryRun {
  gatomicrefcount refs;
  LoomTimeline *timeline;
  LoomRun *run; /* the run of the timeline; borrowed */
  guint n_traces;
  /* Arrays indexed by trace: how many tracks, processes, counters or arrows the earlier traces have. This is also the
   * number, in the run, of the trace's first track, process, counter or arrow, because they are numbered through all
   * traces. The element after the last trace is the total of the run. */
  guint *first_track, *first_process, *first_counter;
  guint64 *first_flow;
  GArray *processes; /* LoomQueryProcess, in the order of their numbers in the run */
  GArray *counters;  /* guint elements, indexed by number of a counter in the run: index of the counter's track in the
                      * trace */
  guint64 n_spans, n_instants, n_samples;
  GMutex lock;   /* protects all members below */
  GCond changed; /* signalled when `busy` changes */
  /* TRUE while a query computes an analysis. Other queries then wait, because only one query at a time may change the
   * members below */
  gboolean busy;
  LoomSteps *steps;
  LoomCollectives *collectives;
  GArray *findings; /* LoomQueryFinding: results of performance rules; NULL until a query needs them */
  GPtrArray *paths; /* LoomQueryPath: critical paths that are kept for later queries, in the order of their last use */
  GArray *names;    /* LoomQueryName: all names of the run, sorted by text; NULL until needed */
  /* array indexed by trace, of arrays indexed by row: 1 if each span of the row has a parent; the array of a trace is
   * made when a query first needs it */
  guint8 **rows_inside;
  LoomQueryNameEvents **name_events; /* array indexed by trace: the events of each name; an element is NULL until a
                                      * query needs it */
  gpointer connection; /* an unused LoomQueryConnection, which the next query can use; NULL: there is none */
  GDestroyNotify close_connection;
};

/* Returns the trace to which an element (a track, process, counter or arrow) with the number `number` in the run
 * belongs. `first`: the array of LoomQueryRun for this kind of element, such as first_track. O(log traces). */
guint loom_query_run_find_trace (const LoomQueryRun *run, const guint *first, guint number);

/* loom_query_run_keep_connection() stores a connection after a query, so that the next query can use it. If a
 * connection is already stored, closes `connection` instead. loom_query_run_take_connection() removes the stored
 * connection from the run and returns it; NULL if none is stored. */
void loom_query_run_keep_connection (LoomQueryRun *run, gpointer connection, GDestroyNotify close);
gpointer loom_query_run_take_connection (LoomQueryRun *run);

/* A critical path that is kept for later: a join needs the same path for each row, and the user may next run a query
 * that is only slightly different. A run keeps up to 8 paths, with at most 2 million segments
 * (LoomCriticalPath.stretches) in total, but always keeps the path that was used last. */
typedef struct {
  LoomRange range;
  LoomCriticalPath *path;
} LoomQueryPath;

#define LOOM_QUERY_RUN_PATHS 8
#define LOOM_QUERY_RUN_STRETCHES (2u << 20)

/* The functions below return results of analyses; borrowed. The first call computes the result. If another query is
 * computing it, the call waits. They return NULL only when cancelled, which is possible during this wait, too. */
const LoomSteps *loom_query_run_get_steps (LoomQueryRun *run, GCancellable *cancellable);
const LoomCollectives *loom_query_run_get_collectives (LoomQueryRun *run, GCancellable *cancellable);
const GArray *loom_query_run_get_findings (LoomQueryRun *run, GCancellable *cancellable);
/* Returns the critical path of a range, or of the whole run if `range` is NULL. The caller releases it with
 * loom_query_run_release_path(). Returns NULL when cancelled. */
LoomQueryPath *loom_query_run_get_path (LoomQueryRun *run, const LoomRange *range, GCancellable *cancellable);
void loom_query_run_release_path (LoomQueryPath *path); /* `path` may be NULL */
/* Returns all names of the run, sorted by text, then trace, then id; borrowed. O(names · log names) at the first
 * call. */
const GArray *loom_query_run_get_sorted_names (LoomQueryRun *run);
/* Returns the events of each name of the trace; borrowed. O(events) at the first call. NULL when cancelled, and if
 * SQLite cannot allocate the memory for the lists of events. */
const LoomQueryNameEvents *loom_query_run_get_name_events (LoomQueryRun *run, guint trace, GCancellable *cancellable);
void loom_query_run_name_events_free (LoomQueryNameEvents *self); /* `self` may be NULL */
/* Returns TRUE if each span of a row has a parent. The first call for a trace takes O(spans). */
gboolean loom_query_run_is_row_inside (LoomQueryRun *run, guint trace, guint32 row);
