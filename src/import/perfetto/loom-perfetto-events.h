/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes the events of a Perfetto trace as Chrome trace events.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-perfetto-trace.h"

/* Implements LoomMadeTextClass.make(). An item is the names of all tracks, an event, or a sample: LoomMadePlace.part
 * says which, LoomMadePlace.number is its index. */
gboolean loom_perfetto_events_make (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text);

/* Marks the tracks that have events. A track without a name gets the name of its first event. */
void loom_perfetto_events_name_tracks (LoomPerfettoTrace *trace);
