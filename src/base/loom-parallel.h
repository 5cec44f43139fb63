/* SPDX-License-Identifier: Apache-2.0
 *
 * One function over independent items on a few threads, which end with the call and have the priority of the caller.
 * Any thread; a call inside a call starts threads of its own.
 */
#pragma once

#include "loom-progress.h"

G_BEGIN_DECLS

/* `worker` is below the number of threads: an index for scratch space. */
typedef void (*LoomItemFunc) (guint item, guint worker, gpointer user_data);

/* 0: as many as processors; never more than 64. */
guint loom_parallel_resolve (guint n_threads);

/* Items start in order, so put the longest first. The calling thread works too. FALSE when cancelled (`progress` may be
 * NULL); items may then be left undone. */
gboolean loom_parallel_for (guint n_items, guint n_threads, LoomItemFunc func, gpointer user_data,
                            LoomProgress *progress);

G_END_DECLS
