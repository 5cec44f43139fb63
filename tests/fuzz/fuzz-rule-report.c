/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes reports that SageMaker's rules wrote while the job ran. Any content is read, or gives a problem with a reason.
 * Comparing a report with the results of the program gives sentences and strict JSON.
 */
#include "fuzz-trace.h"

#include "loom-json-glib-workaround.h"
#include "loom-sagemaker-rule-report.h"

#include <string.h>

#define REPORT "job/rule-output/ProfilerReport-1/profiler-output/profiler-reports/LowGPUUtilization.json"
#define MOST_JSON_DEPTH 600

static void
check_text (const char *text, const char *what)
{
  fuzz_check (text != NULL && g_utf8_validate (text, -1, NULL), "the %s is no text", what);
}

static void
check_json (const LoomSagemakerRuleReport *report, const LoomRuleResult *result)
{
  g_autoptr (JsonNode) node = loom_sagemaker_rule_report_to_json (report, result);
  g_autofree char *text = loom_json_glib_workaround_reals (json_to_string (node, FALSE));
  fuzz_check (fuzz_is_json (text, strlen (text), MOST_JSON_DEPTH), "%s", text);
}

static void
check_report (const LoomSagemakerRuleReport *report)
{
  g_autofree char *words = loom_sagemaker_rule_report_describe (report);
  check_text (words, "description");
  check_text (report->rule, "rule");
  check_text (report->parameters, "parameters");
  fuzz_check (strcmp (report->rule, "LowGPUUtilization") == 0, "%s", report->rule);
  for (LoomRuleStatus status = 0; status < LOOM_N_RULE_STATUS; status++) {
    LoomRuleResult result = {
      .status = status, .n_violations = 2, .n_datapoints = 9, .parameters = (char *) "threshold_p95:70\nwindow:500"
    };
    g_auto (GStrv) differences = loom_sagemaker_rule_report_compare (report, &result);
    for (guint i = 0; differences[i] != NULL; i++)
      check_text (differences[i], "difference");
    check_json (report, &result);
  }
  check_json (report, NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  fuzz_clear_folder ();
  g_autofree char *path = fuzz_put (REPORT, data, size);
  g_autoptr (LoomRun) run = fuzz_load (G_MAXUINT64);
  fuzz_leaks_are_known (TRUE); /* json-glib leaks the node of a string with half a surrogate pair, so leaks are ignored
                                * here */
  g_autoptr (GPtrArray) reports = loom_sagemaker_rule_reports_read (run);
  fuzz_leaks_are_known (FALSE);
  fuzz_check (reports->len <= 1, "%u reports of one file", reports->len);
  for (guint i = 0; i < reports->len; i++)
    check_report (reports->pdata[i]);
  return 0;
}
