/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of files inside archives: "job.zip//rank0/trace.json". Everything that reads paths as paths (base name, folder,
 * canonical form) takes the two slashes for one; people are shown "job.zip › rank0/trace.json".
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The path of a member, whose name is relative. Owned by the caller, as all below. */
char *loom_archive_path_dup_member (const char *archive, const char *name);

/* The archive of a member's path, the outermost one of several; NULL for what is no member. */
char *loom_archive_path_dup_archive (const char *path);

/* With single slashes, "://" of a location excepted: what may be given on a command line. */
char *loom_archive_path_dup_plain (const char *path);

/* A file name for people, in UTF-8: names may hold what moves a terminal's cursor or breaks a line, which is shown as
 * "\n", "\x1b". */
char *loom_archive_path_dup_printable (const char *name);

/* A text (UTF-8) that is longer than a path can be, 4096 letters, without its middle: some hundred letters. */
char *loom_archive_path_dup_short (const char *text);

/* For people: printable and short, as above. */
char *loom_archive_path_dup_shown (const char *path);

/* A file name without what says how it is written: "rank0" of "rank0.pt.trace.json.gz". */
char *loom_archive_path_dup_stem (const char *name);

/* The folder of a path, for people: printable, the home folder as "~". */
char *loom_archive_path_dup_place (const char *path);

G_END_DECLS
