/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the ranks for which a hanging job waits, from the dumps of PyTorch's flight recorders, one dump per rank. Any
 * thread. Texts, ranks and entries are borrowed from the run, to which the result holds a reference.
 *
 *   group               a process group, identified by its purpose and its ranks, because its name differs between
 *                       ranks
 *   open                a collective that was called but not completed. Open messages are used only to count how many
 *                       ranks wait.
 *   a waits for b       in one of the groups, rank b has not yet called the oldest collective that is open on rank a. A
 *                       rank without a dump, or without calls in the group, has called no collective. If the dump of b
 *                       is incomplete and does not state the calls, it is unknown whether a waits.
 *   awaited             other ranks wait for the rank, and the rank waits for no rank
 *   completes less      the rank has open collectives in a group in which another rank has completed more collectives
 *   stuck               all ranks of a group (at least two) are in the same collective: it is the oldest one that is
 *                       open on each of them
 *   mismatch            collectives with the same group and sequence number differ between two ranks in name or size
 *
 * Only the order of calls is used, not their times, because clocks of different ranks may differ by seconds.
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
  guint source; /* index, in the run, of the source that contains the rank's dump; G_MAXUINT: the rank has no dump */
  /* number of ranks that wait for this rank, directly or through other ranks; 0 if is_suspect is FALSE */
  guint n_waiting;
  guint n_behind; /* number of groups in which this rank completed fewer collectives than another member */
  guint n_open;   /* number of the rank's open collectives in all groups */
  /* index (in LoomHang.groups) of the group in which this rank is furthest behind; G_MAXUINT: the rank is in no group
   * of LoomHang.groups */
  guint group;
  /* number of collectives of the group `group` that another member has called, but this rank has not */
  gint64 behind;
  gboolean is_suspect; /* TRUE if the hang probably began with this rank */
} LoomHangRank;

typedef struct {
  guint rank; /* index in LoomHang.ranks */
  /* index of the group in the rank's dump; G_MAXUINT: the dump does not contain the group */
  guint number;
  /* number of the last collective that was enqueued, and of the last that was completed; LOOM_FLIGHT_UNKNOWN: not
   * stated */
  gint64 enqueued, completed;
  guint n_open;
  const LoomFlightEntry *oldest; /* the oldest open collective of the rank in this group; NULL: the rank has none */
} LoomHangMember;

/* A group in which at least one rank has open collectives. */
typedef struct {
  const char *purpose; /* purpose of the group or, if it has none, name of the group */
  /* the members of the group, sorted by rank: elements [first, first + n) of LoomHang.members */
  guint first, n;
  /* the greatest LoomHangMember.enqueued and the greatest LoomHangMember.completed of a member of the group;
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
  guint n_older;      /* number of unused dumps: older dumps of ranks that have a newer one */
  guint n_missing;    /* number of ranks without a dump */
  guint n_incomplete; /* number of ranks with an incomplete dump */
  guint n_waiting;    /* number of ranks that wait for another rank */
  guint n_suspects;
  GArray *ranks;      /* LoomHangRank, sorted by rank */
  GArray *groups;     /* LoomHangGroup: the groups with open collectives */
  GArray *members;    /* LoomHangMember: the members of all groups */
  GArray *stuck;      /* LoomHangStuck: at most one for each group */
  GArray *mismatches; /* LoomHangMismatch, at most LOOM_HANG_MAX_MISMATCHES */
  GArray *waits;      /* LoomHangWait, sorted by rank; at most LOOM_HANG_MAX_WAITS */
  /* LoomHangWait, sorted by rank: waits for the other side of a message; at most LOOM_HANG_MAX_WAITS */
  GArray *message_waits;
} LoomHang;

#define LOOM_HANG_MAX_MISMATCHES 100
#define LOOM_HANG_MAX_WAITS 100000

/* Returns TRUE if the run has the dump of a flight recorder. O(sources). */
gboolean loom_hang_is_recorded (const LoomRun *run);

/* Finds the ranks with which a hang began. If the run has no dumps, the result has no ranks. NULL only when cancelled.
 * O(entries + members of all groups · suspects), and O(members · awaited members) for each group. */
LoomHang *loom_hang_new (LoomRun *run, GCancellable *cancellable);
void loom_hang_free (LoomHang *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomHang, loom_hang_free)
