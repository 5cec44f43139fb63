/* SPDX-License-Identifier: Apache-2.0
 *
 * Unpacks the members of a gzip stream, step by step, with ISA-L if it is available, otherwise with zlib. The interface
 * is described in loom-inflate.h.
 */
#include "loom-inflate.h"

#include <string.h>

#define MAX_STEP (1u << 30) /* maximum number of bytes per call of zlib or ISA-L, which count bytes in 32 bits */

#ifdef LOOM_HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

/* --- the header of a gzip member: RFC 1952, 2.3 ---------------------------------------------------------------------
 *
 * The header is parsed here because of a bug in ISA-L 2.30: it forgets the length of an extra field that continues in
 * the next input. */

#define FIXED_BYTES 10
#define NUMBER_BYTES 2

enum { HAS_CHECKSUM = 1 << 1, HAS_EXTRA = 1 << 2, HAS_NAME = 1 << 3, HAS_COMMENT = 1 << 4 };

/* Parts of the header, in the order of the file. */
typedef enum {
  HEADER_FIXED,
  HEADER_EXTRA_LENGTH,
  HEADER_EXTRA,
  HEADER_NAME,
  HEADER_COMMENT,
  HEADER_CHECKSUM,
  HEADER_DONE
} HeaderPart;

typedef struct {
  HeaderPart part; /* part of the header to which the next byte belongs */
  guint n_seen;    /* number of bytes of the current part that were read */
  guint8 flags;
  guint16 number; /* value of the part EXTRA_LENGTH or CHECKSUM, from the bytes of the part that were read so far */
  guint16 n_extra;
  guint32 checksum; /* CRC-32 of the bytes of the header before the part CHECKSUM */
} Header;

static gboolean
has_part (const Header *header, HeaderPart part)
{
  static const guint8 flags[HEADER_DONE] = { [HEADER_EXTRA_LENGTH] = HAS_EXTRA,
                                             [HEADER_EXTRA] = HAS_EXTRA,
                                             [HEADER_NAME] = HAS_NAME,
                                             [HEADER_COMMENT] = HAS_COMMENT,
                                             [HEADER_CHECKSUM] = HAS_CHECKSUM };
  return part == HEADER_DONE || ((header->flags & flags[part]) != 0 && (part != HEADER_EXTRA || header->n_extra > 0));
}

static void
begin_next_part (Header *header)
{
  do
    header->part++;
  while (!has_part (header, header->part));
  header->n_seen = header->number = 0;
}

/* Processes a byte of the fixed part of the header. Returns FALSE if gzip does not allow the byte at its position. */
static gboolean
take_fixed_byte (Header *header, guint8 byte)
{
  static const guint8 magic[] = { 0x1F, 0x8B, 8 };
  if (header->n_seen == G_N_ELEMENTS (magic))
    header->flags = byte;
  return header->n_seen >= G_N_ELEMENTS (magic) || byte == magic[header->n_seen];
}

/* Returns TRUE if `byte` is the last byte of the current part of the header. n_seen must already include this byte. */
static gboolean
is_last_byte (const Header *header, guint8 byte)
{
  switch (header->part) {
  case HEADER_FIXED: return header->n_seen == FIXED_BYTES;
  case HEADER_EXTRA_LENGTH:
  case HEADER_CHECKSUM: return header->n_seen == NUMBER_BYTES;
  case HEADER_EXTRA: return header->n_seen == header->n_extra;
  default: return byte == '\0';
  }
}

/* Processes a byte of the header. Returns FALSE if the header is damaged. */
static gboolean
take_header_byte (Header *header, guint8 byte)
{
  if (header->part == HEADER_FIXED && !take_fixed_byte (header, byte))
    return FALSE;
  if (header->part == HEADER_EXTRA_LENGTH || header->part == HEADER_CHECKSUM)
    header->number |= (guint16) (byte << 8 * header->n_seen);
  if (header->part != HEADER_CHECKSUM)
    header->checksum = crc32_gzip_refl (header->checksum, &byte, 1);
  header->n_seen++;
  if (!is_last_byte (header, byte))
    return TRUE;
  if (header->part == HEADER_CHECKSUM && header->number != (header->checksum & G_MAXUINT16))
    return FALSE;
  if (header->part == HEADER_EXTRA_LENGTH)
    header->n_extra = header->number;
  begin_next_part (header);
  return TRUE;
}

