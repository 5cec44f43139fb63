/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes an item for each node, rank, process and row from the tracks of all traces, and joins tracks that can share a
 * row.
 */
#include "loom-row-tree.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-natural-collate.h"
#include "loom-plane-label.h"
#include "loom-row-summary.h"
#include "loom-track-label.h"
#include "loom-track-rank.h"
#include "loom-work-kind.h"

/* Tracks that share a row may overlap in time by at most this share of the shorter track. A small overlap is allowed,
 * because the last event of a file may extend into the time of the next file. */
#define OVERLAP_ALLOWED 0.05
#define MOST_DEPTHS 8 /* number of rows of a stream that are examined to find out whether the stream only waits */
/* number of spans that are examined in each row of a stream, to find out whether all of them are waits */
#define SAMPLED 16

/* Working data for building the tree. `node_of_rank`, `n_nodes` and `rankless` are known after a first pass over all
 * tracks, before the first row is made. */
typedef struct {
  LoomRowTree *tree;
  GHashTable *node_of_rank; /* rank (int) → name of its node (char *); "": the rank is on several nodes */
  guint n_nodes;
  GHashTable *rankless; /* format → number of traces of this format that have no rank */
  GHashTable *counters; /* item of a process → GArray of LoomTrackId: the tracks of the process that are counters */
  GPtrArray *metered;   /* keys of `counters`, in the order in which they were found */
  const LoomSourceOverrides *names;
} Builder;

/* Order in which the processes of a rank are shown, by their format. */
static const char *const format_order[] = { "smdebug-system",  "smdebug", "smdebug-merged", "composer",
                                            "composer-merged", "horovod", "traceloom",      "kineto",
                                            "tensorflow",      "chrome" };

static gint
format_section (const char *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (format_order); i++)
    if (g_strcmp0 (format_order[i], format) == 0)
      return LOOM_SECTION_WORKERS + 1 + (gint) i;
  return LOOM_SECTION_WORKERS + 1 + (gint) G_N_ELEMENTS (format_order);
}

/* Returns the position of a phase such as "Forward", which smdebug stores as a process. The phases are in the order
 * that smdebug's tool for merging trace files uses. The sort indices in the files cannot be used, because they follow
 * the order in which phases first occurred. */
static gint64
phase_order (const char *process)
{
  static const char *const phases[] = { "Step:",   "Forward", "Backward",      "DataIterator",  "Dataset",
                                        "/device", "/host",   "gpu_functions", "cpu_functions", "Horovod" };
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    if (strstr (process, phases[i]) != NULL)
      return i;
  return G_N_ELEMENTS (phases);
}

const LoomTrack *
loom_row_tree_track (const LoomRowTree *tree, LoomTrackId track)
{
  return loom_trace_get_track (loom_run_get_trace (loom_timeline_get_run (tree->timeline), track.trace), track.track);
}

const LoomSource *
loom_row_tree_source (const LoomRowTree *tree, LoomTrackId track)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), track.trace);
  return loom_trace_get_source (trace, loom_trace_get_track (trace, track.track)->source);
}

gboolean
loom_row_tree_extent (const LoomRowTree *tree, LoomTrackId id, LoomRange *range)
{
  const LoomTrack *track = loom_row_tree_track (tree, id);
  if (track->start_ns == LOOM_TIME_NONE)
    return FALSE;
  const LoomClockMap *map = loom_timeline_get_map (tree->timeline, id.trace, track->clock);
  range->begin_ns = loom_clock_map_to_timeline (map, track->start_ns);
  range->end_ns = loom_clock_map_to_timeline (map, track->end_ns);
  return TRUE;
}

