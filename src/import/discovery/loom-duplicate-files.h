/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: files that hold what another one holds too are loaded once. What is left out is put on the notes,
 * with the one that is loaded. Reads the files where their names and lengths do not tell.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-run.h"

G_BEGIN_DECLS

/* Takes from the files of one stream (LoomFoundFile *, in order) those that stand there twice: plain and packed, or in two hour
 * folders. */
void loom_duplicate_files_drop_copies (GPtrArray *files, LoomRun *notes);

/* Takes from the files of a smdebug writer those it had open that stand at the beginning of a closed one. */
void loom_duplicate_files_drop_beginnings (GPtrArray *files, LoomRun *notes);

/* The path of the one that `file` repeats, among all by their paths (LoomFoundFile *), or NULL: perfetto_trace.json.gz repeats
 * the <host>.trace.json.gz beside it; of a plain and a packed kineto trace the newer counts. */
const char *loom_duplicate_files_find_repeated (GHashTable *files, const LoomFoundFile *file);

G_END_DECLS
