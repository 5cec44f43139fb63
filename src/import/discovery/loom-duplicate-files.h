/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds files whose content another file also contains, so that only one of them is loaded. The
 * notes of the run list each skipped file, with the file that is loaded instead. Reads files only if names and lengths
 * do not suffice to decide.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-run.h"

/* Removes duplicates from the files of one smdebug writer (LoomFoundFile *, in the order in which they were written). A
 * file may exist plain and compressed, or with the same name in several folders, because smdebug uses one folder per
 * hour. If one file is the beginning of another one, only the longer one stays. Reads the files that it compares. */
void loom_duplicate_files_drop_copies (GPtrArray *files, LoomRun *notes);

/* Removes copies that were made while the smdebug writer was still writing the file: each file whose whole content
 * is the beginning of the completed file. */
void loom_duplicate_files_drop_beginnings (GPtrArray *files, LoomRun *notes);

/* Returns the path of another file with the contents of `file`; NULL: there is none. If there is one, `file` needs to
 * be loaded only if the other file is damaged. `files`: path → LoomFoundFile *. perfetto_trace.json.gz has the contents
 * of <host>.trace.json.gz in its folder, and <host>.trace.json.gz has the contents of <host>.xplane.pb. If a file
 * exists plain and compressed, the older one need not be loaded if the beginnings of both are equal; for Kineto traces,
 * this is not checked. */
const char *loom_duplicate_files_find_repeated (GHashTable *files, const LoomFoundFile *file);
