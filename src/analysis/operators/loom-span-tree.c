/* SPDX-License-Identifier: Apache-2.0
 *
 * Worker threads process one track after another. Each thread has its own trie, to which it adds the spans; the tries
 * are merged at the end. Then the nodes with the longest total times are chosen for the tree. A node can be chosen only
 * if its parent is chosen.
 */
#include "loom-span-tree.h"

#include <glib/gi18n.h>

#include "loom-parallel.h"
#include "loom-progress-cancellable.h"
#include "loom-span-tree-input.h"
#include "loom-span-trie.h"
#include "loom-span-walk.h"

#define MOST_THREADS 16
#define CANCEL_EVERY 65536 /* number of spans between two checks of the cancellable */

/* Used instead of the number of a function for spans that mark a step, such as "ProfilerStep#3", and are not calls. */
#define STEP G_MAXUINT32

/* The names of all spans of a run, numbered as functions of a LoomCallTree. */
typedef struct {
  /* [number of a function] LoomCallFunction; number LOOM_CALL_TREE_OTHER is for nodes that replace several smaller
   * nodes */
  GArray *functions;
  GHashTable *known;   /* name of a function → number of the function */
  GStringChunk *texts; /* owns the names of functions that differ from the names of their spans */
  guint32 **maps;      /* [trace][name id] number of the function, or STEP */
  guint n_traces;
} Names;

typedef struct {
  const LoomSpanTreeQuery *query;
  LoomRun *run;
  Names names;
  GArray *tracks; /* LoomTrackId; the tracks with the most events come first */
  LoomSpanTrie tries[MOST_THREADS];
  guint n_tries;
  GCancellable *cancellable;
} Build;

gboolean
loom_span_tree_is_cpu (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) == 0;
}

gboolean
loom_span_tree_is_wait (const char *name)
{
  return (g_str_has_prefix (name, "cu") || g_str_has_prefix (name, "hip")) && g_str_has_suffix (name, "Synchronize");
}

/* --- names of the nodes ------------------------------------------------------------------------------------------- */

static guint32
add_name (Names *names, const LoomName *name)
{
  if (loom_span_tree_input_is_step (name->text))
    return STEP;
  g_autofree char *plain = loom_span_tree_input_dup_function (name->text);
  const char *text = plain != NULL ? g_string_chunk_insert_const (names->texts, plain) : name->text;
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (names->known, text));
  if (number == 0) {
    LoomCallFunction function = { text, name->category, "", 0, name->text_hash };
    number = names->functions->len;
    g_array_append_val (names->functions, function);
    g_hash_table_insert (names->known, (gpointer) text, GUINT_TO_POINTER (number));
  }
  return number;
}

static void
names_init (Names *names, LoomRun *run)
{
  LoomCallFunction other = { C_ ("call tree", "other"), "", "", 0, 0 };
  names->functions = g_array_new (FALSE, FALSE, sizeof (LoomCallFunction));
  names->known = g_hash_table_new (g_str_hash, g_str_equal);
  names->texts = g_string_chunk_new (256);
  names->n_traces = loom_run_get_n_traces (run);
  names->maps = g_new0 (guint32 *, MAX (names->n_traces, 1));
  g_array_append_val (names->functions, other);
  for (guint t = 0; t < names->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    guint n = loom_trace_get_n_names (trace);
    names->maps[t] = g_new (guint32, MAX (n, 1));
    for (guint i = 0; i < n; i++)
      names->maps[t][i] = add_name (names, loom_trace_get_name (trace, i));
  }
}

static void
names_clear (Names *names)
{
  for (guint t = 0; t < names->n_traces; t++)
    g_free (names->maps[t]);
  g_free (names->maps);
  g_hash_table_unref (names->known);
  g_clear_pointer (&names->texts, g_string_chunk_free);
  g_clear_pointer (&names->functions, g_array_unref);
}

/* --- choice of the tracks ----------------------------------------------------------------------------------------- */

