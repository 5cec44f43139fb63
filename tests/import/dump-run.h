/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads files and prints the resulting run as text, which tests compare with an expected text.
 */
#pragma once

#include "loom-load.h"

/* dump_run prints a loaded run, with paths relative to `folder`. `everything`: also facts, messages and other data that
 * is not drawn. For `piece_bytes` of the other functions see LoomLoadOptions. */
#define DUMP_IN_ONE_PASS G_MAXUINT64
char *dump_run (LoomRun *run, const char *folder, gboolean everything);
char *dump_folder (const char *folder, guint64 piece_bytes, gboolean everything);
