/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-trie.h"

#define FIRST_SLOTS 1024
#define MOST_CALLERS 512 /* maximum number of callers in the path of a node of a bottom-up tree */

static void
put (LoomSpanTrie *trie, guint32 node)
{
  guint32 slot = loom_span_trie_hash (trie->nodes[node].parent, trie->nodes[node].name) & trie->mask;
  while (trie->slots[slot] != 0)
    slot = (slot + 1) & trie->mask;
  trie->slots[slot] = node;
}

static void
rehash (LoomSpanTrie *trie, guint32 n_slots)
{
  g_free (trie->slots);
  trie->slots = g_new0 (guint32, n_slots);
  trie->mask = n_slots - 1;
  for (guint32 i = 1; i < trie->n; i++)
    put (trie, i);
}

void
loom_span_trie_init (LoomSpanTrie *trie)
{
  *trie = (LoomSpanTrie) { .n = 1, .n_room = FIRST_SLOTS / 2 };
  trie->nodes = g_new0 (LoomSpanTrieNode, trie->n_room);
  trie->nodes[0].name = LOOM_SPAN_TRIE_REST;
  rehash (trie, FIRST_SLOTS);
}

void
loom_span_trie_clear (LoomSpanTrie *trie)
{
  g_free (trie->nodes);
  g_free (trie->slots);
  *trie = (LoomSpanTrie) { 0 };
}

guint32
loom_span_trie_add_child (LoomSpanTrie *trie, guint32 parent, guint32 name)
{
  if (name != LOOM_SPAN_TRIE_REST && trie->n >= LOOM_SPAN_TRIE_MOST_NODES) {
    trie->is_cut = TRUE;
    if (parent != 0 && trie->nodes[parent].name == LOOM_SPAN_TRIE_REST)
      /* when the maximum is reached, spans inside a node LOOM_SPAN_TRIE_REST are added to this node itself */
      return parent;
    return loom_span_trie_get_child (trie, parent, LOOM_SPAN_TRIE_REST);
  }
  if (trie->n == trie->n_room) {
    trie->n_room *= 2;
    trie->nodes = g_renew (LoomSpanTrieNode, trie->nodes, trie->n_room);
  }
  guint32 node = trie->n++;
  trie->nodes[node] = (LoomSpanTrieNode) { .name = name, .parent = parent };
  if (trie->n * 2 > trie->mask)
    rehash (trie, (trie->mask + 1) * 2);
  else
    put (trie, node);
  return node;
}

static void
add (LoomSpanTrie *trie, guint32 node, const LoomSpanTrieNode *times)
{
  trie->nodes[node].calls += times->calls;
  trie->nodes[node].total_ns = loom_time_add (trie->nodes[node].total_ns, times->total_ns);
  trie->nodes[node].child_ns = loom_time_add (trie->nodes[node].child_ns, times->child_ns);
}

/* The nodes of `other` are merged in the order of their numbers. So a parent is merged before its children. */
void
loom_span_trie_merge (LoomSpanTrie *trie, const LoomSpanTrie *other)
{
  g_autofree guint32 *map = g_new0 (guint32, other->n);
  trie->is_cut |= other->is_cut;
  trie->waits_ns = loom_time_add (trie->waits_ns, other->waits_ns);
  for (guint32 i = 1; i < other->n; i++) {
    map[i] = loom_span_trie_get_child (trie, map[other->nodes[i].parent], other->nodes[i].name);
    add (trie, map[i], &other->nodes[i]);
  }
}

void
loom_span_trie_add_reversed (LoomSpanTrie *trie, const LoomSpanTrie *other)
{
  trie->is_cut |= other->is_cut;
  for (guint32 i = 1; i < other->n; i++) {
    gint64 self_ns = other->nodes[i].total_ns - other->nodes[i].child_ns;
    guint32 at = 0, n_callers = 0;
    for (guint32 caller = i; caller != 0 && n_callers < MOST_CALLERS;
         caller = other->nodes[caller].parent, n_callers++) {
      if (at != 0)
        trie->nodes[at].child_ns = loom_time_add (trie->nodes[at].child_ns, self_ns);
      at = loom_span_trie_get_child (trie, at, other->nodes[caller].name);
      add (trie, at, &(LoomSpanTrieNode) { .calls = other->nodes[i].calls, .total_ns = self_ns });
    }
    trie->is_cut |= n_callers == MOST_CALLERS;
  }
}
