/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises a merged file that Traceloom wrote into the folder of the files from which it was
 * made. If all of them are loaded, the merged file would count each event a second time.
 */
#pragma once

#include "loom-file-discovery.h"

/* Returns the path of one of the files from which the merged file `file` was made. Returns NULL if one of these files
 * is not in `files`, or is not in the folder of `file` or below it. Also returns NULL if the list of sources cannot be
 * read. `files`: path → LoomFoundFile *; the result is one of its keys. `is_perfetto`: `file` is a Perfetto trace, not
 * JSON. Reads the beginning of the file. O(length of the list). */
const char *loom_merged_file_find_source (GHashTable *files, const LoomFoundFile *file, gboolean is_perfetto);
