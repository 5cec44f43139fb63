/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-chart.h: makes bars, lines, histograms and points from the rows of an answer.
 */
#include "loom-query-chart.h"

#include "loom-histogram-chart.h"
#include "loom-locale-number.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* A point of the chart, made from one row of the answer. */
typedef struct {
  double x, y;
  guint row, group;
} Point;

typedef struct {
  const LoomQueryAnswer *answer;
  const guint *columns;
  LoomQueryChart *result;
} Drawing;

static const LoomResultTable *
table_of (const Drawing *drawing)
{
  return drawing->answer->table;
}

static const LoomResultTableColumn *
get_column (const Drawing *drawing, LoomQueryChartAxis axis)
{
  return loom_result_table_get_column (table_of (drawing), drawing->columns[axis]);
}

static gboolean
is_time (const Drawing *drawing, LoomQueryChartAxis axis)
{
  return strcmp (get_column (drawing, axis)->unit, "time") == 0;
}

static const char *
get_unit (const Drawing *drawing, LoomQueryChartAxis axis)
{
  return is_time (drawing, axis) ? "ns" : get_column (drawing, axis)->unit;
}

static double
get_number (const Drawing *drawing, LoomQueryChartAxis axis, guint row)
{
  return loom_result_table_get_number (table_of (drawing), row, drawing->columns[axis]);
}

static char *
dup_title (const Drawing *drawing)
{
  /* Translators: title of a chart; the first %s is the title of the column with the numbers, the second is the title of
   * the column with the names of the bars or with the values of the horizontal axis */
  return g_strdup_printf (C_ ("chart", "%s by %s"), get_column (drawing, LOOM_QUERY_CHART_Y)->title,
                          get_column (drawing, LOOM_QUERY_CHART_X)->title);
}

/* --- bars --------------------------------------------------------------------------------------------------------- */

static char *
dup_name (const Drawing *drawing, guint row)
{
  guint column = drawing->columns[LOOM_QUERY_CHART_X];
  if (loom_result_table_is_number (table_of (drawing), column) && is_time (drawing, LOOM_QUERY_CHART_X))
    return loom_chart_format (get_number (drawing, LOOM_QUERY_CHART_X, row), "ns");
  return loom_result_table_dup_cell (table_of (drawing), row, column);
}

static LoomChart *
draw_bars (const Drawing *drawing)
{
  g_autofree char *title = dup_title (drawing);
  LoomChart *chart = loom_chart_new_bars (title, get_unit (drawing, LOOM_QUERY_CHART_Y), FALSE);
  guint n = 0;
  loom_chart_add_bar_series (chart, get_column (drawing, LOOM_QUERY_CHART_Y)->title, 0);
  for (guint i = 0; i < table_of (drawing)->n_rows; i++) {
    double value = get_number (drawing, LOOM_QUERY_CHART_Y, i);
    if (n == LOOM_QUERY_CHART_MOST_BARS)
      drawing->result->n_beyond++;
    else if (!isfinite (value))
      drawing->result->n_missing++;
    else {
      g_autofree char *name = dup_name (drawing, i);
      loom_chart_add_bar_group (chart, name, &value);
      drawing->result->elements[i] = n++;
    }
  }
  return chart;
}

/* --- histogram ---------------------------------------------------------------------------------------------------- */

#define SIGN G_GUINT64_CONSTANT (0x8000000000000000)

/* Sorts the numbers by converting them to integers with the same order. Sorting integers takes a quarter of the time of
 * qsort(), so that sorting 100,000 rows does not delay the main loop noticeably. The bits of a negative number are
 * inverted, because the more negative number comes first. */
static void
sort_numbers (double *values, guint n)
{
  g_autofree guint64 *keys = g_new (guint64, n);
  for (guint i = 0; i < n; i++) {
    memcpy (&keys[i], &values[i], sizeof *keys);
    keys[i] = keys[i] & SIGN ? ~keys[i] : keys[i] | SIGN;
  }
  loom_statistics_sort (keys, NULL, n);
  for (guint i = 0; i < n; i++) {
    keys[i] = keys[i] & SIGN ? keys[i] & ~SIGN : ~keys[i];
    memcpy (&values[i], &keys[i], sizeof *keys);
  }
}