static const LoomTrack *
get_track (LoomRun *run, LoomTrackId id)
{
  return loom_trace_get_track (loom_run_get_trace (run, id.trace), id.track);
}

static int
compare_tracks (gconstpointer a, gconstpointer b, gpointer run)
{
  const LoomTrackId *x = a, *y = b;
  guint64 n = get_track (run, *x)->n_events, m = get_track (run, *y)->n_events;
  if (n != m)
    return n > m ? -1 : 1;
  return x->trace != y->trace ? (x->trace < y->trace ? -1 : 1) : x->track < y->track ? -1 : x->track > y->track;
}

/* --- spans that are omitted from the tree ------------------------------------------------------------------------- */

/* Used instead of the number of a node if an open span is omitted from the tree. */
#define NO_NODE G_MAXUINT32

/* Returns TRUE for spans by which the profiler marks its recording, such as Kineto's "PyTorch Profiler (0)". They last
 * as long as the recording and are not calls. */
static gboolean
is_mark (const LoomCallFunction *function)
{
  return g_ascii_tolower (*function->category) == 't' && g_ascii_strcasecmp (function->category, "trace") == 0;
}

static gboolean
is_wait (const Build *build, guint32 number)
{
  return loom_span_tree_is_wait (g_array_index (build->names.functions, LoomCallFunction, number).name);
}

static gboolean
is_left_out (const Build *build, guint32 parent, guint32 number)
{
  const LoomCallFunction *function = &g_array_index (build->names.functions, LoomCallFunction, number);
  return parent == NO_NODE || is_mark (function) || (build->query->omits_waits && is_wait (build, number));
}

/* Subtracts the time of an omitted call from the nodes of the spans that contain the call. `at`: the nodes from the
 * root to the innermost one, which has the index `depth`. The root has no time of its own, so it is skipped. */
static void
remove_time (LoomSpanTrie *trie, const guint32 *at, guint depth, gint64 ns)
{
  if (at[depth] == NO_NODE)
    return; /* this call is inside an omitted call whose time has already been subtracted */
  for (guint i = 1; i <= depth; i++) {
    if (at[i] == at[i - 1])
      continue; /* a span that marks a step has the node of its parent */
    trie->nodes[at[i]].total_ns -= ns;
    trie->nodes[at[i - 1]].child_ns -= ns;
  }
}

/* --- adding the spans to a trie ----------------------------------------------------------------------------------- */

static void
add_lane (const Build *build, LoomSpanTrie *trie, LoomSpanWalk *walk, const LoomSpans *spans, const guint32 *map,
          LoomRange local, GArray *path)
{
  guint depth, n = 0;
  g_array_set_size (path, walk->n_rows + 1);
  /* [depth + 1] node of the open span at this depth; at[0] is the root */
  guint32 *at = (guint32 *) (gpointer) path->data;
  at[0] = 0;
  for (guint32 span; (span = loom_span_walk_next (walk, &depth)) != G_MAXUINT32;) {
    gint64 inside_ns = loom_span_walk_clip (spans, span, local);
    if (map[spans->name_id[span]] == STEP) {
      at[depth + 1] = at[depth];
      continue;
    }
    if (is_left_out (build, at[depth], map[spans->name_id[span]])) {
      if (at[depth] != NO_NODE && is_wait (build, map[spans->name_id[span]]))
        trie->waits_ns = loom_time_add (trie->waits_ns, inside_ns);
      remove_time (trie, at, depth, inside_ns);
      at[depth + 1] = NO_NODE;
      continue;
    }
    guint32 node = loom_span_trie_get_child (trie, at[depth], map[spans->name_id[span]]);
    at[depth + 1] = node;
    trie->nodes[node].calls++;
    trie->nodes[node].total_ns = loom_time_add (trie->nodes[node].total_ns, inside_ns);
    trie->nodes[at[depth]].child_ns = loom_time_add (trie->nodes[at[depth]].child_ns, inside_ns);
    if (++n % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (build->cancellable))
      return;
  }
}

