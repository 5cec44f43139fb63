/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: handles damaged parts of a Perfetto trace when its packets are first read. Reading continues
 * after a damaged part. The lost packets may have changed the state of a sequence (such as its table of names), so this
 * state is not used until a packet clears it: a missing name is better than a wrong one.
 */
#pragma once

#include "loom-perfetto-walk.h"

/* Returns TRUE if the state of a sequence may have changed in a damaged part of the file, and no packet has cleared the
 * state since. */
static inline gboolean
loom_perfetto_damage_is_behind (const LoomPerfettoWalk *walk, const LoomPerfettoSequence *sequence)
{
  return sequence->n_gaps != walk->n_gaps;
}

/* Counts a lost packet. `begin`, `end`: places of the packet's begin and end (see loom-perfetto-packets.h). After the
 * packet, the state of every sequence counts as unknown, because the packet may have changed this state. */
void loom_perfetto_damage_lose_packet (LoomPerfettoWalk *self, LoomPerfettoLoss loss, guint64 begin, guint64 end);
/* Must be called if only the beginning of the content of a compressed packet can be unpacked. Counts this packet as
 * damaged. `next`: the place at which the packet ends and its unpacked content begins. The packets in this content are
 * read as usual; after them, the state of every sequence counts as unknown. */
void loom_perfetto_damage_lose_rest (LoomPerfettoWalk *self, guint64 begin, guint64 next);
/* Called before each packet, at `place`. If the unpacked beginning of a damaged compressed packet ends at `place`,
 * records that the rest of that packet is lost. */
void loom_perfetto_damage_end_cut (LoomPerfettoWalk *self, guint64 place);

/* If `*place` is inside a compressed packet, moves `*place` to the end of this packet and returns TRUE; else returns
 * FALSE. */
gboolean loom_perfetto_damage_skip_part (LoomPerfettoWalk *self, guint64 *place);
/* Moves `*place` to the next packet after damage that begins at `begin`. Returns FALSE if no packet is found. */
gboolean loom_perfetto_damage_skip (LoomPerfettoWalk *self, LoomPerfettoReader *reader, LoomProgress *progress,
                                    guint64 begin, guint64 *place);
/* Counts a packet that cannot be read, and moves `*place` to the next packet. If another packet begins where the
 * unreadable packet should end according to its stated length, this length is correct, and `*place` is moved there.
 * (Only one packet is required there, because the file may be damaged again after it.) Otherwise the stated length is
 * damaged, too; the next packet is then searched for from the second byte of the unreadable packet on. */
void loom_perfetto_damage_skip_packet (LoomPerfettoWalk *self, LoomPerfettoReader *reader, LoomProgress *progress,
                                       const LoomPerfettoPacket *packet, guint64 *place);
