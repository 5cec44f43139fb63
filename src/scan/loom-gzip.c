/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-inflate.h"

#define MAX_STEP (1u << 30) /* both libraries count in 32 bits */

#ifdef LOOM_HAVE_ISAL
#include <isa-l/igzip_lib.h>

struct _LoomInflate {
  struct inflate_state state;
};

void
loom_inflate_next_member (LoomInflate *inflate)
{
  isal_inflate_reset (&inflate->state);
  inflate->state.crc_flag = ISAL_GZIP;
}

LoomInflate *
loom_inflate_new (void)
{
  LoomInflate *inflate = g_new (LoomInflate, 1);
  isal_inflate_init (&inflate->state);
  inflate->state.crc_flag = ISAL_GZIP;
  return inflate;
}

void
loom_inflate_free (LoomInflate *inflate)
{
  g_free (inflate);
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
  if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT)
    return LOOM_INFLATE_DAMAGED;
  return state->block_state == ISAL_BLOCK_FINISH ? LOOM_INFLATE_MEMBER_END : LOOM_INFLATE_OK;
}

#else
#include <zlib.h>

struct _LoomInflate {
  z_stream stream;
};

#define GZIP_WINDOW (15 + 16)

void
loom_inflate_next_member (LoomInflate *inflate)
{
  inflateReset2 (&inflate->stream, GZIP_WINDOW);
}

LoomInflate *
loom_inflate_new (void)
{
  LoomInflate *inflate = g_new0 (LoomInflate, 1);
  inflateInit2 (&inflate->stream, GZIP_WINDOW);
  return inflate;
}

void
loom_inflate_free (LoomInflate *inflate)
{
  if (inflate == NULL)
    return;
  inflateEnd (&inflate->stream);
  g_free (inflate);
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
  int result = inflate (stream, Z_NO_FLUSH);
  *in = stream->next_in;
  *n_in -= in_step - stream->avail_in;
  *out = stream->next_out;
  *n_out -= out_step - stream->avail_out;
  if (result == Z_STREAM_END)
    return LOOM_INFLATE_MEMBER_END;
  return result == Z_OK || result == Z_BUF_ERROR ? LOOM_INFLATE_OK : LOOM_INFLATE_DAMAGED;
}
#endif
