/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes and reads the sections of an index file that contain the offsets of events in trace files (LoomByteIndex,
 * README.md). With these offsets, a range of a trace file can be read without the rest of the file. The offsets are not
 * read when the index is opened, but when such a range is read. May be used on any thread.
 */
#pragma once

#include "loom-byte-index.h"
#include "loom-index-file.h"
#include "loom-trace.h"

/* Writes LoomSource.byte_index of all sources to `places`, and the texts of their long spans to `texts`. Some parts of
 * a file are needed to read any range of it, for example the begin of the file; if these parts are short, their text is
 * written to `kept`. O(blocks + long spans). */
void loom_index_places_write (const LoomTrace *trace, GByteArray *places, GByteArray *texts, GByteArray *kept);

/* Reads the byte index of one source. `source`: number of the source in the index file. Returns NULL with `error` on
 * failure: LOOM_ERROR_FORMAT if the file is damaged, LOOM_ERROR_UNSUPPORTED if it contains no byte index for this
 * source (the message says why). Memory is proportional to the bytes of the file. */
LoomByteIndex *loom_index_places_read (LoomIndexFile *file, guint source, GError **error);
