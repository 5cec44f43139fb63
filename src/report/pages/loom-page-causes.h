/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/report. Adds to a page the explanation of bottlenecks or of outlier steps. The explanation compares
 * the work (metrics: groups of spans, see loom-cause-comparison.h) at these times with the work at other times. It
 * consists of sentences that name the suspects, pies of the work that ran, bars that compare the two kinds of times,
 * and a table of the differences.
 */
#pragma once

#include "loom-cause-comparison.h"
#include "loom-page-private.h"

/* Translated texts for the comparison. Its two sides are bottlenecks and other times, or outlier steps and other
 * steps. */
typedef struct {
  const char *functions, *phases; /* titles of the pies */
  const char *bars, *here, *there;
  const char *table;
  gboolean of_steps; /* TRUE: outlier steps are compared with other steps; FALSE: bottlenecks are compared with other
                      * times */
  /* Returns a sentence which says that the functions `names` have spans only at bottlenecks (or only in outlier steps).
   * Owned by the caller. */
  char *(*dup_only_then) (const char *names);
} LoomCauseWords;

/* Returns a sentence about the most important suspect that is not only a wait for other work: "… took 2.9 s on average
 * instead of 19 ms." A suspect is a metric whose spans take much longer on average at bottlenecks (or in outlier steps)
 * than at other times. NULL if there is no such suspect. Owned by the caller. */
char *loom_page_causes_dup_main (LoomPageContent *sheet, const LoomPageInput *input,
                                 const LoomCauseComparison *contrast, const LoomCauseWords *words);
/* Adds the sentences that name all suspects (metrics that take much longer at bottlenecks or in outlier steps). */
void loom_page_causes_add_suspects (LoomPageContent *sheet, const LoomPageInput *input,
                                    const LoomCauseComparison *contrast, const LoomCauseWords *words);
/* Adds the charts and the table that show why the metrics are suspects. */
void loom_page_causes_add_evidence (LoomPageContent *sheet, const LoomPageInput *input,
                                    const LoomCauseComparison *contrast, const LoomCauseWords *words);
