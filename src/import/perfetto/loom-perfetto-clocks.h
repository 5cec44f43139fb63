/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the clocks of a Perfetto trace. Snapshots in the file contain simultaneous readings of several
 * clocks and so relate them (clock_snapshot.proto). All times are in ns.
 */
#pragma once

#include <glib.h>

typedef struct _LoomPerfettoClocks LoomPerfettoClocks;

enum { LOOM_PERFETTO_REALTIME = 1, LOOM_PERFETTO_MONOTONIC = 3, LOOM_PERFETTO_BOOTTIME = 6 };

LoomPerfettoClocks *loom_perfetto_clocks_new (void);
void loom_perfetto_clocks_free (LoomPerfettoClocks *self);

/* Returns the number of a clock, which the functions below need. An id from 64 to 127 is a different clock in each
 * sequence. */
guint loom_perfetto_clocks_find (LoomPerfettoClocks *self, guint64 id, guint64 sequence);

/* Converts the timestamp of a packet to the time of its clock in ns. The timestamps of some clocks count from the
 * previous timestamp of the same clock. Returns FALSE if the time is out of range. */
gboolean loom_perfetto_clocks_read (LoomPerfettoClocks *self, guint number, guint64 timestamp, gint64 *time_ns);

/* Adds a reading to the current snapshot. loom_perfetto_clocks_begin_snapshot() must be called before the first reading
 * of each snapshot. */
void loom_perfetto_clocks_begin_snapshot (LoomPerfettoClocks *self);
void loom_perfetto_clocks_add_reading (LoomPerfettoClocks *self, guint number, guint64 timestamp, guint64 unit_ns,
                                       gboolean is_incremental);

/* Chooses the clock that all times are converted to: UTC if the file has readings of it, else `preferred`, the clock of
 * most events. Must be called after the last snapshot. Returns TRUE if the chosen clock is UTC. */
gboolean loom_perfetto_clocks_choose (LoomPerfettoClocks *self, guint preferred);

/* Converts a time of a clock to the time of the chosen clock, using the difference between these two clocks in the last
 * snapshot before the time. Returns FALSE if the clock has no relation to the chosen clock. */
gboolean loom_perfetto_clocks_convert (const LoomPerfettoClocks *self, guint clock, gint64 *time_ns);

guint loom_perfetto_clocks_get_n_snapshots (const LoomPerfettoClocks *self);
/* Returns by how many ns UTC minus this clock has grown from the first snapshot to the last one. */
gint64 loom_perfetto_clocks_find_drift (const LoomPerfettoClocks *self, guint number);
