/* SPDX-License-Identifier: Apache-2.0
 *
 * Lays out the rows: makes the flat list of visible rows, with their positions and heights, from the tree of rows, the
 * user's changes, and the filters. Also finds rows by position, key, span or track.
 */
#include "loom-row-list.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-deferred-free.h"
#include "loom-row-list-private.h"
#include "loom-run-details.h"

LoomRowList *
loom_row_list_new (void)
{
  LoomRowList *outline = g_new0 (LoomRowList, 1);
  loom_row_state_init (&outline->state);
  outline->rows = g_array_new (FALSE, TRUE, sizeof (LoomTimelineRow));
  outline->lane_px = outline->least_lane_px = LOOM_GROUP_PX;
  outline->labels = g_string_chunk_new (256);
  outline->late = loom_row_list_new_lateness ();
  outline->plots = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_row_list_plot_free);
  return outline;
}

void
loom_row_list_free (LoomRowList *outline)
{
  if (outline == NULL)
    return;
  loom_row_tree_free (outline->tree);
  loom_row_state_clear (&outline->state);
  g_clear_pointer (&outline->sources, g_hash_table_unref);
  g_clear_pointer (&outline->only, g_hash_table_unref);
  g_clear_pointer (&outline->names, loom_source_overrides_free);
  g_free (outline->filter);
  g_free (outline->filter_text);
  g_array_unref (outline->rows);
  g_ptr_array_unref (outline->plots);
  g_string_chunk_free (outline->labels);
  g_array_unref (outline->late);
  g_free (outline);
}

/* --- the user's changes of a row --------------------------------------------------------------------------------- */

static gboolean
is_folded (const LoomRowList *outline, const LoomRowTreeItem *item)
{
  const LoomRowState *state = item->state;
  if ((outline->filter != NULL || outline->only != NULL) && item->kind == LOOM_ROW_GROUP)
    return FALSE;
  return state != NULL && state->folded >= 0 ? state->folded : item->folded;
}

static gboolean
is_pinned (const LoomRowTreeItem *item)
{
  const LoomRowState *state = item->state;
  return state != NULL && state->pinned && item->kind != LOOM_ROW_GROUP;
}

/* --- heights, labels and notes of a row ------------------------------------------------------------------------- */

/* Returns TRUE for a group whose lane grows to fill the area for rows while the group is folded. Such groups are ranks,
 * files, and devices that are groups and belong to neither a rank nor a file. */
static gboolean
fills_room (const LoomRowTreeItem *item)
{
  return item->level == LOOM_LEVEL_WORKER || (item->is_lane && item->parent->level < LOOM_LEVEL_WORKER);
}

static double
row_height (const LoomRowList *outline, const LoomRowTreeItem *item, guint n_strips, gboolean folded)
{
  const LoomRowState *state = item->state;
  if (item->kind == LOOM_ROW_GROUP)
    return folded && fills_room (item) ? outline->lane_px : LOOM_GROUP_PX;
  if (item->kind == LOOM_ROW_COUNTER)
    return state != NULL && state->height_px > 0 ? state->height_px : LOOM_COUNTER_PX;
  return n_strips * LOOM_STRIP_PX + 2 * LOOM_ROW_PADDING_PX;
}

/* Returns TRUE if the row shows additional levels for spans that overlap without being nested. */
static gboolean
has_overflow (const LoomRowTreeItem *item, guint n_strips)
{
  return item->lanes != NULL && item->lanes->len >= 3 && g_array_index (item->lanes, guint16, 1) < n_strips;
}

