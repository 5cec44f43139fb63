/* SPDX-License-Identifier: Apache-2.0
 *
 * The reports that SageMaker's rules wrote while the job ran (profiler-reports/NAME.json). Reads the reports, and
 * compares them with the results of the rules in this program. Built by one thread; then any thread may read it.
 */
#pragma once

#include "loom-rule-result.h"

typedef struct {
  char *rule; /* name of the rule, taken from the name of the report file */
  char *path;
  /* translated sentence that states why the file cannot be read; NULL: the file was read, and the members below are
   * valid */
  char *problem;
  gint64 n_triggered, n_violations, n_datapoints;
  char *parameters; /* lines "name:value"; "": there are no parameters */
  JsonObject *details;
} LoomSagemakerRuleReport;

/* Reads the reports of rules among the ignored files of the run. Returns an array of LoomSagemakerRuleReport, sorted by
 * rule, then by path. O(size of the reports), which is limited. Owned by the caller. */
GPtrArray *loom_sagemaker_rule_reports_read (const LoomRun *run);
void loom_sagemaker_rule_report_free (LoomSagemakerRuleReport *report);

/* Returns the report of a rule; the name is compared without regard to upper and lower case. If there are several
 * reports, returns the last one. NULL: there is none. */
const LoomSagemakerRuleReport *loom_sagemaker_rule_reports_find (const GPtrArray *reports, const char *rule);

/* Returns a summary, for example "fired 2 times, 12 of 1000 beyond the limit", or, if the file cannot be read, a
 * sentence that states the reason. Translated, owned by the caller. */
char *loom_sagemaker_rule_report_describe (const LoomSagemakerRuleReport *report);
/* Returns one sentence for each difference between the report and the result. The function compares whether the rule
 * fired, the numbers of violations and data points, and the values of those parameters that the report and the result
 * both contain. Translated, owned by the caller, NULL-terminated. */
char **loom_sagemaker_rule_report_compare (const LoomSagemakerRuleReport *report, const LoomRuleResult *result);

/* Returns {"path","RuleTriggered","Violations","Datapoints","Differences":[…]}. If the file could not be read, returns
 * {"path","problem"}. `result`: the result of the rule in this program; may be NULL. Owned by the caller. */
JsonNode *loom_sagemaker_rule_report_to_json (const LoomSagemakerRuleReport *report, const LoomRuleResult *result);
