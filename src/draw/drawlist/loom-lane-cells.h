/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the draw list: the cells of the lane of a folded group (loom-draw-lanes.c). A cell is a narrow column of
 * the lane: a stack of bars, one for each kind of work.
 */
#pragma once

#include "loom-draw-private.h"

/* Width of a cell. A cell is a column of the lane of a group, and shows a stack of bars. */
#define LOOM_LANE_CELL_PX 2

/* The time of a cell, a column of a lane, is divided into this many equal slots, to find out which kinds of work run at
 * the same time. */
#define LOOM_LANE_N_SLOTS 64

/* Maximum number of spans that are examined to estimate the kinds of work: in a whole row, or in the time of one cell.
 * A multiple of LOOM_SAMPLE_RUN, because neighbouring spans are sampled in groups of this size. */
#define LOOM_LANE_SAMPLED 16

/* If a lane has at most this many spans in view, all of them are read. The number does not depend on the width of the
 * window, so that a lane of a few steps shows the same shares in every window. */
#define LOOM_LANE_MOST_READ 16384

/* Places in a lane are integers that count this many places per cell. */
#define LOOM_LANE_PLACES_PER_CELL 1024

/* The kinds of bars in a cell (a column of the lane of a group). The first LOOM_LANE_N_STACKED_PARTS kinds are stacked
 * in this order, the first kind at the lower edge of the lane. */
typedef enum {
  LOOM_LANE_PART_COMPUTE,       /* computation on accelerators; for threads: all work */
  LOOM_LANE_PART_COMMUNICATION, /* transfers between ranks */
  LOOM_LANE_PART_RANK_WAIT, /* the first part of collectives and messages, in which the rank waits for other ranks */
  LOOM_LANE_PART_COPIES,
  LOOM_LANE_N_WORK_PARTS,
  LOOM_LANE_PART_DATA_WAIT = LOOM_LANE_N_WORK_PARTS, /* the training loop waits for data, and the devices do no work */
  LOOM_LANE_N_STACKED_PARTS,
  LOOM_LANE_PART_RANGE = LOOM_LANE_N_STACKED_PARTS,    /* an annotation or a step, that is, a span that encloses work */
  LOOM_LANE_PART_STREAM_WAIT,                          /* a wait of a stream for another stream */
  LOOM_LANE_N_SLOT_PARTS = LOOM_LANE_PART_STREAM_WAIT, /* the kinds before this one mark slots (LoomLaneCell.slots) */
} LoomLanePart;

/* One bar in a cell (a column of a lane). `busy`: the share of the cell's time that the bar shows. If all spans of the
 * lane are read, loom_lane_cells_take_slots() sets it, `longest` is the longest span of the bar's kind, and `best` is
 * not used. Otherwise `busy` is, in the lane of a node, the mean over all rows of the lane, and in other lanes the
 * largest share in a row; `best` is the largest share in a row, and `longest` the longest span of the bar's kind in
 * that row. `dur_ns`: the duration of `longest` in ns; −1: none. It is kept because reading it from the trace again
 * would make the processor wait for memory once per bar. */
typedef struct {
  float busy, best, dur_ns;
  guint32 longest, name_id;
  guint16 pen;
} LoomLaneBar;

typedef struct {
  LoomLaneBar stack[LOOM_LANE_N_STACKED_PARTS];
  /* a bar for annotations or for waits of streams; `other_part` is its kind, LOOM_LANE_PART_RANGE or
   * LOOM_LANE_PART_STREAM_WAIT. If the cell has spans of both kinds, the bar is for annotations */
  LoomLaneBar other;
  LoomLanePart other_part;
  guint32 n;         /* number of spans in the time of the cell, in all rows of the lane */
  guint32 n_started; /* number of these spans that start in the cell; only set if all spans of the lane are read */
  /* indexed by kind of bar: the slots (parts of the cell's time) in which this kind runs, as bits; used only if all
   * spans of the lane are read */
  guint64 slots[LOOM_LANE_N_SLOT_PARTS];
} LoomLaneCell;

/* Returns the kind of bar to which spans with this name belong. */
LoomLanePart loom_lane_cells_get_part (const LoomDrawPen *pen, guint32 name_id);

/* Returns the x in px at which the last rank arrives at the collective or message of a span, between the edges `x0` and
 * `x1` of the span. Before this x the rank waits, and after it the rank transfers. Returns `x0` if the span belongs to
 * no collective of several ranks and to no message. */
