/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts arrays of times.
 */
#pragma once

#include <glib.h>

/* Sorts `n` times in ascending order. O(n log n); O(n) if they are sorted already. Any thread. */
void loom_time_sort (gint64 *times_ns, gsize n);
