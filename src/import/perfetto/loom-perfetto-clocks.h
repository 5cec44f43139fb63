/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the clocks of a Perfetto trace and how their readings relate, by the snapshots in the file:
 * formats/perfetto-protobuf.md. All times are ns.
 */
#pragma once

#include <glib.h>

typedef struct _LoomPerfettoClocks LoomPerfettoClocks;

enum { LOOM_PERFETTO_REALTIME = 1, LOOM_PERFETTO_MONOTONIC = 3, LOOM_PERFETTO_BOOTTIME = 6 };

LoomPerfettoClocks *loom_perfetto_clocks_new (void);
void loom_perfetto_clocks_free (LoomPerfettoClocks *self);

/* Returns the number of a clock, which the functions below take. Ids from 64 to 127 mean another clock in each sequence. */
guint loom_perfetto_clocks_find (LoomPerfettoClocks *self, guint64 id, guint64 sequence);

/* Converts a packet's timestamp, which counts from the timestamp before it for some clocks. Returns FALSE if it is out of
 * range. */
gboolean loom_perfetto_clocks_read (LoomPerfettoClocks *self, guint number, guint64 timestamp, gint64 *time_ns);

/* Adds a reading to a snapshot. Call begin before the first reading. */
void loom_perfetto_clocks_begin_snapshot (LoomPerfettoClocks *self);
void loom_perfetto_clocks_add_reading (LoomPerfettoClocks *self, guint number, guint64 timestamp, guint64 unit_ns,
                                       gboolean is_incremental);

/* Chooses the clock that all times are converted to after the last snapshot: UTC if the file knows it, else `preferred`,
 * the clock of most events. Returns TRUE if it is UTC. */
gboolean loom_perfetto_clocks_choose (LoomPerfettoClocks *self, guint preferred);

/* Returns FALSE if the clock cannot be related to the chosen one. Between snapshots the difference stays as it was. */
gboolean loom_perfetto_clocks_convert (const LoomPerfettoClocks *self, guint clock, gint64 *time_ns);

guint loom_perfetto_clocks_get_n_snapshots (const LoomPerfettoClocks *self);
/* Returns by how much UTC minus the clock changes from the first snapshot to the last. */
gint64 loom_perfetto_clocks_find_drift (const LoomPerfettoClocks *self, guint number);