static void
item_free (gpointer data)
{
  LoomRowTreeItem *item = data;
  g_free (item->key);
  g_free (item->label);
  g_free (item->whole_label);
  g_free (item->detail);
  g_free (item->order_label);
  g_free (item->thread_words);
  g_free (item->alone_label);
  g_free (item->given);
  g_free (item->folded_detail);
  g_ptr_array_unref (item->children);
  g_clear_pointer (&item->tracks, g_array_unref);
  g_free (item->short_label);
  g_clear_pointer (&item->series, g_array_unref);
  g_clear_pointer (&item->lanes, g_array_unref);
  g_clear_pointer (&item->details, g_array_unref);
  g_free ((char *) item->note.text);
  g_free (item);
}

static LoomRowTreeItem *
item_new (LoomRowTreeLevel level, char *key, const char *label)
{
  LoomRowTreeItem *item = g_new0 (LoomRowTreeItem, 1);
  item->level = level;
  item->kind = LOOM_ROW_GROUP;
  item->key = key;
  item->label = g_strdup (label);
  item->unit = "";
  item->rank = -1;
  item->row = G_MAXUINT;
  item->children = g_ptr_array_new ();
  item->tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  item->series = g_array_new (FALSE, FALSE, sizeof (LoomCounterSeries));
  return item;
}

LoomRowTreeItem *
loom_row_tree_child (LoomRowTree *tree, LoomRowTreeItem *parent, LoomRowTreeLevel level, const char *key,
                     const char *label)
{
  g_autofree char *full = g_strconcat (parent->key, LOOM_KEY_SEPARATOR, key, NULL);
  LoomRowTreeItem *item = g_hash_table_lookup (tree->by_key, full);
  if (item != NULL)
    return item;
  item = item_new (level, g_steal_pointer (&full), label);
  item->parent = parent;
  item->node = parent->node;
  item->rank = parent->rank;
  g_ptr_array_add (parent->children, item);
  g_ptr_array_add (tree->items, item);
  g_hash_table_insert (tree->by_key, item->key, item);
  return item;
}

/* Returns a copy of `label`. If `label` is empty, returns a text made from `key`, the id of a process or thread as a
 * JSON literal. For the key 7, this text is "stream 7" if `what` is "stream". For a key in quotes, it is the text
 * between the quotes. Owned by the caller. */
static char *
dup_label (const char *label, const char *key, const char *what)
{
  g_autofree char *text = g_strstrip (g_strdup (label));
  if (text[0] != '\0')
    return g_steal_pointer (&text);
  gsize length = strlen (key);
  if (length >= 2 && key[0] == '"')
    return g_strndup (key + 1, length - 2);
  return key[0] != '\0' ? g_strdup_printf ("%s %s", what, key) : g_strdup ("");
}

/* First pass over all tracks: collects the names of all nodes, and the node of each rank. */
static void
survey_track (Builder *builder, GHashTable *nodes, GHashTable *ranks, const LoomTrack *track)
{
  if (track->rank >= 0)
    g_hash_table_add (ranks, GINT_TO_POINTER (track->rank + 1));
  if (track->node == NULL || track->node[0] == '\0')
    return;
  g_hash_table_add (nodes, (gpointer) track->node);
  if (track->rank < 0)
    return;
  const char *known = g_hash_table_lookup (builder->node_of_rank, GINT_TO_POINTER (track->rank + 1));
  const char *node = known == NULL || strcmp (known, track->node) == 0 ? track->node : "";
  g_hash_table_insert (builder->node_of_rank, GINT_TO_POINTER (track->rank + 1), (gpointer) node);
}

static void
survey (Builder *builder)
{
  g_autoptr (GHashTable) nodes = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);
  LoomRun *run = loom_timeline_get_run (builder->tree->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    gboolean rankless = FALSE;
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      survey_track (builder, nodes, ranks, track);
      rankless |= track->rank < 0;
    }
    if (!rankless || loom_trace_get_n_sources (trace) == 0)
      continue;
    gpointer format = (gpointer) loom_trace_get_source (trace, 0)->format;
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (builder->rankless, format));
    g_hash_table_insert (builder->rankless, format, GUINT_TO_POINTER (n + 1));
  }
  builder->n_nodes = g_hash_table_size (nodes);
  builder->tree->n_ranks = g_hash_table_size (ranks);
}

