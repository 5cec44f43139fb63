/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: which events take part in something on several clocks, and what their args say of it.
 */
#pragma once

#include "loom-chrome-importer.h"

G_BEGIN_DECLS

/* A complete span with its time anchored, after it was fed as such. Costs a look into a table where its name is none of a
 * collective. */
void loom_chrome_sync_events_add_span (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread,
                                       gint64 start_ns, gint64 dur_ns, guint32 name_id, LoomRef ref);

/* An event of phase c. */
void loom_chrome_sync_events_add_clock_sync (LoomChromeImporter *chrome, const LoomEvent *event, gint64 time_ns,
                                             LoomRef ref);

G_END_DECLS
