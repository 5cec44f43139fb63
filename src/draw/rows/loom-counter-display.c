/* SPDX-License-Identifier: Apache-2.0
 *
 * Applies the user's settings to the plots of counters: which quantity is shown, with which scale, and which other
 * counters are laid over the plot. Scales are computed from summaries when rows are laid out, without reading all
 * samples.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-min-max-index.h"
#include "loom-row-list-private.h"

/* The lowest and highest values of a counter: of single series (`low`, `high`), and of the sum of all series
 * (`stack_low`, `stack_high`). `least`: the smallest magnitude above zero of all values, for a logarithmic scale;
 * infinite: there is none. Series of the same colour continue one another (the same counter in successive files) and
 * count as one series. */
typedef struct {
  double low, high;
  double stack_low, stack_high;
  double least;
} Extent;

void
loom_row_list_plot_free (LoomRowCounter *plot)
{
  g_array_unref (plot->series);
  g_array_unref (plot->parts);
  g_string_chunk_free (plot->texts);
  g_free (plot->detail);
  g_free (plot);
}

/* --- scales ----------------------------------------------------------------------------------------------------- */

static const LoomSeries *
samples_of (const LoomTimeline *timeline, const LoomCounterSeries *plotted)
{
  return loom_trace_get_series (loom_run_get_trace (loom_timeline_get_run (timeline), plotted->trace), plotted->series);
}

static gboolean
range_of (const LoomSeries *series, LoomQuantity quantity, double *low, double *high)
{
  if (quantity != LOOM_QUANTITY_VALUE)
    return series->n > 0 && loom_min_max_index_find (series, quantity, 0, series->n, low, high);
  *low = series->min;
  *high = series->max;
  return series->n > 0;
}

static void
add_part (Extent *extent, const LoomTimeline *timeline, const LoomCounterPart *part, const LoomCounterSeries *series)
{
  double low, high, label_low = 0, label_high = 0;
  for (guint i = part->first; i < part->first + part->n; i++) {
    const LoomSeries *samples = samples_of (timeline, &series[i]);
    if (range_of (samples, part->mode.quantity, &low, &high)) {
      extent->low = MIN (extent->low, low);
      extent->high = MAX (extent->high, high);
      label_low = MIN (label_low, low);
      label_high = MAX (label_high, high);
    }
    if (part->mode.logarithmic)
      extent->least = MIN (extent->least, loom_min_max_index_find_least (samples, part->mode.quantity));
    if (i + 1 < part->first + part->n && series[i + 1].color == series[i].color)
      continue;
    extent->stack_low += part->kind == LOOM_PLOT_STACK ? label_low : 0;
    extent->stack_high += part->kind == LOOM_PLOT_STACK ? label_high : 0;
    label_low = label_high = 0;
  }
}

static LoomCounterScale
scale_of (const Extent *extent, const LoomCounterPart *part)
{
  return loom_counter_mode_scale_around (MIN (extent->low, extent->stack_low), MAX (extent->high, extent->stack_high),
                                         extent->least, part->unit, part->mode.logarithmic);
}

LoomCounterScale
loom_row_list_scale_of (const LoomTimeline *timeline, const LoomCounterPart *part, const LoomCounterSeries *series)
{
  Extent extent = { .least = INFINITY };
  add_part (&extent, timeline, part, series);
  return scale_of (&extent, part);
}

static gboolean
shares_scale (const LoomCounterPart *a, const LoomCounterPart *b)
{
  return strcmp (a->unit, b->unit) == 0 && a->mode.logarithmic == b->mode.logarithmic;
}

static void
set_scales (const LoomTimeline *timeline, LoomRowCounter *plot)
{
  const LoomCounterSeries *series = (const LoomCounterSeries *) (gpointer) plot->series->data;
  for (guint i = 0; i < plot->parts->len; i++) {
    LoomCounterPart *part = &g_array_index (plot->parts, LoomCounterPart, i);
    Extent extent = { .least = INFINITY };
    for (guint k = 0; k < plot->parts->len; k++)
      if (shares_scale (part, &g_array_index (plot->parts, LoomCounterPart, k)))
        add_part (&extent, timeline, &g_array_index (plot->parts, LoomCounterPart, k), series);
    part->scale = scale_of (&extent, part);
  }
}

