/* SPDX-License-Identifier: Apache-2.0
 *
 * For each group of ranks: how long the transfers of its collectives and messages take, their bandwidth, and whether
 * the group has slow links. Links are slow if the transfers take longer than those of comparable groups.
 *
 *   transfer      time of a transfer without the wait for other ranks. For a collective, see loom-collectives.h. For a
 *                 message, the mean of the ends of both sides − the later start, at least 0; if the clocks of the two
 *                 sides are not aligned, the duration of the shorter side
 *   size          number of elements × bytes of an element of the input (for an all-gather: of the output), as the args
 *                 of one rank state them
 *   bandwidth     size ÷ median transfer
 *   bus bandwidth bandwidth × 2(n−1)/n for all-reduce, × (n−1)/n for reduce-scatter, all-gather, all-to-all, gather and
 *                 scatter, × 1 for other collectives (nccl-tests, doc/PERFORMANCE.md); n is the number of ranks of the
 *                 group, including ranks of which no file is open. Waits for such ranks count as transfer: then the
 *                 computed bandwidth is a lower bound, and the group is not compared with others.
 *   comparable    other groups with equal kind of transfer, number of ranks, size and LoomTransferPlace
 *   typical       the median of the comparable groups' median transfers
 *   slow          the median transfer takes more than LOOM_TRANSFERS_SLOW times the typical one
 *
 * Immutable; owned by the LoomCollectives. Any thread. Texts are borrowed from the run.
 */
#pragma once

#include "loom-collectives.h"

/* LoomTransferGroup.name of a pair of ranks that exchange messages */
#define LOOM_TRANSFERS_MESSAGE "message"

/* A group of ranks is slow if its median transfer takes more than this many times as long as the typical transfer
 * (typical_ns). */
#define LOOM_TRANSFERS_SLOW 1.5
/* Groups of ranks with fewer transfers than this are not compared with other groups, and never count as slow. */
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
  guint n_stated;  /* number of ranks in the process group; if the file does not state it, n_ranks */
  guint n_missing; /* number of ranks of the process group of which no file is open */
  gint64 bytes;    /* 0: unknown */
  LoomTransferPlace place;
  guint n;                                   /* number of transfers of the group */
  gint64 median_ns, shortest_ns, longest_ns; /* transfer times, including their parts outside the range */
  gint64 total_ns; /* sum of the parts of the transfer times that are inside the range of the collectives */
  double n_inside; /* like `n`, but a transfer that is partly inside the range counts as the fraction that is inside */
  double bandwidth, bus_bandwidth; /* bytes per s; NAN: unknown */
  /* median of the median transfer times of comparable groups; 0: there are no comparable groups, or this group has too
   * few transfers */
  gint64 typical_ns;
  gboolean slow;
  gint64 lost_ns;     /* for a slow group, the result of loom_transfers_get_excess() */
  LoomSpanId longest; /* span of one rank in the longest transfer */
  LoomRange range;    /* time range of the longest transfer, on the timeline */
} LoomTransferGroup;

typedef struct {
  GArray *groups;      /* LoomTransferGroup: slow groups first, by lost time; then the others, by total time */
  GArray *ranks;       /* gint: the ranks of all groups */
  guint64 n_transfers; /* number of transfers of all groups */
  guint n_messages, n_unaligned; /* copies of the members of LoomTransferList with these names */
} LoomTransfers;

/* Returns the transfers by group of ranks. Borrowed from the collectives; NULL only when cancelled. The first call
 * takes O(collectives · ranks + messages). */
const LoomTransfers *loom_transfers_get (const LoomCollectives *collectives, GCancellable *cancellable);

/* Returns the total time of a group's transfers minus the time that as many transfers of typical_ns would take, in ns;
 * 0 if the difference is negative. Transfers outside the range of the collectives do not count. typical_ns must not be
 * 0. */
gint64 loom_transfers_get_excess (const LoomTransferGroup *group);

/* Returns the ranks of a group as text with `separator` between them, for example "1, 5" or "0–7". The text lists at
 * most eight ranks or ranges of consecutive ranks; "…" replaces the others. Owned by the caller. */
char *loom_transfers_dup_ranks (const LoomTransfers *transfers, const LoomTransferGroup *group, const char *separator);
