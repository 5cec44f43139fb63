/* SPDX-License-Identifier: Apache-2.0
 *
 * The layout of pies. If there is room, the name, value and share of each slice are next to the slice. Otherwise a
 * legend has the names and values, and the slices have their shares. A pie with a single slice is replaced by a line of
 * text.
 */
#include "loom-chart-private.h"

#include <math.h>

#define MAX_RADIUS_PX 92.0
/* minimum radius of a ring; rings are made this small only if the legend needs the space */
#define MIN_RADIUS_PX 54.0
#define DIRECT_RADIUS_PX 62.0 /* radius of a ring with labels next to its slices */
#define BESIDE_PX 300.0       /* minimum width of a chart in which labels or a legend are beside the ring */
#define MIN_LEGEND_PX 170.0
#define RING_GAP_PX 16.0
#define KEY_GAP_PX 14.0   /* distance between the name and the value of a slice in the legend */
#define RING 0.5          /* radius of the hole, as a share of the ring's radius */
#define MAX_SHIFT_PX 26.0 /* maximum distance by which a label may be moved away from its slice to avoid other labels */
#define MAX_LABELS 16     /* maximum number of labels on one side of the ring */
#define SINGLE_PX 24.0    /* height of the line of text that replaces a pie with a single slice */

static const LoomChartSlice *
slice_at (const LoomChart *chart, guint i)
{
  return &g_array_index (chart->pie.slices, LoomChartSlice, i);
}

/* Returns the only slice with a value above 0; LOOM_CHART_NONE if there are several such slices, or none. */
static guint
find_single (const LoomChart *chart)
{
  guint single = LOOM_CHART_NONE;
  for (guint i = 0; i < chart->pie.slices->len; i++) {
    if (!(slice_at (chart, i)->value > 0))
      continue;
    if (single != LOOM_CHART_NONE)
      return LOOM_CHART_NONE;
    single = i;
  }
  return single;
}

/* Returns the number of slices that the legend lists. If at least one slice has a value above 0, only such slices are
 * listed; otherwise all slices are listed. */
static guint
count_listed (const LoomChart *chart)
{
  guint n = 0;
  for (guint i = 0; i < chart->pie.slices->len; i++)
    n += slice_at (chart, i)->value > 0;
  return n > 0 ? n : chart->pie.slices->len;
}

/* --- labels at the slices ---------------------------------------------------------------------------------------- */

typedef struct {
  guint slice;
  double y, width;
} Label;

typedef struct {
  Label labels[MAX_LABELS]; /* labels on this side of the ring, from top to bottom */
  guint n;
  double width; /* width of the widest label in `labels` */
} Side;

static double
label_width (const LoomChart *chart, guint i, LoomTextCache *text)
{
  g_autofree char *share = loom_chart_dup_share (chart, i);
  return ceil (MAX (loom_text_cache_width (text, LOOM_TEXT_SPAN, slice_at (chart, i)->label),
                    loom_text_cache_width (text, LOOM_TEXT_SMALL, share)));
}

/* Collects the labels on the left side (if `left`, else the right side) of a ring with the radius `radius`. The center
 * of the ring is at (0, 0); each label is at the height of its slice. Returns FALSE if there are more than MAX_LABELS.
 */
static gboolean
find_side (const LoomChart *chart, double radius, gboolean left, Side *side, LoomTextCache *text)
{
  double total = loom_chart_get_total (chart), sum = 0;
  *side = (Side) { .n = 0 };
  for (guint i = 0; i < chart->pie.slices->len; i++) {
    double value = slice_at (chart, i)->value, turn = (sum + value / 2) / total;
    sum += value;
    if (!(value > 0) || (turn > 0.5) != left)
      continue;
    if (side->n == MAX_LABELS)
      return FALSE;
    Label label = { i, -cos (turn * 2 * G_PI) * (radius + 4), label_width (chart, i, text) };
    side->width = MAX (side->width, label.width);
    side->labels[side->n++] = label;
  }
  /* slices run clockwise from the top, so the labels on the left side are sorted from bottom to top; reverse their
   * order */
  for (guint i = 0; left && i < side->n / 2; i++) {
    Label swap = side->labels[i];
    side->labels[i] = side->labels[side->n - 1 - i];
    side->labels[side->n - 1 - i] = swap;
  }
  return TRUE;
}

/* Moves labels vertically so that they don't overlap, and extend at most `room` px above and below the center. Returns
 * FALSE if a label would have to move too far from its slice. */
