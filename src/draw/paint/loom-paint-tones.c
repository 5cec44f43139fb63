/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines how strongly each mark is painted. During a search, all marks except its hits are painted faintly. When
 * there is no search, marks are dimmed if several spans are selected, a range is selected, or the critical path is
 * shown. The following marks are not dimmed: selected spans, spans that an arrow connects with a selected span, marks
 * in the selected range, and marks on the critical path. If only a single span is selected, nothing is dimmed.
 */
#include "loom-paint-private.h"

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const LoomSpanId *x = a, *y = b;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  return (x->span > y->span) - (x->span < y->span);
}

static gboolean
has_span (const LoomSpanId *spans, guint n, LoomSpanId span)
{
  /* First compares the span with the first and the last selected span, which is faster than a search. If only a few
   * neighbouring spans are selected, most spans in view are not between the first and the last one. */
  if (n == 0 || compare_ids (&span, &spans[0]) < 0 || compare_ids (&span, &spans[n - 1]) > 0)
    return FALSE;
  guint low = 0, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    int order = compare_ids (&spans[middle], &span);
    if (order == 0)
      return TRUE;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return FALSE;
}

/* Returns the spans at both ends of the arrows of the selected spans, sorted. */
static GArray *
list_flow_ends (const LoomPaintOptions *options)
{
  GArray *ends = g_array_sized_new (FALSE, FALSE, sizeof (LoomSpanId), 2 * options->n_flows);
  for (guint i = 0; i < options->n_flows; i++) {
    g_array_append_val (ends, options->flows[i].from);
    g_array_append_val (ends, options->flows[i].to);
  }
  g_array_sort (ends, compare_ids);
  return ends;
}

typedef struct {
  const LoomPaintContext *paint;
  const GArray *flow_ends;
  double x0, x1; /* edges of the selected range in px */
  gboolean dims, has_range, has_path;
} Toner;

static gboolean
stays (const Toner *toner, const LoomDrawItem *mark)
{
  if (toner->has_path && (mark->flags & LOOM_DRAW_ITEM_PATH) != 0)
    return TRUE;
  if (toner->has_range && !toner->has_path)
    return mark->x1 > toner->x0 && mark->x0 < toner->x1;
  return has_span ((const LoomSpanId *) (gpointer) toner->flow_ends->data, toner->flow_ends->len, mark->span);
}

static guint8
tone_of (const Toner *toner, const LoomDrawItem *mark)
{
  const LoomPaintOptions *options = toner->paint->options;
  guint8 selected = has_span (options->selected, options->n_selected, mark->span) ? LOOM_PAINT_SELECTED : 0;
  if (toner->paint->searching)
    return selected | ((mark->flags & LOOM_DRAW_ITEM_HIT) == 0 ? LOOM_PAINT_TONE_FAINT : LOOM_PAINT_TONE_FULL);
  return selected | (toner->dims && selected == 0 && !stays (toner, mark) ? LOOM_PAINT_TONE_DIM : LOOM_PAINT_TONE_FULL);
}

guint8 *
loom_paint_tones_new (const LoomPaintContext *paint)
{
  const LoomPaintOptions *options = paint->options;
  gboolean has_range = options->selection.end_ns > options->selection.begin_ns,
           has_path = loom_draw_list_has_path (paint->list);
  guint n;
  const LoomDrawItem *marks = loom_draw_list_get_marks (paint->list, &n);
  if (n == 0 || (!paint->searching && options->n_selected == 0 && !has_range && !has_path))
    return NULL;
  g_autoptr (GArray) ends = list_flow_ends (options);
  Toner toner = { .paint = paint,
                  .flow_ends = ends,
                  .x0 = loom_viewport_x (paint->viewport, options->selection.begin_ns),
                  .x1 = loom_viewport_x (paint->viewport, options->selection.end_ns),
                  .dims = options->n_selected > 1 || has_range || has_path,
                  .has_range = has_range,
                  .has_path = has_path };
  guint8 *tones = g_new (guint8, n);
  for (guint i = 0; i < n; i++)
    tones[i] = tone_of (&toner, &marks[i]);
  return tones;
}
