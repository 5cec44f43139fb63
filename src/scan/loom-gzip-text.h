/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: LoomText of a compressed file without a copy of its text. Whoever unpacks the file says on the way
 * where it is; every few MB the state of the inflater is kept. Reading unpacks again from the nearest such place, or goes
 * on where a reading before it stopped.
 *
 * Memory: 51 KB per 6 MB of text; while it is read, and some seconds after, up to 8 windows of a 64th of the text (64 KB
 * to 1 MB) and their inflaters. Thread-safe; one mutex per text.
 */
#pragma once

#include "loom-inflate.h"
#include "loom-text.h"

#include <sys/stat.h>

G_BEGIN_DECLS

/* `status` is what the file was when it was opened for loading. */
LoomText *loom_gzip_text_new (const char *path, const struct stat *status);

/* The text before `unpacked` was read, and the file before `packed` consumed. `inflate` is in the middle of a member;
 * NULL: a member begins here. Never goes back. Costs nothing where nothing is kept. */
void loom_gzip_text_pass (LoomText *text, guint64 packed, guint64 unpacked, LoomInflate *inflate);

/* The text ends at `n_bytes`, whatever may follow in the file. */
void loom_gzip_text_set_end (LoomText *text, guint64 n_bytes);

/* Frees what reading keeps in all texts that were not read in the last `idle_us`. Done by itself where a main loop runs. */
void loom_gzip_texts_rest (gint64 idle_us);

/* Bytes of memory held now; `n_unpacked` (may be NULL) gets how much reading has unpacked so far. */
gsize loom_gzip_text_measure (LoomText *text, guint64 *n_unpacked);

G_END_DECLS
