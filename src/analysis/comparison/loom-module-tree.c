/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-module-tree.h"

#include "loom-int64-hash.h"
#include "loom-module-spans.h"
#include "loom-operators.h"
#include "loom-parallel.h"
#include "loom-run-names.h"

#define NONE LOOM_MODULE_SPANS_NONE

/* Identifies a node among the children of its parent. Modules are identified by name alone. Python functions and
 * operators are also identified by their occurrence: 0 for the first call of this name in a call of the parent, 1 for
 * the second call, and so on. */
typedef struct {
  guint32 name; /* id of the name in the LoomRunNames */
  guint32 occurrence;
} Key;

typedef struct {
  const LoomModuleTreeQuery *query;
  LoomModuleLevel level;
  GCancellable *cancellable;
  LoomCountedSteps steps;
  LoomRunNames *names;
  LoomModuleSpans *traces;
  guint n_traces;
  LoomSpanTrie trie; /* the names of the nodes are indices in `keys` */
  /* array of the struct Key, without duplicates: identifies the nodes of the tree */
  GArray *keys;
  GHashTable *known; /* Key, packed into a gint64 → index in `keys`, plus 1 */
  /* key: a parent's span and a name, packed into a gint64; value: number of calls of the name so far in this span;
   * cleared for each trace */
  GHashTable *seen;
  GArray *nodes; /* [node of `trie`] LoomModuleNode */
} Making;

gboolean
loom_module_tree_has_level (LoomRun *run, LoomModuleLevel level)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; !loom_trace_is_index (trace) && k < loom_trace_get_n_names (trace); k++) {
      const LoomName *name = loom_trace_get_name (trace, k);
      if (level == LOOM_MODULE_LEVEL_MODULES ? loom_operators_is_module (name->text)
                                             : loom_module_spans_is_node (name, level))
        return TRUE;
    }
  }
  return FALSE;
}

gint64
loom_module_tree_sum (const LoomModuleTree *tree, guint32 node)
{
  gint64 sum_ns = 0;
  for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++)
    sum_ns = loom_time_add (sum_ns, tree->nodes[node].all_ns[phase]);
  return sum_ns;
}

/* --- node of each span -------------------------------------------------------------------------------------------- */

static guint32
find_key (Making *self, guint32 name, guint32 occurrence)
{
  gint64 both = (gint64) ((guint64) name << 32 | occurrence);
  guint32 key = GPOINTER_TO_UINT (g_hash_table_lookup (self->known, &both));
  if (key > 0)
    return key - 1;
  Key one = { name, occurrence };
  g_array_append_val (self->keys, one);
  g_hash_table_insert (self->known, g_memdup2 (&both, sizeof both), GUINT_TO_POINTER (self->keys->len));
  return self->keys->len - 1;
}

/* Returns how many calls of the name `name` came before the call `span` inside the same call of the parent. If there is
 * no parent, counts calls in the same step on the same track. Always 0 for modules. */
static guint32
count_occurrence (Making *self, const LoomModuleSpans *own, const LoomModuleSpan *span, guint32 name)
{
  if (self->level == LOOM_MODULE_LEVEL_MODULES)
    return 0;
  guint64 parent = span->parent != NONE ? span->parent
                                        : own->spans->len + (guint64) span->track * (self->steps.n + 1) +
                                            (span->step != LOOM_COUNTED_STEPS_NONE ? span->step : self->steps.n);
  gint64 key = (gint64) (parent * self->names->n + name);
  guint32 n = GPOINTER_TO_UINT (g_hash_table_lookup (self->seen, &key));
  g_hash_table_insert (self->seen, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (n + 1));
  return n;
}

static guint32
get_child (Making *self, guint32 parent, guint32 key)
{
  guint32 node = loom_span_trie_get_child (&self->trie, parent, key);
  if (node >= self->nodes->len) {
    LoomModuleNode empty = { .longest = LOOM_SPAN_ID_NONE };
    g_array_append_val (self->nodes, empty);
  }
  return node;
}

