/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts the settings for the colours of spans and for arrows to the words that are stored for them, and back. Also
 * selects the arrows that are drawn.
 */
#include "loom-span-color-mode.h"

#include "loom-flow-lines.h"

/* All arrows are drawn only if the view has at most this many spans and at most this many arrows. More arrows could not
 * be distinguished. */
#define MOST_SPANS 4000
#define MOST_FLOWS 600

static const char *const words[] = {
  [LOOM_COLOR_BY_NAME] = "name",
  [LOOM_COLOR_BY_CATEGORY] = "category",
  [LOOM_COLOR_BY_RANK] = "rank",
  [LOOM_COLOR_BY_DURATION] = "duration",
};

const char *
loom_span_color_mode_color_word (LoomColorBy color_by)
{
  g_return_val_if_fail (color_by < G_N_ELEMENTS (words), words[LOOM_COLOR_BY_NAME]);
  return words[color_by];
}

LoomColorBy
loom_span_color_mode_color_from_word (const char *word)
{
  for (LoomColorBy i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (words[i], word) == 0)
      return i;
  return LOOM_COLOR_BY_NAME;
}

/* --- arrows in view ----------------------------------------------------------------------------------------------- */

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const LoomSpanId *x = a, *y = b;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  return (x->span > y->span) - (x->span < y->span);
}

/* Lists the spans in view in ascending order. Omits spans that are so narrow that several are drawn as one mark.
 * Returns FALSE if there are too many spans. */
static gboolean
add_single_spans (const LoomDrawList *list, GArray *spans)
{
  guint n_strips, n_marks;
  const LoomDepthRow *strips = loom_draw_list_get_strips (list, &n_strips);
  const LoomDrawItem *marks = loom_draw_list_get_marks (list, &n_marks);
  for (guint i = 0; i < n_strips; i++)
    for (guint k = 0; k < strips[i].n && !strips[i].group; k++) {
      const LoomDrawItem *mark = &marks[strips[i].first + k];
      if ((mark->flags & LOOM_DRAW_ITEM_DENSE) == 0)
        g_array_append_val (spans, mark->span);
      if (spans->len > MOST_SPANS)
        return FALSE;
    }
  g_array_sort (spans, compare_ids);
  return TRUE;
}

/* Adds the arrows that leave `span`, and those arrows that arrive at `span` from a span that is not in `known`. An
 * arrow that comes from a span in `known` is added when this function is called for that span. */
static void
add_flows (const LoomTimeline *timeline, LoomSpanId span, const GArray *known, GArray *found, GArray *lines)
{
  g_array_set_size (found, 0);
  loom_flow_lines_next (timeline, span, TRUE, found);
  guint n_forward = found->len;
  loom_flow_lines_next (timeline, span, FALSE, found);
  for (guint i = 0; i < found->len && lines->len <= MOST_FLOWS; i++) {
    LoomSpanId other = g_array_index (found, LoomSpanId, i);
    LoomFlowLine line =
      i < n_forward ? (LoomFlowLine) { .from = span, .to = other } : (LoomFlowLine) { .from = other, .to = span };
    if (i < n_forward || !g_array_binary_search ((GArray *) known, &other, compare_ids, NULL))
      g_array_append_val (lines, line);
  }
}

gboolean
loom_span_color_mode_collect_flows (const LoomDrawList *list, GArray *lines)
{
  g_return_val_if_fail (list != NULL && lines != NULL, FALSE);
  LoomRowList *outline = loom_draw_list_get_row_list (list);
  const LoomTimeline *timeline = outline != NULL ? loom_row_list_get_timeline (outline) : NULL;
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId)),
                     found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  guint before = lines->len;
  if (timeline == NULL || !add_single_spans (list, spans))
    return FALSE;
  for (guint i = 0; i < spans->len && lines->len - before <= MOST_FLOWS; i++)
    add_flows (timeline, g_array_index (spans, LoomSpanId, i), spans, found, lines);
  if (lines->len - before <= MOST_FLOWS)
    return TRUE;
  g_array_set_size (lines, before);
  return FALSE;
}
