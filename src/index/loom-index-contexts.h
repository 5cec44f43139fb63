/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: finds the previous span that followed the same sequence of names. The durations of kernels with
 * one name depend on the shapes of their tensors. When a sequence of kernels repeats, the shapes mostly repeat, too, so
 * the span that is found mostly has nearly the duration of the new span. The writer and the reader of an index add the
 * same spans in the same order, so that both find the same spans. Not thread-safe.
 */
#pragma once

#include <glib.h>

typedef struct _LoomIndexContexts LoomIndexContexts;

/* Allocates 64 KB. */
LoomIndexContexts *loom_index_contexts_new (void);
void loom_index_contexts_free (LoomIndexContexts *contexts);

/* Adds the next span. `name`: number of its name in the index. Returns the number of the previous span, counted from 0
 * in the order of the calls, that had the same name and followed the same 16 names, plus 1; 0 if no such span is known.
 * As only hashes of the sequences are compared, the returned span may, rarely, have followed other names. O(1). */
guint32 loom_index_contexts_add (LoomIndexContexts *contexts, guint32 name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexContexts, loom_index_contexts_free)
