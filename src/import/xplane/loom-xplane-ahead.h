/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: measures the items (events) of an XSpace in order (loom-xplane-measure.h), if possible in a
 * separate thread, some thousand items before the caller needs them.
 */
#pragma once

#include "loom-xplane-measure.h"

typedef struct _LoomXplaneAhead LoomXplaneAhead;

/* Starts measuring at the first item of `space`, which must outlive the result. `has_thread`: use a separate thread. */
LoomXplaneAhead *loom_xplane_ahead_new (const LoomXplaneSpace *space, gboolean has_thread);
void loom_xplane_ahead_free (LoomXplaneAhead *self);

/* Returns the next items, valid until the next call, and sets `n` to their number; 0 after the last item. */
const LoomXplaneItem *loom_xplane_ahead_get_next (LoomXplaneAhead *self, guint *n);
