/* SPDX-License-Identifier: Apache-2.0
 *
 * Unpacks gzip streams, which have one or more members, and bare deflate streams without a header, as in zip archives.
 * Uses the library ISA-L if it is available, otherwise zlib. Private to src/scan.
 */
#pragma once

#include <glib.h>

typedef struct _LoomInflate LoomInflate;

/* Saved state of an inflater in the middle of a member: with ISA-L at most 86 KB, usually 51 KB. */
typedef struct _LoomInflateState LoomInflateState;

typedef enum {
  /* neither a member nor the input ended: the caller must continue with more input, or with more space in the output */
  LOOM_INFLATE_OK,
  LOOM_INFLATE_MEMBER_END, /* a member ended; another member may follow in the rest of the input */
  LOOM_INFLATE_DAMAGED,
} LoomInflateStatus;

/* Makes an inflater for gzip or, if `bare` is TRUE, for a deflate stream without header and checksum. */
LoomInflate *loom_inflate_new (gboolean bare);
void loom_inflate_free (LoomInflate *inflate);

/* Unpacks from `*in` to `*out`. Moves both pointers behind the bytes that were read and written, and reduces `*n_in`
 * and `*n_out` by the numbers of these bytes. */
LoomInflateStatus loom_inflate_run (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out);

/* Does the same as loom_inflate_run(), but for only a small part of the input. If a block of the deflate stream has
 * ended and the next block has not begun, sets `at_block` to TRUE, and `n_bits` to the number of bits that were read
 * after the end of the block. Does not find the end of every block. */
LoomInflateStatus loom_inflate_run_to_block (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out,
                                             gsize *n_out, gboolean *at_block, guint *n_bits);

/* A run that finds damage withholds the last unpacked bytes, because they may be wrong. Directly after such a run, this
 * function copies up to `n_bytes` of the withheld bytes to `*out`. It is used by readers that know from an earlier run
 * how many bytes of the text are valid. */
void loom_inflate_take_withheld (LoomInflate *inflate, gsize n_bytes, guint8 **out, gsize *n_out);

/* Prepares the inflater for the next part of the input: another deflate stream if the inflater was made with `bare`,
 * otherwise the header of the next gzip member. */
void loom_inflate_next_member (LoomInflate *inflate);

/* May be called after damage. Returns TRUE if everything was unpacked, and only the checksum or the length that is
 * stored after the compressed data is wrong. */
gboolean loom_inflate_is_checksum_wrong (const LoomInflate *inflate);

/* Returns the CRC-32 of the output of a bare stream so far. */
guint32 loom_inflate_get_checksum (const LoomInflate *inflate);

/* loom_inflate_save() saves the state between two runs. loom_inflate_restore() sets an inflater, the same or another
 * one, to this state. The inflater then continues with the input that followed when the state was saved. */
LoomInflateState *loom_inflate_save (LoomInflate *inflate);
void loom_inflate_restore (LoomInflate *inflate, LoomInflateState *state);
void loom_inflate_state_free (LoomInflateState *state);

/* These functions return the number of bytes of memory that the inflater or the state uses. With zlib, the number is an
 * estimate, because zlib does not report its memory use. */
gsize loom_inflate_get_size (const LoomInflate *inflate);
gsize loom_inflate_state_get_size (const LoomInflateState *state);