static void
add_track (guint item, guint worker, gpointer data)
{
  Build *build = data;
  LoomTrackId id = g_array_index (build->tracks, LoomTrackId, item);
  const LoomTrace *trace = loom_run_get_trace (build->run, id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  LoomRange local = loom_span_walk_get_local (build->query->timeline, id.trace, track, build->query->range);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  LoomSpanWalk walk;
  LoomSpanLane lane;
  loom_span_walk_init (&walk);
  for (guint32 row = track->first_row; loom_span_walk_next_lane (trace, track, &row, &lane);) {
    if (g_cancellable_is_cancelled (build->cancellable))
      break;
    loom_span_walk_begin (&walk, trace, lane, local);
    add_lane (build, &build->tries[worker], &walk, loom_trace_get_spans (trace), build->names.maps[id.trace], local,
              path);
  }
  loom_span_walk_clear (&walk);
  loom_progress_cancellable_add_done (build->cancellable, track->n_events);
}

static void
add_all (Build *build)
{
  guint64 n = 0;
  build->n_tries = MIN (loom_parallel_resolve (0), MOST_THREADS);
  for (guint i = 0; i < build->n_tries; i++)
    loom_span_trie_init (&build->tries[i]);
  for (guint i = 0; i < build->tracks->len; i++)
    n += get_track (build->run, g_array_index (build->tracks, LoomTrackId, i))->n_events;
  loom_progress_cancellable_add_total (build->cancellable, n);
  loom_parallel_for (build->tracks->len, build->n_tries, add_track, build, NULL);
  for (guint i = 1; i < build->n_tries; i++)
    loom_span_trie_merge (&build->tries[0], &build->tries[i]);
}

/* --- the nodes with most time ------------------------------------------------------------------------------------- */

typedef struct {
  const LoomSpanTrie *trie;
  guint32 *depths; /* [node] depth of the node */
  guint32 *sorted; /* nodes, sorted by total time, longest first */
  /* `first`: [node] the node's kept child with the longest time; `next`: [node] the next kept child of the node's
   * parent; 0: there is none */
  guint32 *first, *next;
  guint32 *last;
  /* [node] sum over the node's children that are not kept; its member `parent` contains the number of these children */
  LoomSpanTrieNode *rest;
  GArray *nodes; /* LoomCallNode: the nodes of the result */
} Selection;

/* Compares nodes by total time, longest first. If the times are equal, a parent comes before its children; other nodes
 * are compared by the names on their paths to the root. Node numbers are not compared, because they depend on thread
 * scheduling. */
static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer data)
{
  const Selection *selection = data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  const LoomSpanTrieNode *nodes = selection->trie->nodes;
  if (nodes[x].total_ns != nodes[y].total_ns)
    return nodes[x].total_ns > nodes[y].total_ns ? -1 : 1;
  if (selection->depths[x] != selection->depths[y])
    return selection->depths[x] < selection->depths[y] ? -1 : 1;
  for (; x != y; x = nodes[x].parent, y = nodes[y].parent)
    if (nodes[x].name != nodes[y].name)
      return nodes[x].name < nodes[y].name ? -1 : 1;
  return 0;
}

static guint32 *
find_depths (const LoomSpanTrie *trie)
{
  guint32 *depths = g_new0 (guint32, trie->n);
  for (guint32 i = 1; i < trie->n; i++) /* a parent comes before its children, because its number is lower */
    depths[i] = depths[trie->nodes[i].parent] + 1;
  return depths;
}

static gboolean
is_kept (const Selection *selection, const guint8 *kept, guint32 node)
{
  return selection->trie->nodes[node].name != LOOM_SPAN_TRIE_REST && kept[selection->trie->nodes[node].parent];
}

