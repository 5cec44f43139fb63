/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: walks spans or instants of a run that conditions allow. The conditions on ids, tracks, parents
 * and times choose stretches of the columns by binary search in the rows; those on names and durations are evaluated
 * while a stretch is walked, once for each name.
 */
#pragma once

#include "loom-query-module.h"
#include "loom-work-kind.h"

/* Number of spans examined between two checks of the cancellable; SQLite cannot interrupt in between. */
#define LOOM_QUERY_LOOK_EVERY 65536

/* A part of a row: column indices [at, to). */
typedef struct {
  guint32 trace, track, row; /* track and row: numbers in the trace */
  guint32 at, to;
} LoomQueryStretch;

typedef struct {
  LoomQueryRun *run;
  gboolean instants;
  /* Conditions, set before loom_query_span_scan_begin(): */
  LoomQueryLimits id, track, start_ns, duration_ns;
  LoomQueryLimits parent;    /* limits of the id of the parent; NONE: any */
  gboolean has_parent;       /* there is a condition on the parent */
  gboolean touches;          /* only spans that touch `range` */
  LoomRange range;           /* timeline */
  LoomQueryCondition *texts; /* conditions on the columns 1 to 3: name, category, kind; owned copies */
  guint n_texts;
  /* The current event: */
  LoomQueryStretch here;
  const LoomTrace *trace;
  const LoomSpans *spans;
  const LoomClockMap *map;
  const guint8 *kinds; /* LoomWorkKind by name id; NULL until asked for, see loom_query_span_scan_get_kind() */
  gboolean on_device;
  gboolean derived;
  /* Private: */
  GArray *stretches; /* LoomQueryStretch */
  guint n_done;
  gboolean timed; /* there is a condition on times, to be checked for each event */
  /* [name id] → 0 unknown, 1 allowed, 2 not allowed; an element of `all_verdicts`; NULL: not worth keeping */
  guint8 *verdicts;
  guint8 **all_verdicts; /* verdicts by trace and kind of track; NULL until needed */
  guint32 *listed;       /* spans that loom_query_span_scan_next_run() has found; NULL until needed */
} LoomQuerySpanScan;

/* Sets conditions that allow everything; texts are freed. */
void loom_query_span_scan_reset (LoomQuerySpanScan *scan, LoomQueryRun *run, gboolean instants);
/* Adds a condition on name, category or kind; the value is copied. */
void loom_query_span_scan_add_text (LoomQuerySpanScan *scan, const LoomQueryCondition *condition);
void loom_query_span_scan_clear (LoomQuerySpanScan *scan);

/* Finds the stretches. O(rows · log spans); with a condition on id or parent O(log spans). */
void loom_query_span_scan_begin (LoomQuerySpanScan *scan);
/* Uses only this event, these spans below it, or those around it, if the conditions allow them. */
void loom_query_span_scan_begin_at (LoomQuerySpanScan *scan, LoomSpanId id);
void loom_query_span_scan_begin_below (LoomQuerySpanScan *scan, LoomSpanId id);
void loom_query_span_scan_begin_around (LoomQuerySpanScan *scan, LoomSpanId id);

/* Returns TRUE if the conditions on texts and times allow the current event; its stretch meets the others. */
gboolean loom_query_span_scan_is_allowed (LoomQuerySpanScan *scan);

/* Moves to the next event; FALSE at the end, and when cancelled (the caller checks). */
gboolean loom_query_span_scan_next (LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Events of one stretch that follow one another, or are listed. scan->here.at is the first. */
typedef struct {
  guint32 n;
  guint32 end;        /* where the next run begins */
  gboolean is_listed; /* `list` has their column indices */
  gboolean is_direct; /* indices are consecutive, and timeline time is local time plus an offset, without overflow */
  guint32 *list;      /* private buffer, of `most_listed` elements; freed with the scan */
} LoomQuerySpanRun;

/* Moves to the next events, `most` at most, of which `most_listed` are listed or not direct. FALSE at the end, and when
 * cancelled. Not to be mixed with loom_query_span_scan_next(). `run` is zeroed before the first call. */
gboolean loom_query_span_scan_next_run (LoomQuerySpanScan *scan, LoomQuerySpanRun *run, guint most, guint most_listed,
                                        GCancellable *cancellable);

/* Moves before the first event again. */
void loom_query_span_scan_rewind (LoomQuerySpanScan *scan);
/* Moves to the first event of a stretch, given by its number, whether the conditions allow it or not. */
void loom_query_span_scan_enter (LoomQuerySpanScan *scan, guint stretch);

/* The kind of work of a span of the current trace and track. The first call for a trace classifies all of its names. */
LoomWorkKind loom_query_span_scan_get_kind (LoomQuerySpanScan *scan, guint32 name_id);

/* Gets the start of the current event in timeline ns, and its duration. */
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
