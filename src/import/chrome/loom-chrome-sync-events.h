/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds the events of a Chrome trace that happened at the same time on several ranks or on host
 * and device (sync events, such as collectives), and reads the args of these events. Sync events are used to align
 * clocks.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Records a complete span as a sync event if it is a collective or a message. Call it after the span was added to the
 * builder. `start_ns` and `dur_ns`: start and duration of the span in local time (loom-declared-clock.h), as passed to
 * the builder. For a span whose name is not that of a sync event, the function only looks up the name in a table. */
void loom_chrome_sync_events_add_span (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread,
                                       gint64 start_ns, gint64 dur_ns, guint32 name_id, LoomRef ref);

/* Returns TRUE if the name of the event shows that the event is not a sync event. `name_id`: the id of this name. */
gboolean loom_chrome_sync_events_is_other (LoomChromeImporter *chrome, const LoomEvent *event, guint32 name_id);

/* Records a clock sync event of the Chrome trace format (phase c) as a sync event. */
void loom_chrome_sync_events_add_clock_sync (LoomChromeImporter *chrome, const LoomEvent *event, gint64 time_ns,
                                             LoomRef ref);
