/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export. System metrics in smdebug's merged timeline: the names of rows, and the rows around an instant
 * for the low-GPU markers. A separate sweep reads the rows slightly ahead.
 */
#pragma once

#include "loom-export-private.h"

/* A marker of low GPU utilization lists the system metrics recorded within this distance of the low reading. */
#define LOOM_SYSTEM_AROUND_NS (20 * LOOM_NS_PER_MS)

/* Rounds a time down to whole µs, like the times of rows in the merged timeline. */
static inline gint64
loom_smdebug_system_whole_us (gint64 time_ns)
{
  return time_ns - time_ns % LOOM_NS_PER_US;
}

/* A row of system metrics. The slices are valid until the next read from the same cache; `value` may be JSON that is
 * not strict. */
typedef struct {
  LoomEvent event;
  LoomJsonSlice name, dimension, node, value;
} LoomSystemRow;

/* Reads the row at `ref`. Returns FALSE with `error` if it cannot be read. */
gboolean loom_smdebug_system_row_read (LoomExport *merge, LoomBlockCache *cache, guint trace, LoomRef ref,
                                       LoomSystemRow *row, GError **error);

/* Appends "<name>_<dimension>_<node>" as a JSON string. */
void loom_smdebug_system_row_append_key (const LoomSystemRow *row, GString *out);

/* Returns TRUE for a GPU utilization below the limit of markers. */
gboolean loom_smdebug_system_row_is_low (const LoomSystemRow *row);

typedef struct _LoomSystemWindow LoomSystemWindow;

/* Makes a window over the rows of system metrics. `options`: the options for the merge of the export. */
LoomSystemWindow *loom_smdebug_system_new_window (LoomExport *merge, const LoomMergeOptions *options);
void loom_smdebug_system_free_window (LoomSystemWindow *window);

/* Appends {"<key>":<value>,…} of all rows within ±20 ms of `time_ns`; times must not decrease from call to call. */
gboolean loom_smdebug_system_append_around (LoomSystemWindow *window, gint64 time_ns, LoomBlockCache *cache,
                                            GString *out, GError **error);

/* Determines how many rows, in order of time, smdebug's MergedTimeline writes as counters. MergedTimeline has a
 * position in the list of rows with low GPU utilization. Each row after the window around the current low row advances
 * the position by at most one; after the last low row, MergedTimeline stops. If many GPUs have low rows at the same
 * time, the position advances slowly, and more rows are written. Returns FALSE with `error` if a row cannot be read.
 * Reads every row. */
gboolean loom_smdebug_system_count_compat (LoomExport *merge, const LoomMergeOptions *options, LoomBlockCache *cache,
                                           guint64 *n_rows, GError **error);

/* Returns TRUE if a counter event is a row of system metrics. */
gboolean loom_smdebug_system_is_row (LoomExport *merge, const LoomMergeItem *item);
