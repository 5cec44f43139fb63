/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the critical path to the strips of a draw list, the parts of rows that show one level of nesting. Adds bars
 * where the path runs through a row, and sets the flag LOOM_DRAW_ITEM_PATH in the marks through which it runs.
 */
#include <string.h>

#include "loom-draw-private.h"

/* Maximum distance in px between the edge of a mark and the same edge of its bar of the critical path. The two edges
 * may differ by rounding, because the times of marks and of bars are converted to pixels in different ways. */
#define SAME_PX 0.02f

/* A mark is on the critical path if the bars of the path cover more than 1 / LEAST_PART of its width. For a mark that
 * is at most NARROW_PX wide, it suffices that the bars cover any of its width. For example, if a call first waits, the
 * path runs only through the part of the call after the wait; the call is on the path only if this part is long
 * enough. */
#define LEAST_PART 16
#define NARROW_PX 4

/* Returns the critical path. It is a member of the list of the whole view; the lists of bands (parts of the view that
 * threads make separately) do not have it. */
static const LoomPathOverlay *
get_path (const LoomDrawList *list)
{
  return list->whole->path;
}

void
loom_draw_add_path (LoomDrawList *list, LoomTrackId id, const LoomRow *row)
{
  if (get_path (list) != NULL)
    loom_path_overlay_add_row (get_path (list), &list->viewport, id.trace, row->first, row->n, list->bars);
}

/* Appends the bars of the critical path in a lane: adjacent cells (columns of the lane) in which the critical path runs
 * for equally many ns become one bar. `cells_ns`: for each cell, how many ns the critical path runs in the time of the
 * cell; `cell_px`: width of a cell in px. */
static void
push_cells (LoomDrawList *list, guint cell_px, guint n_cells, const gint64 *cells_ns)
{
  double ns_per_cell = loom_viewport_get_ns_per_px (&list->viewport) * cell_px;
  guint first = list->bars->len;
  for (guint i = 0; i < n_cells; i++) {
    if (cells_ns[i] <= 0)
      continue;
    LoomPathBar bar = { (float) (i * cell_px), (float) ((i + 1) * cell_px),
                        (guint8) CLAMP ((double) cells_ns[i] / ns_per_cell * 255 + 0.5, 1, 255) };
    LoomPathBar *last = list->bars->len > first ? &g_array_index (list->bars, LoomPathBar, list->bars->len - 1) : NULL;
    if (last != NULL && last->x1 >= bar.x0 && last->share == bar.share)
      last->x1 = bar.x1;
    else
      g_array_append_val (list->bars, bar);
  }
}

void
loom_draw_add_group_path (LoomDrawList *list, const LoomTimelineRow *row, guint cell_px)
{
  guint n_tracks, n_cells = (loom_draw_list_n_px (list) + cell_px - 1) / cell_px;
  if (get_path (list) == NULL)
    return;
  const LoomPathTrack *tracks = loom_path_overlay_get_tracks (get_path (list), row->rank, &n_tracks);
  gboolean any = FALSE;
  for (guint i = 0; i < n_tracks; i++) {
    if (!loom_row_list_is_within (list->outline, row, tracks[i].id))
      continue;
    if (!any)
      memset (list->edges, 0, n_cells * sizeof *list->edges);
    any = TRUE;
    loom_path_overlay_add_track (get_path (list), &list->viewport, tracks[i].id, cell_px, n_cells, list->edges);
  }
  if (any)
    push_cells (list, cell_px, n_cells, list->edges);
}

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const LoomPathBar *x = a, *y = b;
  return x->x0 < y->x0 ? -1 : x->x0 > y->x0;
}

/* Sorts the bars of the critical path in a strip (one level of nesting of a row) by x0. The bars may be unsorted,
 * because a strip can show several rows of a trace. */
static void
sort_bars (LoomPathBar *bars, guint32 n)
{
  for (guint32 i = 1; i < n; i++)
    if (bars[i].x0 < bars[i - 1].x0) {
      qsort (bars, n, sizeof *bars, compare_bars);
      return;
    }
}

/* Returns how many px of a mark (a drawn span) a bar of the critical path covers; 0 or less if the mark and the bar do
 * not meet. The mark is made smaller by SAME_PX at each edge, so that rounding errors have no effect. It is made
 * smaller by at most half of the width of the mark or bar, so that narrow marks and bars do not vanish. */
static float
get_covered (const LoomDrawItem *mark, const LoomPathBar *bar)
{
  float slack = MIN (SAME_PX, MIN (bar->x1 - bar->x0, mark->x1 - mark->x0) / 2);
  return MIN (bar->x1, mark->x1 - slack) - MAX (bar->x0, mark->x0 + slack);
}

/* Returns TRUE if a mark (a drawn span) is on the critical path. `bars` begins with the first bar of the path that ends
 * after the start of the mark. */
static gboolean
is_on_path (const LoomDrawItem *mark, const LoomPathBar *bars, guint32 n)
{
  float least = mark->x1 - mark->x0 > NARROW_PX ? (mark->x1 - mark->x0) / LEAST_PART : 0, sum = 0;
  for (guint32 i = 0; i < n && bars[i].x0 < mark->x1 && sum <= least; i++)
    sum += MAX (get_covered (mark, &bars[i]), 0);
  return sum > least;
}

void
loom_draw_mark_path (LoomDrawList *list, LoomDepthRow *strip)
{
  LoomDrawItem *marks = (LoomDrawItem *) (gpointer) list->marks->data + strip->first;
  LoomPathBar *bars = (LoomPathBar *) (gpointer) list->bars->data + strip->first_bar;
  strip->n_bars = list->bars->len - strip->first_bar;
  if (strip->n_bars == 0)
    return;
  sort_bars (bars, strip->n_bars);
  for (guint32 i = 0, bar = 0; i < strip->n; i++) {
    while (bar < strip->n_bars && bars[bar].x1 <= marks[i].x0)
      bar++;
    if (is_on_path (&marks[i], &bars[bar], strip->n_bars - bar))
      marks[i].flags |= LOOM_DRAW_ITEM_PATH;
  }
}
