/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: the alignment, and the steps that compute it.
 */
#pragma once

#include "loom-alignment.h"
#include "loom-string-pool.h"

struct _LoomAlignment {
  gatomicrefcount refs;
  LoomClockFit *fits;
  guint n_clocks, n_components;
  LoomStringPool *texts; /* texts of LoomClockFit.basis */
  GPtrArray *notices;    /* char *, NULL-terminated once made */
  char *copy, *original; /* names of the first recording that is loaded twice and of its original; NULL: none */
  guint n_copies;
  const char *runs;                /* the notice that different runs are loaded, not translated; NULL: none */
  LoomAlignMode mode;              /* only set if there is no root */
  LoomClockFit *declared, *judged; /* fits before and after the evidence is applied; NULL if there is a root */
  /* the alignment from which this one was derived: its texts and stages are reused; NULL: none */
  LoomAlignment *root;
};

const char *loom_alignment_keep (LoomAlignment *alignment, const char *text);
void loom_alignment_notice (LoomAlignment *alignment, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* loom-alignment-declared.c: shifts the clocks of each sync group onto its lowest rank. `ranks` per clock, −1 unknown. */
void loom_alignment_apply_declared (LoomAlignment *alignment, const LoomRun *run, const gint *ranks);

/* loom-alignment-fit.c: sets components, verdicts and residuals, and the maps of fits that replace declared clocks. Returns
 * FALSE if cancelled. */
gboolean loom_alignment_apply_fit (LoomAlignment *alignment, const LoomRun *run, const gint *ranks, guint n_threads,
                                   LoomProgress *progress);
