/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads all spans of a lane, so that the times at which several kinds of work run simultaneously are exact.
 */
#include "loom-lane-cells.h"
#include "loom-span-waits.h"

#include <math.h>

LoomLanePart
loom_lane_cells_get_part (const LoomDrawPen *pen, guint32 name_id)
{
  LoomWorkFamily family = loom_name_colors_family (pen->list->colors, pen->id.trace, name_id, pen->device);
  if (family == LOOM_WORK_FAMILY_ANNOTATION)
    return LOOM_LANE_PART_RANGE;
  if (!pen->device)
    return LOOM_LANE_PART_COMPUTE;
  switch (family) {
  case LOOM_WORK_FAMILY_WAIT: return LOOM_LANE_PART_STREAM_WAIT;
  case LOOM_WORK_FAMILY_COMMUNICATION: return LOOM_LANE_PART_COMMUNICATION;
  case LOOM_WORK_FAMILY_COPY: return LOOM_LANE_PART_COPIES;
  default: return LOOM_LANE_PART_COMPUTE;
  }
}

double
loom_lane_cells_find_arrival (const LoomDrawPen *pen, guint32 span, double x0, double x1)
{
  const LoomCollectives *collectives = pen->list->options.collectives;
  const LoomSpanId id = { pen->id.trace, span };
  gint64 until_ns;
  if (collectives == NULL || !loom_span_waits_find (collectives, id, &until_ns))
    return x0;
  return until_ns > G_MININT64 ? CLAMP (loom_viewport_x (&pen->list->viewport, until_ns), x0, x1) : x0;
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* Converts times of one clock to places in a lane. Places are counted from the left edge of the view in
 * LOOM_LANE_PLACES_PER_CELL per cell, so that integers are precise enough. With floating point, reading the spans of a
 * lane took a sixth longer. `begin_ns` … `end_ns`: time of the lane; `per_ns`: places per ns; `end`: place of
 * `end_ns`. */
typedef struct {
  gint64 begin_ns, end_ns;
  double per_ns;
  guint end;
} Places;

static Places
get_places (const LoomLocalView *view, guint n_cells)
{
  double all_ns = ceil (n_cells * LOOM_LANE_CELL_PX * view->ns_per_px);
  gint64 end_ns = all_ns < 0x1p63 ? loom_time_add (view->begin_ns, (gint64) all_ns) : G_MAXINT64;
  return (Places) { view->begin_ns, end_ns, view->px_per_ns * LOOM_LANE_PLACES_PER_CELL / LOOM_LANE_CELL_PX,
                    n_cells * LOOM_LANE_PLACES_PER_CELL };
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
  return (end > first ? end - 1 : first) / LOOM_LANE_PLACES_PER_CELL;
}

/* Adds a span, or a part of one, to the bars of its kind in all cells from the place `first` to the place `end`. `bar`:
 * a bar that shows the span; it replaces the bar of a cell if the span is longer. `n`: by how much the number of spans
 * of each cell grows: 1, or 0 if the span has been counted. The work is done in one loop, not in several, because the
 * processor often mispredicts how many cells a span touches, and so where a loop ends. */
static inline void
add_bar (LoomLaneCell *cells, LoomLanePart part, LoomLaneBar bar, guint first, guint end, guint n)
{
  for (guint cell = first / LOOM_LANE_PLACES_PER_CELL, last = get_last_cell (first, end); cell <= last; cell++) {
    LoomLaneBar *shown = loom_lane_cells_claim_bar (&cells[cell], part);
    cells[cell].n += n;
    if (shown != NULL && bar.dur_ns > shown->dur_ns)
      *shown = bar;
    if (part < LOOM_LANE_N_SLOT_PARTS)
      loom_lane_cells_mark_slots (cells, cell, part, first, end);
  }
}

/* Adds a span of work that touches only one cell. It has no branches, because the processor would often mispredict
 * whether the span is the longest so far and whether it marks slots: with branches, the draw list of 0.9 million spans
 * took 1.85 instead of 1.4 ms. */
static inline void
add_short (LoomLaneCell *cell, LoomLanePart part, LoomLaneBar bar, guint first, guint end)
{
  LoomLaneBar *shown = &cell->stack[part];
  guint32 is_longest = -(guint32) (bar.dur_ns > shown->dur_ns);
  guint from = loom_lane_cells_get_slot (first), n = loom_lane_cells_get_slot (end) - from;
  guint64 slots = ((G_GUINT64_CONSTANT (1) << n % LOOM_LANE_N_SLOTS) - 1) | -(guint64) (n / LOOM_LANE_N_SLOTS);
  cell->n++;
  cell->slots[part] |= slots << from % LOOM_LANE_N_SLOTS;
  shown->dur_ns = MAX (bar.dur_ns, shown->dur_ns);
  shown->longest = (bar.longest & is_longest) | (shown->longest & ~is_longest);
  shown->name_id = (bar.name_id & is_longest) | (shown->name_id & ~is_longest);
  shown->pen = (guint16) ((bar.pen & is_longest) | (shown->pen & ~is_longest));
}

/* Adds a span, or the first part of one, and counts it. */
static inline void
add_whole (LoomLaneCell *cells, LoomLanePart part, LoomLaneBar bar, guint first, guint end)
{
  guint cell = first / LOOM_LANE_PLACES_PER_CELL;
  if (part < LOOM_LANE_N_WORK_PARTS && get_last_cell (first, end) == cell)
    add_short (&cells[cell], part, bar, first, end);
  else
    add_bar (cells, part, bar, first, end, 1);
}

/* Adds a span of communication with the places `first` … `end`. Divides the span at the arrival of the last rank,
 * unless the span is so short that it marks no slot (LoomLaneCell.slots). */
static void
add_communication (const LoomDrawPen *pen, LoomLaneCell *cells, LoomLaneBar bar, guint first, guint end)
{
  guint middle = first;
  if (pen->list->options.collectives != NULL && loom_lane_cells_get_slot (first) < loom_lane_cells_get_slot (end)) {
    double x0 = loom_draw_local_view_x (&pen->view, pen->spans->start_ns[bar.longest]),
           x1 = loom_draw_local_view_x (&pen->view, loom_draw_pen_end (pen, bar.longest)),
           x = loom_lane_cells_find_arrival (pen, bar.longest, x0, x1) * LOOM_LANE_PLACES_PER_CELL / LOOM_LANE_CELL_PX;
    middle = (guint) CLAMP (x, first, end);
  }
  if (middle == first) {
    add_whole (cells, LOOM_LANE_PART_COMMUNICATION, bar, first, end);
    return;
  }
  add_whole (cells, LOOM_LANE_PART_RANK_WAIT, bar, first, middle);
  for (guint cell = get_last_cell (first, middle) + 1; cell <= get_last_cell (first, end); cell++)
    cells[cell].n++;
  if (middle < end)
    add_bar (cells, LOOM_LANE_PART_COMMUNICATION, bar, middle, end, 0);
}

/* A cache of results of loom_lane_cells_get_part(), because calling loom_lane_cells_get_part() for each span took an
 * eighth of the time in which spans are read. The lowest bits of the id of a name are its index in both arrays. A
 * `name_id` of G_MAXUINT32 marks an empty element. */
typedef struct {
  guint32 name_id[64];
  LoomLanePart part[64];
} KnownNames;

static inline LoomLanePart
recall_part (KnownNames *names, const LoomDrawPen *pen, guint32 name_id)
{
  guint i = name_id % G_N_ELEMENTS (names->name_id);
  if (names->name_id[i] != name_id) {
    names->name_id[i] = name_id;
    names->part[i] = loom_lane_cells_get_part (pen, name_id);
  }
  return names->part[i];
}

/* Adds the spans `first` … `end` − 1 of a row to the cells (columns of the lane). O(spans + cells). */
static void
add_spans (const LoomDrawPen *pens, guint number, LoomLaneCell *cells, guint n_cells, guint32 first, guint32 end)
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
    cells[begin / LOOM_LANE_PLACES_PER_CELL].n_started += pen->spans->start_ns[span] >= places.begin_ns;
    const LoomLaneBar bar = {
      0, 0, (float) pen->spans->dur_ns[span], span, pen->spans->name_id[span], (guint16) number
    };
    LoomLanePart part = recall_part (&names, pen, bar.name_id);
    if (part == LOOM_LANE_PART_COMMUNICATION)
      add_communication (pen, cells, bar, begin, stop);
    else
      add_whole (cells, part, bar, begin, stop);
  }
}

