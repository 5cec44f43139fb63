/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole or absent: an output file is written beside its target, synced and renamed on commit; anything else leaves no
 * trace. A file that is in use as input (loom-input-files.h) is never written over: opening it fails. Names ending in ".gz" are compressed. "-" is standard output. Errors stick: append as you like and look at
 * the result of commit. One thread at a time.
 *
 * What is larger than 64 MB and not compressed goes past the page cache where the file system has it (loom-direct-io.h); of
 * what commit does not wait for, what is larger than 8 MB; when the disk is slower than whoever writes, than a share of the
 * memory.
 */
#pragma once

#include <gio/gio.h>

#include "loom-input-files.h"

G_BEGIN_DECLS

typedef struct _LoomOutputFile LoomOutputFile;

/* NULL with LOOM_ERROR_WRITE when the place cannot be written. */
LoomOutputFile *loom_output_file_new (const char *path, GError **error);

/* To be said before anything is appended: what is written is made of other files, and can be made of them again. Where it
 * replaces none, commit does not wait for the disk, as copying a file does not; the system brings it there within half a
 * minute or so, and only a machine that loses its power before that loses it. */
void loom_output_file_set_remakable (LoomOutputFile *output);

void loom_output_file_append (LoomOutputFile *output, const char *bytes, gsize length);

/* Compressing may be shared with other threads: each makes a stretch of the text ready with loom_parallel_deflate_append(), and
 * here they come in the order of the text. `checksum` and `length` are those of the stretch before it was packed. */
gboolean loom_output_file_is_compressed (const LoomOutputFile *output);
void loom_output_file_append_packed (LoomOutputFile *output, const GByteArray *packed, guint32 checksum, gsize length);

/* FALSE once something failed: time to stop. */
gboolean loom_output_file_is_good (LoomOutputFile *output);

guint64 loom_output_file_get_n_bytes (LoomOutputFile *output); /* before compression */

/* Flushes, syncs unless nobody waits for that, and renames. Frees `output` in any case; on FALSE nothing stays behind. */
gboolean loom_output_file_commit (LoomOutputFile *output, GError **error);

/* Frees and leaves nothing behind. */
void loom_output_file_abort (LoomOutputFile *output);

/* All of it at once: what was at `path` stays when it fails. */
gboolean loom_output_file_write (const char *path, GBytes *bytes, GError **error);
/* The same for the writer of a kind of input, which may replace inputs of that kind. */
gboolean loom_output_file_write_of_kind (const char *path, GBytes *bytes, LoomInputFilesKind writer, GError **error);

G_END_DECLS
