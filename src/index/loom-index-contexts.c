/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the previous span that followed the same sequence of span names. A hash of the last names is updated for each
 * span. The interface is described in loom-index-contexts.h. Section 8 of README.md states the hash, because indexes
 * depend on it.
 */
#include "loom-index-contexts.h"

#define N_NAMES 17u /* the name of the span and the names of the 16 spans before it */
#define SLOT_BITS 14u
#define FACTOR 0x5851F42D4C957F2Dull
#define SPREAD 0x9E3779B97F4A7C15ull

struct _LoomIndexContexts {
  guint64 hash;   /* Σ (name + 1) × FACTOR^age over the last N_NAMES names, modulo 2^64; the newest name has age 0 */
  guint64 oldest; /* FACTOR^N_NAMES modulo 2^64 */
  /* ring of the last N_NAMES names; each element is the number of a name, plus 1; 0: the element is not used yet */
  guint64 names[N_NAMES];
  guint32 n;                      /* number of spans that were added */
  guint32 slots[1u << SLOT_BITS]; /* array indexed by hash: 1 + the number of the latest span with this hash; 0: there
                                   * is none */
};

LoomIndexContexts *
loom_index_contexts_new (void)
{
  LoomIndexContexts *contexts = g_new0 (LoomIndexContexts, 1);
  contexts->oldest = 1;
  for (guint i = 0; i < N_NAMES; i++)
    contexts->oldest *= FACTOR;
  return contexts;
}

void
loom_index_contexts_free (LoomIndexContexts *contexts)
{
  g_free (contexts);
}

guint32
loom_index_contexts_add (LoomIndexContexts *contexts, guint32 name)
{
  guint64 *ring = &contexts->names[contexts->n % N_NAMES];
  contexts->hash = contexts->hash * FACTOR + name + 1 - *ring * contexts->oldest;
  *ring = (guint64) name + 1;
  guint32 *slot = &contexts->slots[((contexts->hash ^ contexts->hash >> 32) * SPREAD) >> (64 - SLOT_BITS)];
  guint32 found = *slot;
  *slot = ++contexts->n;
  return found;
}
