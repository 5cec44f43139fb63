/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises the formats of traces in JSON, by members of the events and of the outermost
 * object.
 */
#pragma once

#include "loom-sniff.h"
#include "loom-stream-reader.h"

/* Recognises a trace in JSON and fills in `sniff`; sets the reason if the text is not a trace. `bytes` contains the
 * first `n_bytes` bytes of the text: LOOM_SNIFF_FIRST_BYTES, or the whole text if it is shorter. If these bytes contain
 * no event, reads on from `reader`, up to LOOM_LIMIT_SNIFF_BYTES, and reallocates `bytes`, which the caller owns. A
 * read error counts as the end of the text. May be called on any thread. O(bytes that are read). */
void loom_json_sniff (const char *path, LoomStreamReader *reader, char **bytes, gsize n_bytes, LoomSniff *sniff);
