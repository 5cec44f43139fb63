/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the lanes of folded groups. A lane is a strip that summarises the hidden rows of its group. A lane consists of
 * narrow columns (cells). Each cell is a stack of bars, one for each kind of work of the accelerators; the height of a
 * bar is a share of time. Time in which several kinds run counts only for the kind that comes first in the enum Part.
 * So the bar of communication shows exposed communication, during which no computation runs. Communication is divided
 * at the arrival of the last rank: until then the rank waits, and then it transfers. Where the devices of a rank do no
 * work, its lane shows whether its training loop waits for data. Annotations and waits of streams contain no work; they
 * are shown only where a cell has neither work nor a wait for data.
 */
#include "loom-draw-private.h"
#include "loom-span-waits.h"

#include <math.h>

/* Width of a cell. A cell is a column of the lane of a group, and shows a stack of bars. */
#define CELL_PX 2

/* Limits for the sampling of spans. To choose the rows of a track that a lane shows, at most MOST_DEPTHS rows of the
 * track are examined, and at most SAMPLED spans of each row. SAMPLED has a second use: if the longest span of a
 * device's row in a cell (a column of the lane) is not work, at most SAMPLED spans of the row in this cell are
 * examined. They show which kind of work runs in the cell, and for which share of the time. */
#define SAMPLED 16 /* a multiple of LOOM_SAMPLE_RUN, because neighbouring spans are sampled in groups of this size */
#define MOST_DEPTHS 8

/* Maximum number of rows of one track that are shown in a lane. One row is not enough: kernels inside an annotation or
 * a wait are one row deeper than kernels outside of it. */
#define MOST_ROWS 3

/* A bar is drawn only if its share of the time of its cell (a column of the lane) is at least this. If all bars of a
 * cell have smaller shares, a line is drawn instead. */
#define LEAST_SHARE (0.5 / 255)

/* In px: a span that never ended is drawn with a ragged end only if it is at least this wide. */
#define LEAST_OPEN_PX 8

/* If the rows of a lane have at most MOST_READ spans per cell in view, or MOST_READ_TOTAL spans in total, all spans are
 * read. The times at which several kinds of work run simultaneously are then exact. With more spans, these times are
 * only estimated, under the assumption that the kinds of work run independently of each other. MOST_READ_TOTAL does not
 * depend on the width of the window, so that a lane of a few steps shows the same shares in every window. Reading so
 * many spans takes about 0.3 ms. */
#define MOST_READ 10
#define MOST_READ_TOTAL 16384

/* Number of slots (equal parts of its time) into which a cell, a column of a lane, is divided to find out which kinds
 * of work run at the same time. */
#define N_SLOTS 64

/* The kinds of bars in a cell (a column of the lane of a group). The first N_STACKED_PARTS kinds are stacked in this
 * order, the first kind at the lower edge of the lane. */
typedef enum {
  PART_COMPUTE,       /* computation on accelerators; for threads: all work */
  PART_COMMUNICATION, /* transfers between ranks */
  PART_RANK_WAIT,     /* the first part of collectives and messages, in which the rank waits for other ranks */
  PART_COPIES,
  N_WORK_PARTS,
  PART_DATA_WAIT = N_WORK_PARTS, /* the training loop waits for data, and the devices do no work */
  N_STACKED_PARTS,
  PART_RANGE = N_STACKED_PARTS, /* an annotation or a step, that is, a span that encloses work */
  PART_STREAM_WAIT,             /* a wait of a stream for another stream */
} Part;

/* One bar in a cell (a column of a lane). `busy`: the share of the cell's time that the bar shows. In the lane of a
 * node, `busy` is the mean over all rows of the lane; in other lanes, it is the largest share in a row. `best`: the
 * largest share in a row. `longest`: in that row, the longest span of the bar's kind. */
typedef struct {
  float busy, best;
  guint32 longest, name_id;
  guint16 pen;
} Bar;

