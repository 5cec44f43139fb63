/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of files inside archives, such as "job.zip//rank0/trace.json": two slashes separate the path of the archive
 * and the name of the member. Functions that treat such a path as a plain path, for example to get its base name or
 * folder, regard the two slashes as one. The user sees "job.zip › rank0/trace.json".
 */
#pragma once

#include <glib.h>

/* Returns the path of an archive member; `name` is relative. Strings returned by functions of this header are owned by
 * the caller. */
char *loom_archive_path_dup_member (const char *archive, const char *name);

/* Returns the path of the archive that contains a member; if archives are nested, of the outermost one; NULL if `path`
 * is not inside an archive. */
char *loom_archive_path_dup_archive (const char *path);

/* Replaces repeated slashes by one, except in the "://" of a URI. For paths given on the command line. */
char *loom_archive_path_dup_plain (const char *path);

/* Returns a file name in UTF-8 for display. Control characters, which could move a terminal's cursor or break a line,
 * are shown as "\n", "\x1b" and so on; characters that change the direction of the rest of a line as "\u202e". */
char *loom_archive_path_dup_printable (const char *name);

/* Shortens a text (UTF-8) of more than 4096 characters to 512 characters, by cutting its middle. No path can be that
 * long, so paths do not change. */
char *loom_archive_path_dup_short (const char *text);

/* Returns the path for display: made printable and short by loom_archive_path_dup_printable() and
 * loom_archive_path_dup_short(). */
char *loom_archive_path_dup_shown (const char *path);

/* Returns a file name without the extensions of format and compression: "rank0" for "rank0.pt.trace.json.gz". */
char *loom_archive_path_dup_stem (const char *name);

/* Returns the folder of a path for display: printable, with the home folder as "~". */
char *loom_archive_path_dup_place (const char *path);
