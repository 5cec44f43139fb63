/* SPDX-License-Identifier: Apache-2.0
 *
 * One dump of a collective flight recorder: the last collectives of one rank, and how far the rank came in each of its
 * process groups. Written while a source is read, then immutable; read from any thread.
 * All texts are valid UTF-8, owned by the dump and not NULL unless stated.
 */
#pragma once

#include <glib.h>

#define LOOM_FLIGHT_UNKNOWN G_MININT64

typedef enum {
  LOOM_FLIGHT_SCHEDULED, /* called by the program */
  LOOM_FLIGHT_STARTED,   /* runs on the device */
  LOOM_FLIGHT_COMPLETED,
} LoomFlightState;

typedef struct {
  const char *name;    /* a counter that need not agree between ranks */
  const char *purpose; /* "TENSOR_MODEL_PARALLEL_GROUP"; "" if the program gave none */
  const gint *ranks;   /* members of the group, ascending */
  guint n_ranks;
  gint64 enqueued, completed; /* number of the last collective; LOOM_FLIGHT_UNKNOWN: not in the dump */
} LoomFlightGroup;

typedef struct {
  gint64 record;   /* counts all collectives and messages of the rank */
  guint group;     /* index into the groups; G_MAXUINT: one that the dump does not list */
  gint64 sequence; /* number in the group: of a collective, or of a message */
  gboolean is_message;
  gboolean is_retired; /* the process no longer watches it */
  LoomFlightState state;
  const char *name;   /* "all_reduce", "send 0->3" */
  const char *sizes;  /* "[4096, 1, 5120] BFloat16 → [8192, 1, 5120] BFloat16"; "" if unknown */
  const char *frames; /* the call stack, innermost first, a line per frame; "" if not recorded */
  const char *thread; /* name of the thread that called it; "" if unknown */
  /* ns since 1970 by the clock of the rank: called, noticed as started, noticed as completed; 0: not */
  gint64 created_ns, started_ns, completed_ns;
  gint64 timeout_ns; /* 0: unknown */
} LoomFlightEntry;

typedef struct {
  gint rank;                          /* −1: unknown */
  const char *version, *nccl_version; /* "" if unknown */
  GArray *groups;                     /* LoomFlightGroup */
  GArray *entries;                    /* LoomFlightEntry, oldest first */
  gint64 n_lost;                      /* records that the ring no longer held */
  gboolean is_doubtful;               /* TRUE: for some groups it is unknown which status belongs to them */
  GStringChunk *texts;                /* owns the texts */
  GPtrArray *members;                 /* gint *: owns the ranks of groups */
} LoomFlightDump;

LoomFlightDump *loom_flight_dump_new (void);
void loom_flight_dump_free (LoomFlightDump *self);

/* Returns a copy that the dump owns; equal texts are kept once. `text` NULL: "". */
const char *loom_flight_dump_keep (LoomFlightDump *self, const char *text);

/* Adds a group; takes a copy of the ranks and sorts it. Returns its index. */
guint loom_flight_dump_add_group (LoomFlightDump *self, const char *name, const char *purpose, const gint *ranks,
                                  guint n_ranks);

/* Returns the index of the group with this name; G_MAXUINT if there is none. O(groups). */
guint loom_flight_dump_find_group (const LoomFlightDump *self, const char *name);

/* The latest time in the dump, in ns since 1970; 0 if it has none. O(entries). */
gint64 loom_flight_dump_get_end (const LoomFlightDump *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFlightDump, loom_flight_dump_free)
