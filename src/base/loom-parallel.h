/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls a function for each of several independent items, on several threads at the same time. The threads end before
 * the call returns, and have the priority and the locale of the calling thread. Any thread; a nested call starts more
 * threads.
 */
#pragma once

#include "loom-progress.h"

/* Processes one item. `worker`: index of the thread that calls the function; less than the number of threads. It can be
 * used to select memory that only this thread uses. */
typedef void (*LoomItemFunc) (guint item, guint worker, gpointer user_data);

/* Returns the number of threads to use: `n_threads`; if `n_threads` is 0, the number of processors. The result is at
 * most 64. */
guint loom_parallel_resolve (guint n_threads);

/* Calls `func` for the items 0 to n_items − 1. Items are started in this order, so the longest items should come
 * first. The calling thread also processes items. Returns FALSE if `progress` was cancelled; then some items may not
 * have been processed. `progress` may be NULL. */
gboolean loom_parallel_for (guint n_items, guint n_threads, LoomItemFunc func, gpointer user_data,
                            LoomProgress *progress);
