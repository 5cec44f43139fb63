/* SPDX-License-Identifier: Apache-2.0
 *
 * One dump of a collective flight recorder: the last collectives of one rank, and how far the rank came in each of its
 * process groups. The dump is filled while a source is read. Afterwards it is immutable, and may be read on any thread.
 * All texts are valid UTF-8 and owned by the dump; none is NULL unless stated.
 */
#pragma once

#include <glib.h>

#define LOOM_FLIGHT_UNKNOWN G_MININT64

typedef enum {
  LOOM_FLIGHT_SCHEDULED, /* the program has called the collective or message, but the device has not started it */
  LOOM_FLIGHT_STARTED,   /* the collective or message runs on the device */
  LOOM_FLIGHT_COMPLETED,
} LoomFlightState;

typedef struct {
  const char *name; /* name that PyTorch gave to the group: a number from a counter, which may differ between ranks */
  /* description of the group, for example "TENSOR_MODEL_PARALLEL_GROUP"; "": the program states none */
  const char *purpose;
  const gint *ranks; /* ranks of the group, ascending */
  guint n_ranks;
  /* sequence numbers of two collectives of the group. `enqueued`: the one that was enqueued last; `completed`: the one
   * that was completed last. LOOM_FLIGHT_UNKNOWN: not in the dump */
  gint64 enqueued, completed;
} LoomFlightGroup;

typedef struct {
  gint64 record;   /* number of the entry among all collectives and messages of the rank, in the order of calls */
  guint group;     /* index in `groups`; G_MAXUINT: a group that the dump does not list */
  gint64 sequence; /* number of the collective among the collectives of its group, or number of the message among the
                    * messages of its group */
  gboolean is_message;
  gboolean is_retired; /* TRUE if the process no longer checks whether this collective or message takes too long */
  LoomFlightState state;
  const char *name; /* name of the collective or message, for example "all_reduce" or "send 0->3" */
  /* sizes and types of input and output: "[4096, 1, 5120] BFloat16 → [8192, 1, 5120] BFloat16"; "" if unknown */
  const char *sizes;
  const char *frames; /* the call stack, innermost frame first, one line for each frame; "": not recorded */
  const char *thread; /* name of the thread that made the call; "" if unknown */
  /* times in ns since 1970, on the clock of the rank; 0: never. `created_ns`: the call was made; `started_ns`,
   * `completed_ns`: the process noticed that the collective or message had started or completed */
  gint64 created_ns, started_ns, completed_ns;
  gint64 timeout_ns; /* timeout of PyTorch's watchdog for the collective or message, in ns; 0: unknown */
} LoomFlightEntry;

typedef struct {
  gint rank;                          /* rank that wrote the dump; −1: unknown */
  const char *version, *nccl_version; /* version of the format of the dump, and version of NCCL; "" if unknown */
  GArray *groups;                     /* LoomFlightGroup: the process groups of the rank */
  GArray *entries;                    /* LoomFlightEntry: the collectives and messages, oldest first */
  gint64 n_lost;                      /* number of older entries that were overwritten in the ring buffer */
  /* TRUE: the dump has statuses of groups, but for some of them it is unknown to which group they belong */
  gboolean is_doubtful;
  GStringChunk *texts; /* owns the texts of the dump, its groups and its entries */
  GPtrArray *members;  /* gint *: the arrays LoomFlightGroup.ranks, which the dump owns */
} LoomFlightDump;

LoomFlightDump *loom_flight_dump_new (void);
void loom_flight_dump_free (LoomFlightDump *self);

/* Returns a copy of `text`; the dump owns this copy. Equal texts are stored once. `text` NULL: returns "". */
const char *loom_flight_dump_keep (LoomFlightDump *self, const char *text);

/* Adds a group with a sorted copy of the ranks. Returns the index of the group. */
guint loom_flight_dump_add_group (LoomFlightDump *self, const char *name, const char *purpose, const gint *ranks,
                                  guint n_ranks);

/* Returns the index of the group with this name; G_MAXUINT if there is none. O(groups). */
guint loom_flight_dump_find_group (const LoomFlightDump *self, const char *name);

/* Returns the latest time in the dump, in ns since 1970; 0 if it has none. O(entries). */
gint64 loom_flight_dump_get_end (const LoomFlightDump *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFlightDump, loom_flight_dump_free)