/* Sets the label of a rank that represents others, for example "rank 3 (+7 similar)". */
static void
label_alike (LoomRowList *outline, const LoomRowTreeItem *item, LoomTimelineRow *row)
{
  g_autofree char *label = g_strdup_printf (
    /* Translators: %s is the name of a rank that represents others with similar work */
    ngettext ("%s (+%u similar)", "%s (+%u similar)", item->n_alike), item->label, item->n_alike);
  g_autofree char *detail =
    g_strdup_printf (ngettext ("%s, represents %u other rank with similar work",
                               "%s, represents %u other ranks with similar work", item->n_alike),
                     item->detail, item->n_alike);
  row->label = g_string_chunk_insert (outline->labels, label);
  row->detail = g_string_chunk_insert (outline->labels, detail);
}

/* Sets the label of a row that shows additional levels for spans which overlap without being nested, for example
 * "stream 7 (overlapping)". */
static void
label_overlapping (LoomRowList *outline, LoomTimelineRow *row)
{
  /* Translators: %s is the name of a thread or a stream whose spans overlap without being nested */
  g_autofree char *label = g_strdup_printf (_ ("%s (overlapping)"), row->label);
  row->label = g_string_chunk_insert (outline->labels, label);
}

/* Appends a sentence to the text `detail` of the row, so that tooltips and screen readers also state the sentence. */
static void
add_to_path (LoomRowList *outline, LoomTimelineRow *row, const char *sentence)
{
  g_autofree char *detail = g_strdup_printf ("%s. %s", row->detail, sentence);
  row->detail = g_string_chunk_insert (outline->labels, detail);
}

static LoomTimelineRow
make_row (LoomRowList *outline, const LoomRowTreeItem *item, guint level)
{
  const LoomRowState *state = item->state;
  LoomTimelineRow row = { .kind = item->kind, .key = item->key, .label = item->label, .detail = item->detail };
  row.short_label = item->short_label;
  row.unit = item->unit;
  row.node = item->node;
  row.rank = item->rank;
  row.level = level;
  row.foldable = item->kind == LOOM_ROW_GROUP || item->n_strips > 1;
  row.folded = row.foldable && is_folded (outline, item);
  row.overlay = state != NULL && state->overlay && item->kind == LOOM_ROW_COUNTER;
  row.n_strips = row.folded ? MIN (item->n_strips, 1) : item->n_strips;
  row.height = row_height (outline, item, row.n_strips, row.folded);
  row.tracks = (const LoomTrackId *) (gpointer) item->tracks->data;
  row.n_tracks = item->tracks->len;
  row.series = (const LoomCounterSeries *) (gpointer) item->series->data;
  row.n_series = item->series->len;
  row.details = item->details != NULL ? (const LoomRowDetail *) (gpointer) item->details->data : NULL;
  row.n_details = item->details != NULL ? item->details->len : 0;
  row.note = item->note;
  row.has_lane = item->kind == LOOM_ROW_GROUP && row.n_tracks > 0 && (row.folded || item->level > LOOM_LEVEL_NODE);
  row.is_mean = item->level <= LOOM_LEVEL_NODE;
  row.n_alike = item->n_alike;
  if (item->n_alike > 0)
    label_alike (outline, item, &row);
  if (has_overflow (item, row.n_strips))
    label_overlapping (outline, &row);
  row.item = item->number;
  row.late = loom_row_list_find_lateness (outline, item);
  if (row.late != NULL)
    add_to_path (outline, &row, row.late->sentence);
  if (item->note.text != NULL)
    add_to_path (outline, &row, item->note.text);
  if (item->kind == LOOM_ROW_COUNTER)
    loom_row_list_fill_plot (outline, item, &row);
  return row;
}

/* --- making all rows -------------------------------------------------------------------------------------------- */

static void
append_row (LoomRowList *outline, LoomRowTreeItem *item, guint level, guint sticky, gboolean pinned)
{
  LoomTimelineRow row = make_row (outline, item, level);
  row.sticky = sticky;
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
  const LoomRowState *x = (*(LoomRowTreeItem *const *) a)->state;
  const LoomRowState *y = (*(LoomRowTreeItem *const *) b)->state;
  gint p = x != NULL ? x->position : -1, q = y != NULL ? y->position : -1;
  return p < q ? -1 : p > q;
}

