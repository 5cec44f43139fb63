/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises files that often accompany traces, and traces of other programs that Traceloom
 * cannot read. Gives each kind of file one sentence that says what it is and, if possible, which file to open instead.
 * May be used by any thread.
 */
#pragma once

#include "loom-database.h"

/* Recognises a file only by its name. Returns a static sentence about it; NULL: the name is unknown. `is_trace` is set
 * to TRUE if the file is a trace, which the user may expect on the timeline. */
const char *loom_unsupported_formats_by_name (const char *path, gboolean *is_trace);

/* Recognises a file by the beginning of its content. Returns a static sentence about it; NULL: it is unknown. */
const char *loom_unsupported_formats_by_content (const char *text, gsize n);

/* Returns a sentence about a database that no supported profiler wrote. Owned by the caller. */
char *loom_unsupported_formats_by_tables (const LoomDatabase *database);
