/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. Selects values by their sorted index without sorting.
 */
#pragma once

#include <glib.h>

/* Sets found[i] to the value at index at[i] of the sorted values (n ≥ 1); `values` is not changed. Values are
 * distributed over a thousand buckets of equal width, and only buckets that contain a wanted index are divided again.
 * The width shrinks a thousandfold each time, so this takes O(n · n_at) for any distribution. Neighbouring indices are
 * found together. Any thread. */
void loom_quickselect (const gint64 *values, gsize n, const gsize *at, guint n_at, gint64 *found);
