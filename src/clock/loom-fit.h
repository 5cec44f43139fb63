/* SPDX-License-Identifier: Apache-2.0
 *
 * Offsets and drifts of clocks out of evidence: a graph whose nodes are clocks and whose edges are occasions.
 *
 * A component grows from its reference: what is placed gives each of its occasions a moment (the median of the mapped
 * readings), and clocks that share enough of these get a line (loom-line.h); a clock whose line the judge refuses
 * (loom-judge.h) is not placed. Then all lines of the component and the moments are estimated in turn, so that no single
 * clock decides. At last no receive stands before its send and no kernel before its launch, as far as the uncertainty allows
 * (loom-fit-causality.c). Never all pairs of clocks: cost O(readings) a round, a handful of rounds.
 *
 * The reference of a component is its anchored clock of the lowest rank, else its clock of the lowest rank, else its first;
 * its own line is the identity.
 */
#pragma once

#include "loom-alignment.h"
#include "loom-evidence.h"
#include "loom-judge.h"
#include "loom-line-error.h"
#include "loom-progress.h"

G_BEGIN_DECLS

/* Pairs that an offset, and a drift, need. */
#define LOOM_FIT_OFFSET_PAIRS 3
#define LOOM_FIT_DRIFT_PAIRS 10
#define LOOM_FIT_DRIFT_NS (10 * LOOM_NS_PER_S)

/* What a caller knows of a clock. */
typedef struct {
  gint rank;                /* −1 unknown */
  gboolean anchored;        /* its local time is UTC */
  gint64 declared_ns;       /* timeline − local, as declared */
} LoomFitClock;

typedef struct {
  LoomVerdict verdict;      /* DECLARED: no evidence */
  char *why;                /* one sentence; never NULL */
  guint component;          /* LOOM_COMPONENT_NONE: connected to nothing */
  guint reference;          /* clock; of the component, or of the one it was refused by; itself when compared with none */
  guint same_as;            /* clock; another one of the same recording, the first of them for all but itself; itself for none */
  LoomEvidenceKind kind;    /* what the line rests on */
  LoomLine line;            /* local → the reference's local time; only with a component */
  LoomLineError error;      /* of the line; unknown without a component and for the reference */
  double unit_ns;           /* least uncertainty of a pair: what asymmetries of this kind of evidence may leave in every pair */
  gint64 epoch_ns;          /* local time of the component's first occasion on this clock */
  gint64 first_ns, last_ns; /* local; where the evidence begins and ends */
  guint pairs, rejected;    /* pairs were looked at, rejected are among them */
  LoomResiduals after;      /* of the line, over the pairs not rejected; of the refused line where it was refused */
  LoomResiduals before;     /* of what is declared, over the same */
} LoomFitted;

typedef struct {
  guint n_clocks, n_components;
  LoomFitted *clocks;
} LoomFit;

/* Of a recording that an earlier clock has already: it is refused, connects nothing and has no component. */
gboolean loom_fit_is_copy (const LoomFit *fit, guint clock);

/* `clocks`: evidence->n_clocks of them. Lines are fitted on `n_threads` threads (0: as many as processors). Any thread.
 * NULL only when cancelled. The caller owns it. */
LoomFit *loom_fit_new (const LoomEvidence *evidence, const LoomFitClock *clocks, guint n_threads, LoomProgress *progress);

/* Places clocks that `fit` left without a component and that are not anchored by evidence that is coarse. FALSE when
 * cancelled. */
gboolean loom_fit_extend (LoomFit *fit, const LoomEvidence *coarse, const LoomFitClock *clocks, guint n_threads,
                          LoomProgress *progress);

void loom_fit_free (LoomFit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFit, loom_fit_free)

G_END_DECLS
