/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows what the training framework did at bottlenecks or in outlier steps. For this, adds up the durations of those
 * rows of a LoomDataFrame that touch these times, separately for each metric (the display name of a row). A row counts
 * once, even if it touches several bottlenecks or steps. Any thread; O(rows · log windows).
 *
 * If numbers are computed as the library smdebug does (LOOM_NUMBER_CONVENTION_SMDEBUG), the sums are those that
 * smdebug's notebook intends. The notebook itself, by mistake, counts only the first row of each metric; this is not
 * reproduced.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-interval-set.h"

typedef struct {
  guint32 metric;    /* id of the metric's name in the texts of the LoomDataFrame */
  gboolean is_phase; /* TRUE if the metric's name contains "Step:ModeKeys" */
  /* TRUE for rows of data-loader workers (loom_data_loading_is_worker()). Their sums explain little, because workers
   * run during nearly every time window. */
  gboolean is_worker;
  guint64 count;
  /* sum of the durations of the metric's rows, including the parts of the rows outside the range; so the mean duration
   * is total_ns ÷ count */
  gint64 total_ns;
  gint64 in_range_ns; /* the part of total_ns that lies in the range of the LoomDataFrame */
  guint32 longest;    /* index in the LoomDataFrame of the longest row; of equally long rows, the first */
} LoomRootCauseMetric;

typedef struct {
  guint64 n_rows;
  LoomRootCauseMetric *metrics; /* sorted by in_range_ns, largest first, then by name */
  guint n_metrics;
  /* [id of a text in the LoomDataFrame] 1 + index of the metric with this name in `metrics`; 0: there is no such
   * metric */
  guint32 *by_text;
  guint32 n_texts;
} LoomRootCause;

typedef enum {
  /* All rows except those with LOOM_ROW_LOOSE, whose clock is too inaccurate for a comparison with samples. Used with
   * time windows that are computed from samples, such as those of bottlenecks or of busy GPUs. If numbers are computed
   * as smdebug does, the rows with LOOM_ROW_LOOSE count, too. */
  LOOM_ROWS_ALL,
  /* All rows except those of steps. Used with time windows that are the times of steps. If numbers are computed as
   * smdebug does, only rows of steps of the modes TRAIN and EVAL are excluded. */
  LOOM_ROWS_NO_STEPS,
} LoomRowChoice;

/* Adds up, separately for each metric, the durations of those rows of the LoomDataFrame that touch the time windows in
 * `windows`. Rows with LOOM_ROW_LOOSE, whose clock cannot be compared with the clock of the samples, count only if
 * `choice` is LOOM_ROWS_NO_STEPS or if numbers are computed as smdebug does. */
void loom_root_cause_init (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                           LoomRowChoice choice);
/* Like loom_root_cause_init(), but skips the rows that touch an interval in `without`. */
void loom_root_cause_init_without (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                                   const LoomIntervalSet *without, LoomRowChoice choice);
void loom_root_cause_clear (LoomRootCause *cause);

/* Returns the metric whose name has the id `metric` in the texts of the LoomDataFrame; NULL if none of the summed rows
 * has this metric. The id may come from another LoomRootCause of this LoomDataFrame. O(1). */
const LoomRootCauseMetric *loom_root_cause_find (const LoomRootCause *cause, guint32 metric);
