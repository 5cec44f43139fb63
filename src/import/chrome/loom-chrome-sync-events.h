/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds the events of a Chrome trace that happened at the same time on several ranks or on host
 * and device (sync events, such as collectives), and reads their args. They are used to align clocks.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Records a complete span as a sync event if it is a collective or a message. The span has been added to the builder
 * before. `start_ns` and `dur_ns`: the times with which it was added, in local time (loom-declared-clock.h). For a span
 * whose name is not that of a sync event, the function only looks up the name in a table. */
void loom_chrome_sync_events_add_span (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread,
                                       gint64 start_ns, gint64 dur_ns, guint32 name_id, LoomRef ref);

/* Returns TRUE if the event's name rules out that it is a sync event. `name_id`: the id of this name. */
gboolean loom_chrome_sync_events_is_other (LoomChromeImporter *chrome, const LoomEvent *event, guint32 name_id);

/* Records a clock sync event of the Chrome trace format (phase c) as a sync event. */
void loom_chrome_sync_events_add_clock_sync (LoomChromeImporter *chrome, const LoomEvent *event, gint64 time_ns,
                                             LoomRef ref);
