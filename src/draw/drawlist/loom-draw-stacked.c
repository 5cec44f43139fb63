/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacked counters: for each pixel the sum of the series' values at its end; negative values are stacked downwards. The
 * lowest and highest values of the series within a pixel are summed too: they bound the sum, because the series need
 * not reach their extremes at the same time.
 */
#include "loom-draw-samples.h"

/* Working arrays with an element for every pixel column. */
typedef struct {
  guint n_px;
  double *top, *bottom;      /* edges of the stack so far */
  double *lowest, *highest;  /* bounds of the total */
  double *last, *low, *high; /* values of one layer; NaN: none */
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

/* Adds the values of a series to the current layer. Series that continue one another don't overlap. */
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

/* Adds one layer's edges as a line, and adds the layer to the stack. */
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

void
loom_draw_samples_add_stack (LoomDrawList *list, const LoomTimelineRow *row)
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
