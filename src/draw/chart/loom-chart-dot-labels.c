/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the labels of the dots in charts of dots. The labels of overlapping dots are written one below the other with
 * one common line to the dots, because separate lines would all end in the same place.
 */
#include "loom-chart-paint-private.h"

#include <math.h>

#define LABEL_PX 14.0    /* height of a label */
#define LABEL_GAP_PX 4.0 /* distance between a dot and its label */
#define LABEL_ALPHA 0.85 /* opacity of the background of a label */
#define MOST_LABELS 10
#define MOST_LINES 6 /* a label is at most this many lines higher or lower than its dot */

/* A group of overlapping dots, whose labels are written one below the other. */
typedef struct {
  const LoomChartVertex *dots[MOST_LABELS]; /* the dots of the group, the largest one first */
  guint n;
  LoomChartBox box; /* box of the labels; `y` is its vertical middle */
} Group;

typedef struct {
  const LoomChartPaint *paint;
  Group groups[MOST_LABELS];
  guint n;
} Labels;

static const LoomChartPoint *
get_point (const LoomChartPaint *paint, const LoomChartVertex *vertex)
{
  return &g_array_index (paint->chart->lines.points, LoomChartPoint, vertex->point);
}

static double
get_radius (const LoomChartPaint *paint, const LoomChartVertex *vertex)
{
  return loom_chart_dot_radius (paint->chart, vertex->point);
}

/* --- groups of labels --------------------------------------------------------------------------------------------- */

static int
compare_areas (gconstpointer a, gconstpointer b, gpointer paint)
{
  double x = get_point (paint, *(const LoomChartVertex *const *) a)->area,
         y = get_point (paint, *(const LoomChartVertex *const *) b)->area;
  return x > y ? -1 : x < y;
}

/* Returns the dots that have a label (LoomChartVertex), the largest one first. Owned by the caller. */
static GPtrArray *
sort_dots (const LoomChartPaint *paint)
{
  GPtrArray *dots = g_ptr_array_new ();
  for (guint i = 0; i < paint->layout->path->len; i++) {
    LoomChartVertex *vertex = &g_array_index (paint->layout->path, LoomChartVertex, i);
    if (get_point (paint, vertex)->label != NULL)
      g_ptr_array_add (dots, vertex);
  }
  g_ptr_array_sort_with_data (dots, compare_areas, (gpointer) paint);
  return dots;
}

/* If the largest dot of a group covers the middle of `dot`, adds `dot` to this group; otherwise makes a new group with
 * `dot`. */
