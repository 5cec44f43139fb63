/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a trace file. The parts of the text that every time range needs are copies in the index of the file
 * (LoomByteIndex.kept); the other parts are read from the file. Therefore the beginning and the end of a gzip file need
 * not be unpacked to read a range of the file.
 */
#pragma once

#include "loom-byte-index.h"
#include "loom-byte-source.h"

/* Returns the text; if the index has no copied parts, returns `text` itself. Takes over the reference to `text`.
 * `index` is borrowed and must outlive the result. */
LoomByteSource *loom_kept_text_new (LoomByteSource *text, const LoomByteIndex *index);
