/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds up the time in a range for each kind of work and for each kernel, from the spans of PyTorch, Composer,
 * TensorFlow and XLA. Spans of several threads or streams that run at the same time all count. In
 * loom-rank-breakdown.h, such time counts once.
 *
 * The table of kernels is like the kernel breakdown of Holistic Trace Analysis (breakdown_analysis.py,
 * get_gpu_kernel_breakdown(): sum, max, min, mean for each name and kind). It differs in that it contains all names,
 * and percentiles instead of a standard deviation. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-range-statistics.h"
#include "loom-work-kind.h"

typedef struct {
  LoomWorkKind work;
  guint64 count;
  guint n_names;
  /* sum of the spans' durations inside the range; the time of a nested span also counts for its parent */
  gint64 in_range_ns;
  /* sum of the spans' durations inside the range, without the time of their children; the sum over all kinds is the
   * total time */
  gint64 self_ns;
  /* self_ns ÷ total self time of all kinds of device work; for a kind of host work, self_ns ÷ total self time of all
   * kinds of host work */
  double share;
} LoomKindTime;

typedef struct {
  LoomWorkKind work; /* kind of device work of the kernel */
  /* like the statistics in LoomRangeStatistics, except for `share`: this is the self time ÷ the self time of all device
   * work. Self times are used because XLA operations are nested: the time of a loop contains that of its body, which
   * must count once. */
  LoomNameStats stats;
} LoomKernel;

typedef struct {
  /* kinds of device work first, then kinds of host work, each sorted by self time, longest first; kinds without spans
   * are omitted */
  const LoomKindTime *times;
  const LoomKernel *kernels; /* sorted by self_in_range_ns, longest first */
  const guint *sources;      /* the sources whose spans were counted: indices in the run, ascending */
  guint n_times, n_kernels, n_sources;
  /* TRUE if host tracks of an index file were skipped, because an index file contains only sums of their spans */
  gboolean lacks_hosts;
  GArray *all_times, *all_kernels, *all_sources; /* private: these arrays own `times`, `kernels` and `sources` */
  /* private: statistics of the names; [0]: on host tracks; [1]: on device tracks. They own the names */
  LoomRangeStatistics *tables[2];
} LoomTimeByWorkKind;

/* Adds up the time for each kind of work. `names`: the names of the run; if NULL, this function lists them. `tracks`:
 * the tracks that count, for example those of a rank; NULL: all tracks. Async tracks and tracks that aggregate other
 * tracks never count. Takes about as long as loom_range_statistics_new(). NULL only when cancelled. */
LoomTimeByWorkKind *loom_time_by_work_kind_new (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                                const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable);
void loom_time_by_work_kind_free (LoomTimeByWorkKind *times);

/* The next two functions return a translated sentence. The first one states why `times` contains no work, or no host
 * work. The second one states why `kernels` is empty. NULL: nothing is missing. Static. */
const char *loom_time_by_work_kind_get_missing (const LoomTimeByWorkKind *times);
const char *loom_time_by_work_kind_get_missing_kernels (const LoomTimeByWorkKind *times);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTimeByWorkKind, loom_time_by_work_kind_free)