typedef struct {
  Bar stack[N_STACKED_PARTS];
  /* a bar for annotations or for waits of streams; `other_part` is its kind, PART_RANGE or PART_STREAM_WAIT. If the
   * cell has spans of both kinds, the bar is for annotations */
  Bar other;
  Part other_part;
  guint32 n; /* number of spans in the time of the cell, in all rows of the lane */
  /* indexed by kind of bar: the slots (parts of the cell's time) in which this kind runs, as bits; used only if all
   * spans of the lane are read */
  guint64 slots[N_STACKED_PARTS];
} Cell;

static Part
part_of (const LoomDrawPen *pen, guint32 name_id)
{
  LoomWorkFamily family = loom_name_colors_family (pen->list->colors, pen->id.trace, name_id, pen->device);
  if (family == LOOM_WORK_FAMILY_ANNOTATION)
    return PART_RANGE;
  if (!pen->device)
    return PART_COMPUTE;
  switch (family) {
  case LOOM_WORK_FAMILY_WAIT: return PART_STREAM_WAIT;
  case LOOM_WORK_FAMILY_COMMUNICATION: return PART_COMMUNICATION;
  case LOOM_WORK_FAMILY_COPY: return PART_COPIES;
  default: return PART_COMPUTE;
  }
}

/* --- rows of a lane --------------------------------------------------------------------------------------------- */

/* Examines SAMPLED spans of the row and returns how many of them are work. If the row has fewer spans, the number of
 * spans with work is scaled as if SAMPLED spans had been examined. */
static guint
sample_work (const LoomDrawPen *pen, const LoomRow *row)
{
  guint32 n = MIN (row->n, SAMPLED), n_work = 0;
  for (guint32 i = 0; i < n; i++) {
    guint32 span = row->first + loom_row_summary_sample (row->n, n, i);
    n_work += part_of (pen, pen->spans->name_id[span]) < N_WORK_PARTS;
  }
  return n > 0 ? n_work * SAMPLED / n : 0;
}

/* Finds the rows of a track that are shown in a lane, and returns their number. For an accelerator, finds the first
 * rows that contain work, at most `most`. For a thread, finds only one row, because deeper rows would show the same
 * time again: the outermost row in which at least half of the spans are work. If there are no such rows, the result is
 * the first row of the track. O(depth). */
static guint
find_rows (const LoomDrawPen *pen, guint most, guint32 *rows)
{
  guint n = 0, least = pen->device ? 1 : SAMPLED / 2;
  most = pen->device ? most : 1;
  for (guint32 k = 0; n < most && k < MIN (pen->track->n_rows, MOST_DEPTHS); k++)
    if (sample_work (pen, loom_trace_get_row (pen->trace, pen->track->first_row + k)) >= least)
      rows[n++] = pen->track->first_row + k;
  if (n == 0 && pen->track->n_rows > 0)
    rows[n++] = pen->track->first_row;
  return n;
}

/* For each row that is shown in the lane, appends a LoomDrawPen to list->pens. A pen adds the marks of one row. Returns
 * the number of pens. In the lane of a node (`mean`), only one row of each track is shown, because the lane shows the
 * mean of the ranks. */
static guint
add_pens (LoomDrawList *list, const LoomTimelineRow *row, gboolean mean)
{
  g_byte_array_set_size (list->pens, 0);
  for (guint i = 0; i < row->n_tracks; i++) {
    LoomDrawPen pen;
    guint32 rows[MOST_ROWS];
    loom_draw_pen_init (&pen, list, row->tracks[i]);
    guint n = find_rows (&pen, mean ? 1 : MOST_ROWS, rows);
    for (guint k = 0; k < n; k++) {
      loom_draw_pen_set_row (&pen, rows[k]);
      g_byte_array_append (list->pens, (const guint8 *) (gconstpointer) &pen, sizeof pen);
    }
  }
  return list->pens->len / sizeof (LoomDrawPen);
}

/* --- cells ------------------------------------------------------------------------------------------------------ */

