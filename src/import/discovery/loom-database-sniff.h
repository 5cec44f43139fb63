/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises the databases of profilers by their tables.
 */
#pragma once

#include "loom-sniff.h"

/* Fills in what the SQLite database at `path` is. `origin` NULL: the file is at `path`. `is_packed`: its bytes are inside
 * a compressed file. Reads its list of tables. */
void loom_database_sniff (const char *path, const LoomSourceLocation *origin, gboolean is_packed, LoomSniff *sniff);
