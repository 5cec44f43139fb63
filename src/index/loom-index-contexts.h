/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: finds the previous span that followed the same sequence of span names. The durations of kernels
 * with one name depend on the shapes of their tensors. When a sequence of kernels repeats, the shapes usually repeat,
 * too. Therefore the previous span usually has nearly the same duration as the new span. The writer and the reader of
 * an index add the same spans in the same order, so that both find the same spans. Not thread-safe.
 */
#pragma once

#include <glib.h>

typedef struct _LoomIndexContexts LoomIndexContexts;

/* Allocates 64 KB. */
LoomIndexContexts *loom_index_contexts_new (void);
void loom_index_contexts_free (LoomIndexContexts *contexts);

/* Adds the next span. `name`: number of its name in the index. Finds the latest earlier span with this name that
 * followed the same 16 names. Returns 1 + the number of this span, counted from 0 in the order of the calls; 0 if there
 * is none. Only hashes of the sequences are compared, so in rare cases the returned span followed other names. O(1). */
guint32 loom_index_contexts_add (LoomIndexContexts *contexts, guint32 name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexContexts, loom_index_contexts_free)