static void
find_bins (const Drawing *drawing, const LoomHistogram *histogram, double rest_begin)
{
  for (guint i = 0; i < table_of (drawing)->n_rows; i++) {
    double value = get_number (drawing, LOOM_QUERY_CHART_X, i);
    if (isfinite (value))
      drawing->result->elements[i] =
        value >= rest_begin ? histogram->n_bins : loom_statistics_find_in_histogram (histogram, value);
  }
}

static LoomChart *
draw_histogram (const Drawing *drawing)
{
  guint n = 0, n_rows = table_of (drawing)->n_rows;
  g_autofree double *values = g_new (double, n_rows + 1);
  LoomHistogram histogram;
  for (guint i = 0; i < n_rows; i++) {
    values[n] = get_number (drawing, LOOM_QUERY_CHART_X, i);
    n += isfinite (values[n]) ? 1 : 0;
  }
  drawing->result->n_missing = n_rows - n;
  if (n == 0)
    return NULL;
  sort_numbers (values, n);
  const char *title = get_column (drawing, LOOM_QUERY_CHART_X)->title;
  LoomChart *chart = loom_histogram_chart_new_sorted (title, title, get_unit (drawing, LOOM_QUERY_CHART_X),
                                                      C_ ("chart", "rows"), values, n, &histogram);
  loom_chart_set_median (chart, loom_statistics_median (values, n), C_ ("chart", "median"));
  find_bins (drawing, &histogram, chart->histogram.has_rest ? chart->histogram.rest_begin : INFINITY);
  loom_statistics_clear_histogram (&histogram);
  return chart;
}

/* --- lines and points --------------------------------------------------------------------------------------------- */

/* Compares points by group, then by x; rows with the same x keep their order. */
static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *p = a, *q = b;
  if (p->group != q->group)
    return p->group < q->group ? -1 : 1;
  return p->x != q->x ? (p->x < q->x ? -1 : 1) : (p->row > q->row) - (p->row < q->row);
}

/* Returns the index in `groups` (char *) of the group to which a row belongs. Appends the group if it is new.
 * G_MAXUINT: there are too many groups. */
static guint
find_group (const Drawing *drawing, GPtrArray *groups, guint row)
{
  guint column = drawing->columns[LOOM_QUERY_CHART_GROUP], at;
  g_autofree char *name =
    column != G_MAXUINT ? loom_result_table_dup_cell (table_of (drawing), row, column) : g_strdup ("");
  if (g_ptr_array_find_with_equal_func (groups, name, g_str_equal, &at))
    return at;
  if (groups->len == LOOM_QUERY_CHART_MOST_GROUPS)
    return G_MAXUINT;
  g_ptr_array_add (groups, g_steal_pointer (&name));
  return groups->len - 1;
}

static GArray *
collect_points (const Drawing *drawing, GPtrArray *groups)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (Point));
  for (guint i = 0; i < table_of (drawing)->n_rows; i++) {
    Point point = { get_number (drawing, LOOM_QUERY_CHART_X, i), get_number (drawing, LOOM_QUERY_CHART_Y, i), i, 0 };
    if (points->len == LOOM_QUERY_CHART_MOST_POINTS)
      drawing->result->n_beyond++;
    else if (!isfinite (point.x) || !isfinite (point.y))
      drawing->result->n_missing++;
    else if ((point.group = find_group (drawing, groups, i)) == G_MAXUINT)
      drawing->result->n_ungrouped++;
    else
      g_array_append_val (points, point);
  }
  g_array_sort (points, compare_points);
  return points;
}

/* Returns the name of the line of a group. If the column of groups contains texts, the name is `group`. If it contains
 * numbers, the name is the title of this column, followed by `group`. Without groups, the name is the title of the
 * column on the axis y. Owned by the caller. */
static char *
dup_line_name (const Drawing *drawing, const char *group)
{
  guint column = drawing->columns[LOOM_QUERY_CHART_GROUP];
  if (column == G_MAXUINT)
    return g_strdup (get_column (drawing, LOOM_QUERY_CHART_Y)->title);
  return loom_result_table_is_number (table_of (drawing), column)
           ? g_strconcat (loom_result_table_get_column (table_of (drawing), column)->title, " ", group, NULL)
           : g_strdup (group);
}

