/* SPDX-License-Identifier: Apache-2.0
 *
 * Random access to the text of a compressed file, as a LoomByteSource, without a copy of the text. The file is unpacked
 * by the loader, or by reads beyond the part that was already unpacked. Every few MB of text, the state of the inflater
 * is saved; such a saved state is a checkpoint. A read continues at the end of an earlier read, or unpacks from the
 * nearest checkpoint before its offset. Private to src/scan.
 *
 * Memory: the checkpoints take 51 KB per 6 MB of text. During reads, and for some seconds afterwards, up to 16 ring
 * buffers of 128 KB to 2 MB with their inflaters are kept as well. If a text is read at more than 16 positions, it is
 * copied once to a temporary file (loom-temp-file.h).
 *
 * Thread-safe; one mutex per text.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-inflate.h"

/* Creates a text that gives random access to compressed data: gzip or, if `bare` is TRUE, a deflate stream without a
 * header. Takes over the reference to `packed`. */
LoomByteSource *loom_gzip_index_new (LoomByteSource *packed, gboolean bare);

/* Called while the file is unpacked: reports that the compressed data up to offset `packed` contains the text up to
 * offset `unpacked`. `inflate`: the inflater at this position, whose state can be saved as a checkpoint; NULL: a gzip
 * member begins here, so no state is necessary. Fast unless a checkpoint is saved. */
void loom_gzip_index_pass (LoomByteSource *base, guint64 packed, guint64 unpacked, LoomInflate *inflate);

/* Declares that the text ends at `n_bytes`, even if more compressed data follows in the file. `is_damaged`: TRUE if the
 * text ends at `n_bytes` because the data is damaged. `is_checksum_wrong`: TRUE if the whole text could be unpacked,
 * and only the checksum is wrong. */
void loom_gzip_index_set_end (LoomByteSource *base, guint64 n_bytes, gboolean is_damaged, gboolean is_checksum_wrong);

/* Returns the length of the text in bytes; G_MAXUINT64 if no read has reached the end of the text yet. Sets
 * `is_damaged` (may be NULL) to TRUE if the text ends because the data is damaged. */
guint64 loom_gzip_index_get_end (LoomByteSource *base, gboolean *is_damaged);

/* Returns TRUE if the whole text could be unpacked, but the checksum or the length that is stored after the compressed
 * data is wrong. */
gboolean loom_gzip_index_is_checksum_wrong (LoomByteSource *base);

/* Frees the unpacking state (cursors) of all texts that were not read in the last `idle_us`. Called automatically while
 * a main loop runs. */
void loom_gzip_index_release_all (gint64 idle_us);

#define LOOM_GZIP_WINDOW_BYTES 32768u
#define LOOM_GZIP_PROOF_BYTES 4096u
/* Number of bytes of compressed data that are stored with a place (LoomGzipPlace): enough to unpack as much text as the
 * window has, even if the text could hardly be compressed. */
#define LOOM_GZIP_INPUT_BYTES 40960u

/* A position between two blocks of the deflate stream, from which unpacking can start, and the data around it. */
typedef struct {
  /* `packed_bits`: offset of the position in the compressed data, in bits; `unpacked`: its offset in the text, in
   * bytes */
  guint64 packed_bits, unpacked;
  guint8 window[LOOM_GZIP_WINDOW_BYTES]; /* the 32 KiB of text before the position */
  /* the text after the position, with which the caller can check that unpacking from the position is correct */
  guint8 proof[LOOM_GZIP_PROOF_BYTES];
  /* compressed data, beginning with the byte that contains the bit at packed_bits */
  guint8 input[LOOM_GZIP_INPUT_BYTES];
  guint n_window, n_proof, n_input;
} LoomGzipPlace;

/* Returns the number of checkpoints; 0 if `base` was not made by loom_gzip_index_new(), or was made with `bare`. */
guint loom_gzip_index_count_checkpoints (LoomByteSource *base);
/* Finds a position between two blocks of the deflate stream, some KB after this checkpoint. Returns FALSE if there is
 * none in the 4 MB of text after the checkpoint. */
gboolean loom_gzip_index_find_place (LoomByteSource *base, guint checkpoint, LoomGzipPlace *place);

/* Returns the number of bytes of memory that the text uses. Sets `n_unpacked` (may be NULL) to the number of bytes that
 * reads have unpacked so far. */
gsize loom_gzip_index_measure (LoomByteSource *base, guint64 *n_unpacked);
