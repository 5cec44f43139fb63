/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export. System metrics in smdebug's merged timeline: what a row is called, and the rows around an
 * instant for the low-GPU markers. The rows are read by a sweep of their own that runs a little ahead.
 */
#pragma once

#include "loom-export-private.h"

G_BEGIN_DECLS

/* The rows so near to a low one belong to its marker. */
#define LOOM_SYSTEM_AROUND_NS (20 * LOOM_NS_PER_MS)

/* Rows have whole microseconds in the merged timeline. */
static inline gint64
loom_smdebug_system_whole_us (gint64 time_ns)
{
  return time_ns - time_ns % LOOM_NS_PER_US;
}

/* The slices live until the next read from the same cache. */
typedef struct {
  LoomEvent event;
  LoomJsonSlice name, dimension, node, value;
} LoomSystemRow;

/* FALSE with `error` when the row cannot be read. */
gboolean loom_smdebug_system_row_read (LoomExport *merge, LoomBlockCache *cache, guint trace, LoomRef ref,
                                       LoomSystemRow *row, GError **error);

/* "<name>_<dimension>_<node>" as a JSON string, appended. */
void loom_smdebug_system_row_append_key (const LoomSystemRow *row, GString *out);

/* The reading as a strict JSON value, appended. */
void loom_smdebug_system_row_append_value (const LoomSystemRow *row, GString *out);

/* A GPU utilization below the mark. */
gboolean loom_smdebug_system_row_is_low (const LoomSystemRow *row);

typedef struct _LoomSystemWindow LoomSystemWindow;

/* `options` as for the sweep of the export; only system metrics are looked at. */
LoomSystemWindow *loom_smdebug_system_new_window (LoomExport *merge, const LoomMergeOptions *options);
void loom_smdebug_system_free_window (LoomSystemWindow *window);

/* Appends {"<key>":<value>,…} of all rows within ±20 ms of `time_ns`; times must not go back from call to call. */
gboolean loom_smdebug_system_append_around (LoomSystemWindow *window, gint64 time_ns, LoomBlockCache *cache,
                                            GString *out, GError **error);

/* How many rows, by time, the original writes as counters. It walks along the low rows beside them, at most one step per row
 * that lies behind the window of the low row it stands at, and stops behind the last one: when many GPUs are low at once it
 * falls behind, and goes on longer. FALSE with `error` when a row cannot be read. Reads every row. */
gboolean loom_smdebug_system_count_compat (LoomExport *merge, const LoomMergeOptions *options, LoomBlockCache *cache,
                                           guint64 *n_rows, GError **error);

/* TRUE for a counter event that is a row of system metrics. */
gboolean loom_smdebug_system_is_row (LoomExport *merge, const LoomMergeItem *item);

G_END_DECLS
