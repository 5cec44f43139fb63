/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the JSON scanner with json-glib as an oracle (an independent implementation): names, categories, phases and
 * structure must be equal; integers in the range of int64 must be equal; other numbers may differ by one unit in the
 * last place of a double. Texts that json-glib truncates, changes by overflow, or accepts although they are not JSON
 * are not compared.
 */
#pragma once

#include "loom-event-scanner.h"

/* Scans the text in windows that grow by `step` bytes and compares the events. Returns the number of compared events; 0
 * if json-glib refuses the text. */
guint oracle_compare (const char *text, gsize length, gsize step);

/* Returns the decompressed text of a file without blanks at its end. Reads at most about `max_bytes`. */
char *oracle_read_text (const char *path, gsize max_bytes, gsize *length);

/* Calls `file` for every file in `folder` and its subfolders, in the order of names. */
typedef void (*OracleFile) (const char *path, gpointer user_data);
void oracle_each_file (const char *folder, OracleFile file, gpointer user_data);

/* Returns the path of the corpus (collected example traces) beside the source tree; if it does not exist, skips the
 * test and returns NULL. */
const char *oracle_corpus (void);

/* Returns TRUE if LOOM_LONG is set, so that everything is tested instead of a sample. */
gboolean oracle_is_long (void);