GPtrArray *
loom_row_list_dup_children (const LoomRowTreeItem *item)
{
  gboolean moved = FALSE;
  for (guint i = 0; i < item->children->len && !moved; i++) {
    const LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    const LoomRowState *state = child->state;
    moved = state != NULL && state->position >= 0;
  }
  if (!moved)
    return g_ptr_array_ref (item->children);
  GPtrArray *children = g_ptr_array_copy (item->children, NULL, NULL);
  /* the sort is stable, so children that the user never moved keep their order */
  g_ptr_array_sort (children, compare_positions);
  return children;
}

/* Returns TRUE if the row of a thread's instants (`item`) comes directly after the row of the same thread's spans
 * (`above`). The row of instants is then shown like a child of the row of spans. In all other cases, for example if the
 * row of spans is pinned, hidden or filtered out, returns FALSE; the label of the row of instants then contains the
 * name of the thread. */
static gboolean
stands_under (const LoomRowTreeItem *item, const LoomRowTreeItem *above)
{
  return item->alone_label != NULL && above != NULL && g_strcmp0 (item->order_label, above->order_label) == 0;
}

/* Appends the rows below an item. `sticky`: index of the row that stays visible at the top while the appended rows are
 * scrolled. It is the row of the outermost group around the appended rows that is a rank, a file, or a process without
 * a rank. G_MAXUINT: no group around the rows is one of these. */
static void
append_below (LoomRowList *outline, LoomRowTreeItem *item, guint level, guint sticky)
{
  const LoomRowTreeItem *above = NULL; /* the last row of spans that was appended; the next rows of instants may belong
                                        * to the same thread */
  g_autoptr (GPtrArray) children = loom_row_list_dup_children (item);
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (children, i);
    if (!loom_row_list_is_wanted (outline, child) || is_pinned (child))
      continue;
    gboolean under = stands_under (child, above);
    append_row (outline, child, level + under, sticky, FALSE);
    if (child->alone_label != NULL && !under)
      g_array_index (outline->rows, LoomTimelineRow, child->row).label = child->alone_label;
    above = under ? above : child->kind == LOOM_ROW_SPANS ? child : NULL;
    if (child->kind != LOOM_ROW_GROUP || is_folded (outline, child))
      continue;
    append_below (outline, child, level + 1,
                  sticky == G_MAXUINT && child->level >= LOOM_LEVEL_WORKER ? child->row : sticky);
    g_array_index (outline->rows, LoomTimelineRow, child->row).end_y = outline->height;
  }
}

static void
append_pinned (LoomRowList *outline)
{
  for (guint i = 0; i < outline->state.pinned->len; i++) {
    LoomRowTreeItem *item = g_hash_table_lookup (outline->tree->by_key, g_ptr_array_index (outline->state.pinned, i));
    if (item != NULL && is_pinned (item) && loom_row_list_is_wanted (outline, item))
      append_row (outline, item, 0, G_MAXUINT, TRUE);
  }
}

/* --- lanes ------------------------------------------------------------------------------------------------------ */

/* Collects what choose_lane_height() needs. Adds to `n_lanes` the number of shown groups that fill the room
 * (fills_room()), folded or not. Adds to `others_px` the heights of all rows outside of these groups. Skips pinned
 * rows. */
static void
measure_lanes (LoomRowList *outline, LoomRowTreeItem *item, guint *n_lanes, double *others_px)
{
  for (guint i = 0; i < item->children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    if (!loom_row_list_is_wanted (outline, child) || is_pinned (child))
      continue;
    gboolean folded = is_folded (outline, child);
    guint n_strips = folded ? MIN (child->n_strips, 1) : child->n_strips;
    if (fills_room (child))
      *n_lanes += 1;
    else
      *others_px += row_height (outline, child, n_strips, folded);
    if (child->level < LOOM_LEVEL_WORKER && !folded)
      measure_lanes (outline, child, n_lanes, others_px);
  }
}

