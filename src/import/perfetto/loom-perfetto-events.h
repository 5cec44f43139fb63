/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes the events of a Perfetto trace as Chrome trace events, which the importer for Chrome
 * traces then reads.
 */
#pragma once

#include "loom-made-text.h"
#include "loom-perfetto-trace.h"

/* Values of LoomMadePlace.part. The text with Chrome trace events has three parts: the names of tracks, the events,
 * and the samples of counters. */
enum { LOOM_PERFETTO_PART_NAMES, LOOM_PERFETTO_PART_EVENTS, LOOM_PERFETTO_PART_SAMPLES, LOOM_PERFETTO_N_PARTS };

/* Implements LoomMadeTextClass.make(). The text consists of items: the names of all tracks, the events, and the counter
 * samples. LoomMadePlace.part is the kind of an item, LoomMadePlace.number its index among the items of this kind. */
gboolean loom_perfetto_events_make (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text);

/* Finds the track event or GPU stage in the packet at `place`. Returns FALSE if it contains neither. `message` is
 * borrowed until the reader is used again. */
gboolean loom_perfetto_events_find_message (LoomPerfettoReader *reader, guint64 place, LoomProtoField *message);

/* Sets `is_used` of each track (LoomPerfettoTrack) that has events. If such a track has no name and does not represent
 * a process or queue, also sets its `event_name` to the name of its first event. */
void loom_perfetto_events_name_tracks (LoomPerfettoTrace *trace);