static gboolean
spread (Side *side, double room)
{
  double wanted[MAX_LABELS];
  for (guint i = 0; i < side->n; i++) {
    wanted[i] = side->labels[i].y;
    side->labels[i].y =
      MAX (wanted[i], i > 0 ? side->labels[i - 1].y + LOOM_CHART_LABEL_PX : LOOM_CHART_LABEL_PX / 2 - room);
  }
  for (guint i = side->n; i > 0; i--) {
    double lowest = i < side->n ? side->labels[i].y - LOOM_CHART_LABEL_PX : room - LOOM_CHART_LABEL_PX / 2;
    side->labels[i - 1].y = MIN (side->labels[i - 1].y, lowest);
  }
  for (guint i = 0; i < side->n; i++)
    if (fabs (side->labels[i].y - wanted[i]) > MAX_SHIFT_PX)
      return FALSE;
  return TRUE;
}

typedef struct {
  Side sides[2];
  double radius, room; /* `radius`: radius of the ring; `room`: half of the height available for labels */
} Direct;

static double
direct_width (const Direct *direct)
{
  return direct->sides[0].width + direct->sides[1].width + 2 * direct->radius + 4 * LOOM_CHART_LEADER_PX;
}

/* Places the labels next to their slices. Returns FALSE if they don't fit, so that a legend is needed. */
static gboolean
find_direct (const LoomChart *chart, double width, Direct *direct, LoomTextCache *text)
{
  direct->radius = DIRECT_RADIUS_PX;
  direct->room = DIRECT_RADIUS_PX + LOOM_CHART_LABEL_PX / 2;
  if (width < BESIDE_PX || !(loom_chart_get_total (chart) > 0))
    return FALSE;
  for (guint left = 0; left < 2; left++)
    if (!find_side (chart, direct->radius, left, &direct->sides[left], text) ||
        !spread (&direct->sides[left], direct->room))
      return FALSE;
  return direct_width (direct) <= width;
}

static void
lay_out_direct (LoomChartLayout *layout, const Direct *direct)
{
  layout->direct = TRUE;
  layout->radius = direct->radius;
  layout->center_x = direct->sides[1].width + 2 * LOOM_CHART_LEADER_PX + direct->radius;
  layout->center_y = LOOM_CHART_TITLE_PX + direct->room;
  g_array_set_size (layout->keys, layout->chart->pie.slices->len);
  for (guint i = 0; i < layout->keys->len; i++) {
    const LoomChartSlice *slice = slice_at (layout->chart, i);
    g_array_index (layout->keys, LoomChartKey, i) = (LoomChartKey) { slice->label, slice->color, 0, 0, 0 };
  }
  for (guint left = 0; left < 2; left++)
    for (guint i = 0; i < direct->sides[left].n; i++) {
      const Label *label = &direct->sides[left].labels[i];
      LoomChartKey *key = &g_array_index (layout->keys, LoomChartKey, label->slice);
      double away = layout->radius + 2 * LOOM_CHART_LEADER_PX;
      key->x = left ? layout->center_x - away - label->width : layout->center_x + away;
      key->middle_y = layout->center_y + label->y;
      key->room = label->width;
    }
}

/* --- ring with a legend ------------------------------------------------------------------------------------------ */

/* Returns the width that the legend needs to show all names and values unshortened. */
static double
legend_width (const LoomChart *chart, LoomTextCache *text)
{
  double names = 0, figures = 0;
  for (guint i = 0; i < chart->pie.slices->len; i++) {
    g_autofree char *share = loom_chart_dup_share (chart, i);
    names = MAX (names, loom_text_cache_width (text, LOOM_TEXT_SPAN, slice_at (chart, i)->label));
    figures = MAX (figures, loom_text_cache_width (text, LOOM_TEXT_SMALL, share));
  }
  return MAX (ceil (names + figures) + LOOM_CHART_SWATCH_PX + 5 + KEY_GAP_PX + 5, MIN_LEGEND_PX);
}

/* Returns the width that the legend leaves for the ring. */
static double
ring_width (const LoomChart *chart, double width, LoomTextCache *text)
{
  double left = width - legend_width (chart, text) - RING_GAP_PX;
  return CLAMP (left, MIN (2 * MIN_RADIUS_PX + 4, width - MIN_LEGEND_PX - RING_GAP_PX),
                width - MIN_LEGEND_PX - RING_GAP_PX);
}

/* Adds a LoomChartKey (entry of the legend) for each slice. The entry of a slice that the legend does not list gets
 * `room` 0, that is, no width for its text. */
