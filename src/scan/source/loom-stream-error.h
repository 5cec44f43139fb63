/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a compressed text stopped being what was written, and how to say so.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of text before the damage that may be wrong already: about a block of deflate, in which a wrong bit goes on. */
#define LOOM_STREAM_ERROR_REACH_BYTES (64u * 1024)

typedef enum {
  LOOM_STREAM_ERROR_CUT,      /* the compressed data end inside a member */
  LOOM_STREAM_ERROR_DATA,     /* no further byte can be unpacked; what was unpacked shortly before may be wrong too */
  LOOM_STREAM_ERROR_CHECKSUM, /* all was unpacked, and is not what was packed */
  LOOM_STREAM_ERROR_MEMBER,   /* the archive around the text ends, or is damaged, within it */
} LoomStreamErrorKind;

typedef struct {
  LoomStreamErrorKind kind;
  guint64 packed;   /* bytes of the compressed data until there; inflaters read a few bytes ahead */
  guint64 unpacked; /* bytes of text until there */
  guint64 n_lost;   /* compressed bytes behind it */
} LoomStreamError;

/* The code that messages about it have in the log; static. */
const char *loom_stream_error_get_code (const LoomStreamError *damage);

/* A sentence without a full stop, with both offsets. The caller frees it. */
char *loom_stream_error_describe (const LoomStreamError *damage);

G_END_DECLS
