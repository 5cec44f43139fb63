/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads the packets of a Perfetto trace in order, including those in compressed packets. A place
 * identifies a packet: it is the offset in a virtual text in which the unpacked content of each compressed packet
 * follows that packet. Without compressed packets a place is the offset in the file.
 */
#pragma once

#include "loom-progress.h"
#include "loom-proto-window.h"

typedef struct _LoomPerfettoPackets LoomPerfettoPackets;

/* Reads packets. A reader must be used by one thread at a time, but several readers can read different places of the
 * file at the same time, because each has buffers of its own. */
typedef struct _LoomPerfettoReader LoomPerfettoReader;

/* Makes an object that gives access to the packets of a file. Takes ownership of `file`, whose length is `n_bytes`. */
LoomPerfettoPackets *loom_perfetto_packets_new (LoomByteSource *file, guint64 n_bytes);
void loom_perfetto_packets_free (LoomPerfettoPackets *self);

/* Returns a new reader, which must be freed before `packets`. */
LoomPerfettoReader *loom_perfetto_packets_new_reader (LoomPerfettoPackets *packets);
/* Must be called before all packets are read in order: another thread then reads the file ahead. */
void loom_perfetto_packets_read_ahead (LoomPerfettoReader *self);
void loom_perfetto_packets_free_reader (LoomPerfettoReader *self);

/* A packet. Its bytes are valid until the next call with the same reader. `place`: see the beginning of this file. */
typedef struct {
  guint64 place;
  const guint8 *bytes; /* content of the packet; NULL: the packet is larger than 64 MiB and was skipped */
  gsize n_bytes;
  gboolean is_unpacked; /* the packet is inside a compressed packet */
} LoomPerfettoPacket;

/* Reads the packet at `*place`, and moves `*place` to its end. At the top level, a valid file contains only packets.
 * Another field at this level is skipped if packets follow it; otherwise it is damage. Returns FALSE at the end of the
 * file and at damage. At the end of the file, `*place` then equals loom_perfetto_packets_get_end(); at damage, `*place`
 * is the place at which the damage begins, which is less. */
gboolean loom_perfetto_packets_next (LoomPerfettoReader *self, guint64 *place, LoomPerfettoPacket *packet);

/* Returns how many bytes from `place` on are in memory, and sets `bytes` to the first of them, which are valid until
 * the next call with the same reader. Does not read from the file. Returns 0 if the file contains compressed packets
 * before the place. */
gsize loom_perfetto_packets_peek (const LoomPerfettoReader *self, guint64 place, const guint8 **bytes);

/* Returns the content of a packet at a place that loom_perfetto_packets_next() returned before; NULL if it cannot be
 * read. */
const guint8 *loom_perfetto_packets_get (LoomPerfettoReader *self, guint64 place, gsize *n_bytes);

/* Returns TRUE if a packet may be read again. A reader that does not read packets in the order of the file must call
 * this function for each packet, in the order in which it will read them, and must not read a packet for which FALSE is
 * returned. Thus unpacking compressed packets again takes at most O(length of their content), even if a file was made
 * to waste time. */
gboolean loom_perfetto_packets_can_reread (LoomPerfettoPackets *self, guint64 place);

/* Results of unpacking a compressed packet. */
typedef enum {
  LOOM_PERFETTO_UNPACKED,
  LOOM_PERFETTO_PACKED_DAMAGED, /* the data is damaged; packets before the damage are read */
  /* the content is longer than one of two limits: 64 MiB for this packet; for all compressed packets together, the
   * greater of LOOM_LIMIT_GZIP_FREE_BYTES and LOOM_LIMIT_GZIP_RATIO times their compressed length */
  LOOM_PERFETTO_PACKED_TOO_LARGE,
} LoomPerfettoUnpacking;

/* Unpacks the content of a compressed packet, so that the packets in it are read next. `next`: the place at which the
 * compressed packet ends. Must be called before any packet after this place is read. */
LoomPerfettoUnpacking loom_perfetto_packets_unpack (LoomPerfettoPackets *self, const LoomPerfettoPacket *packet,
                                                    guint64 next, const LoomProtoField *field, gboolean is_zstd);

/* If `place` is inside the content of a compressed packet, returns the place at which this content ends; otherwise
 * returns `place`. Sets `is_whole` to TRUE if `place` is inside such content and all of the content could be unpacked;
 * otherwise sets it to FALSE. */
guint64 loom_perfetto_packets_find_part_end (const LoomPerfettoPackets *self, guint64 place, gboolean *is_whole);

/* If this many packets follow each other, they are considered real, not damaged bytes that look like packets. */
#define LOOM_PERFETTO_PACKETS_CERTAIN 3

/* Returns TRUE if, at the top level, `n_packets` packets follow one another from `place` on, or if `place` is the end
 * of the file. If the bytes at `place` are not packets, TRUE is returned only by chance. */
gboolean loom_perfetto_packets_is_boundary (LoomPerfettoReader *self, guint64 place, guint n_packets);
/* Moves `*place` to the first place, at or after it, from which several packets follow one another. `*place` must not
 * be inside a compressed packet. Returns FALSE in three cases: no such place exists; the search was cancelled; or the
 * searches of this reader have exceeded their common limit of O(length of the file). `progress` may be NULL. */
gboolean loom_perfetto_packets_find_boundary (LoomPerfettoReader *self, guint64 *place, LoomProgress *progress);

/* Returns the place (see the top of this file) at which the last packet of the file ends. */
guint64 loom_perfetto_packets_get_end (const LoomPerfettoPackets *self);
/* Returns the offset in the file that belongs to a place. If the place is inside a compressed packet, returns the
 * offset at which this packet ends. */
guint64 loom_perfetto_packets_find_offset (const LoomPerfettoPackets *self, guint64 place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPerfettoReader, loom_perfetto_packets_free_reader)
