/* SPDX-License-Identifier: Apache-2.0
 *
 * Time of a range by kind of work and by kernel, computed from the spans of PyTorch, Composer, TensorFlow and XLA.
 * Times are sums: concurrent spans of several threads or streams all count. loom-rank-breakdown.h computes unions.
 *
 * The table of kernels is what Holistic Trace Analysis calls kernel breakdown (breakdown_analysis.py,
 * get_gpu_kernel_breakdown(): sum, max, min, mean by name and kind), but with all names, and with percentiles instead
 * of a standard deviation. Immutable when made, freed by its owner; any thread.
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
  /* self_ns ÷ the total self time of all kinds of device work or, if this is a kind of work on the host, of all kinds
   * of work on the host */
  double share;
} LoomKindTime;

typedef struct {
  LoomWorkKind work; /* kind of device work of the kernel */
  /* as in LoomRangeStatistics, except for `share`: the self time ÷ the self time of all device work. XLA operations
   * nest: the time of a loop contains that of its body, which must count once. */
  LoomNameStats stats;
} LoomKernel;

typedef struct {
  /* kinds of work on devices first, then kinds of work on hosts; both sorted by self time, longest first; kinds without
   * spans are omitted */
  const LoomKindTime *times;
  const LoomKernel *kernels; /* sorted by self_in_range_ns, longest first */
  const guint *sources;      /* indices in the run of the sources whose spans were counted, ascending */
  guint n_times, n_kernels, n_sources;
  gboolean lacks_hosts; /* TRUE if tracks of hosts were skipped: an index file contains only sums of their spans */
  GArray *all_times, *all_kernels, *all_sources; /* private: these arrays own `times`, `kernels` and `sources` */
  /* private: statistics of the names on tracks of hosts [0] and on tracks of devices [1]; they own the names */
  LoomRangeStatistics *tables[2];
} LoomTimeByWorkKind;

/* Sums the time by kind of work. `names`: the names of the run; if NULL, this function lists them. `tracks`: the tracks
 * that count, for example those of a rank; NULL: all tracks. Async tracks and tracks that aggregate other tracks never
 * count. Takes about as long as loom_range_statistics_new(). NULL only when cancelled. */
LoomTimeByWorkKind *loom_time_by_work_kind_new (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                                const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable);
void loom_time_by_work_kind_free (LoomTimeByWorkKind *times);

/* The next two functions return a translated sentence. The first one says why `times` contains no work, or no work of
 * hosts. The second one says why `kernels` is empty. NULL: nothing is missing. Static. */
const char *loom_time_by_work_kind_get_missing (const LoomTimeByWorkKind *times);
const char *loom_time_by_work_kind_get_missing_kernels (const LoomTimeByWorkKind *times);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTimeByWorkKind, loom_time_by_work_kind_free)