static gboolean
take_header (Header *header, const guint8 **in, gsize *n_in)
{
  gboolean good = TRUE;
  while (good && *n_in > 0 && header->part != HEADER_DONE) {
    good = take_header_byte (header, **in);
    (*in)++;
    (*n_in)--;
  }
  return good;
}

/* --- members ------------------------------------------------------------------------------------------------------ */

struct _LoomInflate {
  gboolean bare;
  Header header; /* header of the member; a bare stream has no header: `part` is then HEADER_DONE */
  struct inflate_state state;
  /* TRUE after damage: nothing more is unpacked, but the bytes that are already in `state` are returned */
  gboolean failed;
  gboolean wrong_checksum;
  /* the last n_doubtful bytes that were unpacked into `state` may be wrong because of damage, and are not returned */
  gsize n_doubtful;
  /* after damage: number of bytes that were written to the output after the last returned byte, but are not returned,
   * because they may be wrong */
  gsize n_withheld;
  /* number of further calls of loom_inflate_run_to_block() that unpack only BLOCK_STEP_BYTES of input; at 0, the next
   * call tries to unpack COARSE_STEP_BYTES */
  guint n_fine;
};

void
loom_inflate_next_member (LoomInflate *inflate)
{
  isal_inflate_reset (&inflate->state);
  inflate->state.crc_flag = inflate->bare ? ISAL_GZIP_NO_HDR : ISAL_GZIP_NO_HDR_VER;
  inflate->header = (Header) { .part = inflate->bare ? HEADER_DONE : HEADER_FIXED };
  inflate->failed = inflate->wrong_checksum = FALSE;
  inflate->n_doubtful = inflate->n_withheld = 0;
  inflate->n_fine = 0;
}

LoomInflate *
loom_inflate_new (gboolean bare)
{
  LoomInflate *inflate = g_new (LoomInflate, 1);
  inflate->bare = bare;
  isal_inflate_init (&inflate->state);
  loom_inflate_next_member (inflate);
  return inflate;
}

guint32
loom_inflate_get_checksum (const LoomInflate *inflate)
{
  return inflate->state.crc;
}

gboolean
loom_inflate_is_checksum_wrong (const LoomInflate *inflate)
{
  return inflate->wrong_checksum;
}

void
loom_inflate_free (LoomInflate *inflate)
{
  g_free (inflate);
}

/* Returns the number of unpacked bytes that are still in `state`, because there was no space for them in the output, or
 * because later matches may refer to them. */
static gsize
count_waiting (const LoomInflate *inflate)
{
  return (gsize) (inflate->state.tmp_out_valid - inflate->state.tmp_out_processed);
}

static void
take_waiting (LoomInflate *inflate, gsize n_bytes, guint8 **out, gsize *n_out)
{
  gsize n = MIN (n_bytes, *n_out);
  memcpy (*out, inflate->state.tmp_out_buffer + inflate->state.tmp_out_processed, n);
  inflate->state.tmp_out_processed += (gint32) n;
  *out += n;
  *n_out -= n;
}

/* Handles damage. If a match refers to an invalid position, ISA-L does not write its bytes, but counts them as
 * unpacked; the memory there has old content. The last unpacked bytes are therefore withheld: as many as the longest
 * match has. */
static void
fail (LoomInflate *inflate, int result, gsize n_unpacked, guint8 **out, gsize *n_out)
{
  gsize n_waiting = count_waiting (inflate), n_doubtful = 0;
  if (result == ISAL_INVALID_LOOKBACK || result == ISAL_INVALID_SYMBOL)
    n_doubtful = ISAL_DEF_MAX_MATCH;
  inflate->failed = TRUE;
  inflate->wrong_checksum = result == ISAL_INCORRECT_CHECKSUM;
  inflate->n_doubtful = MIN (n_waiting, n_doubtful);
  inflate->n_withheld = MIN (n_unpacked, n_doubtful - inflate->n_doubtful);
  *out -= inflate->n_withheld;
  *n_out += inflate->n_withheld;
}

