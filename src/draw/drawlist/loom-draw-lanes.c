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

/* Maximum number of marks in a cell: one for each bar. A cell without bars has one mark, a line. */
#define MOST_MARKS N_STACKED_PARTS

/* In px: a span that never ended is drawn with a ragged end only if it is at least this wide. */
#define LEAST_OPEN_PX 8

/* If the rows of a lane have at most MOST_READ spans per cell in view, or MOST_READ_TOTAL spans in total, all spans are
 * read. The times at which several kinds of work run simultaneously are then exact. With more spans, these times are
 * only estimated, under the assumption that the kinds of work run independently of each other. MOST_READ_TOTAL does not
 * depend on the width of the window, so that a lane of a few steps shows the same shares in every window. Reading so
 * many spans takes about as long as an estimate, 0.15 ms. */
#define MOST_READ 10
#define MOST_READ_TOTAL 16384

/* The time of a cell, a column of a lane, is divided into this many equal slots, to find out which kinds of work run at
 * the same time. */
#define N_SLOTS 64

/* Places in a lane are integers that count this many places per cell. */
#define PLACES_PER_CELL 1024

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
  PART_RANGE = N_STACKED_PARTS,    /* an annotation or a step, that is, a span that encloses work */
  PART_STREAM_WAIT,                /* a wait of a stream for another stream */
  N_SLOT_PARTS = PART_STREAM_WAIT, /* the kinds before this one mark slots (Cell.slots) */
} Part;

/* One bar in a cell (a column of a lane). `busy`: the share of the cell's time that the bar shows. If all spans of the
 * lane are read, take_slots() sets it, `longest` is the longest span of the bar's kind, and `best` is not used.
 * Otherwise `busy` is, in the lane of a node, the mean over all rows of the lane, and in other lanes the largest share
 * in a row; `best` is the largest share in a row, and `longest` the longest span of the bar's kind in that row.
 * `dur_ns`: the duration of `longest` in ns; −1: none. It is kept because reading it from the trace again would make
 * the processor wait for memory once per bar. */
