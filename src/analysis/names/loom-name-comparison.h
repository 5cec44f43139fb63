/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs beside each other, by name: how often it ran in each, how long in the mean, and which changed most. Immutable
 * when made, freed by its owner, any thread.
 */
#pragma once

#include "loom-range-statistics.h"

G_BEGIN_DECLS

/* [0] of the first run, [1] of the second; a count of 0: it does not run there, and its other members say nothing. */
typedef struct {
  const char *name, *category; /* borrowed from the runs */
  guint64 count[2];
  gint64 mean_ns[2], total_ns[2];
  LoomSpanId longest[2];
} LoomNameChange;

/* Nanoseconds from the first to the second mean; 0 for a name that runs in one of them only. */
gint64 loom_name_comparison_get_ns (const LoomNameChange *change);

typedef struct _LoomNameComparison LoomNameComparison;

/* All of both timelines. Names with equal text and category are one. Cost as loom_range_statistics_new() twice. NULL only when
 * cancelled. */
LoomNameComparison *loom_name_comparison_new (LoomTimeline *first, LoomTimeline *second, GCancellable *cancellable);
void loom_name_comparison_free (LoomNameComparison *changes);

/* Those in both runs first, by how much their mean changed, most first; then those of one run, by their total. */
const LoomNameChange *loom_name_comparison_get (const LoomNameComparison *changes, guint *n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameComparison, loom_name_comparison_free)

G_END_DECLS
