/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of one loaded source as written in its file, in file order: for layouts and dumps that show the file and
 * not the timeline.
 */
#pragma once

#include "loom-event-scanner.h"
#include "loom-progress.h"
#include "loom-source.h"

/* Called for each event, which is valid only during the call. Return FALSE to stop. */
typedef gboolean (*LoomRawEventFunc) (const LoomEvent *event, gpointer user_data);

/* Calls `func` for each event in the text of a source. Returns FALSE with `error` if the source cannot be read any more
 * or `progress` was cancelled; TRUE at the end or if `func` stopped. A source without text has no events. */
gboolean loom_raw_events_run (const LoomSource *source, LoomProgress *progress, LoomRawEventFunc func,
                              gpointer user_data, GError **error);

/* Returns TRUE if the source's text consists of trace events or JSON lines; FALSE for a profile or a report. */
gboolean loom_raw_events_has_events (const LoomSource *source);