static void
select_nodes (Selection *selection)
{
  guint32 n = selection->trie->n, n_kept = 0;
  g_autofree guint8 *kept = g_new0 (guint8, n);
  kept[0] = TRUE;
  for (guint32 i = 0; i + 1 < n; i++)
    selection->sorted[i] = i + 1;
  g_qsort_with_data (selection->sorted, (gint) n - 1, sizeof (guint32), compare_nodes, selection);
  for (guint32 i = 0; i + 1 < n; i++) {
    guint32 node = selection->sorted[i], parent = selection->trie->nodes[node].parent;
    const LoomSpanTrieNode *times = &selection->trie->nodes[node];
    if (n_kept < LOOM_SPAN_TREE_MOST_KEPT && times->total_ns > 0 && is_kept (selection, kept, node)) {
      kept[node] = TRUE;
      n_kept++;
      if (selection->last[parent] != 0)
        selection->next[selection->last[parent]] = node;
      else
        selection->first[parent] = node;
      selection->last[parent] = node;
    } else if (kept[parent]) {
      selection->rest[parent].calls += times->calls;
      selection->rest[parent].total_ns = loom_time_add (selection->rest[parent].total_ns, times->total_ns);
      selection->rest[parent].parent++;
    }
  }
}

typedef struct {
  /* `node`: number of the node in the trie; `parent`: number of its parent in the resulting tree; `depth`: depth of the
   * node in the resulting tree */
  guint32 node, parent, depth;
} Waiting;

static void
append_rest (Selection *selection, guint32 node, guint32 parent, guint32 depth)
{
  const LoomSpanTrieNode *rest = &selection->rest[node];
  LoomCallNode other = { .parent = parent,
                         .function = LOOM_CALL_TREE_OTHER,
                         .depth = depth,
                         .dur_ns = rest->total_ns,
                         .calls = rest->calls,
                         .n_merged = rest->parent };
  if (rest->parent > 0 && rest->total_ns > 0)
    g_array_append_val (selection->nodes, other);
}

/* Pushes the kept children of a node on the stack in reverse order, so that the child with the longest time is popped
 * first. `parent`, `depth`: see Waiting. */
static void
push_children (Selection *selection, GArray *stack, guint32 node, guint32 parent, guint32 depth)
{
  guint first = stack->len;
  for (guint32 child = selection->first[node]; child != 0; child = selection->next[child]) {
    Waiting waiting = { child, parent, depth };
    g_array_append_val (stack, waiting);
  }
  for (guint i = first, k = stack->len; i + 1 < k; i++) {
    Waiting *low = &g_array_index (stack, Waiting, i), *high = &g_array_index (stack, Waiting, --k), swap = *low;
    *low = *high;
    *high = swap;
  }
}

static void
append_nodes (Selection *selection)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Waiting));
  push_children (selection, stack, 0, LOOM_FRAME_NONE, 0);
  while (stack->len > 0) {
    Waiting one = g_array_index (stack, Waiting, stack->len - 1);
    const LoomSpanTrieNode *of = &selection->trie->nodes[one.node];
    LoomCallNode node = {
      .parent = one.parent, .function = of->name, .depth = one.depth, .dur_ns = of->total_ns, .calls = of->calls
    };
    guint32 number = selection->nodes->len;
    g_array_set_size (stack, stack->len - 1);
    g_array_append_val (selection->nodes, node);
    append_rest (selection, one.node, number, one.depth + 1);
    push_children (selection, stack, one.node, number, one.depth + 1);
  }
  append_rest (selection, 0, LOOM_FRAME_NONE, 0);
}

/* Owns the texts of a tree. */
typedef struct {
  LoomRun *run;
  GStringChunk *plain;
} Texts;

static void
texts_free (gpointer data)
{
  Texts *texts = data;
  loom_run_unref (texts->run);
  g_string_chunk_free (texts->plain);
  g_free (texts);
}

/* Returns the total time of the waits for devices in a tree; 0 if the tree omits waits. Waits inside other waits do not
 * count again. */