/* --- parts ------------------------------------------------------------------------------------------------------ */

static const LoomCounterSeries *
own_series (const LoomRowTreeItem *item)
{
  return (const LoomCounterSeries *) (gpointer) item->series->data;
}

static guint
count_labels (const LoomRowTreeItem *item)
{
  return item->series->len > 0 ? own_series (item)[item->series->len - 1].color + 1 : 0;
}

static LoomCounterMode
mode_of (const LoomRowTreeItem *item)
{
  const LoomRowState *state = item->state;
  LoomCounterMode mode = state != NULL ? state->mode : (LoomCounterMode) { LOOM_QUANTITY_VALUE, FALSE, FALSE };
  mode.logarithmic = mode.logarithmic && !mode.stacked;
  return mode;
}

/* Returns the title of a counter in a plot. If another counter in the plot already has this title, returns the longer
 * title with the path of the counter. */
static const char *
title_of (LoomRowCounter *plot, const LoomRowTreeItem *item, LoomCounterMode mode)
{
  g_autofree char *title = loom_counter_mode_dup_title (mode, item->label);
  for (guint i = 0; i < plot->parts->len; i++)
    if (strcmp (g_array_index (plot->parts, LoomCounterPart, i).label, title) == 0) {
      g_autofree char *longer = loom_counter_mode_dup_title (mode, item->detail);
      return g_string_chunk_insert (plot->texts, longer);
    }
  return g_string_chunk_insert (plot->texts, title);
}

/* Returns the label of a series: the name of the counter if it has a single series, else the name of the series.
 * `guest` TRUE: the user has laid the counter over the plot of another counter, so the name of the counter precedes the
 * name of the series. */
static const char *
name_of (LoomRowCounter *plot, const LoomCounterPart *part, const LoomCounterSeries *series, gboolean single,
         gboolean guest)
{
  if (single)
    return part->label;
  if (!guest)
    return series->label;
  g_autofree char *name = g_strdup_printf ("%s %s", part->label, series->label);
  return g_string_chunk_insert (plot->texts, name);
}

/* Appends a counter to a plot. Returns the number of colours that the counter uses. The first counter of a plot is
 * stacked if `mode` says so. A further counter is stacked if the first one is stacked, both have the same unit, and the
 * further counter is not drawn as a mean. A counter that is not stacked is drawn as lines or as a mean. `color`: number
 * of the first free colour. `named` TRUE: makes a label for each series (name_of()); FALSE: the series keep their
 * labels. */
static guint
add_counter (LoomRowCounter *plot, const LoomRowTreeItem *item, LoomCounterMode mode, guint color, gboolean named)
{
  const LoomCounterPart *host = plot->parts->len > 0 ? &g_array_index (plot->parts, LoomCounterPart, 0) : NULL;
  LoomCounterPart part = { item->part.kind,
                           mode,
                           title_of (plot, item, mode),
                           loom_counter_mode_get_unit (mode.quantity, item->unit),
                           .first = plot->series->len,
                           .n = item->series->len };
  gboolean joins = host == NULL ? mode.stacked
                                : host->kind == LOOM_PLOT_STACK && item->part.kind != LOOM_PLOT_MEAN &&
                                    strcmp (host->unit, part.unit) == 0;
  guint number = plot->parts->len;
  part.kind = joins ? LOOM_PLOT_STACK : part.kind;
  part.mode.stacked = joins;
  part.mode.logarithmic = mode.logarithmic && !joins;
  for (guint i = 0; i < item->series->len; i++) {
    LoomCounterSeries series = own_series (item)[i];
    series.label = named ? name_of (plot, &part, &series, count_labels (item) == 1, host != NULL) : series.label;
    series.color += color;
    series.quantity = mode.quantity;
    series.part = number;
    g_array_append_val (plot->series, series);
  }
  g_array_append_val (plot->parts, part);
  return part.kind == LOOM_PLOT_MEAN ? 1 : count_labels (item);
}

