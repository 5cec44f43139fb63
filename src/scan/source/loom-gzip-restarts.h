/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of places in gzip files. A place is a position from which a gzip file can be unpacked without the data before
 * it. It is between two blocks of the deflate stream. The 32 KiB of text before it are stored with the place, because
 * later blocks may refer to them.
 *
 * A list is made from the checkpoints that were saved while the file was unpacked. A process that has the list can read
 * a part of the file without unpacking the rest. The functions may be called on any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-byte-source.h"

/* Makes a list of places in a gzip file (positions from which unpacking can start) that are some MB of text apart.
 * `text` must have been read up to its end. The list has at most about `most_bytes` bytes; src/index/README.md, section
 * 18, describes its format. Takes some ms per place. Returns NULL if `text` is not unpacked from a gzip file, or is
 * damaged. */
GByteArray *loom_gzip_restarts_make (LoomByteSource *text, guint64 most_bytes);

/* Opens the text of a gzip file with its list of places. `packed`: the file. `cancellable` may be NULL. Takes a
 * reference to each of the arguments. Returns NULL with LOOM_ERROR_FORMAT if the list is damaged.
 *
 * A read at an offset unpacks only the text from the nearest place before the offset. It fails with LOOM_ERROR_READ if
 * the list does not match the file, and with G_IO_ERROR_CANCELLED after cancellation. */
LoomByteSource *loom_gzip_restarts_open (LoomByteSource *packed, GBytes *restarts, GCancellable *cancellable,
                                         GError **error);

/* Returns how many bytes of the gzip file were read so far for `text`, which loom_gzip_restarts_open() made. */
guint64 loom_gzip_restarts_count_read (LoomByteSource *text);
