/* SPDX-License-Identifier: Apache-2.0
 *
 * The evidence about the clocks of a run, in the local ns of each clock. A common event (LoomSimultaneity; members
 * with its index are named `occasion`) is an event that several clocks recorded: any two readings of it give the
 * difference of two clocks, within an uncertainty. A causal order (LoomCausalOrder) says that an event on one clock
 * preceded an event on another clock. The files loom-evidence-*.c collect both.
 *
 * One writer; readable from any thread afterwards. Memory: O(readings), some 24 bytes each.
 */
#pragma once

#include "loom-run.h"

typedef enum {
  LOOM_EVIDENCE_COLLECTIVES, /* collectives of several ranks that were matched, from loom-evidence-collectives.c */
  LOOM_EVIDENCE_CLOCK_SYNC,  /* clock sync events (events with phase "c"), from loom-evidence-keyed.c */
  LOOM_EVIDENCE_SYNC_POINTS, /* from loom-evidence-keyed.c: sync points that formats declare (Composer) */
  LOOM_EVIDENCE_MESSAGES,    /* from loom-evidence-messages.c: sends and receives in both directions */
  LOOM_EVIDENCE_STEPS,       /* starts of steps, from loom-evidence-keyed.c */
  LOOM_EVIDENCE_MARKERS,     /* markers of the same name, from loom-evidence-keyed.c */
  LOOM_EVIDENCE_ACTIVITY,    /* from loom-evidence-activity.c: sampled utilization compared with kernels */
  LOOM_N_EVIDENCE_KINDS
} LoomEvidenceKind;

/* Returns the translated name of a kind for use in a sentence: "collectives", "clock sync events". Static. */
const char *loom_evidence_kind_to_string (LoomEvidenceKind kind);
/* Returns a sentence followed by the kind of evidence in parentheses, translated. Owned by the caller. */
char *loom_evidence_kind_say (LoomEvidenceKind kind, const char *sentence);

/* Returns TRUE for steps, markers and activity, which are too coarse to overrule a declared clock. */
static inline gboolean
loom_evidence_kind_is_coarse (LoomEvidenceKind kind)
{
  return kind >= LOOM_EVIDENCE_STEPS;
}

typedef struct {
  gint64 local_ns;
  /* local time at which the process that uses this clock began to wait for the other processes; LOOM_TIME_NONE:
   * unknown */
  gint64 arrival_ns;
  guint32 clock; /* index of the clock in the run */
  guint32 occasion;
} LoomClockObservation;

/* An event that at least two clocks recorded (a common event). A member of a struct that is the index of such an event
 * is named `occasion`. */
typedef struct {
  /* the readings of the event: elements [first, first + n) of `readings`; n ≥ 2, each of a different clock */
  guint32 first, n;
  gint64 uncertainty_ns; /* uncertainty of one reading; > 0 */
  LoomEvidenceKind kind;
} LoomSimultaneity;

/* The order of two events: the event at before_ns of the clock `before` precedes the event at after_ns of the clock
 * `after`. */
typedef struct {
  guint32 before, after; /* indices of the clocks */
  gint64 before_ns, after_ns;
  gboolean is_launch; /* TRUE: a launch and its kernel; FALSE: send and receive of a message */
} LoomCausalOrder;

typedef struct {
  guint n_clocks;
  GArray *readings;  /* LoomClockObservation; the readings of one common event are consecutive */
  GArray *occasions; /* LoomSimultaneity: all common events */
  GArray *orders;    /* LoomCausalOrder: all orders */
} LoomEvidence;

LoomEvidence *loom_evidence_new (guint n_clocks);
/* loom_evidence_new_of_run() returns the evidence of a run without coarse evidence, loom_evidence_new_coarse() only the
 * coarse evidence. The cost is the sum of the costs of the functions loom_evidence_add_…() that are called. */
LoomEvidence *loom_evidence_new_of_run (const LoomRun *run);
LoomEvidence *loom_evidence_new_coarse (const LoomRun *run);
void loom_evidence_free (LoomEvidence *evidence);

/* The next three functions add a common event: call loom_evidence_begin(), then loom_evidence_read() for each reading
 * of a clock, then loom_evidence_end(). If a clock has several readings of the event, all of these are dropped, because
 * they are ambiguous. Events with fewer than two clocks are dropped, too. */
void loom_evidence_begin (LoomEvidence *evidence, LoomEvidenceKind kind, gint64 uncertainty_ns);
void loom_evidence_read (LoomEvidence *evidence, guint clock, gint64 local_ns, gint64 arrival_ns);
void loom_evidence_end (LoomEvidence *evidence);

void loom_evidence_order (LoomEvidence *evidence, guint before, gint64 before_ns, guint after, gint64 after_ns,
                          gboolean is_launch);

/* Each of the following functions adds the evidence of one kind. Cost: O(events of this kind); for steps, markers and
 * activity, O(spans). */
void loom_evidence_add_collectives (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_clock_sync (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_sync_points (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_messages (LoomEvidence *evidence, const LoomRun *run);
/* Adds the order of each launch and its kernel (LoomCausalOrder). Adds no common events. */
void loom_evidence_add_launches (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_steps (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_markers (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_activity (LoomEvidence *evidence, const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEvidence, loom_evidence_free)