static gboolean
has_child (const LoomSpanTrie *trie, guint32 parent, guint32 key, guint32 *child)
{
  for (guint32 slot = loom_span_trie_hash (parent, key) & trie->mask; trie->slots[slot] != 0;
       slot = (slot + 1) & trie->mask) {
    *child = trie->slots[slot];
    if (trie->nodes[*child].parent == parent && trie->nodes[*child].name == key)
      return TRUE;
  }
  return FALSE;
}

/* Returns the node of a module that runs again in the backward pass to recompute its activations. `at`: the node of the
 * operator of the backward pass that contains the module. Searches `at` and its ancestors, and the children of each of
 * these nodes, for a node with this key. If there is none, adds a child of `at`. */
static guint32
find_recomputed (Making *self, guint32 at, guint32 key)
{
  guint32 child;
  for (guint32 node = at;; node = self->trie.nodes[node].parent) {
    if (node != 0 && self->trie.nodes[node].name == key)
      return node;
    if (has_child (&self->trie, node, key, &child))
      return child;
    if (node == 0)
      return get_child (self, at, key);
  }
}

/* Sets the node and the phase of a span. The nodes of all spans that begin before this span must have been set
 * already. */
static void
place (Making *self, LoomModuleSpans *own, LoomModuleSpan *span, guint32 name)
{
  const LoomModuleSpan *all = (const LoomModuleSpan *) (gpointer) own->spans->data;
  span->node = span->parent != NONE ? all[span->parent].node : 0;
  span->phase = span->parent != NONE ? all[span->parent].phase : LOOM_MODULE_PHASE_FORWARD;
  if (span->is_backward) {
    span->phase = LOOM_MODULE_PHASE_BACKWARD;
    if (span->forward != NONE)
      span->node = all[span->forward].node;
  }
  if (!span->is_node)
    return;
  guint32 key = find_key (self, name, count_occurrence (self, own, span, name));
  if (self->level == LOOM_MODULE_LEVEL_MODULES && span->phase == LOOM_MODULE_PHASE_BACKWARD) {
    span->node = find_recomputed (self, span->node, key);
    span->phase = LOOM_MODULE_PHASE_RECOMPUTED;
  } else
    span->node = get_child (self, span->node, key);
}

/* --- times of the nodes ------------------------------------------------------------------------------------------- */

static void
add_device_time (Making *self, const LoomModuleSpan *span)
{
  LoomModuleNode *node = &g_array_index (self->nodes, LoomModuleNode, span->node);
  node->n_kernels += span->n_kernels;
  node->self_ns[span->phase] = loom_time_add (node->self_ns[span->phase], span->device_ns);
  node->transfer_ns[span->phase] = loom_time_add (node->transfer_ns[span->phase], span->transfer_ns);
}

static void
add_call (Making *self, const LoomModuleSpan *span, guint trace)
{
  LoomModuleNode *node = &g_array_index (self->nodes, LoomModuleNode, span->node);
  LoomRun *run = self->names->run;
  gint64 dur_ns = span->end_ns - span->begin_ns;
  gboolean is_first = node->longest.trace == G_MAXUINT32;
  if (is_first ||
      dur_ns > loom_trace_get_spans (loom_run_get_trace (run, node->longest.trace))->dur_ns[node->longest.span])
    node->longest = (LoomSpanId) { trace, span->span };
  node->calls++;
  node->host_ns = loom_time_add (node->host_ns, dur_ns);
}

/* Returns an array: [index of a span] TRUE if the span needs a node; FALSE if a node for the span would have no calls
 * and no time. A span needs a node in four cases: it begins in a step that counts; kernels are launched in it; a span
 * inside it needs a node; or it is the `forward` of a span that needs a node. Owned by the caller. */
static gboolean *
find_needed (const LoomModuleSpans *own)
{
  const LoomModuleSpan *all = (const LoomModuleSpan *) (gpointer) own->spans->data;
  gboolean *are = g_new0 (gboolean, own->spans->len + 1);
  for (guint32 i = own->spans->len; i-- > 0;) {
    const LoomModuleSpan *span = &all[own->order[i]];
    if (!are[own->order[i]] && span->step == LOOM_COUNTED_STEPS_NONE && span->n_kernels == 0)
      continue;
    are[own->order[i]] = TRUE;
    if (span->parent != NONE)
      are[span->parent] = TRUE;
    if (span->forward != NONE)
      are[span->forward] = TRUE;
  }
  return are;
}

