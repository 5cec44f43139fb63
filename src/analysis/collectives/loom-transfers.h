/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the transfers of collectives and messages take, by group of ranks, what bandwidth that is, and which groups
 * take longer than comparable ones: slow links.
 *
 *   transfer      for a collective as in loom-collectives.h; for a message the mean of both ends − the later start, at
 *                 least 0, or the shorter side if the clocks are not aligned. It excludes the wait for the other rank.
 *   size          elements × bytes of the type: the input, for an all-gather the output, as the args of
 *                 one rank state it.
 *   bandwidth     size ÷ median transfer
 *   bus bandwidth bandwidth × 2(n−1)/n for all-reduce, × (n−1)/n for reduce-scatter, all-gather, all-to-all, gather and
 *                 scatter, × 1 for the others (nccl-tests, doc/PERFORMANCE.md); n is the size of the group, also if files
 *                 of some of its ranks are not open. Waits for such ranks count as transfer, so the bandwidth is at least
 *                 the stated one, and the group is not compared with others.
 *   comparable    the other groups with the same kind, number of ranks, size and place
 *   typical       the median of the comparable groups' median transfers
 *   slow          the median transfer is more than LOOM_TRANSFERS_SLOW times the typical one
 *
 * Immutable; belongs to the collectives. Any thread. Texts are borrowed from the run.
 */
#pragma once

#include "loom-collectives.h"

/* The name of messages between two ranks. */
#define LOOM_TRANSFERS_MESSAGE "message"

/* A group of ranks is slow if its median transfer takes more than this many times as long as the typical transfer
 * (typical_ns). */
#define LOOM_TRANSFERS_SLOW 1.5
/* Groups of ranks with fewer transfers than this are not compared. */
#define LOOM_TRANSFERS_LEAST 3

typedef enum {
  LOOM_TRANSFER_PLACE_UNKNOWN,
  LOOM_TRANSFER_PLACE_NODE,    /* all ranks on one node */
  LOOM_TRANSFER_PLACE_NETWORK, /* each rank on a different node */
  LOOM_TRANSFER_PLACE_MIXED,
} LoomTransferPlace;

typedef struct {
  const char *name; /* name of the collective, or "message" */
  /* the ranks: elements [first_rank, first_rank + n_ranks) of LoomTransfers.ranks; for a collective, ascending; for
   * messages, the sender and the receiver */
  guint first_rank, n_ranks;
  guint n_stated;  /* number of ranks of the group as far as stated, else n_ranks */
  guint n_missing; /* number of ranks of the group of which no file is open */
  gint64 bytes;    /* 0: unknown */
  LoomTransferPlace place;
  guint n;                                   /* transfers */
  gint64 median_ns, shortest_ns, longest_ns; /* of whole transfers */
  gint64 total_ns;                           /* only the time inside the range of the collectives */
  double n_inside; /* like `n`, but a transfer of which only a part is inside the range counts as this part of 1 */
  double bandwidth, bus_bandwidth; /* bytes per s; NAN: unknown */
  /* median of the median transfer times of comparable groups; 0: there are no comparable groups, or this group has too
   * few transfers */
  gint64 typical_ns;
  gboolean slow;
  gint64 lost_ns;     /* for a slow group: loom_transfers_get_excess() */
  LoomSpanId longest; /* span of one rank in the longest transfer */
  LoomRange range;    /* time range of the longest transfer, on the timeline */
} LoomTransferGroup;

typedef struct {
  GArray *groups;      /* LoomTransferGroup: slow groups first, by lost time; then the others, by total time */
  GArray *ranks;       /* gint */
  guint64 n_transfers; /* number of transfers of all groups */
} LoomTransfers;

/* Returns the transfers by group of ranks. Borrowed from the collectives; NULL only when cancelled. The first call
 * takes O(collectives · ranks + messages). */
const LoomTransfers *loom_transfers_get (const LoomCollectives *collectives, GCancellable *cancellable);

/* Returns by how much the transfers of a group exceed typical_ns together, only inside the range of the collectives, in ns;
 * ≥ 0. typical_ns must not be 0. */
gint64 loom_transfers_get_excess (const LoomTransferGroup *group);

/* Returns the ranks of a group with `separator` between them: "1, 5", "0–7". A ninth element and the following ones are
 * replaced by "…". Owned by the caller. */
char *loom_transfers_dup_ranks (const LoomTransfers *transfers, const LoomTransferGroup *group, const char *separator);
