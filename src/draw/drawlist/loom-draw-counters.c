/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the lines of counters from their samples. A value holds until the next sample, but not over a gap. If there are
 * several samples per pixel, each pixel column of the line contains the lowest, highest and last value.
 */
#include <math.h>
#include <string.h>

#include "loom-counter-values.h"
#include "loom-draw-samples.h"

/* In a part (a counter of the plot) of the kind LOOM_PLOT_MEAN with at most this many series, each series has its own
 * line. With more series, only their mean and a band from the lowest to the highest value are drawn. */
#define MAX_FAINT_LINES 16
/* In a part (a counter of the plot) of the kind LOOM_PLOT_MEAN, each series has its own line only if samples are on
 * average at least this many px apart. If they are closer together, only the mean and a band from the lowest to the
 * highest value are drawn. */
#define BLURRED_PX 4

static inline double
floor_px (double x)
{
  double cut = (double) (gint64) x;
  return cut > x ? cut - 1 : cut;
}

static inline gint64
ceil_ns (double ns)
{
  gint64 cut = (gint64) MIN (ns, LOOM_MOST_NS);
  return (double) cut < ns ? cut + 1 : cut;
}

/* Returns TRUE if the line has a gap after sample `next` − 1, and this gap begins before the right edge of the view.
 * Sets `x` to the px at which the gap begins, that is, where the value of this sample ceases to hold. */
static inline gboolean
find_gap (const LoomDrawList *list, const LoomSeries *series, LoomQuantity quantity, const LoomLocalView *view,
          guint32 next, double *x)
{
  /* the difference or rate is unknown at the last sample before a gap, so the gap begins at this sample */
  if (quantity != LOOM_QUANTITY_VALUE) {
    *x = MAX (loom_draw_local_view_x (view, series->time_ns[next - 1]), -1);
    return isnan (loom_counter_quantity_read (series, quantity, next - 1));
  }
  gint64 hold_ns = series->hold_ns;
  gint64 last = series->time_ns[next - 1], until = loom_time_add (last, hold_ns);
  gint64 following = next < series->n ? series->time_ns[next] : G_MAXINT64;
  if (following <= until)
    return FALSE;
  *x = loom_draw_local_view_x (view, hold_ns == G_MAXINT64 ? last : until);
  return loom_draw_local_view_x (view, until) < list->viewport.width_px;
}

/* Appends the columns of the samples `at` … `end` − 1 to a line. All samples within one pixel become one column, at the
 * x of the first of them. */
static void
add_samples (LoomDrawList *list, const LoomSeries *series, LoomQuantity quantity, const LoomLocalView *view, guint32 at,
             guint32 end)
{
  guint first = list->columns->len, n = 0, room = 0;
  LoomPlotColumn *columns = NULL;
  for (guint32 n_last = 1; at < end;) {
    /* Each pass of the loop adds at most two columns: one for samples and one for a gap. If the array is too short, it
     * grows by enough elements for all remaining pixels, so that it rarely grows more than once. */
    if (room < n + 2) {
      room = n + 2 * (MIN (loom_draw_list_n_px (list), end - at) + 2);
      g_array_set_size (list->columns, first + room);
      columns = &g_array_index (list->columns, LoomPlotColumn, first);
    }
    double x = MAX (loom_draw_local_view_x (view, series->time_ns[at]), -1), low, high, gap_x;
    gint64 next_ns = loom_time_add (view->begin_ns, ceil_ns ((floor_px (x) + 1) * view->ns_per_px));
    guint32 next = MIN (loom_draw_samples_seek (series, at + 1, n_last - 1, next_ns), end);
    n_last = next - at;
    loom_draw_samples_prefetch (series, next, n_last);
    double last = loom_draw_samples_last (series, quantity, at, next);
    if (isnan (last) || !loom_min_max_index_find (series, quantity, at, next, &low, &high))
      low = high = last = NAN;
    columns[n++] = (LoomPlotColumn) { (float) x, (float) low, (float) high, (float) last };
    if (!isnan (last) && find_gap (list, series, quantity, view, next, &gap_x))
      columns[n++] = (LoomPlotColumn) { (float) gap_x, NAN, NAN, NAN };
    at = next;
  }
  g_array_set_size (list->columns, first + n);
}