/* Returns the height of the lane of a folded rank. With this height, the ranks would just fill the area for rows if all
 * of them were folded. The height does not depend on which ranks are actually folded, so that unfolding a rank does not
 * move the ranks above it. */
static double
choose_lane_height (LoomRowList *outline)
{
  guint n_lanes = 0;
  double others_px = 0;
  if (outline->room_px > 0)
    measure_lanes (outline, outline->tree->root, &n_lanes, &others_px);
  if (n_lanes < 2)
    return LOOM_GROUP_PX;
  return CLAMP (floor ((outline->room_px - outline->pinned_height - others_px) / n_lanes), outline->least_lane_px,
                LOOM_LANE_MAX_PX);
}

void
loom_row_list_set_least_lane (LoomRowList *outline, double height_px)
{
  g_return_if_fail (outline != NULL && height_px > 0 && height_px <= LOOM_LANE_MAX_PX);
  outline->least_lane_px = height_px;
  loom_row_list_lay_out (outline);
}

gboolean
loom_row_list_set_room (LoomRowList *outline, double height_px)
{
  g_return_val_if_fail (outline != NULL, FALSE);
  outline->room_px = height_px;
  if (outline->tree == NULL || choose_lane_height (outline) == outline->lane_px)
    return FALSE;
  loom_row_list_lay_out (outline);
  return TRUE;
}

static void
clear_rows (LoomRowList *outline)
{
  for (guint i = 0; i < outline->rows->len; i++) {
    guint number = g_array_index (outline->rows, LoomTimelineRow, i).item;
    ((LoomRowTreeItem *) g_ptr_array_index (outline->tree->items, number))->row = G_MAXUINT;
  }
  g_array_set_size (outline->rows, 0);
  g_ptr_array_set_size (outline->plots, 0);
  outline->n_pinned = 0;
  outline->pinned_height = outline->height = 0;
}

void
loom_row_list_lay_out (LoomRowList *outline)
{
  clear_rows (outline);
  if (outline->tree == NULL)
    return;
  loom_row_list_link_states (outline);
  g_string_chunk_clear (outline->labels);
  loom_row_list_find_alike (outline);
  append_pinned (outline);
  outline->n_pinned = outline->rows->len;
  outline->lane_px = choose_lane_height (outline);
  append_below (outline, outline->tree->root, 0, G_MAXUINT);
}

void
loom_row_list_set_timeline (LoomRowList *outline, LoomTimeline *timeline)
{
  g_return_if_fail (outline != NULL);
  LoomRowTree *old = outline->tree;
  clear_rows (outline);
  outline->tree = timeline != NULL ? loom_row_tree_take (timeline, outline->names) : NULL;
  outline->tree_serial++;
  outline->detail_serial++;
  g_clear_pointer (&outline->only, g_hash_table_unref); /* the filter `only` is dropped, because it contains items of
                                                         * the old tree */
  if (old != NULL)
    loom_deferred_free ((GDestroyNotify) loom_row_tree_free, old);
  loom_row_list_lay_out (outline);
}

void
loom_row_list_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  g_return_if_fail (timeline != NULL);
  loom_row_tree_prepare (timeline, names);
}

gboolean
loom_row_list_set_names (LoomRowList *outline, const LoomSourceOverrides *edits)
{
  g_return_val_if_fail (outline != NULL && edits != NULL, FALSE);
  g_autoptr (LoomSourceOverrides) before = outline->names != NULL ? outline->names : loom_source_overrides_new ();
  outline->names = loom_source_overrides_copy (edits);
  if (loom_source_overrides_name_the_same (before, edits))
    return FALSE;
  g_autoptr (LoomTimeline) timeline = outline->tree != NULL ? loom_timeline_ref (outline->tree->timeline) : NULL;
  if (timeline != NULL)
    loom_row_list_set_timeline (outline, timeline);
  return timeline != NULL;
}

