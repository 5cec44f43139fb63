/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: reads system metrics (rows with the utilization of processors, GPUs and so on) for smdebug's
 * merged timeline. Makes the names under which rows are written as counters, and collects the rows around a sample of
 * low GPU utilization, which smdebug lists in a marker (an instant that marks low GPU utilization). A separate merge
 * reads these rows slightly ahead of the written items.
 */
#pragma once

#include "loom-export-private.h"

/* A marker of low GPU utilization lists the system metrics that were recorded at most this long before or after the
 * sample of low GPU utilization. */
#define LOOM_SYSTEM_AROUND_NS (20 * LOOM_NS_PER_MS)

/* Rounds a time down to whole µs, like the times of rows in the merged timeline. */
static inline gint64
loom_smdebug_system_whole_us (gint64 time_ns)
{
  return time_ns - time_ns % LOOM_NS_PER_US;
}

/* A row (line of the file) of system metrics. The slices are valid until the next read from the same cache. `value` may
 * be text that strict JSON does not allow, such as NaN. */
typedef struct {
  LoomEvent event;
  LoomJsonSlice name, dimension, node, value;
} LoomSystemRow;

/* Reads the row at `ref`. Returns FALSE with `error` if it cannot be read. */
gboolean loom_smdebug_system_row_read (LoomExport *merge, LoomBlockCache *cache, guint trace, LoomRef ref,
                                       LoomSystemRow *row, GError **error);

/* Appends "<name>_<dimension>_<node>" as a JSON string. */
void loom_smdebug_system_row_append_key (const LoomSystemRow *row, GString *out);

/* Returns TRUE if the row is a GPU utilization below 85 %, for which smdebug writes a marker. */
gboolean loom_smdebug_system_row_is_low (const LoomSystemRow *row);

typedef struct _LoomSystemWindow LoomSystemWindow;

/* Returns a window of time that moves over the rows of system metrics. `options`: the export's merge options, from
 * which the clock maps, range and sources are taken. */
LoomSystemWindow *loom_smdebug_system_new_window (LoomExport *merge, const LoomMergeOptions *options);
void loom_smdebug_system_free_window (LoomSystemWindow *window);

/* Appends a JSON object with all rows within ±20 ms of `time_ns`: {"<key>":<value>,…}. `time_ns` must not be earlier
 * than in the previous call. Returns FALSE with `error` if a row cannot be read. */
gboolean loom_smdebug_system_append_around (LoomSystemWindow *window, gint64 time_ns, LoomBlockCache *cache,
                                            GString *out, GError **error);

/* Sets `n_rows` to the number of rows, in order of time, that smdebug's MergedTimeline writes as counters before it
 * stops. While MergedTimeline writes rows, it has a current row in the list of the rows with low GPU utilization.
 * Whenever a written row is later than the window around the current row, the next row of this list becomes the current
 * one. After the last row of this list, MergedTimeline stops. If many GPUs have low rows at the same time, the current
 * row advances slowly, and more rows are written. Returns FALSE with `error` if a row cannot be read. Reads every
 * row. */
gboolean loom_smdebug_system_count_compat (LoomExport *merge, const LoomMergeOptions *options, LoomBlockCache *cache,
                                           guint64 *n_rows, GError **error);

/* Returns TRUE if a counter event is a row of system metrics. */
gboolean loom_smdebug_system_is_row (LoomExport *merge, const LoomMergeItem *item);
