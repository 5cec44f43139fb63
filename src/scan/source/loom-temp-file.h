/* SPDX-License-Identifier: Apache-2.0
 *
 * A temporary file without a name, for data that does not fit into memory. The file has no name, so the system deletes
 * it when the program ends, even if the program crashes. The file is in the user's cache folder or, if it cannot be
 * made there, in the folder for temporary files. One thread writes it; afterwards any thread may read its text.
 */
#pragma once

#include "loom-byte-source.h"

typedef struct _LoomTempFile LoomTempFile;

/* Makes an empty temporary file. Returns NULL with LOOM_ERROR_LIMIT if the disk does not have enough space for
 * `n_bytes` and a reserve, or with LOOM_ERROR_WRITE if the file cannot be written. */
LoomTempFile *loom_temp_file_new (guint64 n_bytes, GError **error);
void loom_temp_file_free (LoomTempFile *spill);

/* Checks whether the disk has enough space for `n_bytes` more. If not, returns FALSE with the errors of
 * loom_temp_file_new(). */
gboolean loom_temp_file_reserve (LoomTempFile *spill, guint64 n_bytes, GError **error);

/* Appends bytes to the file. Returns FALSE with LOOM_ERROR_WRITE if the bytes cannot be written. */
gboolean loom_temp_file_append (LoomTempFile *spill, const void *bytes, gsize n_bytes, GError **error);
/* Extends the file with zeros to a length of `n_bytes`; the zeros take no disk space. */
gboolean loom_temp_file_extend (LoomTempFile *spill, guint64 n_bytes, GError **error);

guint64 loom_temp_file_get_length (const LoomTempFile *spill);

/* Returns an object for reading the content of the file, including data that is appended later; a new reference. The
 * object keeps the file open, even after `spill` is freed. */
LoomByteSource *loom_temp_file_dup_text (LoomTempFile *spill);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTempFile, loom_temp_file_free)
