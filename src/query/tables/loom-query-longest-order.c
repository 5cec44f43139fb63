/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-longest-order.h: a heap of parts of stretches (LoomQueryStretch, a range of events in one row
 * of the timeline). For each part, its longest span is known.
 */
#include "loom-query-longest-order.h"

#include "loom-row-summary.h"

/* The heap begins with parts (Part) of many spans. All remaining parts are split into parts of one span each when one
 * of two limits is reached: 1 / TAKEN_SHARE of all spans, but at least LEAST_TAKEN spans, were taken from the heap; or
 * MOST_LOOKED durations were read to find the longest spans of parts. If parts have one span each, taking the next span
 * costs only about a tenth as much. */
#define LEAST_TAKEN 4096
#define TAKEN_SHARE 16 /* 1 / TAKEN_SHARE of all spans are taken from the heap before its parts are split */
#define MOST_LOOKED (1u << 20)

/* A part with at most this many spans is short: its longest span is found by reading all its durations. */
#define SHORT 64

#define FIRST_ROOM 64

/* A part of a LoomQueryStretch: the spans [at, to) of the stretch, none of which was returned yet. `longest` is the
 * longest of these spans; if several are equally long, the first of them. */
typedef struct {
  gint64 duration_ns;
  guint32 stretch;
  guint32 at, to, longest;
} Part;

/* A heap of parts; the part with the longest span comes first. SQLite allocates the memory of `all`, so that it counts
 * towards SQLite's memory limit. */
typedef struct {
  Part *all;
  gsize n, room;
} Parts;

struct _LoomQueryLongestOrder {
  Parts parts;
  gboolean is_full;  /* TRUE after an allocation of memory for another part has failed */
  gboolean is_split; /* TRUE if each part consists of a single span that the conditions allow */
  guint entered;     /* number of the LoomQueryStretch in which the scan is now; G_MAXUINT: the scan has not begun */
  guint64 most_taken;
  guint64 n_taken;  /* number of spans taken from the heap of parts so far */
  guint64 n_looked; /* number of durations that were read so far */
};

gboolean
loom_query_longest_order_is_possible (const LoomQueryRun *run)
{
  gint64 time_ns;
  for (guint t = 0; t < run->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (run->run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      const LoomClockMap *map = loom_timeline_get_map (run->timeline, t, track->clock);
      if (map->drift_ppt != 0 || track->end_ns == G_MAXINT64 ||
          __builtin_add_overflow (track->start_ns, map->offset_ns, &time_ns) ||
          __builtin_add_overflow (track->end_ns, map->offset_ns, &time_ns))
        return FALSE;
    }
  }
  return TRUE;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

static const LoomQueryStretch *
get_stretch (const LoomQuerySpanScan *scan, guint i)
{
  return &g_array_index (scan->stretches, LoomQueryStretch, i);
}

static void
walk (LoomQueryLongestOrder *self, const LoomSpans *spans, Part *part)
{
  part->longest = part->at;
  for (guint32 i = part->at + 1; i < part->to; i++)
    if (spans->dur_ns[i] > spans->dur_ns[part->longest])
      part->longest = i;
  self->n_looked += part->to - part->at;
}

/* Finds the longest span of the part with the summary of the row (loom-row-summary.h). Returns FALSE if the summary
 * returns a span outside of the part. This is possible because the summary also considers two kinds of spans outside of
 * the part: spans that begin before the part and end inside it, and spans that begin at the same time as the first span
 * of the part. */
static gboolean
ask_summary (const LoomTrace *trace, const LoomRow *row, Part *part)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  LoomSpanSummary summary = { .longest = G_MAXUINT32 };
  gint64 end_ns = part->to < row->first + row->n ? spans->start_ns[part->to] : G_MAXINT64;
  loom_row_summary_add (trace, row, spans->start_ns[part->at], end_ns, &summary);
  part->longest = summary.longest;
  return summary.n > 0 && summary.longest >= part->at && summary.longest < part->to;
}

static gboolean
is_before (const LoomQuerySpanScan *scan, const Part *first, const Part *second)
{
  if (first->duration_ns != second->duration_ns)
    return first->duration_ns > second->duration_ns;
  guint32 one = get_stretch (scan, first->stretch)->trace, other = get_stretch (scan, second->stretch)->trace;
  return one != other ? one < other : first->longest < second->longest;
}

static void
swap (Part *first, Part *second)
{
  Part moved = *first;
  *first = *second;
  *second = moved;
}

static void
sift_down (const LoomQuerySpanScan *scan, Parts *parts, gsize at)
{
  Part *all = parts->all;
  for (gsize child = 2 * at + 1; child < parts->n; child = 2 * at + 1) {
    if (child + 1 < parts->n && is_before (scan, &all[child + 1], &all[child]))
      child++;
    if (!is_before (scan, &all[child], &all[at]))
      return;
    swap (&all[at], &all[child]);
    at = child;
  }
}

static gboolean
append (Parts *parts, const Part *part)
{
  if (parts->n == parts->room) {
    gsize room = MAX (parts->room + parts->room / 2, FIRST_ROOM);
    Part *all = sqlite3_realloc64 (parts->all, room * sizeof (Part));
    if (all == NULL)
      return FALSE;
    parts->all = all;
    parts->room = room;
  }
  parts->all[parts->n++] = *part;
  return TRUE;
}

