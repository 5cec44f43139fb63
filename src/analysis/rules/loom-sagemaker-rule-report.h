/* SPDX-License-Identifier: Apache-2.0
 *
 * The reports that SageMaker's rules wrote while the job ran (profiler-reports/NAME.json): reads them, and compares
 * them with the results of the rules in this program. Built by one thread, then read by any.
 */
#pragma once

#include "loom-rule-result.h"

typedef struct {
  char *rule; /* name of the rule, taken from the name of the file */
  char *path;
  /* a sentence that says why the file cannot be read; NULL: the file was read, and the members below are valid */
  char *problem;
  gint64 n_triggered, n_violations, n_datapoints;
  char *parameters; /* lines "name:value"; "": there are no parameters */
  JsonObject *details;
} LoomSagemakerRuleReport;

/* Reads the reports among the run's files that are not traces. Returns LoomSagemakerRuleReport, sorted by rule, then by
 * path. O(size of these files), which is limited. Owned by the caller. */
GPtrArray *loom_sagemaker_rule_reports_read (const LoomRun *run);
void loom_sagemaker_rule_report_free (LoomSagemakerRuleReport *report);

/* Returns the report of a rule, ignoring the case of its name; the last one if there are several, NULL if there is
 * none. */
const LoomSagemakerRuleReport *loom_sagemaker_rule_reports_find (const GPtrArray *reports, const char *rule);

/* Returns a summary, for example "fired 2 times, 12 of 1000 beyond the limit", or a sentence that says why the file
 * cannot be read. Translated, owned by the caller. */
char *loom_sagemaker_rule_report_describe (const LoomSagemakerRuleReport *report);
/* Returns a sentence for each difference between the report and the result. Compared are whether the rule fired, the
 * counts of violations and data points, and the parameters that both contain. Translated, owned by the caller,
 * NULL-terminated. */
char **loom_sagemaker_rule_report_compare (const LoomSagemakerRuleReport *report, const LoomRuleResult *result);

/* Returns {"path","RuleTriggered","Violations","Datapoints","Differences":[…]} or, if the file could not be read,
 * {"path","problem"}. `result` may be NULL. Owned by the caller. */
JsonNode *loom_sagemaker_rule_report_to_json (const LoomSagemakerRuleReport *report, const LoomRuleResult *result);
