/* SPDX-License-Identifier: Apache-2.0
 *
 * A frozen trace: the events of one source, or of several that continue one another. Immutable, ref-counted atomically,
 * readable from any thread without a lock. All times are local to the track's clock, in ns.
 *
 * Spans and instants are stored in columns shared by the whole trace; a row is a slice of them, sorted by start. Within
 * a row of a spans or async track no two spans overlap. A span is identified by its index into the columns.
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

const char *loom_trace_track_kind_to_string (LoomTrackKind kind); /* "spans" … */

typedef enum {
  LOOM_TRACK_DERIVED = 1 << 0,   /* the track repeats or sums up other tracks: its values must not be added to those */
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
  guint16 source; /* index of the track's source; of the first one if it has several */
  guint16 clock;  /* index in the trace's clocks */
  /* path of the file that recorded the track; if that was merged into another file later, its path before */
  const char *path;
  const char *format;      /* format of the file at `path`, as in LoomSource */
  const char *node;        /* NULL: unknown */
  gint rank;               /* −1: unknown */
  const char *process;     /* label of the process for display */
  const char *process_key; /* literal text of the pid in the file: 7, "7"; "": absent */
  const char *thread;      /* label of the thread; "" for process-wide tracks */
  const char *thread_key;  /* literal text of the tid in the file */
  const char *name;        /* name of a counter or async track; "samples" for a thread's samples; else "" */
  const char *category;    /* category of a counter track; else "" */
  const char *id;          /* id of a counter track; else "" */
  gint64 process_sort;
  gint64 thread_sort;
  /* number of the process, the same for all of its tracks; processes of a trace are numbered from 0 */
  guint32 process_id;
  /* number of the thread, the same for all of its tracks; threads of a trace are numbered from 0; G_MAXUINT32 for
   * process-wide tracks */
  guint32 thread_id;
  guint32 first_row, n_rows;      /* for tracks of spans, async spans and instants: their rows */
  guint32 first_series, n_series; /* counter tracks: indices of their series in the trace */
  guint64 n_events;               /* number of spans, instants or samples */
  gint64 start_ns, end_ns;        /* extent in local time; LOOM_TIME_NONE: empty */
  gint64 busy_ns;                 /* how much of the time is covered by spans of the first row */
} LoomTrack;

typedef struct {
  guint32 first; /* index of the first span in the columns */
  guint32 n;
  guint16 depth;   /* depth in the lane, from 0 */
  guint16 lane;    /* 0: the main lane; otherwise the number of an overflow lane */
  guint32 summary; /* private to src/model/summary */
} LoomRow;

/* Number of the lane for spans that fit into no other lane; its rows are packed, not nested. */
#define LOOM_OVERFLOW_LANE 512

/* The span columns of a trace; each pointer has `n` elements. */
typedef struct {
  const gint64 *start_ns;
  const gint64 *dur_ns; /* [span] duration, ≥ 0; for instants the characters of phase and scope: LOOM_INSTANT_* */
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
  LOOM_QUANTITY_RATE,       /* difference per second */
  LOOM_N_QUANTITIES,
} LoomQuantity;

/* A series of a counter: a step function, whose value holds until the next sample. */
typedef struct {
  const char *name;
  const char *unit;      /* "", "%", "B/s", … */
  const gint64 *time_ns; /* ascending */
  const double *value;   /* finite values for drawing and statistics; the exact literal is at `ref` */
  const LoomRef *ref;
  guint32 n;
  gint64 hold_ns; /* longest time in ns that a value holds: loom-sample-hold.h */
  double min, max;
  /* [quantity] loom-min-max-index.h; NULL if the series has few samples */
  const struct _LoomMinMaxIndex *extremes[LOOM_N_QUANTITIES];
} LoomSeries;

/* A name of events, as it is drawn and counted. */
typedef struct {
  const char *text;     /* UTF-8, with escapes resolved; "": none */
  const char *category; /* "" for none */
  const char *cname;    /* reserved colour name (cname); "": none */
  guint32 text_hash;    /* hash of `text`, from which its colour is chosen */
} LoomName;

