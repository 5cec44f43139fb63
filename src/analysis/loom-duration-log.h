/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: durations with a key each, written one after another and grouped by key at the end. A log per
 * thread; no locks.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint32 *key;
  gint64 *dur_ns;
  gsize n, size;
} LoomDurationLog;

void loom_duration_log_make_room (LoomDurationLog *log, gsize n); /* for so many more */
void loom_duration_log_clear (LoomDurationLog *log);

/* Durations by key: `first` gets n_keys + 1 borders. The logs are `stride` bytes apart and stay. Owned by the caller. */
gint64 *loom_duration_log_group (const LoomDurationLog *logs, gsize stride, guint n_logs, gsize n_keys, gsize *first);

static inline void
loom_duration_log_add (LoomDurationLog *kept, guint32 key, gint64 dur_ns)
{
  if (G_UNLIKELY (kept->n == kept->size))
    loom_duration_log_make_room (kept, 16384);
  kept->key[kept->n] = key;
  kept->dur_ns[kept->n++] = dur_ns;
}

G_END_DECLS
