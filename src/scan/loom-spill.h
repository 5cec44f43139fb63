/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: unpacked text of compressed sources, in one unlinked temporary file for the whole process.
 * Nothing stays in memory and nothing stays on disk after the program.
 */
#pragma once

#include "loom-text.h"

G_BEGIN_DECLS

/* This much room is always left on the disk. */
#define LOOM_SPILL_KEEP_FREE (G_GUINT64_CONSTANT (256) * 1024 * 1024)

/* An empty text. */
LoomText *loom_spill_new (void);

/* Appends; one writer per text, readers may read what is already there. FALSE with LOOM_ERROR_LIMIT or LOOM_ERROR_WRITE
 * when there is no room. */
gboolean loom_spill_append (LoomText *text, const char *bytes, gsize n_bytes, GError **error);

G_END_DECLS
