/* SPDX-License-Identifier: Apache-2.0
 *
 * Laying out: from the tree and what people did to the flat list of rows.
 */
#include "loom-outline.h"

#include <string.h>

#include "loom-outline-private.h"
#include "loom-release.h"

LoomOutline *
loom_outline_new (void)
{
  LoomOutline *outline = g_new0 (LoomOutline, 1);
  loom_outline_state_init (&outline->state);
  outline->rows = g_array_new (FALSE, TRUE, sizeof (LoomOutlineRow));
  outline->plots = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_row_plot_free);
  return outline;
}

void
loom_outline_free (LoomOutline *outline)
{
  if (outline == NULL)
    return;
  loom_outline_tree_free (outline->tree);
  loom_outline_state_clear (&outline->state);
  g_clear_pointer (&outline->sources, g_hash_table_unref);
  g_clear_pointer (&outline->only, g_hash_table_unref);
  g_clear_pointer (&outline->names, loom_source_edits_free);
  g_free (outline->filter);
  g_array_unref (outline->rows);
  g_ptr_array_unref (outline->plots);
  g_free (outline);
}

/* --- what is shown ---------------------------------------------------------------------------------------------- */

gboolean
loom_outline_is_like (LoomOutlineItem *item, const char *folded)
{
  const char *detail = item->detail != NULL ? item->detail : "";
  if (item->folded_detail == NULL) /* kept: every letter of a filter asks again */
    item->folded_detail = g_str_is_ascii (detail) ? g_ascii_strdown (detail, -1) : g_utf8_casefold (detail, -1);
  return strstr (item->folded_detail, folded) != NULL;
}

static gboolean
matches_sources (const LoomOutline *outline, const LoomOutlineItem *item)
{
  for (guint i = 0; i < item->tracks->len; i++) {
    const LoomSource *source = loom_outline_tree_source (outline->tree, g_array_index (item->tracks, LoomTrackId, i));
    if (g_hash_table_contains (outline->sources, source->path))
      return TRUE;
  }
  return FALSE;
}

gboolean
loom_outline_is_wanted (const LoomOutline *outline, LoomOutlineItem *item)
{
  const LoomRowState *state = item->state;
  if (state != NULL && state->hidden)
    return FALSE;
  if (item->kind == LOOM_ROW_GROUP) {
    for (guint i = 0; i < item->children->len; i++)
      if (loom_outline_is_wanted (outline, g_ptr_array_index (item->children, i)))
        return TRUE;
    return FALSE;
  }
  if (outline->filter != NULL && !loom_outline_is_like (item, outline->filter))
    return FALSE;
  if (outline->only != NULL && !g_hash_table_contains (outline->only, item))
    return FALSE;
  return outline->sources == NULL || matches_sources (outline, item);
}

static gboolean
is_folded (const LoomOutline *outline, const LoomOutlineItem *item)
{
  const LoomRowState *state = item->state;
  if ((outline->filter != NULL || outline->only != NULL) && item->kind == LOOM_ROW_GROUP)
    return FALSE;
  return state != NULL && state->folded >= 0 ? state->folded : item->folded;
}

static gboolean
is_pinned (const LoomOutlineItem *item)
{
  const LoomRowState *state = item->state;
  return state != NULL && state->pinned && item->kind != LOOM_ROW_GROUP;
}

/* --- one row ---------------------------------------------------------------------------------------------------- */

static double
row_height (const LoomOutlineItem *item, guint n_strips)
{
  const LoomRowState *state = item->state;
  if (item->kind == LOOM_ROW_GROUP)
    return LOOM_GROUP_PX;
  if (item->kind == LOOM_ROW_COUNTER)
    return state != NULL && state->height_px > 0 ? state->height_px : LOOM_COUNTER_PX;
  return n_strips * LOOM_STRIP_PX + 2 * LOOM_ROW_PADDING_PX;
}

