/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the packets of a Perfetto trace, one after the other. A packet is found again by its place: its
 * offset in a text in which the content of each compressed packet follows that packet. Without compressed packets a
 * place is an offset in the file.
 */
#pragma once

#include "loom-proto-window.h"

typedef struct _LoomPerfettoPackets LoomPerfettoPackets;

/* Where one thread at a time reads packets. Readers in different parts of the file do not disturb each other. */
typedef struct _LoomPerfettoReader LoomPerfettoReader;

/* Takes over `file`. `n_bytes`: its length. */
LoomPerfettoPackets *loom_perfetto_packets_new (LoomByteSource *file, guint64 n_bytes);
void loom_perfetto_packets_free (LoomPerfettoPackets *self);

/* The reader may not outlive `packets`. */
LoomPerfettoReader *loom_perfetto_packets_new_reader (LoomPerfettoPackets *packets);
void loom_perfetto_packets_free_reader (LoomPerfettoReader *self);

/* A packet; the bytes are borrowed until the next call for this reader. */
typedef struct {
  guint64 place;
  const guint8 *bytes; /* NULL: larger than 64 MiB, and skipped */
  gsize n_bytes;
  gboolean is_unpacked; /* lies in a compressed packet */
} LoomPerfettoPacket;

/* Reads the packet at or behind `*place`, and moves `*place` behind it. Returns FALSE at the end, and where no packet
 * begins: `*place` is then less than loom_perfetto_packets_get_end(). */
gboolean loom_perfetto_packets_next (LoomPerfettoReader *self, guint64 *place, LoomPerfettoPacket *packet);

/* Returns the content of the packet that loom_perfetto_packets_next() found at this place; NULL if it cannot be read. */
const guint8 *loom_perfetto_packets_get (LoomPerfettoReader *self, guint64 place, gsize *n_bytes);

/* Why the content of a compressed packet is not read, or not all of it. */
typedef enum {
  LOOM_PERFETTO_UNPACKED,
  LOOM_PERFETTO_PACKED_DAMAGED, /* what could be unpacked is read */
  LOOM_PERFETTO_PACKED_TOO_LARGE,
} LoomPerfettoUnpacking;

/* Lets the packets in a field of bytes follow the packet that the field belongs to. `next`: the place behind the packet;
 * no packet behind it may have been read. */
LoomPerfettoUnpacking loom_perfetto_packets_unpack (LoomPerfettoPackets *self, const LoomPerfettoPacket *packet,
                                                    guint64 next, const LoomProtoField *field, gboolean is_zstd);

/* Returns the place behind the compressed packet that the place lies in; `place` itself outside of them. `is_whole`: set
 * to TRUE if all of the packet could be unpacked. */
guint64 loom_perfetto_packets_find_part_end (const LoomPerfettoPackets *self, guint64 place, gboolean *is_whole);

/* Returns the place behind the last byte. */
guint64 loom_perfetto_packets_get_end (const LoomPerfettoPackets *self);
/* Returns the offset in the file; of what was unpacked that of the packet behind it. */
guint64 loom_perfetto_packets_find_offset (const LoomPerfettoPackets *self, guint64 place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPerfettoReader, loom_perfetto_packets_free_reader)
