/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds which events of an XSpace launch or produce which others, by their statistics. Events
 * are identified by their numbers: their indices among the events of all lines.
 */
#pragma once

#include "loom-xplane-space.h"

typedef struct _LoomXplaneLinks LoomXplaneLinks;

LoomXplaneLinks *loom_xplane_links_new (void);

/* Adds the links of one event. */
void loom_xplane_links_add (LoomXplaneLinks *self, const LoomXplane *plane, guint64 number, const guint8 *bytes,
                            gsize n_bytes);
/* Adds the links of successive events of a line, of which the first has the number `number`. `*p`: the field of the
 * first event; moves it behind the last event that is complete before `end`. Stops after `most` events, and at any other
 * field of the line. Returns the number of events. */
guint loom_xplane_links_add_run (LoomXplaneLinks *self, const LoomXplane *plane, guint64 number, const guint8 **p,
                                 const guint8 *end, guint most);

/* Links the events that were added, and frees `self`. Sets `launches` to the links from calls (host events) to rows
 * (device events), and `tasks` to those from producers to consumers. The caller owns both. */
void loom_xplane_links_finish (LoomXplaneLinks *self, LoomLaunchLinks **launches, LoomLaunchLinks **tasks);