static void
add_slice_keys (LoomChartLayout *layout, double x, double y, LoomTextCache *text)
{
  double room = MIN (layout->width - x, legend_width (layout->chart, text)) - LOOM_CHART_SWATCH_PX - 5;
  gboolean all = count_listed (layout->chart) == layout->chart->pie.slices->len;
  for (guint i = 0, row = 0; i < layout->chart->pie.slices->len; i++) {
    const LoomChartSlice *slice = slice_at (layout->chart, i);
    gboolean is_listed = all || slice->value > 0;
    LoomChartKey key = { slice->label, slice->color, x, y + (row + 0.5) * LOOM_CHART_LEGEND_ROW_PX,
                         is_listed ? room : 0 };
    g_array_append_val (layout->keys, key);
    row += is_listed;
  }
}

static void
lay_out_with_legend (LoomChartLayout *layout, LoomTextCache *text)
{
  double top = LOOM_CHART_TITLE_PX, room = layout->height - top,
         legend = count_listed (layout->chart) * LOOM_CHART_LEGEND_ROW_PX;
  gboolean beside = layout->width >= BESIDE_PX;
  double most =
    beside ? MIN (room, ring_width (layout->chart, layout->width, text)) : MIN (room - legend - 10, layout->width);
  layout->radius = MIN (most / 2 - 2, MAX_RADIUS_PX);
  if (layout->radius < 8)
    layout->radius = 0;
  layout->center_x = beside ? layout->radius + 2 : layout->width / 2;
  layout->center_y = beside ? top + MAX (room, legend) / 2 : top + layout->radius + 2;
  if (beside)
    layout->center_y = MIN (layout->center_y, top + MAX (layout->radius + 2, legend / 2));
  if (beside)
    add_slice_keys (layout, 2 * layout->radius + 4 + (layout->radius > 0 ? RING_GAP_PX : 0),
                    MAX (layout->center_y - legend / 2, top), text);
  else
    add_slice_keys (layout, 0, layout->center_y + layout->radius + 10, text);
}

/* --- layout of the whole pie chart ------------------------------------------------------------------------------- */

static void
add_angles (LoomChartLayout *layout)
{
  double total = loom_chart_get_total (layout->chart), sum = 0;
  for (guint i = 0; i <= layout->chart->pie.slices->len; i++) {
    double angle = -G_PI / 2 + (total > 0 ? sum / total : 0) * 2 * G_PI;
    g_array_append_val (layout->angles, angle);
    if (i < layout->chart->pie.slices->len)
      sum += slice_at (layout->chart, i)->value;
  }
}

static void
lay_out_single (LoomChartLayout *layout)
{
  for (guint i = 0; i < layout->chart->pie.slices->len; i++) {
    const LoomChartSlice *slice = slice_at (layout->chart, i);
    LoomChartKey key = { slice->label, slice->color, 0, LOOM_CHART_TITLE_PX + LOOM_CHART_LEGEND_ROW_PX / 2,
                         i == layout->single ? layout->width - LOOM_CHART_SWATCH_PX - LOOM_CHART_SWATCH_GAP_PX : 0 };
    g_array_append_val (layout->keys, key);
  }
}

void
loom_chart_layout_pie (LoomChartLayout *layout, LoomTextCache *text)
{
  Direct direct;
  add_angles (layout);
  layout->single = find_single (layout->chart);
  if (layout->single != LOOM_CHART_NONE)
    lay_out_single (layout);
  else if (find_direct (layout->chart, layout->width, &direct, text) &&
           LOOM_CHART_TITLE_PX + 2 * direct.room <= layout->height)
    lay_out_direct (layout, &direct);
  else
    lay_out_with_legend (layout, text);
  layout->hole = layout->radius * RING;
}

double
loom_chart_layout_pie_height (const LoomChart *chart, double width, LoomTextCache *text)
{
  Direct direct;
  double legend = count_listed (chart) * LOOM_CHART_LEGEND_ROW_PX;
  if (find_single (chart) != LOOM_CHART_NONE)
    return LOOM_CHART_TITLE_PX + SINGLE_PX;
  if (find_direct (chart, width, &direct, text))
    return LOOM_CHART_TITLE_PX + 2 * direct.room;
  if (width >= BESIDE_PX)
    return LOOM_CHART_TITLE_PX + MAX (legend, MIN (150, ring_width (chart, width, text))) + 4;
  return LOOM_CHART_TITLE_PX + MIN (140, width) + legend + 14;
}
