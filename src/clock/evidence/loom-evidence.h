/* SPDX-License-Identifier: Apache-2.0
 *
 * The evidence about the clocks of a run, in the local ns of each clock. A common event (LoomSimultaneity) is an event
 * that several clocks recorded; members named `occasion` are indices of common events. Two readings of a common event
 * give the difference of two clocks, with an uncertainty. A causal order (LoomCausalOrder) states that an event on one
 * clock was before an event on another clock. The files loom-evidence-*.c collect common events and causal orders.
 *
 * One thread writes; after that, any thread may read. Memory: O(readings), some 24 bytes each.
 */
#pragma once

#include "loom-run.h"

/* The reading of a common event by a clock is compared with the median of the readings by all comparable clocks. If at
 * most this number of clocks recorded the event, the median excludes the clock itself. With more clocks, it includes
 * the clock, because one reading hardly changes the median. */
#define LOOM_EVIDENCE_FEW_MEMBERS 6

typedef enum {
  LOOM_EVIDENCE_COLLECTIVES, /* matched collectives of several ranks, from loom-evidence-collectives.c */
  LOOM_EVIDENCE_CLOCK_SYNC,  /* clock sync events (events with phase "c"), from loom-evidence-keyed.c */
  LOOM_EVIDENCE_SYNC_POINTS, /* sync points that file formats declare (Composer), from loom-evidence-keyed.c */
  LOOM_EVIDENCE_MESSAGES,    /* sent and received messages in both directions, from loom-evidence-messages.c */
  LOOM_EVIDENCE_STEPS,       /* starts of steps, from loom-evidence-keyed.c */
  LOOM_EVIDENCE_MARKERS,     /* markers with equal names, from loom-evidence-keyed.c */
  LOOM_EVIDENCE_ACTIVITY,    /* sampled utilization compared with kernels, from loom-evidence-activity.c */
  LOOM_N_EVIDENCE_KINDS
} LoomEvidenceKind;

/* Returns the translated name of a kind, for use in a sentence: "collectives", "clock sync events". Static. */
const char *loom_evidence_kind_to_string (LoomEvidenceKind kind);
/* Returns the translated text "SENTENCE (KIND)": a sentence, followed by the kind of evidence. Owned by the caller. */
char *loom_evidence_kind_say (LoomEvidenceKind kind, const char *sentence);

/* Returns TRUE for steps, markers and activity. They are too inexact to replace a declared clock. */
static inline gboolean
loom_evidence_kind_is_coarse (LoomEvidenceKind kind)
{
  return kind >= LOOM_EVIDENCE_STEPS;
}

typedef struct {
  gint64 local_ns;
  /* local time at which the process with this clock began to wait for the other processes; LOOM_TIME_NONE if unknown */
  gint64 arrival_ns;
  guint32 clock; /* index of the clock in the run */
  guint32 occasion;
} LoomClockObservation;

/* A common event: an event that at least two clocks recorded. Members of other structs that are named `occasion` are
 * indices of common events. */
typedef struct {
  /* The readings of the event: elements [first, first + n) of `readings`. n is at least 2; each reading is of a
   * different clock. */
  guint32 first, n;
  gint64 uncertainty_ns; /* uncertainty of one reading, in ns; greater than 0 */
  LoomEvidenceKind kind;
} LoomSimultaneity;

/* The order of two events. The event at before_ns of the clock `before` was before the event at after_ns of the
 * clock `after`. */
typedef struct {
  guint32 before, after; /* indices of the clocks in the run */
  gint64 before_ns, after_ns;
  /* TRUE if the two events are the launch and the start of a kernel; FALSE if they are the sending and the receipt of a
   * message */
  gboolean is_launch;
} LoomCausalOrder;

typedef struct {
  guint n_clocks;
  GArray *readings;  /* LoomClockObservation: readings of clocks; the readings of one common event are neighbours */
  GArray *occasions; /* LoomSimultaneity: all common events (events that several clocks recorded) */
  GArray *orders;    /* LoomCausalOrder: the orders of all pairs of events for which the order is known */
} LoomEvidence;

LoomEvidence *loom_evidence_new (guint n_clocks);
/* loom_evidence_new_of_run() returns all evidence of a run except coarse evidence; loom_evidence_new_coarse() returns
 * only coarse evidence (steps, markers and activity). Each of the two takes as long as the functions
 * loom_evidence_add_…() that it calls. */
LoomEvidence *loom_evidence_new_of_run (const LoomRun *run);
LoomEvidence *loom_evidence_new_coarse (const LoomRun *run);
void loom_evidence_free (LoomEvidence *evidence);

/* The next three functions add a common event (an event that several clocks recorded): call loom_evidence_begin(),
 * then loom_evidence_read() for each reading of a clock, then loom_evidence_end(). If a clock has several readings
 * of the event, all of these readings are dropped, because they are ambiguous. An event with readings of fewer than
 * two clocks is dropped. */
void loom_evidence_begin (LoomEvidence *evidence, LoomEvidenceKind kind, gint64 uncertainty_ns);
void loom_evidence_read (LoomEvidence *evidence, guint clock, gint64 local_ns, gint64 arrival_ns);
void loom_evidence_end (LoomEvidence *evidence);

void loom_evidence_order (LoomEvidence *evidence, guint before, gint64 before_ns, guint after, gint64 after_ns,
                          gboolean is_launch);

/* Each of the following functions adds the evidence of one kind. O(events of this kind); for steps, markers and
 * activity, O(spans). */
void loom_evidence_add_collectives (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_clock_sync (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_sync_points (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_messages (LoomEvidence *evidence, const LoomRun *run);
/* Adds a causal order (LoomCausalOrder) for each kernel whose launch is known: the launch was before the start of the
 * kernel. Adds no common events. */
void loom_evidence_add_launches (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_steps (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_markers (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_activity (LoomEvidence *evidence, const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEvidence, loom_evidence_free)
