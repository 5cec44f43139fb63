/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the time of a range went by kind of work, and by kernel: computed from spans, for traces of PyTorch, Composer,
 * TensorFlow and XLA. Sums over spans: what runs at once on several threads or streams counts for each of them; for
 * unions see loom-rank-breakdown.h.
 *
 * The kernels are the table that Holistic Trace Analysis calls kernel breakdown (breakdown_analysis.py,
 * get_gpu_kernel_breakdown(): sum, max, min, mean by name and kind), of all names and with percentiles instead of a
 * standard deviation. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-range-statistics.h"
#include "loom-work-kind.h"

G_BEGIN_DECLS

typedef struct {
  LoomWorkKind work;
  guint64 count;
  guint n_names;
  gint64 in_range_ns; /* durations inside the range; nested spans count in each other */
  gint64 self_ns;     /* inside the range, without what runs one depth below: adds up over kinds */
  double share;       /* of the self times of its side: devices, or hosts */
} LoomKindTime;

typedef struct {
  LoomWorkKind work;   /* one of the device's */
  LoomNameStats stats; /* as in the table of a selection; its share is of all device work */
} LoomKernel;

typedef struct _LoomTimeByWorkKind LoomTimeByWorkKind;

/* `names` may be NULL: then they are joined anew. `tracks` NULL: all; else only these, of a rank say. Tracks that
 * aggregate others and async ones are never counted. Cost as a selection's. NULL only when cancelled. */
LoomTimeByWorkKind *loom_time_by_work_kind_new (LoomTimeline *timeline, LoomRunNames *names, LoomRange range,
                                                const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable);
void loom_time_by_work_kind_free (LoomTimeByWorkKind *times);

/* Devices first, then by self time, longest first; kinds without spans are not there. */
const LoomKindTime *loom_time_by_work_kind_get (const LoomTimeByWorkKind *times, guint *n);
/* By time in the range, longest first. */
const LoomKernel *loom_time_by_work_kind_get_kernels (const LoomTimeByWorkKind *times, guint *n);
/* Files whose spans were counted: flat numbers in the run, ascending. */
const guint *loom_time_by_work_kind_get_sources (const LoomTimeByWorkKind *times, guint *n);

/* NULL when there is something; else why not, a sentence. Static. */
const char *loom_time_by_work_kind_get_missing (const LoomTimeByWorkKind *times);
const char *loom_time_by_work_kind_get_missing_kernels (const LoomTimeByWorkKind *times);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTimeByWorkKind, loom_time_by_work_kind_free)

G_END_DECLS
