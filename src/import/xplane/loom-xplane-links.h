/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds links between the events of an XSpace by their statistics: from an event that launches
 * work to this work, and from an event that produces data to the event that consumes them. The number of an event is
 * its index among the events of all lines.
 */
#pragma once

#include "loom-xplane-space.h"

typedef struct _LoomXplaneLinks LoomXplaneLinks;

LoomXplaneLinks *loom_xplane_links_new (void);

/* Adds the links of one event. */
void loom_xplane_links_add (LoomXplaneLinks *self, const LoomXplane *plane, guint64 number, const guint8 *bytes,
                            gsize n_bytes);
/* Adds the links of successive events of a line. `number`: number of the first event. `*p`: position of the field with
 * the first event; moved behind the last event that is complete before `end`. Stops after `most` events, and at a field
 * of the line that is not an event. Returns the number of events. */
guint loom_xplane_links_add_run (LoomXplaneLinks *self, const LoomXplane *plane, guint64 number, const guint8 **p,
                                 const guint8 *end, guint most);

/* Links the events that were added, and frees `self`. Sets `launches` to the links from calls (host events) to rows
 * (device events), and `tasks` to the links from producers to consumers. The caller owns both. */
void loom_xplane_links_finish (LoomXplaneLinks *self, LoomLaunchLinks **launches, LoomLaunchLinks **tasks);
