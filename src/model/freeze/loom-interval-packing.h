/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Packs intervals that come in order of start into the lowest row that is free. O(log rows) each.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomIntervalPacking LoomIntervalPacking;

LoomIntervalPacking *loom_interval_packing_new (void);
void loom_interval_packing_free (LoomIntervalPacking *packing);

/* Returns the row; a new one is the number of rows so far. */
guint32 loom_interval_packing_place (LoomIntervalPacking *packing, gint64 start_ns, gint64 end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIntervalPacking, loom_interval_packing_free)

G_END_DECLS
