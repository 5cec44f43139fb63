/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds what is under the pointer. Searches the marks of the draw list, so that it finds exactly what is painted.
 */
#include <math.h>

#include "loom-counter-values.h"
#include "loom-draw-private.h"

/* Distance in px by which the mark of a single span may extend beyond the end of the span and over the next mark. Marks
 * extend because they are at least one pixel wide. */
#define REACH_PX 1.01f

/* Returns the horizontal distance in px between x and a mark, the rectangle of one or several spans; 0 inside the mark.
 * An instant, and a mark narrower than 2 · `slack`, has a margin of `slack` px on each side. Returns G_MAXDOUBLE if x
 * is outside the mark and its margin. */
static double
distance (const LoomDrawItem *mark, double x, double slack)
{
  double gap = MAX (MAX (mark->x0 - x, x - mark->x1), 0);
  gboolean instant = (mark->flags & LOOM_DRAW_ITEM_INSTANT) != 0;
  if (gap == 0 || ((instant || mark->x1 - mark->x0 < 2 * slack) && gap <= slack))
    return gap;
  return G_MAXDOUBLE;
}

static gboolean
is_better (const LoomDrawItem *mark, double gap, const LoomDrawItem *best, double best_gap)
{
  if (gap >= G_MAXDOUBLE)
    return FALSE;
  if (best == NULL || gap != best_gap)
    return best == NULL || gap < best_gap;
  float width = mark->x1 - mark->x0, best_width = best->x1 - best->x0;
  return width != best_width ? width < best_width : mark < best;
}

/* Returns the index of the first mark (rectangle of one or several spans) that begins after x; `n` if none does. The
 * marks are sorted by x0. */
static guint32
first_behind (const LoomDrawItem *marks, guint32 n, double x)
{
  guint32 low = 0, high = n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (marks[middle].x0 <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static const LoomDrawItem *
find_mark (const LoomDrawList *list, const LoomDepthRow *strip, double x, double slack)
{
  const LoomDrawItem *marks = &g_array_index (list->marks, LoomDrawItem, strip->first), *best = NULL;
  double best_gap = G_MAXDOUBLE;
  guint32 end = strip->tangled ? strip->n : first_behind (marks, strip->n, x + slack);
  for (guint32 i = end; i-- > 0;) {
    double gap = distance (&marks[i], x, slack);
    if (is_better (&marks[i], gap, best, best_gap)) {
      best = &marks[i];
      best_gap = gap;
    }
    /* All marks to the left of this one begin earlier, and so end at most REACH_PX after the start of this mark. Thus
     * they are more than `slack` away from x, too. */
    if (!strip->tangled && marks[i].x0 + REACH_PX < x - slack)
      break;
  }
  return best;
}

/* The lane of a folded group summarises the rows of the group as columns of stacked bars. If `strip` is such a lane,
 * `mark` must be the uppermost bar of a column. In this case, returns the lowest bar of the column whose upper edge is
 * at or above y; if there is no such bar, returns `mark`. If `strip` is not a lane, returns `mark`. */
static const LoomDrawItem *
find_bar (const LoomDrawList *list, const LoomDepthRow *strip, const LoomDrawItem *mark, double y)
{
  const LoomDrawItem *end = &g_array_index (list->marks, LoomDrawItem, strip->first) + strip->n, *best = mark;
  double share = (strip->y + strip->height - y) / MAX (strip->height, 1) * 255;
  for (const LoomDrawItem *at = mark; strip->group && at < end && at->x0 == mark->x0; at++)
    if (at->fill + at->base >= share)
      best = at;
  return best;
}

/* Returns the strip (the part of a row that shows one level of nesting) of a row at y; NULL if there is none. Requires
 * that strips are sorted by row, then y. */
static const LoomDepthRow *
find_strip (const LoomDrawList *list, guint row, double y)
{
  guint low = 0, high = list->strips->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (list->strips, LoomDepthRow, middle).row < row)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < list->strips->len; low++) {
    const LoomDepthRow *strip = &g_array_index (list->strips, LoomDepthRow, low);
    if (strip->row != row)
      return NULL;
    if (y >= strip->y && y < strip->y + strip->height)
      return strip;
  }
  return NULL;
}

/* Returns the number of spans that are merged into a mark. */
static guint32
count_spans (const LoomDrawList *list, const LoomDrawItem *mark, gint64 begin_ns, gint64 end_ns)
{
  guint32 track, number;
  LoomTrace *trace = loom_draw_list_trace (list, mark->span.trace);
  loom_trace_locate_span (trace, mark->span.span, &track, &number);
  const LoomRow *row = loom_trace_get_row (trace, number);
  guint clock = loom_trace_get_track (trace, track)->clock;
  const LoomClockMap *map = loom_timeline_get_map (list->timeline, mark->span.trace, clock);
  guint32 first = loom_trace_row_first_ending_after (trace, row, loom_clock_map_to_local (map, begin_ns));
  guint32 end = loom_trace_row_lower_bound (trace, row, loom_clock_map_to_local (map, end_ns));
  return MAX (end > first ? end - first : 0, 1);
}

