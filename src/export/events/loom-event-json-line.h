/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats an event, as the timeline shows it, as one line of JSON with exact times. Used by `traceloom-cli dump` and
 * for saving events.
 */
#pragma once

#include "loom-export-event-reader.h"
#include "loom-source-overrides.h"

/* Appends the event as a JSON object, without a line feed. Members: ts_ns, dur_ns, ph, name, cat, process, thread; rank
 * and node (null: unknown); source if the user gave the source a name (`names` may be NULL); depth; args if `with_args`
 * is TRUE; stack and end_stack if the event has them. `drawn`: the result of loom_export_event_reader_read() for
 * `item`. */
void loom_event_json_line_append (GString *line, const LoomTrace *trace, const LoomMergeItem *item,
                                  const LoomExportEvent *drawn, const LoomSourceOverrides *names, gboolean with_args);