/* Adds the counters that the user laid over this counter. `keys`: keys of their rows. Counters that are not in this run
 * are skipped, but the setting of the row keeps their keys for other runs. */
static void
add_guests (const LoomRowList *outline, const GPtrArray *keys, LoomRowCounter *plot, guint color)
{
  for (guint i = 0; keys != NULL && i < keys->len; i++) {
    const LoomRowTreeItem *guest = loom_row_list_find_item (outline, keys->pdata[i]);
    if (guest == NULL || guest->kind != LOOM_ROW_COUNTER)
      continue;
    color += add_counter (plot, guest, mode_of (guest), color, TRUE);
    const LoomCounterPart *part = &g_array_index (plot->parts, LoomCounterPart, plot->parts->len - 1);
    /* Translators: a counter's name, and that of another one drawn over it */
    g_autofree char *detail = g_strdup_printf (_ ("%s, with %s"), plot->detail, part->label);
    g_free (plot->detail);
    plot->detail = g_steal_pointer (&detail);
  }
}

static LoomRowCounter *
new_plot (const LoomRowList *outline, const LoomRowTreeItem *item, const GPtrArray *guests)
{
  LoomRowCounter *plot = g_new (LoomRowCounter, 1);
  LoomCounterMode mode = mode_of (item);
  plot->series = g_array_new (FALSE, FALSE, sizeof (LoomCounterSeries));
  plot->parts = g_array_new (FALSE, FALSE, sizeof (LoomCounterPart));
  plot->texts = g_string_chunk_new (256);
  plot->detail = loom_counter_mode_dup_words (mode, item->detail);
  guint n_colors = add_counter (plot, item, mode, 0, guests != NULL && guests->len > 0);
  add_guests (outline, guests, plot, n_colors);
  set_scales (outline->tree->timeline, plot);
  return plot;
}

void
loom_row_list_fill_plot (LoomRowList *outline, const LoomRowTreeItem *item, LoomTimelineRow *row)
{
  const LoomRowState *state = item->state;
  LoomCounterMode mode = mode_of (item);
  gboolean changed = mode.quantity != LOOM_QUANTITY_VALUE || mode.stacked || mode.logarithmic;
  row->parts = &item->part;
  row->n_parts = 1;
  if (!changed && (state == NULL || state->guests == NULL || state->guests->len == 0))
    return;
  LoomRowCounter *plot = new_plot (outline, item, state->guests);
  g_ptr_array_add (outline->plots, plot);
  row->series = (const LoomCounterSeries *) (gpointer) plot->series->data;
  row->n_series = plot->series->len;
  row->parts = (const LoomCounterPart *) (gpointer) plot->parts->data;
  row->n_parts = plot->parts->len;
  row->label = row->parts->label;
  row->detail = plot->detail;
  row->unit = row->parts->unit;
}

/* --- asking ----------------------------------------------------------------------------------------------------- */

static void
list_below (const LoomRowTreeItem *item, GArray *counters)
{
  for (guint i = 0; i < item->children->len; i++) {
    const LoomRowTreeItem *child = item->children->pdata[i];
    LoomTimelineCounter counter = { child->key, child->detail };
    if (child->kind == LOOM_ROW_COUNTER)
      g_array_append_val (counters, counter);
    list_below (child, counters);
  }
}

GArray *
loom_row_list_list_counters (const LoomRowList *outline)
{
  GArray *counters = g_array_new (FALSE, FALSE, sizeof (LoomTimelineCounter));
  if (outline->tree != NULL)
    list_below (outline->tree->root, counters);
  return counters;
}
