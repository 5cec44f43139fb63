/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds a comparison of causes to a page: suspects, pies of what ran, bars side by side, and the table of differences.
 * Private to src/report.
 */
#pragma once

#include "loom-cause-comparison.h"
#include "loom-page-private.h"

/* Translated titles of the charts and the table, and names of their parts. */
typedef struct {
  const char *functions, *phases; /* titles of pies */
  const char *bars, *here, *there;
  const char *table;
  char *(*dup_only_then) (const char *names); /* returns a sentence that the named metrics ran in no other condition */
} LoomCauseWords;

/* Returns the sentence that names what takes longest beyond its usual time and is not an effect of something else: "… took
 * 2.9 s then instead of 19 ms." NULL: there is no such suspect. Owned by the caller. */
char *loom_page_causes_dup_main (LoomPageContent *sheet, const LoomPageInput *input,
                                 const LoomCauseComparison *contrast, const LoomCauseWords *words);
/* Adds the sentences that name suspects. */
void loom_page_causes_add_suspects (LoomPageContent *sheet, const LoomPageInput *input,
                                    const LoomCauseComparison *contrast, const LoomCauseWords *words);
/* Adds the charts and the table that show why the suspects are named. */
void loom_page_causes_add_evidence (LoomPageContent *sheet, const LoomPageInput *input,
                                    const LoomCauseComparison *contrast, const LoomCauseWords *words);