static guint32
count_in_view (const LoomDrawPen *pen, guint32 *first)
{
  guint32 end = loom_trace_row_lower_bound (pen->trace, pen->row, pen->view.end_ns);
  *first = loom_trace_row_first_ending_after (pen->trace, pen->row, pen->view.begin_ns);
  return end > *first ? end - *first : 0;
}

guint64
loom_lane_cells_count_spans (const LoomDrawPen *pens, guint n_pens)
{
  guint64 n = 0;
  guint32 first;
  for (guint i = 0; i < n_pens; i++)
    n += count_in_view (&pens[i], &first);
  return n;
}

void
loom_lane_cells_read_spans (const LoomDrawPen *pens, guint n_pens, LoomLaneCell *cells, guint n_cells)
{
  for (guint i = 0; i < n_pens; i++) {
    guint32 first, count = count_in_view (&pens[i], &first);
    add_spans (pens, i, cells, n_cells, first, first + count);
  }
}

void
loom_lane_cells_take_slots (LoomLaneCell *cell)
{
  guint64 taken = 0;
  for (guint part = 0; part < LOOM_LANE_N_STACKED_PARTS; part++) {
    guint64 own = cell->slots[part] & ~taken;
    cell->stack[part].busy = own != 0 ? (float) __builtin_popcountll (own) / LOOM_LANE_N_SLOTS : 0;
    taken |= own;
  }
  cell->other.busy = (float) __builtin_popcountll (cell->slots[LOOM_LANE_PART_RANGE]) / LOOM_LANE_N_SLOTS;
}
