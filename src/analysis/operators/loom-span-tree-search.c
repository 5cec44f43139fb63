/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans whose times a node of a call tree contains.
 */
#include "loom-span-tree-input.h"
#include "loom-span-tree.h"
#include "loom-span-walk.h"

typedef struct {
  const LoomSpanTreeQuery *query;
  const char *const *path; /* names on a path through the tree, from the innermost span to the outermost one */
  guint n_path;
  /* [index in `path`][name id of the current trace] 1 if the name is that element of `path` */
  guint8 **matches;
  /* [level] name id of the open span at this level. The level is the number of calls that enclose the span */
  GArray *stack;
  /* [depth] level of the open span at this nesting depth. The level is the number of calls that enclose the span; spans
   * that mark steps do not count as calls. */
  GArray *levels;
  GArray *found; /* LoomSpanId: the spans found so far */
  guint most;
  guint64 n_all;
} Search;

static char **
dup_path (const LoomSpanTreeQuery *query, const LoomCallTree *tree, guint32 node)
{
  GPtrArray *path = g_ptr_array_new ();
  for (; node != LOOM_FRAME_NONE; node = tree->nodes[node].parent)
    g_ptr_array_add (path, (gpointer) g_strdup (tree->functions[tree->nodes[node].function].name));
  for (guint i = 0; query->direction == LOOM_SPAN_TREE_BOTTOM_UP && i < path->len / 2; i++) {
    gpointer swap = path->pdata[i];
    path->pdata[i] = path->pdata[path->len - 1 - i];
    path->pdata[path->len - 1 - i] = swap;
  }
  g_ptr_array_add (path, NULL);
  return (char **) g_ptr_array_free (path, FALSE);
}

static void
match_names (Search *search, const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  for (guint k = 0; k < search->n_path; k++) {
    g_free (search->matches[k]);
    search->matches[k] = g_new (guint8, MAX (n, 1));
    for (guint i = 0; i < n; i++) {
      const char *text = loom_trace_get_name (trace, i)->text;
      g_autofree char *plain = loom_span_tree_input_dup_function (text);
      search->matches[k][i] = strcmp (plain != NULL ? plain : text, search->path[k]) == 0;
    }
  }
}

/* Sets the level of spans inside the span that was opened at nesting depth `depth`. If the opened span is a call, puts
 * it on search->stack and returns TRUE. If it marks a step, returns FALSE; the spans inside it then have the level of
 * the opened span. */
static gboolean
put_on_stack (Search *search, const LoomTrace *trace, guint32 name, guint depth)
{
  guint *levels = (guint *) (gpointer) search->levels->data;
  gboolean is_step = loom_span_tree_input_is_step (loom_trace_get_name (trace, name)->text);
  levels[depth + 1] = levels[depth] + (is_step ? 0 : 1);
  if (!is_step)
    g_array_index (search->stack, guint32, levels[depth]) = name;
  return !is_step;
}

/* Returns TRUE if the names of the open spans, from the span at level `depth` outwards, are those in search->path. In a
 * top-down tree, the path must also end at the outermost span. */
static gboolean
fits (const Search *search, guint depth)
{
  const guint32 *names = (const guint32 *) (gpointer) search->stack->data;
  if (depth + 1 < search->n_path ||
      (search->query->direction == LOOM_SPAN_TREE_TOP_DOWN && depth + 1 != search->n_path))
    return FALSE;
  for (guint k = 0; k < search->n_path; k++)
    if (!search->matches[k][names[depth - k]])
      return FALSE;
  return TRUE;
}

static void
search_track (Search *search, LoomTrackId id)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (search->query->timeline), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  LoomRange local = loom_span_walk_get_local (search->query->timeline, id.trace, track, search->query->range);
  LoomSpanWalk walk;
  LoomSpanLane lane;
  guint depth;
  loom_span_walk_init (&walk);
  for (guint32 row = track->first_row; loom_span_walk_next_lane (trace, track, &row, &lane);) {
    loom_span_walk_begin (&walk, trace, lane, local);
    g_array_set_size (search->stack, lane.n_rows);
    g_array_set_size (search->levels, lane.n_rows + 1);
    for (guint32 span; (span = loom_span_walk_next (&walk, &depth)) != G_MAXUINT32;) {
      LoomSpanId found = { id.trace, span };
      if (!put_on_stack (search, trace, spans->name_id[span], depth) ||
          !fits (search, g_array_index (search->levels, guint, depth)))
        continue;
      search->n_all++;
      if (search->found->len < search->most)
        g_array_append_val (search->found, found);
    }
  }
  loom_span_walk_clear (&walk);
}

GArray *
loom_span_tree_find_spans (const LoomSpanTreeQuery *query, const LoomCallTree *tree, guint32 node, guint most,
                           guint64 *n_all, GCancellable *cancellable)
{
  g_return_val_if_fail (query != NULL && tree != NULL && node < tree->n_nodes, NULL);
  LoomRun *run = loom_timeline_get_run (query->timeline);
  g_autoptr (GArray) tracks = loom_span_tree_input_list_tracks (query, run);
  g_auto (GStrv) path = dup_path (query, tree, node);
  guint n_path = g_strv_length (path);
  Search search = { .query = query,
                    .path = (const char *const *) path,
                    .n_path = n_path,
                    .matches = g_new0 (guint8 *, n_path + 1),
                    .stack = g_array_new (FALSE, FALSE, sizeof (guint32)),
                    .levels = g_array_new (FALSE, TRUE, sizeof (guint)),
                    .found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId)),
                    .most = most };
  guint trace = G_MAXUINT;
  gboolean is_rest = tree->nodes[node].function == LOOM_CALL_TREE_OTHER;
  for (guint i = 0; !is_rest && i < tracks->len && !g_cancellable_is_cancelled (cancellable); i++) {
    LoomTrackId id = g_array_index (tracks, LoomTrackId, i);
    if (id.trace != trace)
      match_names (&search, loom_run_get_trace (run, id.trace));
    trace = id.trace;
    search_track (&search, id);
  }
  g_strfreev ((char **) search.matches);
  g_array_unref (search.stack);
  g_array_unref (search.levels);
  *n_all = search.n_all;
  if (g_cancellable_is_cancelled (cancellable))
    g_clear_pointer (&search.found, g_array_unref);
  return search.found;
}
