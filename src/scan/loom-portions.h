/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a compressed file in portions that overlap, so that several threads scan what can only be unpacked in order:
 * whoever has nothing to scan unpacks the next. One thread at a time takes; a portion belongs to whoever took it.
 */
#pragma once

#include "loom-reader.h"

G_BEGIN_DECLS

typedef struct {
  guint64 begin, end; /* end: where the next portion begins; LOOM_SCAN_NOWHERE: nowhere, the text ends with this one */
  char *text;         /* from `begin` on, and somewhat beyond `end` */
  gsize length;
} LoomPortion;

typedef struct _LoomPortions LoomPortions;

/* Portions of `n_bytes` from `offset` on; the reader is borrowed. */
LoomPortions *loom_portions_new (LoomReader *reader, guint64 offset, gsize n_bytes);
void loom_portions_free (LoomPortions *portions);

/* Memory for one portion after another. */
LoomPortion *loom_portion_new (const LoomPortions *portions);
void loom_portion_free (LoomPortion *portion);

/* FALSE behind the last, and with `error` when the file cannot be read or reading was cancelled. */
gboolean loom_portions_take (LoomPortions *portions, LoomPortion *portion, GError **error);

/* FALSE when the portion does not hold enough to reach its end. */
gboolean loom_portion_scan (const LoomPortion *portion, LoomScanner *scanner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPortions, loom_portions_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPortion, loom_portion_free)

G_END_DECLS
