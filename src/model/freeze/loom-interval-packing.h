/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. Puts intervals into rows without overlaps, each into the lowest row that is free. Intervals
 * must be passed in order of their starts. O(log rows) per interval.
 */
#pragma once

#include <glib.h>

typedef struct _LoomIntervalPacking LoomIntervalPacking;

LoomIntervalPacking *loom_interval_packing_new (void);
void loom_interval_packing_free (LoomIntervalPacking *packing);

/* Returns the index of the lowest row that is free for the interval. If there is none, returns the index of a new row,
 * which is the number of rows before the call. */
guint32 loom_interval_packing_place (LoomIntervalPacking *packing, gint64 start_ns, gint64 end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIntervalPacking, loom_interval_packing_free)
