/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis. Finds the rows that contain device work, grouped by rank or by device. A sweep over a group
 * reports, in order of time, which kinds of work run at the same time. From these reports, analyses compute how long
 * kinds of work run, overlap or pause. Immutable when made; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"
#include "loom-work-kind.h"

/* A row that contains device work. `first`: index, in the trace, of the row's first span that is device work. `end`:
 * index after the last such span. */
typedef struct {
  guint32 trace;
  guint32 first, end;
  const guint8 *works; /* [name id] LoomWorkKind; borrowed from the trace */
  const LoomClockMap *map;
} LoomDeviceRow;

/* The time range, on the timeline, from the first to the last device work of a trace. Time outside this range counts as
 * not recorded. */
typedef struct {
  guint32 trace;
  LoomRange range;
} LoomDeviceWindow;

typedef struct {
  const char *node; /* borrowed from the run; NULL: unknown */
  /* −1: unknown; then the group belongs to one trace or to one process of a trace, see `process` */
  gint rank;
  gboolean is_process; /* TRUE if `rank` is a process id, see loom-track-rank.h */
  const char *device;  /* label of the process, such as "GPU 0"; NULL if groups are ranks */
  guint32 trace;       /* if the rank is unknown, index of the only trace of the group; else G_MAXUINT32 */
  /* LoomTrack.process_id if the group consists of one process; else G_MAXUINT32. A group consists of one process if its
   * rank is unknown and one of two conditions holds: the groups are devices, or several processes of unknown rank in
   * the trace have the same label. */
  guint32 process;
  GArray *rows;    /* LoomDeviceRow: the rows of the group */
  GArray *windows; /* LoomDeviceWindow, in the order of traces */
  GArray *sources; /* guint: indices of sources in the run, ascending */
} LoomDeviceRowGroup;

/* Returns TRUE if span `i` is device work and has plausible times (not LOOM_REF_SUSPECT). The span must be in the
 * row. */
static inline gboolean
loom_device_rows_is_work (const LoomDeviceRow *row, const LoomSpans *spans, guint32 i)
{
  return row->works[spans->name_id[i]] < LOOM_N_DEVICE_WORK &&
         (loom_source_ref_flags (spans->ref[i]) & LOOM_REF_SUSPECT) == 0;
}

typedef struct {
  LoomTimeline *timeline;
  GPtrArray *groups; /* LoomDeviceRowGroup, sorted by node, rank, first trace, device and process */
} LoomDeviceRows;

/* Finds the rows with device work. Groups them by device if `by_device` is TRUE, else by rank. A rank or device without
 * device work has no group. Keeps a reference to the timeline. O(names + rows + spans that are not device work on rows
 * with device work). NULL only when cancelled. */
LoomDeviceRows *loom_device_rows_new (LoomTimeline *timeline, gboolean by_device, GCancellable *cancellable);
void loom_device_rows_free (LoomDeviceRows *lanes);

/* Returns a translated sentence for the user with the reason why there is no device work. Static. */
const char *loom_device_rows_why_nothing (const LoomDeviceRows *lanes);

/* Bits of the argument `mask` of LoomDeviceRowsFunc. Bit 1 << LoomWorkKind is set if work of this kind runs;
 * LOOM_GPU_RECORDED is set in the recorded time of the group (LoomDeviceWindow). */
#define LOOM_GPU_RECORDED (1u << LOOM_N_DEVICE_WORK)
#define LOOM_GPU_KERNELS ((1u << LOOM_WORK_KIND_COMPUTE) | (1u << LOOM_WORK_KIND_COMMUNICATION))
#define LOOM_GPU_COPIES ((1u << LOOM_WORK_KIND_MEMCPY) | (1u << LOOM_WORK_KIND_MEMSET))

/* Called for each interval during which the same kinds of work run. `mask` contains these kinds and is never 0.
 * Intervals come in order of time and don't overlap. */
typedef void (*LoomDeviceRowsFunc) (gint64 begin_ns, gint64 end_ns, guint mask, gpointer user_data);

/* Number and times of those device spans of a group that touch the range of a sweep. */
typedef struct {
  guint64 n_spans;
  gint64 first_ns, last_ns; /* earliest start and latest end inside the range; LOOM_TIME_NONE if there are no spans */
} LoomDeviceRowsSeen;

/* Divides a range of the timeline into intervals: a new interval begins where any kind of the group's device work
 * starts or ends. Calls `func` for each interval that has work or lies in the recorded time. Sets `seen` to the number
 * and the times of the device spans in the range. O(spans in range · log rows). Returns FALSE if cancelled. */
gboolean loom_device_rows_sweep (const LoomDeviceRows *lanes, const LoomDeviceRowGroup *group, LoomRange range,
                                 LoomDeviceRowsFunc func, gpointer user_data, LoomDeviceRowsSeen *seen,
                                 GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDeviceRows, loom_device_rows_free)