static guint
first_overflow (const LoomOutlineItem *item, guint n_strips)
{
  if (item->lanes == NULL || item->lanes->len < 3)
    return n_strips;
  return MIN (n_strips, g_array_index (item->lanes, guint16, 1));
}

static LoomOutlineRow
make_row (LoomOutline *outline, const LoomOutlineItem *item, guint level)
{
  const LoomRowState *state = item->state;
  LoomOutlineRow row = { .kind = item->kind, .key = item->key, .label = item->label, .detail = item->detail };
  row.unit = item->unit;
  row.node = item->node;
  row.rank = item->rank;
  row.level = level;
  row.foldable = item->kind == LOOM_ROW_GROUP || item->n_strips > 1;
  row.folded = row.foldable && is_folded (outline, item);
  row.overlay = state != NULL && state->overlay && item->kind == LOOM_ROW_COUNTER;
  row.n_strips = row.folded ? MIN (item->n_strips, 1) : item->n_strips;
  row.first_overflow_strip = first_overflow (item, row.n_strips);
  row.height = row_height (item, row.n_strips);
  row.tracks = (const LoomTrackId *) (gpointer) item->tracks->data;
  row.n_tracks = item->tracks->len;
  row.series = (const LoomPlotSeries *) (gpointer) item->series->data;
  row.n_series = item->series->len;
  row.item = item->number;
  if (item->kind == LOOM_ROW_COUNTER)
    loom_outline_fill_plot (outline, item, &row);
  return row;
}

/* --- all rows --------------------------------------------------------------------------------------------------- */

static void
append_row (LoomOutline *outline, LoomOutlineItem *item, guint level, gboolean pinned)
{
  LoomOutlineRow row = make_row (outline, item, level);
  double *bottom = pinned ? &outline->pinned_height : &outline->height;
  row.pinned = pinned;
  row.y = *bottom;
  *bottom += row.height;
  item->row = outline->rows->len;
  g_array_append_val (outline->rows, row);
}

static int
compare_positions (gconstpointer a, gconstpointer b)
{
  const LoomRowState *x = (*(LoomOutlineItem *const *) a)->state;
  const LoomRowState *y = (*(LoomOutlineItem *const *) b)->state;
  gint p = x != NULL ? x->position : -1, q = y != NULL ? y->position : -1;
  return p < q ? -1 : p > q;
}

GPtrArray *
loom_outline_dup_children (const LoomOutlineItem *item)
{
  gboolean moved = FALSE;
  for (guint i = 0; i < item->children->len && !moved; i++) {
    const LoomOutlineItem *child = g_ptr_array_index (item->children, i);
    const LoomRowState *state = child->state;
    moved = state != NULL && state->position >= 0;
  }
  if (!moved)
    return g_ptr_array_ref (item->children);
  GPtrArray *children = g_ptr_array_copy (item->children, NULL, NULL);
  g_ptr_array_sort (children, compare_positions); /* stable */
  return children;
}

/* A thread's instants stand under its spans; where those are pinned, hidden, left out or elsewhere, they say whose they are. */
static gboolean
stands_under (const LoomOutlineItem *item, const LoomOutlineItem *above)
{
  return item->alone_label != NULL && above != NULL && g_strcmp0 (item->order_label, above->order_label) == 0;
}

static void
append_below (LoomOutline *outline, LoomOutlineItem *item, guint level)
{
  const LoomOutlineItem *above = NULL; /* the last row of spans, and what stands under it */
  g_autoptr (GPtrArray) children = loom_outline_dup_children (item);
  for (guint i = 0; i < children->len; i++) {
    LoomOutlineItem *child = g_ptr_array_index (children, i);
    if (!loom_outline_is_wanted (outline, child) || is_pinned (child))
      continue;
    gboolean under = stands_under (child, above);
    append_row (outline, child, level + under, FALSE);
    if (child->alone_label != NULL && !under)
      g_array_index (outline->rows, LoomOutlineRow, child->row).label = child->alone_label;
    above = under ? above : child->kind == LOOM_ROW_SPANS ? child : NULL;
    if (child->kind == LOOM_ROW_GROUP && !is_folded (outline, child))
      append_below (outline, child, level + 1);
  }
}

