/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a trace file. Some parts of the text are needed for every time range; these parts are read from the index
 * of the file, which contains a copy of them (LoomByteIndex.kept). The rest is read from the file. So a range of a gzip
 * file does not unpack the beginning and the end of the file.
 */
#pragma once

#include "loom-byte-index.h"
#include "loom-byte-source.h"

/* Returns the text; if the index has no kept parts, `text` itself. Takes over the reference to `text`; `index` is
 * borrowed and must live longer. */
LoomByteSource *loom_kept_text_new (LoomByteSource *text, const LoomByteIndex *index);