static void
fill_from_mark (const LoomDrawList *list, const LoomDepthRow *strip, const LoomDrawItem *mark, LoomDrawHit *hit)
{
  gboolean dense = (mark->flags & LOOM_DRAW_ITEM_DENSE) != 0, instant = (mark->flags & LOOM_DRAW_ITEM_INSTANT) != 0;
  hit->kind = strip->group ? LOOM_DRAW_HIT_GROUP
              : instant    ? LOOM_DRAW_HIT_INSTANT
              : dense      ? LOOM_DRAW_HIT_DENSE
                           : LOOM_DRAW_HIT_SPAN;
  hit->span = mark->span;
  hit->count = mark->count;
  hit->fill = mark->fill / 255.0;
  hit->x0 = mark->x0, hit->x1 = mark->x1;
  hit->y0 = strip->y, hit->y1 = strip->y + strip->height;
  if (!strip->group && !dense) {
    loom_timeline_get_span (list->timeline, mark->span, &hit->begin_ns, &hit->end_ns);
    return;
  }
  hit->begin_ns = loom_viewport_time (&list->viewport, mark->x0);
  hit->end_ns = loom_viewport_time (&list->viewport, mark->x1);
  if (!strip->group && !instant)
    hit->count = count_spans (list, mark, hit->begin_ns, hit->end_ns);
}

/* Returns the vertical distance in px between y and what the plot draws for `value`: a line or, in a stack, a layer.
 * `stack`: sums of the values of the layers below: stack[0] of values that are not negative, stack[1] of negative
 * values. In a stack, the function adds `value` to one of these two sums. */
static double
distance_to (const LoomCounterPart *part, double value, double y, const LoomDrawHit *hit, double stack[2])
{
  double height = hit->y1 - hit->y0;
  if (part->kind != LOOM_PLOT_STACK)
    return fabs (hit->y1 - loom_counter_mode_scale_place (&part->scale, value) * height - y);
  double *edge = &stack[value < 0], from = *edge;
  *edge += value;
  double y0 = hit->y1 - loom_counter_mode_scale_place (&part->scale, from) * height,
         y1 = hit->y1 - loom_counter_mode_scale_place (&part->scale, *edge) * height;
  return MAX (MAX (MIN (y0, y1) - y, y - MAX (y0, y1)), 0);
}

/* Fills `hit` with the series of a plot whose value is nearest to y. */
static void
fill_from_plot (const LoomDrawList *list, const LoomTimelineRow *row, double x, double y, LoomDrawHit *hit)
{
  gint64 time = loom_viewport_time (&list->viewport, x);
  double best = G_MAXDOUBLE, stack[2] = { 0, 0 };
  hit->kind = LOOM_DRAW_HIT_COUNTER;
  hit->value = NAN;
  hit->series = G_MAXUINT;
  hit->begin_ns = hit->end_ns = time;
  for (guint i = 0; i < row->n_series; i++) {
    double value;
    if (!loom_counter_values_at (list->timeline, &row->series[i], time, &value))
      continue;
    double away = distance_to (&row->parts[row->series[i].part], value, y, hit, stack);
    if (away < best) {
      best = away;
      hit->value = value;
      hit->series = i;
    }
  }
}

LoomHitKind
loom_draw_list_hit (const LoomDrawList *list, double x, double y, double slack_px, LoomDrawHit *hit)
{
  g_return_val_if_fail (list != NULL && hit != NULL, LOOM_DRAW_HIT_NONE);
  *hit = (LoomDrawHit) { .kind = LOOM_DRAW_HIT_NONE, .row = G_MAXUINT, .span = LOOM_SPAN_ID_NONE, .series = G_MAXUINT };
  if (list->timeline == NULL || y >= list->viewport.height_px)
    return LOOM_DRAW_HIT_NONE;
  guint number = loom_row_list_row_at (list->outline, y, list->viewport.scroll_px);
  if (number == G_MAXUINT)
    return LOOM_DRAW_HIT_NONE;
  const LoomTimelineRow *row = loom_row_list_get_row (list->outline, number);
  hit->kind = LOOM_DRAW_HIT_ROW;
  hit->row = number;
  hit->x1 = list->viewport.width_px;
  hit->y0 = loom_row_list_row_top (list->outline, number, list->viewport.scroll_px);
  hit->y1 = hit->y0 + row->height;
  hit->begin_ns = hit->end_ns = loom_viewport_time (&list->viewport, x);
  if (row->kind == LOOM_ROW_COUNTER) {
    fill_from_plot (list, row, x, y, hit);
    return hit->kind;
  }
  const LoomDepthRow *strip = find_strip (list, number, y);
  const LoomDrawItem *mark = strip != NULL ? find_mark (list, strip, x, slack_px) : NULL;
  if (mark != NULL)
    fill_from_mark (list, strip, find_bar (list, strip, mark, y), hit);
  return hit->kind;
}
