/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What several clocks tell under one key, brought together: kinds of evidence feed (key, clock, time) in any order
 * and read it back key by key. Keys are 64-bit hashes: among a million the chance that any two collide is below one in
 * thirty million, and what two jobs would then share is one outlier.
 */
#pragma once

#include "loom-evidence.h"
#include "loom-strings.h"

G_BEGIN_DECLS

typedef struct {
  gint64 local_ns, arrival_ns;
  guint32 clock;
  guint32 number; /* of its key, from 0 in the order in which keys came */
  guint32 tag;    /* the feeder's own */
} LoomGathered;

typedef struct {
  GArray *all;         /* LoomGathered; by number once closed, in the order they came within one */
  GHashTable *numbers; /* key → number + 1 */
} LoomGathering;

void loom_gathering_init (LoomGathering *gathering);
void loom_gathering_clear (LoomGathering *gathering);
void loom_gathering_add (LoomGathering *gathering, guint64 key, guint clock, gint64 local_ns, gint64 arrival_ns, guint32 tag);
/* Brings equal keys together. O(n). */
void loom_gathering_close (LoomGathering *gathering);
/* How many from `first` on have its key. */
guint loom_gathering_count_equal (const LoomGathering *gathering, guint first);

/* An occasion of each key, without arrivals. */
void loom_gathering_tell (const LoomGathering *gathering, LoomEvidence *evidence, LoomEvidenceKind kind, gint64 uncertainty_ns);

/* How often a key was met before on the same clock. */
typedef GHashTable LoomOccurrences;
LoomOccurrences *loom_occurrences_new (void);
guint loom_occurrences_count (LoomOccurrences *occurrences, guint64 key);

/* Calls `func` for the meetings of each trace, in order of start within each, with the flat number of their clock. */
typedef void (*LoomMeetingFunc) (const LoomTrace *trace, const LoomMeeting *meeting, guint clock, gpointer user_data);
void loom_run_for_each_meeting (const LoomRun *run, LoomMeetingFunc func, gpointer user_data);

G_END_DECLS
