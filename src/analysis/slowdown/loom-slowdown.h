/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that a job loses by slow ranks, stages, operations and steps, after Lin et al., arXiv 2505.05713. The run is
 * replayed with other durations: each operation begins when all operations for which it waits have ended.
 *
 *   replayed     every operation takes as long as measured
 *   ideal        an operation takes the mean of comparable operations, a transfer the median
 *   S            slowdown: mean replayed step ÷ mean ideal step; 1.1 counts as straggling in the paper
 *   S of a set   S if the operations of the set take as long as measured, and all others are ideal; may be below 1
 *   M_W, M_S     share of replayed − ideal that is saved if the worst 3 % of the workers (M_W) or the last stage (M_S)
 *                are ideal; may be above 1 or negative
 *   typical      an operation or a transfer takes the median of comparable ones (the shorter of two middle ones). One
 *                slow rank does not change the median, so what repairing a rank would save is computed with typical
 *                durations
 *   waits        the time that all members of collectives wait for the last member. The part of this time that would be
 *                saved by repairing a rank is caused by this rank, even if it is not the last member itself but holds
 *                up the last member
 *   stragglers   the rank whose repair saves most, if it saves at least 1 % of a step. If repairing several ranks saves
 *                clearly more: all ranks that lose at least half as much as the slowest, at most a quarter of all ranks
 *
 * Two kinds of runs:
 *
 *   operations   spans of Megatron's phases (forward-compute, backward-send …), one process for each data-parallel
 *                rank, threads named "PP rank 3, …". Workers are pairs of data-parallel rank and stage. The schedule of
 *                the pipeline determines for which operations an operation waits.
 *   kernels      kernels with their launches. Workers are ranks. A kernel waits for its launch, for the previous kernel
 *                of its stream, and for a kernel of another stream that ended at most LOOM_SLOWDOWN_AWAITED_NS before
 *                it began. A launch waits for the earlier calls of the host. A call that waits for the device waits for
 *                the last kernels that were launched before it. A collective and a message wait for all their members.
 *                Comparable kernels have the same name and position in the step. Host time stays as measured.
 *
 * Immutable; belongs to the collectives. Any thread. Texts are borrowed from the run. Times are ns.
 */
#pragma once

#include "loom-host-delay.h"

#define LOOM_SLOWDOWN_STRAGGLING 1.1 /* slowdown S from which on a job counts as straggling */
#define LOOM_SLOWDOWN_AWAITED_NS 20000
#define LOOM_SLOWDOWN_UNCOVERED 0.05
/* S and savings are computed for all ranks if there are at most LOOM_SLOWDOWN_ALL_WORKERS ranks. If there are more,
 * they are computed only for the LOOM_SLOWDOWN_SOME_WORKERS ranks that lose most time. */
#define LOOM_SLOWDOWN_ALL_WORKERS 32
#define LOOM_SLOWDOWN_SOME_WORKERS 16
#define LOOM_SLOWDOWN_MOST_KINDS 16 /* maximum number of kinds of operations for which S is computed */

typedef enum {
  LOOM_SLOWDOWN_OF_KERNELS,
  LOOM_SLOWDOWN_OF_OPERATIONS,
} LoomSlowdownSource;

typedef struct {
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* −1: unknown */
  gint row, stage;  /* data-parallel rank and stage, from 0; −1: unknown */
  /* S of the rank; if the source is LOOM_SLOWDOWN_OF_OPERATIONS, the S of its row or the S of its stage, whichever is
   * lower; NAN: not computed */
  double slowdown;
  /* computation time of the rank minus the time that the same operations would take with typical durations; mean over
   * all steps */
  gint64 excess_ns;
  /* what would be saved if this rank's computation took the typical time: `saved_ns` of the mean time per step
   * (loom_slowdown_get_pace()), and `saved_of_length_ns` of the mean length of a step (replayed_ns), which is more if
   * steps overlap; ≤ 0: nothing would be saved; G_MININT64: not computed */
  gint64 saved_ns, saved_of_length_ns;
  /* time that all ranks together would wait less if this rank's computation took the typical time; ≤ 0: they would not
   * wait less; G_MININT64: not computed */
  gint64 waits_ns;
} LoomSlowdownWorker;

typedef struct {
  gint64 number;   /* −1: not stated */
  LoomRange range; /* on the timeline */
  gint64 measured_ns, replayed_ns, ideal_ns;
  double slowdown;
} LoomSlowdownStep;

/* S (the slowdown) of a part of the job: of a kind of operations, a data-parallel rank or a stage. */
typedef struct {
  const char *name; /* name of a kind of operations; NULL: a row or stage, see `number` */
  gboolean is_transfer;
  gint number; /* number of the row or stage; index of the kind among all kinds of the run */
  double slowdown;
} LoomSlowdownPart;

