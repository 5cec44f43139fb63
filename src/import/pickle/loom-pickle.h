/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Python pickles that hold plain data only, protocols 0 to 5 (formats/flight-recorder.md §3; opcodes as in
 * CPython's Lib/pickletools.py). Nothing is ever executed or imported: the reader knows only the opcodes of plain
 * values, and any other opcode ends it. Nothing recurses. Memory is proportional to the bytes of the pickle, not to the
 * lengths that it claims. Any thread.
 */
#pragma once

#include "loom-plain-values.h"

/* Maximum number of values in one pickle, and of values that it remembers: 400 MB. */
#define LOOM_PICKLE_MAX_VALUES (16u * 1024 * 1024)

/* Returns the values; texts in them point into `bytes`, which must outlive them. A pickle that is cut off gives what its
 * lists and dicts held up to there, and sets `damage` to the offset of the cut; otherwise `damage` is G_MAXUINT64.
 * `n_used`: offset of the byte after the pickle. Returns NULL with LOOM_ERROR_UNSUPPORTED if the pickle contains
 * anything but plain data, with LOOM_ERROR_LIMIT if it has too many values, with LOOM_ERROR_FORMAT if it is no pickle.
 * O(n). */
LoomPlainValues *loom_pickle_read (const char *bytes, gsize n, guint64 *damage, gsize *n_used, GError **error);
