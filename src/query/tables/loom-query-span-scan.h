/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. A scan visits the spans or instants of a run that meet the conditions of a query. First, the
 * conditions on ids, tracks, ranks, parents and times select stretches (ranges of consecutive events in rows) by binary
 * search. Then the events of the stretches are visited, and the conditions on durations and names are evaluated. A
 * condition on names is evaluated only once for each name.
 */
#pragma once

#include "loom-query-values.h"
#include "loom-work-kind.h"

/* If a trace has at least this many spans per name, all names of the trace are tested before its spans are visited. */
#define LOOM_QUERY_SPANS_PER_NAME 16

/* Number of spans examined between two checks of the cancellable. Until the next check, SQLite cannot interrupt the
 * query. */
#define LOOM_QUERY_LOOK_EVERY 65536

/* A stretch: a range of events in one row of a track. It contains the events with the column indices from `at` to `to`
 * − 1 in the trace. */
typedef struct {
  guint32 trace, track, row; /* `trace`: index in the run; `track` and `row`: indices in the trace */
  guint32 at, to;
} LoomQueryStretch;

/* The values that the conditions IS NULL and IS NOT NULL on a column allow. If there are several conditions, a value
 * must be allowed by all of them. */
typedef enum {
  LOOM_QUERY_NULLS_NEITHER = 0,
  LOOM_QUERY_NULLS_ONLY = 1,
  LOOM_QUERY_NULLS_NEVER = 2,
  LOOM_QUERY_NULLS_ANY = LOOM_QUERY_NULLS_ONLY | LOOM_QUERY_NULLS_NEVER,
} LoomQueryNulls;

/* If a query needs only rows that differ, a scan may skip an event if an event with equal values was already returned.
 * The constants say which events a scan may skip. */
typedef enum {
  LOOM_QUERY_ONCE_NEVER,
  LOOM_QUERY_ONCE_PER_NAME, /* visits only one event of each name in each stretch (LoomQueryStretch) */
  LOOM_QUERY_ONCE_PER_ROW,  /* visits only one event of each LoomQueryStretch */
} LoomQueryOnce;

/* A condition column <> value, or column IS NOT value. */
typedef struct {
  guint column; /* number of the column: LOOM_QUERY_SPAN_TRACK, …_PROCESS, …_RANK or …_DEPTH */
  gint64 value;
} LoomQueryExclusion;

typedef struct {
  LoomQueryRun *run;
  gboolean instants;
  /* The following members are conditions. They must be set before loom_query_span_scan_begin(): */
  LoomQueryLimits id, track, process, rank, depth, start_ns, duration_ns;
  LoomQueryExclusion exclusions[LOOM_QUERY_MODULE_MOST_CONDITIONS];
  guint n_exclusions;
  /* values that conditions with IN allow; NULL: no condition with IN limits the column */
  LoomQueryValues *starts_ns, *durations_ns;
  LoomQueryLimits parent;                  /* limits of the parent's id; LOOM_QUERY_LIMITS_NONE: any parent */
  gboolean has_parent;                     /* TRUE if a condition limits the id of the parent */
  LoomQueryNulls rank_nulls, parent_nulls; /* whether the conditions allow a NULL rank, and a NULL parent */
  gboolean touches;                        /* TRUE: only spans that overlap `range` or begin in it are allowed */
  LoomRange range;                         /* timeline times; used if `touches` is TRUE */
  LoomQueryCondition *texts;               /* owned copies of the conditions on name, category and kind */
  guint n_texts;
  LoomQueryOnce once; /* events that loom_query_span_scan_next() may skip; other functions ignore this member */
  /* The following members describe the current event: */
  LoomQueryStretch here;
  const LoomTrace *trace;
  const LoomSpans *spans;
  const LoomClockMap *map;
  /* TRUE: the timeline times of all spans of the stretch `here` are local times plus map->offset_ns, without
   * overflow */
  gboolean has_plain_times;
  const guint8 *kinds; /* array indexed by name id: LoomWorkKind; NULL until needed, see loom_query_span_scan_get_kind()
                        */
  gboolean on_device;
  gboolean derived;
  /* The following members are private to the scan: */
  GArray *stretches; /* LoomQueryStretch: the ranges of events that the scan visits */
  guint n_done;
  /* the span that was found by its id last; `to` is 0 if no span was searched by its id yet */
  LoomQueryStretch located;
  /* find_below() searches a row for the spans that are nested in a span of a row above it. `below`: index, from the
   * start of the searched row, at which the next search begins, because the previous search ended there */
  guint32 below;
  gboolean timed; /* TRUE if a condition on start or duration must be checked for each event */
  /* TRUE if conditions are checked for each event of `here`; FALSE if all events of `here` meet them */
  gboolean tests;
  /* TRUE if a condition IS NULL or IS NOT NULL on the parent is checked for each event of `here` */
  gboolean tests_parents;
  gboolean nests; /* TRUE if events of the stretch `here` may be nested in other spans */
  /* index, in the row one level above that of `here`, at which the search for the next parent begins */
  guint32 above;
  /* array indexed by name id: whether the conditions on texts allow the name (0: not known yet, 1: yes, 2: no). Points
   * to one of the arrays in `all_verdicts`. NULL: the results are not stored */
  guint8 *verdicts;
  /* array indexed by trace, of arrays indexed by kind of track: the array for `verdicts` on tracks of this kind; an
   * element is NULL until needed */
  guint8 **all_verdicts;
  /* array indexed by name id: value of `n_done` when an event with this name was returned last. This value identifies
   * the LoomQueryStretch of the event. 0: no event was returned. Used for LOOM_QUERY_ONCE_PER_NAME; NULL until
   * needed. */
  guint *seen;
  guint32 n_seen_names; /* number of elements of `seen` */
  guint32 *listed;      /* memory for LoomQuerySpanRun.list; NULL until needed */
} LoomQuerySpanScan;

