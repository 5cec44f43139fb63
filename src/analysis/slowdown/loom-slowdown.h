/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes how much time a job loses because of slow ranks, stages, operations and steps, using the method of Lin et
 * al., arXiv 2505.05713. The run is replayed with changed durations: each operation begins when all operations for
 * which it waits have ended.
 *
 *   replayed     each operation has its measured duration
 *   ideal        each operation has the mean duration of comparable operations; but each transfer has their median
 *                duration
 *   S            slowdown: mean replayed step ÷ mean ideal step; 1.1 counts as straggling in the paper
 *   S of a set   the same for a replay in which the operations of the set have their measured durations, and all others
 *                have ideal ones; may be less than 1
 *   M_W, M_S     share of (replayed − ideal) that is saved if the worst 3 % of the workers (M_W) or the last stage
 *                (M_S) have ideal durations; may be more than 1 or negative
 *   typical      each operation and each transfer has the median duration of comparable ones (of two middle ones, the
 *                shorter)
 *   repair       a rank is repaired in a replay in which its computation has typical durations; not ideal ones, because
 *                a single slow rank changes a mean, but not a median
 *   waits        the time that all members of collectives wait for the last member. A rank causes the part of this time
 *                that repairing it would save. It need not be the last member itself: it may delay the last member
 *   stragglers   the rank whose repair saves most, if this is at least 1 % of a step. If repairing several ranks saves
 *                clearly more: all ranks that lose at least half as much as the slowest rank; at most a quarter of all
 *                ranks
 *
 * Two kinds of runs:
 *
 *   operations   spans of Megatron's phases (forward-compute, backward-send …), one process for each data-parallel
 *                rank, and threads named "PP rank 3, …". Workers are pairs of data-parallel rank and stage. The
 *                schedule of the pipeline determines for which other operations an operation waits.
 *   kernels      kernels with their launches. Workers are ranks. A kernel waits for its launch, for the previous kernel
 *                of its stream, and for a kernel of another stream that ended at most LOOM_SLOWDOWN_AWAITED_NS before
 *                it began. A launch waits for the earlier calls of the host. A call that waits for the device waits for
 *                the last kernels that were launched before it. A collective or message waits for all its members.
 *                Comparable kernels have the same name and position in the step. The durations of host work are not
 *                changed.
 *
 * Immutable; owned by the collectives. Any thread. Texts are borrowed from the run. Times are in ns.
 */
#pragma once

#include "loom-host-delay.h"
#include "loom-slowdown-cause.h"

#define LOOM_SLOWDOWN_STRAGGLING 1.1 /* a job whose slowdown S is at least this value counts as straggling */
#define LOOM_SLOWDOWN_AWAITED_NS 20000
#define LOOM_SLOWDOWN_UNCOVERED 0.05
/* S and the savings are computed for all ranks if there are at most LOOM_SLOWDOWN_ALL_WORKERS ranks. If there are more,
 * they are computed only for the LOOM_SLOWDOWN_SOME_WORKERS ranks that lose most time. The same is true for S of
 * data-parallel ranks and of stages. */
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
  /* `row`: number of the data-parallel rank; `stage`: number of the stage; both are counted from 0; −1: unknown */
  gint row, stage;
  /* S of the rank; if LoomSlowdown.source is LOOM_SLOWDOWN_OF_OPERATIONS, the lower of S of its row and S of its stage;
   * NAN: not computed */
  double slowdown;
  /* computation time of the rank minus the typical computation time of the same operations, mean over all steps */
  gint64 excess_ns;
  /* mean time per step in which no kernel or copy runs on the rank; 0 if LoomSlowdown.source is
   * LOOM_SLOWDOWN_OF_OPERATIONS */
  gint64 idle_ns;
  /* the time that would be saved if this rank's computation took the typical time. `saved_ns`: part of the mean time
   * per step (loom_slowdown_get_pace()) that would be saved. `saved_of_length_ns`: part of the mean length of a step
   * (replayed_ns) that would be saved; it is larger than `saved_ns` if steps overlap. ≤ 0: nothing would be saved;
   * G_MININT64: not computed */
  gint64 saved_ns, saved_of_length_ns;
  /* the time by which the waits of all ranks, in total, would become shorter if this rank's computation took the
   * typical time; ≤ 0: they would not become shorter; G_MININT64: not computed */
  gint64 waits_ns;
} LoomSlowdownWorker;

typedef struct {
  gint64 number;   /* −1: not stated */
  LoomRange range; /* on the timeline */
  gint64 measured_ns, replayed_ns, ideal_ns;
  double slowdown;
} LoomSlowdownStep;

