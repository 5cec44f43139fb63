/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the events of a Perfetto trace as Chrome trace events.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-perfetto-trace.h"

/* Parses the names of tracks, an event, or a sample: `part` of a place says which, `number` is their index. See
 * LoomMadeTextClass. */
gboolean loom_perfetto_events_make (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text);

/* Finds the name of the first event of each track that has no name. */
void loom_perfetto_events_name_tracks (LoomPerfettoTrace *trace);