static LoomInflateStatus
status_of_failed (const LoomInflate *inflate)
{
  return count_waiting (inflate) > inflate->n_doubtful ? LOOM_INFLATE_OK : LOOM_INFLATE_DAMAGED;
}

LoomInflateStatus
loom_inflate_run (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out)
{
  struct inflate_state *state = &inflate->state;
  inflate->failed |= !take_header (&inflate->header, in, n_in);
  if (!inflate->failed && inflate->header.part != HEADER_DONE)
    return LOOM_INFLATE_OK;
  guint32 in_step = (guint32) MIN (*n_in, MAX_STEP), out_step = (guint32) MIN (*n_out, MAX_STEP);
  if (inflate->failed) {
    take_waiting (inflate, count_waiting (inflate) - inflate->n_doubtful, out, n_out);
    return status_of_failed (inflate);
  }
  state->next_in = (guint8 *) *in;
  state->avail_in = in_step;
  state->next_out = *out;
  state->avail_out = out_step;
  int result = isal_inflate (state);
  *in = state->next_in;
  *n_in -= in_step - state->avail_in;
  *out = state->next_out;
  *n_out -= out_step - state->avail_out;
  if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) {
    fail (inflate, result, out_step - state->avail_out, out, n_out);
    return status_of_failed (inflate);
  }
  return state->block_state == ISAL_BLOCK_FINISH ? LOOM_INFLATE_MEMBER_END : LOOM_INFLATE_OK;
}

void
loom_inflate_take_withheld (LoomInflate *inflate, gsize n_bytes, guint8 **out, gsize *n_out)
{
  gsize n_there = MIN (n_bytes, inflate->n_withheld);
  *out += n_there;
  *n_out -= n_there;
  inflate->n_withheld = 0;
  take_waiting (inflate, MIN (n_bytes - n_there, count_waiting (inflate)), out, n_out);
  inflate->n_doubtful = MIN (inflate->n_doubtful, count_waiting (inflate));
}

/* A copy of the inflater's struct. Of the output buffer, the last member of the struct, only the filled part is
 * copied. */
struct _LoomInflateState {
  gboolean failed;
  Header header;
  gsize n_doubtful;
  gsize n_bytes;
  guint8 bytes[];
};

G_STATIC_ASSERT (sizeof (struct inflate_state) - G_STRUCT_OFFSET (struct inflate_state, tmp_out_buffer) <
                 sizeof ((struct inflate_state *) NULL)->tmp_out_buffer + 8);

LoomInflateState *
loom_inflate_save (LoomInflate *inflate)
{
  gsize n_kept = (gsize) MAX (inflate->state.tmp_out_valid, 0);
  gsize n_bytes = MIN (G_STRUCT_OFFSET (struct inflate_state, tmp_out_buffer) + n_kept, sizeof inflate->state);
  LoomInflateState *state = g_malloc (sizeof *state + n_bytes);
  state->failed = inflate->failed;
  state->header = inflate->header;
  state->n_doubtful = inflate->n_doubtful;
  state->n_bytes = n_bytes;
  memcpy (state->bytes, &inflate->state, n_bytes);
  return state;
}

void
loom_inflate_restore (LoomInflate *inflate, LoomInflateState *state)
{
  memcpy (&inflate->state, state->bytes, state->n_bytes);
  inflate->failed = state->failed;
  inflate->header = state->header;
  inflate->n_doubtful = state->n_doubtful;
  inflate->n_withheld = 0;
}

void
loom_inflate_state_free (LoomInflateState *state)
{
  g_free (state);
}

/* Number of bytes of input that are passed to ISA-L at a time to find the end of a block. It is less than the length of
 * a dynamic block's header. After the end of a block, ISA-L therefore stops inside the header of the next block to wait
 * for more input, and the end of the block is known. */
#define BLOCK_STEP_BYTES 40u

/* Number of bytes of input that are passed to ISA-L at a time inside a block, where the end of a block is not expected.
 * Small steps would take several times as long. */
#define COARSE_STEP_BYTES 1024u

