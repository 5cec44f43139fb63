/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Who works on devices: the rows that hold device work, gathered rank by rank or device by device.
 * Immutable when made; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"
#include "loom-work.h"

G_BEGIN_DECLS

/* A row in which device work stands, and where in it: columns first … end − 1 begin and end with work. */
typedef struct {
  guint32 trace;
  guint32 first, end;
  const guint8 *works; /* LoomWork by name id; borrowed from the lanes */
  const LoomClockMap *map;
} LoomGpuRow;

/* From the first to the last device work of a trace: what lies outside was not recorded. Timeline. */
typedef struct {
  guint32 trace;
  LoomRange range;
} LoomGpuWindow;

typedef struct {
  const char *node;   /* borrowed from the run; NULL unknown */
  gint rank;          /* −1 unknown: then every trace is a rank of its own */
  const char *device; /* label of the process, "GPU 0"; NULL where ranks are gathered */
  GArray *rows;       /* LoomGpuRow */
  GArray *windows;    /* LoomGpuWindow, by trace */
  GArray *sources;    /* guint, flat numbers in the run, ascending */
} LoomGpuGroup;

/* Whether a span of the row is device work at a credible time. */
static inline gboolean
loom_gpu_row_is_work (const LoomGpuRow *row, const LoomSpans *spans, guint32 i)
{
  return row->works[spans->name_id[i]] < LOOM_N_DEVICE_WORK && (loom_ref_flags (spans->ref[i]) & LOOM_REF_SUSPECT) == 0;
}

typedef struct _LoomGpuLanes LoomGpuLanes;

/* Groups by node, rank, then first trace (and device). Zero spans of device work: no group. Keeps the timeline.
 * O(names + rows + spans beside device work). NULL only when cancelled. */
LoomGpuLanes *loom_gpu_lanes_new (LoomTimeline *timeline, gboolean by_device, GCancellable *cancellable);
void loom_gpu_lanes_free (LoomGpuLanes *lanes);

guint loom_gpu_lanes_get_n (const LoomGpuLanes *lanes);
const LoomGpuGroup *loom_gpu_lanes_get (const LoomGpuLanes *lanes, guint i);
/* Why a question about a range found no device work. Static. */
const char *loom_gpu_lanes_why_nothing (const LoomGpuLanes *lanes);
LoomTimeline *loom_gpu_lanes_get_timeline (const LoomGpuLanes *lanes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGpuLanes, loom_gpu_lanes_free)

G_END_DECLS