static void
raise_bar (Bar *bar, double busy, gboolean mean, guint n_pens, guint pen, guint32 span, guint32 name_id)
{
  bar->busy = mean ? bar->busy + (float) (busy / n_pens) : MAX (bar->busy, (float) busy);
  if (bar->longest != G_MAXUINT32 && (float) busy <= bar->best)
    return;
  bar->best = (float) busy;
  bar->longest = span;
  bar->name_id = name_id;
  bar->pen = (guint16) pen;
}

static void
add_other (Cell *cell, Part part, double busy, gboolean mean, guint n_pens, guint pen, const LoomSpanSummary *summary)
{
  if (part > cell->other_part)
    return;
  if (part < cell->other_part)
    cell->other = (Bar) { .longest = G_MAXUINT32 };
  cell->other_part = part;
  raise_bar (&cell->other, part == PART_STREAM_WAIT ? 0 : busy, mean, n_pens, pen, summary->longest, summary->name_id);
}

/* Returns for how many ns the span runs between `begin_ns` and `end_ns`. */
static gint64
get_overlap (const LoomDrawPen *pen, guint32 span, gint64 begin_ns, gint64 end_ns)
{
  gint64 start_ns = pen->spans->start_ns[span], stop_ns = loom_time_add (start_ns, pen->spans->dur_ns[span]);
  return MAX (loom_time_sub (MIN (stop_ns, end_ns), MAX (start_ns, begin_ns)), 0);
}

/* Examines up to SAMPLED spans that run between `begin_ns` and `end_ns`. Returns the longest one that is work;
 * G_MAXUINT32 if none is work. `share` receives the share of work in the time that the examined spans take. */
static guint32
find_work (const LoomDrawPen *pen, gint64 begin_ns, gint64 end_ns, double *share)
{
  guint32 first = loom_trace_row_first_ending_after (pen->trace, pen->row, begin_ns),
          end = loom_trace_row_lower_bound (pen->trace, pen->row, end_ns), longest = G_MAXUINT32;
  guint32 n = MIN (end > first ? end - first : 0, SAMPLED);
  double work_ns = 0, all_ns = 0;
  for (guint32 i = 0; i < n; i++) {
    guint32 span = pen->row->first + first + loom_row_summary_sample (end - first, n, i);
    double ns = (double) get_overlap (pen, span, begin_ns, end_ns);
    all_ns += ns;
    if (part_of (pen, pen->spans->name_id[span]) >= N_WORK_PARTS)
      continue;
    work_ns += ns;
    if (longest == G_MAXUINT32 || pen->spans->dur_ns[span] > pen->spans->dur_ns[longest])
      longest = span;
  }
  *share = all_ns > 0 ? work_ns / all_ns : 0;
  return longest;
}

/* Returns the x in px at which the last rank arrives at the collective or message of a span, between the edges `x0` and
 * `x1` of the span. Before this x the rank waits, and after it the rank transfers. Returns `x0` if the span belongs to
 * no collective of several ranks and to no message. */
static double
find_arrival (const LoomDrawPen *pen, guint32 span, double x0, double x1)
{
  const LoomCollectives *collectives = pen->list->options.collectives;
  const LoomSpanId id = { pen->id.trace, span };
  gint64 until_ns;
  if (collectives == NULL || !loom_span_waits_find (collectives, id, &until_ns))
    return x0;
  return until_ns > G_MININT64 ? CLAMP (loom_viewport_x (&pen->list->viewport, until_ns), x0, x1) : x0;
}

/* Returns the share, 0 … 1, of the time of a span within a cell during which the rank waits for other ranks. The span
 * is communication; it may cover only a part of the cell. */
static double
get_waiting_share (const LoomDrawPen *pen, guint32 span, guint cell)
{
  double x0 = MAX (loom_draw_local_view_x (&pen->view, pen->spans->start_ns[span]), cell * CELL_PX),
         x1 = MIN (loom_draw_local_view_x (&pen->view, loom_draw_pen_end (pen, span)), (cell + 1.0) * CELL_PX);
  return x1 > x0 ? (find_arrival (pen, span, x0, x1) - x0) / (x1 - x0) : 0;
}

