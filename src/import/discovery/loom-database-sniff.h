/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises the databases of profilers by their tables.
 */
#pragma once

#include "loom-sniff.h"

/* Fills in what an SQLite database is. `path` is its own file, whose list of tables is read; NULL if it is packed or a
 * part of another file: then its first bytes decide. */
void loom_database_sniff (const char *path, const char *bytes, gsize n_bytes, LoomSniff *sniff);
