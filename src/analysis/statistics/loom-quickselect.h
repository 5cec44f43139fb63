/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: single values of what sorting would give, without sorting.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `found[i]`: the value at index `at[i]` of the sorted values; at least one value, which all stay as they are. Values are
 * spread over a thousand buckets of equal width and only the buckets asked for are looked at again, so the width shrinks
 * a thousandfold each time: O(n · n_at) however they lie; indices that are neighbours are found together. Any thread. */
void loom_quickselect (const gint64 *values, gsize n, const gsize *at, guint n_at, gint64 *found);

G_END_DECLS