/* Appends the columns of a series in view. Returns FALSE if there are none. */
static gboolean
add_columns (LoomDrawList *list, const LoomSeries *series, LoomQuantity quantity, const LoomLocalView *view)
{
  guint32 at = loom_draw_samples_until (series, view->begin_ns), end = loom_draw_samples_until (series, view->end_ns);
  /* begins with the last sample at or before the left edge, because its value is valid at the edge */
  at = at > 0 ? at - 1 : 0;
  if (at >= end)
    return FALSE;
  add_samples (list, series, quantity, view, at, end);
  loom_draw_samples_push_column (list, list->viewport.width_px, NAN, NAN, NAN);
  return TRUE;
}

static void
add_line (LoomDrawList *list, const LoomTimelineRow *row, guint number)
{
  const LoomCounterSeries *plotted = &row->series[number];
  LoomTrackId id = { plotted->trace, plotted->track };
  const LoomSeries *series = loom_draw_samples_of (list, plotted);
  LoomLocalView view = loom_draw_local_view (list, id);
  LoomPlotLine line = { .part = plotted->part, .series = number, .first = list->columns->len };
  if (series->n == 0 || !add_columns (list, series, plotted->quantity, &view))
    return;
  line.n = list->columns->len - line.first;
  g_array_append_val (list->lines, line);
}

/* --- mean and band of several series ---------------------------------------------------------------------------- */

/* Adds the value that a series has at the pixel column `px` to the working arrays. list->counts: for each of the `n_px`
 * columns, the number of series with a value. list->sums: three arrays of `n_px` elements, one after the other; for
 * each column, they contain the sum, the lowest and the highest of the values of all series. */
static inline void
add_value (LoomDrawList *list, guint px, guint n_px, double value)
{
  double *sum = list->sums + px, *low = sum + n_px, *high = low + n_px;
  gboolean first = list->counts[px]++ == 0;
  *sum = first ? value : *sum + value;
  *low = first ? value : MIN (*low, value);
  *high = first ? value : MAX (*high, value);
}

static void
add_to_mean (LoomDrawList *list, const LoomSeries *series, LoomQuantity quantity, const LoomLocalView *view, guint n_px)
{
  guint32 n = loom_draw_samples_until (series, view->begin_ns), n_last = 0;
  for (guint i = 0; i < n_px; i++) {
    gint64 end = loom_time_add (view->begin_ns, (gint64) MIN ((i + 1) * view->ns_per_px, LOOM_MOST_NS));
    guint32 next = loom_draw_samples_seek (series, n, n_last, end);
    n_last = next - n;
    n = next;
    loom_draw_samples_prefetch (series, n, n_last);
    if (n == 0 || loom_time_sub (end, series->time_ns[n - 1]) > series->hold_ns)
      continue;
    double read = loom_counter_quantity_read (series, quantity, n - 1);
    if (!isnan (read))
      add_value (list, i, n_px, read);
  }
}

static void
push_mean (LoomDrawList *list, guint part, guint n_px)
{
  const double *sum = list->sums, *low = sum + n_px, *high = low + n_px;
  LoomPlotLine line = { .kind = LOOM_LINE_MEAN, .part = part, .series = G_MAXUINT, .first = list->columns->len };
  float before = NAN, before_low = NAN, before_high = NAN;
  for (guint i = 0; i < n_px; i++) {
    guint n = list->counts[i];
    float mean = n > 0 ? (float) (sum[i] / n) : NAN, l = n > 0 ? (float) low[i] : NAN,
          h = n > 0 ? (float) high[i] : NAN;
    gboolean same = (isnan (mean) && isnan (before)) || (mean == before && l == before_low && h == before_high);
    if (i == 0 || !same)
      loom_draw_samples_push_column (list, i, l, h, mean);
    before = mean, before_low = l, before_high = h;
  }
  loom_draw_samples_push_column (list, n_px, NAN, NAN, NAN);
  line.n = list->columns->len - line.first;
  g_array_append_val (list->lines, line);
}

