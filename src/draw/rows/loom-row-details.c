/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows details of a run (loom-run-details.h: single events that are shown in place of the sums in the index of a
 * trace) in the rows. Finds the row for each track of a detail, and makes a new row if the index of the trace lacks the
 * track.
 */
#include "loom-list-separator.h"
#include "loom-row-list-private.h"
#include "loom-run-details.h"

/* --- rows of the tracks of a detail ------------------------------------------------------------------------------- */

/* Returns a text that identifies a track. A track of a detail (loom-run-details.h) has the same text as the
 * corresponding track of the detail's trace. If `with_kind` is FALSE, the text is equal for all tracks of a thread.
 * Owned by the caller. */
static char *
dup_identity (const LoomTrack *track, gboolean with_kind)
{
  const char *kind = with_kind ? loom_trace_track_kind_to_string (track->kind) : "";
  return g_strjoin (LOOM_KEY_SEPARATOR, kind, track->process_key, track->thread_key, with_kind ? track->name : "",
                    NULL);
}

/* Returns a table of the rows of trace `number`, without counters: dup_identity() of the track → LoomRowTreeItem,
 * borrowed. `with_kind` TRUE: each track of a thread has an item of its own. FALSE: each thread has one item, that of
 * its track of spans or, if it has no spans, of its first track. */
static GHashTable *
list_items (const LoomRowTree *tree, guint number, gboolean with_kind)
{
  GHashTable *items = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), number);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    LoomRowTreeItem *item = loom_row_tree_get (tree, (LoomTrackId) { number, i });
    g_autofree char *identity = dup_identity (track, with_kind);
    if (item != NULL && track->kind != LOOM_TRACK_COUNTER &&
        (track->kind == LOOM_TRACK_SPANS || !g_hash_table_contains (items, identity)))
      g_hash_table_insert (items, g_steal_pointer (&identity), item);
  }
  return items;
}

/* Returns the item next to which a row is made for `track`, which the trace does not contain. This is an item of the
 * same thread; if there is none, an item of the same process. NULL: the trace has no row of this process. */
static LoomRowTreeItem *
find_neighbour (const LoomRowTree *tree, guint number, GHashTable *threads, const LoomTrack *track)
{
  g_autofree char *identity = dup_identity (track, FALSE);
  LoomRowTreeItem *item = g_hash_table_lookup (threads, identity);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), number);
  for (guint i = loom_trace_get_n_tracks (trace); item == NULL && i-- > 0;)
    if (g_strcmp0 (loom_trace_get_track (trace, i)->process_key, track->process_key) == 0)
      item = loom_row_tree_get (tree, (LoomTrackId) { number, i });
  return item;
}

static LoomRowTreeItem *
new_row (LoomRowTree *tree, const LoomTrack *track, LoomRowTreeItem *beside)
{
  g_autofree char *identity = dup_identity (track, TRUE), *label = loom_row_tree_dup_row_label (track),
                  *key = g_strconcat ("detail", LOOM_KEY_SEPARATOR, identity, NULL);
  guint n = tree->items->len, at;
  LoomRowTreeItem *parent = beside->parent, *item = loom_row_tree_child (tree, parent, LOOM_LEVEL_ROW, key, label);
  /* the item exists already, because an earlier detail (loom-run-details.h) also had this track */
  if (tree->items->len == n)
    return item;
  item->number = n;
  item->is_of_detail = TRUE;
  item->kind = track->kind == LOOM_TRACK_ASYNC      ? LOOM_ROW_ASYNC
               : track->kind == LOOM_TRACK_INSTANTS ? LOOM_ROW_INSTANTS
                                                    : LOOM_ROW_SPANS;
  item->detail =
    parent->detail != NULL ? g_strconcat (parent->detail, loom_list_separator (), label, NULL) : g_strdup (label);
  g_ptr_array_remove_index (parent->children, parent->children->len - 1);
  if (g_ptr_array_find (parent->children, beside, &at))
    g_ptr_array_insert (parent->children, (gint) at + 1, item);
  return item;
}

/* --- details ------------------------------------------------------------------------------------------------------ */

static void
add_to_item (LoomRowTree *tree, LoomRowTreeItem *item, LoomRowDetail detail)
{
  if (item->details == NULL)
    item->details = g_array_new (FALSE, FALSE, sizeof (LoomRowDetail));
  g_array_append_val (item->details, detail);
  loom_row_tree_measure_lanes (tree, item);
}

