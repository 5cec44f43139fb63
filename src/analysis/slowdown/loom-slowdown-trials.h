/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/slowdown: replays of the model with other durations of some operations (trials). Trials are
 * planned first and then run together, because LOOM_SLOWDOWN_MOST_REPLAYS of them take little more time than one. Used
 * by one thread at a time; running a plan uses several threads. Times are in ns.
 */
#pragma once

#include <gio/gio.h>

#include "loom-slowdown-durations.h"
#include "loom-slowdown-model.h"

#define LOOM_SLOWDOWN_MOST_THREADS 4 /* each thread needs LOOM_SLOWDOWN_MOST_REPLAYS gint64 per operation */

/* Types of sets of operations. In a trial, the operations of the set (LoomSlowdownTrial.set) have durations of the type
 * LoomSlowdownTrial.other, and all other operations have durations of the type LoomSlowdownTrial.base. */
typedef enum {
  LOOM_SLOWDOWN_NO_OPERATIONS,
  LOOM_SLOWDOWN_OF_KIND,
  LOOM_SLOWDOWN_OF_WORKER,
  LOOM_SLOWDOWN_COMPUTATION_OF_WORKER,
  LOOM_SLOWDOWN_OF_ROW,
  LOOM_SLOWDOWN_OF_STAGE,
  LOOM_SLOWDOWN_OF_WORKERS,
  LOOM_SLOWDOWN_COMPUTATION_OF_WORKERS
} LoomSlowdownSet;

typedef struct {
  guint base, other; /* types of durations (loom-slowdown-durations.h) */
  LoomSlowdownSet set;
  guint32 number; /* number of the kind, worker, row or stage */
  /* array: [worker] 1 if the operations of the worker are in the set, else 0; borrowed until the trial has run. Used
   * only for LOOM_SLOWDOWN_OF_WORKERS and LOOM_SLOWDOWN_COMPUTATION_OF_WORKERS */
  const guint8 *chosen;
  /* The members below are set when the trial has run. */
  LoomRange *steps; /* [step] start and end of the step */
  double mean_ns;   /* mean length of the steps */
  gint64 pace_ns;   /* mean time per step, see loom_slowdown_get_pace() */
  gint64 waits_ns;  /* sum of the waits of all operations */
} LoomSlowdownTrial;

typedef struct {
  const LoomSlowdownModel *model; /* borrowed */
  LoomSlowdownDurations durations;
  /* The members below are private. */
  GArray *all;  /* LoomSlowdownTrial */
  guint n_done; /* number of trials that have run */
  GCancellable *cancellable;
  gint64 *ends[LOOM_SLOWDOWN_MOST_THREADS]; /* array: [thread][operation] working memory for a trial */
} LoomSlowdownTrials;

/* Computes the durations of the operations. The model and the cancellable must exist until
 * loom_slowdown_trials_clear(), which may be called without loom_slowdown_trials_init() if all members are 0. */
void loom_slowdown_trials_init (LoomSlowdownTrials *trials, const LoomSlowdownModel *model, GCancellable *cancellable);
void loom_slowdown_trials_clear (LoomSlowdownTrials *trials);

/* Plans a trial, and returns its index. */
guint loom_slowdown_trials_plan (LoomSlowdownTrials *trials, guint base, guint other, LoomSlowdownSet set,
                                 guint32 number);
/* The same for a set of workers: LOOM_SLOWDOWN_OF_WORKERS or LOOM_SLOWDOWN_COMPUTATION_OF_WORKERS. `chosen`:
 * LoomSlowdownTrial.chosen. */
guint loom_slowdown_trials_plan_workers (LoomSlowdownTrials *trials, guint other, LoomSlowdownSet set,
                                         const guint8 *chosen);
/* Runs the trials that were planned since the last call. O(operations) for each LOOM_SLOWDOWN_MOST_REPLAYS trials.
 * Returns FALSE when cancelled. */
gboolean loom_slowdown_trials_run (LoomSlowdownTrials *trials);

/* Returns a trial that has run. Valid until another trial is planned. */
const LoomSlowdownTrial *loom_slowdown_trials_get (const LoomSlowdownTrials *trials, guint index);
