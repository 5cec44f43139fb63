/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two runs by name: how often a name ran in each run, its mean duration, and which names changed most.
 * Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include "loom-range-statistics.h"
#include "loom-work-kind.h"

/* Index 0: first run, 1: second run. If a count is 0, the name doesn't occur in that run and its other members for the
 * run are undefined. */
typedef struct {
  const char *name, *category; /* borrowed from the comparison and the two runs */
  LoomWorkKind work;           /* kind of work of a span with this name on the host */
  guint64 count[2];
  gint64 mean_ns[2], total_ns[2], max_ns[2];
  LoomSpanId longest[2];
} LoomNameChange;

typedef struct {
  GArray *rows; /* LoomNameChange: names of both runs first, by the change of their mean; then the others, by total */
  LoomTimeline *timelines[2]; /* private: own the names */
  GStringChunk *texts;        /* private: own the names with "#" */
} LoomNameComparison;

/* Compares the whole timelines. Names with equal text and category are the same, once
 * addresses and the numbers after "#" and "rank" are replaced by "#"; names that occur in one run only are joined with
 * those of the other that differ from them in numbers. Costs loom_range_statistics_new()
 * twice. NULL only when cancelled. */
LoomNameComparison *loom_name_comparison_new (LoomTimeline *first, LoomTimeline *second, GCancellable *cancellable);
void loom_name_comparison_free (LoomNameComparison *changes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameComparison, loom_name_comparison_free)
