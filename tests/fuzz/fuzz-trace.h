/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of every loaded run, whatever its files contain.
 */
#pragma once

#include "fuzz.h"

#include "loom-load.h"
#include "loom-timeline.h"

/* Writes the input's parts, separated by \x1e, to the files `names` (NULL-terminated) below fuzz_folder(). Returns the
 * number of parts. */
guint fuzz_put_parts (const guint8 *data, gsize size, const char *const *names);

/* Loads everything in the folder in one thread. For `piece_bytes` see LoomLoadOptions. */
LoomRun *fuzz_load (guint64 piece_bytes);

/* Checks that columns are sorted, spans of a row do not overlap, texts are UTF-8, references point to events of their
 * file, and counts agree. */
void fuzz_check_run (LoomRun *run);

/* Returns a line for each drawn event in timeline order, without args, which are only checked to be strict JSON. The
 * caller owns the result. */
char *fuzz_list_drawn (LoomTimeline *timeline);