/* Adds the busy time of a row to a cell (a column of the lane). If the longest span of the row in the cell is work, all
 * busy time counts as work of its kind. Otherwise (for example if it is an annotation), the busy time gets a bar of its
 * own. On a device, a part of this busy time also counts as work: find_work() examines spans of the row in the cell,
 * and returns the share of work in their time, and the longest of them that is work, which determines the kind. */
static void
add_row (Cell *cell, LoomDrawPen *pens, guint n_pens, guint number, guint i, gboolean mean)
{
  LoomDrawPen *pen = &pens[number];
  const LoomSpanSummary *summary = &pen->list->summaries[i];
  const gint64 *edges = pen->list->edges;
  double width_ns = (double) (edges[i + 1] - edges[i]), work = 0;
  double busy = width_ns > 0 ? MIN ((double) summary->busy_ns / width_ns, 1) : 1;
  Part part = part_of (pen, summary->name_id);
  guint32 span = summary->longest;
  cell->n += summary->n;
  if (part >= N_WORK_PARTS) {
    add_other (cell, part, busy, mean, n_pens, number, summary);
    span = pen->device && summary->n > 1 ? find_work (pen, edges[i], edges[i + 1], &work) : G_MAXUINT32;
    busy *= work;
  }
  if (span == G_MAXUINT32)
    return;
  guint32 name_id = pen->spans->name_id[span];
  part = part_of (pen, name_id);
  double waiting = part == PART_COMMUNICATION ? busy * get_waiting_share (pen, span, i) : 0;
  raise_bar (&cell->stack[part], busy - waiting, mean, n_pens, number, span, name_id);
  if (waiting > 0)
    raise_bar (&cell->stack[PART_RANK_WAIT], waiting, mean, n_pens, number, span, name_id);
}

static void
add_pen (LoomDrawList *list, Cell *cells, guint n_cells, LoomDrawPen *pens, guint n_pens, guint number, gboolean mean)
{
  LoomDrawPen *pen = &pens[number];
  loom_draw_fill_edges (list, &pen->view, n_cells, CELL_PX);
  loom_row_summary_sketch_many (pen->trace, pen->row, list->edges, n_cells, list->summaries);
  for (guint i = 0; i < n_cells; i++)
    if (list->summaries[i].n > 0)
      add_row (&cells[i], pens, n_pens, number, i, mean);
}

/* --- lanes whose spans are all read ------------------------------------------------------------------------------ */

/* Records that work of the kind `part` runs in the slots `first` … `end` − 1. Slots are equal parts of the time of
 * cells, and are counted from the left edge of the view. If a cell that contains spans has no bar of this kind yet, it
 * gets the bar `bar`. */
static void
mark_slots (Cell *cells, Part part, const Bar *bar, gsize first, gsize end)
{
  for (gsize slot = first; slot < end;) {
    gsize at = slot % N_SLOTS, n = MIN (end - slot, N_SLOTS - at);
    Cell *cell = &cells[slot / N_SLOTS];
    /* a cell without spans does not get the bar: its slots are marked only because times are rounded */
    if (cell->stack[part].longest == G_MAXUINT32 && cell->n > 0)
      cell->stack[part] = *bar;
    cell->slots[part] |= (n == N_SLOTS ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1) << at;
    slot += n;
  }
}

/* Returns the slot at x px, counted from the left edge of the view; at most `most`. */
static gsize
get_slot (double x, double most)
{
  return (gsize) MIN (CLAMP (x * N_SLOTS / CELL_PX, 0, most) + 0.5, most);
}

/* The slots of a lane, for times of one clock. `begin_ns` … `end_ns`: time of all slots; `per_ns`: slots per ns. */
typedef struct {
  gint64 begin_ns, end_ns;
  double per_ns;
  gsize n;
} Slots;

