/* SPDX-License-Identifier: Apache-2.0
 *
 * Describes damage of a compressed stream: its kind, and its position in the compressed data and in the text.
 */
#pragma once

#include <glib.h>

/* Number of bytes of text before the position of the damage that may also be wrong: a wrong bit affects all later bytes
 * of a deflate block, and a block has about this length. */
#define LOOM_STREAM_ERROR_REACH_BYTES (64u * 1024)

typedef enum {
  LOOM_STREAM_ERROR_CUT, /* the compressed data ends inside a gzip member */
  /* the compressed data is invalid, and no further byte can be unpacked; text shortly before the damage may be wrong
   * too */
  LOOM_STREAM_ERROR_DATA,
  LOOM_STREAM_ERROR_CHECKSUM, /* everything was unpacked, but its checksum or its length differs from the stored one */
  /* the archive ends, or is damaged, within the member that contains the data */
  LOOM_STREAM_ERROR_MEMBER,
} LoomStreamErrorKind;

typedef struct {
  LoomStreamErrorKind kind;
  /* offset of the damage in the compressed bytes; it may be some bytes too large, because inflaters read ahead */
  guint64 packed;
  guint64 unpacked; /* number of bytes of text that were unpacked before the damage */
  guint64 n_lost;   /* number of compressed bytes after `packed`, which could not be unpacked */
} LoomStreamError;

/* Returns the code that identifies this kind of damage in log messages; static. */
const char *loom_stream_error_get_code (const LoomStreamError *damage);

/* Returns a description of the damage, with the offsets in the compressed bytes and in the text: a sentence without the
 * full stop. Owned by the caller. */
char *loom_stream_error_describe (const LoomStreamError *damage);
