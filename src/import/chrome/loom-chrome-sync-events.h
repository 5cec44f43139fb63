/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds events that correspond to events on other clocks, and reads their args.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Records a complete span as a sync event if it is a collective or a message. The span has been added to the builder
 * before, with the same anchored times (see loom-declared-clock.h). For other names this costs one table lookup. */
void loom_chrome_sync_events_add_span (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread,
                                       gint64 start_ns, gint64 dur_ns, guint32 name_id, LoomRef ref);

/* Returns TRUE if the event cannot be a sync event, according to its name; FALSE: it may be one. `name_id`: the id of
 * the event's name. */
gboolean loom_chrome_sync_events_is_other (LoomChromeImporter *chrome, const LoomEvent *event, guint32 name_id);

/* Records a clock sync, an event of phase c. */
void loom_chrome_sync_events_add_clock_sync (LoomChromeImporter *chrome, const LoomEvent *event, gint64 time_ns,
                                             LoomRef ref);
