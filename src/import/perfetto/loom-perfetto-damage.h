/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: damaged parts of a Perfetto trace, as the first pass finds them. The packets after a damaged part
 * are read. The state of a sequence may have changed in the damaged part, so none of it is used until a packet clears it: no
 * name is better than a wrong one.
 */
#pragma once

#include "loom-perfetto-walk.h"

/* Returns TRUE if the state of a sequence may have changed in a damaged part of the file, and was not cleared since. */
static inline gboolean
loom_perfetto_damage_is_behind (const LoomPerfettoWalk *walk, const LoomPerfettoSequence *sequence)
{
  return sequence->n_gaps != walk->n_gaps;
}

/* Counts a lost packet, and records that the changes of state in it are lost. `begin`, `end`: places where the packet
 * begins and ends. */
void loom_perfetto_damage_lose_packet (LoomPerfettoWalk *self, LoomPerfettoLoss loss, guint64 begin, guint64 end);
/* Counts a compressed packet of which only the beginning can be unpacked. `next`: the place of its end, at which its
 * unpacked content begins. The packets in the readable part are read before the state counts as lost. */
void loom_perfetto_damage_lose_rest (LoomPerfettoWalk *self, guint64 begin, guint64 next);
/* Records that the rest of a compressed packet is lost, once its readable part was read. `place`: place of the next
 * packet. */
void loom_perfetto_damage_end_cut (LoomPerfettoWalk *self, guint64 place);

/* If `*place` is inside a compressed packet, skips the rest of the packet and sets `*place` to its end; else returns
 * FALSE. */
gboolean loom_perfetto_damage_skip_part (LoomPerfettoWalk *self, guint64 *place);
/* Finds the next packet after damage that begins at `begin`. Returns FALSE if there is none. */
gboolean loom_perfetto_damage_skip (LoomPerfettoWalk *self, LoomPerfettoReader *reader, LoomProgress *progress,
                                    guint64 begin, guint64 *place);
/* Counts a packet that cannot be read. If no packet follows it, its length is taken as damaged, and the next packet is
 * searched for inside it. One packet after it is enough to trust the length, because more damage may follow. */
void loom_perfetto_damage_skip_packet (LoomPerfettoWalk *self, LoomPerfettoReader *reader, LoomProgress *progress,
                                       const LoomPerfettoPacket *packet, guint64 *place);
