/* SPDX-License-Identifier: Apache-2.0
 *
 * The struct of the stream reader, and functions that loom-stream-reader.c and loom-stream-reader-scan.c share. Private
 * to src/scan.
 */
#pragma once

#include "loom-inflate.h"
#include "loom-stream-reader.h"

#include <sys/stat.h>

struct _LoomStreamReader {
  char *path;                 /* path of the file; used only in messages if `origin` is set */
  LoomSourceLocation *origin; /* location of the bytes; NULL: they are the file at `path` */
  int fd;                     /* descriptor of the open file; −1: the bytes are read from `packed` instead */
  LoomByteSource *packed;
  struct stat status;   /* status of the file when it was opened */
  guint64 base, length; /* offset and length of the range to read; G_MAXUINT64: up to the end of the file */
  guint64 position;     /* offset, within the range, of the next read */
  LoomProgress *progress;
  const LoomMemoryBudget *budget;
  /* The members from here to `n_rest_done` are used only for compressed files. */
  LoomInflate *inflate;
  guint8 *input;
  const guint8 *next; /* first byte of `input` that was not yet unpacked */
  gsize n_next;
  gboolean input_ended;
  gboolean between_members;
  gboolean ended;
  gboolean trailing_garbage;
  guint64 garbage_offset;
  gboolean is_too_dense;
  gboolean is_checked; /* TRUE after loom_stream_reader_check_stored() has compared the checksum */
  guint64 n_free;      /* the compression ratio is checked only after this number of bytes was unpacked */
  gboolean is_damaged;
  LoomStreamError damage;
  guint32 gzip_time;
  char *rest; /* unpacked bytes that were put back; the next reads return them first */
  gsize n_rest, n_rest_done;
  LoomByteSource *text;
  guint64 n_unpacked;
};

/* Reads the next stored bytes into `buffer`. Returns their number; 0 at the end; −1 with `error`, also when
 * cancelled. */
gssize loom_stream_reader_read_packed (LoomStreamReader *reader, void *buffer, gsize n_bytes, GError **error);
/* For a compressed file, returns the offset in the unpacked text at which loom_stream_reader_read() continues. */
guint64 loom_stream_reader_get_position (const LoomStreamReader *reader);
/* Puts the last unpacked bytes back, so that the next read returns them again. Takes ownership of `bytes`. */
void loom_stream_reader_give_back (LoomStreamReader *reader, char *bytes, gsize n_bytes);