const LoomSourceOverrides *
loom_row_list_get_names (const LoomRowList *outline)
{
  return outline->names;
}

LoomTimeline *
loom_row_list_get_timeline (const LoomRowList *outline)
{
  return outline->tree != NULL ? outline->tree->timeline : NULL;
}

guint
loom_row_list_get_n_rows (const LoomRowList *outline)
{
  return outline->rows->len;
}

guint
loom_row_list_get_n_pinned (const LoomRowList *outline)
{
  return outline->n_pinned;
}

const LoomTimelineRow *
loom_row_list_get_row (const LoomRowList *outline, guint row)
{
  g_return_val_if_fail (row < outline->rows->len, NULL);
  return &g_array_index (outline->rows, LoomTimelineRow, row);
}

double
loom_row_list_get_pinned_height (const LoomRowList *outline)
{
  return outline->pinned_height;
}

double
loom_row_list_get_height (const LoomRowList *outline)
{
  return outline->height;
}

/* --- finding ---------------------------------------------------------------------------------------------------- */

/* Returns the first row from `low` to `high` − 1 that ends below y; `high` if there is none. */
static guint
first_below (const LoomRowList *outline, guint low, guint high, double y)
{
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const LoomTimelineRow *row = &g_array_index (outline->rows, LoomTimelineRow, middle);
    if (row->y + row->height <= y)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

guint
loom_row_list_first_below (const LoomRowList *outline, double y)
{
  return first_below (outline, outline->n_pinned, outline->rows->len, y);
}

/* Returns the row of the sticky group (see loom_row_list_get_sticky()), and sets `visible_px` to the height of the
 * visible part of this row. The height decreases while the last row of the group leaves the view at the top. */
static guint
find_sticky (const LoomRowList *outline, double scroll_px, double *visible_px)
{
  guint first = loom_row_list_first_below (outline, scroll_px);
  *visible_px = 0;
  if (first >= outline->rows->len)
    return G_MAXUINT;
  const LoomTimelineRow *top = &g_array_index (outline->rows, LoomTimelineRow, first);
  gboolean itself = top->sticky == G_MAXUINT && first + 1 < outline->rows->len &&
                    g_array_index (outline->rows, LoomTimelineRow, first + 1).sticky == first;
  guint sticky = itself ? first : top->sticky;
  if (sticky == G_MAXUINT)
    return G_MAXUINT;
  const LoomTimelineRow *group = &g_array_index (outline->rows, LoomTimelineRow, sticky);
  *visible_px = MIN (group->height, group->end_y - scroll_px);
  gboolean is_above = scroll_px > group->y;
  return is_above && *visible_px > 0 ? sticky : G_MAXUINT;
}

guint
loom_row_list_get_sticky (const LoomRowList *outline, double scroll_px)
{
  double visible_px;
  return find_sticky (outline, scroll_px, &visible_px);
}

double
loom_row_list_get_cover (const LoomRowList *outline, double scroll_px)
{
  double visible_px;
  guint sticky = find_sticky (outline, scroll_px, &visible_px);
  return outline->pinned_height + (sticky != G_MAXUINT ? visible_px : 0);
}

double
loom_row_list_get_cover_of_row (const LoomRowList *outline, guint row)
{
  guint sticky = loom_row_list_get_row (outline, row)->sticky;
  return outline->pinned_height + (sticky != G_MAXUINT ? loom_row_list_get_row (outline, sticky)->height : 0);
}

guint
loom_row_list_row_at (const LoomRowList *outline, double y, double scroll_px)
{
  double visible_px;
  if (y < 0)
    return G_MAXUINT;
  guint sticky = find_sticky (outline, scroll_px, &visible_px);
  if (sticky != G_MAXUINT && y >= outline->pinned_height && y < outline->pinned_height + visible_px)
    return sticky;
  guint row = y < outline->pinned_height ? first_below (outline, 0, outline->n_pinned, y)
                                         : loom_row_list_first_below (outline, y - outline->pinned_height + scroll_px);
  return row < outline->rows->len ? row : G_MAXUINT;
}

double
loom_row_list_row_top (const LoomRowList *outline, guint row, double scroll_px)
{
  const LoomTimelineRow *found = loom_row_list_get_row (outline, row);
  double visible_px;
  if (found->pinned)
    return found->y;
  if (found->end_y > 0 && find_sticky (outline, scroll_px, &visible_px) == row)
    return outline->pinned_height + visible_px - found->height;
  return outline->pinned_height + found->y - scroll_px;
}

LoomRowTreeItem *
loom_row_list_find_item (const LoomRowList *outline, const char *key)
{
  return outline->tree != NULL ? g_hash_table_lookup (outline->tree->by_key, key) : NULL;
}

guint
loom_row_list_find (const LoomRowList *outline, const char *key)
{
  const LoomRowTreeItem *item = loom_row_list_find_item (outline, key);
  return item != NULL ? item->row : G_MAXUINT;
}

const char *
loom_row_list_get_first_counter (const LoomRowList *outline)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (outline); i++)
    if (loom_row_list_get_row (outline, i)->kind == LOOM_ROW_COUNTER)
      return loom_row_list_get_row (outline, i)->key;
  return NULL;
}

