/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: handles one event according to its phase.
 */
#pragma once

#include "loom-chrome-importer.h"

void loom_chrome_event_log_long (LoomChromeImporter *chrome, guint64 offset);

void loom_chrome_event_parse (LoomChromeImporter *chrome, const LoomEvent *event);
void loom_chrome_event_parse_metadata (LoomChromeImporter *chrome, const LoomEvent *event);

/* Common properties of all complete spans whose texts have the same beginning,
 * `{"ph":"X","cat":"…","name":"…","pid":…,"tid":…`, and differ only in the rest, `,"ts":…,"dur":…,"args":{…}}`. Such
 * spans can be added without reading their text. */
typedef struct {
  guint32 thread, name_id;
  gboolean has_hint; /* TRUE: the spans get a hint, because their texts have the usual form (loom-event-ref-hint.h) */
  gsize n_bytes;     /* length in bytes of the beginning that the texts have in common */
} LoomChromeKnownSpan;

/* Finds the common properties in the text of an event that was read before. Returns FALSE if such spans can only be
 * read from their text, because the text has another form, or because the event adds more than a span to the trace. */
gboolean loom_chrome_event_learn_span (LoomChromeImporter *chrome, const char *text, gsize length,
                                       LoomChromeKnownSpan *known);

/* Adds a span whose text is at `offset`, as if this text were read. `args`: distance of the args from the beginning of
 * the text. `start_ns` and `dur_ns`: times as the text states them. Returns FALSE, and logs it, if there is no memory
 * for the span. */
gboolean loom_chrome_event_add_known_span (LoomChromeImporter *chrome, const LoomChromeKnownSpan *known, guint64 offset,
                                           gsize args, gint64 start_ns, gint64 dur_ns);

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
