/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads usual packets of a Perfetto trace in a single pass over their bytes: those with a begin
 * event, an end event or an instant that has only a track, a name, a category and args. All others are read by
 * loom-perfetto-walk.c and loom-perfetto-record.c, with the same result.
 */
#pragma once

#include "loom-perfetto-walk.h"

/* The looks that were found last, indexed by a hash of their numbers. */
typedef struct _LoomPerfettoUsual LoomPerfettoUsual;

LoomPerfettoUsual *loom_perfetto_usual_new (void);
void loom_perfetto_usual_free (LoomPerfettoUsual *self);

/* Adds the event in a packet to the trace. Returns FALSE, without a change, if the packet is not usual; it must then be
 * read in the other way. */
gboolean loom_perfetto_usual_take (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoPacket *packet);

/* Adds the events in packets from `*place` on to the trace: at most `most` packets, and only those that the reader has
 * in memory, up to the first one that is not usual. Moves `*place` to its end. Returns the number of packets. */
guint loom_perfetto_usual_take_run (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoReader *reader,
                                    guint64 *place, guint most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPerfettoUsual, loom_perfetto_usual_free)
