/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Packs intervals that come sorted by start into the lowest free row. O(log rows) per interval.
 */
#pragma once

#include <glib.h>

typedef struct _LoomIntervalPacking LoomIntervalPacking;

LoomIntervalPacking *loom_interval_packing_new (void);
void loom_interval_packing_free (LoomIntervalPacking *packing);

/* Returns the lowest free row for an interval. A new row has the number of rows so far as index. */
guint32 loom_interval_packing_place (LoomIntervalPacking *packing, gint64 start_ns, gint64 end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIntervalPacking, loom_interval_packing_free)
