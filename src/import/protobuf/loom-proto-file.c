/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens a protobuf file, which may be compressed or a member of an archive. The interface is described in
 * loom-proto-file.h.
 */
#include "loom-proto-file.h"

LoomByteSource *
loom_proto_file_open (const char *path, LoomSourceLocation *origin, LoomProgress *progress, guint64 *n_bytes,
                      LoomStreamEnd *end, GError **error)
{
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (path, origin, progress, error);
  char buffer[32 * 1024];
  gssize n = 0;
  *n_bytes = reader != NULL ? loom_stream_reader_get_size (reader) : 0;
  if (reader != NULL && loom_stream_reader_is_compressed (reader)) {
    *n_bytes = 0;
    while ((n = loom_stream_reader_read (reader, buffer, sizeof buffer, error)) > 0)
      *n_bytes += (guint64) n;
  }
  if (reader != NULL)
    *end = loom_stream_reader_get_end (reader);
  return reader != NULL && n >= 0 ? loom_stream_reader_dup_text (reader) : NULL;
}
