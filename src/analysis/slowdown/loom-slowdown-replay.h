/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the operations of all ranks and the waits between them. A replay computes when the
 * operations would start and end if their durations were different:
 *
 *   start of an operation   the latest end + lag of the operations for which it waits; begin_ns if it waits for none
 *   end                     start + duration; for a member of a group (a collective, a message) the latest start in the
 *                           group + duration, which is then the duration of the transfer alone
 *
 * Made by one thread; after loom_slowdown_replay_close() it is immutable, and any number of threads may replay.
 */
#pragma once

#include "loom-time.h"

#include <gio/gio.h>

#define LOOM_SLOWDOWN_NONE G_MAXUINT32

typedef enum {
  LOOM_SLOWDOWN_OPENS = 1 << 0,  /* a step starts when the earliest of its operations with this flag starts */
  LOOM_SLOWDOWN_CLOSES = 1 << 1, /* a step ends when the latest of its operations with this flag ends */
  LOOM_SLOWDOWN_WAITS =
    /* set for the members of collectives: if an operation has this flag, the time from its start until all operations
     * of its group have started counts as a wait */
  1 << 2,
} LoomSlowdownFlags;

typedef struct {
  gint64 duration_ns; /* measured duration; negative only if the recorded times give a negative duration */
  gint64 begin_ns;    /* start of the operation in the replay if it waits for no other operation; else not used */
  guint32 group;      /* LOOM_SLOWDOWN_NONE: no group */
  /* index in LoomSlowdownModel.likes of the set of comparable operations; LOOM_SLOWDOWN_NONE: the operation is in no
   * set */
  guint32 like;
  /* indices in LoomSlowdownModel.workers and steps; `step` LOOM_SLOWDOWN_NONE: the operation is outside of steps */
  guint32 worker, step;
  guint32 flags;
} LoomSlowdownOperation;

typedef struct {
  guint32 operation, before;
  gint64 lag_ns; /* minimum time from the end of `before` to the start of `operation` */
} LoomSlowdownWait;

typedef struct {
  GArray *operations; /* LoomSlowdownOperation: the operations of all ranks and steps */
  GArray *waits;      /* LoomSlowdownWait; sorted by operation after loom_slowdown_replay_close() */
  guint32 n_groups, n_steps;
  /* The members below are set by loom_slowdown_replay_close(); `first_wait` is private. */
  /* array: [operation] index in `waits` of the first wait of the operation; the last element is the length of
   * `waits` */
  guint32 *first_wait;
  guint32 *added; /* array: [operation] the number that loom_slowdown_replay_add() returned for it */
} LoomSlowdownReplay;

void loom_slowdown_replay_init (LoomSlowdownReplay *replay);
void loom_slowdown_replay_clear (LoomSlowdownReplay *replay);

guint32 loom_slowdown_replay_add (LoomSlowdownReplay *replay, const LoomSlowdownOperation *operation);
void loom_slowdown_replay_wait (LoomSlowdownReplay *replay, guint32 operation, guint32 before, gint64 lag_ns);

/* Adds all operations and waits of another replay. The number of an added operation is its number in `other` plus the
 * number of operations before the call. */
void loom_slowdown_replay_append (LoomSlowdownReplay *replay, const LoomSlowdownReplay *other);

/* Sorts the operations and waits. Must be called after the last operation and the last wait were added. Changes the
 * numbers of the operations: each operation then comes after all operations for which it waits, and the members of a
 * group follow one another. Returns FALSE if operations wait for each other in a circle: they cannot be replayed, and
 * keep their numbers. Otherwise returns TRUE. O(operations + waits). */
gboolean loom_slowdown_replay_close (LoomSlowdownReplay *replay);

/* The durations of the operations in a replay. An operation takes other[i] ns if its worker and its set of comparable
 * operations are chosen, else base[i] ns. All arrays are borrowed. */
typedef struct {
  const gint64 *base, *other; /* array: [operation] ns */
  const guint8 *workers;      /* array: [worker] 1: chosen; NULL: none, and `other` is not used */
  /* array: [1 + LoomSlowdownOperation.like] 1: chosen; element 0 is for the operations that are in no set; NULL: all
   * are chosen */
  const guint8 *likes;
} LoomSlowdownReplayTimes;

/* The result of a replay. `steps`: array of n_steps elements, owned by the caller; the start and the end of each
 * step. If no operation starts a step, or no operation ends it, the start in its element is greater than the end.
 * `waits_ns`: how long the operations with the flag LOOM_SLOWDOWN_WAITS wait for their groups, in total. */
typedef struct {
  LoomRange *steps;
  gint64 waits_ns;
} LoomSlowdownReplayResult;

/* Maximum number of replays at the same time. Two replays at once take three quarters of the time of one after the
 * other; four would take two thirds, but need twice as much memory. */
#define LOOM_SLOWDOWN_MOST_REPLAYS 2

/* Computes when all operations end if they take `times`, in `n` replays, at most LOOM_SLOWDOWN_MOST_REPLAYS. `times`,
 * `results`: arrays with an element per replay. `ends`: working memory, LOOM_SLOWDOWN_MOST_REPLAYS elements per
 * operation; after a single replay, ends[i] is the end of operation i. O(n · (operations + waits)). */
void loom_slowdown_replay_run (const LoomSlowdownReplay *replay, const LoomSlowdownReplayTimes *times, guint n,
                               gint64 *ends, LoomSlowdownReplayResult *results);
