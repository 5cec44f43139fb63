/* SPDX-License-Identifier: Apache-2.0
 *
 * What a list of findings says at its top: what the first finding costs; or why there are no findings to show: the rules
 * found nothing, they found a loss of time that is below their limits, they lacked data, or they do not apply to the
 * run. Any thread.
 */
#pragma once

#include "loom-findings.h"

/* `icon`: name of an icon, NULL: none; `title`, `explanation`: translated; `page`: name of the page that shows more, NULL:
 * none; `result`: result that found a loss below its limit, NULL: none. It has its own explanation
 * (loom_findings_state_dup_rule_line()) and its own page (loom_page_index_find_of_rule()), so `explanation` and `page` are
 * NULL. All are static, or borrowed from the findings. */
typedef struct {
  const char *icon, *title, *explanation;
  const char *page;
  const LoomRuleResult *result;
} LoomFindingsAnswer;

/* Returns the answer for findings none of which is shown. `only_memory`: TRUE if the run contains only memory events. */
LoomFindingsAnswer loom_findings_answer_get (const LoomFindings *findings, gboolean only_memory);
/* Returns the answer for a large run whose rules are evaluated only on request. */
LoomFindingsAnswer loom_findings_answer_get_large (void);

/* Returns the headline of a result that fired or, without one, its sentence, with a capital letter and a full stop. Owned
 * by the caller. */
char *loom_findings_answer_dup_headline (const LoomRuleResult *result);

/* Returns a sentence about the first finding of a list: its cause in few words, or the rank for which the others wait,
 * and what it costs. Without a known cost or a short name for the cause, returns the headline of the finding. `is_part`:
 * TRUE if the findings are of a part of the run. Translated, owned by the caller. */
char *loom_findings_answer_dup_cost (const LoomFindings *findings, const LoomFinding *finding, gboolean is_part);