static const char *
node_of (const Builder *builder, const LoomTrack *track)
{
  const char *node = track->node;
  if ((node == NULL || node[0] == '\0') && track->rank >= 0)
    node = g_hash_table_lookup (builder->node_of_rank, GINT_TO_POINTER (track->rank + 1));
  return node != NULL && node[0] != '\0' ? node : NULL;
}

static LoomRowTreeItem *
node_item (Builder *builder, const LoomTrack *track)
{
  LoomRowTree *tree = builder->tree;
  const char *node = node_of (builder, track);
  if (node == NULL || builder->n_nodes < 2)
    return tree->root;
  LoomRowTreeItem *item = loom_row_tree_child (tree, tree->root, LOOM_LEVEL_NODE, node, node);
  item->section = LOOM_SECTION_WORKERS;
  item->node = node;
  return item;
}

/* Returns the item of the track's rank. If the track has no rank, returns an item for the file of the track, because
 * several files may have tracks without a rank. If only one trace of this format lacks a rank, or if the format is one
 * of smdebug's, returns `node`, so that the file has no level of its own. */
static LoomRowTreeItem *
worker_item (Builder *builder, LoomRowTreeItem *node, const LoomTrack *track, const LoomSource *source)
{
  g_autofree char *key = NULL, *label = NULL;
  if (track->rank >= 0) {
    key = g_strdup_printf ("rank %d", track->rank);
    label = loom_track_rank_dup_words (track, track->format);
  } else {
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (builder->rankless, track->format));
    if (n < 2 || g_str_has_prefix (track->format, "smdebug"))
      return node;
    key = g_strconcat ("file ", source->path, NULL);
    label = g_path_get_basename (source->path);
  }
  LoomRowTreeItem *item = loom_row_tree_child (builder->tree, node, LOOM_LEVEL_WORKER, key, label);
  item->section = track->rank >= 0 ? LOOM_SECTION_WORKERS : format_section (track->format);
  item->sort = track->rank;
  item->rank = track->rank;
  if (item->node == NULL)
    item->node = node_of (builder, track);
  return item;
}

/* Gives an item the shorter label `label`, which is shown; item->whole_label keeps the former label. Takes ownership of
 * `label`; NULL: does nothing. */
static void
take_short_label (LoomRowTreeItem *item, char *label)
{
  if (label == NULL || item->whole_label != NULL) {
    g_free (label);
    return;
  }
  item->whole_label = item->label;
  item->label = label;
}

static LoomRowTreeItem *
process_item (Builder *builder, LoomRowTreeItem *worker, const LoomTrack *track)
{
  g_autofree char *label = dup_label (track->process, track->process_key, "process");
  if (label[0] == '\0')
    return worker;
  g_autofree char *key = g_strjoin (LOOM_KEY_SEPARATOR, track->format, track->process_key, label, NULL);
  g_autofree char *words = g_strstrip (loom_track_label_dup_process (track));
  LoomRowTreeItem *item =
    loom_row_tree_child (builder->tree, worker, LOOM_LEVEL_PROCESS, key, words[0] != '\0' ? words : label);
  take_short_label (item, loom_plane_label_dup_process (track));
  item->section = format_section (track->format);
  item->sort = g_str_has_prefix (track->format, "smdebug") ? phase_order (label) : track->process_sort;
  return item;
}

/* Returns TRUE if the track overlaps in time with a track that is already in the row, by more than OVERLAP_ALLOWED. */
static gboolean
collides (const LoomRowTree *tree, const LoomRowTreeItem *row, LoomTrackId track)
{
  LoomRange mine, other;
  if (!loom_row_tree_extent (tree, track, &mine))
    return FALSE;
  for (guint i = 0; i < row->tracks->len; i++) {
    if (!loom_row_tree_extent (tree, g_array_index (row->tracks, LoomTrackId, i), &other))
      continue;
    gint64 shared = loom_time_sub (MIN (mine.end_ns, other.end_ns), MAX (mine.begin_ns, other.begin_ns));
    gint64 shorter = MIN (loom_time_sub (mine.end_ns, mine.begin_ns), loom_time_sub (other.end_ns, other.begin_ns));
    if (shared > (gint64) ((double) shorter * OVERLAP_ALLOWED))
      return TRUE;
  }
  return FALSE;
}

