/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: what reading and scanning a file share.
 */
#pragma once

#include "loom-inflate.h"
#include "loom-stream-reader.h"

#include <sys/stat.h>

G_BEGIN_DECLS

struct _LoomStreamReader {
  char *path;                 /* as messages name it */
  LoomSourceLocation *origin; /* NULL: the file at `path` */
  int fd;                     /* −1: the bytes stand in `packed` */
  LoomByteSource *packed;
  struct stat status;   /* of the file that is open */
  guint64 base, length; /* the stretch of it; G_MAXUINT64: to its end */
  guint64 position;     /* in the stretch, of what is read next */
  LoomProgress *progress;
  const LoomMemoryBudget *budget;
  /* Only for compressed files: */
  LoomInflate *inflate;
  guint8 *input;
  const guint8 *next; /* unread part of `input` */
  gsize n_next;
  gboolean input_ended;
  gboolean between_members;
  gboolean ended;
  gboolean trailing_garbage;
  guint64 garbage_offset;
  gboolean is_too_dense;
  guint64 n_free; /* bytes unpacked that no ratio is asked for */
  gboolean is_damaged;
  LoomStreamError damage;
  guint32 gzip_time;
  char *rest; /* unpacked, and still to be read */
  gsize n_rest, n_rest_done;
  LoomByteSource *text;
  guint64 n_unpacked;
};

/* The next bytes as they stand in the file; −1 with `error`, also when cancelled. */
gssize loom_stream_reader_read_packed (LoomStreamReader *reader, void *buffer, gsize n_bytes, GError **error);
/* Where loom_stream_reader_read() of a compressed file stands. */
guint64 loom_stream_reader_get_position (const LoomStreamReader *reader);
/* What was read ahead, up to where the reader stands, is to be read again. Takes the bytes. */
void loom_stream_reader_give_back (LoomStreamReader *reader, char *bytes, gsize n_bytes);

G_END_DECLS