static void
add_mean (LoomDrawList *list, const LoomTimelineRow *row, guint number)
{
  const LoomCounterPart *part = &row->parts[number];
  guint n_px = loom_draw_list_n_px (list);
  memset (list->counts, 0, n_px * sizeof *list->counts);
  for (guint i = part->first; i < part->first + part->n; i++) {
    LoomTrackId id = { row->series[i].trace, row->series[i].track };
    const LoomSeries *series = loom_draw_samples_of (list, &row->series[i]);
    LoomLocalView view = loom_draw_local_view (list, id);
    if (series->n > 0)
      add_to_mean (list, series, row->series[i].quantity, &view, n_px);
  }
  push_mean (list, number, n_px);
}

/* Returns TRUE if the lines of the series of a LOOM_PLOT_MEAN part (one counter of the plot) would merge into a blur.
 * Then only their mean and a band from the lowest to the highest value are drawn. */
static gboolean
is_blurred (const LoomDrawList *list, const LoomTimelineRow *row, const LoomCounterPart *part)
{
  const LoomCounterSeries *first = &row->series[part->first];
  const LoomSeries *series = loom_draw_samples_of (list, first);
  LoomLocalView view = loom_draw_local_view (list, (LoomTrackId) { first->trace, first->track });
  guint32 in_view = loom_draw_samples_until (series, view.end_ns) - loom_draw_samples_until (series, view.begin_ns);
  return part->n > MAX_FAINT_LINES || in_view * BLURRED_PX > loom_draw_list_n_px (list);
}

/* --- stacks ----------------------------------------------------------------------------------------------------- */

/* How a stack of counters is drawn: each pixel column shows the sum of the values that the series have at the right
 * edge of the column. Negative values are stacked downwards. Two bounds of this sum within the column are shown, too:
 * the sum of the lowest values of all series, and the sum of their highest values. They are only bounds, because the
 * series need not reach their extremes at the same time. */

/* Working arrays with an element for each pixel column. */
typedef struct {
  guint n_px;
  double *top, *bottom;     /* upper and lower edge of the layers added so far */
  double *lowest, *highest; /* lower and upper bound of the sum of all layers added so far */
  /* last, lowest and highest value of the current layer within the pixel column; NaN: the layer has no value there */
  double *last, *low, *high;
} Stack;

static Stack
new_stack (LoomDrawList *list)
{
  guint n = loom_draw_list_n_px (list);
  double *at = list->sums;
  Stack stack = { n, at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n, at + 6 * n };
  for (guint i = 0; i < 4 * n; i++)
    at[i] = 0;
  return stack;
}

static void
begin_layer (Stack *stack)
{
  for (guint i = 0; i < stack->n_px; i++)
    stack->last[i] = NAN;
}

/* Adds the values of a series to the current layer of the stack. Several series form one layer if they have the same
 * colour and belong to the same counter of the plot (LoomCounterPart). Such series are the same counter in successive
 * files, so their values do not overlap in time. */
static void
add_series (LoomDrawList *list, const LoomCounterSeries *plotted, Stack *stack)
{
  const LoomSeries *series = loom_draw_samples_of (list, plotted);
  LoomLocalView view = loom_draw_local_view (list, (LoomTrackId) { plotted->trace, plotted->track });
  guint32 n = series->n > 0 ? loom_draw_samples_until (series, view.begin_ns) : 0, n_last = 0;
  for (guint i = 0; i < stack->n_px && series->n > 0; i++) {
    gint64 end = loom_time_add (view.begin_ns, (gint64) MIN ((i + 1) * view.ns_per_px, LOOM_MOST_NS));
    guint32 next = loom_draw_samples_seek (series, n, n_last, end), from = n > 0 ? n - 1 : 0;
    n_last = next - n;
    n = next;
    loom_draw_samples_prefetch (series, n, n_last);
    if (n == 0)
      continue;
    gboolean holds = loom_time_sub (end, series->time_ns[n - 1]) <= series->hold_ns;
    double last = n_last > 0 ? loom_draw_samples_last (series, plotted->quantity, from, n)
                  : holds    ? loom_counter_quantity_read (series, plotted->quantity, n - 1)
                             : NAN;
    if (isnan (last))
      continue;
    stack->last[i] = stack->low[i] = stack->high[i] = last;
    if (n_last > 0)
      loom_min_max_index_find (series, plotted->quantity, from, n, &stack->low[i], &stack->high[i]);
  }
}

