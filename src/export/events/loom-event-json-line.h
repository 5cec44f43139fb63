/* SPDX-License-Identifier: Apache-2.0
 *
 * A drawn event as one line of JSON with exact times: what `traceloom-cli dump` prints, and what events are saved as.
 */
#pragma once

#include "loom-export-event-reader.h"
#include "loom-source-overrides.h"

G_BEGIN_DECLS

/* Appends the object, without a line feed: ts_ns, dur_ns, ph, name, cat, process, thread, rank and node (null: unknown), source
 * where a person named the source (`names` may be NULL), depth, args unless they are left out, and stack and end_stack
 * where the event says them. `drawn` is of `item`. */
void loom_event_json_line_append (GString *line, const LoomTrace *trace, const LoomMergeItem *item,
                                  const LoomExportEvent *drawn, const LoomSourceOverrides *names, gboolean with_args);

G_END_DECLS
