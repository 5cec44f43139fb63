/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cluster: finds out whether a file is on a disk that belongs to this machine alone. Several machines
 * may have different files with the same path (/scratch/trace.json) on their own disks. On a shared file system, a path
 * is the same file on all machines. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the name of this machine if the file is on the machine's own disk or in its memory. Returns "" if several
 * machines may share the file system, or if its type is unknown. If the file was deleted or is a member of an
 * archive, examines the nearest existing folder or file above it. Static. */
const char *loom_index_host_find (const char *path);