typedef struct {
  LoomSlowdownSource source;
  const char *missing; /* translated sentence that says why there are no results; NULL: there are results; static */
  double slowdown;     /* S of the job */
  /* measured duration ÷ replayed duration of the steps. If it is not near 1, the known waits do not explain the run,
   * and S means little. */
  double fit;
  /* mean length of a step: as measured, and in the replays “replayed”, “ideal” and “typical”, see the top of this
   * file */
  gint64 measured_ns, replayed_ns, ideal_ns, typical_ns;
  /* mean time per step in the same replays, see loom_slowdown_get_pace() */
  gint64 replayed_pace_ns, ideal_pace_ns, typical_pace_ns;
  /* M_W (for the worst workers) and M_S (for the last stage), see the top of this file; NAN: unknown */
  double worst_workers, last_stage;
  guint n_worst; /* number of workers that M_W counts as the worst ones */
  /* time that all ranks wait in the collectives of the range; 0: they do not wait, or `source` is
   * LOOM_SLOWDOWN_OF_OPERATIONS */
  gint64 waits_ns;
  /* guint: indices in `workers`, sorted by lost time, largest first; empty: no rank is worth repairing */
  GArray *stragglers;
  /* what the mean time per step (loom_slowdown_get_pace()) would save if the computation of all stragglers took the
   * typical time; 0 without stragglers */
  gint64 saved_ns;
  gint64 caused_ns;       /* the part of waits_ns that the stragglers cause */
  gint64 *saved_steps_ns; /* [step] the time that saved_ns is the mean of; NULL without stragglers */
  /* LoomSlowdownWorker, sorted by rank or, if `source` is LOOM_SLOWDOWN_OF_OPERATIONS, by stage and row */
  GArray *workers;
  GArray *steps; /* LoomSlowdownStep, in order of time */
  GArray *kinds; /* LoomSlowdownPart, largest S first */
  /* mean time per step (loom_slowdown_get_pace()) that would be saved if the transfers that
   * loom_slowdown_find_unequal_transfers() returns took the typical time; 0 if there are none */
  gint64 transfer_loss_ns;
  /* LoomSlowdownPart: `rows` contains the data-parallel ranks, `stages` the stages; each array is sorted by number;
   * empty if the numbers are unknown */
  GArray *rows, *stages;
  double *row_steps, *stage_steps; /* [row or stage · number of steps + step] S of the row or stage in the step */
  /* [worker · number of steps + step] computation time of the worker in the step ÷ the time that the same operations
   * would take with typical durations; NAN: the worker computes nothing in the step */
  double *cells;
  /* [worker · number of steps + step] span of the step on the rank or, if `source` is LOOM_SLOWDOWN_OF_OPERATIONS, of
   * the worker's first operation in the step; LOOM_SPAN_ID_NONE: there is none */
  LoomSpanId *spans;
} LoomSlowdown;

/* Returns TRUE if the run has spans of Megatron's phases. O(names). */
gboolean loom_slowdown_are_operations_recorded (LoomRun *run);

/* Computes the slowdown of the steps in the range of the collectives (loom-slowdown-steps.h). Borrowed from the
 * collectives; NULL only when cancelled. The first call takes O((operations + waits) · (ranks + kinds)), where the
 * limits above apply to ranks and kinds. */
const LoomSlowdown *loom_slowdown_get (const LoomCollectives *collectives, GCancellable *cancellable);

/* Returns TRUE if `fit` is near 1, that is, if the replay with measured durations takes about as long as the run. Only
 * then does S mean something. */
gboolean loom_slowdown_fits (const LoomSlowdown *slowdown);
/* Returns the kind of transfers whose unequal durations cost most; NULL if the unequal durations of a kind of
 * computation cost more. */
const LoomSlowdownPart *loom_slowdown_find_unequal_transfers (const LoomSlowdown *slowdown);
/* Returns the mean time per step in ns: the time in which at least one step runs, divided by the number of steps. A step
 * lasts from its first start on any rank to its last end on any rank. If a step begins on some ranks before the previous
 * one has ended on all others, as in a pipeline or behind a slow transfer, the mean time per step is shorter than the
 * mean length of a step. Savings are stated for the time per step, because the job gets shorter only by that. ≥ 1.
 * O(steps). */
gint64 loom_slowdown_get_pace (const LoomSlowdown *slowdown);
/* Returns the time that all steps together would save if the computation of all stragglers took the typical time, in
 * ns; ≥ 0. O(steps). */
gint64 loom_slowdown_get_total_saving (const LoomSlowdown *slowdown);
/* Returns the part of this time that the steps with their middle in a range of the timeline would save, in ns; ≥ 0. If
 * there is a main step (loom_slowdown_find_main_step()), all of this time belongs to it: other steps save time only
 * because they overlap it. O(steps). */
gint64 loom_slowdown_get_saving_in (const LoomSlowdown *slowdown, LoomRange range);
/* Returns the worker of a rank; NULL if there is none. O(workers). */
const LoomSlowdownWorker *loom_slowdown_find_rank (const LoomSlowdown *slowdown, gint rank);
/* Returns the worker with this rank on this node or, if no worker with this rank is on the node, the first one with this
 * rank: two jobs in one run may have equal ranks on different nodes. NULL: there is none. O(workers). */
const LoomSlowdownWorker *loom_slowdown_find_worker (const LoomSlowdown *slowdown, const char *node, gint rank);
/* Returns TRUE if the worker is one of the stragglers. O(stragglers). */
gboolean loom_slowdown_is_straggler (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker);
/* Returns the index of the step in which the only straggler loses most of its time: it is the only step in which it
 * computes at least half as much too long as in its worst step, and at least half of all savings are in this step.
 * G_MAXUINT: there is no such step, it has no number, or the number of stragglers is not one. O(steps). */
guint loom_slowdown_find_main_step (const LoomSlowdown *slowdown);
/* Returns the share of all waits in collectives that the worker causes, 0 … 1; 0 if it is unknown. */
double loom_slowdown_get_caused (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker);
/* Returns the share of a mean step (loom_slowdown_get_pace()) that repairing the worker would save, 0 … 1; 0 if the
 * saving is unknown or if nothing would be saved. */
double loom_slowdown_get_saving (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker);

/* Returns the ranks that are late because of their hosts, for example because they wait for data. Replays cannot find
 * such ranks, because they do not change the measured time of hosts. Returns NULL if there is no such rank, if a rank is a
 * straggler, if the waits in collectives take less than LOOM_SLOWDOWN_UNCOVERED of the steps of all ranks, or if
 * `stragglers` is NULL. Owned by the caller. */
LoomHostDelay *loom_slowdown_find_uncovered (const LoomSlowdown *slowdown, const LoomStragglers *stragglers);