/* A part of the job with its S (slowdown): a kind of operations, a data-parallel rank or a stage. */
typedef struct {
  const char *name; /* name of the kind of operations; NULL: the part is a row or a stage, see `number` */
  gboolean is_transfer;
  /* for a row (data-parallel rank) or stage: its number; for a kind of operations: its index among all kinds of the
   * run */
  gint number;
  double slowdown;
} LoomSlowdownPart;

typedef struct {
  LoomSlowdownSource source;
  const char *missing; /* translated sentence that states why there are no results; NULL: there are results; static */
  double slowdown;     /* S of the job */
  /* measured duration of the steps ÷ their replayed duration. If this is not near 1, the known waits do not explain the
   * run, and S means little. */
  double fit;
  /* mean duration of a step: `measured_ns`: in the run; the others: in the replays “replayed”, “ideal” and “typical”,
   * see the top of this file */
  gint64 measured_ns, replayed_ns, ideal_ns, typical_ns;
  /* mean time per step (loom_slowdown_get_pace()) in the replays “replayed”, “ideal” and “typical”, see the top of this
   * file */
  gint64 replayed_pace_ns, ideal_pace_ns, typical_pace_ns;
  /* M_W (for the worst workers) and M_S (for the last stage), see the top of this file; NAN: unknown */
  double worst_workers, last_stage;
  guint n_worst; /* number of workers that count as the worst workers for M_W */
  /* sum of the waits of all ranks in the collectives of the range; 0: the ranks do not wait, or `source` is
   * LOOM_SLOWDOWN_OF_OPERATIONS */
  gint64 waits_ns;
  /* guint: indices in `workers`, sorted by lost time, largest first; empty: repairing ranks would not save enough */
  GArray *stragglers;
  /* LoomSlowdownCause: the causes of the first LOOM_SLOWDOWN_CAUSE_MOST stragglers, in the same order. Without
   * stragglers: the cause of at most one rank whose kernels and idle times together take longer than on the other
   * ranks. Other ranks may wait for it, but replays do not change the number of kernels or the times of hosts */
  GArray *causes;
  /* the time by which the mean time per step (loom_slowdown_get_pace()) would become shorter if the computation of all
   * stragglers took the typical time; 0 without stragglers */
  gint64 saved_ns;
  gint64 caused_ns; /* the part of waits_ns that the stragglers cause */
  /* array: [step] time that the step would save if the computation of all stragglers took the typical time; saved_ns is
   * the mean of these times; NULL: there are no stragglers */
  gint64 *saved_steps_ns;
  /* LoomSlowdownWorker, sorted by rank; if `source` is LOOM_SLOWDOWN_OF_OPERATIONS, by stage, then by row */
  GArray *workers;
  GArray *steps; /* LoomSlowdownStep, in order of time */
  GArray *kinds; /* LoomSlowdownPart, largest S first */
  /* The time by which the mean time per step (loom_slowdown_get_pace()) would become shorter if the transfers of one
   * kind took the typical time. This is the kind that loom_slowdown_find_unequal_transfers() returns; 0 if that
   * function returns NULL. */
  gint64 transfer_loss_ns;
  /* LoomSlowdownPart: `rows` contains the data-parallel ranks, `stages` the stages for which S is computed
   * (LOOM_SLOWDOWN_ALL_WORKERS); each array is sorted by number; empty if the numbers are unknown */
  GArray *rows, *stages;
  /* array: [index in `rows` or `stages` · number of steps + step] S of the row (in `row_steps`) or of the stage (in
   * `stage_steps`) in the step */
  double *row_steps, *stage_steps;
  /* array: [worker · number of steps + step] computation time of the worker in the step ÷ typical computation time of
   * the same operations; NAN: the worker computes nothing in the step */
  double *cells;
  /* array: [worker · number of steps + step] span of the step on the rank; if `source` is LOOM_SLOWDOWN_OF_OPERATIONS,
   * span of the worker's first operation in the step; LOOM_SPAN_ID_NONE: there is none */
  LoomSpanId *spans;
} LoomSlowdown;

/* Returns TRUE if the run has spans of Megatron's phases. O(names). */
gboolean loom_slowdown_are_operations_recorded (LoomRun *run);

/* Computes the slowdown of the steps that can be replayed (loom-slowdown-steps.h) in the range of the collectives.
 * Borrowed from the collectives; NULL only when cancelled. The first call takes O((operations + waits) · (ranks +
 * kinds)); the numbers of ranks and kinds are limited by the constants at the top of this file. */
const LoomSlowdown *loom_slowdown_get (const LoomCollectives *collectives, GCancellable *cancellable);

/* Returns TRUE if `fit` is near 1, that is, if the replay with measured durations takes about as long as the run. If it
 * returns FALSE, S means little. */
