/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the ranks for which a hanging job waits, from the dumps of PyTorch's flight recorders, one dump per rank. Any
 * thread. Texts, ranks and entries are borrowed from the run, to which the result holds a reference.
 *
 *   group               a process group, identified by its purpose and its ranks, because its name differs between
 *                       ranks
 *   open                a collective that is not completed. Open messages are used only to count how many ranks
 *                       wait.
 *   a waits for b       in some group, rank b has called fewer collectives than the oldest collective that is open on
 *                       rank a; a rank without a dump, or without calls in the group, has called none. If the dump of
 *                       b is incomplete and does not state the calls, it is unknown whether a waits.
 *   awaited             other ranks wait for the rank, and the rank waits for no rank
 *   completes less      the rank has open collectives in a group in which another rank has completed more collectives
 *   stuck               all ranks of a group (at least two) are in the same collective: it is the oldest one that is
 *                       open on each of them
 *   mismatch            collectives with the same group and sequence number differ between two ranks in name or size
 *
 * The order of calls decides, not their times, because clocks may differ between ranks by seconds.
 */
#pragma once

#include <gio/gio.h>

#include "loom-run.h"

typedef enum {
  LOOM_HANG_AWAITED = 1 << 0,
  LOOM_HANG_COMPLETES_LESS = 1 << 1,
  LOOM_HANG_SILENT = 1 << 2,     /* the rank's dump has no entries */
  LOOM_HANG_MISSING = 1 << 3,    /* the rank is a member of a group, but no dump of the rank is loaded */
  LOOM_HANG_INCOMPLETE = 1 << 4, /* the rank's dump is truncated or damaged */
} LoomHangSign;

typedef struct {
  gint rank;
  guint signs;  /* mask of LoomHangSign */
  guint source; /* index in the run of the source that contains the rank's dump; G_MAXUINT: the rank has no dump */
  /* number of ranks that wait for this rank, directly or through other ranks; 0 unless is_suspect */
  guint n_waiting;
  guint n_behind; /* number of groups in which this rank completed fewer collectives than another member */
  guint n_open;   /* number of the rank's open collectives in all groups */
  /* index in LoomHang.groups of the group in which this rank is furthest behind; G_MAXUINT: the rank is in none of the
   * groups in LoomHang.groups */
  guint group;
  gint64 behind;       /* number of collectives of `group` that another member has called, but this rank has not */
  gboolean is_suspect; /* TRUE if the hang probably began with this rank */
} LoomHangRank;

typedef struct {
  guint rank; /* index in LoomHang.ranks */
  /* index of the group in the rank's dump; G_MAXUINT: the dump does not contain the group */
  guint number;
  gint64 enqueued, completed; /* last collective enqueued, and completed; LOOM_FLIGHT_UNKNOWN: not stated */
  guint n_open;
  const LoomFlightEntry *oldest; /* the oldest open collective of the rank in this group; NULL: the rank has none */
} LoomHangMember;

/* A group in which at least one rank has open collectives. */
typedef struct {
  const char *purpose; /* purpose of the group; its name if it has no purpose */
  /* the members of the group, sorted by rank: elements [first, first + n) of LoomHang.members */
  guint first, n;
  /* the greatest `enqueued`, and the greatest `completed`, of a member of the group (LoomHangMember);
   * LOOM_FLIGHT_UNKNOWN: no member states it */
  gint64 enqueued, completed;
} LoomHangGroup;

/* A collective that all ranks of a group have called and none has completed. */
typedef struct {
  guint group;
  const LoomFlightEntry *entry; /* the entry of the collective in the dump of the group's first member */
} LoomHangStuck;

typedef struct {
  guint group;
  gint64 sequence;
  guint ranks[2]; /* two ranks (indices in LoomHang.ranks) whose collectives with the number `sequence` differ */
  const LoomFlightEntry *entries[2];
} LoomHangMismatch;

/* The rank `rank` waits for the rank `awaited`. Both are indices in LoomHang.ranks. */
typedef struct {
  guint rank, awaited;
} LoomHangWait;

typedef struct {
  LoomRun *run;       /* owned */
  guint n_dumps;      /* number of dumps in use: one dump per rank */
  guint n_older;      /* number of older dumps of the same ranks, which are not used */
  guint n_missing;    /* number of ranks without a dump */
  guint n_incomplete; /* number of ranks with an incomplete dump */
  guint n_waiting;    /* number of ranks that wait for another rank */
  guint n_suspects;
  GArray *ranks;         /* LoomHangRank, sorted by rank */
  GArray *groups;        /* LoomHangGroup: the groups with open collectives */
  GArray *members;       /* LoomHangMember: the members of all groups */
  GArray *stuck;         /* LoomHangStuck: at most one for each group */
  GArray *mismatches;    /* LoomHangMismatch, at most LOOM_HANG_MAX_MISMATCHES */
  GArray *waits;         /* LoomHangWait, by rank, at most LOOM_HANG_MAX_WAITS */
  GArray *message_waits; /* LoomHangWait, by rank: waits for the other side of a message, at most LOOM_HANG_MAX_WAITS */
} LoomHang;

#define LOOM_HANG_MAX_MISMATCHES 100
#define LOOM_HANG_MAX_WAITS 100000

/* Returns TRUE if the run has the dump of a flight recorder. O(sources). */
gboolean loom_hang_is_recorded (const LoomRun *run);

/* Finds the ranks with which a hang began. The result for a run without dumps has no ranks. NULL only when cancelled.
 * O(entries + members of all groups · suspects), and O(members · awaited members) for each group. */
LoomHang *loom_hang_new (LoomRun *run, GCancellable *cancellable);
void loom_hang_free (LoomHang *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomHang, loom_hang_free)