static gboolean
add_trace (Making *self, guint number)
{
  LoomModuleSpans *own = &self->traces[number];
  const LoomTrace *trace = loom_run_get_trace (self->names->run, number);
  const guint32 *name_ids = loom_trace_get_spans (trace)->name_id, *map = self->names->maps[number];
  g_autofree gboolean *are_needed = find_needed (own);
  g_hash_table_remove_all (self->seen);
  for (guint32 i = 0; i < own->spans->len; i++) {
    if (!are_needed[own->order[i]])
      continue;
    LoomModuleSpan *span = &g_array_index (own->spans, LoomModuleSpan, own->order[i]);
    place (self, own, span, map[name_ids[span->span]]);
    add_device_time (self, span);
    if (span->is_node && span->step != LOOM_COUNTED_STEPS_NONE)
      add_call (self, span, number);
  }
  add_device_time (self, &own->outside);
  return !g_cancellable_is_cancelled (self->cancellable);
}

static void
run_trace (guint item, guint worker, gpointer data)
{
  Making *self = data;
  if (!g_cancellable_is_cancelled (self->cancellable))
    loom_module_spans_init (&self->traces[item], self->query->timeline, item, self->level, &self->steps,
                            self->cancellable);
}

/* --- making the tree from the trie -------------------------------------------------------------------------------- */

/* Returns the class of a module ("Linear" for "Linear_3"), the name of a Python function without the line number, or
 * the name of an operator. Owned by the caller. */
static char *
dup_label (LoomModuleLevel level, const char *name)
{
  if (level == LOOM_MODULE_LEVEL_MODULES)
    return loom_operators_dup_class (name);
  const char *open = level == LOOM_MODULE_LEVEL_PYTHON ? strchr (name, '(') : NULL;
  const char *close = open != NULL ? open + 1 + strspn (open + 1, "0123456789") : NULL;
  if (close == NULL || *close != ')' || close == open + 1)
    return g_strdup (name);
  return g_strdup_printf ("%.*s%s", (int) (open - name), name, close + 1);
}

static void
set_texts (Making *self, LoomModuleTree *tree, guint32 at, guint32 key)
{
  if (key == LOOM_SPAN_TRIE_REST) {
    tree->nodes[at].name = tree->labels[at].label = at == 0 ? "" : "…";
    return;
  }
  const char *text = self->names->names[g_array_index (self->keys, Key, key).name].text;
  g_autofree char *label = dup_label (self->level, text);
  if (self->level == LOOM_MODULE_LEVEL_MODULES && loom_operators_is_module (text))
    text = strchr (text, ' ') + 1;
  tree->nodes[at].name = g_string_chunk_insert_const (tree->texts, text);
  tree->labels[at].label = g_string_chunk_insert_const (tree->texts, label);
}

/* Returns, for each node of the trie, its first child and its next sibling; 0: there is none. Siblings are in the order
 * in which they were added. The first half of the array contains the first children, the second half the siblings.
 * Owned by the caller. */
static guint32 *
list_children (const LoomSpanTrie *trie)
{
  guint32 *first = g_new0 (guint32, 2 * (gsize) trie->n), *next = first + trie->n;
  for (guint32 i = trie->n; i-- > 1;) {
    next[i] = first[trie->nodes[i].parent];
    first[trie->nodes[i].parent] = i;
  }
  return first;
}

/* Copies the nodes from the trie to the tree in pre-order. Does not use recursion, because the tree of a file can be
 * deeper than the stack of a thread allows. */
