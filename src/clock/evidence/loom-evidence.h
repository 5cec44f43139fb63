/* SPDX-License-Identifier: Apache-2.0
 *
 * The evidence in a run about its clocks, in the clocks' local ns. An occasion is a moment that several clocks read, so
 * each pair of readings gives the difference of two clocks, within an uncertainty; an order means that an event on one
 * clock preceded an event on another. Files loom-evidence-*.c collect it.
 *
 * One writer; readable from any thread afterwards. Cost: O(readings) of memory, some 24 bytes each.
 */
#pragma once

#include "loom-run.h"

typedef enum {
  LOOM_EVIDENCE_COLLECTIVES, /* from loom-evidence-collectives.c */
  LOOM_EVIDENCE_CLOCK_SYNC,  /* from loom-evidence-keyed.c: events of phase c */
  LOOM_EVIDENCE_SYNC_POINTS, /* from loom-evidence-keyed.c: what formats declare (Composer) */
  LOOM_EVIDENCE_MESSAGES,    /* from loom-evidence-messages.c: sends and receives in both directions */
  LOOM_EVIDENCE_STEPS,       /* from loom-evidence-keyed.c */
  LOOM_EVIDENCE_MARKERS,     /* from loom-evidence-keyed.c */
  LOOM_EVIDENCE_ACTIVITY,    /* from loom-evidence-activity.c: sampled utilization compared with kernels */
  LOOM_N_EVIDENCE_KINDS
} LoomEvidenceKind;

/* Names for use in sentences, translated: "collectives", "clock sync events", …. */
const char *loom_evidence_kind_to_string (LoomEvidenceKind kind);
/* A sentence followed by the kind of evidence, translated. Owned by the caller. */
char *loom_evidence_kind_say (LoomEvidenceKind kind, const char *sentence);

/* Returns TRUE for steps, markers and activity, which are too coarse to overrule a declared clock. */
static inline gboolean
loom_evidence_kind_is_coarse (LoomEvidenceKind kind)
{
  return kind >= LOOM_EVIDENCE_STEPS;
}

typedef struct {
  gint64 local_ns;
  /* local ns; the time when this clock's process began to wait for the others; LOOM_TIME_NONE: unknown */
  gint64 arrival_ns;
  guint32 clock; /* index in the run */
  guint32 occasion;
} LoomClockObservation;

typedef struct {
  guint32 first, n;      /* index of the first reading, and number of readings; n ≥ 2, each of another clock */
  gint64 uncertainty_ns; /* uncertainty of one reading; > 0 */
  LoomEvidenceKind kind;
} LoomSimultaneity;

/* An event of the clock `before` at before_ns precedes an event of the clock `after` at after_ns. */
typedef struct {
  guint32 before, after; /* indices of the clocks */
  gint64 before_ns, after_ns;
  gboolean is_launch; /* the order is that of a kernel and its launch, otherwise of a message */
} LoomCausalOrder;

typedef struct {
  guint n_clocks;
  GArray *readings;  /* LoomClockObservation, occasion after occasion */
  GArray *occasions; /* LoomSimultaneity */
  GArray *orders;    /* LoomCausalOrder */
} LoomEvidence;

LoomEvidence *loom_evidence_new (guint n_clocks);
/* The evidence of a run: all except coarse evidence, or only coarse evidence. Cost as for the kinds below. */
LoomEvidence *loom_evidence_new_of_run (const LoomRun *run);
LoomEvidence *loom_evidence_new_coarse (const LoomRun *run);
void loom_evidence_free (LoomEvidence *evidence);

/* Add an occasion: begin, a reading for each clock, end. Occasions with fewer than two clocks are dropped, and so are
 * the readings of a clock that read the occasion twice, because they are ambiguous. */
void loom_evidence_begin (LoomEvidence *evidence, LoomEvidenceKind kind, gint64 uncertainty_ns);
void loom_evidence_read (LoomEvidence *evidence, guint clock, gint64 local_ns, gint64 arrival_ns);
void loom_evidence_end (LoomEvidence *evidence);

void loom_evidence_order (LoomEvidence *evidence, guint before, gint64 before_ns, guint after, gint64 after_ns,
                          gboolean is_launch);

/* Each function adds the evidence of one kind. Cost O(events of that kind); steps, markers and activity O(spans). */
void loom_evidence_add_collectives (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_clock_sync (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_sync_points (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_messages (LoomEvidence *evidence, const LoomRun *run);
/* Launches, steps, markers and activity add only orders. */
void loom_evidence_add_launches (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_steps (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_markers (LoomEvidence *evidence, const LoomRun *run);
void loom_evidence_add_activity (LoomEvidence *evidence, const LoomRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEvidence, loom_evidence_free)
