/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-index-cells.h"

#include "loom-merge-sort.h"
#include "loom-span-walk.h"
#include "loom-time-sort.h"

typedef struct {
  guint32 name_id;
  gint64 ns;
} Share;

typedef struct {
  const gint64 *cuts;
  /* A cell is the time between two successive cuts. `n_cuts`: number of elements of `cuts`; `cut`: index of the first
   * cut after the start of the current cell. */
  guint n_cuts, cut;
  /* start of the current cell: a cut or, in the cell before the first cut, the earliest time that was added */
  gint64 begin_ns;
  GArray *shares; /* Share: the self time of each name in the current cell, in the order of first appearance */
  /* [name id] 1 + index in `shares` of the name's Share; 0: the current cell has no Share of this name */
  guint32 *share_of;
  GArray *cells;
} Folding;

/* --- copying the kept spans in order of time ---------------------------------------------------------------------- */

#define IS_SPAN_BEFORE(a, b)                                      \
  ((a)->start_ns != (b)->start_ns ? (a)->start_ns < (b)->start_ns \
   : (a)->dur_ns != (b)->dur_ns   ? (a)->dur_ns > (b)->dur_ns     \
                                  : (a)->name_id < (b)->name_id)
LOOM_DEFINE_SORT (sort_spans, LoomIndexSpan, IS_SPAN_BEFORE)

static void
sort (GArray *cells)
{
  sort_spans ((LoomIndexSpan *) (gpointer) cells->data, cells->len);
}

/* Appends the spans of a row for which kept[span] is not 0; `kept` NULL: all spans. */
static void
copy_row (const LoomSpans *spans, const LoomRow *row, const guint8 *kept, GArray *cells)
{
  guint n = cells->len;
  g_array_set_size (cells, n + row->n);
  LoomIndexSpan *all = (LoomIndexSpan *) (gpointer) cells->data;
  for (guint32 i = row->first; i < row->first + row->n; i++)
    if (kept == NULL || kept[i] != 0)
      all[n++] = (LoomIndexSpan) { spans->start_ns[i], spans->dur_ns[i], spans->name_id[i], spans->ref[i] };
  g_array_set_size (cells, n);
}

void
loom_index_cells_copy (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, GArray *cells)
{
  for (guint32 r = 0; r < track->n_rows; r++)
    copy_row (loom_trace_get_spans (trace), loom_trace_get_row (trace, track->first_row + r), kept, cells);
  sort (cells);
}

/* --- filling the cells -------------------------------------------------------------------------------------------- */

static void
flush (Folding *folding)
{
  gint64 start_ns = folding->begin_ns;
  for (guint i = 0; i < folding->shares->len; i++) {
    const Share *share = &g_array_index (folding->shares, Share, i);
    LoomIndexSpan cell = { start_ns, share->ns, share->name_id, LOOM_REF_NONE };
    g_array_append_val (folding->cells, cell);
    start_ns += share->ns;
    folding->share_of[share->name_id] = 0;
  }
  g_array_set_size (folding->shares, 0);
}

/* Makes the cell that contains `time_ns` the current cell. A cell is the time between two successive cuts. If the
 * current cell ends at or before `time_ns`, first writes its sums. */
static void
seek (Folding *folding, gint64 time_ns)
{
  if (folding->cut < folding->n_cuts && folding->cuts[folding->cut] <= time_ns) {
    flush (folding);
    while (folding->cut < folding->n_cuts && folding->cuts[folding->cut] <= time_ns)
      folding->cut++;
    folding->begin_ns = folding->cuts[folding->cut - 1];
  } else if (folding->shares->len == 0 && folding->cut == 0)
    folding->begin_ns = time_ns;
}

static void
add_share (Folding *folding, guint32 name_id, gint64 ns)
{
  guint32 *number = &folding->share_of[name_id];
  if (*number == 0) {
    Share share = { name_id, 0 };
    g_array_append_val (folding->shares, share);
    *number = folding->shares->len;
  }
  g_array_index (folding->shares, Share, *number - 1).ns += ns;
}

/* Adds an interval of the self time of a span, from `begin_ns` to `end_ns`, to the cells that the interval touches.
 * Calls must come in order of time. */
