/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls a function for each of several independent items, on several threads. The threads end before the call returns,
 * and have the priority of the calling thread. Any thread; a nested call starts further threads.
 */
#pragma once

#include "loom-progress.h"

/* Processes one item. `worker`: index of the thread, less than the number of threads, for example to choose scratch
 * space. */
typedef void (*LoomItemFunc) (guint item, guint worker, gpointer user_data);

/* Returns the number of threads to use: `n_threads` or, if that is 0, the number of processors; never more than 64. */
guint loom_parallel_resolve (guint n_threads);

/* Calls `func` for the items 0 … n_items − 1, which are started in this order, so longer items should come first. The
 * calling thread works too. Returns FALSE if `progress` was cancelled; some items may then not have been processed.
 * `progress` may be NULL. */
gboolean loom_parallel_for (guint n_items, guint n_threads, LoomItemFunc func, gpointer user_data,
                            LoomProgress *progress);
