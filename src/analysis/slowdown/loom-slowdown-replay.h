/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: operations of all ranks and what each waits for, replayed with other durations.
 *
 *   start of an operation   the latest of end + lag over the operations it waits for; begin_ns if it waits for none
 *   end                     start + duration; for a member of a group (a collective, a message) the latest start in the group
 *                           + duration, which is then the transfer alone
 *
 * Made by one thread; after loom_slowdown_replay_close() it is immutable, and any number of threads may replay.
 */
#pragma once

#include <gio/gio.h>

#define LOOM_SLOWDOWN_NONE G_MAXUINT32

typedef enum {
  LOOM_SLOWDOWN_OPENS = 1 << 0,  /* its step starts with the earliest operation that has this flag */
  LOOM_SLOWDOWN_CLOSES = 1 << 1, /* its step ends with the latest operation that has this flag */
  LOOM_SLOWDOWN_WAITS =
    1 << 2, /* waits after its start until all of its group have started, as a member of a collective does */
} LoomSlowdownFlags;

typedef struct {
  gint64 duration_ns; /* as measured; negative only if the recorded times give a negative duration */
  gint64 begin_ns;    /* start in the replay, used only if the operation has no waits */
  guint32 group;      /* LOOM_SLOWDOWN_NONE: no group */
  /* number of the set of comparable operations, which should take equally long; LOOM_SLOWDOWN_NONE: none */
  guint32 like;
  guint32 worker, step; /* LOOM_SLOWDOWN_NONE: in no step */
  guint32 flags;
} LoomSlowdownOperation;

typedef struct {
  guint32 operation, before;
  gint64 lag_ns; /* from the end of `before` to the start of `operation` */
} LoomSlowdownWait;

typedef struct {
  GArray *operations; /* LoomSlowdownOperation */
  GArray *waits;      /* LoomSlowdownWait; sorted by operation once closed */
  guint32 n_groups, n_steps;
  /* Private, set by closing: */
  guint32 *first_wait; /* [operation] → its first wait; the last element is the total */
  guint32 *order;      /* operations, each after all for which it waits; members of a group follow one another */
} LoomSlowdownReplay;

void loom_slowdown_replay_init (LoomSlowdownReplay *replay);
void loom_slowdown_replay_clear (LoomSlowdownReplay *replay);

guint32 loom_slowdown_replay_add (LoomSlowdownReplay *replay, const LoomSlowdownOperation *operation);
void loom_slowdown_replay_wait (LoomSlowdownReplay *replay, guint32 operation, guint32 before, gint64 lag_ns);

/* Sorts the operations and waits after the last one was added. Returns FALSE if operations wait for each other in a
 * circle, so that nothing can be replayed. O(operations + waits). */
gboolean loom_slowdown_replay_close (LoomSlowdownReplay *replay);

/* Replays with `durations` (ns, one for each operation). `ends`: room for one value for each operation. `steps_ns`:
 * room for n_steps values, the length of each step in ns; 0 for a step without an end. Returns how long the
 * operations flagged LOOM_SLOWDOWN_WAITS wait for their groups, in total, ns. O(operations + waits). */
gint64 loom_slowdown_replay_run (const LoomSlowdownReplay *replay, const gint64 *durations, gint64 *ends,
                                 gint64 *steps_ns);
