/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads files of the open run that grow, and new files, shortly after they change. Monitors watch the folders. Monitors
 * miss changes that other machines make, so folders on network file systems are also polled, at intervals that keep the
 * cost low. Remote locations are not watched. Called on the main thread; workers read the disk.
 */
#pragma once

#include "loom-document.h"

typedef struct _LoomGrowingFiles LoomGrowingFiles;

/* Makes an object that watches the files of `document`, which is borrowed and must outlive the object. */
LoomGrowingFiles *loom_growing_files_new (LoomDocument *document);
void loom_growing_files_free (LoomGrowingFiles *self);

/* Turns the watching of files on or off; at first it is on. While it is on, files that have changed are read. */
void loom_growing_files_set_active (LoomGrowingFiles *self, gboolean active);
