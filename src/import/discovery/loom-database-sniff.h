/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises the SQLite databases of profilers by the tables that they contain.
 */
#pragma once

#include "loom-sniff.h"

/* Recognises the kind of an SQLite database and fills in `sniff`. `path`: the database file, whose tables determine
 * the kind. For a database that is compressed or part of another file, `path` is NULL, and the kind is guessed from
 * the first bytes of the database. */
void loom_database_sniff (const char *path, const char *bytes, gsize n_bytes, LoomSniff *sniff);
