/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace: the events of one source, or of several that continue one another, as loom_trace_builder_freeze() makes it.
 * A trace is immutable, has an atomic reference count, and may be read on any thread without a lock. All times are in
 * ns, in local time of the track's clock (loom-declared-clock.h).
 *
 * Spans and instants are stored in columns shared by the whole trace; a row is a consecutive part of the columns,
 * sorted by start. The spans of a row do not overlap; this does not apply to instants. A span is identified by its
 * index into the columns.
 */
#pragma once

#include "loom-source.h"
#include "loom-sync-event.h"

typedef struct _LoomTrace LoomTrace;

typedef enum {
  LOOM_TRACK_SPANS,
  LOOM_TRACK_INSTANTS,
  LOOM_TRACK_COUNTER,
  LOOM_TRACK_ASYNC,
} LoomTrackKind;

/* Returns the name of a kind of track: "spans", "instants", …; static. */
const char *loom_trace_track_kind_to_string (LoomTrackKind kind);

typedef enum {
  /* the track repeats or sums up other tracks: its values must not be added to the values of those tracks */
  LOOM_TRACK_DERIVED = 1 << 0,
  LOOM_TRACK_COLLAPSED = 1 << 1, /* the track is collapsed when the trace is opened */
  LOOM_TRACK_NO_EXTENT = 1 << 2, /* the times of this track don't count for the extent (time range) of its clock */
  LOOM_TRACK_DEVICE = 1 << 3,    /* the track shows work of an accelerator (stream, device line) */
  LOOM_TRACK_GLOBAL = 1 << 4,    /* the track has instants that are drawn through all tracks of the source */
  /* a merged file states that the track's rank is a process id; see loom-track-rank.h */
  LOOM_TRACK_PROCESS_ID = 1 << 5,
  /* a merged file states that the track has no rank; without this flag, rank −1 means unknown */
  LOOM_TRACK_RANKLESS = 1 << 6,
} LoomTrackFlags;

/* A track. All strings are borrowed from the trace, and not NULL unless stated. */
typedef struct {
  LoomTrackKind kind;
  guint flags;
  guint16 source; /* index of the track's source in the trace; if the track has several sources, index of the first
                   * one */
  guint16 clock;  /* index of the track's clock in the clocks of the trace */
  /* path of the file that recorded the track; for a track of a merged file, the path that the file had before
   * merging */
  const char *path;
  const char *format;      /* format of the file at `path`, as in LoomSource */
  const char *node;        /* name of the host that recorded the track; NULL: unknown */
  gint rank;               /* rank of the process that recorded the track; −1: unknown */
  const char *process;     /* label of the process for display */
  const char *process_key; /* the pid as it is written in the file: 7 or "7"; "": the file has none */
  const char *thread;      /* label of the thread; "" for process-wide tracks */
  const char *thread_key;  /* the tid as it is written in the file */
  const char *name;        /* name of a counter or async track; "samples" for a thread's samples; else "" */
  const char *category;    /* category of a counter track; else "" */
  const char *id;          /* id of a counter track; else "" */
  gint64 process_sort;
  gint64 thread_sort;
  /* number of the process, the same for all of its tracks; processes of a trace are numbered from 0 */
  guint32 process_id;
  /* number of the thread, which all of its tracks have; the threads of a trace are numbered from 0; G_MAXUINT32 for a
   * track of the whole process */
  guint32 thread_id;
  /* for tracks of spans, async spans and instants: index of their first row in the trace, and number of rows */
  guint32 first_row, n_rows;
  /* for counter tracks: index of their first series in the trace, and number of series */
  guint32 first_series, n_series;
  guint64 n_events;        /* number of spans, instants or samples */
  gint64 start_ns, end_ns; /* time range of the track's events, in local time; LOOM_TIME_NONE: there are no events */
  gint64 busy_ns;          /* total time in ns, from start_ns to end_ns, during which at least one span runs */
} LoomTrack;

/* Returns TRUE if a track shows work of a device and does not repeat other tracks. */
gboolean loom_trace_track_is_device (const LoomTrack *track);

typedef struct {
  guint32 first; /* index of the first span in the columns */
  guint32 n;
  guint16 depth; /* depth of the row in its lane (see `lane`); 0: the outermost spans */
  /* 0: the main lane of the track; otherwise the number of an additional lane, for spans that do not fit into the main
   * lane */
  guint16 lane;
  guint32 summary; /* private to src/model/summary: 1 + index in LoomTrace.summaries; 0: the row has no summary */
} LoomRow;

