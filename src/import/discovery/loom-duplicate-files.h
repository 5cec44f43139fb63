/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds files whose content another file also contains, so that only one of them is loaded. The
 * notes of the run list each skipped file, with the file that is loaded instead. Reads files only if names and lengths
 * do not suffice to decide.
 */
#pragma once

#include "loom-file-discovery.h"
#include "loom-run.h"

/* Removes duplicates from the files of one smdebug writer (LoomFoundFile *, in order). A file may exist plain and
 * compressed, or with the same name in several folders, because smdebug uses one folder per hour. Of two files of which
 * one is the beginning of the other, the longer one stays. Reads both files. */
void loom_duplicate_files_drop_copies (GPtrArray *files, LoomRun *notes);

/* Removes copies that were made while the smdebug writer was still writing the file: each file whose whole content
 * is the beginning of the completed file. */
void loom_duplicate_files_drop_beginnings (GPtrArray *files, LoomRun *notes);

/* Returns the path of another file that has the contents of `file`, so that `file` need not be loaded unless the other
 * file is damaged; NULL: there is none. `files`: path → LoomFoundFile *. perfetto_trace.json.gz has the contents of
 * <host>.trace.json.gz in its folder, which in turn has those of <host>.xplane.pb. If a file exists plain and
 * compressed, the older one need not be loaded; unless it is a Kineto trace, their beginnings are read and compared. */
const char *loom_duplicate_files_find_repeated (GHashTable *files, const LoomFoundFile *file);