/* Adds the current layer on top of the stack, and adds a line for the edge of the layer. */
static void
push_layer (LoomDrawList *list, Stack *stack, guint part, guint number)
{
  LoomPlotLine line = { .kind = LOOM_LINE_LAYER, .part = part, .series = number, .first = list->columns->len };
  double before_low = INFINITY, before_high = INFINITY;
  for (guint i = 0; i < stack->n_px; i++) {
    double value = stack->last[i], low = NAN, high = NAN;
    gboolean up = value >= 0, none = isnan (value);
    if (!none) {
      double *edge = up ? &stack->top[i] : &stack->bottom[i];
      low = MIN (*edge, *edge + value);
      high = MAX (*edge, *edge + value);
      *edge += value;
      stack->lowest[i] += MAX (stack->low[i], 0);
      stack->highest[i] += MAX (stack->high[i], 0);
    }
    gboolean same = none ? isnan (before_low) : low == before_low && high == before_high;
    if (!same)
      loom_draw_samples_push_column (list, i, low, high, up || none ? high : low);
    before_low = low, before_high = high;
  }
  loom_draw_samples_push_column (list, stack->n_px, NAN, NAN, NAN);
  line.n = list->columns->len - line.first;
  g_array_append_val (list->lines, line);
}

static void
push_total (LoomDrawList *list, const Stack *stack)
{
  LoomPlotLine line = { .kind = LOOM_LINE_TOTAL, .series = G_MAXUINT, .first = list->columns->len };
  for (guint i = 0; i < stack->n_px; i++)
    if (stack->highest[i] > stack->lowest[i])
      loom_draw_samples_push_column (list, i, stack->lowest[i], stack->highest[i], stack->top[i]);
  line.n = list->columns->len - line.first;
  if (line.n > 0)
    g_array_append_val (list->lines, line);
}

/* Adds the layers of all stacked counters of the row (LoomCounterPart), and the bounds of their sum. */
static void
add_stack (LoomDrawList *list, const LoomTimelineRow *row)
{
  Stack stack = new_stack (list);
  gboolean continued = FALSE;
  for (guint i = 0; i < row->n_series; i++) {
    const LoomCounterSeries *series = &row->series[i];
    if (row->parts[series->part].kind != LOOM_PLOT_STACK)
      continue;
    if (!continued)
      begin_layer (&stack);
    add_series (list, series, &stack);
    continued = i + 1 < row->n_series && series[1].color == series->color && series[1].part == series->part;
    if (!continued)
      push_layer (list, &stack, series->part, i);
  }
  push_total (list, &stack);
}

/* --- plots ------------------------------------------------------------------------------------------------------ */

/* Adds the lines of a part (one counter of the plot). A part of the kind LOOM_PLOT_MEAN gets only the line of the mean
 * in two cases: the part is not the first part of the row, or the lines of its series would merge into a blur. */
static void
add_part (LoomDrawList *list, const LoomTimelineRow *row, guint number)
{
  const LoomCounterPart *part = &row->parts[number];
  if (part->n == 0)
    return;
  if (part->kind != LOOM_PLOT_MEAN || (number == 0 && !is_blurred (list, row, part)))
    for (guint i = part->first; i < part->first + part->n; i++)
      add_line (list, row, i);
  if (part->kind == LOOM_PLOT_MEAN)
    add_mean (list, row, number);
}

/* Adds the lines of the plot of a counter. If `over` is TRUE, the plot is drawn over spans, and only the lines of the
 * row's own counter are added. If `over` is FALSE, the lines of the counters that the user laid over this plot are
 * added, too. */
