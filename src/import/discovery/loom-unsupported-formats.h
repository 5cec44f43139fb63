/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises files that commonly accompany traces, and traces of other programs. Each gets one
 * sentence that says what it is and, if possible, what to open instead. Any thread.
 */
#pragma once

#include "loom-database.h"

/* Recognises a file by its name alone. `is_trace` is set to TRUE if the user may expect it on the timeline. Returns
 * NULL if the name is unknown; the sentence is static. */
const char *loom_unsupported_formats_by_name (const char *path, gboolean *is_trace);

/* Recognises a file by the beginning of its content. Returns NULL if unknown; the sentence is static. */
const char *loom_unsupported_formats_by_content (const char *text, gsize n);

/* Returns a sentence about a database that is not a known profile; owned. */
char *loom_unsupported_formats_by_tables (const LoomDatabase *database);
