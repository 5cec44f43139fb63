/* SPDX-License-Identifier: Apache-2.0
 *
 * A temporary file without a name: what can be kept nowhere else, and is gone with the program whatever happens. It stands
 * in the user's folder for caches, else in the one for temporary files.
 * Filled by one thread; its text may be read by any afterwards.
 */
#pragma once

#include "loom-text.h"

G_BEGIN_DECLS

typedef struct _LoomSpill LoomSpill;

/* NULL with LOOM_ERROR_LIMIT when the disk has not that much room and some to spare, LOOM_ERROR_WRITE when it takes none. */
LoomSpill *loom_spill_new (guint64 n_bytes, GError **error);
void loom_spill_free (LoomSpill *spill);

/* Whether so many bytes more would find room; as above. */
gboolean loom_spill_reserve (LoomSpill *spill, guint64 n_bytes, GError **error);

/* Appends. FALSE with LOOM_ERROR_WRITE. */
gboolean loom_spill_append (LoomSpill *spill, const void *bytes, gsize n_bytes, GError **error);
/* Zeros up to the length, which take no room. */
gboolean loom_spill_extend (LoomSpill *spill, guint64 n_bytes, GError **error);

guint64 loom_spill_get_length (const LoomSpill *spill);

/* All of it, also what is appended later. The text keeps the file when the spill is freed. A new reference. */
LoomText *loom_spill_dup_text (LoomSpill *spill);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSpill, loom_spill_free)

G_END_DECLS
