/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads files of any content, and checks that the loaded run satisfies the invariants of all runs.
 */
#pragma once

#include "fuzz.h"

#include "loom-load.h"
#include "loom-timeline.h"

/* Splits the input at \x1e, and writes its parts to the files `names` (NULL-terminated) in fuzz_folder(). Returns the
 * number of parts. */
guint fuzz_put_parts (const guint8 *data, gsize size, const char *const *names);

/* Loads everything in the folder in one thread. For `piece_bytes` see LoomLoadOptions. */
LoomRun *fuzz_load (guint64 piece_bytes);

/* Checks that columns are sorted, spans of a row do not overlap, texts are UTF-8, references point to events of their
 * file, and counts agree. */
void fuzz_check_run (LoomRun *run);

/* Returns a text with a line for each drawn event in timeline order. Args are not included, but are checked to be
 * strict JSON. The caller owns the result. */
char *fuzz_list_drawn (LoomTimeline *timeline);