static void
add_self (Folding *folding, guint32 name_id, gint64 begin_ns, gint64 end_ns)
{
  while (begin_ns < end_ns) {
    seek (folding, begin_ns);
    gint64 until_ns = folding->cut < folding->n_cuts ? MIN (folding->cuts[folding->cut], end_ns) : end_ns;
    add_share (folding, name_id, until_ns - begin_ns);
    begin_ns = until_ns;
  }
}

typedef struct {
  guint32 span;
  gint64 end_ns;
} Open;

/* Closes open spans, innermost first, until `depth` spans remain open. `at_ns`: time up to which self times have been
 * added. Returns the new value of this time. */
static gint64
close_spans (Folding *folding, const LoomSpans *spans, const guint8 *kept, GArray *open, guint depth, gint64 at_ns)
{
  for (guint i = open->len; i > depth; i--) {
    const Open *last = &g_array_index (open, Open, i - 1);
    if (kept[last->span] == 0)
      add_self (folding, spans->name_id[last->span], at_ns, last->end_ns);
    at_ns = MAX (at_ns, last->end_ns);
  }
  if (open->len > depth)
    g_array_set_size (open, depth);
  return at_ns;
}

static void
fold_lane (Folding *folding, const LoomTrace *trace, LoomSpanLane lane, const guint8 *kept)
{
  guint depth;
  gint64 at_ns = G_MININT64;
  const LoomSpans *spans = loom_trace_get_spans (trace);
  LoomSpanWalk walk;
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  loom_span_walk_init (&walk);
  loom_span_walk_begin (&walk, trace, lane, (LoomRange) { G_MININT64, G_MAXINT64 });
  for (guint32 span; (span = loom_span_walk_next (&walk, &depth)) != G_MAXUINT32;) {
    /* spans with implausible times (LOOM_REF_SUSPECT) are excluded, because a sum cannot have this flag */
    if ((loom_source_ref_flags (spans->ref[span]) & LOOM_REF_SUSPECT) != 0)
      continue;
    Open fresh = { span, loom_time_add (spans->start_ns[span], spans->dur_ns[span]) };
    at_ns = close_spans (folding, spans, kept, open, depth, at_ns);
    const Open *around = open->len > 0 ? &g_array_index (open, Open, open->len - 1) : NULL;
    if (around != NULL && kept[around->span] == 0)
      add_self (folding, spans->name_id[around->span], at_ns, spans->start_ns[span]);
    at_ns = MAX (at_ns, spans->start_ns[span]);
    g_array_append_val (open, fresh);
  }
  close_spans (folding, spans, kept, open, 0, at_ns);
  flush (folding);
  loom_span_walk_clear (&walk);
}

/* Returns the times in `cuts` together with the starts and ends of `kept_spans` (spans that are stored unchanged),
 * sorted. Owned by the caller. */
static GArray *
list_cuts (const GArray *cuts, const GArray *kept_spans)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_vals (all, cuts->data, cuts->len);
  for (guint i = 0; i < kept_spans->len; i++) {
    const LoomIndexSpan *span = &g_array_index (kept_spans, LoomIndexSpan, i);
    gint64 end_ns = loom_time_add (span->start_ns, span->dur_ns);
    g_array_append_val (all, span->start_ns);
    g_array_append_val (all, end_ns);
  }
  loom_time_sort ((gint64 *) (gpointer) all->data, all->len);
  return all;
}

void
loom_index_cells_fold (const LoomTrace *trace, const LoomTrack *track, const guint8 *kept, const GArray *cuts,
                       GArray *cells)
{
  guint32 row = track->first_row;
  LoomSpanLane lane;
  loom_index_cells_copy (trace, track, kept, cells);
  g_autoptr (GArray) all = list_cuts (cuts, cells), shares = g_array_new (FALSE, FALSE, sizeof (Share));
  g_autofree guint32 *share_of = g_new0 (guint32, loom_trace_get_n_names (trace) + 1);
  while (loom_span_walk_next_lane (trace, track, &row, &lane)) {
    Folding folding = { (const gint64 *) (gconstpointer) all->data, all->len, 0, 0, shares, share_of, cells };
    fold_lane (&folding, trace, lane, kept);
  }
  sort (cells);
}