static void
add_points (const Drawing *drawing, LoomChart *chart, const GArray *points, const GPtrArray *groups)
{
  for (guint i = 0; i < points->len; i++) {
    const Point *point = &g_array_index (points, Point, i);
    if (i == 0 || point[-1].group != point->group) {
      g_autofree char *name = dup_line_name (drawing, groups->pdata[point->group]);
      loom_chart_add_line (chart, name, point->group);
    }
    loom_chart_add_point (chart, point->x, point->y, FALSE);
    drawing->result->elements[point->row] = i;
  }
}

static LoomChart *
draw_points (const Drawing *drawing, gboolean are_lines)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) points = collect_points (drawing, groups);
  g_autofree char *title = dup_title (drawing);
  const char *x_name = get_column (drawing, LOOM_QUERY_CHART_X)->title,
             *x_unit = get_unit (drawing, LOOM_QUERY_CHART_X), *unit = get_unit (drawing, LOOM_QUERY_CHART_Y);
  if (points->len == 0)
    return NULL;
  LoomChart *chart = are_lines ? loom_chart_new_lines (title, x_name, x_unit, unit, FALSE)
                               : loom_chart_new_dots (title, x_name, x_unit, unit);
  add_points (drawing, chart, points, groups);
  return chart;
}

/* --- making a chart ----------------------------------------------------------------------------------------------- */

static LoomChart *
draw (const Drawing *drawing, LoomQueryChartKind kind)
{
  for (LoomQueryChartAxis axis = LOOM_QUERY_CHART_X; axis <= LOOM_QUERY_CHART_Y; axis++)
    if (drawing->columns[axis] == G_MAXUINT && (axis == LOOM_QUERY_CHART_X || kind != LOOM_QUERY_CHART_HISTOGRAM))
      return NULL;
  switch (kind) {
  case LOOM_QUERY_CHART_BARS: return draw_bars (drawing);
  case LOOM_QUERY_CHART_HISTOGRAM: return draw_histogram (drawing);
  case LOOM_QUERY_CHART_NONE: return NULL;
  default: return draw_points (drawing, kind == LOOM_QUERY_CHART_LINES);
  }
}

LoomQueryChart *
loom_query_chart_new (const LoomQueryAnswer *answer, LoomQueryChartKind kind,
                      const guint columns[LOOM_N_QUERY_CHART_AXES])
{
  LoomQueryChart *self = g_new0 (LoomQueryChart, 1);
  self->n_rows = answer->table->n_rows;
  self->elements = g_new (guint, self->n_rows + 1);
  for (guint i = 0; i < self->n_rows; i++)
    self->elements[i] = LOOM_CHART_NONE;
  self->chart = draw (&(Drawing) { answer, columns, self }, kind);
  return self;
}

void
loom_query_chart_free (LoomQueryChart *chart)
{
  if (chart == NULL)
    return;
  loom_chart_unref (chart->chart);
  g_free (chart->elements);
  g_free (chart);
}

char *
loom_query_chart_dup_lack (const LoomQueryChart *chart)
{
  GString *lack = g_string_new (NULL);
  g_autofree char *all = loom_locale_number_group (chart->n_rows),
                  *first = loom_locale_number_group (chart->n_rows - chart->n_beyond),
                  *n_missing = loom_locale_number_group (chart->n_missing),
                  *n_ungrouped = loom_locale_number_group (chart->n_ungrouped);
  g_autofree char *beyond = g_strdup_printf (_ ("The chart shows the first %s of %s rows."), first, all);
  g_autofree char *missing =
    g_strdup_printf (ngettext ("%s row is not drawn, because it has no number.",
                               "%s rows are not drawn, because they have no number.", chart->n_missing),
                     n_missing);
  g_autofree char *ungrouped =
    g_strdup_printf (ngettext ("%s row belongs to a group that is not drawn.",
                               "%s rows belong to groups that are not drawn.", chart->n_ungrouped),
                     n_ungrouped);
  if (chart->n_beyond > 0)
    loom_sentence_append (lack, beyond);
  if (chart->n_missing > 0)
    loom_sentence_append (lack, missing);
  if (chart->n_ungrouped > 0)
    loom_sentence_append (lack, ungrouped);
  return g_string_free (lack, FALSE);
}
