/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: converts the times of a Perfetto trace, whose packets use several clocks, to a single clock.
 * Snapshots in the file contain simultaneous readings of several clocks, which give the differences between the clocks
 * (clock_snapshot.proto). All times are in ns.
 */
#pragma once

#include <glib.h>

typedef struct _LoomPerfettoClocks LoomPerfettoClocks;

enum { LOOM_PERFETTO_REALTIME = 1, LOOM_PERFETTO_MONOTONIC = 3, LOOM_PERFETTO_BOOTTIME = 6 };

LoomPerfettoClocks *loom_perfetto_clocks_new (void);
void loom_perfetto_clocks_free (LoomPerfettoClocks *self);

/* Returns the number by which the functions below identify a clock. An id from 64 to 127 is a different clock in each
 * sequence. */
guint loom_perfetto_clocks_find (LoomPerfettoClocks *self, guint64 id, guint64 sequence);

/* Converts the timestamp of a packet to a time of its clock in ns. For some clocks, a timestamp is the difference to
 * the previous timestamp of this clock. Returns FALSE if the time is out of range. */
gboolean loom_perfetto_clocks_read (LoomPerfettoClocks *self, guint number, guint64 timestamp, gint64 *time_ns);

/* Returns TRUE if loom_perfetto_clocks_read() returns each timestamp up to G_MAXINT64 of this clock as it is. This may
 * change with each snapshot. */
gboolean loom_perfetto_clocks_is_plain (const LoomPerfettoClocks *self, guint number);

/* The next two functions record a snapshot. loom_perfetto_clocks_begin_snapshot() begins it;
 * loom_perfetto_clocks_add_reading() adds the reading of one clock to the snapshot that was begun last. */
void loom_perfetto_clocks_begin_snapshot (LoomPerfettoClocks *self);
void loom_perfetto_clocks_add_reading (LoomPerfettoClocks *self, guint number, guint64 timestamp, guint64 unit_ns,
                                       gboolean is_incremental);

/* Chooses the clock to which all times are converted: UTC if a snapshot contains it, otherwise `preferred`, the
 * clock of most events. Must be called after the last snapshot. Returns TRUE if the chosen clock is UTC. */
gboolean loom_perfetto_clocks_choose (LoomPerfettoClocks *self, guint preferred);

/* Converts a time of a clock to the time of the chosen clock, using the difference between these two clocks in the last
 * snapshot before the time. Returns FALSE if the clock has no relation to the chosen clock. */
gboolean loom_perfetto_clocks_convert (const LoomPerfettoClocks *self, guint clock, gint64 *time_ns);

/* Returns TRUE if the clock is the chosen one, so that its times need no conversion. */
gboolean loom_perfetto_clocks_is_chosen (const LoomPerfettoClocks *self, guint clock);

guint loom_perfetto_clocks_get_n_snapshots (const LoomPerfettoClocks *self);
/* Returns the drift of a clock against UTC: the change in ns of the difference UTC minus clock, from the first
 * snapshot to the last one. */
gint64 loom_perfetto_clocks_find_drift (const LoomPerfettoClocks *self, guint number);
