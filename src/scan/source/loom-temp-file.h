/* SPDX-License-Identifier: Apache-2.0
 *
 * A temporary file without a name: what can be kept nowhere else, and is gone with the program whatever happens. It stands
 * in the user's folder for caches, else in the one for temporary files.
 * Filled by one thread; its text may be read by any afterwards.
 */
#pragma once

#include "loom-byte-source.h"

G_BEGIN_DECLS

typedef struct _LoomTempFile LoomTempFile;

/* NULL with LOOM_ERROR_LIMIT when the disk has not that much room and some to spare, LOOM_ERROR_WRITE when it takes none. */
LoomTempFile *loom_temp_file_new (guint64 n_bytes, GError **error);
void loom_temp_file_free (LoomTempFile *spill);

/* Whether so many bytes more would find room; as above. */
gboolean loom_temp_file_reserve (LoomTempFile *spill, guint64 n_bytes, GError **error);

/* Appends. FALSE with LOOM_ERROR_WRITE. */
gboolean loom_temp_file_append (LoomTempFile *spill, const void *bytes, gsize n_bytes, GError **error);
/* Zeros up to the length, which take no room. */
gboolean loom_temp_file_extend (LoomTempFile *spill, guint64 n_bytes, GError **error);

guint64 loom_temp_file_get_length (const LoomTempFile *spill);

/* All of it, also what is appended later. The text keeps the file when the spill is freed. A new reference. */
LoomByteSource *loom_temp_file_dup_text (LoomTempFile *spill);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTempFile, loom_temp_file_free)

G_END_DECLS
