/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises the databases of profilers by their tables.
 */
#pragma once

#include "loom-sniff.h"

/* Recognises the kind of an SQLite database and fills in `sniff`. `path` is the file that contains only the database,
 * whose list of tables is read. `path` NULL: the database is compressed or a part of another file, so its kind is
 * guessed from its first bytes. */
void loom_database_sniff (const char *path, const char *bytes, gsize n_bytes, LoomSniff *sniff);
