/* SPDX-License-Identifier: Apache-2.0
 *
 * What the framework was doing when something was wrong: time by metric of the rows that touch bottlenecks or outlier
 * steps, each row once. formats/analysis.md §9. Any thread; O(rows · log windows).
 *
 * As written the sums are those the notebook means; its slip (only the first row of each metric is counted) is not
 * repeated.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-interval-set.h"

G_BEGIN_DECLS

typedef struct {
  guint32 metric;     /* text id of the frame */
  gboolean is_phase;  /* its name contains Step:ModeKeys */
  gboolean is_worker; /* loom_data_loading_is_worker(): touches nearly every window, so its sums say little */
  guint64 count;
  gint64 total_ns;    /* of whole rows: the mean is total ÷ count */
  gint64 in_range_ns; /* of the rows, what lies in the range of the frame */
  guint32 longest;    /* row of the frame; of equally long ones the first */
} LoomRootCauseMetric;

typedef struct {
  guint64 n_rows;
  LoomRootCauseMetric *metrics; /* by in_range_ns, largest first; then by name */
  guint n_metrics;
  guint32 *by_text; /* by text id: index into metrics, + 1; 0 for none */
  guint32 n_texts;
} LoomRootCause;

typedef enum {
  LOOM_ROWS_ALL,      /* at bottlenecks */
  LOOM_ROWS_NO_STEPS, /* inside steps: without the steps themselves; as written only those of TRAIN and EVAL are left out */
} LoomRowChoice;

/* Rows on a clock that cannot be laid over samples count only with LOOM_ROWS_NO_STEPS. */
void loom_root_cause_init (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                           LoomRowChoice choice);
/* The same without rows that touch `without`. */
void loom_root_cause_init_without (LoomRootCause *cause, const LoomDataFrame *frame, const LoomIntervalSet *windows,
                                   const LoomIntervalSet *without, LoomRowChoice choice);
void loom_root_cause_clear (LoomRootCause *cause);

/* The metric in the other condition, or NULL. O(1). */
const LoomRootCauseMetric *loom_root_cause_find (const LoomRootCause *cause, guint32 metric);

G_END_DECLS
