/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads usual packets of a Perfetto trace in a single pass over their bytes. A packet is usual
 * if it contains a begin event, an end event or an instant with only a track, a name, a category and args. All other
 * packets are read by loom-perfetto-walk.c and loom-perfetto-record.c; these could read usual packets, too, with equal
 * results.
 */
#pragma once

#include "loom-perfetto-walk.h"

/* A cache of looks (loom-perfetto-looks.h): the looks that were found last, indexed by a hash of the numbers in the
 * packet. */
typedef struct _LoomPerfettoUsual LoomPerfettoUsual;

LoomPerfettoUsual *loom_perfetto_usual_new (void);
void loom_perfetto_usual_free (LoomPerfettoUsual *self);

/* Adds the event in a packet to the trace. If the packet is not usual, changes nothing and returns FALSE; the packet
 * must then be read by loom-perfetto-walk.c. */
gboolean loom_perfetto_usual_take (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoPacket *packet);

/* Adds the events in successive packets from `*place` on to the trace, and moves `*place` behind the last of these
 * packets. Stops after `most` packets, at the end of the bytes that the reader has in memory, and at a packet that is
 * not usual. Returns the number of packets. */
guint loom_perfetto_usual_take_run (LoomPerfettoUsual *self, LoomPerfettoWalk *walk, const LoomPerfettoReader *reader,
                                    guint64 *place, guint most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPerfettoUsual, loom_perfetto_usual_free)
