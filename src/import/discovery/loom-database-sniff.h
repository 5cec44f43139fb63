/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises the databases of profilers by their tables.
 */
#pragma once

#include "loom-sniff.h"

/* Recognises the kind of an SQLite database and fills in `sniff`. If the database is a file of its own, `path` is this
 * file, and the kind is recognised by the database's tables. If the database is compressed or a part of another file,
 * `path` is NULL, and the kind is guessed from its first bytes. */
void loom_database_sniff (const char *path, const char *bytes, gsize n_bytes, LoomSniff *sniff);