static Slots
get_slots (const LoomLocalView *view, guint n_cells)
{
  double all_ns = ceil (n_cells * CELL_PX * view->ns_per_px);
  gint64 end_ns = all_ns < 0x1p63 ? loom_time_add (view->begin_ns, (gint64) all_ns) : G_MAXINT64;
  return (Slots) { view->begin_ns, end_ns, view->px_per_ns * N_SLOTS / CELL_PX, (gsize) n_cells * N_SLOTS };
}

/* Returns the same slot as get_slot(). It is faster, because it clamps integers: a frame may need 600,000 slots. */
static inline gsize
find_slot (const Slots *slots, gint64 time_ns)
{
  gint64 ns = loom_time_sub (CLAMP (time_ns, slots->begin_ns, slots->end_ns), slots->begin_ns);
  return MIN ((gsize) ((double) ns * slots->per_ns + 0.5), slots->n);
}

/* Returns the first slot of a span of communication in which the rank transfers, because the last rank has arrived. */
static gsize
find_arrival_slot (const LoomDrawPen *pen, guint32 span, const Slots *slots)
{
  double x0 = loom_draw_local_view_x (&pen->view, pen->spans->start_ns[span]),
         x1 = loom_draw_local_view_x (&pen->view, loom_draw_pen_end (pen, span));
  return get_slot (find_arrival (pen, span, x0, x1), (double) slots->n);
}

static void
mark_work (const LoomDrawPen *pens, guint number, Cell *cells, guint n_cells, guint32 first, guint32 end)
{
  const LoomDrawPen *pen = &pens[number];
  const Slots slots = get_slots (&pen->view, n_cells);
  for (guint32 span = pen->row->first + first; span < pen->row->first + end; span++) {
    gsize begin_slot = find_slot (&slots, pen->spans->start_ns[span]),
          end_slot = find_slot (&slots, loom_draw_pen_end (pen, span)), middle = begin_slot;
    if (begin_slot == end_slot) /* shorter than a slot */
      continue;
    const Bar bar = { .longest = span, .name_id = pen->spans->name_id[span], .pen = (guint16) number };
    Part part = part_of (pen, bar.name_id);
    if (part >= N_WORK_PARTS)
      continue;
    if (part == PART_COMMUNICATION)
      mark_slots (cells, PART_RANK_WAIT, &bar, begin_slot, middle = find_arrival_slot (pen, span, &slots));
    mark_slots (cells, part, &bar, middle, end_slot);
  }
}

static guint32
count_in_view (const LoomDrawPen *pen, guint32 *first)
{
  guint32 end = loom_trace_row_lower_bound (pen->trace, pen->row, pen->view.end_ns);
  *first = loom_trace_row_first_ending_after (pen->trace, pen->row, pen->view.begin_ns);
  return end > *first ? end - *first : 0;
}

/* For each kind of work, marks the slots (parts of the time of cells, Cell.slots) in which the kind runs. Returns
 * FALSE, and marks nothing, if too many spans are in view (MOST_READ). */
static gboolean
read_work (const LoomDrawPen *pens, guint n_pens, Cell *cells, guint n_cells)
{
  guint64 n = 0;
  guint32 first;
  for (guint i = 0; i < n_pens; i++)
    n += count_in_view (&pens[i], &first);
  if (n > MAX ((guint64) n_cells * MOST_READ, MOST_READ_TOTAL))
    return FALSE;
  for (guint i = 0; i < n_pens; i++) {
    guint32 count = count_in_view (&pens[i], &first);
    mark_work (pens, i, cells, n_cells, first, first + count);
  }
  return TRUE;
}

/* Sets `busy` of each kind of bar to the share of the cell's time in which this kind runs and no kind with a lower
 * index does. */
static void
take_slots (Cell *cell)
{
  guint64 taken = 0;
  for (guint part = 0; part < N_STACKED_PARTS; part++) {
    guint64 own = cell->slots[part] & ~taken;
    cell->stack[part].busy = own != 0 ? (float) __builtin_popcountll (own) / N_SLOTS : 0;
    taken |= own;
  }
}

