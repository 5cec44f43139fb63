/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of files inside archives, such as "job.zip//rank0/trace.json": two slashes separate the path of the archive and
 * the name of the member. Functions for plain paths, for example to get the base name or the folder, treat the two
 * slashes as one. The user sees "job.zip › rank0/trace.json". Any thread.
 */
#pragma once

#include <glib.h>

/* Returns the path of an archive member. `name`: relative path of the member. The texts that functions of this
 * header return are owned by the caller. */
char *loom_archive_path_dup_member (const char *archive, const char *name);

/* Returns the path of the archive that contains a member; if archives are nested, the path of the outermost archive.
 * Returns NULL if `path` is not inside an archive. */
char *loom_archive_path_dup_archive (const char *path);

/* Replaces several slashes in a row by one slash, except in the "://" of a URI. Used for paths on the command line. */
char *loom_archive_path_dup_plain (const char *path);

/* Returns a file name in UTF-8 for display. Control characters, which could move the cursor of a terminal or break a
 * line, become "\n", "\x1b" and so on. Characters that change the direction of the rest of a line become "\u202e"
 * and so on. */
char *loom_archive_path_dup_printable (const char *name);

/* Shortens a text (UTF-8) of more than 4096 characters to 512 characters; an ellipsis replaces its middle. Paths do
 * not change, because no path can be that long. */
char *loom_archive_path_dup_short (const char *text);

/* Returns the path for display, after loom_archive_path_dup_printable() and loom_archive_path_dup_short() have been
 * applied. */
char *loom_archive_path_dup_shown (const char *path);

/* Returns a file name without the extensions for format and compression, such as "rank0" for
 * "rank0.pt.trace.json.gz". */
char *loom_archive_path_dup_stem (const char *name);

/* Returns the folder of a path for display: printable, with "~" for the home folder. */
char *loom_archive_path_dup_place (const char *path);
