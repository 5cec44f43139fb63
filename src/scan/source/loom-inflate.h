/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: gzip streams of one or more members, and bare deflate streams as in zip, through ISA-L where the build has it, else zlib.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LoomInflate LoomInflate;

/* What an inflater was in the middle of a member: with ISA-L at most 86 KB, mostly 51 KB. */
typedef struct _LoomInflateState LoomInflateState;

typedef enum {
  LOOM_INFLATE_OK,         /* go on: give more input or more room */
  LOOM_INFLATE_MEMBER_END, /* a member ended; the next may follow in the rest of the input */
  LOOM_INFLATE_DAMAGED,
} LoomInflateStatus;

/* `bare`: one deflate stream without header and checksum, else gzip. */
LoomInflate *loom_inflate_new (gboolean bare);
void loom_inflate_free (LoomInflate *inflate);

/* Unpacks from *in to *out, moving both pointers and lowering both counts. */
LoomInflateStatus loom_inflate_run (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out);

/* After a run that met damage: hands out up to `n_bytes` of what it held back because the damage may be in it, for a reader
 * who knows from elsewhere how far the text is good. *out is where the run left it. */
void loom_inflate_take_withheld (LoomInflate *inflate, gsize n_bytes, guint8 **out, gsize *n_out);

/* Makes ready for the header of the next member; a bare stream begins again. */
void loom_inflate_next_member (LoomInflate *inflate);

/* After damage: all was unpacked, only the checksum or the length behind it is another. */
gboolean loom_inflate_is_checksum_wrong (const LoomInflate *inflate);

/* CRC-32 of what a bare stream has given so far. */
guint32 loom_inflate_get_checksum (const LoomInflate *inflate);

/* A copy of what there is between two runs; any inflater goes on from it when it gets the input that was next. */
LoomInflateState *loom_inflate_save (LoomInflate *inflate);
void loom_inflate_restore (LoomInflate *inflate, LoomInflateState *state);
void loom_inflate_state_free (LoomInflateState *state);

/* Bytes of memory; with zlib, which does not say, about so many. */
gsize loom_inflate_get_size (const LoomInflate *inflate);
gsize loom_inflate_state_get_size (const LoomInflateState *state);

G_END_DECLS