/* Estimates for each kind of work the share of the cell's time in which it runs and no kind with a lower index runs;
 * PART_COMPUTE has the lowest index. The estimate treats computation, communication and copies as independent of each
 * other. Waiting and transferring of a rank do not overlap, so neither reduces the share of the other. Waits for data
 * are assumed to happen while the devices do no work. */
static void
estimate_shares (Cell *cell)
{
  float free = 1 - MIN (cell->stack[PART_COMPUTE].busy, 1);
  cell->stack[PART_COMMUNICATION].busy *= free;
  cell->stack[PART_RANK_WAIT].busy *= free;
  free = MAX (free - cell->stack[PART_COMMUNICATION].busy - cell->stack[PART_RANK_WAIT].busy, 0);
  cell->stack[PART_COPIES].busy *= free;
  cell->stack[PART_DATA_WAIT].busy =
    MIN (cell->stack[PART_DATA_WAIT].busy, MAX (free - cell->stack[PART_COPIES].busy, 0));
}

/* --- waits for data --------------------------------------------------------------------------------------------- */

/* Returns the waits for data that the lane shows; NULL: none. If the rank has devices, its lane shows its waits for
 * data. If it has no devices, waits are not added: the lane is made from the thread that waits, and shows its waits
 * already. */
static const LoomDataRank *
find_data_waits (const LoomDrawList *list, const LoomTimelineRow *row, guint n_pens)
{
  const LoomDrawPen *pens = (const LoomDrawPen *) (gconstpointer) list->pens->data;
  const LoomDataWaits *waits = list->options.data_waits;
  if (waits == NULL || row->rank < 0 || n_pens == 0 || !pens->device)
    return NULL;
  return loom_data_waits_find_rank (waits, row->node, row->rank);
}

/* Adds wait `number` of `waits` to the cells (columns of the lane) that it touches. In each cell, Bar.longest is for
 * now the index of the wait that covers most of the cell; add_data_waits() replaces it by the span of this wait. */
static void
add_wait (LoomDrawList *list, Cell *cells, guint n_cells, const LoomDataRank *waits, guint number)
{
  const LoomDataWait *wait = &waits->waits[number];
  double most = (double) n_cells * CELL_PX, x0 = CLAMP (loom_viewport_x (&list->viewport, wait->begin_ns), 0, most),
         x1 = CLAMP (loom_viewport_x (&list->viewport, wait->end_ns), 0, most);
  const Bar bar = { .longest = number };
  for (guint i = (guint) (x0 / CELL_PX); i < n_cells && i * CELL_PX < x1; i++) {
    double share = (MIN (x1, (i + 1.0) * CELL_PX) - MAX (x0, i * CELL_PX)) / CELL_PX;
    Bar *shown = &cells[i].stack[PART_DATA_WAIT];
    shown->busy = MIN (shown->busy + (float) share, 1);
    if (shown->longest == G_MAXUINT32 || (float) share > shown->best) {
      shown->longest = number;
      shown->best = (float) share;
    }
  }
  mark_slots (cells, PART_DATA_WAIT, &bar, get_slot (x0, (double) n_cells * N_SLOTS),
              get_slot (x1, (double) n_cells * N_SLOTS));
}

/* Returns the index in list->pens of a pen (LoomDrawPen) for the row of a span. If the last pen in list->pens is of
 * another row, appends a new pen. */
static guint
find_pen (LoomDrawList *list, LoomSpanId span)
{
  const guint n = list->pens->len / sizeof (LoomDrawPen);
  const LoomDrawPen *last = (const LoomDrawPen *) (gconstpointer) list->pens->data + n - 1;
  if (last->id.trace == span.trace && span.span >= last->row->first && span.span < last->row->first + last->row->n)
    return n - 1;
  LoomDrawPen pen;
  guint32 track, row;
  loom_trace_locate_span (loom_draw_list_trace (list, span.trace), span.span, &track, &row);
  loom_draw_pen_init (&pen, list, (LoomTrackId) { span.trace, track });
  loom_draw_pen_set_row (&pen, row);
  g_byte_array_append (list->pens, (const guint8 *) (gconstpointer) &pen, sizeof pen);
  return n;
}

