/* SPDX-License-Identifier: Apache-2.0
 *
 * Laying out: from the tree and what people did to the flat list of rows.
 */
#include "loom-outline.h"

#include <string.h>

#include "loom-outline-state.h"
#include "loom-outline-tree.h"

#define MIN_PLOT_PX 18.0
#define MAX_PLOT_PX 1200.0

struct _LoomOutline {
  LoomOutlineTree *tree; /* NULL at first */
  LoomOutlineState state;
  char *filter;          /* folded case, NULL for none */
  GHashTable *sources;   /* paths shown, NULL for all */
  GArray *rows;          /* LoomOutlineRow */
  guint n_pinned;
  double pinned_height, height;
  guint serial;
};

LoomOutline *
loom_outline_new (void)
{
  LoomOutline *outline = g_new0 (LoomOutline, 1);
  loom_outline_state_init (&outline->state);
  outline->rows = g_array_new (FALSE, TRUE, sizeof (LoomOutlineRow));
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
  g_free (outline->filter);
  g_array_unref (outline->rows);
  g_free (outline);
}

/* --- what is shown ---------------------------------------------------------------------------------------------- */

static gboolean
matches_filter (const LoomOutline *outline, const LoomOutlineItem *item)
{
  g_autofree char *text = g_utf8_casefold (item->detail != NULL ? item->detail : "", -1);
  return strstr (text, outline->filter) != NULL;
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

/* A row that may stand on its own, folding aside. */
static gboolean
is_wanted (const LoomOutline *outline, const LoomOutlineItem *item)
{
  const LoomRowState *state = loom_outline_state_peek (&outline->state, item->key);
  if (state != NULL && state->hidden)
    return FALSE;
  if (item->kind == LOOM_ROW_GROUP) {
    for (guint i = 0; i < item->children->len; i++)
      if (is_wanted (outline, g_ptr_array_index (item->children, i)))
        return TRUE;
    return FALSE;
  }
  if (outline->filter != NULL && !matches_filter (outline, item))
    return FALSE;
  return outline->sources == NULL || matches_sources (outline, item);
}

static gboolean
is_folded (const LoomOutline *outline, const LoomOutlineItem *item)
{
  const LoomRowState *state = loom_outline_state_peek (&outline->state, item->key);
  if (outline->filter != NULL && item->kind == LOOM_ROW_GROUP)
    return FALSE;
  return state != NULL && state->folded >= 0 ? state->folded : item->folded;
}

static gboolean
is_pinned (const LoomOutline *outline, const LoomOutlineItem *item)
{
  const LoomRowState *state = loom_outline_state_peek (&outline->state, item->key);
  return state != NULL && state->pinned && item->kind != LOOM_ROW_GROUP;
}

/* --- one row ---------------------------------------------------------------------------------------------------- */

static double
row_height (const LoomOutline *outline, const LoomOutlineItem *item, guint n_strips)
{
  const LoomRowState *state = loom_outline_state_peek (&outline->state, item->key);
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
make_row (const LoomOutline *outline, const LoomOutlineItem *item, guint level)
{
  const LoomRowState *state = loom_outline_state_peek (&outline->state, item->key);
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
  row.height = row_height (outline, item, row.n_strips);
  row.tracks = (const LoomTrackId *) (gpointer) item->tracks->data;
  row.n_tracks = item->tracks->len;
  row.series = (const LoomPlotSeries *) (gpointer) item->series->data;
  row.n_series = item->series->len;
  row.plot = item->plot;
  row.value_min = item->value_min;
  row.value_max = item->value_max;
  row.item = item->number;
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
compare_positions (gconstpointer a, gconstpointer b, gpointer data)
{
  const LoomOutline *outline = data;
  const LoomRowState *x = loom_outline_state_peek (&outline->state, (*(LoomOutlineItem *const *) a)->key);
  const LoomRowState *y = loom_outline_state_peek (&outline->state, (*(LoomOutlineItem *const *) b)->key);
  gint p = x != NULL ? x->position : -1, q = y != NULL ? y->position : -1;
  return p < q ? -1 : p > q;
}

/* Children in the order a person gave them; those never moved keep theirs, in front. Borrowed items. */
static GPtrArray *
ordered_children (const LoomOutline *outline, const LoomOutlineItem *item)
{
  gboolean moved = FALSE;
  for (guint i = 0; i < item->children->len && !moved; i++) {
    const LoomOutlineItem *child = g_ptr_array_index (item->children, i);
    const LoomRowState *state = loom_outline_state_peek (&outline->state, child->key);
    moved = state != NULL && state->position >= 0;
  }
  if (!moved)
    return g_ptr_array_ref (item->children);
  GPtrArray *children = g_ptr_array_copy (item->children, NULL, NULL);
  g_ptr_array_sort_with_data (children, compare_positions, (gpointer) outline); /* stable */
  return children;
}

static void
append_below (LoomOutline *outline, LoomOutlineItem *item, guint level)
{
  g_autoptr (GPtrArray) children = ordered_children (outline, item);
  for (guint i = 0; i < children->len; i++) {
    LoomOutlineItem *child = g_ptr_array_index (children, i);
    if (!is_wanted (outline, child) || is_pinned (outline, child))
      continue;
    /* A thread's instants stand under its spans. */
    gboolean under = child->kind == LOOM_ROW_INSTANTS && child->order_label != NULL && child->order_label[0] != '\0';
    append_row (outline, child, level + under, FALSE);
    if (child->kind == LOOM_ROW_GROUP && !is_folded (outline, child))
      append_below (outline, child, level + 1);
  }
}

static void
append_pinned (LoomOutline *outline)
{
  for (guint i = 0; i < outline->state.pinned->len; i++) {
    LoomOutlineItem *item = g_hash_table_lookup (outline->tree->by_key, g_ptr_array_index (outline->state.pinned, i));
    if (item != NULL && is_pinned (outline, item) && is_wanted (outline, item))
      append_row (outline, item, 0, TRUE);
  }
}

static void
lay_out (LoomOutline *outline)
{
  outline->serial++;
  g_array_set_size (outline->rows, 0);
  outline->n_pinned = 0;
  outline->pinned_height = outline->height = 0;
  if (outline->tree == NULL)
    return;
  for (guint i = 0; i < outline->tree->items->len; i++)
    ((LoomOutlineItem *) g_ptr_array_index (outline->tree->items, i))->row = G_MAXUINT;
  append_pinned (outline);
  outline->n_pinned = outline->rows->len;
  append_below (outline, outline->tree->root, 0);
}

void
loom_outline_set_timeline (LoomOutline *outline, LoomTimeline *timeline)
{
  g_return_if_fail (outline != NULL);
  LoomOutlineTree *old = outline->tree;
  outline->tree = timeline != NULL ? loom_outline_tree_new (timeline) : NULL;
  loom_outline_tree_free (old);
  lay_out (outline);
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
  guint row = y < outline->pinned_height
                ? first_below (outline, 0, outline->n_pinned, y)
                : loom_outline_first_below (outline, y - outline->pinned_height + scroll_px);
  return row < outline->rows->len ? row : G_MAXUINT;
}

double
loom_outline_row_top (const LoomOutline *outline, guint row, double scroll_px)
{
  const LoomOutlineRow *found = loom_outline_get_row (outline, row);
  return found->pinned ? found->y : outline->pinned_height + found->y - scroll_px;
}

static LoomOutlineItem *
find_item (const LoomOutline *outline, const char *key)
{
  return outline->tree != NULL ? g_hash_table_lookup (outline->tree->by_key, key) : NULL;
}

guint
loom_outline_find (const LoomOutline *outline, const char *key)
{
  const LoomOutlineItem *item = find_item (outline, key);
  return item != NULL ? item->row : G_MAXUINT;
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

/* --- what people do --------------------------------------------------------------------------------------------- */

void
loom_outline_set_folded (LoomOutline *outline, const char *key, gboolean folded)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_outline_state_get (&outline->state, key)->folded = folded ? 1 : 0;
  lay_out (outline);
}

void
loom_outline_fold_all (LoomOutline *outline, gboolean folded)
{
  g_return_if_fail (outline != NULL);
  for (guint i = 0; outline->tree != NULL && i < outline->tree->items->len; i++) {
    const LoomOutlineItem *item = g_ptr_array_index (outline->tree->items, i);
    if (item->kind == LOOM_ROW_GROUP)
      loom_outline_state_get (&outline->state, item->key)->folded = folded ? 1 : 0;
  }
  lay_out (outline);
}

void
loom_outline_set_pinned (LoomOutline *outline, const char *key, gboolean pinned)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_outline_state_set_pinned (&outline->state, key, pinned);
  lay_out (outline);
}

void
loom_outline_set_hidden (LoomOutline *outline, const char *key, gboolean hidden)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_outline_state_get (&outline->state, key)->hidden = hidden;
  lay_out (outline);
}

void
loom_outline_show_all_hidden (LoomOutline *outline)
{
  g_return_if_fail (outline != NULL);
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, outline->state.rows);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ((LoomRowState *) value)->hidden = FALSE;
  lay_out (outline);
}