static void
append_pinned (LoomOutline *outline)
{
  for (guint i = 0; i < outline->state.pinned->len; i++) {
    LoomOutlineItem *item = g_hash_table_lookup (outline->tree->by_key, g_ptr_array_index (outline->state.pinned, i));
    if (item != NULL && is_pinned (item) && loom_outline_is_wanted (outline, item))
      append_row (outline, item, 0, TRUE);
  }
}

void
loom_outline_lay_out (LoomOutline *outline)
{
  outline->serial++;
  g_array_set_size (outline->rows, 0);
  g_ptr_array_set_size (outline->plots, 0);
  outline->n_pinned = 0;
  outline->pinned_height = outline->height = 0;
  if (outline->tree == NULL)
    return;
  for (guint i = 0; i < outline->tree->items->len; i++) {
    LoomOutlineItem *item = g_ptr_array_index (outline->tree->items, i);
    item->row = G_MAXUINT;
    item->state = loom_outline_state_peek (&outline->state, item->key); /* keys are long: hashed once, not for each question */
  }
  append_pinned (outline);
  outline->n_pinned = outline->rows->len;
  append_below (outline, outline->tree->root, 0);
}

void
loom_outline_set_timeline (LoomOutline *outline, LoomTimeline *timeline)
{
  g_return_if_fail (outline != NULL);
  LoomOutlineTree *old = outline->tree;
  outline->tree = timeline != NULL ? loom_outline_tree_take (timeline, outline->names) : NULL;
  g_clear_pointer (&outline->only, g_hash_table_unref); /* it names items of the old tree */
  if (old != NULL)
    loom_release ((GDestroyNotify) loom_outline_tree_free, old);
  loom_outline_lay_out (outline);
}

void
loom_outline_prepare (LoomTimeline *timeline, const LoomSourceEdits *names)
{
  g_return_if_fail (timeline != NULL);
  loom_outline_tree_prepare (timeline, names);
}

gboolean
loom_outline_set_names (LoomOutline *outline, const LoomSourceEdits *edits)
{
  g_return_val_if_fail (outline != NULL && edits != NULL, FALSE);
  g_autoptr (LoomSourceEdits) before = outline->names != NULL ? outline->names : loom_source_edits_new ();
  outline->names = loom_source_edits_copy (edits);
  if (loom_source_edits_name_the_same (before, edits))
    return FALSE;
  g_autoptr (LoomTimeline) timeline = outline->tree != NULL ? loom_timeline_ref (outline->tree->timeline) : NULL;
  if (timeline != NULL)
    loom_outline_set_timeline (outline, timeline);
  return timeline != NULL;
}

const LoomSourceEdits *
loom_outline_get_names (const LoomOutline *outline)
{
  return outline->names;
}

LoomTimeline *
loom_outline_get_timeline (const LoomOutline *outline)
{
  return outline->tree != NULL ? outline->tree->timeline : NULL;
}

guint
loom_outline_get_serial (const LoomOutline *outline)
{
  return outline->serial;
}

guint
loom_outline_get_n_rows (const LoomOutline *outline)
{
  return outline->rows->len;
}

guint
loom_outline_get_n_pinned (const LoomOutline *outline)
{
  return outline->n_pinned;
}

const LoomOutlineRow *
loom_outline_get_row (const LoomOutline *outline, guint row)
{
  g_return_val_if_fail (row < outline->rows->len, NULL);
  return &g_array_index (outline->rows, LoomOutlineRow, row);
}

double
loom_outline_get_pinned_height (const LoomOutline *outline)
{
  return outline->pinned_height;
}

double
loom_outline_get_height (const LoomOutline *outline)
{
  return outline->height;
}

