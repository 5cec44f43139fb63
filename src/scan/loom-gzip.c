/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-inflate.h"

#include <string.h>

#define MAX_STEP (1u << 30) /* both libraries count in 32 bits */

#ifdef LOOM_HAVE_ISAL
#include <isa-l/igzip_lib.h>

struct _LoomInflate {
  gboolean bare;
  struct inflate_state state;
};

void
loom_inflate_next_member (LoomInflate *inflate)
{
  isal_inflate_reset (&inflate->state);
  inflate->state.crc_flag = inflate->bare ? ISAL_GZIP_NO_HDR : ISAL_GZIP;
}

LoomInflate *
loom_inflate_new (gboolean bare)
{
  LoomInflate *inflate = g_new (LoomInflate, 1);
  inflate->bare = bare;
  isal_inflate_init (&inflate->state);
  inflate->state.crc_flag = bare ? ISAL_GZIP_NO_HDR : ISAL_GZIP;
  return inflate;
}

guint32
loom_inflate_get_checksum (const LoomInflate *inflate)
{
  return inflate->state.crc;
}

void
loom_inflate_free (LoomInflate *inflate)
{
  g_free (inflate);
}

/* A match that begins before the first byte of its member counts as unpacked, though nothing was written for it: what stands
 * there is what the memory held before. As far as such a match can reach nothing is handed out. */
static gsize
count_unwritten (const struct inflate_state *state, gsize n_out)
{
  gsize n_waiting = (gsize) (state->tmp_out_valid - state->tmp_out_processed);
  return MIN (n_out, ISAL_DEF_MAX_MATCH - MIN (n_waiting, ISAL_DEF_MAX_MATCH));
}

LoomInflateStatus
loom_inflate_run (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out)
{
  struct inflate_state *state = &inflate->state;
  guint32 in_step = (guint32) MIN (*n_in, MAX_STEP), out_step = (guint32) MIN (*n_out, MAX_STEP);
  state->next_in = (guint8 *) *in;
  state->avail_in = in_step;
  state->next_out = *out;
  state->avail_out = out_step;
  int result = isal_inflate (state);
  *in = state->next_in;
  *n_in -= in_step - state->avail_in;
  *out = state->next_out;
  *n_out -= out_step - state->avail_out;
  if (result == ISAL_INVALID_LOOKBACK) {
    gsize n_unwritten = count_unwritten (state, out_step - state->avail_out);
    *out -= n_unwritten;
    *n_out += n_unwritten;
  }
  if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT)
    return LOOM_INFLATE_DAMAGED;
  return state->block_state == ISAL_BLOCK_FINISH ? LOOM_INFLATE_MEMBER_END : LOOM_INFLATE_OK;
}

/* The struct without the unused end of the unpacked bytes it keeps, which are the last in it. */
struct _LoomInflateState {
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
  state->n_bytes = n_bytes;
  memcpy (state->bytes, &inflate->state, n_bytes);
  return state;
}

void
loom_inflate_restore (LoomInflate *inflate, LoomInflateState *state)
{
  memcpy (&inflate->state, state->bytes, state->n_bytes);
}

void
loom_inflate_state_free (LoomInflateState *state)
{
  g_free (state);
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
  guint32 checksum; /* of a bare stream */
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

void
loom_inflate_free (LoomInflate *inflate)
{
  if (inflate == NULL)
    return;
  inflateEnd (&inflate->stream);
  g_free (inflate);
}

/* Where no variable has the name of the function. */
static int
unpack (z_stream *stream)
{
  return inflate (stream, Z_NO_FLUSH);
}

LoomInflateStatus
loom_inflate_run (LoomInflate *inflate, const guint8 **in, gsize *n_in, guint8 **out, gsize *n_out)
{
  z_stream *stream = &inflate->stream;
  guint in_step = (guint) MIN (*n_in, MAX_STEP), out_step = (guint) MIN (*n_out, MAX_STEP);
  stream->next_in = (Bytef *) *in;
  stream->avail_in = in_step;
  stream->next_out = *out;
  stream->avail_out = out_step;
  int result = unpack (stream);
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

#define ABOUT_STATE_BYTES (40u * 1024)

struct _LoomInflateState {
  guint32 checksum;
  z_stream stream;
};

/* zlib says “no memory” where GLib ends the program. */
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
