/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of all transfers in a range, with their sizes in bytes. A transfer is one collective, or one message between
 * two ranks. Immutable; owned by the LoomCollectives. Any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-missing-ranks.h"

typedef struct {
  const char *name; /* name of the collective, or "message"; borrowed from the run */
  /* the ranks: elements [first_rank, first_rank + n_ranks) of LoomTransferList.ranks; for a collective, ascending; for
   * a message, the sender and the receiver */
  guint32 first_rank, n_ranks;
  /* for a collective, the number of ranks in its process group (n_ranks if not stated); for a message, 2 */
  guint32 n_stated;
  /* for a collective, number of ranks of its group of which no file is open, see loom-missing-ranks.h; for a
   * message, 0 */
  guint32 n_missing;
  /* index of a trace and, in that trace, of a sync event: for a collective, the event of one of its ranks; for a
   * message, the event of the sender */
  guint32 trace, meeting;
  /* for a message, index of the receiver's trace and, in that trace, of the receiver's sync event; G_MAXUINT32 for a
   * collective */
  guint32 other_trace, other_meeting;
  gint64 transfer_ns, bytes; /* `bytes` is 0 if the size is unknown */
  /* time range of the transfer on the timeline: from the arrival of the last rank (of a message: from the start of the
   * later side) to the end of the collective or message */
  LoomRange range;
  gint64 inside_ns; /* the part of transfer_ns that is inside the range of the collectives */
  guint32 place;    /* LoomTransferPlace of the ranks */
  /* The members below are set only for a message. They state which side waits for the other, and when. */
  gint waiting_rank; /* −1: unknown */
  guint32 waiting_trace, waiting_meeting;
  /* time of the wait, on the timeline; ends at the latest when the waiting side ends. The members `wait`, `range` and
   * `sides` are not clipped to the range of the collectives: callers that sum up waits must clip them. */
  LoomRange wait;
  LoomRange sides[2]; /* for a message, the send and the receive, on the timeline */
} LoomTransfer;

/* The first message that a rank sends or receives in the whole run. */
typedef struct {
  gint peer;       /* the rank from which this rank receives the message; −1: this rank sends it */
  gint64 begin_ns; /* start of the message, on the timeline */
} LoomFirstMessage;

typedef struct {
  LoomTimeline *timeline; /* borrowed */
  /* LoomTransfer: the transfers of all collectives, and of all messages whose wait or transfer touches the range */
  GArray *transfers;
  guint n_messages; /* number of messages; they are the last elements of `transfers` */
  /* number of messages whose two sides are on clocks that are not aligned with each other; the wait of such a message
   * is the difference of the durations of its sides */
  guint n_unaligned;
  GArray *ranks; /* gint: the ranks of all transfers */
  /* rank → LoomFirstMessage, including ranks without messages in the range. The first messages show the direction of a
   * pipeline. The range does not show it, because it may begin in the backward pass, where messages go from the last
   * stage to the first. */
  GHashTable *firsts;
  /* [result of loom_collectives_find_event()] index of the message's transfer; G_MAXUINT32: the event is not part of a
   * message in the range */
  guint32 *message_of;
  LoomMissingRanks *missing;
} LoomTransferList;

/* Returns the transfers of the collectives and messages. Borrowed from the collectives; NULL only when cancelled.
 * The first call takes O(collectives · ranks + messages). */
const LoomTransferList *loom_transfer_list_get (const LoomCollectives *collectives, GCancellable *cancellable);

/* Returns TRUE for a message, FALSE for a collective. */
gboolean loom_transfer_list_is_message (const LoomTransfer *transfer);
/* Returns bus bandwidth ÷ bandwidth for a collective of `n` ranks, as defined in doc/PERFORMANCE.md of nccl-tests. */
double loom_transfer_list_get_bus_factor (const char *name, guint n);
/* Returns TRUE for names of all-to-all collectives, such as "all_to_allv" and "AllToAll". O(length). */
gboolean loom_transfer_list_is_all_to_all (const char *name);