/* Adds the waits of a rank to the cells (columns of the lane). Also adds a LoomDrawPen to list->pens for each row with
 * such waits. O(waits in view + cells). */
static void
add_data_waits (LoomDrawList *list, Cell *cells, guint n_cells, const LoomDataRank *waits)
{
  for (guint i = loom_data_waits_first_ending_after (waits, list->viewport.begin_ns);
       i < waits->n_waits && waits->waits[i].begin_ns < list->viewport.end_ns; i++)
    add_wait (list, cells, n_cells, waits, i);
  for (guint i = 0; i < n_cells; i++) {
    Bar *bar = &cells[i].stack[PART_DATA_WAIT];
    if (bar->longest == G_MAXUINT32)
      continue;
    const LoomSpanId span = waits->waits[bar->longest].span;
    bar->pen = (guint16) find_pen (list, span);
    bar->longest = span.span;
    bar->name_id = loom_trace_get_spans (loom_draw_list_trace (list, span.trace))->name_id[span.span];
    cells[i].n++;
  }
}

/* --- marks ------------------------------------------------------------------------------------------------------ */

/* Returns TRUE if the cell (column of the lane) at `x` shows a ragged end. This is so if the span never ended, the end
 * to which it is drawn is in this cell, and the span is at least LEAST_OPEN_PX wide. */
static gboolean
ends_open (const LoomDrawPen *pen, guint32 span, double x)
{
  if ((loom_source_ref_flags (pen->spans->ref[span]) & LOOM_REF_OPEN) == 0)
    return FALSE;
  gint64 start_ns = pen->spans->start_ns[span], end_ns = loom_time_add (start_ns, pen->spans->dur_ns[span]);
  double x0 = loom_draw_local_view_x (&pen->view, start_ns), x1 = loom_draw_local_view_x (&pen->view, end_ns);
  return x1 - x0 >= LEAST_OPEN_PX && x1 > x && x1 <= x + CELL_PX;
}

/* Returns the colour of the bar `mark`, whose kind is `part`. Bars of accelerators have the colour of their family of
 * work, as in the overview and in the legend. The shades that distinguish the names of spans are not used, because they
 * would look like further kinds of work in such narrow bars. */
static guint8
get_bar_color (const LoomDrawPen *pen, const LoomDrawItem *mark, Part part)
{
  if (part == PART_DATA_WAIT && pen->list->options.color_by == LOOM_COLOR_BY_NAME)
    return (guint8) loom_theme_shade_index (LOOM_WORK_FAMILY_DATA, 0);
  LoomWorkFamily family = loom_name_colors_family (pen->list->colors, pen->id.trace, mark->name_id, pen->device);
  if (!pen->device || pen->list->options.color_by != LOOM_COLOR_BY_NAME || family == LOOM_WORK_FAMILY_OTHER)
    return mark->color;
  return (guint8) loom_theme_shade_index (family, 0);
}

static void
push_bar (LoomDrawPen *pens, const Bar *bar, Part part, guint32 n, double x, double share, double base)
{
  LoomDrawPen *pen = &pens[bar->pen];
  gboolean waits = part == PART_RANK_WAIT || part == PART_DATA_WAIT;
  guint flags = LOOM_DRAW_ITEM_DENSE | (waits ? LOOM_DRAW_ITEM_WAITING : 0);
  flags |= loom_draw_search_hits_has (&pen->hits, bar->longest, bar->longest) ? LOOM_DRAW_ITEM_HIT : 0;
  flags |= ends_open (pen, bar->longest, x) ? LOOM_DRAW_ITEM_OPEN : 0;
  LoomDrawItem *mark = loom_draw_pen_push (pen, x, x + CELL_PX, bar->longest, bar->name_id, n, share, flags);
  mark->base = (guint8) MIN (base * 255.0 + 0.5, 255 - mark->fill);
  mark->color = get_bar_color (pen, mark, part);
}