void
loom_row_list_add_detail (LoomRowList *outline, guint detail, LoomRange range)
{
  g_return_if_fail (outline != NULL && outline->tree != NULL);
  LoomRowTree *tree = outline->tree;
  LoomRun *run = loom_timeline_get_run (tree->timeline);
  guint whole = loom_run_details_get_whole (run, detail);
  const LoomTrace *trace = loom_run_get_trace (run, detail);
  guint n = loom_trace_get_n_tracks (trace);
  LoomRowTreeItem **items = g_new0 (LoomRowTreeItem *, MAX (n, 1));
  g_autoptr (GHashTable) known = list_items (tree, whole, TRUE), threads = list_items (tree, whole, FALSE);
  for (guint i = 0; i < n; i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    g_autofree char *identity = dup_identity (track, TRUE);
    if (track->n_events == 0 || track->kind == LOOM_TRACK_COUNTER)
      continue;
    items[i] = g_hash_table_lookup (known, identity);
    LoomRowTreeItem *beside = items[i] == NULL ? find_neighbour (tree, whole, threads, track) : NULL;
    if (beside != NULL)
      items[i] = new_row (tree, track, beside);
    if (items[i] != NULL)
      add_to_item (tree, items[i], (LoomRowDetail) { { detail, i }, range });
  }
  g_hash_table_insert (tree->details, GUINT_TO_POINTER (detail), items);
  outline->detail_serial++;
  loom_row_list_lay_out (outline);
}

static void
remove_from_item (LoomRowTree *tree, LoomRowTreeItem *item, guint detail)
{
  for (guint i = item->details->len; i-- > 0;)
    if (g_array_index (item->details, LoomRowDetail, i).id.trace == detail)
      g_array_remove_index (item->details, i);
  loom_row_tree_measure_lanes (tree, item);
}

void
loom_row_list_remove_detail (LoomRowList *outline, guint detail)
{
  LoomRowTree *tree = outline->tree;
  LoomRowTreeItem **items = tree != NULL ? g_hash_table_lookup (tree->details, GUINT_TO_POINTER (detail)) : NULL;
  if (items == NULL)
    return;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), detail);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (items[i] != NULL)
      remove_from_item (tree, items[i], detail);
  g_hash_table_remove (tree->details, GUINT_TO_POINTER (detail));
  outline->detail_serial++;
  loom_row_list_lay_out (outline);
}

gboolean
loom_row_list_has_detail (const LoomRowList *outline, guint detail)
{
  return outline->tree != NULL && g_hash_table_contains (outline->tree->details, GUINT_TO_POINTER (detail));
}

/* If a row shows a track of the detail (loom-run-details.h) with the trace number `number`, appends a LoomRowDetail for
 * this detail. */
static void
append_detail (const LoomRowTree *tree, guint number, GArray *details)
{
  LoomRowTreeItem *const *items = g_hash_table_lookup (tree->details, GUINT_TO_POINTER (number));
  guint n =
    items != NULL ? loom_trace_get_n_tracks (loom_run_get_trace (loom_timeline_get_run (tree->timeline), number)) : 0;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; items[i] != NULL && k < items[i]->details->len; k++)
      if (g_array_index (items[i]->details, LoomRowDetail, k).id.trace == number) {
        g_array_append_val (details, g_array_index (items[i]->details, LoomRowDetail, k));
        return;
      }
}

GArray *
loom_row_list_list_details (const LoomRowList *outline)
{
  GArray *details = g_array_new (FALSE, FALSE, sizeof (LoomRowDetail));
  guint n_traces = outline->tree != NULL ? loom_run_get_n_traces (loom_timeline_get_run (outline->tree->timeline)) : 0;
  for (guint i = 0; outline->tree != NULL && i < LOOM_RUN_MOST_DETAILS; i++)
    append_detail (outline->tree, n_traces + i, details);
  return details;
}

guint
loom_row_list_get_tree_serial (const LoomRowList *outline)
{
  return outline->tree_serial;
}

guint
loom_row_list_get_detail_serial (const LoomRowList *outline)
{
  return outline->detail_serial;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

/* Returns the item of the rank or file of a trace. If the tree has no such item, returns the topmost item of the
 * process. To find the item, goes from the row of the first track that has a row towards the root of the tree. NULL:
 * the trace has no row. */
static LoomRowTreeItem *
find_rank (const LoomRowTree *tree, guint number)
{
  LoomRowTreeItem *item = NULL;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), number);
  for (guint i = 0; item == NULL && i < loom_trace_get_n_tracks (trace); i++)
    item = loom_row_tree_get (tree, (LoomTrackId) { number, i });
  while (item != NULL && item->parent != NULL && item->parent->level >= LOOM_LEVEL_WORKER)
    item = item->parent;
  return item;
}

gboolean
loom_row_list_set_note (LoomRowList *outline, guint trace, LoomRowNote note)
{
  g_return_val_if_fail (outline != NULL, FALSE);
  LoomRowTreeItem *item = outline->tree != NULL ? find_rank (outline->tree, trace) : NULL;
  if (item == NULL || (g_strcmp0 (item->note.text, note.text) == 0 && item->note.is_error == note.is_error))
    return FALSE;
  g_free ((char *) item->note.text);
  item->note = (LoomRowNote) { g_strdup (note.text), note.is_error };
  loom_row_list_lay_out (outline);
  return TRUE;
}
