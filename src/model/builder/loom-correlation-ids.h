/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model: the correlation ids of async events, one id per distinct text. Only 64 bits of hash are kept,
 * because a run has millions of such texts and they are never read again. Texts of up to eight bytes never collide;
 * among ten million longer ones the chance that any two collide is below one in 300,000. Id 0 is the empty text. One
 * writer.
 */
#pragma once

#include <glib.h>

typedef struct {
  guint64 *hashes; /* index: id */
  guint32 count;
  guint32 capacity;
  guint32 *slots;
  guint32 mask;
} LoomCorrelationIds;

void loom_correlation_ids_init (LoomCorrelationIds *keys);
void loom_correlation_ids_clear (LoomCorrelationIds *keys);

guint32 loom_correlation_ids_intern (LoomCorrelationIds *keys, const char *text, gsize length);

/* Returns an array that translates the ids of `part` to ids of `keys` with the same texts; the index is the id in
 * `part`. Adds texts that `keys` does not contain yet. Owned by the caller. */
guint32 *loom_correlation_ids_map (LoomCorrelationIds *keys, const LoomCorrelationIds *part);
