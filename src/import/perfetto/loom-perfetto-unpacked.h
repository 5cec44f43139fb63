/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the unpacked content of the compressed packets of a Perfetto trace that were used last. A part
 * is a compressed packet, identified by its index. The cache holds at most 64 MiB and 128 parts, but at least the part
 * that was used last. Not safe for use by several threads at once.
 */
#pragma once

#include <glib.h>

typedef struct _LoomPerfettoUnpacked LoomPerfettoUnpacked;

LoomPerfettoUnpacked *loom_perfetto_unpacked_new (void);
void loom_perfetto_unpacked_free (LoomPerfettoUnpacked *self);

/* Makes a part, whose unpacked content has `n_bytes` bytes, the part that was used last. Returns TRUE if the cache
 * already contained the part. Otherwise adds the part and returns FALSE; if the cache is full, first removes the parts
 * whose last use is the longest ago. O(number of parts). */
gboolean loom_perfetto_unpacked_use (LoomPerfettoUnpacked *self, guint part, guint64 n_bytes);
/* Returns TRUE if the cache contains the part. */
gboolean loom_perfetto_unpacked_has (const LoomPerfettoUnpacked *self, guint part);
/* Returns the content of the part that was used last. The content is empty until the caller fills it. Owned by the
 * cache, and valid until the next call of loom_perfetto_unpacked_use(). */
GByteArray *loom_perfetto_unpacked_get (LoomPerfettoUnpacked *self);
/* Removes the part that was used last. */
void loom_perfetto_unpacked_forget (LoomPerfettoUnpacked *self);
