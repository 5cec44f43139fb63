/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a whole text, also from a compressed file, into memory, for formats whose files are small.
 */
#pragma once

#include "loom-stream-reader.h"

/* Returns the rest of the text that `reader` has not read yet, but at most `most_bytes` + 1 bytes: a result longer than
 * `most_bytes` means that the text is too long. `most_bytes`: below G_MAXUINT32. Returns NULL with `error` if reading
 * fails. Owned by the caller. `reader` must be used by one thread at a time. */
GByteArray *loom_whole_text_read (LoomStreamReader *reader, gsize most_bytes, GError **error);
