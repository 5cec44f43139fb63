/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the model of a run that loom-slowdown.c replays. It contains the operations of all ranks
 * (kernels, or the phases of Megatron), the waits between them, and the workers and steps to which they belong.
 */
#pragma once

#include "loom-slowdown-replay.h"
#include "loom-slowdown.h"

typedef struct {
  guint32 kind;
  /* TRUE: the ideal duration of these operations is the median of their durations; FALSE: it is the mean */
  gboolean is_transfer;
  gboolean is_kernel; /* TRUE for kernels that compute; FALSE for copies, transfers and phases of Megatron */
} LoomSlowdownLike;

/* A step of a worker, with its span on the timeline. */
typedef struct {
  guint32 worker, step;
  LoomSpanId span;
} LoomSlowdownPlace;

typedef struct {
  LoomSlowdownReplay replay;
  GArray *likes;          /* LoomSlowdownLike: sets of comparable operations, which should take equally long */
  GArray *kinds;          /* LoomSlowdownPart: name, is_transfer */
  GArray *workers;        /* LoomSlowdownWorker: only node, rank, row, stage and idle_ns are set */
  GArray *steps;          /* LoomSlowdownStep: only number, range and measured_ns are set */
  GArray *places;         /* LoomSlowdownPlace: the span of each step on each worker */
  guint n_rows, n_stages; /* 0: unknown */
  /* TRUE if the launch of at least one kernel is recorded; always FALSE for runs of Megatron's phases */
  gboolean has_launches;
  /* TRUE if more than half of the kernels of a rank have no recorded launch, so that the model does not limit how early
   * they may begin */
  gboolean lacks_launches;
} LoomSlowdownModel;

void loom_slowdown_model_init (LoomSlowdownModel *model);
void loom_slowdown_model_clear (LoomSlowdownModel *model);
guint32 loom_slowdown_model_add_like (LoomSlowdownModel *model, guint32 kind, gboolean is_transfer);

/* Returns the set of comparable operations to which an operation belongs; NULL: it belongs to none. */
const LoomSlowdownLike *loom_slowdown_model_get_like (const LoomSlowdownModel *model,
                                                      const LoomSlowdownOperation *operation);
/* Returns all operations, and sets `n` to their number. */
const LoomSlowdownOperation *loom_slowdown_model_get_operations (const LoomSlowdownModel *model, guint32 *n);
