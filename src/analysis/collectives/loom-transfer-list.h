/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the transfers of a range one by one, of collectives and of messages between two ranks, with
 * their sizes. Immutable; belongs to the collectives. Any thread.
 */
#pragma once

#include "loom-collectives.h"

typedef struct {
  const char *name;                   /* name of the collective, or "message"; borrowed from the run */
  guint32 first_rank, n_ranks;        /* in the list's ranks: ascending; for a message the sender, then the receiver */
  guint32 trace, meeting;             /* one member; for a message the sender */
  guint32 other_trace, other_meeting; /* the receiver of a message; G_MAXUINT32 for collectives */
  gint64 transfer_ns, bytes;          /* bytes 0: unknown */
  LoomRange range;                    /* timeline: from the last arrival to the end */
  guint32 place;                      /* LoomTransferPlace */
  /* For a message: the side that waits for the other, and how long. */
  gint waiting_rank; /* −1: unknown */
  guint32 waiting_trace, waiting_meeting;
  LoomRange wait; /* timeline */
} LoomTransfer;

typedef struct {
  LoomTimeline *timeline; /* borrowed */
  GArray *transfers;      /* LoomTransfer */
  GArray *ranks;          /* gint */
} LoomTransferList;

/* Borrowed from the collectives; NULL only when cancelled. O(collectives · ranks + messages) the first time. */
const LoomTransferList *loom_transfer_list_get (const LoomCollectives *collectives, GCancellable *cancellable);

/* bus bandwidth ÷ bandwidth of a collective of `n` ranks (nccl-tests, doc/PERFORMANCE.md). */
double loom_transfer_list_get_bus_factor (const char *name, guint n);
/* TRUE for the names of all-to-all collectives: "all_to_allv", "AllToAll". O(length). */
gboolean loom_transfer_list_is_all_to_all (const char *name);
