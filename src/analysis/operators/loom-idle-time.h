/* SPDX-License-Identifier: Apache-2.0
 *
 * Why devices and their streams are idle, and how long launches take.
 *
 * A gap is the time from the end of one kernel or copy to the start of the next one. On a stream, the gap begins at the
 * end of the previous kernel or copy of the stream. On a whole device, it begins at the latest end of the kernels and
 * copies of all streams so far, so that nothing runs on the device during a gap. If kernels or copies overlap, the gap
 * is 0.
 *
 * There are two classifications, and each of them assigns a cause to each gap. Both use the launch of the kernel or
 * copy that ends the gap. If this launch is not in the file, the cause is unknown.
 *
 * Classification by Holistic Trace Analysis (HTA); the first cause that applies counts:
 *   host wait    the launch begins after the start of the gap, so no kernel was queued
 *   kernel wait  the gap is shorter than LOOM_IDLE_TIME_SHORT_NS
 *   other        all other gaps
 *
 * Classification by the binding predecessor, which is the event for which the kernel or copy waited last. λ is the
 * shortest time of the rank from the start of a launch to the start of its kernel, at most
 * LOOM_IDLE_TIME_MOST_LAUNCH_NS. γ is the shortest gap of a stream, at most LOOM_IDLE_TIME_MOST_PAUSE_NS. Without this
 * limit, γ would be too long if every kernel of a recording waits for the host. A kernel can begin neither before
 * launch + λ nor before the end of the previous kernel + γ.
 *   host         launch + λ is later than previous end + γ. Unlike HTA's host wait, this includes kernels that are
 *                launched just before the previous one ends, which happens in runs of many short kernels.
 *   launch gap   previous end + γ is later than launch + λ
 *   other        the kernel begins later than both by more than LOOM_IDLE_TIME_SHORT_NS and by more than half of the
 *                gap: it waited for something else, such as an event of another stream
 *
 * If the host is the binding predecessor, the part of the gap in which the launching thread waits for data counts both
 * in `binding` and in `data_ns` (loom-idle-data.h).
 *
 * Times are ns of the trace's own clock; ranges and places are timeline ns. Immutable when made, freed by its owner;
 * any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-collectives.h"
#include "loom-recording-advice.h"

#define LOOM_IDLE_TIME_SHORT_NS 30000 /* gaps shorter than this are short (HTA's consecutive_kernel_delay) */
/* upper limit of λ, the shortest launch delay: a launch reaches an idle device in about 5 µs */
#define LOOM_IDLE_TIME_MOST_LAUNCH_NS 50000
/* upper limit of γ, the shortest gap of a stream: queued kernels follow each other within about 1 µs */
#define LOOM_IDLE_TIME_MOST_PAUSE_NS 10000
#define LOOM_IDLE_TIME_SLOW_CALL_NS 50000 /* launches longer than this are slow (HTA's runtime_cutoff) */
/* delays of launches longer than this are long (HTA's launch_delay_cutoff) */
#define LOOM_IDLE_TIME_LONG_DELAY_NS 100000
#define LOOM_IDLE_TIME_MOST_GAPS 50 /* maximum length of the lists of longest gaps */

typedef enum {
  LOOM_IDLE_CAUSE_HOST,
  /* “kernel wait” in HTA's classification; “launch gap” in the classification by the binding predecessor */
  LOOM_IDLE_CAUSE_KERNEL,
  LOOM_IDLE_CAUSE_OTHER,
  LOOM_IDLE_CAUSE_UNKNOWN,
  LOOM_N_IDLE_CAUSES,
} LoomIdleCause;

typedef struct {
  guint64 n; /* number of gaps */
  gint64 total_ns, longest_ns;
  LoomRange longest; /* time of the longest gap, on the timeline; valid if n > 0 */
  guint32 span;
} LoomIdleGaps;

/* A device, or one of its streams. Texts and the track are borrowed from the run. */
typedef struct {
  guint trace;
  const char *node, *device;
  const LoomTrack *stream; /* track of the stream; NULL: the row is for the whole device */
  gint rank;               /* −1: unknown */
  gboolean is_process;     /* TRUE if `rank` is a process id, see loom-track-rank.h */
  guint source;            /* index, in the run, of the source that contains the row */
  guint64 n_works;         /* number of kernels and copies */
  guint64 n_overlaps;      /* number of kernels and copies that start before the previous one ends */
  guint64 n_unlinked;      /* number of kernels and copies whose launch is not in the file */
  /* time from the first start to the last end of kernels and copies, inside the range. `recorded`: the same time on the
   * timeline */
  gint64 recorded_ns;
  LoomRange recorded;
  /* TRUE if the row has a kernel or copy that begins before the range. Then its idle time is counted from the start of
   * the range. */
  gboolean is_cut;
  /* first: the first kernel or copy that touches the range; G_MAXUINT32: there is none. first_launch: its launch;
   * G_MAXUINT32: not in the file */
  guint32 first, first_launch;
  gint64 idle_ns; /* sum of all gaps */
  /* total duration of all kernels and copies; overlapping time counts several times, and parts outside the range count,
   * too */
  gint64 work_ns;
  LoomIdleGaps hta[LOOM_N_IDLE_CAUSES], binding[LOOM_N_IDLE_CAUSES];
  gint64 data_ns; /* the part of binding[LOOM_IDLE_CAUSE_HOST].total_ns in which the launching threads wait for data */
  /* The gaps of binding[LOOM_IDLE_CAUSE_HOST], divided into two groups. `mostly_data`: gaps in which the launching
   * thread waits for data for more than half of the time; `mostly_host`: the other gaps. */
  LoomIdleGaps mostly_data, mostly_host;
  /* Only for a stream: maximum and mean length of its queue, which is the number of kernels and copies that are
   * launched but have not started. The mean is over the time from the first launch to the last start, inside the
   * range. */
  guint64 longest_queue;
  double mean_queue;
  gint64 queued_ns; /* time with at least one kernel or copy in the queue */
  /* time during which the queue is so long that further launches block the host, see loom-launch-queue.h */
  gint64 full_queue_ns;
} LoomIdleRow;

