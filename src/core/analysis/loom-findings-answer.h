/* SPDX-License-Identifier: Apache-2.0
 *
 * The text at the top of a list of findings. If there are findings, the text says what the first finding costs. If
 * there are none, it gives the reason: the rules found nothing; the loss of time that a rule found is below the limit
 * of the rule; data are missing; or the rules do not apply to the run. Any thread.
 */
#pragma once

#include "loom-findings.h"

/* `icon`: name of an icon, or NULL. `title` and `explanation`: translated. `page`: name of the page that shows more, or
 * NULL. `result`: the rule result whose loss is below the limit of the rule; NULL if the text is not about such a
 * result. If `result` is not NULL, `explanation` and `page` are NULL; loom_findings_state_dup_rule_line() then gives
 * the explanation, and loom_page_index_find_of_rule() the page. All texts are static, or borrowed from the findings. */
typedef struct {
  const char *icon, *title, *explanation;
  const char *page;
  const LoomRuleResult *result;
} LoomFindingsAnswer;

/* Returns the text for a list that shows none of `findings`. The text says why there are no findings. `only_memory`:
 * TRUE if the run contains only memory events. */
LoomFindingsAnswer loom_findings_answer_get (const LoomFindings *findings, gboolean only_memory);
/* Returns the text that is shown in place of the findings of a large run. The text says that rules are evaluated only
 * when the user requests it. */
LoomFindingsAnswer loom_findings_answer_get_large (void);

/* Returns the headline of a result that has a finding. If the result has no headline, returns the sentence of the
 * result, with a capital letter and a full stop. Owned by the caller. */
char *loom_findings_answer_dup_headline (const LoomRuleResult *result);

/* Returns a sentence about the first finding of a list. It says what the finding costs, and names its cause in few
 * words, or the rank for which the other ranks wait. If the cost is unknown or the cause has no short name, returns
 * the headline of the finding. `is_part`: TRUE if the findings are of a part of the run. Translated, owned by the
 * caller. */
char *loom_findings_answer_dup_cost (const LoomFindings *findings, const LoomFinding *finding, gboolean is_part);
