/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Packs intervals that come in order of start into the lowest row that is free. O(log rows) each.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomPacking LoomPacking;

LoomPacking *loom_packing_new (void);
void loom_packing_free (LoomPacking *packing);

/* Returns the row; a new one is the number of rows so far. */
guint32 loom_packing_place (LoomPacking *packing, gint64 start_ns, gint64 end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPacking, loom_packing_free)

G_END_DECLS