/* An arrow: a link of a flow from one span of this trace to another. */
typedef struct {
  guint32 from, to; /* span indices */
  guint32 name_id;
} LoomArrow;

/* A flow event as in the file, stored for export and search, even if it is not bound to a span. */
typedef struct {
  gint64 time_ns;
  LoomRef ref;
  guint32 track; /* track with the spans of the thread that has this flow event; G_MAXUINT32: none */
  guint32 name_id;
} LoomFlowPoint;

/* Sets a text, chosen by the loader, that identifies the state of the files from which the trace was read; NULL:
 * unknown. Must be called only once, before the trace is shared. */
void loom_trace_set_stamp (LoomTrace *trace, const char *stamp);
const char *loom_trace_get_stamp (const LoomTrace *trace);

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
const LoomRow *loom_trace_get_row (const LoomTrace *trace, guint row);
const LoomSeries *loom_trace_get_series (const LoomTrace *trace, guint series);
const LoomSpans *loom_trace_get_spans (const LoomTrace *trace);

guint loom_trace_get_n_names (const LoomTrace *trace);
const LoomName *loom_trace_get_name (const LoomTrace *trace, guint32 name_id);

/* sorted by the column indices `from`, then `to` */
const LoomArrow *loom_trace_get_arrows (const LoomTrace *trace, guint32 *n);
/* indices of arrows, sorted by `to`, then `from` */
const guint32 *loom_trace_get_arrows_by_target (const LoomTrace *trace);
const LoomFlowPoint *loom_trace_get_flow_points (const LoomTrace *trace, guint32 *n); /* sorted by time */

/* Returns the sync events, which correspond to events on other clocks, sorted by start. Texts are borrowed from the
 * trace. */
const LoomSyncEvent *loom_trace_get_meetings (const LoomTrace *trace, guint32 *n);
/* returns the text of a group or name of a sync event */
const char *loom_trace_get_sync_event_text (const LoomTrace *trace, guint32 text);

/* Sets `range` to the time range that all tracks of a clock cover, in local time. Ignores tracks with the flag that
 * excludes them from extents. Returns FALSE if no track has an event. The end equals the start if all events are at one
 * time. */
gboolean loom_trace_get_extent (const LoomTrace *trace, guint clock, LoomRange *range);

/* Returns the end event of a span: the E of a pair whose E has args, or the e or F of an async pair; else
 * LOOM_REF_NONE. O(log n). */
LoomRef loom_trace_get_end_ref (const LoomTrace *trace, guint32 span);

/* Returns TRUE if the event with the index `span` is an instant. In the columns, instants come after all spans. */
gboolean loom_trace_span_is_instant (const LoomTrace *trace, guint32 span);

/* Returns the track and row of a span. O(log n). */
void loom_trace_locate_span (const LoomTrace *trace, guint32 span, guint32 *track, guint32 *row);

/* Returns the parent of a span, which is the span one depth above that contains it; G_MAXUINT32 at the top. O(log
 * n). */
guint32 loom_trace_get_parent (const LoomTrace *trace, guint32 span);

/* Returns the number of spans of the row that start before a local time. O(log n). */
guint32 loom_trace_row_lower_bound (const LoomTrace *trace, const LoomRow *row, gint64 start_ns);

/* Returns the first index (relative to the row) of a span that ends after the time, or that starts at it (a zero-length
 * span touches the range that begins with it). The spans that touch [t0, t1) therefore are
 * [loom_trace_row_first_ending_after (t0), loom_trace_row_lower_bound (t1)). Spans of a row do not overlap, so both
 * starts and ends are ordered. */
guint32 loom_trace_row_first_ending_after (const LoomTrace *trace, const LoomRow *row, gint64 time_ns);

/* Returns the number of bytes that columns, names, flows and summaries take. */
gsize loom_trace_get_memory (const LoomTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTrace, loom_trace_unref)
