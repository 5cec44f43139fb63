/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: LoomByteSource of a compressed file without a copy of its text. Whoever unpacks the file says on the way
 * where it is, and reading beyond that notes it by itself; every few MB the state of the inflater is kept. Reading unpacks
 * again from the nearest such place, or goes on where a reading before it stopped.
 *
 * Memory: 51 KB per 6 MB of text; while it is read, and some seconds after, up to 16 windows of 128 KB to 2 MB and their
 * inflaters. A text that is read in more places than that is copied once, to a temporary file (loom-temp-file.h).
 * Thread-safe; one mutex per text.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-inflate.h"

G_BEGIN_DECLS

/* Of what stands compressed in `packed`, whose reference is taken over: gzip, or with `bare` one deflate stream without a
 * header. */
LoomByteSource *loom_gzip_index_new (LoomByteSource *packed, gboolean bare);

/* The text before `unpacked` was read, and the file before `packed` consumed. `inflate` is in the middle of a member;
 * NULL: a member begins here. Costs nothing where nothing is kept. */
void loom_gzip_index_pass (LoomByteSource *text, guint64 packed, guint64 unpacked, LoomInflate *inflate);

/* The text ends at `n_bytes`, whatever may follow in the file. */
void loom_gzip_index_set_end (LoomByteSource *text, guint64 n_bytes);

/* The text ends where it was said to, and not as it should; `is_checksum_wrong`: all of it was unpacked. */
void loom_gzip_index_set_damaged (LoomByteSource *text, gboolean is_checksum_wrong);

/* Where the text ends; G_MAXUINT64 as long as nobody got there. `is_damaged` (may be NULL): not as it should. */
guint64 loom_gzip_index_get_end (LoomByteSource *text, gboolean *is_damaged);

/* Of a damaged end: all was unpacked, only the checksum or the length behind it is another. */
gboolean loom_gzip_index_is_checksum_wrong (LoomByteSource *text);

/* Frees what reading keeps in all texts that were not read in the last `idle_us`. Done by itself where a main loop runs. */
void loom_gzip_index_release_all (gint64 idle_us);

/* Bytes of memory held now; `n_unpacked` (may be NULL) gets how much reading has unpacked so far. */
gsize loom_gzip_index_measure (LoomByteSource *text, guint64 *n_unpacked);

G_END_DECLS
