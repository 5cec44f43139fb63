/* SPDX-License-Identifier: Apache-2.0
 *
 * Location and kind of corruption in a compressed stream.
 */
#pragma once

#include <glib.h>

/* Number of bytes of text before the damage that may be wrong, too: about the length of a deflate block, in which one
 * wrong bit affects all later bytes. */
#define LOOM_STREAM_ERROR_REACH_BYTES (64u * 1024)

typedef enum {
  LOOM_STREAM_ERROR_CUT,      /* the compressed data ends inside a member */
  LOOM_STREAM_ERROR_DATA,     /* no further byte can be unpacked; text shortly before may be wrong too */
  LOOM_STREAM_ERROR_CHECKSUM, /* everything was unpacked, but the checksum or the length does not match */
  LOOM_STREAM_ERROR_MEMBER,   /* the archive ends, or is damaged, within this member */
} LoomStreamErrorKind;

typedef struct {
  LoomStreamErrorKind kind;
  guint64 packed;   /* offset of the damage in the compressed bytes; some bytes too large, as inflaters read ahead */
  guint64 unpacked; /* number of bytes of text before the damage */
  guint64 n_lost;   /* number of compressed bytes after the damage */
} LoomStreamError;

/* Returns the code of log messages about the damage; static. */
const char *loom_stream_error_get_code (const LoomStreamError *damage);

/* Returns a sentence about the damage without a full stop, with the offsets in the compressed bytes and in the text;
 * owned by the caller. */
char *loom_stream_error_describe (const LoomStreamError *damage);
