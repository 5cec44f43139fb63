/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the events of ranges are in the raw files, as sections of an index (README.md). Read only when a range is, not when the
 * index is opened. Any thread.
 */
#pragma once

#include "loom-byte-index.h"
#include "loom-index-file.h"
#include "loom-trace.h"

/* Writes LoomSource.byte_index of all sources. O(blocks + long spans). */
void loom_index_places_write (const LoomTrace *trace, GByteArray *places, GByteArray *texts);

/* Reads the byte index of one source. `source`: number of the source in the index file. Returns NULL with
 * LOOM_ERROR_FORMAT if the file is damaged, and with LOOM_ERROR_UNSUPPORTED if it contains no byte index for this
 * source; the message then says why. Memory is proportional to the bytes of the file. */
LoomByteIndex *loom_index_places_read (LoomIndexFile *file, guint source, GError **error);