guint
loom_outline_get_n_hidden (const LoomOutline *outline)
{
  guint n = 0;
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, outline->state.rows);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    n += ((const LoomRowState *) value)->hidden;
  return n;
}

void
loom_outline_set_row_height (LoomOutline *outline, const char *key, double height_px)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_outline_state_get (&outline->state, key)->height_px =
    height_px > 0 ? CLAMP (height_px, MIN_PLOT_PX, MAX_PLOT_PX) : 0;
  lay_out (outline);
}

gboolean
loom_outline_move (LoomOutline *outline, const char *key, const char *before)
{
  g_return_val_if_fail (outline != NULL && key != NULL, FALSE);
  LoomOutlineItem *item = find_item (outline, key), *next = before != NULL ? find_item (outline, before) : NULL;
  if (item == NULL || item->parent == NULL || (before != NULL && (next == NULL || next->parent != item->parent)))
    return FALSE;
  g_autoptr (GPtrArray) children = ordered_children (outline, item->parent);
  gint position = 0;
  for (guint i = 0; i < children->len; i++) {
    LoomOutlineItem *child = g_ptr_array_index (children, i);
    if (child == next && item != next)
      loom_outline_state_get (&outline->state, key)->position = position++;
    if (child != item || item == next)
      loom_outline_state_get (&outline->state, child->key)->position = position++;
  }
  if (next == NULL)
    loom_outline_state_get (&outline->state, key)->position = position;
  lay_out (outline);
  return TRUE;
}

