/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cluster: the names of index files, and a list of the index files in a folder. The name of an index
 * file is BASE-OWNER-CONTENT.loomidx:
 *   BASE      the name of the first file of the trace, cut to 200 bytes
 *   OWNER     8 hexadecimal digits of a hash of the machine and path of the trace. Traces that were recorded one after
 *             another at the same path of a machine have the same digits.
 *   CONTENT   8 hexadecimal digits of a hash of the sizes and digests of the files of the trace. The digits are the
 *             same on all machines.
 *
 * Early versions of the program used the name BASE-PATH.loomidx. PATH is 8 hexadecimal digits of a hash of the path.
 */
#pragma once

#include "loom-index-about.h"

typedef struct _LoomIndexFolder LoomIndexFolder;

/* Returns the name for the index file of a trace. If the files of the trace can be read, the caller must have
 * computed their digests in `about`. Owned by the caller. */
char *loom_index_folder_dup_name (const LoomIndexAbout *about);

/* Lists the index files that are in the folder now. Files that are added later are not in the list. Any thread may
 * read the result. */
LoomIndexFolder *loom_index_folder_new (const char *path);
void loom_index_folder_free (LoomIndexFolder *folder);

/* Returns FALSE if loom_index_folder_list_alike() finds nothing for any trace; then digests need not be computed. */
gboolean loom_index_folder_has_contents (const LoomIndexFolder *folder);

/* The next two functions return paths of index files (char *). loom_index_folder_list_own() lists the index files of
 * traces that may be at the path and on the machine in `about`, including index files of early versions.
 * loom_index_folder_list_alike() lists the index files whose traces may have the content of `about`. Both compare only
 * the hashes in the file names, so the caller must check the index files. Owned by the caller. */
GPtrArray *loom_index_folder_list_own (const LoomIndexFolder *folder, const LoomIndexAbout *about);
GPtrArray *loom_index_folder_list_alike (const LoomIndexFolder *folder, const LoomIndexAbout *about);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexFolder, loom_index_folder_free)
