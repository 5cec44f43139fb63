/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: groups observations of several clocks by key. Observations with equal keys are readings of the
 * same event. Observations are added in any order, and read key by key. Keys are 64-bit hashes: among a million keys,
 * the probability of a collision is below one in thirty million, and a collision only adds one outlier.
 */
#pragma once

#include "loom-evidence.h"
#include "loom-string-pool.h"

typedef struct {
  /* local_ns: as in LoomClockObservation; arrival_ns: the uncertainty of the reading until
   * loom_evidence_groups_finish() is called, afterwards as in LoomClockObservation */
  gint64 local_ns, arrival_ns;
  guint32 clock;
  guint32 number; /* number of the observation's key; keys are numbered from 0 in the order in which they were added */
  guint32 tag;    /* any value that the caller chooses */
} LoomObservation;

typedef struct {
  /* LoomObservation. After loom_evidence_groups_close(), the observations are sorted by `number`; observations with
   * equal numbers stay in the order in which they were added. */
  GArray *all;
  GHashTable *numbers; /* key → number of the key, plus 1 */
} LoomEvidenceGroups;

void loom_evidence_groups_init (LoomEvidenceGroups *gathering);
void loom_evidence_groups_clear (LoomEvidenceGroups *gathering);
void loom_evidence_groups_add (LoomEvidenceGroups *gathering, guint64 key, guint clock, gint64 local_ns,
                               gint64 arrival_ns, guint32 tag);
/* Sorts the observations so that equal keys are adjacent. O(n). */
void loom_evidence_groups_close (LoomEvidenceGroups *gathering);
/* Returns the number of observations, from index `first` on, that have the same key as the one at `first`. */
guint loom_evidence_groups_count_equal (const LoomEvidenceGroups *gathering, guint first);

/* Adds a common event for each key to `evidence`, and frees the groups. Until now, the `arrival_ns` of an observation
 * has been the uncertainty of its reading. The uncertainty of a common event is the largest uncertainty of its
 * readings, and at least `least_ns`. The readings of the common event get no arrival times. */
void loom_evidence_groups_finish (LoomEvidenceGroups *gathering, LoomEvidence *evidence, LoomEvidenceKind kind,
                                  gint64 least_ns);

/* Returns the number of a key: keys are numbered from 0 in the order in which this function sees them first. `numbers`:
 * a table with direct hashes, which is empty at first. O(1). */
guint loom_evidence_groups_number (GHashTable *numbers, guint64 key);

/* A table that counts how many times each key was passed to loom_evidence_groups_count_occurrences(). */
typedef GHashTable LoomOccurrences;
LoomOccurrences *loom_evidence_groups_new_occurrences (void);
guint loom_evidence_groups_count_occurrences (LoomOccurrences *occurrences, guint64 key);

/* Calls `func` for the sync events of all traces, in order of start within each trace. `clock`: index of the event's
 * clock in the run. */
typedef void (*LoomSyncEventFunc) (const LoomTrace *trace, const LoomSyncEvent *meeting, guint clock,
                                   gpointer user_data);
void loom_evidence_groups_for_each_sync_event (const LoomRun *run, LoomSyncEventFunc func, gpointer user_data);
