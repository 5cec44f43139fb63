/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. Finds the values that would be at given indices if the array were sorted, without sorting
 * all values.
 */
#pragma once

#include <glib.h>

/* Sets found[i] to the value that would have the index at[i] if the values were sorted; n ≥ 1. `at` must be ascending;
 * `values` is not changed. Distributes the values over about a thousand buckets of equal width. Then divides the
 * buckets that contain a wanted index in the same way, but no other buckets. Each division makes the width about a
 * thousand times smaller, so the function takes O(n · n_at) for any distribution. Neighbouring indices are found
 * together. Any thread. */
void loom_quickselect (const gint64 *values, gsize n, const gsize *at, guint n_at, gint64 *found);
