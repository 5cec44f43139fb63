/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: makes the reports of Nsight Systems (.nsys-rep), whose format is not public, readable. If the
 * user has installed the program nsys, runs it, without a shell, to export a report as an SQLite database into a folder
 * of the cache.
 */
#pragma once

#include "loom-progress.h"

/* Returns TRUE if a file has the name of a report of Nsight Systems (.nsys-rep). */
gboolean loom_nsight_report_recognise (const char *path);

/* Returns a translated text that says why a report cannot be read on this machine, with the command that exports it;
 * NULL: it can be read. `is_file`: the report is a file at `path`, and not a part of an archive. Owned by the caller.
 * Looks for programs and files. */
char *loom_nsight_report_dup_refusal (const char *path, gboolean is_file);

/* Returns the path of the database to which a report was exported, now or earlier; owned by the caller. A report that
 * has changed is exported again. Returns NULL with LOOM_ERROR_READ and the last line that nsys printed, or with
 * G_IO_ERROR_CANCELLED. Blocks while nsys runs, which takes minutes for gigabytes. */
char *loom_nsight_report_export (const char *path, LoomProgress *progress, GError **error);