/* Adds the bars of a cell (a column of the lane), the uppermost one first. If no bar has a large enough share, adds a
 * line instead. */
static void
push_cell (LoomDrawPen *pens, const Cell *cell, double x)
{
  double share[N_STACKED_PARTS], base[N_STACKED_PARTS], top = 0;
  const Bar *line = &cell->other;
  for (guint part = 0; part < N_STACKED_PARTS; part++) {
    base[part] = top;
    share[part] = MIN (cell->stack[part].busy, 1 - top);
    top += share[part];
  }
  for (guint part = N_STACKED_PARTS; part-- > 0;)
    if (cell->stack[part].longest != G_MAXUINT32 && share[part] >= LEAST_SHARE) {
      push_bar (pens, &cell->stack[part], part, cell->n, x, share[part], base[part]);
      line = NULL;
    } else if (cell->stack[part].longest != G_MAXUINT32 && line != NULL) {
      line = &cell->stack[part];
    }
  if (line != NULL && line->longest != G_MAXUINT32)
    push_bar (pens, line, PART_RANGE, cell->n, x, line->busy, 0);
}

/* Removes all bars from the cells. The cells are copied in blocks that double in size, because setting each cell by
 * itself took a quarter of the time of a lane. */
static void
clear (Cell *cells, guint n_cells)
{
  static const Bar none = { .longest = G_MAXUINT32 };
  if (n_cells > 0)
    cells[0] = (Cell) { .stack = { none, none, none, none, none }, .other = none, .other_part = PART_STREAM_WAIT };
  for (guint n = 1; n < n_cells; n *= 2)
    memcpy (&cells[n], cells, MIN (n, n_cells - n) * sizeof *cells);
}

static void
add_lane (LoomDrawList *list, const LoomTimelineRow *row)
{
  gboolean mean = row->rank < 0;
  guint n_cells = (loom_draw_list_n_px (list) + CELL_PX - 1) / CELL_PX, n_pens = add_pens (list, row, mean);
  const LoomDataRank *waits = find_data_waits (list, row, n_pens);
  g_byte_array_set_size (list->cells, n_cells * sizeof (Cell));
  Cell *cells = (Cell *) (gpointer) list->cells->data;
  clear (cells, n_cells);
  if (waits != NULL)
    add_data_waits (list, cells, n_cells, waits);
  LoomDrawPen *pens = (LoomDrawPen *) (gpointer) list->pens->data;
  for (guint i = 0; i < n_pens; i++)
    add_pen (list, cells, n_cells, pens, n_pens, i, mean);
  gboolean exact = !mean && read_work (pens, n_pens, cells, n_cells);
  for (guint i = 0; i < n_cells; i++) {
    if (cells[i].n == 0)
      continue;
    if (exact)
      take_slots (&cells[i]);
    else if (!mean)
      estimate_shares (&cells[i]);
    push_cell (pens, &cells[i], i * CELL_PX);
  }
}

void
loom_draw_add_group (LoomDrawList *list, guint number, double top)
{
  const LoomTimelineRow *row = loom_row_list_get_row (list->outline, number);
  if (!row->has_lane || !loom_draw_list_is_in_band (list, top + LOOM_ROW_PADDING_PX))
    return;
  LoomDepthRow strip = { .row = number, .group = TRUE, .y = (float) (top + LOOM_ROW_PADDING_PX) };
  strip.pinned = row->pinned || number == loom_row_list_get_sticky (list->outline, list->viewport.scroll_px);
  strip.height = (float) (row->height - 2 * LOOM_ROW_PADDING_PX);
  strip.item = row->item;
  strip.first = list->marks->len;
  strip.first_bar = list->bars->len;
  if (loom_draw_take_over (list, row->item, &strip))
    return;
  add_lane (list, row);
  loom_draw_add_group_path (list, row, CELL_PX);
  loom_draw_close_strip (list, &strip);
}
