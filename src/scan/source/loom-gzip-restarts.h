/* SPDX-License-Identifier: Apache-2.0
 *
 * Places from which a gzip file is unpacked without the text before them: a place between two blocks of the deflate stream,
 * and the 32 KiB of text before it. They are made from what unpacking kept, as bytes that another process reads a part of
 * the file with. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-byte-source.h"

/* Makes places for a text that was read to its end, with at most about `most_bytes` bytes altogether, some MB of text apart.
 * Unpacks a little of the text for each: some ms. NULL if the text is not unpacked from a gzip file, or is damaged. The
 * bytes are described in src/index/README.md, section 18. */
GByteArray *loom_gzip_restarts_make (LoomByteSource *text, guint64 most_bytes);

/* Opens the text of a gzip file, of which it reads only what lies between the place before an offset and that offset. NULL with
 * LOOM_ERROR_FORMAT if the places are damaged. Reading fails with LOOM_ERROR_READ where they don't fit the file, and with
 * G_IO_ERROR_CANCELLED. `packed`: the file; a reference is taken. `cancellable` may be NULL; a reference is taken. */
LoomByteSource *loom_gzip_restarts_open (LoomByteSource *packed, GBytes *restarts, GCancellable *cancellable,
                                         GError **error);

/* Returns the bytes of the file that were read through such a text. */
guint64 loom_gzip_restarts_count_read (LoomByteSource *text);
