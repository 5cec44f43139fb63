/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model: what correlates async events, one id per distinct text. Only 64 bits of hash are kept:
 * a run has millions of such texts and nobody reads them again. Texts of up to eight bytes never collide; among ten
 * million longer ones the chance that any two do is below one in 300,000.
 * Id 0 is the empty text. One writer.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint64 *hashes; /* by id */
  guint32 count;
  guint32 capacity;
  guint32 *slots;
  guint32 mask;
} LoomCorrelationIds;

void loom_correlation_ids_init (LoomCorrelationIds *keys);
void loom_correlation_ids_clear (LoomCorrelationIds *keys);

guint32 loom_correlation_ids_intern (LoomCorrelationIds *keys, const char *text, gsize length);

/* The id here of every id of `part`, added where missing; owned by the caller. */
guint32 *loom_correlation_ids_map (LoomCorrelationIds *keys, const LoomCorrelationIds *part);

G_END_DECLS
