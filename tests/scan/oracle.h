/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the scanner with json-glib: names, categories, phases and structure must be equal; integers in the range of
 * int64 must be equal, other numbers may differ by one unit in the last place of a double. Texts that json-glib
 * truncates, wraps or accepts beyond JSON are excluded.
 */
#pragma once

#include "loom-event-scanner.h"

/* Returns the number of compared events; 0 if json-glib refuses the text. The scanner gets `step` more bytes at a
 * time. */
guint oracle_compare (const char *text, gsize length, gsize step);

/* Returns the decompressed text of a file without trailing blanks; reads at most about `max_bytes`. */
char *oracle_read_text (const char *path, gsize max_bytes, gsize *length);

/* Calls `file` for every file below `folder`, in the order of names. */
typedef void (*OracleFile) (const char *path, gpointer user_data);
void oracle_each_file (const char *folder, OracleFile file, gpointer user_data);

/* Returns the corpus beside the source tree; if it is missing, skips the test and returns NULL. */
const char *oracle_corpus (void);

/* Returns TRUE if everything is to be tested instead of a sample. */
gboolean oracle_is_long (void);
