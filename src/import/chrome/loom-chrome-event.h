/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: handles one event according to its phase.
 */
#pragma once

#include "loom-chrome-importer.h"

void loom_chrome_event_log_long (LoomChromeImporter *chrome, guint64 offset);

void loom_chrome_event_parse (LoomChromeImporter *chrome, const LoomEvent *event);
void loom_chrome_event_parse_metadata (LoomChromeImporter *chrome, const LoomEvent *event);

/* Adds a table of stack frames, {id: {"category", "name", "parent"}}, to the source. `pid` is the process to which the
 * frames belong; if absent, they belong to the whole source. Entries that are not frames are skipped. Stops, and logs
 * this, if there is no memory for more. */
void loom_chrome_event_parse_frames (LoomChromeImporter *chrome, LoomJsonSlice pid, LoomJsonSlice table);

/* Add flow and async events to the builder. `time_ns`: anchored time (see loom-declared-clock.h). */
void loom_chrome_event_parse_flow (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 thread,
                                   gint64 time_ns, guint32 name_id, LoomRef ref);
void loom_chrome_event_parse_bound_flow (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread,
                                         gint64 time_ns, guint32 name_id, LoomRef ref);
void loom_chrome_event_parse_async (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 process,
                                    guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref);