/* Sets `row` to the row of the item. If the item has none, sets it to the row of the nearest visible group that
 * contains the item, and returns FALSE. */
static gboolean
visible_row (const LoomRowTreeItem *item, guint *row)
{
  gboolean itself = item != NULL && item->row != G_MAXUINT;
  while (item != NULL && item->row == G_MAXUINT)
    item = item->parent;
  *row = item != NULL ? item->row : G_MAXUINT;
  return itself;
}

gboolean
loom_row_list_find_track (const LoomRowList *outline, LoomTrackId track, guint *row)
{
  *row = G_MAXUINT;
  return outline->tree != NULL && visible_row (loom_row_tree_get (outline->tree, track), row);
}

gboolean
loom_row_list_is_within (const LoomRowList *outline, const LoomTimelineRow *row, LoomTrackId track)
{
  const LoomRowTreeItem *item = loom_row_tree_get (outline->tree, track),
                        *group = g_ptr_array_index (outline->tree->items, row->item);
  while (item != NULL && item != group)
    item = item->parent;
  return item != NULL;
}

guint
loom_row_list_strip_of (const LoomRowList *outline, const LoomTimelineRow *row, LoomTrackId track, guint trace_row)
{
  const LoomRowTreeItem *item = g_ptr_array_index (outline->tree->items, row->item);
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (outline->tree->timeline), track.trace);
  const LoomRow *found = loom_trace_get_row (trace, trace_row);
  if (item->lanes == NULL || found->lane + 1u >= item->lanes->len)
    return G_MAXUINT;
  guint strip = g_array_index (item->lanes, guint16, found->lane) + found->depth;
  return strip < row->n_strips ? strip : G_MAXUINT;
}

gboolean
loom_row_list_find_span (const LoomRowList *outline, LoomSpanId span, guint *row, guint *strip)
{
  *row = *strip = G_MAXUINT;
  LoomRun *run = outline->tree != NULL ? loom_timeline_get_run (outline->tree->timeline) : NULL;
  if (run == NULL || !loom_run_details_has_trace (run, span.trace))
    return FALSE;
  guint32 track, trace_row;
  loom_trace_locate_span (loom_run_get_trace (run, span.trace), span.span, &track, &trace_row);
  LoomTrackId id = { span.trace, track };
  if (!loom_row_list_find_track (outline, id, row))
    return FALSE;
  *strip = loom_row_list_strip_of (outline, loom_row_list_get_row (outline, *row), id, trace_row);
  return *strip != G_MAXUINT;
}