typedef struct {
  float busy, best, dur_ns;
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
  guint64 slots[N_SLOT_PARTS];
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

/* Adds the bar of a row to the bar `bar` of the same kind. `n_mean`: number of rows of which `bar` shows the mean; 0:
 * it shows the largest share in a row. */
static void
raise_bar (Bar *bar, const Bar *of_row, guint n_mean)
{
  float busy = n_mean > 0 ? bar->busy + of_row->busy / (float) n_mean : MAX (bar->busy, of_row->busy);
  if (bar->longest == G_MAXUINT32 || of_row->busy > bar->best) {
    *bar = *of_row;
    bar->best = of_row->busy;
  }
  bar->busy = busy;
}

/* Returns the bar of a kind in a cell. An annotation takes the place of a wait of a stream: if the cell has one, the
 * result for a wait is NULL, and the first annotation removes the bar of a wait. */
static inline Bar *
claim_bar (Cell *cell, Part part)
{
  if (part < N_STACKED_PARTS)
    return &cell->stack[part];
  if (part < cell->other_part)
    cell->other = (Bar) { .longest = G_MAXUINT32, .dur_ns = -1 };
  cell->other_part = MIN (part, cell->other_part);
  return part == cell->other_part ? &cell->other : NULL;
}

/* Returns for how many ns the span runs between `begin_ns` and `end_ns`. */
static gint64
get_overlap (const LoomDrawPen *pen, guint32 span, gint64 begin_ns, gint64 end_ns)
{
  gint64 start_ns = pen->spans->start_ns[span], stop_ns = loom_time_add (start_ns, pen->spans->dur_ns[span]);
  return MAX (loom_time_sub (MIN (stop_ns, end_ns), MAX (start_ns, begin_ns)), 0);
}

/* Examines up to SAMPLED spans that run between `begin_ns` and `end_ns`. Returns FALSE if none is work. Otherwise makes
 * `bar` the bar of the longest one that is work, and multiplies Bar.busy by the share of work in the time that the
 * examined spans take. */
static gboolean
find_work (const LoomDrawPen *pen, gint64 begin_ns, gint64 end_ns, Bar *bar)
{
  guint32 first = loom_trace_row_first_ending_after (pen->trace, pen->row, begin_ns),
          end = loom_trace_row_lower_bound (pen->trace, pen->row, end_ns);
  guint32 n = MIN (end > first ? end - first : 0, SAMPLED);
  double work_ns = 0, all_ns = 0;
  bar->dur_ns = -1;
  for (guint32 i = 0; i < n; i++) {
    guint32 span = pen->row->first + first + loom_row_summary_sample (end - first, n, i);
    double ns = (double) get_overlap (pen, span, begin_ns, end_ns);
    all_ns += ns;
    if (part_of (pen, pen->spans->name_id[span]) >= N_WORK_PARTS)
      continue;
    work_ns += ns;
    if ((float) pen->spans->dur_ns[span] > bar->dur_ns) {
      bar->dur_ns = (float) pen->spans->dur_ns[span];
      bar->longest = span;
      bar->name_id = pen->spans->name_id[span];
    }
  }
  bar->busy *= all_ns > 0 ? (float) (work_ns / all_ns) : 0;
  return bar->dur_ns >= 0;
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

static void
add_other (Cell *cell, Part part, const Bar *bar, guint n_mean)
{
  Bar of_row = *bar, *shown = claim_bar (cell, part);
  of_row.busy = part == PART_STREAM_WAIT ? 0 : of_row.busy;
  if (shown != NULL)
    raise_bar (shown, &of_row, n_mean);
}

/* Adds the bar of work of a row to a cell. `waiting`: share of its time in which the rank waits for other ranks. */
static void
add_work (Cell *cell, Part part, const Bar *bar, guint n_mean, double waiting)
{
  Bar of_row = *bar;
  of_row.busy = bar->busy * (float) (1 - waiting);
  raise_bar (&cell->stack[part], &of_row, n_mean);
  of_row.busy = bar->busy * (float) waiting;
  if (of_row.busy > 0)
    raise_bar (&cell->stack[PART_RANK_WAIT], &of_row, n_mean);
}

/* Adds the busy time of a row to a cell (a column of the lane). If the longest span of the row in the cell is work, all
 * busy time counts as work of its kind. Otherwise (for example if it is an annotation), the busy time gets a bar of its
 * own. On a device, a part of this busy time also counts as work, of the kind of the span that find_work() finds. */
static void
add_row (Cell *cell, const LoomDrawPen *pens, guint n_mean, guint number, guint i)
{
  const LoomDrawPen *pen = &pens[number];
  const LoomSpanSummary *summary = &pen->list->summaries[i];
  const gint64 *edges = pen->list->edges;
  double width_ns = (double) (edges[i + 1] - edges[i]);
  Bar bar = { .dur_ns = (float) summary->longest_ns, .longest = summary->longest, .name_id = summary->name_id };
  bar.busy = width_ns > 0 ? (float) MIN ((double) summary->busy_ns / width_ns, 1) : 1;
  bar.pen = (guint16) number;
  Part part = part_of (pen, bar.name_id);
  cell->n += summary->n;
  if (part >= N_WORK_PARTS) {
    add_other (cell, part, &bar, n_mean);
    if (!pen->device || summary->n == 1 || !find_work (pen, edges[i], edges[i + 1], &bar))
      return;
    part = part_of (pen, bar.name_id);
  }
  add_work (cell, part, &bar, n_mean, part == PART_COMMUNICATION ? get_waiting_share (pen, bar.longest, i) : 0);
}

/* Adds all rows of the lane to the cells (columns of the lane), without reading all of their spans. */
static void
sketch_rows (LoomDrawList *list, Cell *cells, guint n_cells, const LoomDrawPen *pens, guint n_pens, gboolean mean)
{
  for (guint number = 0; number < n_pens; number++) {
    const LoomDrawPen *pen = &pens[number];
    loom_draw_fill_edges (list, &pen->view, n_cells, CELL_PX);
    loom_row_summary_sketch_many (pen->trace, pen->row, list->edges, n_cells, list->summaries);
    for (guint i = 0; i < n_cells; i++)
      if (list->summaries[i].n > 0)
        add_row (&cells[i], pens, mean ? n_pens : 0, number, i);
  }
}

/* --- lanes whose spans are all read ------------------------------------------------------------------------------ */

/* Converts times of one clock to places in a lane. Places are counted from the left edge of the view in PLACES_PER_CELL
 * per cell, so that integers are precise enough; with floating point, reading the spans of a lane took a sixth longer.
 * `begin_ns` … `end_ns`: time of the lane; `per_ns`: places per ns; `end`: place of `end_ns`. */
typedef struct {
  gint64 begin_ns, end_ns;
  double per_ns;
  guint end;
} Places;

static Places
get_places (const LoomLocalView *view, guint n_cells)
{
  double all_ns = ceil (n_cells * CELL_PX * view->ns_per_px);
  gint64 end_ns = all_ns < 0x1p63 ? loom_time_add (view->begin_ns, (gint64) all_ns) : G_MAXINT64;
  return (Places) { view->begin_ns, end_ns, view->px_per_ns * PLACES_PER_CELL / CELL_PX, n_cells * PLACES_PER_CELL };
}

static inline guint
find_place (const Places *places, gint64 time_ns)
{
  gint64 ns = loom_time_sub (CLAMP (time_ns, places->begin_ns, places->end_ns), places->begin_ns);
  return MIN ((guint) ((double) ns * places->per_ns), places->end);
}

/* Returns the cell that contains the end of a span; a span that ends at the left edge of a cell does not touch it, but
 * each span touches the cell in which it starts. `first` … `end`: places of the span. */
static inline guint
get_last_cell (guint first, guint end)
{
  return (end > first ? end - 1 : first) / PLACES_PER_CELL;
}

/* Returns a mask with the bits below bit `n` set. */
static inline guint64
get_mask (guint n)
{
  return n < N_SLOTS ? (G_GUINT64_CONSTANT (1) << n) - 1 : G_MAXUINT64;
}

/* Returns the slot whose left edge is nearest to a place. Slots are counted from the left edge of the view. */
static inline guint
get_slot (guint place)
{
  return (place + PLACES_PER_CELL / N_SLOTS / 2) / (PLACES_PER_CELL / N_SLOTS);
}

/* Marks the slots of a cell that are in the places `first` … `end`, where the kind `part` runs. A slot is marked if the
 * kind runs in at least half of it, so `first` and `end` are rounded to slots. */
static inline void
mark_slots (Cell *cells, guint cell, Part part, guint first, guint end)
{
  guint base = cell * N_SLOTS, from = get_slot (first), to = get_slot (end);
  cells[cell].slots[part] |= get_mask (to > base ? to - base : 0) & ~get_mask (from > base ? from - base : 0);
}

/* Adds a span, or a part of one, to the bars of its kind. `first` … `end`: its places. In each cell that it touches,
 * the bar becomes the span's if the span is the longest so far. `n`: 1, or 0 if the span has been counted. One loop
 * does all of this, because the processor predicts the number of cells of a span badly. */
static inline void
add_bar (Cell *cells, Part part, Bar bar, guint first, guint end, guint n)
{
  for (guint cell = first / PLACES_PER_CELL, last = get_last_cell (first, end); cell <= last; cell++) {
    Bar *shown = claim_bar (&cells[cell], part);
    cells[cell].n += n;
    if (shown != NULL && bar.dur_ns > shown->dur_ns)
      *shown = bar;
    if (part < N_SLOT_PARTS)
      mark_slots (cells, cell, part, first, end);
  }
}

/* Adds a span of communication with the places `first` … `end`. Divides it at the arrival of the last rank, unless it
 * is so short that it marks no slot. */
static void
add_communication (const LoomDrawPen *pen, Cell *cells, Bar bar, guint first, guint end)
{
  guint middle = first;
  if (get_slot (first) < get_slot (end)) {
    double x0 = loom_draw_local_view_x (&pen->view, pen->spans->start_ns[bar.longest]),
           x1 = loom_draw_local_view_x (&pen->view, loom_draw_pen_end (pen, bar.longest)),
           x = find_arrival (pen, bar.longest, x0, x1) * PLACES_PER_CELL / CELL_PX;
    middle = (guint) CLAMP (x, first, end);
  }
  if (middle == first) {
    add_bar (cells, PART_COMMUNICATION, bar, first, end, 1);
    return;
  }
  add_bar (cells, PART_RANK_WAIT, bar, first, middle, 1);
  for (guint cell = get_last_cell (first, middle) + 1; cell <= get_last_cell (first, end); cell++)
    cells[cell].n++;
  if (middle < end)
    add_bar (cells, PART_COMMUNICATION, bar, middle, end, 0);
}

/* A cache of results of part_of(), because calling part_of() for each span took an eighth of the time in which spans
 * are read. The lowest bits of the id of a name are its index in both arrays. A `name_id` of G_MAXUINT32 marks an empty
 * element. */
typedef struct {
  guint32 name_id[64];
  Part part[64];
} KnownNames;

static inline Part
recall_part (KnownNames *names, const LoomDrawPen *pen, guint32 name_id)
{
  guint i = name_id % G_N_ELEMENTS (names->name_id);
  if (names->name_id[i] != name_id) {
    names->name_id[i] = name_id;
    names->part[i] = part_of (pen, name_id);
  }
  return names->part[i];
}

/* Adds the spans `first` … `end` − 1 of a row to the cells (columns of the lane). O(spans + cells). */
static void
add_spans (const LoomDrawPen *pens, guint number, Cell *cells, guint n_cells, guint32 first, guint32 end)
{
  const LoomDrawPen *pen = &pens[number];
  const Places places = get_places (&pen->view, n_cells);
  KnownNames names;
  memset (&names, 0xFF, sizeof names);
  for (guint32 span = pen->row->first + first; span < pen->row->first + end; span++) {
    guint begin = find_place (&places, pen->spans->start_ns[span]),
          stop = find_place (&places, loom_draw_pen_end (pen, span));
    if (begin >= places.end)
      break;
    const Bar bar = { 0, 0, (float) pen->spans->dur_ns[span], span, pen->spans->name_id[span], (guint16) number };
    Part part = recall_part (&names, pen, bar.name_id);
    if (part == PART_COMMUNICATION)
      add_communication (pen, cells, bar, begin, stop);
    else
      add_bar (cells, part, bar, begin, stop, 1);
  }
}

static guint32
count_in_view (const LoomDrawPen *pen, guint32 *first)
{
  guint32 end = loom_trace_row_lower_bound (pen->trace, pen->row, pen->view.end_ns);
  *first = loom_trace_row_first_ending_after (pen->trace, pen->row, pen->view.begin_ns);
  return end > *first ? end - *first : 0;
}

/* Returns TRUE if all spans in view are read, because they are few enough (MOST_READ). */
static gboolean
has_few_spans (const LoomDrawPen *pens, guint n_pens, guint n_cells)
{
  guint64 n = 0;
  guint32 first;
  for (guint i = 0; i < n_pens; i++)
    n += count_in_view (&pens[i], &first);
  return n <= MAX ((guint64) n_cells * MOST_READ, MOST_READ_TOTAL);
}

/* Adds all spans in view to the cells (columns of the lane). */
static void
read_spans (const LoomDrawPen *pens, guint n_pens, Cell *cells, guint n_cells)
{
  for (guint i = 0; i < n_pens; i++) {
    guint32 first, count = count_in_view (&pens[i], &first);
    add_spans (pens, i, cells, n_cells, first, first + count);
  }
}

/* Sets `busy` of each kind of work to the share of the cell's time in which this kind runs and no kind with a lower
 * index does. For annotations, sets it to the share in which they run. */
static void
take_slots (Cell *cell)
{
  guint64 taken = 0;
  for (guint part = 0; part < N_STACKED_PARTS; part++) {
    guint64 own = cell->slots[part] & ~taken;
    cell->stack[part].busy = own != 0 ? (float) __builtin_popcountll (own) / N_SLOTS : 0;
    taken |= own;
  }
  cell->other.busy = (float) __builtin_popcountll (cell->slots[PART_RANGE]) / N_SLOTS;
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
  for (guint i = (guint) (x0 / CELL_PX); i < n_cells && i * CELL_PX < x1; i++) {
    double share = (MIN (x1, (i + 1.0) * CELL_PX) - MAX (x0, i * CELL_PX)) / CELL_PX;
    Bar *shown = &cells[i].stack[PART_DATA_WAIT];
    shown->busy = MIN (shown->busy + (float) share, 1);
    if (shown->longest == G_MAXUINT32 || (float) share > shown->best) {
      shown->longest = number;
      shown->best = (float) share;
    }
    mark_slots (cells, i, PART_DATA_WAIT, (guint) (x0 * PLACES_PER_CELL / CELL_PX),
                (guint) (x1 * PLACES_PER_CELL / CELL_PX));
  }
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
    const LoomSpans *spans = loom_trace_get_spans (loom_draw_list_trace (list, span.trace));
    bar->longest = span.span;
    bar->dur_ns = (float) spans->dur_ns[span.span];
    bar->name_id = spans->name_id[span.span];
    cells[i].n++;
  }
}

/* --- marks ------------------------------------------------------------------------------------------------------ */

/* Returns TRUE if the cell (column of the lane) at `x` shows a ragged end. This is so if the span never ended, the end
 * to which it is drawn is in this cell, and the span is at least LEAST_OPEN_PX wide. */
static gboolean
ends_open (const LoomDrawPen *pen, const Bar *bar, double x)
{
  if (bar->dur_ns * pen->view.px_per_ns < LEAST_OPEN_PX)
    return FALSE;
  double end_x = loom_draw_local_view_x (&pen->view, loom_draw_pen_end (pen, bar->longest));
  return end_x > x && end_x <= x + CELL_PX &&
         (loom_source_ref_flags (pen->spans->ref[bar->longest]) & LOOM_REF_OPEN) != 0;
}

/* Returns the colour of a bar. Bars of accelerators have the colour of their family of work, as in the overview and in
 * the legend. The shades that distinguish the names of spans are not used, because they would look like further kinds
 * of work in such narrow bars. */
static guint
get_bar_color (const LoomDrawPen *pen, const Bar *bar, Part part)
{
  if (pen->list->options.color_by != LOOM_COLOR_BY_NAME)
    return loom_draw_pen_get_color (pen, bar->longest, bar->name_id);
  if (part == PART_DATA_WAIT)
    return loom_theme_shade_index (LOOM_WORK_FAMILY_DATA, 0);
  guint color = loom_name_colors_get (pen->list->colors, pen->id.trace, bar->name_id, pen->device);
  LoomWorkFamily family = pen->device ? loom_theme_family_of_index (color) : LOOM_WORK_FAMILY_OTHER;
  return family != LOOM_WORK_FAMILY_OTHER ? loom_theme_shade_index (family, 0) : color;
}

/* Makes the mark of a bar at `x`, which represents `n` spans. `base`: sum of the shares of the bars below it. */
static LoomDrawItem
make_mark (LoomDrawPen *pen, const Bar *bar, Part part, guint32 n, double x, double share, double base)
{
  gboolean waits = part == PART_RANK_WAIT || part == PART_DATA_WAIT;
  guint flags = LOOM_DRAW_ITEM_DENSE | (waits ? LOOM_DRAW_ITEM_WAITING : 0);
  if (pen->hits.n > 0 && loom_draw_search_hits_has (&pen->hits, bar->longest, bar->longest))
    flags |= LOOM_DRAW_ITEM_HIT;
  flags |= ends_open (pen, bar, x) ? LOOM_DRAW_ITEM_OPEN : 0;
  guint8 fill = (guint8) (share * 255.0 + 0.5);
  return (LoomDrawItem) {
    .x0 = (float) MIN (x, pen->x1),
    .x1 = (float) MIN (x + CELL_PX, pen->x1),
    .span = { pen->id.trace, bar->longest },
    .name_id = bar->name_id,
    .count = n,
    .color = (guint8) get_bar_color (pen, bar, part),
    .fill = fill,
    .base = (guint8) MIN (base * 255.0 + 0.5, 255 - fill),
    .flags = (guint8) flags,
  };
}

/* Makes the marks of a cell (a column of the lane), the uppermost bar first, at most MOST_MARKS. Returns the end of the
 * marks. If no bar has a large enough share, makes a line instead. On a thread, an annotation that has a share is shown
 * in place of a line for work. */
static LoomDrawItem *
make_marks (LoomDrawPen *pens, const Cell *cell, double x, LoomDrawItem *marks)
{
  double share[N_STACKED_PARTS], base[N_STACKED_PARTS], top = 0;
  const Bar *line = &cell->other;
  gboolean shows_other = cell->other.busy >= (float) LEAST_SHARE && !pens[cell->other.pen].device;
  for (guint part = 0; part < N_STACKED_PARTS; part++) {
    base[part] = top;
    share[part] = MIN (cell->stack[part].busy, 1 - top);
    top += share[part];
  }
  for (guint part = N_STACKED_PARTS; part-- > 0;) {
    const Bar *bar = &cell->stack[part];
    if (bar->longest != G_MAXUINT32 && share[part] >= LEAST_SHARE) {
      *marks++ = make_mark (&pens[bar->pen], bar, part, cell->n, x, share[part], base[part]);
      line = NULL;
    } else if (bar->longest != G_MAXUINT32 && line != NULL && !shows_other) {
      line = bar;
    }
  }
  if (line != NULL && line->longest != G_MAXUINT32)
    *marks++ = make_mark (&pens[line->pen], line, PART_RANGE, cell->n, x, MIN (line->busy, 1), 0);
  return marks;
}

/* Appends the marks of a lane to the list. Room for all marks is made first, because appending each mark by itself took
 * a third of the time. */
static void
push_cells (LoomDrawList *list, LoomDrawPen *pens, const Cell *cells, guint n_cells)
{
  guint before = list->marks->len;
  g_array_set_size (list->marks, before + n_cells * MOST_MARKS);
  LoomDrawItem *first = (LoomDrawItem *) (gpointer) list->marks->data, *end = first + before;
  for (guint i = 0; i < n_cells; i++)
    if (cells[i].n > 0)
      end = make_marks (pens, &cells[i], i * CELL_PX, end);
  g_array_set_size (list->marks, (guint) (end - first));
}

/* Removes all bars from the cells. The cells are copied in blocks that double in size, because setting each cell by
 * itself took a quarter of the time of a lane. */
static void
clear (Cell *cells, guint n_cells)
{
  static const Bar none = { .longest = G_MAXUINT32, .dur_ns = -1 };
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
  gboolean exact = !mean && has_few_spans (pens, n_pens, n_cells);
  if (exact)
    read_spans (pens, n_pens, cells, n_cells);
  else
    sketch_rows (list, cells, n_cells, pens, n_pens, mean);
  for (guint i = 0; !mean && i < n_cells; i++) {
    if (cells[i].n == 0)
      continue;
    if (exact)
      take_slots (&cells[i]);
    else
      estimate_shares (&cells[i]);
  }
  push_cells (list, pens, cells, n_cells);
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
