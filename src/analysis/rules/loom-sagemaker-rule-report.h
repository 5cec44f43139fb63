/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of rules that ran with the job (profiler-reports/NAME.json), read and compared with what the rules say here.
 * formats/profiler-config-and-rules.md §B4. Built by one thread, then read by any.
 */
#pragma once

#include "loom-rule-result.h"

G_BEGIN_DECLS

typedef struct {
  char *rule; /* by the file's name */
  char *path;
  char *problem; /* why it cannot be read, a sentence; NULL: it was, and the rest holds */
  gint64 n_triggered, n_violations, n_datapoints;
  char *parameters; /* lines "name:value"; "" none */
  JsonObject *details;
} LoomSagemakerRuleReport;

/* Those among the files of the run that are no traces: LoomSagemakerRuleReport, by rule, then path. Reads them; O(their size), which is
 * limited. Owned. */
GPtrArray *loom_sagemaker_rule_reports_read (const LoomRun *run);
void loom_sagemaker_rule_report_free (LoomSagemakerRuleReport *report);

/* The report of that rule, the last one where there are several; NULL. Letter case does not matter. */
const LoomSagemakerRuleReport *loom_sagemaker_rule_reports_find (const GPtrArray *reports, const char *rule);

/* "fired 2 times, 12 of 1000 beyond the limit", or the problem. Translated, owned. */
char *loom_sagemaker_rule_report_describe (const LoomSagemakerRuleReport *report);
/* In what the report and the result differ, a sentence each: the verdict, counts, parameters that both have. Empty when in
 * nothing. Translated, owned, NULL-terminated. */
char **loom_sagemaker_rule_report_compare (const LoomSagemakerRuleReport *report, const LoomRuleResult *result);

/* {"path","RuleTriggered","Violations","Datapoints","Differences":[…]} or {"path","problem"}; `result` may be NULL. Owned. */
JsonNode *loom_sagemaker_rule_report_to_json (const LoomSagemakerRuleReport *report, const LoomRuleResult *result);

G_END_DECLS