static char *
dup_row_label (const LoomTrack *track, const char *thread)
{
  if (track->kind == LOOM_TRACK_ASYNC)
    return g_strdup (track->name[0] != '\0' ? track->name : C_ ("row", "async"));
  if (track->kind == LOOM_TRACK_INSTANTS)
    return g_strdup ((track->flags & LOOM_TRACK_GLOBAL) != 0 ? C_ ("row", "markers")
                     : track->name[0] != '\0'                ? track->name
                                                             : C_ ("row", "instants"));
  g_autofree char *words = g_strstrip (loom_track_label_dup_thread (track));
  return g_strdup (words[0] != '\0' ? words : thread[0] != '\0' ? thread : C_ ("row", "main"));
}

char *
loom_row_tree_dup_row_label (const LoomTrack *track)
{
  g_autofree char *thread = dup_label (track->thread, track->thread_key, "thread");
  return dup_row_label (track, thread);
}

static const LoomRowKind row_kinds[] = { [LOOM_TRACK_SPANS] = LOOM_ROW_SPANS,
                                         [LOOM_TRACK_INSTANTS] = LOOM_ROW_INSTANTS,
                                         [LOOM_TRACK_COUNTER] = LOOM_ROW_COUNTER,
                                         [LOOM_TRACK_ASYNC] = LOOM_ROW_ASYNC };

static LoomRowTreeItem *
row_item (Builder *builder, LoomRowTreeItem *process, LoomTrackId id, const LoomTrack *track)
{
  g_autofree char *thread = dup_label (track->thread, track->thread_key, "thread");
  g_autofree char *label = dup_row_label (track, thread);
  for (guint copy = 1;; copy++) {
    g_autofree char *suffix = copy > 1 ? g_strdup_printf ("#%u", copy) : g_strdup ("");
    g_autofree char *key = g_strjoin (LOOM_KEY_SEPARATOR, loom_trace_track_kind_to_string (track->kind),
                                      track->thread_key, thread, track->name, suffix, NULL);
    LoomRowTreeItem *row = loom_row_tree_child (builder->tree, process, LOOM_LEVEL_ROW, key, label);
    if (collides (builder->tree, row, id))
      continue;
    if (track->kind == LOOM_TRACK_SPANS)
      take_short_label (row, loom_plane_label_dup_thread (track));
    row->kind = row_kinds[track->kind];
    row->section = track->kind == LOOM_TRACK_ASYNC                    ? LOOM_SECTION_ASYNC
                   : row->kind == LOOM_ROW_SPANS || thread[0] != '\0' ? LOOM_SECTION_THREADS
                                                                      : LOOM_SECTION_PROCESS_INSTANTS;
    row->sort = track->thread_sort;
    row->sort2 = track->kind;
    if (row->order_label == NULL) {
      row->order_label = g_strdup (thread);
      row->thread_words = g_strstrip (loom_track_label_dup_thread (track));
    }
    row->is_nameless = row->kind == LOOM_ROW_SPANS && strcmp (track->thread, "(no thread)") == 0;
    row->is_unnamed = track->name[0] == '\0';
    row->is_device = (track->flags & LOOM_TRACK_DEVICE) != 0 && row->kind != LOOM_ROW_INSTANTS;
    row->is_derived = (track->flags & LOOM_TRACK_DERIVED) != 0 && (row->is_derived || row->tracks->len == 0);
    row->folded = (track->flags & LOOM_TRACK_COLLAPSED) != 0 || (row->is_device && row->is_derived);
    return row;
  }
}

