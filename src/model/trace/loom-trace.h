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
  LOOM_TRACK_DERIVED = 1 << 0,    /* aggregates other tracks, so it must not be added to them */
  LOOM_TRACK_COLLAPSED = 1 << 1,  /* collapsed at first */
  LOOM_TRACK_NO_EXTENT = 1 << 2,  /* excluded from extents */
  LOOM_TRACK_DEVICE = 1 << 3,     /* work of an accelerator (stream, device line) */
  LOOM_TRACK_GLOBAL = 1 << 4,     /* instants drawn through all tracks of the source */
  LOOM_TRACK_PROCESS_ID = 1 << 5, /* a merged file states that its rank is a process id; see loom-track-rank.h */
  LOOM_TRACK_RANKLESS = 1 << 6,   /* a merged file states that the track has no rank; else its rank is unknown */
} LoomTrackFlags;

/* All strings are borrowed from the trace, and not NULL unless stated. */
typedef struct {
  LoomTrackKind kind;
  guint flags;
  guint16 source;      /* index of the (first) source */
  guint16 clock;       /* index into the trace's clocks */
  const char *path;    /* path and format of the file that recorded the track: those of the source, or the ones that */
  const char *format;  /* a merged file states; formats as in LoomSource */
  const char *node;    /* NULL: unknown */
  gint rank;           /* −1: unknown */
  const char *process; /* label for display */
  const char *process_key; /* pid as its literal text in the file: 7, "7", or "" if absent */
  const char *thread;      /* label; "" for process-wide tracks */
  const char *thread_key;  /* tid as its literal text in the file */
  const char *name;        /* name of a counter or async track; "samples" for a thread's samples; else "" */
  const char *category;    /* category of a counter track; else "" */
  const char *id;          /* id of a counter track; else "" */
  gint64 process_sort;
  gint64 thread_sort;
  guint32 process_id; /* equal for all tracks of a process; dense per trace */
  guint32 thread_id;  /* equal for all tracks of a thread; dense per trace; G_MAXUINT32 for process-wide tracks */
  guint32 first_row, n_rows;      /* rows of tracks of spans, async spans and instants */
  guint32 first_series, n_series; /* series of counter tracks */
  guint64 n_events;               /* number of spans, instants or samples */
  gint64 start_ns, end_ns;        /* extent; LOOM_TIME_NONE if empty */
  gint64 busy_ns;                 /* part of the extent that spans of the first row cover */
} LoomTrack;

typedef struct {
  guint32 first; /* index into the span columns */
  guint32 n;
  guint16 depth;   /* depth within the lane, from 0 */
  guint16 lane;    /* 0, or the number of an overflow lane */
  guint32 summary; /* private to src/model/summary */
} LoomRow;

/* The lane for spans that fit no other lane; its rows are packed, not nested. */
#define LOOM_OVERFLOW_LANE 512

/* The span columns of a trace; each pointer has `n` elements. */
typedef struct {
  const gint64 *start_ns;
  const gint64 *dur_ns; /* ≥ 0; for instants the characters of phase and scope: LOOM_INSTANT_* */
  const guint32 *name_id;
  const LoomRef *ref;
  guint32 n;
} LoomSpans;

#define LOOM_INSTANT_PHASE(dur) ((char) ((dur) &0xFF))         /* one of i I R n V v c P N O D ( ) … */
#define LOOM_INSTANT_SCOPE(dur) ((char) (((dur) >> 8) & 0xFF)) /* t: thread, p: process, g: global */

/* What the plot of a counter shows, computed from its samples by loom-counter-quantity.h. */
typedef enum {
  LOOM_QUANTITY_VALUE,
  LOOM_QUANTITY_DIFFERENCE, /* difference to the next sample */
  LOOM_QUANTITY_RATE,       /* difference per second */
  LOOM_N_QUANTITIES,
} LoomQuantity;

/* One series of a counter: a step function, the value holds until the next sample. */
typedef struct {
  const char *name;
  const char *unit;      /* "", "%", "B/s", … */
  const gint64 *time_ns; /* ascending */
  const double *value;   /* finite; for drawing and statistics; the exact literal is at `ref` */
  const LoomRef *ref;
  guint32 n;
  gint64 hold_ns; /* longest time that a value holds: loom-sample-hold.h */
  double min, max;
  const struct _LoomMinMaxIndex *extremes[LOOM_N_QUANTITIES]; /* loom-min-max-index.h; NULL if there are few samples */
} LoomSeries;

/* A name as it is drawn and counted. */
typedef struct {
  const char *text;     /* raw UTF-8, escapes resolved; "" for none */
  const char *category; /* "" for none */
  const char *cname;    /* reserved colour name, "" for none */
  guint32 text_hash;    /* hash of `text`: the seed of its colour */
} LoomName;

/* One hop of a flow, between two spans of this trace. */
typedef struct {
  guint32 from, to; /* span indices */
  guint32 name_id;
} LoomArrow;

/* A flow event as in the file; kept for export and search, whether bound or not. */
typedef struct {
  gint64 time_ns;
  LoomRef ref;
  guint32 track; /* spans track of its thread, or G_MAXUINT32 */
  guint32 name_id;
} LoomFlowPoint;

/* Identifies the state of the files that the trace was read from, in a form chosen by the loader; NULL: unknown. Set
 * once, before the trace is shared. */
void loom_trace_set_stamp (LoomTrace *trace, const char *stamp);
const char *loom_trace_get_stamp (const LoomTrace *trace);

LoomTrace *loom_trace_ref (LoomTrace *trace);
void loom_trace_unref (LoomTrace *trace);

guint loom_trace_get_n_sources (const LoomTrace *trace);
const LoomSource *loom_trace_get_source (const LoomTrace *trace, guint i);
/* Returns TRUE if the trace was read from an index, which keeps only sums of what the host did. */
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

const LoomArrow *loom_trace_get_arrows (const LoomTrace *trace, guint32 *n);          /* sorted by from, to */
const guint32 *loom_trace_get_arrows_by_target (const LoomTrace *trace);              /* indices sorted by to, from */
const LoomFlowPoint *loom_trace_get_flow_points (const LoomTrace *trace, guint32 *n); /* sorted by time */

/* Returns the events that correspond to events on other clocks, sorted by start. Texts are borrowed from the trace. */
const LoomSyncEvent *loom_trace_get_meetings (const LoomTrace *trace, guint32 *n);
const char *loom_trace_get_sync_event_text (const LoomTrace *trace, guint32 text); /* a group or name of a sync event */

/* Returns the extent in local time over all tracks of a clock, without those marked as outside; FALSE if empty. The end
 * equals the start if everything happens at one time. */
gboolean loom_trace_get_extent (const LoomTrace *trace, guint clock, LoomRange *range);

/* Returns the E event of a pair whose E has args, or the e or F of an async pair; else LOOM_REF_NONE. O(log n). */
LoomRef loom_trace_get_end_ref (const LoomTrace *trace, guint32 span);

/* Returns TRUE if a column index is that of an instant: instants follow all spans. */
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

/* Returns the bytes held by the frozen columns, names, flows and summaries. */
gsize loom_trace_get_memory (const LoomTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTrace, loom_trace_unref)
