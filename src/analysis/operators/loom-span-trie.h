/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: a trie of call stacks. A node represents the stack of names from the root to the node. It
 * contains the total time and the number of all spans with this stack. Node 0 is the root, which represents the empty
 * stack. One thread; to use several threads, each fills its own trie, and the tries are merged afterwards.
 */
#pragma once

#include "loom-trace.h"

/* Maximum number of nodes, not counting nodes with the name LOOM_SPAN_TRIE_REST. When it is reached, no more children
 * are added to a node. The times of further children are added to the node's child LOOM_SPAN_TRIE_REST instead. */
#define LOOM_SPAN_TRIE_MOST_NODES (1u << 20)
#define LOOM_SPAN_TRIE_REST G_MAXUINT32 /* name of the child that represents all children that were not added */

typedef struct {
  guint32 name, parent;
  guint64 calls;
  gint64 total_ns, child_ns;
} LoomSpanTrieNode;

typedef struct {
  LoomSpanTrieNode *nodes;
  guint32 n, n_room;
  /* hash table: slot for a hash of the parent and the name of a node → number of the node; 0: the slot is free */
  guint32 *slots;
  guint32 mask;
  gint64 waits_ns; /* time of the omitted calls that wait for a device */
  gboolean is_cut;
} LoomSpanTrie;

void loom_span_trie_init (LoomSpanTrie *trie);
void loom_span_trie_clear (LoomSpanTrie *trie);

/* Returns the child of a node with this name; adds the child if it does not exist. */
guint32 loom_span_trie_add_child (LoomSpanTrie *trie, guint32 parent, guint32 name);

/* Adds all nodes of `other` to `trie`, with their times. */
void loom_span_trie_merge (LoomSpanTrie *trie, const LoomSpanTrie *other);

/* Adds the self times of `other` bottom-up: the path from the root to a node begins with the name of the called
 * function, followed by the names of its callers outwards. */
void loom_span_trie_add_reversed (LoomSpanTrie *trie, const LoomSpanTrie *other);

static inline guint32
loom_span_trie_hash (guint32 parent, guint32 name)
{
  guint64 hash = ((guint64) parent << 32 | name) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return (guint32) (hash >> 32);
}

/* Like loom_span_trie_add_child(), but inline, which is faster if the child already exists. */
static inline guint32
loom_span_trie_get_child (LoomSpanTrie *trie, guint32 parent, guint32 name)
{
  for (guint32 slot = loom_span_trie_hash (parent, name) & trie->mask; trie->slots[slot] != 0;
       slot = (slot + 1) & trie->mask) {
    const LoomSpanTrieNode *node = &trie->nodes[trie->slots[slot]];
    if (node->parent == parent && node->name == name)
      return trie->slots[slot];
  }
  return loom_span_trie_add_child (trie, parent, name);
}