/* Number of the lane for spans that fit into no other lane. In this lane, each span is put into the lowest free row, so
 * spans of different rows are not nested. */
#define LOOM_OVERFLOW_LANE 512

/* The span columns of a trace; each pointer points to an array of `n` elements. */
typedef struct {
  const gint64 *start_ns;
  const gint64 *dur_ns; /* array indexed by span: duration, ≥ 0; for instants, phase and scope (LOOM_INSTANT_*) */
  const guint32 *name_id;
  const LoomRef *ref;
  guint32 n;
} LoomSpans;

#define LOOM_INSTANT_PHASE(dur) ((char) ((dur) &0xFF)) /* phase of an instant: i I R n V v c P N O D ( ) … */
/* scope of an instant: t (thread), p (process), g (global) */
#define LOOM_INSTANT_SCOPE(dur) ((char) (((dur) >> 8) & 0xFF))

/* The quantity that the plot of a counter shows, computed from its samples by loom-counter-quantity.h. */
typedef enum {
  LOOM_QUANTITY_VALUE,
  LOOM_QUANTITY_DIFFERENCE, /* difference to the next sample */
  LOOM_QUANTITY_RATE,       /* difference to the next sample, per second */
  LOOM_N_QUANTITIES,
} LoomQuantity;

/* A series of a counter: a step function, whose value holds until the next sample. */
typedef struct {
  const char *name;
  const char *unit;      /* unit of the values: "%", "B/s", …; "": none */
  const gint64 *time_ns; /* local times of the samples in ns, ascending */
  /* values for drawing and statistics; all are finite. The text at `ref` in the file has the exact value */
  const double *value;
  const LoomRef *ref;
  guint32 n;
  gint64 hold_ns; /* longest time in ns for which a value is valid (loom-sample-hold.h) */
  /* time in ns for which a value is valid if no sample follows within hold_ns (loom-sample-hold.h) */
  gint64 usual_ns;
  double min, max;
  /* indexed by quantity: index of minima and maxima (loom-min-max-index.h); NULL if the series has few samples */
  const struct _LoomMinMaxIndex *extremes[LOOM_N_QUANTITIES];
} LoomSeries;

/* A name that events have, with its category and colour. */
typedef struct {
  const char *text;     /* the name in UTF-8, with escapes resolved; "": events have no name */
  const char *category; /* category of the events; "": none */
  const char *cname;    /* name of a reserved colour that the file states for the event (cname); "": none */
  guint32 text_hash;    /* hash of `text`; determines the colour of the events with this name */
} LoomName;

/* An arrow: a link of a flow from one span of this trace to another. */
typedef struct {
  guint32 from, to; /* column indices of the two spans */
  guint32 name_id;
} LoomArrow;

/* A flow event as in the file, stored for export and search, even if it is not bound to a span. */
typedef struct {
  gint64 time_ns;
  LoomRef ref;
  /* index of the track with the spans of the thread that has this flow event; G_MAXUINT32: there is none */
  guint32 track;
  guint32 name_id;
} LoomFlowPoint;

/* Sets the stamp: a text, chosen by the loader, that identifies the state of the files from which the trace was read;
 * NULL: unknown. May be called only once, before the trace is shared between threads. */
void loom_trace_set_stamp (LoomTrace *trace, const char *stamp);
const char *loom_trace_get_stamp (const LoomTrace *trace);

typedef gpointer (*LoomTraceMake) (const LoomTrace *trace);

/* Results that several analyses share. */
typedef enum {
  LOOM_TRACE_SHARES_LAUNCH_IDS,
  /* number of events whose args must be read to find LOOM_TRACE_SHARES_LAUNCH_IDS */
  LOOM_TRACE_SHARES_N_LAUNCH_ARGS,
  LOOM_TRACE_SHARES_HOST_KINDS,   /* kinds of work of all names on tracks of the host */
  LOOM_TRACE_SHARES_DEVICE_KINDS, /* the same on tracks of devices */
  LOOM_N_TRACE_SHARES,
} LoomTraceShares;

/* Returns a result that several analyses share. The first call computes it with `make`, which must not return NULL;
 * other threads wait until it is ready. All calls for one result must pass the same functions. Borrowed from the trace,
 * which frees it with `free_result`. May be called on any thread. */
gconstpointer loom_trace_share (const LoomTrace *trace, LoomTraceShares result, LoomTraceMake make,
                                GDestroyNotify free_result);
