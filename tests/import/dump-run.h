/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints a loaded run as text for comparisons.
 */
#pragma once

#include "loom-load.h"

/* `folder` is removed from paths. `everything`: also print facts, messages and other data that is not drawn. For
 * `piece_bytes` see LoomLoadOptions. */
#define DUMP_IN_ONE_PASS G_MAXUINT64
char *dump_run (LoomRun *run, const char *folder, gboolean everything);
char *dump_folder (const char *folder, guint64 piece_bytes, gboolean everything);
