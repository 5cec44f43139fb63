/* SPDX-License-Identifier: Apache-2.0
 *
 * An index of a file of trace events: it states which bytes of the file contain the events of a time range, so that the
 * rest need not be read. The index contains the blocks of the file with the time range of their events, the spans that
 * last much longer than their block, and the parts of the file with metadata. Times are the times in the file, in ns,
 * without LoomSource.base_ns, which the importer adds.
 *
 * The index is made while the file is read in order, by one thread. If several threads read pieces of a file, each
 * makes the index of a piece, and loom_byte_index_absorb() joins these in order.
 */
#pragma once

#include <glib.h>

/* Usual length of a block in bytes. Events are not divided, so a block with a large event can be longer. If there are
 * more than LOOM_BYTE_INDEX_MOST_BLOCKS, neighbouring blocks are joined. */
#define LOOM_BYTE_INDEX_BLOCK_BYTES (128u * 1024)
#define LOOM_BYTE_INDEX_MOST_BLOCKS 65536u
/* Maximum number of long spans, and of parts with metadata. */
#define LOOM_BYTE_INDEX_MOST_PARTS (1u << 20)
/* A file with fewer bytes gets a single block. */
#define LOOM_BYTE_INDEX_LEAST_BYTES (1024u * 1024)

/* A block of the file: the events that begin at `offset` or later, but before the next block. `first_ns` and `last_ns`:
 * time range of these events; long spans and metadata do not count. */
typedef struct {
  guint64 offset;
  gint64 first_ns, last_ns; /* first_ns > last_ns: the block has only long spans and metadata */
} LoomByteIndexBlock;

/* A span that lasts much longer than the block in which it begins. Its text begins at index `text` of
 * LoomByteIndex.texts. */
typedef struct {
  guint64 offset;
  gint64 start_ns, dur_ns;
  guint32 text, length;
} LoomByteIndexSpan;

/* A part of the file that contains metadata, which must be read for every range: the bytes from `begin` to `end`
 * (excluded). */
typedef struct {
  guint64 begin, end;
} LoomByteIndexPart;

typedef struct {
  GArray *blocks; /* LoomByteIndexBlock: all blocks, ascending by offset */
  GArray *spans;  /* LoomByteIndexSpan: all long spans, ascending by offset */
  GArray *fixed;  /* LoomByteIndexPart: the parts with metadata, ascending by offset */
  GString *texts;
  /* text that every range needs: from 0 to head_end, the parts in `fixed`, and from tail_begin to the end of the file;
   * owned. NULL: this text must be read from the file. Set only if the byte index was read from an index file. */
  GBytes *kept;
  /* offsets in the file: the first event begins at head_end, the last event ends at tail_begin */
  guint64 head_end, tail_begin;
  /* reason why a range cannot be read without reading the whole file; untranslated, static. NULL: ranges can be read */
  const char *missing;
  /* The next members are private. They describe the block to which events are being added. */
  GArray *candidates; /* LoomByteIndexSpan elements: the longest spans of the block so far; their texts are in
                       * `scratch` */
  GString *scratch;
  gint64 first_start_ns, last_start_ns; /* starts of the first and last span of the block */
  guint64 block_end;
  gboolean was_fixed;
} LoomByteIndex;

LoomByteIndex *loom_byte_index_new (void);
void loom_byte_index_free (LoomByteIndex *index);

/* Each of the functions below records one event: a span, an event at one time, or metadata. The text of the event has
 * `length` bytes and begins at `offset`. */
void loom_byte_index_add_span (LoomByteIndex *index, guint64 offset, const char *text, gsize length, gint64 start_ns,
                               gint64 dur_ns);
void loom_byte_index_add_point (LoomByteIndex *index, guint64 offset, gsize length, gint64 time_ns);
void loom_byte_index_add_fixed (LoomByteIndex *index, guint64 offset, gsize length);
/* Records why ranges cannot be read; if this is called several times, only the first reason is kept. `why` must be
 * static. */
void loom_byte_index_set_missing (LoomByteIndex *index, const char *why);

/* Appends `piece`, the index of the next part of the file, to `index`, and frees `piece`. */
void loom_byte_index_absorb (LoomByteIndex *index, LoomByteIndex *piece);
/* Ends the last block, and joins blocks if there are too many. */
void loom_byte_index_finish (LoomByteIndex *index);

/* Returns TRUE if an event of the block may touch the range from `begin_ns` to `end_ns`, both included. */
gboolean loom_byte_index_touches (const LoomByteIndexBlock *block, gint64 begin_ns, gint64 end_ns);
/* Returns the offset at which the text of a block ends. */
guint64 loom_byte_index_get_block_end (const LoomByteIndex *index, guint block);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomByteIndex, loom_byte_index_free)