static void
add_lines (LoomDrawList *list, const LoomTimelineRow *row, gboolean over, LoomPlot *plot)
{
  plot->first = list->lines->len;
  if (!over && row->parts->kind == LOOM_PLOT_STACK)
    add_stack (list, row);
  for (guint i = 0; i < (over ? 1 : row->n_parts); i++)
    if (over || row->parts[i].kind != LOOM_PLOT_STACK)
      add_part (list, row, i);
  plot->n = list->lines->len - plot->first;
}

void
loom_draw_add_plot (LoomDrawList *list, guint number, double top)
{
  const LoomTimelineRow *row = loom_row_list_get_row (list->outline, number);
  LoomPlot plot = { .row = number, .source_row = number, .pinned = row->pinned, .y = (float) top };
  plot.height = (float) row->height;
  add_lines (list, row, FALSE, &plot);
  g_array_append_val (list->plots, plot);
}

/* Returns the lowest rank of a node: the rank to which the first accelerator of the node belongs. */
static gint
first_rank (const LoomDrawList *list, const char *node)
{
  gint first = G_MAXINT;
  for (guint i = 0; i < loom_row_list_get_n_rows (list->outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (list->outline, i);
    if (row->rank >= 0 && g_strcmp0 (row->node, node) == 0)
      first = MIN (first, row->rank);
  }
  return first;
}

/* Makes `plot` show only the line of the accelerator of one rank. This line has the label "gpu" and the number
 * `local_rank`, for example "gpu0" for the first rank of the node. If no line has this label, `plot` gets all lines of
 * `all`. */
static void
choose_line (const LoomDrawList *list, const LoomTimelineRow *row, gint local_rank, const LoomPlot *all, LoomPlot *plot)
{
  plot->first = all->first;
  plot->n = all->n;
  for (guint32 i = 0; i < all->n && local_rank >= 0; i++) {
    const LoomPlotLine *line = &g_array_index (list->lines, LoomPlotLine, all->first + i);
    if (line->series == G_MAXUINT)
      continue;
    const char *label = row->series[line->series].label, *digits = label + strcspn (label, "0123456789");
    if (g_str_has_prefix (label, "gpu") && digits[0] != '\0' && g_ascii_strtoll (digits, NULL, 10) == local_rank) {
      plot->first = all->first + i;
      plot->n = 1;
      return;
    }
  }
}

static gboolean
lies_over (const LoomTimelineRow *counter, const LoomTimelineRow *under)
{
  if (under->kind != LOOM_ROW_SPANS || (counter->rank >= 0 && counter->rank != under->rank))
    return FALSE;
  return counter->node == NULL || under->node == NULL || strcmp (counter->node, under->node) == 0;
}

/* Adds plots of a counter over rows of spans in view. If the counter has a rank or a node, only rows of the same rank
 * and node get a plot; otherwise, all rows of spans get one. */
static void
lay_over (LoomDrawList *list, guint counter)
{
  const LoomTimelineRow *row = loom_row_list_get_row (list->outline, counter);
  LoomPlot all = { .row = G_MAXUINT, .source_row = counter }, plot;
  gint first = first_rank (list, row->node);
  guint last = G_MAXUINT;
  for (guint i = 0; i < list->strips->len; i++) {
    const LoomDepthRow *strip = &g_array_index (list->strips, LoomDepthRow, i);
    const LoomTimelineRow *under = loom_row_list_get_row (list->outline, strip->row);
    if (strip->row == last || strip->group || !lies_over (row, under))
      continue;
    if (last == G_MAXUINT)
      add_lines (list, row, TRUE, &all);
    plot = all;
    plot.row = last = strip->row;
    plot.pinned = under->pinned;
    plot.y = (float) (loom_row_list_row_top (list->outline, last, list->viewport.scroll_px) + LOOM_ROW_PADDING_PX);
    plot.height = (float) (under->height - 2 * LOOM_ROW_PADDING_PX);
    choose_line (list, row, under->rank >= 0 ? under->rank - first : -1, &all, &plot);
    g_array_append_val (list->plots, plot);
  }
}

void
loom_draw_add_overlays (LoomDrawList *list)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (list->outline); i++)
    if (loom_row_list_get_row (list->outline, i)->overlay)
      lay_over (list, i);
}