gboolean loom_slowdown_fits (const LoomSlowdown *slowdown);
/* Returns the kind of operations whose unequal durations cost the most time (the kind with the largest S,
 * LoomSlowdownPart) if it is a kind of transfers. Returns NULL if it is a kind of computation. */
const LoomSlowdownPart *loom_slowdown_find_unequal_transfers (const LoomSlowdown *slowdown);
/* Returns the mean time per step in ns (≥ 1): the time in which at least one step runs, divided by the number of steps.
 * A step lasts from its first start on any rank to its last end on any rank. Steps overlap if some ranks begin a step
 * while other ranks are still in the previous one, as in a pipeline or behind a slow transfer. The mean time per step
 * is then shorter than the mean length of a step. Savings are stated as savings of the mean time per step, because the
 * job gets shorter by these savings. (The mean length of a step may become shorter by more.) O(steps). */
gint64 loom_slowdown_get_pace (const LoomSlowdown *slowdown);
/* Returns the time that all steps together would save if the computation of all stragglers took the typical time, in
 * ns; ≥ 0. O(steps). */
gint64 loom_slowdown_get_total_saving (const LoomSlowdown *slowdown);
/* Returns how much of loom_slowdown_get_total_saving() is saved in a range of the timeline, in ns; ≥ 0. Usually, this
 * is the sum of the savings of the steps whose middle is in the range. If there is a main step
 * (loom_slowdown_find_main_step()), the whole saving belongs to the main step, because other steps save time only if
 * they overlap it: returns the whole saving if the middle of the main step is in the range, otherwise 0. O(steps). */
gint64 loom_slowdown_get_saving_in (const LoomSlowdown *slowdown, LoomRange range);
/* Returns the worker of a rank; NULL if there is none. O(workers). */
const LoomSlowdownWorker *loom_slowdown_find_rank (const LoomSlowdown *slowdown, gint rank);
/* Returns the worker with the rank `rank` on `node`. If there is none on this node, returns the first worker with this
 * rank on any node. The node is needed because two jobs in one run may have equal ranks on different nodes. NULL: there
 * is none. O(workers). */
const LoomSlowdownWorker *loom_slowdown_find_worker (const LoomSlowdown *slowdown, const char *node, gint rank);
/* Returns TRUE if `worker` is one of the stragglers. O(stragglers). */
gboolean loom_slowdown_is_straggler (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker);
/* Returns the element of `causes` about a worker; NULL: there is none. O(stragglers). */
const LoomSlowdownCause *loom_slowdown_find_cause (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker);
/* Returns an array: [step] 1 if a worker is slow in the step, else 0. It is slow in a step if the excess of its
 * computation time, relative to the typical time, is at least half as large as in its worst step. `worker`: index in
 * LoomSlowdown.workers. Owned by the caller. O(steps). */
guint8 *loom_slowdown_list_slow_steps (const LoomSlowdown *slowdown, guint worker);
/* Returns the index of the step in which the computation of a worker is longest, relative to the typical computation. A
 * step in which the worker computes nothing is returned only if this is so in all steps. `worker`: index in
 * LoomSlowdown.workers. O(steps). */
guint loom_slowdown_find_slowest_step (const LoomSlowdown *slowdown, guint worker);
/* Returns the index of the main step: the step in which the job loses most of the time that the only straggler costs.
 * Two conditions must be met: in every other step, the excess of the straggler's computation time is less than half of
 * its excess in the main step; and at least half of the savings of all steps are in the main step. Returns G_MAXUINT if
 * no step meets both conditions, if the step that meets them has no number, or if the number of stragglers is not one.
 * O(steps). */
guint loom_slowdown_find_main_step (const LoomSlowdown *slowdown);
/* Returns the share of all waits in collectives that a worker causes, from 0 to 1; 0: the share is unknown, or the
 * worker causes no waits. */
double loom_slowdown_get_caused (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker);
/* Returns the share of a mean step (loom_slowdown_get_pace()) that repairing a worker would save, from 0 to 1; 0: the
 * saving is unknown, or nothing would be saved. */
double loom_slowdown_get_saving (const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker);

/* Returns the ranks that are late because of their hosts, for example because the hosts wait for data. Replays cannot
 * find such ranks, because replays do not change the durations of host work. Returns NULL in these cases: there are no
 * such ranks; a rank is a straggler; the waits in collectives take less than LOOM_SLOWDOWN_UNCOVERED of the time of the
 * steps, summed over all ranks; `stragglers` is NULL. Owned by the caller. */
LoomHostDelay *loom_slowdown_find_uncovered (const LoomSlowdown *slowdown, const LoomStragglers *stragglers);
