/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes the events of a Perfetto trace as Chrome trace events.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-perfetto-trace.h"

/* Writes the item at `place`: the names of tracks, an event, or a sample. LoomMadePlace.part says which of these it is,
 * and LoomMadePlace.number is its index. See LoomMadeTextClass. */
gboolean loom_perfetto_events_make (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text);

/* Marks the tracks that have events, and for each of them without a name finds the name of its first event. */
void loom_perfetto_events_name_tracks (LoomPerfettoTrace *trace);