/* Returns the same result if it is ready, otherwise NULL. Does not wait. Borrowed from the trace. Any thread. */
gconstpointer loom_trace_get_shared (const LoomTrace *trace, LoomTraceShares result);

LoomTrace *loom_trace_ref (LoomTrace *trace);
void loom_trace_unref (LoomTrace *trace);

guint loom_trace_get_n_sources (const LoomTrace *trace);
const LoomSource *loom_trace_get_source (const LoomTrace *trace, guint i);
/* Returns TRUE if the trace was read from an index file. Such a file contains the spans of devices, but only sums for
 * most spans of hosts. */
gboolean loom_trace_is_index (const LoomTrace *trace);
guint loom_trace_get_n_clocks (const LoomTrace *trace);
const LoomDeclaredClock *loom_trace_get_clock (const LoomTrace *trace, guint i);

guint loom_trace_get_n_tracks (const LoomTrace *trace);
const LoomTrack *loom_trace_get_track (const LoomTrace *trace, guint i);
/* Returns the number of rows of all tracks together. */
guint loom_trace_get_n_rows (const LoomTrace *trace);
const LoomRow *loom_trace_get_row (const LoomTrace *trace, guint row);
const LoomSeries *loom_trace_get_series (const LoomTrace *trace, guint series);
const LoomSpans *loom_trace_get_spans (const LoomTrace *trace);

guint loom_trace_get_n_names (const LoomTrace *trace);
const LoomName *loom_trace_get_name (const LoomTrace *trace, guint32 name_id);

/* Returns the arrows, sorted by the column index of the span at which they start (`from`), then by that of the span at
 * which they end (`to`). */
const LoomArrow *loom_trace_get_arrows (const LoomTrace *trace, guint32 *n);
/* Returns the indices of the arrows in loom_trace_get_arrows(), sorted by `to`, then by `from`. */
const guint32 *loom_trace_get_arrows_by_target (const LoomTrace *trace);
/* Returns the flow points of the trace, sorted by time. */
const LoomFlowPoint *loom_trace_get_flow_points (const LoomTrace *trace, guint32 *n);

/* Returns the sync events, which correspond to events on other clocks, sorted by start. Texts are borrowed from the
 * trace. */
const LoomSyncEvent *loom_trace_get_meetings (const LoomTrace *trace, guint32 *n);
/* Returns the text with the id `text`, which is LoomSyncEvent.group or LoomSyncEvent.name. */
const char *loom_trace_get_sync_event_text (const LoomTrace *trace, guint32 text);

/* Sets `range` to the time range in local time that the tracks of a clock cover together. Tracks with the flag
 * LOOM_TRACK_NO_EXTENT are ignored. The end equals the start if all events are at one time. Returns FALSE if none of
 * the tracks has an event. */
gboolean loom_trace_get_extent (const LoomTrace *trace, guint clock, LoomRange *range);

/* Returns the LoomRef of the event that ends a span. It is known for an end event of phase E if this event has args,
 * and for an end event of phase e or F (async spans). Returns LOOM_REF_NONE for all other spans. O(log n). */
LoomRef loom_trace_get_end_ref (const LoomTrace *trace, guint32 span);

/* Returns TRUE if the event with the index `span` is an instant. In the columns, instants come after all spans. */
gboolean loom_trace_span_is_instant (const LoomTrace *trace, guint32 span);

/* Sets `track` and `row` to the indices of the track and row to which a span belongs. O(log n). */
void loom_trace_locate_span (const LoomTrace *trace, guint32 span, guint32 *track, guint32 *row);

/* Returns the column index of the parent of a span: the span one level above that contains it; G_MAXUINT32: the span is
 * on the top level. O(log n). */
guint32 loom_trace_get_parent (const LoomTrace *trace, guint32 span);

/* Returns the number of spans of the row that start before a local time. O(log n). */
guint32 loom_trace_row_lower_bound (const LoomTrace *trace, const LoomRow *row, gint64 start_ns);

/* Returns the index (relative to the row) of the first span that ends after `time_ns`, or starts at `time_ns`. (A span
 * of length zero touches a range that begins at its time.) Thus the spans that touch [t0, t1) are those from
 * loom_trace_row_first_ending_after (t0) to loom_trace_row_lower_bound (t1) − 1. As spans of a row do not overlap, both
 * their starts and their ends are ascending. */
guint32 loom_trace_row_first_ending_after (const LoomTrace *trace, const LoomRow *row, gint64 time_ns);

/* Returns the number of bytes that columns, names, flows and summaries take. */
gsize loom_trace_get_memory (const LoomTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTrace, loom_trace_unref)
