/* SPDX-License-Identifier: Apache-2.0
 *
 * Which ranks a job that hangs waits for, from the dumps of its flight recorders. Any
 * thread. Texts, ranks and entries are borrowed from the run, to which the result holds a reference.
 *
 *   member of a group   identified by the purpose of the group and its ranks; its name differs between ranks
 *   open                a collective that is not completed; messages do not count, except for how many ranks wait
 *   a waits for b       in some group b has called fewer collectives than the oldest one that is open on a; a rank
 *                       that the group lists but that called none, or whose dump is missing, has called none
 *   awaited             others wait for the rank, and it waits for nobody
 *   completes less      it has open collectives in a group of which another member has completed more
 *   mismatch            the same number of a group is another collective on another rank, or one of another size
 *
 * The order of calls decides, not the clocks, which may differ between ranks by seconds.
 */
#pragma once

#include <gio/gio.h>

#include "loom-run.h"

typedef enum {
  LOOM_HANG_AWAITED = 1 << 0,
  LOOM_HANG_COMPLETES_LESS = 1 << 1,
  LOOM_HANG_SILENT = 1 << 2,  /* its dump has no entries */
  LOOM_HANG_MISSING = 1 << 3, /* it is a member of a group, but there is no dump of it */
} LoomHangSign;

typedef struct {
  gint rank;
  guint signs;  /* LoomHangSign */
  guint source; /* number of the source in the run; G_MAXUINT: no dump */
  /* only for suspects: number of ranks in `waits` and `message_waits` that wait for it, or for a rank that waits for it */
  guint n_waiting;
  guint n_behind;      /* number of groups in which it completes less */
  guint n_open;        /* open collectives in all groups */
  guint group;         /* the group with open collectives in which it is furthest behind; G_MAXUINT: none */
  gint64 behind;       /* collectives of that group that another member called and it did not */
  gboolean is_suspect; /* the hang probably began with this rank */
} LoomHangRank;

typedef struct {
  guint rank;                 /* index into the ranks */
  guint number;               /* number of the group in the rank's dump; G_MAXUINT: not in it */
  gint64 enqueued, completed; /* LOOM_FLIGHT_UNKNOWN: not known */
  guint n_open;
  const LoomFlightEntry *oldest; /* the oldest open collective; NULL: none */
} LoomHangMember;

/* A group in which a rank has open collectives. */
typedef struct {
  const char *purpose;        /* its name if it has no purpose */
  guint first, n;             /* range in the members, by rank */
  gint64 enqueued, completed; /* the highest number that a member has; LOOM_FLIGHT_UNKNOWN: not known */
} LoomHangGroup;

typedef struct {
  guint group;
  gint64 sequence;
  guint ranks[2]; /* two ranks that differ, as indices */
  const LoomFlightEntry *entries[2];
} LoomHangMismatch;

/* One rank waits for another; indices into the ranks. */
typedef struct {
  guint rank, awaited;
} LoomHangWait;

typedef struct {
  LoomRun *run;    /* owned */
  guint n_dumps;   /* number of dumps in use: one per rank */
  guint n_older;   /* older dumps of the same ranks, which are not used */
  guint n_missing; /* ranks without a dump */
  guint n_waiting; /* ranks that wait for another */
  guint n_suspects;
  GArray *ranks;         /* LoomHangRank, by rank */
  GArray *groups;        /* LoomHangGroup */
  GArray *members;       /* LoomHangMember */
  GArray *mismatches;    /* LoomHangMismatch, at most LOOM_HANG_MAX_MISMATCHES */
  GArray *waits;         /* LoomHangWait, by rank, at most LOOM_HANG_MAX_WAITS */
  GArray *message_waits; /* LoomHangWait: for the other side of a message, at most LOOM_HANG_MAX_WAITS */
} LoomHang;

#define LOOM_HANG_MAX_MISMATCHES 100
#define LOOM_HANG_MAX_WAITS 100000

/* Returns TRUE if the run has the dump of a flight recorder. O(sources). */
gboolean loom_hang_is_recorded (const LoomRun *run);

/* O(entries + members of all groups · suspects), and for each group O(members · awaited members). NULL only when
 * cancelled. A run without dumps gives a result without ranks. */
LoomHang *loom_hang_new (LoomRun *run, GCancellable *cancellable);
void loom_hang_free (LoomHang *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomHang, loom_hang_free)