void
loom_outline_set_overlay (LoomOutline *outline, const char *key, gboolean overlay)
{
  g_return_if_fail (outline != NULL && key != NULL);
  loom_outline_state_get (&outline->state, key)->overlay = overlay;
  lay_out (outline);
}

void
loom_outline_set_filter (LoomOutline *outline, const char *text)
{
  g_return_if_fail (outline != NULL);
  g_clear_pointer (&outline->filter, g_free);
  if (text != NULL && text[0] != '\0')
    outline->filter = g_utf8_casefold (text, -1);
  lay_out (outline);
}

void
loom_outline_set_sources (LoomOutline *outline, const char *const *paths)
{
  g_return_if_fail (outline != NULL);
  g_clear_pointer (&outline->sources, g_hash_table_unref);
  if (paths != NULL)
    outline->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    g_hash_table_add (outline->sources, g_strdup (paths[i]));
  lay_out (outline);
}

static void
reveal_item (LoomOutline *outline, LoomOutlineItem *item)
{
  for (LoomOutlineItem *at = item; at != NULL && at->parent != NULL; at = at->parent) {
    LoomRowState *state = loom_outline_state_get (&outline->state, at->key);
    state->hidden = FALSE;
    if (at != item || item->kind != LOOM_ROW_GROUP)
      state->folded = 0;
  }
  if (outline->filter != NULL && !is_wanted (outline, item))
    g_clear_pointer (&outline->filter, g_free);
  if (outline->sources != NULL && !is_wanted (outline, item))
    g_clear_pointer (&outline->sources, g_hash_table_unref);
  lay_out (outline);
}

void
loom_outline_reveal_span (LoomOutline *outline, LoomSpanId span)
{
  g_return_if_fail (outline != NULL);
  guint row, strip;
  guint32 track, trace_row;
  if (outline->tree == NULL || loom_outline_find_span (outline, span, &row, &strip))
    return;
  LoomRun *run = loom_timeline_get_run (outline->tree->timeline);
  if (span.trace >= loom_run_get_n_traces (run))
    return;
  loom_trace_locate_span (loom_run_get_trace (run, span.trace), span.span, &track, &trace_row);
  LoomOutlineItem *item = loom_outline_tree_get (outline->tree, (LoomTrackId) { span.trace, track });
  if (item != NULL)
    reveal_item (outline, item);
}

void
loom_outline_reveal (LoomOutline *outline, const char *key)
{
  g_return_if_fail (outline != NULL && key != NULL);
  LoomOutlineItem *item = find_item (outline, key);
  if (item != NULL)
    reveal_item (outline, item);
}

GVariant *
loom_outline_save (const LoomOutline *outline)
{
  return loom_outline_state_save (&outline->state);
}

void
loom_outline_restore (LoomOutline *outline, GVariant *state)
{
  g_return_if_fail (outline != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE ("a{sa{sv}}")));
  loom_outline_state_restore (&outline->state, state);
  lay_out (outline);
}
