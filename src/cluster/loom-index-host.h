/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cluster: finds out whether a file is on a machine's own disk. Several machines may have different
 * files of the same path on their own disks (/scratch/trace.json), while a path of a shared file system is the same
 * file on all machines. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the name of this machine if the file is on the machine's own disk or in its memory; "" if the file system may
 * be shared or is unknown. For a member of an archive, or a deleted file, examines the nearest existing folder or file
 * above it. Static. */
const char *loom_index_host_find (const char *path);
