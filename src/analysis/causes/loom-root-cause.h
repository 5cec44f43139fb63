/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the time by metric of the rows that touch bottlenecks or outlier steps, to show what the framework did
 * meanwhile. Each row counts once. Any thread; O(rows · log windows).
 *
 * With smdebug's numbers, the sums are the ones that the notebook intends; the notebook's mistake (it counts only the
 * first row of each metric) is not reproduced.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-interval-set.h"

typedef struct {
  guint32 metric;    /* text id of the frame */
  gboolean is_phase; /* TRUE if the name contains Step:ModeKeys */
  /* see loom_data_loading_is_worker(): such rows touch nearly every window, so their sums explain little */
  gboolean is_worker;
  guint64 count;
  gint64 total_ns;    /* duration of the whole rows: the mean is total_ns ÷ count */
  gint64 in_range_ns; /* the part of total_ns that lies in the range of the frame */
  guint32 longest;    /* the longest row, as a row of the frame; the first of equally long rows */
} LoomRootCauseMetric;

typedef struct {
  guint64 n_rows;
  LoomRootCauseMetric *metrics; /* sorted by in_range_ns, largest first, then by name */
  guint n_metrics;
  guint32 *by_text; /* [text id] → index into `metrics` + 1; 0: no metric */
  guint32 n_texts;
} LoomRootCause;

typedef enum {
  LOOM_ROWS_ALL, /* for windows of bottlenecks */
  /* for windows of steps: skips the rows of steps; with smdebug's numbers, only those of TRAIN and EVAL */
  LOOM_ROWS_NO_STEPS,
} LoomRowChoice;

/* A row on a clock that is not comparable with the clock of the samples counts only with LOOM_ROWS_NO_STEPS. */
void loom_root_cause_init (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                           LoomRowChoice choice);
/* Like loom_root_cause_init(), but skips the rows that touch `without`. */
void loom_root_cause_init_without (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                                   const LoomIntervalSet *without, LoomRowChoice choice);
void loom_root_cause_clear (LoomRootCause *cause);

/* Returns the metric with this text id, which may come from the result for another condition; NULL if no row here has
 * it. O(1). */
const LoomRootCauseMetric *loom_root_cause_find (const LoomRootCause *cause, guint32 metric);
