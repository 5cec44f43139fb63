/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of counters. A series is a step function; where samples are denser than pixels a column keeps their extremes.
 * A value holds until the next sample, but not over a gap.
 */
#include <math.h>
#include <string.h>

#include "loom-draw-private.h"
#include "loom-extremes.h"
#include "loom-series-hold.h"
#include "loom-time-search.h"

/* A cloud of more series than this shows its band and mean, not every line. */
#define MAX_FAINT_LINES 16
/* So do those whose samples are closer than this. */
#define BLURRED_PX 4

/* Memory is asked for so many pixels before it is read. */
#define AHEAD_PX 6

/* The longest a value holds; remembered, for it is asked for in every frame. */
static gint64
hold_of (LoomDrawList *list, LoomTrackId id, const LoomSeries *series)
{
  gint64 *hold_ns = g_hash_table_lookup (list->holds_ns, series);
  if (hold_ns == NULL) {
    LoomTrace *trace = loom_draw_list_trace (list, id.trace);
    hold_ns = g_new (gint64, 1);
    *hold_ns = loom_series_find_hold (loom_trace_get_source (trace, loom_trace_get_track (trace, id.track)->source), series);
    g_hash_table_insert (list->holds_ns, (gpointer) series, hold_ns);
  }
  return *hold_ns;
}

/* Samples at or before the time. */
static guint32
n_until (const LoomSeries *series, gint64 time_ns)
{
  return time_ns < G_MAXINT64 ? loom_search_time (series->time_ns, 0, series->n, time_ns + 1) : series->n;
}

/* The first sample from `from` on that is not before the time, thought to be so many further on. */
static inline guint32
seek (const LoomSeries *series, guint32 from, guint32 guess, gint64 time_ns)
{
  return loom_search_time_near (series->time_ns, from, series->n, MIN (guess, series->n - from) + from, time_ns);
}

static gboolean
value_at (const LoomSeries *series, gint64 hold_ns, gint64 local_ns, double *value)
{
  guint32 n = n_until (series, local_ns);
  if (n == 0 || loom_time_sub (local_ns, series->time_ns[n - 1]) > hold_ns)
    return FALSE;
  *value = series->value[n - 1];
  return TRUE;
}

gboolean
loom_draw_list_value_at (const LoomDrawList *list, const LoomPlotSeries *plotted, gint64 time_ns, double *value)
{
  LoomTrackId id = { plotted->trace, plotted->track };
  LoomTrace *trace = loom_draw_list_trace (list, id.trace);
  const LoomSeries *series = loom_trace_get_series (trace, plotted->series);
  guint clock = loom_trace_get_track (trace, id.track)->clock;
  gint64 local = loom_clock_map_to_local (loom_timeline_get_map (list->timeline, id.trace, clock), time_ns);
  return value_at (series, hold_of ((LoomDrawList *) list, id, series), local, value);
}

/* Of a pixel a little further on, if samples go on as they do. */
static inline void
prefetch_samples (const LoomSeries *series, guint32 at, guint32 n_per_px)
{
  gsize ahead = MIN (at + AHEAD_PX * (gsize) n_per_px, series->n - 1);
  __builtin_prefetch (series->time_ns + ahead);
  __builtin_prefetch (series->value + ahead);
}

/* Without calls: distances in view fit, where the view is no wider than half of all time. */
#define MOST_NS 0x1p62

static inline double
floor_px (double x)
{
  double cut = (double) (gint64) x;
  return cut > x ? cut - 1 : cut;
}

static inline gint64
ceil_ns (double ns)
{
  gint64 cut = (gint64) MIN (ns, MOST_NS);
  return (double) cut < ns ? cut + 1 : cut;
}

static void
push_column (LoomDrawList *list, double x, double low, double high, double last)
{
  LoomPlotColumn column = { (float) x, (float) low, (float) high, (float) last };
  g_array_append_val (list->columns, column);
}

/* Where the last value before the sample `next` holds no longer: TRUE when that is in view. */
static inline gboolean
find_gap (const LoomDrawList *list, const LoomSeries *series, const LoomLocalView *view, gint64 hold_ns, guint32 next,
          double *x)
{
  gint64 last = series->time_ns[next - 1], until = loom_time_add (last, hold_ns);
  gint64 following = next < series->n ? series->time_ns[next] : G_MAXINT64;
  if (following <= until)
    return FALSE;
  *x = loom_local_view_x (view, hold_ns == G_MAXINT64 ? last : until);
  return loom_local_view_x (view, until) < list->viewport.width_px;
}