/* Unpacks COARSE_STEP_BYTES of input. If a block may have ended within these bytes, or if there are fewer bytes,
 * changes nothing and returns FALSE. Normally each block has its own code (table of Huffman codes), so a change of the
 * code shows the end of a block. The end of a block is not found if the next block has the same code. */
static gboolean
run_inside_block (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out)
{
  struct inflate_state *state = &inflate->state;
  const guint8 *old_in = *in;
  guint8 *old_out = *out;
  gsize n_old_out = *n_out, n_left = COARSE_STEP_BYTES;
  if (*n_in < COARSE_STEP_BYTES || state->block_state != ISAL_BLOCK_CODED || inflate->header.part != HEADER_DONE)
    return FALSE;
  LoomInflateState *before = loom_inflate_save (inflate);
  const struct inflate_state *saved = (const struct inflate_state *) (gconstpointer) before->bytes;
  gboolean is_inside = loom_inflate_run (inflate, in, &n_left, out, n_out) == LOOM_INFLATE_OK && !inflate->failed &&
                       n_left == 0 && state->block_state == ISAL_BLOCK_CODED &&
                       memcmp (&state->lit_huff_code, &saved->lit_huff_code, sizeof state->lit_huff_code) == 0;
  if (is_inside) {
    *n_in -= COARSE_STEP_BYTES;
  } else {
    loom_inflate_restore (inflate, before);
    *in = old_in;
    *out = old_out;
    *n_out = n_old_out;
  }
  loom_inflate_state_free (before);
  return is_inside;
}

LoomInflateStatus
loom_inflate_run_to_block (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out,
                           gboolean *at_block, guint *n_bits)
{
  const struct inflate_state *state = &inflate->state;
  *at_block = FALSE;
  if (inflate->n_fine == 0 && run_inside_block (inflate, in, n_in, out, n_out))
    return LOOM_INFLATE_OK;
  /* a block may have ended in the coarse step, so the same bytes are processed again, in small steps */
  inflate->n_fine = inflate->n_fine > 0 ? inflate->n_fine - 1 : COARSE_STEP_BYTES / BLOCK_STEP_BYTES;
  gsize n_step = MIN (*n_in, BLOCK_STEP_BYTES), n_left = n_step;
  LoomInflateStatus status = loom_inflate_run (inflate, in, &n_left, out, n_out);
  *n_in -= n_step - n_left;
  gboolean is_waiting = state->block_state == ISAL_BLOCK_HDR;
  *at_block = status == LOOM_INFLATE_OK && !inflate->failed && inflate->header.part == HEADER_DONE && n_left == 0 &&
              count_waiting (inflate) == 0 && (is_waiting || state->block_state == ISAL_BLOCK_NEW_HDR);
  *n_bits = (guint) state->read_in_length + 8 * (is_waiting ? (guint) state->tmp_in_size : 0);
  return status;
}

gsize
loom_inflate_get_size (const LoomInflate *inflate)
{
  return sizeof *inflate;
}

gsize
loom_inflate_state_get_size (const LoomInflateState *state)
{
  return sizeof *state + state->n_bytes;
}

#else
#include <zlib.h>

struct _LoomInflate {
  gboolean bare;
  guint32 checksum; /* CRC-32 of the output of a bare stream so far */
  z_stream stream;
};

#define GZIP_WINDOW (15 + 16)
#define BARE_WINDOW (-15)

void
loom_inflate_next_member (LoomInflate *inflate)
{
  inflateReset2 (&inflate->stream, inflate->bare ? BARE_WINDOW : GZIP_WINDOW);
  inflate->checksum = 0;
}

LoomInflate *
loom_inflate_new (gboolean bare)
{
  LoomInflate *inflate = g_new0 (LoomInflate, 1);
  inflate->bare = bare;
  inflateInit2 (&inflate->stream, bare ? BARE_WINDOW : GZIP_WINDOW);
  return inflate;
}

guint32
loom_inflate_get_checksum (const LoomInflate *inflate)
{
  return inflate->checksum;
}

/* The text of zlib's error message is compared, because zlib has no error code for a wrong checksum. */
gboolean
loom_inflate_is_checksum_wrong (const LoomInflate *inflate)
{
  const char *message = inflate->stream.msg;
  return message != NULL &&
         (strcmp (message, "incorrect data check") == 0 || strcmp (message, "incorrect length check") == 0);
}