/* Begins a new scan without conditions: all spans or, if `instants` is TRUE, all instants of the run are allowed. */
void loom_query_span_scan_reset (LoomQuerySpanScan *scan, LoomQueryRun *run, gboolean instants);
/* Adds a condition <> or IS NOT on a column that has the same value for all events of a row. */
void loom_query_span_scan_exclude (LoomQuerySpanScan *scan, guint column, const LoomQueryCondition *condition);
/* Adds a condition start IN (…) or, if `durations` is TRUE, duration IN (…). Returns SQLite's result code. */
int loom_query_span_scan_add_list (LoomQuerySpanScan *scan, gboolean durations, const LoomQueryCondition *condition,
                                   GCancellable *cancellable);
/* Adds a condition on name, category or kind; copies its value. */
void loom_query_span_scan_add_text (LoomQuerySpanScan *scan, const LoomQueryCondition *condition);
void loom_query_span_scan_clear (LoomQuerySpanScan *scan);

/* Finds the stretches (LoomQueryStretch, ranges of events in rows) whose events the conditions may allow. O(rows · log
 * spans); O(log spans) with a condition on id or parent. */
void loom_query_span_scan_begin (LoomQuerySpanScan *scan);
/* Each of the functions below begins a scan of only some events that also meet the conditions of the scan.
 * loom_query_span_scan_begin_at(): the event `id`; loom_query_span_scan_begin_below(): the spans nested in it;
 * loom_query_span_scan_begin_around(): the spans in which it is nested. */
void loom_query_span_scan_begin_at (LoomQuerySpanScan *scan, LoomSpanId id);
void loom_query_span_scan_begin_below (LoomQuerySpanScan *scan, LoomSpanId id);
void loom_query_span_scan_begin_around (LoomQuerySpanScan *scan, LoomSpanId id);

/* Sorts the stretches (LoomQueryStretch) of the scan by columns that have the same value for all events of a stretch:
 * depth, track, process, rank. `by` contains LOOM_QUERY_SPAN_SCAN_KEY_BITS bits for each column to sort by, the first
 * column in the lowest bits: the number of the column, to which LOOM_QUERY_SPAN_SCAN_DESCENDING may be added. Unknown
 * ranks come first. LOOM_QUERY_SPAN_SCAN_ID means the column id: the ids in a stretch ascend, and no event of another
 * stretch has an id between them. O(rows · log rows). */
#define LOOM_QUERY_SPAN_SCAN_ID 15
#define LOOM_QUERY_SPAN_SCAN_KEYS 4
#define LOOM_QUERY_SPAN_SCAN_KEY_BITS 5
#define LOOM_QUERY_SPAN_SCAN_DESCENDING 16
void loom_query_span_scan_sort (LoomQuerySpanScan *scan, guint by);

