/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: parses one event of a Chrome trace and adds it to the trace as a span, instant, counter
 * sample, flow event or async event, depending on its phase.
 */
#pragma once

#include "loom-chrome-importer.h"

void loom_chrome_event_log_long (LoomChromeImporter *chrome, guint64 offset);

void loom_chrome_event_parse (LoomChromeImporter *chrome, const LoomEvent *event);
void loom_chrome_event_parse_metadata (LoomChromeImporter *chrome, const LoomEvent *event);

/* Common properties of all complete spans whose texts differ only in their times and args. The text has one of the
 * forms `{"ph":"X","cat":"…","name":"…","pid":…,"tid":…,"ts":…,"dur":…,"args":{…}}` and
 * `{"ph":"X","cat":"…","ts":…,"dur":…,"name":"…","pid":…,"tid":…,"args":{…}}`. Such spans can be added without reading
 * their text. */
typedef struct {
  guint32 thread, name_id;
  gboolean has_hint; /* TRUE: the spans get a hint, because their texts have the usual form (loom-event-ref-hint.h) */
  /* length in bytes of the part that all these texts have in common. It consists of the text before the args, but
   * without the members ts and dur, and without the key "args" */
  gsize n_bytes;
} LoomChromeKnownSpan;

/* Common properties of all flow events whose texts differ only in their time and id. Such events can be added without
 * reading their text. */
typedef struct {
  guint32 thread, name_id;
  char phase;
  /* ends_inside: TRUE if the member bp is "e", that is, the flow binds to the enclosing span */
  gboolean has_hint, ends_inside;
  guint64 category; /* hash of the category (loom_string_pool_hash()) */
  gsize n_bytes;    /* length in bytes of the text without the time and the content of the id */
  gsize id_at;      /* number of bytes of the text before the id, not counting the time */
} LoomChromeKnownFlow;

/* Sets `known` to the properties of all spans whose texts differ from `text` only in their numbers. `text` is the text
 * of an event that was parsed before. Returns FALSE if each of these spans must be parsed: `text` has none of the forms
 * of LoomChromeKnownSpan, or the event adds more than a span to the trace. */
gboolean loom_chrome_event_learn_span (LoomChromeImporter *chrome, const char *text, gsize length,
                                       LoomChromeKnownSpan *known);

/* Adds a span whose text is at `offset` in the file. The result is the same as if its text were read. `args`: distance
 * in bytes from the beginning of the text to the args. `start_ns` and `dur_ns`: times as in the text. If
 * LoomChromeImporterHooks.adjusts_from_ns is not 0, `start_ns` must be less than adjusts_from_ns. If memory does not
 * suffice for the span, logs this and returns FALSE. */
gboolean loom_chrome_event_add_known_span (LoomChromeImporter *chrome, const LoomChromeKnownSpan *known, guint64 offset,
                                           gsize args, gint64 start_ns, gint64 dur_ns);

/* Like loom_chrome_event_learn_span() and loom_chrome_event_add_known_span(), but for flow events (phases s, t and f).
 * The events must have the members ph, cat, name, ts, pid, tid, id and bp; the id must be a string that follows the
 * time. `id`: the content of the id, which has no escapes. */
gboolean loom_chrome_event_learn_flow (LoomChromeImporter *chrome, const char *text, gsize length,
                                       LoomChromeKnownFlow *known);
gboolean loom_chrome_event_add_known_flow (LoomChromeImporter *chrome, const LoomChromeKnownFlow *known, guint64 offset,
                                           LoomJsonSlice id, gint64 time_ns);
/* Returns the key of a flow with this id. `category`: hash of the category of its events. Never 0. */
guint64 loom_chrome_event_flow_key (guint64 category, LoomJsonSlice id);

/* Adds a table of stack frames, {id: {"category", "name", "parent"}}, to the source. `pid`: the process whose events
 * use the frames; a slice without text: all events of the source use them. Skips entries that are not frames. If memory
 * does not suffice, logs this and stops. */
void loom_chrome_event_parse_frames (LoomChromeImporter *chrome, LoomJsonSlice pid, LoomJsonSlice table);

/* The next three functions parse an event and add it to the trace that is being built. They are for a flow event (phase
 * s, t or f), for the flow points of a span with a bind_id, and for an event of an async span. `time_ns`: time of the
 * event in local time, that is, with LoomChromeImporter.base_ns added (loom-declared-clock.h). */
void loom_chrome_event_parse_flow (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 thread,
                                   gint64 time_ns, guint32 name_id, LoomRef ref);
void loom_chrome_event_parse_bound_flow (LoomChromeImporter *chrome, const LoomEvent *event, guint32 thread,
                                         gint64 time_ns, guint32 name_id, LoomRef ref);
void loom_chrome_event_parse_async (LoomChromeImporter *chrome, const LoomEvent *event, char phase, guint32 process,
                                    guint32 thread, gint64 time_ns, guint32 name_id, LoomRef ref);