static void
fill (Making *self, LoomModuleTree *tree)
{
  const LoomSpanTrie *trie = &self->trie;
  g_autofree guint32 *first = list_children (trie), *place_of = g_new (guint32, trie->n);
  const guint32 *next = first + trie->n;
  guint32 at = 0, node = 0;
  for (;;) {
    tree->nodes[at] = g_array_index (self->nodes, LoomModuleNode, node);
    tree->nodes[at].parent = node == 0 ? LOOM_TREE_COMPARISON_NONE : place_of[trie->nodes[node].parent];
    tree->nodes[at].depth = node == 0 ? 0 : tree->nodes[tree->nodes[at].parent].depth + 1;
    set_texts (self, tree, at, trie->nodes[node].name);
    place_of[node] = at++;
    if (first[node] != 0) {
      node = first[node];
      continue;
    }
    while (node != 0 && next[node] == 0) {
      tree->labels[place_of[node]].end = at;
      node = trie->nodes[node].parent;
    }
    tree->labels[place_of[node]].end = at;
    if (node == 0)
      return;
    node = next[node];
  }
}

static void
sum_up (LoomModuleTree *tree)
{
  for (guint32 i = tree->n; i-- > 0;) {
    LoomModuleNode *node = &tree->nodes[i];
    for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++) {
      node->all_ns[phase] = loom_time_add (node->all_ns[phase], node->self_ns[phase]);
      if (i > 0)
        tree->nodes[node->parent].all_ns[phase] =
          loom_time_add (tree->nodes[node->parent].all_ns[phase], node->all_ns[phase]);
    }
  }
}

static LoomModuleTree *
make_tree (Making *self)
{
  LoomModuleTree *tree = g_new0 (LoomModuleTree, 1);
  tree->level = self->level;
  tree->n = self->trie.n;
  tree->nodes = g_new0 (LoomModuleNode, tree->n);
  tree->labels = g_new0 (LoomTreeComparisonNode, tree->n);
  tree->n_steps = self->steps.n_used;
  tree->is_cut = self->trie.is_cut;
  tree->texts = g_string_chunk_new (4096);
  for (guint i = 0; i < self->n_traces; i++) {
    tree->n_unlinked += self->traces[i].n_unlinked;
    tree->unlinked_ns = loom_time_add (tree->unlinked_ns, self->traces[i].unlinked_ns);
  }
  fill (self, tree);
  sum_up (tree);
  return tree;
}

static LoomModuleTree *
make (Making *self)
{
  LoomModuleNode root = { .longest = LOOM_SPAN_ID_NONE };
  g_array_append_val (self->nodes, root);
  loom_parallel_for (self->n_traces, 0, run_trace, self, NULL);
  if (g_cancellable_is_cancelled (self->cancellable))
    return NULL;
  for (guint i = 0; i < self->n_traces; i++)
    if (!add_trace (self, i))
      return NULL;
  return make_tree (self);
}

LoomModuleTree *
loom_module_tree_new (const LoomModuleTreeQuery *query, LoomModuleLevel level, GCancellable *cancellable)
{
  LoomRun *run = loom_timeline_get_run (query->timeline);
  g_autoptr (LoomRunNames) names = loom_run_names_new (run);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (Key));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (LoomModuleNode));
  g_autoptr (GHashTable) known = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  Making self = { .query = query,
                  .level = level,
                  .cancellable = cancellable,
                  .names = names,
                  .keys = keys,
                  .known = known,
                  .seen = seen,
                  .nodes = nodes,
                  .n_traces = loom_run_get_n_traces (run) };
  self.traces = g_new0 (LoomModuleSpans, MAX (self.n_traces, 1));
  loom_counted_steps_init (&self.steps, query->breakdown, query->range);
  loom_span_trie_init (&self.trie);
  LoomModuleTree *tree = make (&self);
  for (guint i = 0; i < self.n_traces; i++)
    loom_module_spans_clear (&self.traces[i]);
  g_free (self.traces);
  loom_span_trie_clear (&self.trie);
  loom_counted_steps_clear (&self.steps);
  return tree;
}

void
loom_module_tree_free (LoomModuleTree *tree)
{
  if (tree == NULL)
    return;
  g_free (tree->nodes);
  g_free (tree->labels);
  g_string_chunk_free (tree->texts);
  g_free (tree);
}
