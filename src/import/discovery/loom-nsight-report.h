/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: makes the reports of Nsight Systems (.nsys-rep), whose format is not public, readable. If the
 * program nsys is installed, runs it without a shell. nsys exports a report as an SQLite database, which is stored in a
 * folder of the cache.
 */
#pragma once

#include "loom-progress.h"

/* Returns TRUE if the name of a file is that of an Nsight Systems report (.nsys-rep). */
gboolean loom_nsight_report_recognise (const char *path);

/* Returns a translated text that says why a report cannot be read on this machine, with the command that exports it;
 * NULL: it can be read. `is_file`: the report is a file at `path`, and not a part of an archive. Owned by the caller.
 * Searches the disk for nsys and for an exported database. */
char *loom_nsight_report_dup_refusal (const char *path, gboolean is_file);

/* Returns the path of the database to which a report was exported, now or earlier; owned by the caller. A report that
 * has changed is exported again. Returns NULL with LOOM_ERROR_READ and the last line that nsys printed, or with
 * G_IO_ERROR_CANCELLED. Blocks while nsys runs, which takes minutes for gigabytes. */
char *loom_nsight_report_export (const char *path, LoomProgress *progress, GError **error);