/* Returns TRUE if none of up to SAMPLED spans of a row is work, that is, all are waits for other streams, or
 * annotations. */
static gboolean
has_no_work (LoomTrace *trace, const LoomRow *row)
{
  guint32 n = MIN (row->n, SAMPLED);
  for (guint32 i = 0; i < n; i++) {
    guint32 span = row->first + loom_row_summary_sample (row->n, n, i);
    const LoomName *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span]);
    if (!loom_work_kind_is_wait (loom_work_kind_classify (name->text, name->category, TRUE)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
has_only_waits (LoomTrace *trace, const LoomTrack *track)
{
  for (guint i = 0; i < MIN (track->n_rows, MOST_DEPTHS); i++)
    if (!has_no_work (trace, loom_trace_get_row (trace, track->first_row + i)))
      return FALSE;
  return track->n_rows > 0;
}

/* Stores in an item the name that the user gave to the item's source. If the item has several sources with different
 * names, it gets no name. */
static void
give_name (const Builder *builder, LoomRowTreeItem *item, const LoomSource *source)
{
  const char *name = loom_source_overrides_get_name (builder->names, source->path);
  if (!item->is_given)
    item->given = g_strdup (name);
  else if (g_strcmp0 (item->given, name) != 0)
    g_clear_pointer (&item->given, g_free);
  item->is_given = TRUE;
}

static void
add_track (Builder *builder, LoomTrackId id)
{
  LoomRowTree *tree = builder->tree;
  const LoomTrack *track = loom_row_tree_track (tree, id);
  const LoomSource *source = loom_row_tree_source (tree, id);
  if (track->n_events == 0)
    return;
  LoomRowTreeItem *node = node_item (builder, track);
  LoomRowTreeItem *worker = worker_item (builder, node, track, source);
  LoomRowTreeItem *process = process_item (builder, worker, track);
  if (worker != node)
    give_name (builder, worker, source);
  else if (process != node)
    give_name (builder, process, source);
  if (track->kind != LOOM_TRACK_COUNTER) {
    LoomRowTreeItem *row = row_item (builder, process, id, track);
    row->only_waits = row->is_device && (row->only_waits || row->tracks->len == 0) &&
                      has_only_waits (loom_run_get_trace (loom_timeline_get_run (tree->timeline), id.trace), track);
    g_array_append_val (row->tracks, id);
    tree->track_item[tree->first_track[id.trace] + id.track] = row;
    return;
  }
  GArray *counters = g_hash_table_lookup (builder->counters, process);
  if (counters == NULL) {
    counters = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
    g_hash_table_insert (builder->counters, process, counters);
    g_ptr_array_add (builder->metered, process);
  }
  g_array_append_val (counters, id);
}

static void
number_tracks (LoomRowTree *tree)
{
  LoomRun *run = loom_timeline_get_run (tree->timeline);
  guint n_traces = loom_run_get_n_traces (run), n = 0;
  tree->first_track = g_new0 (guint, n_traces + 1);
  for (guint i = 0; i < n_traces; i++) {
    tree->first_track[i] = n;
    n += loom_trace_get_n_tracks (loom_run_get_trace (run, i));
  }
  tree->first_track[n_traces] = n;
  tree->track_item = g_new0 (LoomRowTreeItem *, MAX (n, 1));
}

static void
add_tracks (Builder *builder)
{
  LoomRowTree *tree = builder->tree;
  LoomRun *run = loom_timeline_get_run (tree->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    for (guint k = tree->first_track[i]; k < tree->first_track[i + 1]; k++)
      add_track (builder, (LoomTrackId) { i, k - tree->first_track[i] });
}

static void
add_counters (Builder *builder)
{
  for (guint i = 0; i < builder->metered->len; i++) {
    LoomRowTreeItem *process = g_ptr_array_index (builder->metered, i), *node = process;
    while (node->level > LOOM_LEVEL_NODE)
      node = node->parent;
    loom_row_tree_add_plots (builder->tree, process, node, g_hash_table_lookup (builder->counters, process));
  }
}

/* Sets `has_rows` of an item and of all items below it, and counts the hidden ones. Returns `has_rows` of the item. */
static gboolean
find_rows (LoomRowTree *tree, LoomRowTreeItem *item)
{
  tree->n_hidden += item->hidden;
  item->has_rows = item->kind != LOOM_ROW_GROUP;
  for (guint i = 0; i < item->children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    item->has_rows |= find_rows (tree, child) && !child->hidden;
  }
  return item->has_rows;
}

LoomRowTree *
loom_row_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  LoomRowTree *tree = g_new0 (LoomRowTree, 1);
  tree->timeline = loom_timeline_ref (timeline);
  tree->items = g_ptr_array_new_with_free_func (item_free);
  tree->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  tree->details = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  tree->texts = g_string_chunk_new (1024);
  tree->names = names != NULL ? loom_source_overrides_copy (names) : NULL;
  tree->root = item_new (LOOM_LEVEL_JOB, g_strdup ("job"), "job");
  g_ptr_array_add (tree->items, tree->root);
  number_tracks (tree);
  g_autoptr (GHashTable) node_of_rank = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) rankless = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) counters = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) metered = g_ptr_array_new ();
  Builder builder = { tree, node_of_rank, 0, rankless, counters, metered, names };
  survey (&builder);
  add_tracks (&builder);
  add_counters (&builder);
  loom_row_tree_shape (tree);
  for (guint i = 0; i < tree->items->len; i++)
    ((LoomRowTreeItem *) g_ptr_array_index (tree->items, i))->number = i;
  loom_row_tree_choose_pictures (tree);
  find_rows (tree, tree->root);
  return tree;
}

