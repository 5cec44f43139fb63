/* SPDX-License-Identifier: Apache-2.0
 *
 * How the devices of each rank spent a range: computing, communicating, both at once, copying, idle. The times are
 * computed from the spans of kernels and copies on all streams of the rank. Work that runs at the same time counts
 * once.
 *
 * The definitions are those of Holistic Trace Analysis (github.com/facebookresearch/HolisticTraceAnalysis,
 * hta/analyzers/breakdown_analysis.py, get_temporal_breakdown(), and communication_analysis.py,
 * get_comm_comp_overlap()). Each line states a member of LoomRankTime, its name in HTA, and its definition:
 *   recorded_ns       kernel_time: last end − first start of device work
 *   idle_ns           idle_time: kernel_time − |all work|
 *   compute_ns        compute_time: |computation|
 *   non_compute_ns    non_compute_time: kernel_time − compute_time − idle_time
 *   overlap_ns ÷ communication_ns
 *                     overlap: |computation ∩ communication| ÷ |communication|
 * If a rank was profiled in several files, recorded_ns is the sum over the files: the time between two files is neither
 * work nor idle time. All times are clipped to the range.
 *
 * Differences from HTA:
 * - Waits: HTA counts every row with a stream as device work, including the waits of a device (cuda_sync rows: Stream
 *   Wait Event, Event Sync). Here such waits are idle time.
 * - Operators of Triton: HTA counts a cpu_op or an overhead row with args.stream as computation. Here such a row is not
 *   device work.
 * - The last ProfilerStep: HTA by default skips kernels launched in the last step and, with two or more steps, kernels
 *   without a launch in the file. Here all kernels in the range count.
 * - Communication: HTA counts collectives that it doesn't know (multimem_all_reduce, cross_device_reduce, RCCL, XLA) as
 *   computation, and all names that begin with "hip" as communication. Neither is done here.
 * - Copies: HTA finds copies by name. Here the category decides.
 * - Rounding: HTA rounds starts up and ends down to whole µs if HTA_DISABLE_NS_ROUNDING is not set. Here times are
 *   whole ns.
 * - Rows without a stream: HTA skips them (dma_request rows of an MTIA). Here they count.
 *
 * As in HTA, spans of an MTIA (accelerator of Meta) that enclose other work (job_exe, packet, pe_exe …) count as busy
 * time, but neither as computation nor as communication or copies.
 *
 * Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-device-rows.h"

/* Times of a rank in ns, inside the range. recorded_ns is the sum of compute_ns, exposed_communication_ns,
 * exposed_copy_ns and idle_ns. */
typedef struct {
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* −1: unknown; then each trace counts as a separate rank */
  /* name of the device, borrowed from the run; set only by loom_rank_breakdown_new_of_devices(), else NULL */
  const char *device;
  const guint *sources; /* the sources of the rank's spans: indices in the run, ascending */
  guint n_sources;
  guint64 n_spans; /* number of kernels and copies that touch the range */
  /* on the timeline: start of the first and end of the last work of the rank inside the range. If the rank is idle in
   * the whole range, start and end of its recorded time inside the range. */
  gint64 begin_ns, end_ns;
  gint64 recorded_ns;
  gint64 busy_ns; /* time in which at least one kernel or copy runs */
  gint64 idle_ns;
  gint64 compute_ns;
  gint64 communication_ns;
  gint64 overlap_ns;               /* time in which computation and communication run at the same time */
  gint64 exposed_communication_ns; /* time in which communication runs, but no computation */
  gint64 exposed_wait_ns;          /* part of exposed_communication_ns in which the rank waits for other ranks */
  gint64 copy_ns;                  /* time in which memcpy or memset runs */
  /* time in which copies run, but neither computation nor communication; on an MTIA (accelerator of Meta), also time in
   * which only work of unknown kind runs */
  gint64 exposed_copy_ns;
  gint64 non_compute_ns; /* part of busy_ns in which no computation runs */
} LoomRankTime;

typedef struct {
  /* Sorted by node, then rank, then file. A rank whose devices are not recorded in the range is omitted: its times are
   * unknown, not zero. */
  LoomRankTime *ranks;
  guint n_ranks;
  LoomDeviceRows *lanes; /* private: owns the lists to which LoomRankTime.sources points */
} LoomRankBreakdown;

/* A wait for other ranks, and the device span that waits. */
typedef struct {
  LoomSpanId span;
  LoomRange range; /* on the timeline */
} LoomSpanWait;

/* Computes the times of all ranks, without exposed_wait_ns, which is 0. O(device spans in range · log rows); ranks are
 * computed in parallel. NULL only when cancelled. */
LoomRankBreakdown *loom_rank_breakdown_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable);
/* Like loom_rank_breakdown_new(), but adds up the times of all devices of a rank, as pages that list devices do. If a
 * rank has two devices, a second in which both are idle counts as two seconds of idle time. A second in which one is
 * idle counts as one second of idle time and one second of work. For ranks with one device, the result is that of
 * loom_rank_breakdown_new().
 *
 * `waits`: array of LoomSpanWait, in any order, from which exposed_wait_ns is computed; a wait counts for the device of
 * its span. NULL: exposed_wait_ns is 0. Takes O(log waits) more for each row.
 */
LoomRankBreakdown *loom_rank_breakdown_new_summed (LoomTimeline *timeline, LoomRange range, GArray *waits,
                                                   GCancellable *cancellable);
/* Like loom_rank_breakdown_new_summed(), but the result has one element for each device instead of each rank. */
LoomRankBreakdown *loom_rank_breakdown_new_of_devices (LoomTimeline *timeline, LoomRange range, GArray *waits,
                                                       GCancellable *cancellable);
void loom_rank_breakdown_free (LoomRankBreakdown *breakdown);

/* Returns NULL if `ranks` is not empty, else a translated sentence with the reason why it is empty. Static. */
const char *loom_rank_breakdown_get_missing (const LoomRankBreakdown *breakdown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRankBreakdown, loom_rank_breakdown_free)