double loom_lane_cells_find_arrival (const LoomDrawPen *pen, guint32 span, double x0, double x1);

/* Returns the bar of a kind in a cell. Annotations and waits of streams share one bar, and annotations come first: if
 * the cell has an annotation, the result for a wait is NULL; the first annotation of a cell removes the bar of a
 * wait. */
static inline LoomLaneBar *
loom_lane_cells_claim_bar (LoomLaneCell *cell, LoomLanePart part)
{
  if (part < LOOM_LANE_N_STACKED_PARTS)
    return &cell->stack[part];
  if (part < cell->other_part)
    cell->other = (LoomLaneBar) { .longest = G_MAXUINT32, .dur_ns = -1 };
  cell->other_part = MIN (part, cell->other_part);
  return part == cell->other_part ? &cell->other : NULL;
}

/* Returns a mask with the bits below bit `n` set. */
static inline guint64
loom_lane_cells_get_mask (guint n)
{
  return n < LOOM_LANE_N_SLOTS ? (G_GUINT64_CONSTANT (1) << n) - 1 : G_MAXUINT64;
}

/* Returns the slot whose left edge is nearest to a place. Slots are counted from the left edge of the view. */
static inline guint
loom_lane_cells_get_slot (guint place)
{
  return (place + LOOM_LANE_PLACES_PER_CELL / LOOM_LANE_N_SLOTS / 2) / (LOOM_LANE_PLACES_PER_CELL / LOOM_LANE_N_SLOTS);
}

/* Marks the slots of a cell that are in the places `first` … `end`, where the kind `part` runs. A slot is marked if the
 * kind runs in at least half of it, so `first` and `end` are rounded to slots. */
static inline void
loom_lane_cells_mark_slots (LoomLaneCell *cells, guint cell, LoomLanePart part, guint first, guint end)
{
  guint base = cell * LOOM_LANE_N_SLOTS, from = loom_lane_cells_get_slot (first), to = loom_lane_cells_get_slot (end);
  cells[cell].slots[part] |=
    loom_lane_cells_get_mask (to > base ? to - base : 0) & ~loom_lane_cells_get_mask (from > base ? from - base : 0);
}

/* Sets the cells to cells without bars. */
void loom_lane_cells_clear (LoomLaneCell *cells, guint n_cells);
/* Begins the lane of a folded group. Sets list->pens to a pen for each row that the lane shows, and list->cells to
 * `n_cells` cells (columns of the lane), which contain only the waits for data of the rank. Returns the number of pens
 * for rows of work; the pens after these are for rows with waits for data. O(depth of the tracks + cells). */
guint loom_lane_cells_begin (LoomDrawList *list, const LoomTimelineRow *row, guint n_cells);

/* Returns the number of spans in view in the rows of the pens. */
guint64 loom_lane_cells_count_spans (const LoomDrawPen *pens, guint n_pens);
/* Adds all spans in view to the cells, so that the shares are exact. O(spans in view + cells), about 4 ns per span. */
void loom_lane_cells_read_spans (const LoomDrawPen *pens, guint n_pens, LoomLaneCell *cells, guint n_cells);
/* Must be called for each cell after loom_lane_cells_read_spans(). Sets `busy` of each kind of work to the share of the
 * cell's time in which this kind runs and no kind with a lower index does. For annotations, sets it to the share in
 * which they run. */
void loom_lane_cells_take_slots (LoomLaneCell *cell);

/* Computes the cells of a lane in the view of the list from all spans in view. Returns the cells, which are valid until
 * the list is used again. O(spans in view + cells). */
const LoomLaneCell *loom_lane_cells_compute (LoomDrawList *list, const LoomTimelineRow *row, guint n_cells);

/* Adds the shares of the lane of a rank that were computed in advance (loom-lane-shares.h) to the cells that
 * loom_lane_cells_begin() made. `n_pens`: its result. Returns FALSE, without adding anything, if there are none, or
 * if they are too coarse for the view. O(cells). */
gboolean loom_lane_cells_add_shares (const LoomDrawList *list, const LoomTimelineRow *row, guint n_pens,
                                     LoomLaneCell *cells, guint n_cells);

/* Appends the marks of a lane to the list. */
void loom_lane_cells_push_marks (LoomDrawList *list, LoomDrawPen *pens, const LoomLaneCell *cells, guint n_cells);