/* Appends the columns of the samples at < end: those of one pixel all at the place of the first. */
static void
add_samples (LoomDrawList *list, const LoomSeries *series, const LoomLocalView *view, gint64 hold_ns, guint32 at,
             guint32 end)
{
  guint first = list->columns->len, n = 0, room = 0;
  LoomPlotColumn *columns = NULL;
  for (guint32 n_last = 1; at < end;) {
    if (room < n + 2) { /* a column and a gap: nearly always there is room for all pixels at once */
      room = n + 2 * (MIN (loom_draw_list_n_px (list), end - at) + 2);
      g_array_set_size (list->columns, first + room);
      columns = &g_array_index (list->columns, LoomPlotColumn, first);
    }
    double x = MAX (loom_local_view_x (view, series->time_ns[at]), -1), low, high, gap_x;
    gint64 next_ns = loom_time_add (view->begin_ns, ceil_ns ((floor_px (x) + 1) * view->ns_per_px));
    guint32 next = MIN (seek (series, at + 1, n_last - 1, next_ns), end);
    n_last = next - at;
    prefetch_samples (series, next, n_last);
    loom_extremes_find (series->extremes, series, at, next, &low, &high);
    columns[n++] = (LoomPlotColumn) { (float) x, (float) low, (float) high, (float) series->value[next - 1] };
    if (find_gap (list, series, view, hold_ns, next, &gap_x))
      columns[n++] = (LoomPlotColumn) { (float) gap_x, NAN, NAN, NAN };
    at = next;
  }
  g_array_set_size (list->columns, first + n);
}

/* Appends the columns of a series in view; FALSE when there are none. */
static gboolean
add_columns (LoomDrawList *list, const LoomSeries *series, const LoomLocalView *view, gint64 hold_ns)
{
  guint32 at = n_until (series, view->begin_ns), end = n_until (series, view->end_ns);
  at = at > 0 ? at - 1 : 0; /* the value that holds at the left edge */
  if (at >= end)
    return FALSE;
  add_samples (list, series, view, hold_ns, at, end);
  push_column (list, list->viewport.width_px, NAN, NAN, NAN);
  return TRUE;
}

static void
add_line (LoomDrawList *list, const LoomOutlineRow *row, guint number)
{
  const LoomPlotSeries *plotted = &row->series[number];
  LoomTrackId id = { plotted->trace, plotted->track };
  const LoomSeries *series = loom_trace_get_series (loom_draw_list_trace (list, id.trace), plotted->series);
  LoomLocalView view = loom_local_view (list, id);
  LoomPlotLine line = { .series = number, .first = list->columns->len };
  if (series->n == 0 || !add_columns (list, series, &view, hold_of (list, id, series)))
    return;
  line.n = list->columns->len - line.first;
  g_array_append_val (list->lines, line);
}

/* --- the mean of a cloud ---------------------------------------------------------------------------------------- */

/* Scratch: sum, low, high of every pixel column, and how many series have a value there. */
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
add_to_mean (LoomDrawList *list, const LoomSeries *series, const LoomLocalView *view, gint64 hold_ns, guint n_px)
{
  guint32 n = n_until (series, view->begin_ns), n_last = 0;
  for (guint i = 0; i < n_px; i++) {
    gint64 end = loom_time_add (view->begin_ns, (gint64) MIN ((i + 1) * view->ns_per_px, MOST_NS));
    guint32 next = seek (series, n, n_last, end);
    n_last = next - n;
    n = next;
    prefetch_samples (series, n, n_last);
    if (n == 0 || loom_time_sub (end, series->time_ns[n - 1]) > hold_ns)
      continue;
    add_value (list, i, n_px, series->value[n - 1]);
  }
}

static void
push_mean (LoomDrawList *list, guint n_px)
{
  const double *sum = list->sums, *low = sum + n_px, *high = low + n_px;
  LoomPlotLine line = { .series = G_MAXUINT, .first = list->columns->len };
  float before = NAN, before_low = NAN, before_high = NAN;
  for (guint i = 0; i < n_px; i++) {
    guint n = list->counts[i];
    float mean = n > 0 ? (float) (sum[i] / n) : NAN, l = n > 0 ? (float) low[i] : NAN,
          h = n > 0 ? (float) high[i] : NAN;
    gboolean same = (isnan (mean) && isnan (before)) || (mean == before && l == before_low && h == before_high);
    if (i == 0 || !same)
      push_column (list, i, l, h, mean);
    before = mean, before_low = l, before_high = h;
  }
  push_column (list, n_px, NAN, NAN, NAN);
  line.n = list->columns->len - line.first;
  g_array_append_val (list->lines, line);
}