static gboolean
push (const LoomQuerySpanScan *scan, Parts *parts, const Part *part)
{
  if (!append (parts, part))
    return FALSE;
  for (gsize at = parts->n - 1; at > 0 && is_before (scan, &parts->all[at], &parts->all[(at - 1) / 2]);
       at = (at - 1) / 2)
    swap (&parts->all[at], &parts->all[(at - 1) / 2]);
  return TRUE;
}

static void
add_part (LoomQueryLongestOrder *self, const LoomQuerySpanScan *scan, guint number, guint32 at, guint32 to)
{
  const LoomQueryStretch *stretch = get_stretch (scan, number);
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, stretch->trace);
  Part part = { .stretch = number, .at = at, .to = to };
  if (at >= to)
    return;
  if (to - at <= SHORT || !ask_summary (trace, loom_trace_get_row (trace, stretch->row), &part))
    walk (self, loom_trace_get_spans (trace), &part);
  part.duration_ns = loom_trace_get_spans (trace)->dur_ns[part.longest];
  self->is_full |= !push (scan, &self->parts, &part);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static void
enter (LoomQueryLongestOrder *self, LoomQuerySpanScan *scan, guint stretch, guint32 span)
{
  if (self->entered != stretch)
    loom_query_span_scan_enter (scan, stretch);
  self->entered = stretch;
  scan->here.at = span;
}

/* Appends to `rest` the spans in `part` that meet the conditions, each as a part with only this span. Returns FALSE
 * when cancelled, and if memory could not be allocated. */
static gboolean
split (LoomQueryLongestOrder *self, LoomQuerySpanScan *scan, const Part *part, Parts *rest, GCancellable *cancellable)
{
  for (guint32 i = part->at; i < part->to; i++) {
    if ((i - part->at) % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    enter (self, scan, part->stretch, i);
    Part one = { scan->spans->dur_ns[i], part->stretch, i, i + 1, i };
    if (loom_query_span_scan_is_allowed (scan) && !append (rest, &one)) {
      self->is_full = TRUE;
      return FALSE;
    }
  }
  return TRUE;
}

/* Splits all parts into parts of one span, and makes a new heap of them. Does not sort them, because a sort cannot be
 * cancelled, but making a heap can. Returns FALSE when cancelled, and if memory could not be allocated. */
static gboolean
split_all (LoomQueryLongestOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  Parts rest = { 0 };
  gboolean good = TRUE;
  for (gsize i = 0; good && i < self->parts.n; i++)
    good = split (self, scan, &self->parts.all[i], &rest, cancellable);
  sqlite3_free (self->parts.all);
  self->parts = rest;
  self->is_split = TRUE;
  for (gsize i = rest.n / 2; good && i > 0; i--) {
    good = i % LOOM_QUERY_LOOK_EVERY != 0 || !g_cancellable_is_cancelled (cancellable);
    sift_down (scan, &self->parts, i - 1);
  }
  return good;
}

/* --- creating the order, and visiting its spans ------------------------------------------------------------------- */

LoomQueryLongestOrder *
loom_query_longest_order_new (LoomQuerySpanScan *scan)
{
  LoomQueryLongestOrder *self = g_new0 (LoomQueryLongestOrder, 1);
  self->entered = G_MAXUINT;
  for (guint i = 0; i < scan->stretches->len; i++) {
    add_part (self, scan, i, get_stretch (scan, i)->at, get_stretch (scan, i)->to);
    self->most_taken += get_stretch (scan, i)->to - get_stretch (scan, i)->at;
  }
  self->most_taken = MAX (self->most_taken / TAKEN_SHARE, LEAST_TAKEN);
  return self;
}

void
loom_query_longest_order_free (LoomQueryLongestOrder *self)
{
  if (self == NULL)
    return;
  sqlite3_free (self->parts.all);
  g_free (self);
}

/* Moves the scan to the longest span of all parts. Replaces the part that contains this span by two parts: the spans
 * before and the spans after it. */
static void
take (LoomQueryLongestOrder *self, LoomQuerySpanScan *scan)
{
  Part part = self->parts.all[0];
  self->n_taken++;
  self->parts.all[0] = self->parts.all[--self->parts.n];
  sift_down (scan, &self->parts, 0);
  add_part (self, scan, part.stretch, part.at, part.longest);
  add_part (self, scan, part.stretch, part.longest + 1, part.to);
  enter (self, scan, part.stretch, part.longest);
}

gboolean
loom_query_longest_order_next (LoomQueryLongestOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  while (self->parts.n > 0 && !self->is_full) {
    gboolean enough = self->n_taken >= self->most_taken || self->n_looked >= MOST_LOOKED + self->most_taken;
    if (enough && !self->is_split && !split_all (self, scan, cancellable))
      return FALSE;
    if (self->parts.n == 0)
      return FALSE;
    take (self, scan);
    if (self->is_split || loom_query_span_scan_is_allowed (scan))
      return TRUE;
  }
  return FALSE;
}

gboolean
loom_query_longest_order_is_full (const LoomQueryLongestOrder *self)
{
  return self->is_full;
}
