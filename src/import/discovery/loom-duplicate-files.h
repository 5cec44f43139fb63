/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds files whose contents are contained in another file, so that only one of them is loaded.
 * Skipped files are added to the notes, with the file that is loaded. Reads files only if names and lengths do not
 * decide.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-run.h"

/* Removes duplicates from the files of one stream (LoomFoundFile *, in order): plain and compressed copies, and copies
 * in two hour folders. */
void loom_duplicate_files_drop_copies (GPtrArray *files, LoomRun *notes);

/* Removes from the files of an smdebug writer those copied while they were open, if they equal the beginning of a
 * closed file. */
void loom_duplicate_files_drop_beginnings (GPtrArray *files, LoomRun *notes);

/* Returns the path of the file whose contents `file` repeats, among all files by path (LoomFoundFile *); NULL: none.
 * perfetto_trace.json.gz repeats the <host>.trace.json.gz in its folder, which repeats the <host>.xplane.pb. Of a plain and
 * a compressed Kineto trace, the older one repeats the newer one. */
const char *loom_duplicate_files_find_repeated (GHashTable *files, const LoomFoundFile *file);
