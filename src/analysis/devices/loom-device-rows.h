/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The rows that contain device work, grouped by rank or by device. Immutable when made; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"
#include "loom-work-kind.h"

/* A row that contains device work. The columns `first` … `end` − 1 begin and end with work. */
typedef struct {
  guint32 trace;
  guint32 first, end;
  const guint8 *works; /* LoomWorkKind by name id; borrowed from the LoomDeviceRows */
  const LoomClockMap *map;
} LoomDeviceRow;

/* From the first to the last device work of a trace, timeline: time outside counts as not recorded. */
typedef struct {
  guint32 trace;
  LoomRange range;
} LoomDeviceWindow;

typedef struct {
  const char *node;   /* borrowed from the run; NULL: unknown */
  gint rank;          /* −1: unknown; each such trace is a group of its own */
  const char *device; /* label of the process, "GPU 0"; NULL if grouped by rank */
  GArray *rows;       /* LoomDeviceRow */
  GArray *windows;    /* LoomDeviceWindow, in order of traces */
  GArray *sources;    /* guint, flat numbers in the run, ascending */
} LoomDeviceRowGroup;

/* Returns TRUE if the span is device work at a plausible time. */
static inline gboolean
loom_device_rows_is_work (const LoomDeviceRow *row, const LoomSpans *spans, guint32 i)
{
  return row->works[spans->name_id[i]] < LOOM_N_DEVICE_WORK &&
         (loom_source_ref_flags (spans->ref[i]) & LOOM_REF_SUSPECT) == 0;
}

typedef struct _LoomDeviceRows LoomDeviceRows;

/* Groups sorted by node, rank, first trace (and device). A rank or device without spans of device work has no group.
 * Keeps a reference to the timeline. O(names + rows + spans beside device work). NULL only when cancelled. */
LoomDeviceRows *loom_device_rows_new (LoomTimeline *timeline, gboolean by_device, GCancellable *cancellable);
void loom_device_rows_free (LoomDeviceRows *lanes);

guint loom_device_rows_get_n (const LoomDeviceRows *lanes);
const LoomDeviceRowGroup *loom_device_rows_get (const LoomDeviceRows *lanes, guint i);
/* The reason why there is no device work in a range, for the user. Static. */
const char *loom_device_rows_why_nothing (const LoomDeviceRows *lanes);
LoomTimeline *loom_device_rows_get_timeline (const LoomDeviceRows *lanes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDeviceRows, loom_device_rows_free)
