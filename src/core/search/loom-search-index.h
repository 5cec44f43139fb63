/* SPDX-License-Identifier: Apache-2.0
 *
 * An index of the names in a run, which makes searches faster. It contains the number of spans with each name in each
 * trace, so that a search knows the number of hits in advance. For every chunk of LOOM_SEARCH_CHUNK spans, it also
 * contains the set of their names (LoomNameSet), so that a search skips chunks without hits. Immutable, ref-counted,
 * any thread. Takes about a tenth of a byte per span and four bytes per name.
 */
#pragma once

#include "loom-run.h"
#include "loom-worker.h"

#define LOOM_SEARCH_CHUNK 4096 /* number of spans per chunk */
/* Number of bits of a LoomNameSet. There may be more names than bits, so several names share a bit. A set can therefore
 * prove that a name does not occur in a chunk, but cannot prove that it occurs. */
#define LOOM_SEARCH_BITS 2048

typedef struct {
  guint64 words[LOOM_SEARCH_BITS / 64];
} LoomNameSet;

typedef struct _LoomSearchIndex LoomSearchIndex;

/* Makes an index. Reads the name ids of all spans once, with one thread per processor; blocks until the index is
 * complete. Copies the data of traces that are already in the index `old`, which may be NULL, instead of reading their
 * spans. Returns NULL when cancelled. */
LoomSearchIndex *loom_search_index_new (LoomRun *run, LoomSearchIndex *old, GCancellable *cancellable);
/* Runs loom_search_index_new() in a worker (loom_worker_start()). `done` receives the index and owns it. */
void loom_search_index_new_async (GCancellable **running, LoomRun *run, LoomSearchIndex *old, LoomWorkerDone done,
                                  gpointer owner);

LoomSearchIndex *loom_search_index_ref (LoomSearchIndex *index);
void loom_search_index_unref (LoomSearchIndex *index);

/* Returns an array, indexed by the name ids of a trace of the run: the number of spans with this name. NULL if the
 * trace is not in the index. */
const guint32 *loom_search_index_get_counts (const LoomSearchIndex *index, const LoomTrace *trace);
/* Returns an array with one element for each chunk of LOOM_SEARCH_CHUNK spans of a trace of the run: the set of the
 * names of these spans. NULL if the trace is not in the index. */
const LoomNameSet *loom_search_index_get_sets (const LoomSearchIndex *index, const LoomTrace *trace);

gsize loom_search_index_get_memory (const LoomSearchIndex *index);

static inline void
loom_search_index_name_set_add (LoomNameSet *set, guint32 name_id)
{
  set->words[name_id % LOOM_SEARCH_BITS / 64] |= G_GUINT64_CONSTANT (1) << name_id % 64;
}

static inline gboolean
loom_search_index_name_sets_meet (const LoomNameSet *a, const LoomNameSet *b)
{
  guint64 common = 0;
  for (guint i = 0; i < G_N_ELEMENTS (a->words); i++)
    common |= a->words[i] & b->words[i];
  return common != 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSearchIndex, loom_search_index_unref)
