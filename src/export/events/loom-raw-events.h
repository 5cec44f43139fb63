/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the events of one loaded source as they are written in its file, in the order of the file. Used by layouts and
 * dumps that show the content of the file, not of the timeline.
 */
#pragma once

#include "loom-event-scanner.h"
#include "loom-progress.h"
#include "loom-source.h"

/* Called for each event of the source. The event is valid only during the call. Returns FALSE to stop. */
typedef gboolean (*LoomRawEventFunc) (const LoomEvent *event, gpointer user_data);

/* Calls `func` for each event in the text of a source. Returns FALSE with `error` if the source cannot be read any more
 * or `progress` was cancelled; TRUE at the end or if `func` stopped. A source without text has no events. */
gboolean loom_raw_events_run (const LoomSource *source, LoomProgress *progress, LoomRawEventFunc func,
                              gpointer user_data, GError **error);

/* Returns TRUE if the source's text consists of trace events or JSON lines. Returns FALSE if the source has no text, or
 * a text of another kind, such as a cProfile file or a rule report. */
gboolean loom_raw_events_has_events (const LoomSource *source);