/* Returns the column index of the parent of the current span; G_MAXUINT32 if the span has no parent. The parents of
 * consecutive spans have ascending indices, so the search begins at the parent that the previous call found: O(1) in a
 * scan. */
guint32 loom_query_span_scan_get_parent (LoomQuerySpanScan *scan);

/* Returns TRUE if the conditions on texts, times and parents allow the current event. The other conditions need no
 * check, because all events that a scan visits meet them. */
gboolean loom_query_span_scan_is_allowed (LoomQuerySpanScan *scan);

/* Returns FALSE if the conditions on the name and the category exclude all events of a name. */
gboolean loom_query_span_scan_may_allow_name (const LoomQuerySpanScan *scan, guint trace, guint32 name_id);

/* Moves to the next event that the conditions allow. Returns FALSE at the end, and when cancelled. The caller must
 * check the cancellable to distinguish the two cases. */
gboolean loom_query_span_scan_next (LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Several events of one LoomQueryStretch: either consecutive events, or the events in `list`. scan->here.at is the
 * column index of the first one. */
typedef struct {
  guint32 n;
  guint32 end;        /* column index of the event at which the search for the next events begins */
  gboolean is_listed; /* TRUE: the column indices of the events are in `list`; FALSE: the events are consecutive */
  gboolean has_plain_times; /* the timeline times of the events are local times plus an offset, without overflow */
  /* TRUE if the events are consecutive and `has_plain_times` is TRUE, so that the columns of the trace can be read
   * directly */
  gboolean is_direct;
  guint32 *list; /* private buffer with room for `most_listed` elements; freed with the scan */
} LoomQuerySpanRun;

/* Moves to the next events: at most `most` events if they are direct (LoomQuerySpanRun.is_direct), else at most
 * `most_listed`. If the events are in a list and `most` is more than 1, the list has more than `most` / 2 events except
 * near the end of a LoomQueryStretch. Returns FALSE at the end, and when cancelled. A scan must not use both this
 * function and loom_query_span_scan_next(). `run` must be filled with zeros before the first call. */
gboolean loom_query_span_scan_next_run (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint most, guint most_listed,
                                        GCancellable *cancellable);

/* Moves to the first event of the next LoomQueryStretch. Returns FALSE if no stretch is left. */
gboolean loom_query_span_scan_begin_stretch (LoomQuerySpanScan *scan);

/* Moves to the first event of the LoomQueryStretch with this number, whether or not the conditions allow the event. */
void loom_query_span_scan_enter (LoomQuerySpanScan *scan, guint stretch);

/* Returns the kind of work of a name in the current trace and on the current track. The first call for a trace
 * classifies all names of the trace. */
LoomWorkKind loom_query_span_scan_get_kind (LoomQuerySpanScan *scan, guint32 name_id);

/* Returns the kind of the track to which `stretch` belongs: whether the track is a track of a device, and whether it is
 * derived. All events of one name on tracks of the same kind have the same kind of work, which
 * loom_query_span_scan_get_kind_on() returns. */
guint8 loom_query_span_scan_get_track_kind (const LoomQuerySpanScan *scan, const LoomQueryStretch *stretch);
LoomWorkKind loom_query_span_scan_get_kind_on (const LoomQuerySpanScan *scan, guint trace, guint8 track_kind,
                                               guint32 name_id);

/* Sets `start_ns` to the start of the current event in timeline ns, and `duration_ns` to its duration. */
static inline void
loom_query_span_scan_get_times (const LoomQuerySpanScan *scan, gint64 *start_ns, gint64 *duration_ns)
{
  gint64 local_ns = scan->spans->start_ns[scan->here.at], length_ns = scan->spans->dur_ns[scan->here.at], end_ns;
  if (scan->instants)
    length_ns = 0;
  if (G_LIKELY (scan->map->drift_ppt == 0 && !__builtin_add_overflow (local_ns, scan->map->offset_ns, start_ns) &&
                !__builtin_add_overflow (*start_ns, length_ns, &end_ns))) {
    *duration_ns = length_ns;
    return;
  }
  *start_ns = loom_clock_map_to_timeline (scan->map, local_ns);
  *duration_ns = loom_time_sub (loom_clock_map_to_timeline (scan->map, loom_time_add (local_ns, length_ns)), *start_ns);
}