/* --- finding ---------------------------------------------------------------------------------------------------- */

/* First row of [low, high) whose bottom is below y. */
static guint
first_below (const LoomOutline *outline, guint low, guint high, double y)
{
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const LoomOutlineRow *row = &g_array_index (outline->rows, LoomOutlineRow, middle);
    if (row->y + row->height <= y)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

guint
loom_outline_first_below (const LoomOutline *outline, double y)
{
  return first_below (outline, outline->n_pinned, outline->rows->len, y);
}

guint
loom_outline_row_at (const LoomOutline *outline, double y, double scroll_px)
{
  if (y < 0)
    return G_MAXUINT;
  guint row = y < outline->pinned_height ? first_below (outline, 0, outline->n_pinned, y)
                                         : loom_outline_first_below (outline, y - outline->pinned_height + scroll_px);
  return row < outline->rows->len ? row : G_MAXUINT;
}

double
loom_outline_row_top (const LoomOutline *outline, guint row, double scroll_px)
{
  const LoomOutlineRow *found = loom_outline_get_row (outline, row);
  return found->pinned ? found->y : outline->pinned_height + found->y - scroll_px;
}

LoomOutlineItem *
loom_outline_find_item (const LoomOutline *outline, const char *key)
{
  return outline->tree != NULL ? g_hash_table_lookup (outline->tree->by_key, key) : NULL;
}

guint
loom_outline_find (const LoomOutline *outline, const char *key)
{
  const LoomOutlineItem *item = loom_outline_find_item (outline, key);
  return item != NULL ? item->row : G_MAXUINT;
}

const char *
loom_outline_get_first_counter (const LoomOutline *outline)
{
  for (guint i = 0; i < loom_outline_get_n_rows (outline); i++)
    if (loom_outline_get_row (outline, i)->kind == LOOM_ROW_COUNTER)
      return loom_outline_get_row (outline, i)->key;
  return NULL;
}

/* The row of the item, or of the nearest group above that shows. */
static gboolean
visible_row (const LoomOutlineItem *item, guint *row)
{
  gboolean itself = item != NULL && item->row != G_MAXUINT;
  while (item != NULL && item->row == G_MAXUINT)
    item = item->parent;
  *row = item != NULL ? item->row : G_MAXUINT;
  return itself;
}

gboolean
loom_outline_find_track (const LoomOutline *outline, LoomTrackId track, guint *row)
{
  *row = G_MAXUINT;
  return outline->tree != NULL && visible_row (loom_outline_tree_get (outline->tree, track), row);
}

guint
loom_outline_strip_of (const LoomOutline *outline, const LoomOutlineRow *row, LoomTrackId track, guint trace_row)
{
  const LoomOutlineItem *item = g_ptr_array_index (outline->tree->items, row->item);
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (outline->tree->timeline), track.trace);
  const LoomRow *found = loom_trace_get_row (trace, trace_row);
  if (item->lanes == NULL || found->lane + 1u >= item->lanes->len)
    return G_MAXUINT;
  guint strip = g_array_index (item->lanes, guint16, found->lane) + found->depth;
  return strip < row->n_strips ? strip : G_MAXUINT;
}

gboolean
loom_outline_find_span (const LoomOutline *outline, LoomSpanId span, guint *row, guint *strip)
{
  *row = *strip = G_MAXUINT;
  LoomRun *run = outline->tree != NULL ? loom_timeline_get_run (outline->tree->timeline) : NULL;
  if (run == NULL || span.trace >= loom_run_get_n_traces (run))
    return FALSE;
  guint32 track, trace_row;
  loom_trace_locate_span (loom_run_get_trace (run, span.trace), span.span, &track, &trace_row);
  LoomTrackId id = { span.trace, track };
  if (!loom_outline_find_track (outline, id, row))
    return FALSE;
  *strip = loom_outline_strip_of (outline, loom_outline_get_row (outline, *row), id, trace_row);
  return *strip != G_MAXUINT;
}
