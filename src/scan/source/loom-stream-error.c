/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes damage of a compressed stream: its kind, and its position in the compressed data and in the text. The
 * interface is described in loom-stream-error.h.
 */
#include "loom-stream-error.h"

#include <glib/gi18n.h>
#include <inttypes.h>

const char *
loom_stream_error_get_code (const LoomStreamError *damage)
{
  static const char *const codes[] = {
    [LOOM_STREAM_ERROR_CUT] = "truncated-gzip",
    [LOOM_STREAM_ERROR_DATA] = "damaged-gzip",
    [LOOM_STREAM_ERROR_CHECKSUM] = "checksum-gzip",
    [LOOM_STREAM_ERROR_MEMBER] = "truncated-member",
  };
  return codes[damage->kind];
}

char *
loom_stream_error_describe (const LoomStreamError *damage)
{
  switch (damage->kind) {
  case LOOM_STREAM_ERROR_CUT:
    return g_strdup_printf (_ ("The file is truncated: the compressed data ends too early, at compressed byte %" PRIu64
                               " (byte %" PRIu64 " of the decompressed data)"),
                            damage->packed, damage->unpacked);
  case LOOM_STREAM_ERROR_DATA:
    if (damage->unpacked == 0)
      return g_strdup_printf (_ ("The gzip header, or the data just after it, is damaged: none of the %" PRIu64
                                 " compressed bytes could be decompressed"),
                              damage->packed + damage->n_lost);
    return g_strdup_printf (_ ("The compressed data is damaged: the text could not be read from byte %" PRIu64
                               " to the end (%" PRIu64 " compressed bytes from compressed byte %" PRIu64
                               "); events shortly before that place may be wrong"),
                            damage->unpacked, damage->n_lost, damage->packed);
  case LOOM_STREAM_ERROR_CHECKSUM:
    return g_strdup_printf (_ ("The checksum of the compressed data does not match, at compressed byte %" PRIu64
                               " (byte %" PRIu64 " of the decompressed data): the text may contain errors"),
                            damage->packed, damage->unpacked);
  case LOOM_STREAM_ERROR_MEMBER:
  default: return g_strdup (_ ("Truncated: the archive ends, or is damaged, within this file"));
  }
}
