/* SPDX-License-Identifier: Apache-2.0
 *
 * json-glib as the oracle of the scanner: names, categories, phases, structure agree exactly; numbers exactly where they
 * are int64, else within one step of a double. Left out: what json-glib cuts, wraps or accepts beyond JSON.
 */
#pragma once

#include "loom-event-scanner.h"

/* Returns the number of events compared, 0 when json-glib does not take the text. The scanner is shown `step` bytes more
 * at a time. */
guint oracle_compare (const char *text, gsize length, gsize step);

/* The unpacked text of a file without the blanks at its end; reading stops behind `max_bytes`. */
char *oracle_read_text (const char *path, gsize max_bytes, gsize *length);

/* Calls `file` for every file below `folder`, in the order of their names. */
typedef void (*OracleFile) (const char *path, gpointer user_data);
void oracle_each_file (const char *folder, OracleFile file, gpointer user_data);

/* The corpus beside the project; NULL, and the test is skipped, when it is not there. */
const char *oracle_corpus (void);

/* Everything is to be tried, not a sample. */
gboolean oracle_is_long (void);
