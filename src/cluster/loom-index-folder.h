/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cluster: the file names of indexes, and a listing of the indexes in a folder. The file name of an
 * index is BASE-OWNER-CONTENT.loomidx:
 *   BASE      name of the first file of the trace, up to 200 bytes
 *   OWNER     8 hexadecimal digits of a hash of the trace's machine and path: equal for all traces that were recorded
 *             one after another at this path
 *   CONTENT   8 hexadecimal digits of a hash of the sizes and digests of the files: equal on all machines
 *
 * Early versions wrote BASE-PATH.loomidx; PATH is 8 hexadecimal digits of a hash of the path.
 */
#pragma once

#include "loom-index-about.h"

typedef struct _LoomIndexFolder LoomIndexFolder;

/* Returns the file name for the index of a trace. If the files can be read, their digests in `about` must have been
 * computed. Owned by the caller. */
char *loom_index_folder_dup_name (const LoomIndexAbout *about);

/* Returns a listing of the folder as it is now; files that are added later are not in it. Any thread may read it. */
LoomIndexFolder *loom_index_folder_new (const char *path);
void loom_index_folder_free (LoomIndexFolder *folder);

/* The next two functions return the paths of indexes (char *). loom_index_folder_list_own() lists the indexes that may
 * have the same machine and path as `about`, including indexes of early versions. loom_index_folder_list_alike() lists
 * the indexes that may have the same content. Only the hashes in the file names are compared, so the caller must check
 * the indexes themselves. Owned by the caller. */
GPtrArray *loom_index_folder_list_own (const LoomIndexFolder *folder, const LoomIndexAbout *about);
GPtrArray *loom_index_folder_list_alike (const LoomIndexFolder *folder, const LoomIndexAbout *about);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexFolder, loom_index_folder_free)
