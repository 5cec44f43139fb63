/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a whole text into memory, also from a compressed file. Used for formats whose files are small.
 */
#pragma once

#include "loom-stream-reader.h"

/* Returns the text that `reader` has not read yet, but at most `most_bytes` + 1 bytes: if the result is longer than
 * `most_bytes`, the text is too long. `most_bytes` must be less than G_MAXUINT32. Returns NULL with `error` if reading
 * fails. Owned by the caller. Only one thread at a time may use `reader`. */
GByteArray *loom_whole_text_read (LoomStreamReader *reader, gsize most_bytes, GError **error);
