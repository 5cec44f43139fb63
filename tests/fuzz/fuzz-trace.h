/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds of every run that was loaded, whatever the files were.
 */
#pragma once

#include "fuzz.h"

#include "loom-load.h"
#include "loom-timeline.h"

/* Names below fuzz_folder(), NULL-terminated; the input's parts, which \x1e separates, are their contents in turn. Returns how
 * many there were. */
guint fuzz_put_parts (const guint8 *data, gsize size, const char *const *names);

/* Everything in the folder, on one thread. Pieces as in LoomLoadOptions. */
LoomRun *fuzz_load (guint64 piece_bytes);

/* Columns in order, nothing overlaps, texts are UTF-8, every reference leads to an event of its file, counts agree. */
void fuzz_check_run (LoomRun *run);

/* What is drawn, a line each in timeline order, without the args, which are checked to be strict JSON on the way. Owned. */
char *fuzz_list_drawn (LoomTimeline *timeline);