static void
add_mean (LoomDrawList *list, const LoomOutlineRow *row)
{
  guint n_px = loom_draw_list_n_px (list);
  memset (list->counts, 0, n_px * sizeof *list->counts);
  for (guint i = 0; i < row->n_series; i++) {
    LoomTrackId id = { row->series[i].trace, row->series[i].track };
    const LoomSeries *series = loom_trace_get_series (loom_draw_list_trace (list, id.trace), row->series[i].series);
    LoomLocalView view = loom_local_view (list, id);
    if (series->n > 0)
      add_to_mean (list, series, &view, hold_of (list, id, series), n_px);
  }
  push_mean (list, n_px);
}

/* TRUE when single lines of a cloud would only be a blur: the band says as much. */
static gboolean
is_blurred (const LoomDrawList *list, const LoomOutlineRow *row)
{
  LoomTrackId id = { row->series[0].trace, row->series[0].track };
  const LoomSeries *series = loom_trace_get_series (loom_draw_list_trace (list, id.trace), row->series[0].series);
  LoomLocalView view = loom_local_view (list, id);
  guint32 in_view = n_until (series, view.end_ns) - n_until (series, view.begin_ns);
  return row->n_series > MAX_FAINT_LINES || in_view * BLURRED_PX > loom_draw_list_n_px (list);
}

/* --- plots ------------------------------------------------------------------------------------------------------ */

static void
add_lines (LoomDrawList *list, const LoomOutlineRow *row, LoomPlot *plot)
{
  plot->first = list->lines->len;
  plot->value_min = row->value_min;
  plot->value_max = row->value_max;
  if (row->n_series == 0)
    return;
  if (row->plot == LOOM_PLOT_LINES || !is_blurred (list, row))
    for (guint i = 0; i < row->n_series; i++)
      add_line (list, row, i);
  if (row->plot == LOOM_PLOT_MEAN)
    add_mean (list, row);
  plot->n = list->lines->len - plot->first;
}

void
loom_draw_add_plot (LoomDrawList *list, guint number, double top)
{
  const LoomOutlineRow *row = loom_outline_get_row (list->outline, number);
  LoomPlot plot = { .row = number, .source_row = number, .pinned = row->pinned, .y = (float) top };
  plot.height = (float) row->height;
  add_lines (list, row, &plot);
  g_array_append_val (list->plots, plot);
}

/* The lowest rank of a node: its first accelerator's. */
static gint
first_rank (const LoomDrawList *list, const char *node)
{
  gint first = G_MAXINT;
  for (guint i = 0; i < loom_outline_get_n_rows (list->outline); i++) {
    const LoomOutlineRow *row = loom_outline_get_row (list->outline, i);
    if (row->rank >= 0 && g_strcmp0 (row->node, node) == 0)
      first = MIN (first, row->rank);
  }
  return first;
}

/* The line of "gpu2" for the third rank of a node; all lines when there is none of that number. */
static void
choose_line (const LoomDrawList *list, const LoomOutlineRow *row, gint local_rank, const LoomPlot *all, LoomPlot *plot)
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
lies_over (const LoomOutlineRow *counter, const LoomOutlineRow *under)
{
  if (under->kind != LOOM_ROW_SPANS || (counter->rank >= 0 && counter->rank != under->rank))
    return FALSE;
  return counter->node == NULL || under->node == NULL || strcmp (counter->node, under->node) == 0;
}

/* Lays the lines of one counter over the spans rows in view of its node or rank (of all, when it knows none). */
static void
lay_over (LoomDrawList *list, guint counter)
{
  const LoomOutlineRow *row = loom_outline_get_row (list->outline, counter);
  LoomPlot all = { .row = G_MAXUINT, .source_row = counter }, plot;
  gint first = first_rank (list, row->node);
  guint last = G_MAXUINT;
  for (guint i = 0; i < list->strips->len; i++) {
    const LoomStrip *strip = &g_array_index (list->strips, LoomStrip, i);
    const LoomOutlineRow *under = loom_outline_get_row (list->outline, strip->row);
    if (strip->row == last || strip->group || !lies_over (row, under))
      continue;
    if (last == G_MAXUINT)
      add_lines (list, row, &all);
    plot = all;
    plot.row = last = strip->row;
    plot.pinned = under->pinned;
    plot.y = (float) (loom_outline_row_top (list->outline, last, list->viewport.scroll_px) + LOOM_ROW_PADDING_PX);
    plot.height = (float) (under->height - 2 * LOOM_ROW_PADDING_PX);
    choose_line (list, row, under->rank >= 0 ? under->rank - first : -1, &all, &plot);
    g_array_append_val (list->plots, plot);
  }
}

void
loom_draw_add_overlays (LoomDrawList *list)
{
  for (guint i = 0; i < loom_outline_get_n_rows (list->outline); i++)
    if (loom_outline_get_row (list->outline, i)->overlay)
      lay_over (list, i);
}
