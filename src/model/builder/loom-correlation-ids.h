/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model: maps the text ids by which async events are matched (correlation ids) to numbers, one per
 * distinct text. Keeps only a hash of 64 bits per text, because a run has millions of such texts, and they are never
 * read again. Texts of up to eight bytes never have equal hashes; among ten million longer texts, the probability that
 * any two have equal hashes is below 1 in 300,000. The hash depends on a random number of the process
 * (loom-seeded-hash.h), so that no file can contain texts with equal hashes on purpose. Number 0 is the empty text.
 * Only one thread may add texts.
 */
#pragma once

#include <glib.h>

typedef struct {
  guint64 *hashes; /* array indexed by id: hash of the text */
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
