/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of places in gzip files. A place is a position from which a gzip file can be unpacked without the data before
 * it. It is between two blocks of the deflate stream, and the 32 KiB of text before it are stored with it, because
 * later blocks may refer to them.
 *
 * A list is made from the checkpoints that were saved while the file was unpacked. A process that has the list can read
 * a part of the file without unpacking the rest. The functions may be called on any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-byte-source.h"

/* Makes a list of the places in a gzip file from which unpacking can start, some MB of text apart. `text` must have
 * been read to its end. The list has at most about `most_bytes` bytes; its format is described in src/index/README.md,
 * section 18. Takes some ms per place. NULL if the text is not unpacked from a gzip file, or is damaged. */
GByteArray *loom_gzip_restarts_make (LoomByteSource *text, guint64 most_bytes);

/* Opens the text of a gzip file with its list of places. `packed`: the file. `cancellable` may be NULL. A reference to
 * each of them is taken. Returns NULL with LOOM_ERROR_FORMAT if the list is damaged.
 *
 * A read at an offset unpacks only the text from the nearest place before the offset. It fails with LOOM_ERROR_READ if
 * the list does not match the file, and with G_IO_ERROR_CANCELLED after cancellation. */
LoomByteSource *loom_gzip_restarts_open (LoomByteSource *packed, GBytes *restarts, GCancellable *cancellable,
                                         GError **error);

/* Returns how many bytes of the gzip file have been read so far for `text`, which loom_gzip_restarts_open()
 * returned. */
guint64 loom_gzip_restarts_count_read (LoomByteSource *text);