static gint64
sum_waits (const Build *build, const LoomSpanTrie *trie)
{
  g_autofree guint8 *waits = g_new0 (guint8, trie->n);
  gint64 sum_ns = 0;
  for (guint32 i = 1; i < trie->n; i++) { /* a parent comes before its children, because its number is lower */
    const LoomSpanTrieNode *node = &trie->nodes[i];
    gboolean is_in_wait = waits[node->parent];
    waits[i] = is_in_wait || (node->name != LOOM_SPAN_TRIE_REST && is_wait (build, node->name));
    sum_ns = waits[i] && !is_in_wait ? loom_time_add (sum_ns, node->total_ns) : sum_ns;
  }
  return sum_ns;
}

static LoomCallTree *
make_tree (Build *build, const LoomSpanTrie *trie)
{
  gsize n = trie->n;
  Selection selection = { .trie = trie,
                          .depths = find_depths (trie),
                          .sorted = g_new (guint32, n),
                          .first = g_new0 (guint32, n),
                          .next = g_new0 (guint32, n),
                          .last = g_new0 (guint32, n),
                          .rest = g_new0 (LoomSpanTrieNode, n),
                          .nodes = g_array_new (FALSE, FALSE, sizeof (LoomCallNode)) };
  select_nodes (&selection);
  append_nodes (&selection);
  g_free (selection.depths);
  g_free (selection.sorted);
  g_free (selection.first);
  g_free (selection.next);
  g_free (selection.last);
  g_free (selection.rest);
  Texts *texts = g_new (Texts, 1);
  *texts = (Texts) { loom_run_ref (build->run), g_steal_pointer (&build->names.texts) };
  LoomCallTree *tree =
    loom_call_tree_new_from_nodes (selection.nodes, g_steal_pointer (&build->names.functions), texts, texts_free);
  tree->is_cut = trie->is_cut;
  return tree;
}

const char *
loom_span_tree_get_missing (LoomRun *run)
{
  if (loom_run_has_index (run))
    return _ ("Index files contain only sums of what the host did: open the trace files themselves to see calls.");
  return _ ("No calls of CPU threads were found.");
}

static LoomCallTree *
build_tree (const LoomSpanTreeQuery *query, GCancellable *cancellable)
{
  LoomRun *run = loom_timeline_get_run (query->timeline);
  g_autofree Build *build = g_new0 (Build, 1);
  LoomSpanTrie reversed;
  LoomCallTree *tree = NULL;
  *build = (Build) {
    .query = query, .run = run, .tracks = loom_span_tree_input_list_tracks (query, run), .cancellable = cancellable
  };
  g_array_sort_with_data (build->tracks, compare_tracks, run);
  names_init (&build->names, run);
  add_all (build);
  loom_span_trie_init (&reversed);
  gint64 waits_ns = sum_waits (build, &build->tries[0]);
  if (query->direction == LOOM_SPAN_TREE_BOTTOM_UP && !g_cancellable_is_cancelled (cancellable))
    loom_span_trie_add_reversed (&reversed, &build->tries[0]);
  if (!g_cancellable_is_cancelled (cancellable))
    tree = make_tree (build, query->direction == LOOM_SPAN_TREE_BOTTOM_UP ? &reversed : &build->tries[0]);
  if (tree != NULL) {
    tree->omits_waits = query->omits_waits;
    tree->waits_ns = query->omits_waits ? build->tries[0].waits_ns : waits_ns;
  }
  loom_span_trie_clear (&reversed);
  for (guint i = 0; i < build->n_tries; i++)
    loom_span_trie_clear (&build->tries[i]);
  names_clear (&build->names);
  g_array_unref (build->tracks);
  return tree;
}

LoomCallTree *
loom_span_tree_new (const LoomSpanTreeQuery *query, GCancellable *cancellable)
{
  g_return_val_if_fail (query != NULL && query->timeline != NULL, NULL);
  return build_tree (query, cancellable);
}