void
loom_row_tree_free (LoomRowTree *tree)
{
  if (tree == NULL)
    return;
  g_hash_table_unref (tree->details);
  g_hash_table_unref (tree->by_key);
  g_ptr_array_unref (tree->items);
  g_string_chunk_free (tree->texts);
  g_free (tree->first_track);
  g_free (tree->track_item);
  g_clear_pointer (&tree->names, loom_source_overrides_free);
  loom_timeline_unref (tree->timeline);
  g_free (tree);
}

static void
free_kept (gpointer data)
{
  LoomRowTree *tree = data;
  tree->timeline = NULL; /* the timeline is being freed; the tree has no reference to it that must be released */
  loom_row_tree_free (tree);
}

const LoomRowTree *
loom_row_tree_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  LoomRowTree *tree = loom_row_tree_new (timeline, names);
  loom_timeline_unref (timeline); /* the timeline owns the tree, so a reference to the timeline would be a cycle */
  loom_timeline_keep (timeline, tree, free_kept);
  return tree;
}

LoomRowTree *
loom_row_tree_take (LoomTimeline *timeline, const LoomSourceOverrides *names)
{
  LoomRowTree *tree = loom_timeline_take (timeline, free_kept);
  if (tree != NULL)
    loom_timeline_ref (timeline);
  if (tree != NULL && loom_source_overrides_name_the_same (tree->names, names))
    return tree;
  loom_row_tree_free (tree);
  return loom_row_tree_new (timeline, names);
}

LoomRowTreeItem *
loom_row_tree_get (const LoomRowTree *tree, LoomTrackId track)
{
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (tree->timeline));
  LoomRowTreeItem **of_detail =
    track.trace >= n_traces ? g_hash_table_lookup (tree->details, GUINT_TO_POINTER (track.trace)) : NULL;
  if (of_detail != NULL)
    return of_detail[track.track];
  if (track.trace >= n_traces || track.track >= tree->first_track[track.trace + 1] - tree->first_track[track.trace])
    return NULL;
  return tree->track_item[tree->first_track[track.trace] + track.track];
}
