/* SPDX-License-Identifier: Apache-2.0
 *
 * What ran in a range, by name: a plain pass over the columns. Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"
#include "loom-track-id.h"

G_BEGIN_DECLS

/* Of the spans that touch the range. Durations count whole, `in_range_ns` only what lies inside. */
typedef struct {
  const char *name; /* borrowed from the run */
  const char *category;
  guint64 count;
  gint64 total_ns;
  gint64 in_range_ns;
  gint64 self_ns; /* total without what runs one depth below */
  gint64 mean_ns; /* total / count, rounded */
  gint64 min_ns;
  gint64 max_ns;
  LoomSpanId longest;
} LoomNameStats;

typedef struct _LoomSelectionStats LoomSelectionStats;

/* `tracks` NULL: all spans and async tracks that do not aggregate others (LOOM_TRACK_DERIVED); a derived track counts
 * when it is asked for. Names with equal text and category are one, whatever trace they stand in. Cost O(spans in range).
 * NULL only when cancelled. */
LoomSelectionStats *loom_selection_stats_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks,
                                              gsize n_tracks, GCancellable *cancellable);
void loom_selection_stats_free (LoomSelectionStats *stats);

/* Sorted by total_ns, largest first; then by name. */
const LoomNameStats *loom_selection_stats_get (const LoomSelectionStats *stats, guint *n);
guint64 loom_selection_stats_get_count (const LoomSelectionStats *stats);
gint64 loom_selection_stats_get_total_ns (const LoomSelectionStats *stats);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSelectionStats, loom_selection_stats_free)

G_END_DECLS
