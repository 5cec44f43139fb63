/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the transfers of collectives and messages take, by group of ranks, what bandwidth that is, and which groups
 * take longer than others of their kind: slow links. formats/analysis-2.md §6.
 *
 *   transfer      of a collective as in loom-collectives.h; of a message the mean of both ends − the later begin, at
 *                 least 0, or the shorter side if the clocks are not aligned. The wait for the other rank is not in it.
 *   size          elements × bytes of the type: what goes in, for an all-gather what comes out, as the args of
 *                 one rank state it.
 *   bandwidth     size ÷ median transfer; of the bus (nccl-tests, doc/PERFORMANCE.md) × 2(n−1)/n for all-reduce,
 *                 (n−1)/n for reduce-scatter, all-gather, all-to-all, gather and scatter, 1 for the others
 *   likes         the other groups with the same kind, number of ranks, size and place
 *   slow          the median transfer is more than LOOM_TRANSFERS_SLOW times the median of the likes' medians
 *
 * Immutable when made, freed by its owner; any thread. Texts are borrowed from the run.
 */
#pragma once

#include "loom-collectives.h"

/* The name of messages between two ranks. */
#define LOOM_TRANSFERS_MESSAGE "message"

/* Factor of the median of the likes. */
#define LOOM_TRANSFERS_SLOW 1.5
/* A group is compared with others only from this many transfers on. */
#define LOOM_TRANSFERS_LEAST 3

typedef enum {
  LOOM_TRANSFER_PLACE_UNKNOWN,
  LOOM_TRANSFER_PLACE_NODE,    /* all ranks on one node */
  LOOM_TRANSFER_PLACE_NETWORK, /* each rank on another node */
  LOOM_TRANSFER_PLACE_MIXED,
} LoomTransferPlace;

typedef struct {
  const char *name;          /* of the collective; "message" */
  guint first_rank, n_ranks; /* in LoomTransfers.ranks, ascending; of a message sender, receiver */
  gint64 bytes;              /* 0: unknown */
  LoomTransferPlace place;
  guint n; /* transfers */
  gint64 median_ns, shortest_ns, longest_ns, total_ns;
  double bandwidth, bus_bandwidth; /* bytes per s; NAN: unknown */
  gint64 typical_ns;               /* median of the likes; 0: there are none, or too few transfers */
  gboolean slow;
  gint64 lost_ns;     /* of a slow group: its transfers less the typical one, in total */
  LoomSpanId longest; /* the longest transfer's span of one member */
  LoomRange range;    /* of the longest transfer */
} LoomTransferGroup;

typedef struct {
  GArray *groups;      /* LoomTransferGroup; slow ones first, by time lost, then by total time */
  GArray *ranks;       /* gint */
  guint64 n_transfers; /* of all groups */
} LoomTransfers;

/* Cost: O(collectives · ranks + messages). NULL only when cancelled. */
LoomTransfers *loom_transfers_new (LoomCollectives *collectives, GCancellable *cancellable);
void loom_transfers_free (LoomTransfers *transfers);

/* Returns the ranks of a group with `separator` between them: "1, 5", "0–7"; from the ninth part on "…". Owned by the caller. */
char *loom_transfers_dup_ranks (const LoomTransfers *transfers, const LoomTransferGroup *group, const char *separator);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTransfers, loom_transfers_free)