void
loom_inflate_free (LoomInflate *inflate)
{
  if (inflate == NULL)
    return;
  inflateEnd (&inflate->stream);
  g_free (inflate);
}

/* Calls inflate(). A separate function, because in other functions a parameter named `inflate` hides zlib's
 * inflate(). */
static int
unpack (z_stream *stream, int flush)
{
  return inflate (stream, flush);
}

static LoomInflateStatus
run (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out, int flush)
{
  z_stream *stream = &inflate->stream;
  guint in_step = (guint) MIN (*n_in, MAX_STEP), out_step = (guint) MIN (*n_out, MAX_STEP);
  stream->next_in = (Bytef *) *in;
  stream->avail_in = in_step;
  stream->next_out = *out;
  stream->avail_out = out_step;
  int result = unpack (stream, flush);
  if (inflate->bare)
    inflate->checksum = (guint32) crc32_z (inflate->checksum, *out, out_step - stream->avail_out);
  *in = stream->next_in;
  *n_in -= in_step - stream->avail_in;
  *out = stream->next_out;
  *n_out -= out_step - stream->avail_out;
  if (result == Z_STREAM_END)
    return LOOM_INFLATE_MEMBER_END;
  return result == Z_OK || result == Z_BUF_ERROR ? LOOM_INFLATE_OK : LOOM_INFLATE_DAMAGED;
}

LoomInflateStatus
loom_inflate_run (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out)
{
  return run (inflate, in, n_in, out, n_out, Z_NO_FLUSH);
}

/* Bits of z_stream.data_type after a call of inflate() with Z_BLOCK. UNUSED_BITS: mask of the bits with the number of
 * unused bits in the last byte of the input. IN_LAST_BLOCK: set while the last block is unpacked. BEHIND_BLOCK: set if
 * inflate() has stopped at the end of a block. */
enum { UNUSED_BITS = 7, IN_LAST_BLOCK = 64, BEHIND_BLOCK = 128 };

LoomInflateStatus
loom_inflate_run_to_block (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out,
                           gboolean *at_block, guint *n_bits)
{
  LoomInflateStatus status = run (inflate, in, n_in, out, n_out, Z_BLOCK);
  int type = inflate->stream.data_type;
  *at_block = status == LOOM_INFLATE_OK && (type & BEHIND_BLOCK) != 0 && (type & IN_LAST_BLOCK) == 0;
  *n_bits = (guint) type & UNUSED_BITS;
  return status;
}

void
loom_inflate_take_withheld (LoomInflate *inflate, gsize n_bytes, guint8 **out, gsize *n_out)
{
  /* With zlib, no bytes are withheld, because zlib returns only bytes that it has written. */
}

#define ABOUT_STATE_BYTES (40u * 1024)

struct _LoomInflateState {
  guint32 checksum;
  z_stream stream;
};

/* Copies the state of a stream. Aborts if there is no memory, as GLib does. */
static void
copy_stream (z_stream *to, z_stream *from)
{
  if (inflateCopy (to, from) != Z_OK)
    g_error ("No memory to keep the state of a compressed file");
}

LoomInflateState *
loom_inflate_save (LoomInflate *inflate)
{
  LoomInflateState *state = g_new0 (LoomInflateState, 1);
  state->checksum = inflate->checksum;
  copy_stream (&state->stream, &inflate->stream);
  return state;
}

void
loom_inflate_restore (LoomInflate *inflate, LoomInflateState *state)
{
  inflateEnd (&inflate->stream);
  inflate->checksum = state->checksum;
  copy_stream (&inflate->stream, &state->stream);
}

void
loom_inflate_state_free (LoomInflateState *state)
{
  if (state == NULL)
    return;
  inflateEnd (&state->stream);
  g_free (state);
}

gsize
loom_inflate_get_size (const LoomInflate *inflate)
{
  return sizeof *inflate + ABOUT_STATE_BYTES;
}

gsize
loom_inflate_state_get_size (const LoomInflateState *state)
{
  return sizeof *state + ABOUT_STATE_BYTES;
}
#endif
