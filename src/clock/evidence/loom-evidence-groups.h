/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: groups readings of clocks by key. Readings with equal keys are of the same event. Readings may
 * be added in any order; they are returned grouped by key. Keys are 64-bit hashes: for a million keys, the probability
 * of a collision is less than one in thirty million, and a collision only adds one outlier.
 */
#pragma once

#include "loom-evidence.h"
#include "loom-string-pool.h"

typedef struct {
  /* `local_ns`: see LoomClockObservation. `arrival_ns`: before loom_evidence_groups_finish(), the uncertainty of the
   * reading; after it, see LoomClockObservation. */
  gint64 local_ns, arrival_ns;
  guint32 clock;
  guint32 number; /* number of the reading's key; keys are numbered from 0, in the order in which they were added */
  guint32 tag;    /* a number that the caller may use for any purpose */
} LoomObservation;

typedef struct {
  /* LoomObservation: all readings. After loom_evidence_groups_close(), they are sorted by `number`; readings with
   * equal numbers stay in the order in which they were added. */
  GArray *all;
  GHashTable *numbers; /* `key` of loom_evidence_groups_add() → LoomObservation.number, plus 1 */
} LoomEvidenceGroups;

void loom_evidence_groups_init (LoomEvidenceGroups *gathering);
void loom_evidence_groups_clear (LoomEvidenceGroups *gathering);
void loom_evidence_groups_add (LoomEvidenceGroups *gathering, guint64 key, guint clock, gint64 local_ns,
                               gint64 arrival_ns, guint32 tag);
/* Sorts the readings, so that readings with equal keys are neighbours. O(n). */
void loom_evidence_groups_close (LoomEvidenceGroups *gathering);
/* Returns how many readings, from index `first` on, have the same key as the reading at `first`. */
guint loom_evidence_groups_count_equal (const LoomEvidenceGroups *gathering, guint first);

/* For each key, adds one common event (event that several clocks recorded) to `evidence`. Frees the groups. Until this
 * call, the member `arrival_ns` of a reading contains the uncertainty of the reading. The uncertainty of an event is
 * the largest uncertainty of its readings, but not less than `least_ns`. The readings in `evidence` have no arrival
 * times. */
void loom_evidence_groups_finish (LoomEvidenceGroups *gathering, LoomEvidence *evidence, LoomEvidenceKind kind,
                                  gint64 least_ns);

/* Returns the number of a key. Keys are numbered from 0, in the order in which they are passed to this function first.
 * `numbers`: the table of these numbers, made with a hash function for integer keys, such as g_direct_hash(). The table
 * must be empty before the first call. O(1). */
guint loom_evidence_groups_number (GHashTable *numbers, guint64 key);

/* A table that counts how often each key was passed to loom_evidence_groups_count_occurrences(). */
typedef GHashTable LoomOccurrences;
LoomOccurrences *loom_evidence_groups_new_occurrences (void);
guint loom_evidence_groups_count_occurrences (LoomOccurrences *occurrences, guint64 key);

/* Calls `func` for the sync events of all traces; within a trace, in order of their starts. `clock`: index of the
 * event's clock in the run. */
typedef void (*LoomSyncEventFunc) (const LoomTrace *trace, const LoomSyncEvent *meeting, guint clock,
                                   gpointer user_data);
void loom_evidence_groups_for_each_sync_event (const LoomRun *run, LoomSyncEventFunc func, gpointer user_data);
