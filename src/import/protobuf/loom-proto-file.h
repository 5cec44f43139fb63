/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: opens a protobuf file, which may be compressed or a member of an archive. May be called on any
 * thread.
 */
#pragma once

#include "loom-stream-reader.h"

/* Returns the unpacked bytes of the file, a new reference, and sets `n_bytes` to their number. A compressed file is
 * read once to count them; `end` then says whether this reading reached the end of the data. Returns NULL with the
 * errors of loom_stream_reader_new_from() and loom_stream_reader_read(). */
LoomByteSource *loom_proto_file_open (const char *path, LoomSourceLocation *origin, LoomProgress *progress,
                                      guint64 *n_bytes, LoomStreamEnd *end, GError **error);