static void
add_dot (Labels *labels, const LoomChartVertex *dot)
{
  guint i = 0;
  for (; i < labels->n; i++) {
    const LoomChartVertex *largest = labels->groups[i].dots[0];
    if (hypot (dot->x - largest->x, dot->y - largest->y) <= get_radius (labels->paint, largest))
      break;
  }
  labels->n = MAX (labels->n, i + 1);
  labels->groups[i].dots[labels->groups[i].n++] = dot;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if the part of a curve between two vertices crosses `box`. box->y is the vertical middle of the box. */
static gboolean
is_crossed (const LoomChartVertex *from, const LoomChartVertex *to, const LoomChartBox *box)
{
  double left = MAX (box->x, from->x), right = MIN (box->x + box->width, to->x);
  if (left > right || to->x <= from->x)
    return FALSE;
  double slope = (to->y - from->y) / (to->x - from->x), y0 = from->y + slope * (left - from->x),
         y1 = from->y + slope * (right - from->x);
  return MAX (y0, y1) > box->y - box->height / 2 && MIN (y0, y1) < box->y + box->height / 2;
}

/* Returns TRUE if a curve of the chart runs through a box. O(vertices). */
static gboolean
is_on_curve (const LoomChartPaint *paint, const LoomChartBox *box)
{
  for (guint i = 0; i + 1 < paint->layout->path->len; i++) {
    const LoomChartVertex *from = &g_array_index (paint->layout->path, LoomChartVertex, i), *to = from + 1;
    if (from->line == to->line && loom_chart_paint_get_line (paint, from->line)->joined && is_crossed (from, to, box))
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if no dot overlaps the box. */
static gboolean
is_beside_dots (const LoomChartPaint *paint, const LoomChartBox *box)
{
  for (guint i = 0; i < paint->layout->path->len; i++) {
    const LoomChartVertex *vertex = &g_array_index (paint->layout->path, LoomChartVertex, i);
    double radius = get_radius (paint, vertex);
    if (!loom_chart_paint_get_line (paint, vertex->line)->joined && vertex->x + radius >= box->x &&
        vertex->x - radius <= box->x + box->width && fabs (vertex->y - box->y) <= radius + box->height / 2)
      return FALSE;
  }
  return TRUE;
}

/* A line from the labels of a group to the edge of its largest dot. `is_shown` FALSE: the line is not painted, because
 * the labels are close to the dot. */
typedef struct {
  double x0, y0, x1, y1;
  gboolean is_shown;
} Leader;

static Leader
get_leader (const LoomChartPaint *paint, const Group *group, const LoomChartBox *box)
{
  const LoomChartVertex *dot = group->dots[0];
  double radius = get_radius (paint, dot), x = CLAMP (dot->x, box->x - 2, box->x + box->width + 2),
         y = CLAMP (dot->y, box->y - (box->height - LABEL_PX) / 2, box->y + (box->height - LABEL_PX) / 2),
         distance = hypot (x - dot->x, y - dot->y);
  if (distance <= radius + LABEL_PX || x == dot->x)
    return (Leader) { .is_shown = FALSE };
  return (Leader) { dot->x + (x - dot->x) * radius / distance, dot->y + (y - dot->y) * radius / distance, x, y, TRUE };
}

/* number of parts into which a line from labels to a dot is divided; the ends of the parts are tested to find out
 * whether the line crosses boxes */
#define LEADER_PARTS 16

static gboolean
is_under (const Leader *leader, const LoomChartBox *box)
{
  for (guint i = 0; leader->is_shown && i <= LEADER_PARTS; i++) {
    double x = leader->x0 + (leader->x1 - leader->x0) * i / LEADER_PARTS,
           y = leader->y0 + (leader->y1 - leader->y0) * i / LEADER_PARTS;
    if (x >= box->x && x <= box->x + box->width && fabs (y - box->y) <= box->height / 2)
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if two conditions are met: the line from the labels in `box` to their dot does not cross the labels of
 * the first `n_groups` groups, and the lines of these groups do not cross `box`. Otherwise returns FALSE. */
static gboolean
is_clear (const Labels *labels, guint n_groups, const Group *group, const LoomChartBox *box)
{
  Leader own = get_leader (labels->paint, group, box);
  for (guint i = 0; i < n_groups; i++) {
    const Group *other = &labels->groups[i];
    Leader leader = get_leader (labels->paint, other, &other->box);
    if (other->box.width > 0 && (is_under (&own, &other->box) || is_under (&leader, box)))
      return FALSE;
  }
  return TRUE;
}

/* Returns TRUE if the box is in the plot and overlaps neither a dot, nor a curve, nor the labels of the first
 * `n_groups` groups. */
static gboolean
is_free (const Labels *labels, guint n_groups, const LoomChartBox *box)
{
  const LoomChartBox *plot = &labels->paint->layout->plot;
  double right = box->x + box->width;
  if (box->x < plot->x || right > plot->x + plot->width || box->y - box->height / 2 < plot->y ||
      box->y + box->height / 2 > plot->y + plot->height)
    return FALSE;
  for (guint i = 0; i < n_groups; i++) {
    const LoomChartBox *other = &labels->groups[i].box;
    if (other->width > 0 && other->x < right && box->x < other->x + other->width &&
        fabs (other->y - box->y) < (other->height + box->height) / 2)
      return FALSE;
  }
  return is_beside_dots (labels->paint, box) && !is_on_curve (labels->paint, box);
}

/* Finds a place for the labels of a group: beside the largest dot, above or below it, or some lines higher or lower.
 * If there is no room, the width of the box is 0. O(dots). */
static void
place_group (Labels *labels, guint number)
{
  Group *group = &labels->groups[number];
  const LoomChartVertex *dot = group->dots[0];
  double radius = get_radius (labels->paint, dot), width = 0, height = group->n * LABEL_PX;
  for (guint i = 0; i < group->n; i++)
    width = MAX (width, loom_text_cache_width (labels->paint->text, LOOM_TEXT_SPAN,
                                               get_point (labels->paint, group->dots[i])->label));
  double right = dot->x + radius + LABEL_GAP_PX, left = dot->x - radius - LABEL_GAP_PX - width,
         middle = dot->x - width / 2, away = radius + LABEL_GAP_PX + height / 2;
  for (int line = 0; line <= MOST_LINES; line++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double y = dot->y + sign * line * LABEL_PX;
      const LoomChartBox tried[] = { { right, y, width, height },
                                     { left, y, width, height },
                                     { middle, dot->y + sign * away, width, height } };
      for (guint i = 0; i < (line == 0 ? 3 : 2); i++)
        if (is_free (labels, number, &tried[i]) && is_clear (labels, number, group, &tried[i])) {
          group->box = tried[i];
          return;
        }
    }
}

/* --- painting ----------------------------------------------------------------------------------------------------- */

static void
paint_group (const LoomChartPaint *paint, const Group *group)
{
  const LoomChartBox *box = &group->box;
  Leader leader = get_leader (paint, group, box);
  gboolean is_left = box->x < group->dots[0]->x && box->x + box->width < group->dots[0]->x;
  /* a background behind the text, so that lines of the chart do not run through it */
  loom_chart_paint_fill_box (paint,
                             (LoomChartBox) { box->x - 2, box->y - box->height / 2, box->width + 4, box->height },
                             loom_color_with_alpha (paint->theme->role[LOOM_COLOR_ROLE_BACKGROUND], LABEL_ALPHA));
  if (leader.is_shown)
    loom_chart_paint_rule (paint, leader.x0, leader.y0, leader.x1, leader.y1,
                           paint->theme->role[LOOM_COLOR_ROLE_TEXT_DIM], 1);
  for (guint i = 0; i < group->n; i++) {
    const char *label = get_point (paint, group->dots[i])->label;
    double room = box->width - loom_text_cache_width (paint->text, LOOM_TEXT_SPAN, label);
    loom_chart_paint_put (paint, LOOM_TEXT_SPAN, label, box->x + (is_left ? room : 0),
                          box->y - box->height / 2 + (i + 0.5) * LABEL_PX, -1, LOOM_COLOR_ROLE_TEXT);
  }
}

void
loom_chart_paint_dot_labels (const LoomChartPaint *paint)
{
  g_autoptr (GPtrArray) dots = sort_dots (paint);
  Labels labels = { .paint = paint, .n = 0 };
  for (guint i = 0; i < MIN (dots->len, MOST_LABELS); i++)
    add_dot (&labels, dots->pdata[i]);
  for (guint i = 0; i < labels.n; i++) {
    place_group (&labels, i);
    if (labels.groups[i].box.width > 0)
      paint_group (paint, &labels.groups[i]);
  }
}
