/* SPDX-License-Identifier: Apache-2.0
 *
 * How long training loops waited for their data: the spans in which they fetch the next batch
 * (loom_work_kind_is_data_wait(): `enumerate(DataLoader)…` of PyTorch, `event/dataloader` of Composer), rank by rank and step
 * by step. formats/analysis.md §12 is about the same in folders of smdebug; its outlier (longer than twice the median)
 * is taken from there.
 *
 * A wait belongs to the step in which it begins; one that begins between steps (Composer fetches before it marks the
 * batch) to the next step of the rank. What validation waits for is in no step of training. Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include "loom-steps.h"

G_BEGIN_DECLS

#define LOOM_DATA_WAIT_OUTLIER 2.0 /* times the median of the rank */

typedef struct {
  LoomSpanId span;
  gint64 begin_ns, end_ns; /* timeline */
  LoomSpanId step;         /* LOOM_SPAN_ID_NONE: in no step, and before none */
  gint64 step_number;      /* −1 not stated or no step */
  gboolean outlier;
} LoomDataWait;

/* The waits of a step that has some. */
typedef struct {
  LoomStep step; /* its texts are borrowed from the run */
  guint n_waits;
  gint64 wait_ns;
} LoomDataStep;

typedef struct {
  const char *node;     /* borrowed from the run; NULL unknown */
  gint rank;            /* −1 unknown: then every trace is a rank of its own */
  const guint *sources; /* flat numbers in the run, ascending: whose spans the waits are */
  guint n_sources;
  const LoomDataWait *waits; /* by begin */
  guint n_waits;
  const LoomDataStep *steps; /* by begin */
  guint n_steps;
  gint64 total_ns, max_ns; /* of whole waits */
  gint64 in_range_ns;      /* of the waits, what lies in the range */
  double median_ns;        /* mean of the two in the middle when even */
  guint n_outliers;
  gint64 steps_ns; /* of `steps`, what lies in the range */
  gint64
    in_steps_ns; /* of the waits, what lies in the range inside the very steps they belong to: share of their time is in_steps ÷ steps */
} LoomDataRank;

typedef struct _LoomDataWaits LoomDataWaits;

/* Waits that touch the range. `steps` of the same timeline. Cost O(names + spans of rows that hold waits).
 * NULL only when cancelled. */
LoomDataWaits *loom_data_waits_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range,
                                    GCancellable *cancellable);
void loom_data_waits_free (LoomDataWaits *waits);

/* By node, rank, trace; ranks without waits are not there. */
const LoomDataRank *loom_data_waits_get (const LoomDataWaits *waits, guint *n);

/* NULL when there are waits; else why not, a sentence. Static. */
const char *loom_data_waits_get_missing (const LoomDataWaits *waits);
/* NULL when waits could be laid over steps; else why not. Static. */
const char *loom_data_waits_get_missing_steps (const LoomDataWaits *waits);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDataWaits, loom_data_waits_free)

G_END_DECLS