typedef struct {
  guint trace;
  guint32 span; /* the kernel or copy that ends the gap */
  /* innermost span of the launching thread halfway between the start of the gap and the launch; G_MAXUINT32: there is
   * none, or the cause of the gap is not the host */
  guint32 host;
  LoomRange range;
  LoomIdleCause cause; /* cause in the classification by the binding predecessor, see the top of this file */
  /* if the cause is LOOM_IDLE_CAUSE_HOST: the part of the gap in which the launching thread waits for data */
  gint64 data_ns;
} LoomIdleGap;

/* Sums over the launches that have the same name and were made by the same rank; a trace may contain several ranks. A
 * launch counts if its call, its delay or its kernels touch the range. A call counts once even if it launches many
 * kernels, as a launch of a CUDA graph does. If a call also launched kernels that run before the range, its delay is
 * not counted. */
typedef struct {
  guint trace;
  const char *name, *node; /* borrowed from the run */
  gint rank;
  gboolean is_process; /* TRUE if `rank` is a process id, see loom-track-rank.h */
  guint source;
  guint64 n;
  /* Only time inside the range counts. `host_ns`: time of the launching calls. `device_ns`: time of their kernels.
   * `delay_ns`: sum of the delays; a delay is max (0, start of the first kernel − end of the launching call). */
  gint64 host_ns, device_ns, delay_ns;
  /* like host_ns and delay_ns, but including the time outside the range; for computing means */
  gint64 whole_calls_ns, whole_delays_ns;
  gint64 longest_delay_ns;
  guint64 n_early; /* number of launches whose first kernel begins before the launch begins */
  /* number of launches that take longer than all their kernels together; launches longer than
   * LOOM_IDLE_TIME_SLOW_CALL_NS do not count */
  guint64 n_short;
  guint64 n_slow_calls;  /* number of launches longer than LOOM_IDLE_TIME_SLOW_CALL_NS */
  guint64 n_long_delays; /* number of delays longer than LOOM_IDLE_TIME_LONG_DELAY_NS */
  guint32 longest;       /* span of the launch with the longest delay */
} LoomIdleLaunches;

typedef struct {
  GArray *devices, *streams; /* LoomIdleRow, in the order of traces and tracks */
  GArray *launches;          /* LoomIdleLaunches, in the order of traces; within a trace, most launches first */
  GArray *longest;           /* LoomIdleGap of devices, longest first */
  /* LoomIdleGap, longest first: gaps with the cause LOOM_IDLE_CAUSE_HOST in which the launching thread waits for data
   * for less than half of the time */
  GArray *longest_for_host;
  gboolean has_index;    /* TRUE if a trace of the run is read from an index file, which does not contain launches */
  LoomRecorder recorder; /* the profiler that recorded the run */
} LoomIdleTime;

/* Computes the idle time of all devices in the range; several traces are processed in parallel. O(kernels and copies in
 * the range · rows of their track). Needs 16 bytes for each kernel of the longest stream of each trace, and 40 bytes
 * for each call that launches kernels. NULL only when cancelled. */
LoomIdleTime *loom_idle_time_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable);
/* Returns the idle time in the range of the collectives; the first call computes it. Borrowed from the collectives;
 * NULL only when cancelled. */
const LoomIdleTime *loom_idle_time_get (const LoomCollectives *collectives, GCancellable *cancellable);
void loom_idle_time_free (LoomIdleTime *idle);

/* Returns NULL if there are gaps whose cause is known, else a translated sentence that states which data is missing.
 * Static. */
const char *loom_idle_time_get_missing (const LoomIdleTime *idle);
/* Returns a translated text that states how to record the missing data; NULL: nothing is missing, or recording would
 * not help. Static. */
const char *loom_idle_time_get_advice (const LoomIdleTime *idle);
/* Sorts gaps by length, longest first, and removes all but the first LOOM_IDLE_TIME_MOST_GAPS. `gaps`: LoomIdleGap.
 * O(gaps · log gaps). */
void loom_idle_time_cut_gaps (GArray *gaps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIdleTime, loom_idle_time_free)
